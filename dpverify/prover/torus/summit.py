"""The largest limit of the loss on the torus: a lower bound where phases come near every point of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, product
from random import Random

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Undecided
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.torus import Cell, loss_on
from dpverify.prover.phases import Phases
from dpverify.prover.problem import Problem

TINY = Fraction(1, 10**40)
HERE, BESIDE, MOST_BESIDE = Fraction(0), Fraction(1, 2**66), 81
"""How far beside a point, where it may lie on a jump, and how many such are tried."""
STARTS, KINDS, EACH, CLIMBS = 2000, 3, 3, 400
TURN = 6.29
OUT = Ball(arb(2) ** 60)
"""A radius so far out that the loss is about its limit."""


class Summit:
    """The largest limit of the loss on the torus, and where."""

    def __init__(self, problem: Problem, phases: Phases, germ: Germ) -> None:
        self.problem, self.phases, self.r = problem, phases, Model.power_of_t(germ, 1)
        self.value, self.point = arb.neg_inf(), [Fraction(0)]
        self.seen = problem.heights_seen()

    def height(self, point: Sequence[Fraction]) -> float:
        """The limit at a point of phases and a shift, about."""
        key = tuple(point)
        if key not in self.seen:
            self.seen[key] = self._height(point)
        return self.seen[key]

    def _height(self, point: Sequence[Fraction]) -> float:
        try:
            loss = loss_on(self.problem.node, Cell(self.phases.torus, [(x, x) for x in point]), OUT)
            return abs(float(loss.x.mid()))
        except (Undecided, ValueError, OverflowError):
            return float("-inf")

    def search(self) -> None:
        """Climb from the best of many points, once for all widths: only a lower bound hangs on it."""
        self.value, self.point = self.problem.remembered(("summit", self.r.germ.radius), self._found)

    def _found(self) -> tuple[arb, list[Fraction]]:
        ends, random = self.phases.torus.axes(), Random(15)
        delta = self.problem.delta
        count = min(STARTS, 60 * 6 ** len(ends))

        last = min(delta, self._longest_wave())

        def point(k: int) -> list[Fraction]:
            part = Fraction(random.randrange(1, 2**20), 2**20)
            h = (delta, delta * part, delta - last * part)[k % KINDS] or delta
            return [*(b * random.randrange(2**20) / 2**20 for _, b in ends), h]

        points = [point(k) for k in range(count)]
        for kind in range(KINDS):  # a climb from the longest shift need not find a ridge that ends before it
            some = sorted(points[kind::KINDS], key=self.height, reverse=True)
            for start in some[:EACH]:
                self.climb(self.height(start), start)
        return self.value, self.point

    def _longest_wave(self) -> Fraction:
        """About the length of the slowest wave: of a longer shift, what falls loses most in the last such part."""
        speeds = [abs(float(speed)) for speed in self.phases.torus.speeds]
        return Fraction(TURN / min(speeds)) if speeds and min(speeds) > 0 else self.problem.delta

    def climb(self, height: float, start: list[Fraction]) -> None:
        """Compass search along all axes, and along shifts that leave the phases of lines ahead where they are."""
        best, at, delta = height, list(start), self.problem.delta
        ways = [*(self._along(axis) for axis in range(len(at))), self._ahead_at_rest()]
        steps = [Fraction(1, 4)] * (len(at) - 1) + [delta / 16, min(delta, self._longest_wave()) / 16]
        for _ in range(CLIMBS):
            moved = False
            for k, way in enumerate(ways):
                for sign in (1, -1):
                    to = [x + sign * steps[k] * part for x, part in zip(at, way, strict=True)]
                    to[-1] = min(delta, max(to[-1], delta / 2**20))
                    there = self.height(to)
                    if there > best:
                        best, at, moved = there, to, True
                        steps[k] = steps[k] * 2
                        break
                else:
                    steps[k] = steps[k] / 2
            if not moved and all(step < Fraction(1, 2**48) for step in steps):
                break
        self.offer(at)

    def _along(self, axis: int) -> list[Fraction]:
        count = len(self.phases.torus.axes()) + 1
        return [Fraction(int(k == axis)) for k in range(count)]

    def _ahead_at_rest(self) -> list[Fraction]:
        """A longer shift from phases that lie as much further back: where f has kinks, a ridge runs along it."""
        speeds = [Fraction(float(speed)) for speed in self.phases.torus.speeds]
        rest = len(self.phases.torus.axes()) - len(speeds)
        return [*(-speed for speed in speeds), *[Fraction(0)] * rest, Fraction(1)]

    def offer(self, point: Sequence[Fraction]) -> None:
        """Take a point, if its limit is proved higher."""
        short = [Fraction(round(x * 2**66), 2**66) for x in point[:-1]]
        beside = (HERE, BESIDE, -BESIDE) if self.phases.torus.turns else (HERE,)
        for ways in islice(product(beside, repeat=len(short)), MOST_BESIDE):
            self._offer([x + way for x, way in zip(short, ways, strict=True)], point[-1])

    def _offer(self, short: list[Fraction], h: Fraction) -> None:
        box = [*((x, x + TINY) for x in short), (h - TINY, h)]
        try:
            value = abs(arb(loss_on(self.problem.node, Cell(self.phases.torus, box), self.r).limit()))
        except Undecided:
            return
        if value.is_finite() and value.lower() > self.value.lower():
            self.value, self.point = value, [*short, h]
