"""Cells of radii and directions for the integral of a Renyi divergence, as the checker's own rules bound them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import renyi
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.panels import mass as of_mass
from dpverify.profiles.result import Enclosed

HALF_ORDER, MOST_CELLS, FARTHEST, SLACK = 8, 2_500, 40, 10
"""Half the order of the series; how many cells there may be; how often the last radius may double; and how many times
the allowance a cell's last term may seem to be where it is tried."""
QUARTERS = tuple(Fraction(k, 2) for k in (-2, -1, 0, 1, 2))
BY_BOUNDS, BY_SERIES = "b", "s"
ONE, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)
CLOSE, PARTS = Fraction(1, 10**9), (30, 150, 750)
"""How narrow a divergence is to be; and of its width, what one cell is allowed at first, and then."""
Box = tuple[Fraction, Fraction]


@dataclass
class Row:
    """The cells of one panel of radii."""

    radii: Box
    directions: list[Fraction] = field(default_factory=list)
    letters: str = ""


class _Long(Exception):
    """A panel of radii is too long for one of its cells."""


class Search:
    """Cells for one order L, each of which is known to within an allowance."""

    def __init__(self, proof: Proof, marks: Sequence[Fraction], order: Fraction, allowance: Fraction) -> None:
        self.noise = Noise(proof.problem, 2 * HALF_ORDER, Fraction(0))
        self.cells, self.order, self.allowance = renyi.Cells(self.noise, order), order, allowance
        self.marks, self.s, self.line = list(marks), proof.problem.delta, proof.problem.dimension == 1

    def step(self, mass: Sequence[str]) -> dict[str, Any]:
        """The step of the proof.  Raises Undecided where there are too many cells, and Rejected where the checker does
        not follow."""
        rows = self.rows()
        marks = [rows[0].radii[0], *(row.radii[1] for row in rows)]
        return {
            "at": str(self.order),
            "order": HALF_ORDER,
            "mass": list(mass),
            "marks": [str(m) for m in marks],
            "directions": [[str(c) for c in row.directions] for row in rows],
            "sets": [row.letters for row in rows],
        }

    def rows(self) -> list[Row]:
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
        try:
            return Fraction(renyi.beyond(self.noise, self.order, last).hi) <= self.allowance
        except Rejected:
            return False

    def _on_line(self, radii: Box) -> Row:
        letters = ""
        weight = self.cells.weight(radii)
        for side in (-1, 1):
            fits = False
            with suppress(Rejected):
                fits = self._fits(self.cells.on_line(weight, radii, side))
            ends = (Fraction(side), Fraction(side))
            if not fits and not self._fits(self.cells.bounded(weight, radii, ends, interval(HALF))):
                raise _Long
            letters += BY_SERIES if fits else BY_BOUNDS
        return Row(radii, [], letters)

    def _in_space(self, radii: Box) -> Row:
        weight, row = self.cells.weight(radii), Row(radii)
        pending = list(pairwise(QUARTERS))[::-1]
        if self._near(radii, (-ONE, ONE)) < QUARTER:
            pending = [(-ONE, ONE)]
        while pending:
            low, high = pending.pop()
            letter = self._letter(weight, radii, (low, high))
            if letter:
                row.letters += letter
                row.directions.append(high)
            else:
                pending += [((low + high) / 2, high), (low, (low + high) / 2)]
        row.directions.pop()
        return row

    def _letter(self, weight: Any, radii: Box, directions: Box) -> str:
        """By which rule a cell is known well enough; none where it is to be halved.  Raises _Long where its panel of
        radii is."""
        share = self.cells.moments(directions)[0]
        bounded = self.cells.bounded(weight, radii, directions, share)
        if self._fits(bounded):
            return BY_BOUNDS
        near = self._near(radii, directions)
        rest = (near / (1 - near)) ** (2 * HALF_ORDER) * Fraction(bounded.hi) if near < HALF else None
        if rest is not None and rest <= SLACK * self.allowance:
            with suppress(Rejected):
                if self._fits(self.cells.in_space(weight, radii, directions)):
                    return BY_SERIES
        if self._longer(radii, directions):
            raise _Long
        return ""

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

    def _fits(self, found: Any) -> bool:
        return bool(found.finite()) and Fraction(found.hi) - Fraction(found.lo) <= self.allowance




def by_integrals(
    proof: Proof, wanted: Sequence[tuple[Fraction, Enclosed]], half_order: int, mass: Sequence[str]
) -> tuple[list[tuple[Fraction, Fraction, Fraction]], list[dict[str, Any]]]:
    """For every order L, not 1, of which D_L is known: bounds as the checker finds them, and the steps by which it
    does; those that it does not follow are left out."""
    found, steps = list[tuple[Fraction, Fraction, Fraction]](), list[dict[str, Any]]()
    z = Fraction(of_mass(Noise(proof.problem, 2 * half_order, Fraction(0)), list(mass), ()).lo)
    for order, value in wanted:
        if order == 1 or not value.lower:
            continue
        width = z * exponential((order - 1) * value.lower) * abs(order - 1) * value.lower * CLOSE
        with suppress(Undecided, Rejected):
            for part in PARTS:
                step = Search(proof, [Fraction(m) for m in mass], order, width / part).step(mass)
                _, ends = renyi.divergence(proof, step)
                low, high = Fraction(ends.lo), Fraction(ends.hi)
                if high - low <= CLOSE * high:
                    found.append((order, low, high))
                    steps.append(step)
                    break
    return found, steps


def exponential(x: Fraction) -> Fraction:
    """About e^x."""
    return Fraction(interval(x).exp().lo)
