"""What oscillates in the tail: its frequency, and the cells of phase on which the tail is examined.

The tail ratio of an oscillating generator has a limsup and no limit.  With x = frequency * r taken
modulo a period, every sine, cosine and floor of a multiple of r is a function of x alone, so models
at infinity have coefficients that depend on the phase; on a narrow cell of phases they are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq

from dpverify.asymptotics import CONSTANT, Germ, Model, Phase
from dpverify.asymptotics.germ import LINEAR
from dpverify.enclosures import Evaluation, Undecided
from dpverify.enclosures.nodes import Node, as_fraction, waves

TWO_PI = Fraction("6.2831853072")  # a little more than 2 pi
FAR = Fraction(2**40)
MOST_BREAKS = 200


@dataclass(frozen=True)
class Wave:
    """A common frequency of what oscillates, and the phases at which a floor jumps."""

    turns: bool
    frequency: Fraction
    breaks: tuple[Fraction, ...]

    @property
    def period(self) -> Fraction:
        """2 pi, or 2 for a phase that is counted in turns."""
        return Fraction(2) if self.turns else TWO_PI

    @property
    def reach(self) -> Fraction:
        """The radii of one period: how much further out than their models the boxes have to go."""
        return (Fraction(2) if self.turns else Fraction(7)) / self.frequency

    def cell(self, low: Fraction, high: Fraction) -> Phase:
        """The phases from low to high."""
        return Phase(self.turns, self.frequency, low, high)

    def jumps(self, reach: Fraction) -> list[Fraction]:
        """The breaks of every period from 0 to `reach`; none where there are too many."""
        periods = range(int(reach / self.period) + 1)
        found = {b + k * self.period for b in self.breaks for k in periods} if len(periods) <= MOST_BREAKS else set()
        return sorted(b for b in found if b <= reach)

    def points(self, pieces: int) -> list[Fraction]:
        """A first cover of one period, with the breaks among its points."""
        even = {self.period * k / pieces for k in range(pieces + 1)}
        return sorted(even | {b for b in self.breaks if 0 < b < self.period})


def wave_of(node: Node, delta: Fraction) -> Wave | None:
    """The wave of a generator whose tail oscillates, or None."""
    turning: list[Fraction] = []
    radian: list[Fraction] = []
    jumps: list[tuple[Fraction, Fraction]] = []
    for part in waves(node):
        line = _line(part.args[0])
        if line is None:
            continue
        if part.kind == "floor":
            turning.append(2 * abs(line[0]))
            jumps.append(line)
        else:
            (turning if part.args[1] else radian).append(abs(line[0]))
    if not turning and not radian:
        return None
    turns = bool(turning)
    frequency = _common(turning or radian)
    breaks: set[Fraction] = set()
    for slope, constant in jumps:
        breaks |= _jumps(slope / frequency, constant) | _jumps(slope / frequency, constant + slope * delta)
    return Wave(turns, frequency, tuple(sorted(breaks)) if len(breaks) <= MOST_BREAKS else ())


def _line(argument: Node) -> tuple[Fraction, Fraction] | None:
    """(k, c) where the argument is k r + c + (what vanishes) with a rational k, and c if it is rational, else 0."""
    try:
        model = Evaluation(Model.power_of_t(Germ(FAR, 6), 1)).value(argument)
    except Undecided:
        return None
    growing = {m: c for m, c in model.terms.items() if m > CONSTANT}
    slope, constant = growing.get(LINEAR), model.terms.get(CONSTANT, fmpq(0))
    if len(growing) != 1 or not isinstance(slope, fmpq):
        return None
    return as_fraction(slope), as_fraction(constant) if isinstance(constant, fmpq) else Fraction(0)


def _common(values: list[Fraction]) -> Fraction:
    """The greatest rational of which all are integer multiples."""
    return Fraction(gcd(*(v.numerator for v in _scaled(values))), lcm(*(v.denominator for v in values)))


def _scaled(values: list[Fraction]) -> list[Fraction]:
    denominator = lcm(*(v.denominator for v in values))
    return [v * denominator for v in values]


def _jumps(n: Fraction, constant: Fraction) -> set[Fraction]:
    """The phases x in [0, 2] at which n x + constant is an integer."""
    ends = sorted((constant, constant + 2 * n))
    first, last = -((-ends[0]) // 1), ends[1] // 1
    return {(k - constant) / n for k in range(int(first), min(int(last), int(first) + MOST_BREAKS) + 1)}
