"""The loss over all shifts at once, by the heights of f on the boxes that a window of radii
meets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import pairwise

from ..intervals import Interval
from ..rules import require, rule
from .charts import Problem
from .fields import points
from .theorem_a import ON_BOXES, WINDOWED, bounds_of_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_HEIGHTS, MAX_LOOKED_AT = 20_000, 5_000_000
"""Boxes of heights; and how many are looked at, in all windows together."""


def with_windows(p: Problem, given: Any) -> None:
    """The heights of log f on the boxes between given radii; they are computed when they count."""
    marks = points(given, "supremum.windows")
    require(len(marks) <= MAX_HEIGHTS, "the heights are of too many boxes", "limits")
    rising = len(marks) > 1 and marks[0] > 0 and all(a < b for a, b in pairwise(marks))
    require(rising, "supremum.windows is not increasing", "steps")
    p.once("windows", lambda: marks)
    p.known["looked at"] = 0


@rule("K241")
def in_a_window(p: Problem, a: Fraction, b: Fraction, low: Fraction, high: Fraction,
                cuts: Sequence[Fraction]) -> Interval:
    """phi_h on a box for every low <= h <= high from the heights of g on boxes that do not hang on
    it.

    Lemma.  phi_h(r) = log f(r^2) - log f((r + h)^2).  For r in (a, b) the radius r + h lies in
    (a + low, b + high), which adjoining boxes between given radii cover; log f on (a, b), and on
    each of those boxes that meets it, is bounded by its mean value form (K18).
    """
    marks = p.known.get("windows", [])
    first, last = bisect_right(marks, a + low) - 1, bisect_left(marks, b + high)
    require(0 <= first < last < len(marks), "supremum.windows does not cover the radii ahead")
    p.known["looked at"] += last - first
    require(p.known["looked at"] <= MAX_LOOKED_AT, "the windows have too many boxes", "limits")
    heights = [height(p, *ends) for ends in pairwise(marks[first : last + 1])]
    ahead = Interval(min(x.lo for x in heights), max(x.hi for x in heights))
    return height(p, a, b) - ahead


def height(p: Problem, a: Fraction, b: Fraction) -> Interval:
    """log f on (a, b), computed once."""
    found: Interval = p.once(("height", a, b), lambda: bounds_of_log(p, a, b))
    return found


ON_BOXES["w"] = in_a_window
WINDOWED["windows"] = with_windows
