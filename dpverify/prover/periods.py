"""f that is its own multiple a period further out, as exp(-r)(2 + frac(r)) is: one period of radii stands for all.

The logic is the kernel's (sections/periods.py): what a node is at r + T beside what it is at r, by its form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from dpverify.asymptotics import Germ
from dpverify.enclosures.ball import exact
from dpverify.enclosures.nodes import Node, kinds
from dpverify.prover.charts import ORDER
from dpverify.prover.problem import Problem
from dpverify.prover.tail import Tail
from dpverify.prover.waves import wave_of

ZERO = fmpq(0)
JUMPS = {"floor", "piece", "max"}
LONGEST, MOST_PERIODS, LEAST = 7, 128, Fraction(2)
"""Somewhat more than 2 pi; how many periods long shifts are at most; and from where on there are models at all."""


@dataclass(frozen=True)
class Repeated(Tail):
    """The radii beyond one period, each whole periods beyond one of those up to `end`: there are no models of it.

    The length of the period is in units of 1 for phases in (half) turns, else of 2 pi.
    """

    turns: bool = True
    length: Fraction = Fraction(1)

    @property
    def reach(self) -> Fraction:
        """How far out the boxes have to go."""
        return self.germ.radius

    @property
    def period(self) -> Period:
        """What nodes are a period further out."""
        return Period(self.turns, self.length)


def repeated_tail(problem: Problem, start: Fraction) -> Repeated | None:
    """The tail of an f that fades from period to period, which begin at the radius `start`; None where it is not seen
    to, or has no jumps nor kinks, or where shifts are long."""
    if not kinds(problem.node) & JUMPS:
        return None
    wave = wave_of(problem.node, problem.delta)
    if wave is None:
        return None
    period = Period(wave.turns, (2 if wave.turns else 1) / wave.frequency)
    rate = period.rate(problem.node)
    whole = period.length * (1 if wave.turns else LONGEST)
    end = max(start + whole, LEAST)
    if rate is None or not rate < 0 or problem.delta > MOST_PERIODS * whole:
        return None
    return Repeated(Germ(end, ORDER), None, (), True, True, None, wave.turns, period.length)


class Period:
    """T, and what nodes are at r + T beside what they are at r."""

    def __init__(self, turns: bool, length: Fraction) -> None:
        self.turns, self.length = turns, length
        self._steps: dict[Node, fmpq | None] = {}
        self._rates: dict[Node, fmpq | None] = {}

    def step(self, node: Node) -> fmpq | None:
        """s where u(r + T) = u(r) + s."""
        if node not in self._steps:
            self._steps[node] = self._added(node)
        return self._steps[node]

    def rate(self, node: Node) -> fmpq | None:
        """s where u(r + T) = e^s u(r)."""
        if node not in self._rates:
            self._rates[node] = self._multiplied(node)
        return self._rates[node]

    def _added(self, node: Node) -> fmpq | None:
        kind, args = node.kind, node.args
        if kind == "r":
            return exact(self.length)
        if kind == "add":
            return _total([self.step(a) for a in args])
        if kind == "mul" and len(args) == 2 and args[0].kind == "num":
            step = self.step(args[1])
            return None if step is None else args[0].args[0] * step
        if all(self.step(part) == 0 for part in parts_of(args)):
            return ZERO
        step = self.step(args[0]) if kind in ("floor", "cos", "sin") else None
        if step is None:
            return None
        if kind == "floor":
            return step if self.turns and step.q == 1 else None
        turns = step / 2 if self.turns else step
        return ZERO if args[1] is self.turns and turns.q == 1 else None

    def _multiplied(self, node: Node) -> fmpq | None:
        kind, args = node.kind, node.args
        if self.step(node) == 0:
            return ZERO
        if kind == "exp":
            return self.step(args[0])
        if kind == "pow":
            rate = self.rate(args[0])
            return None if rate is None else rate * args[1]
        if kind == "mul":
            return _total([self.rate(a) for a in args])
        if kind == "piece":
            signs = all(self.rate(w) is not None for _, c in args for w in parts_of(c))
            args = tuple(value for value, _ in args) if signs else ()
        rates = [self.rate(a) for a in args] if kind in ("add", "max", "piece") else []
        return rates[0] if rates and all(rate == rates[0] for rate in rates) else None


def _total(steps: list[fmpq | None]) -> fmpq | None:
    known = [step for step in steps if step is not None]
    return sum(known, ZERO) if len(known) == len(steps) else None


def parts_of(args: Iterable[Any]) -> list[Node]:
    """The nodes that a node, or a condition, is made of."""
    found = []
    for part in args:
        if isinstance(part, Node):
            found.append(part)
        elif isinstance(part, tuple):
            found += parts_of(part)
    return found
