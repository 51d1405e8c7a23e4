"""The loss for shifts that lead across a jump of f: part by part, each as a smooth function."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import pairwise

from ..intervals import Interval, hull, interval
from ..rules import require, rule
from .charts import Problem
from .theorem_a import BY_HEIGHTS, ON_BOXES, ON_CELLS, bounds_of_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .hypotheses import Proof

WIDEST = Fraction(1, 2)


@rule("K221")
def across_a_jump(proof: Proof, germ: Any, low: Fraction, high: Fraction, shift: Fraction,
                  cuts: Sequence[Fraction]) -> Interval:
    """phi_h on a cell of phases for every low <= h <= high, from one of these shifts, k.

    Lemma.  With t = r + h, phi_h(r) = phi_k(t - k) + g(t - k) - g(r), and t - k lies h - k beyond
    r.  The phases of t are cut into parts; on each, t - k has the phases of the part, k earlier,
    where phi_k is enclosed (K53), and if difference quotients of g on the phases of r and t - k
    together are finite and lie in D, the rest lies in D (h - k).
    """
    tail, p = proof.tail, proof.problem
    phase, swept = germ.phase, tail.swept(germ, low, high).phase  # type: ignore[attr-defined]
    speed = phase.frequency
    narrow = phase.high - phase.low <= WIDEST and (high - low) * speed <= WIDEST
    require(narrow, "a cell is too wide for shifts across a jump", "steps")
    inside = cuts[bisect_right(cuts, swept.low) : bisect_left(cuts, swept.high)]
    found = []
    for a, b in pairwise([swept.low, *inside, swept.high]):
        a, b = a - speed * shift, b - speed * shift
        both = tail.germ(min(a, phase.low), max(b, phase.high))  # type: ignore[attr-defined]
        slopes = -p.far(both).du.span()
        require(slopes.finite(), "f may jump between the shifts")
        part = tail.loss(tail.germ(a, b), shift)  # type: ignore[attr-defined]
        found.append(part + slopes * hull(interval(low - shift), interval(high - shift)))
    return Interval(min(x.lo for x in found), max(x.hi for x in found))


@rule("K222")
def by_mean_heights(p: Problem, a: Fraction, b: Fraction, low: Fraction, high: Fraction,
                    cuts: Sequence[Fraction]) -> Interval:
    """phi_h on a box for every low <= h <= high from the heights of g, by their slopes.

    Lemma.  As K72, the heights here and on each part of the boxes ahead by the mean value form
    (K18).
    """
    inside = cuts[bisect_right(cuts, a + low) : bisect_left(cuts, b + high)]
    heights = [bounds_of_log(p, *ends) for ends in pairwise([a + low, *inside, b + high])]
    ahead = Interval(min(x.lo for x in heights), max(x.hi for x in heights))
    return bounds_of_log(p, a, b) - ahead


ON_CELLS["l"] = lambda proof, germ, low, high, cuts: (
    across_a_jump(proof, germ, low, high, low, cuts))
ON_CELLS["u"] = lambda proof, germ, low, high, cuts: (
    across_a_jump(proof, germ, low, high, high, cuts))
ON_BOXES["v"] = by_mean_heights
BY_HEIGHTS.add("v")
