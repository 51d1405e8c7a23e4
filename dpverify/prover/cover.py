"""Covering [r0, R] by boxes, each small enough for what is to be shown on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from dpverify.enclosures import Undecided
from dpverify.findings import Finding, Reason

Box = tuple[Fraction, Fraction]
NARROWEST = Fraction(1, 2**70)


def octaves(low: Fraction, high: Fraction, breaks: Sequence[Fraction] = ()) -> list[Fraction]:
    """low, 2 low, 4 low, ..., high, together with the breaks between."""
    points = _doublings(low, high)
    between = [b for b in breaks if low < b < high]
    return sorted({*points, *between, high}) if between or not low < high else [*points, high]


@lru_cache(64)
def _doublings(low: Fraction, high: Fraction) -> tuple[Fraction, ...]:
    points = [low]
    while (further := points[-1] * 2) < high:
        points.append(further)
    return tuple(points)


def boxes_of(points: Sequence[Fraction]) -> list[Box]:
    """The boxes between neighbouring points."""
    return list(pairwise(points))


def points_of(boxes: Sequence[Box]) -> list[Fraction]:
    """The ends of adjoining boxes."""
    return [boxes[0][0], *(b for _, b in boxes)]


def stretched(boxes: Sequence[Box], low: Fraction, high: Fraction) -> list[Box]:
    """The boxes, and further ones of an octave each, that reach from low to high."""
    points = points_of(boxes)
    while points[0] > low:
        points.insert(0, max(low, points[0] / 2))
    while points[-1] < high:
        points.append(min(high, points[-1] * 2))
    return boxes_of(points)


def halves(box: Box) -> tuple[Box, Box]:
    """The box cut in its middle."""
    middle = (box[0] + box[1]) / 2
    return (box[0], middle), (middle, box[1])


def cover(
    start: Sequence[Box],
    holds: Callable[[Box], bool],
    most: int,
    tick: Callable[[], None] = lambda: None,
    narrowest: Fraction = NARROWEST,
    least: Fraction = Fraction(0),
) -> list[Box]:
    """Bisect the boxes until `holds` on each; in increasing order.

    A box is too narrow below `least`, or below `narrowest` times its far end.
    Raises Undecided, naming the box, where one becomes too narrow or there are too many.
    """
    done: list[Box] = []
    stack = list(reversed(start))
    failure: Finding | None = None
    while stack:
        box = stack.pop()
        tick()
        try:
            good = holds(box)
        except Undecided as error:
            good, failure = False, error.finding
        if good:
            done.append(box)
            continue
        if box[1] - box[0] < max(least, narrowest * box[1]) or len(done) + len(stack) > most:
            raise Undecided(
                Reason.BOX_OPEN_SINCE(at=box[0], failure=failure) if failure else Reason.BOX_OPEN(at=box[0])
            )
        stack.extend(reversed(halves(box)))
    return done
