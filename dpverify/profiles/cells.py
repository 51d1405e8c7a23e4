"""Cells of radii and directions for the integral of a Renyi divergence, as the checker's own rules bound them; for
that of order 1 they are those of the mean of the loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, add_up, interval
from dpverify.kernel.sections import kullback, renyi
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.panels import mass as of_mass
from dpverify.profiles.result import Enclosed

HALF_ORDER, MOST_CELLS, FARTHEST, SLACK = 8, 2_500, 40, 10
"""Half the order of the series; how many cells there may be; how often the last radius may double; and how many times
the allowance a cell's last term may seem to be where it is tried."""
SHARES = Fraction(1, 4), Fraction(1), Fraction(1, 64)
"""By how much larger the order is that bounds what is left of the mean of the loss."""
QUARTERS = tuple(Fraction(k, 2) for k in (-2, -1, 0, 1, 2))
BY_BOUNDS, BY_SERIES = "b", "s"
ONE, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)
CLOSE, PARTS = Fraction(1, 10**9), (60, 400)
"""How narrow a divergence is to be; and of its width, what one cell is allowed at first, and then."""
Box = tuple[Fraction, Fraction]
Known = tuple[str, Interval]


@dataclass
class Row:
    """The cells of one panel of radii."""

    radii: Box
    directions: list[Fraction] = field(default_factory=list)
    letters: str = ""
    parts: list[Interval] = field(default_factory=list)


class _Long(Exception):
    """A panel of radii is too long for one of its cells."""


class Search:
    """Cells for one order L, each of which is known to within an allowance."""

    def __init__(self, proof: Proof, marks: Sequence[Fraction], order: Fraction, allowance: Fraction) -> None:
        self.proof, self.noise = proof, Noise(proof.problem, 2 * HALF_ORDER, Fraction(0))
        self.order, self.allowance = order, allowance
        self.cells = self._cells()
        self.analytic = self._analytic()
        self.marks, self.s, self.line = list(marks), proof.problem.delta, proof.problem.dimension == 1

    def found(self, mass: Sequence[str]) -> tuple[dict[str, Any], Interval]:
        """The step of the proof, and the integral.  Raises Undecided where there are too many cells, and Rejected where
        the checker does not follow."""
        rows = self._rows()
        marks = [rows[0].radii[0], *(row.radii[1] for row in rows)]
        parts = [self._beyond(marks[-1]), *(x for row in rows for x in row.parts)]
        if marks[0]:
            parts.append(self._within(marks[0]))
        step = {
            "at": str(self.order),
            "order": HALF_ORDER,
            "mass": list(mass),
            "marks": [str(m) for m in marks],
            "directions": [[str(c) for c in row.directions] for row in rows],
            "sets": [row.letters for row in rows],
        }
        return step, add_up(parts)

    def _rows(self) -> list[Row]:
        pending = list(pairwise(sorted(self._marks())))[::-1]
        found, count = list[Row](), 0
        while pending:
            a, b = pending.pop()
            try:
                row = self._on_line((a, b)) if self.line else self._in_space((a, b))
            except _Long:
                pending += [((a + b) / 2, b), (a, (a + b) / 2)]
                row = None
            if row is not None:
                found.append(row)
                count += len(row.letters)
            if count + len(pending) > MOST_CELLS:
                raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
        return found

    def _marks(self) -> set[Fraction]:
        """Those of the mass, the shift, on a line also those across; as far as what is left there counts."""
        last, s = max(self.marks[-1], 2 * self.s), self.s
        inner = {m for m in self.marks if m < last} | {s, last}
        while not self._ends(last):
            last *= 2
            inner.add(last)
            if len(inner) > len(self.marks) + FARTHEST:
                raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
        if not self.line:
            return inner
        first = self.marks[0]
        across = {abs(m + k * s) for m in inner for k in (-1, 1)} | {s - m for m in inner}
        return {m for m in inner | across if first <= m <= last}

    def _ends(self, last: Fraction) -> bool:
        """Whether what is left beyond a radius does not count."""
        with suppress(Rejected):
            return self._fits(self._beyond(last))
        return False

    def _cells(self) -> renyi.Cells:
        """The checker's rules of cells."""
        return renyi.Cells(self.noise, self.order)

    def _beyond(self, radius: Fraction) -> Interval:
        """What lies beyond a radius."""
        return renyi.beyond(self.noise, self.order, radius)

    def _within(self, radius: Fraction) -> Interval:
        """What lies within a radius."""
        return renyi.centre(self.proof, self.cells, self.order, HALF_ORDER, radius)

    def divergence(self, integral: Interval, z: Interval) -> Interval:
        """D_L, from the integral and Z."""
        return renyi.from_integral(self.order, integral, z)

    @staticmethod
    def width(order: Fraction, value: Fraction, z: Fraction) -> Fraction:
        """How narrow the integral is to be, D_L being about the value."""
        return z * exponential((order - 1) * value) * abs(order - 1) * value * CLOSE

    def _on_line(self, radii: Box) -> Row:
        weight, row = self.cells.weight(radii), Row(radii)
        row.parts += self.cells.own(weight, radii)
        for side in (-1, 1):
            known = self._by_series(lambda at=side: self.cells.on_line(weight, radii, at))  # type: ignore[misc]
            ends = (Fraction(side), Fraction(side))
            known = known or self._by_bounds(weight, radii, ends, interval(HALF))
            if known is None:
                raise _Long
            row.letters += known[0]
            row.parts.append(known[1])
        return row

    def _in_space(self, radii: Box) -> Row:
        weight, row = self.cells.weight(radii), Row(radii)
        row.parts += self.cells.own(weight, radii)
        pending = list(pairwise(QUARTERS))[::-1]
        if self._near(radii, (-ONE, ONE)) < QUARTER:
            pending = [(-ONE, ONE)]
        while pending:
            low, high = pending.pop()
            known = self._cell(weight, radii, (low, high))
            if known is not None:
                row.letters += known[0]
                row.parts.append(known[1])
                row.directions.append(high)
            else:
                pending += [((low + high) / 2, high), (low, (low + high) / 2)]
        row.directions.pop()
        return row

    def _analytic(self) -> bool:
        """Whether f is analytic in y about 0."""
        with suppress(Rejected):
            self.cells.from_square(Fraction(0), self.noise.s**2 / 100)
            return True
        return False

    def _cell(self, weight: renyi.Weight, radii: Box, directions: Box) -> Known | None:
        """A cell that is known well enough; none where it is to be halved.  Raises _Long where its radii are."""
        share = self.cells.moments(directions)[0]
        bounded = self.cells.bounded(weight, radii, directions, share)
        if self._fits(bounded):
            return BY_BOUNDS, bounded
        near = self._near(radii, directions)
        rest = (near / (1 - near)) ** (2 * HALF_ORDER) * size(bounded) if near < HALF else None
        if self.analytic or (rest is not None and rest <= SLACK * self.allowance):
            known = self._by_series(lambda: self.cells.in_space(weight, radii, directions))
            if known is not None:
                return known
        if self._longer(radii, directions):
            raise _Long
        return None

    def _by_series(self, of: Callable[[], Interval]) -> Known | None:
        with suppress(Rejected):
            found = of()
            return (BY_SERIES, found) if self._fits(found) else None
        return None

    def _by_bounds(self, weight: renyi.Weight, radii: Box, directions: Box, share: Interval) -> Known | None:
        found = self.cells.bounded(weight, radii, directions, share)
        return (BY_BOUNDS, found) if self._fits(found) else None

    def _near(self, radii: Box, directions: Box) -> Fraction:
        """How near a cell's z comes to 0, as a part of that in its middle."""
        centre, along, across = self._reaches(radii, directions)
        return (along + across) / centre if centre else Fraction(1)

    def _longer(self, radii: Box, directions: Box) -> bool:
        _, along, across = self._reaches(radii, directions)
        return along > across

    def _reaches(self, radii: Box, directions: Box) -> tuple[Fraction, Fraction, Fraction]:
        """z in the middle of a cell, and by how much it changes with the radius, and with the direction."""
        m, h = (radii[0] + radii[1]) / 2, (radii[1] - radii[0]) / 2
        g, k = (directions[0] + directions[1]) / 2, (directions[1] - directions[0]) / 2
        return m * m + self.s**2 - 2 * self.s * m * g, 2 * h * abs(m - self.s * g) + h * h, 2 * self.s * k * (m + h)

    def _fits(self, found: Interval) -> bool:
        return bool(found.finite()) and Fraction(found.hi) - Fraction(found.lo) <= self.allowance


class OfLosses(Search):
    """Those for the order 1, the mean of the loss."""

    share = SHARES[0]

    def found(self, mass: Sequence[str]) -> tuple[dict[str, Any], Interval]:
        step, integral = super().found(mass)
        return {**step, "share": str(self.share)}, integral

    def _ends(self, last: Fraction) -> bool:
        """For one of the shares."""
        for share in SHARES:
            self.share = share
            if super()._ends(last):
                return True
        return False

    def _cells(self) -> kullback.Losses:
        return kullback.Losses(self.noise)

    def _beyond(self, radius: Fraction) -> Interval:
        return kullback.losses_beyond(self.noise, self.share, radius)

    def _within(self, radius: Fraction) -> Interval:
        return kullback.losses_within(self.proof, self._cells(), self.share, HALF_ORDER, radius)

    def divergence(self, integral: Interval, z: Interval) -> Interval:
        return kullback.mean(integral, z)

    @staticmethod
    def width(order: Fraction, value: Fraction, z: Fraction) -> Fraction:
        return z * value * CLOSE


def by_integrals(
    proof: Proof, wanted: Sequence[tuple[Fraction, Enclosed]], mass: Sequence[str]
) -> tuple[list[tuple[Fraction, Fraction, Fraction]], list[dict[str, Any]]]:
    """For every order L of which D_L is known: bounds as the checker finds them, and the steps by which it
    does; those that it does not follow are left out."""
    found, steps = list[tuple[Fraction, Fraction, Fraction]](), list[dict[str, Any]]()
    try:
        z = of_mass(Noise(proof.problem, 2 * HALF_ORDER, Fraction(0)), list(mass))
    except Rejected:
        return found, steps
    for order, value in wanted:
        if not value.lower:
            continue
        search = OfLosses if order == 1 else Search
        width = search.width(order, value.lower, Fraction(z.lo))
        with suppress(Undecided, Rejected):
            for part in PARTS:
                tried = search(proof, [Fraction(m) for m in mass], order, width / part)
                step, integral = tried.found(mass)
                ends = tried.divergence(integral, z)
                low, high = Fraction(ends.lo), Fraction(ends.hi)
                if high - low <= CLOSE * high:
                    found.append((order, low, high))
                    steps.append(step)
                    break
    return found, steps


def size(x: Interval) -> Fraction:
    """At least the absolute value."""
    return Fraction(max(x.hi, -x.lo))


def exponential(x: Fraction) -> Fraction:
    """About e^x."""
    return Fraction(interval(x).exp().lo)
