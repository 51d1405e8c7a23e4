"""One shift at which a whole profile is bounded from below too, where the worst may be another for each eps.

The releases of a composition have each one pair of neighbours: what they guarantee together is bounded from below by
the divergence of such pairs, and not by a supremum over shifts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpverify.enclosures import Undecided
from dpverify.prover.profile import Rising
from dpverify.prover.profile.divergence import Divergence
from dpverify.prover.profile.shifts import Worst
from dpverify.prover.profile.slope import Cell


def of_one_pair(prover: Rising, points: Sequence[Divergence]) -> tuple[list[Divergence], Fraction | None]:
    """The points, H enclosed at one shift at each of them, as far as it is found, and the shift: the worst at most of
    the points, and the longest of such; None where no point has a worst shift."""
    worst = Counter(shift for point in points if (shift := _worst(point)) is not None)
    if not worst:
        return list(points), None
    chosen = max(worst, key=lambda shift: (worst[shift], shift))
    return [_with(prover, point, chosen) for point in points], chosen


def _worst(point: Divergence) -> Fraction | None:
    """The shift at which H is largest."""
    if point.worst is None:
        return None
    return max(point.worst.anchors, key=lambda anchor: float(anchor.least)).shift


def _with(prover: Rising, point: Divergence, shift: Fraction) -> Divergence:
    if point.worst is None or point.accuracy is None or shift in {x.shift for x in point.worst.anchors}:
        return point
    try:
        anchor = prover.anchor(point.epsilon, shift, point.accuracy)
    except Undecided:
        return point
    cells = [part for cell in point.worst.cells for part in _cut(cell, shift)]
    return replace(point, worst=Worst((*point.worst.anchors, anchor), tuple(cells)))


def _cut(cell: Cell, shift: Fraction) -> list[Cell]:
    """The cell, in two where the shift lies inside: what holds of all its shifts holds of each part's."""
    if not cell.low < shift < cell.high:
        return [cell]
    return [replace(cell, high=shift), replace(cell, low=shift)]
