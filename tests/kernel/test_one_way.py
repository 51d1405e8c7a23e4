"""Slopes of a Piecewise whose branches change once on a box (K565), beside quotients of its values; and proofs that it
falls across a radius that is not rational."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import mpmath
import pytest

from dpverify import check, verify
from dpverify.kernel.intervals import ANY, D0, INF, NEG_INF, Interval, interval
from dpverify.kernel.rules import LEDGER, RULES, Ledger
from dpverify.kernel.sections.branches import jumps_once, one_way
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.slopes import Slope, with_slope
from dpverify.serialise import digest
from tests.kernel.plain import number, value
from tests.kernel.problems import tree

Q = Fraction
A, B = Q(7, 5), Q(3, 2)
"""About the root of 2."""
FALLS = "Piecewise((exp(-r),y<2),(exp(-2*r),True))"


def on_box(text: str, a: Fraction = A, b: Fraction = B) -> Slope:
    found = Evaluation(radii(a, b), (a, b)).value(tree(text))
    assert type(found) is Slope
    return found


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (FALLS, -1),
        ("Piecewise((exp(-2*r),y>2),(exp(-r),True))", -1),
        ("Piecewise((exp(-2*r),2<=y),(exp(-r),True))", -1),
        ("Piecewise((exp(-r),Not(y>=2)),(exp(-2*r),True))", -1),
        ("Piecewise((3-r,y<2),(r/2,True))", -1),  # whose second branch rises
        ("Piecewise((r/2,y<2),(1/2-r/9,True))", -1),  # whose first does
        ("Piecewise((exp(-2*r),y<2),(exp(-r),True))", 1),
        ("Piecewise((exp(-r),y>2),(exp(-2*r),True))", 1),
        ("Piecewise((r/2,y<2),(3-r,True))", 1),
        ("Piecewise((1/2-r/9,y<2),(r/2,True))", 1),
        ("Piecewise((r-y,y>9),(exp(-r),y<2),(exp(-2*r),True))", -1),  # whose first branch does not hold
        ("Piecewise((2,y<2),(2,True))", -1),
        ("Piecewise((exp(-r),y<2),(exp(-r),True))", 0),  # whose values overlap
        ("Piecewise((1,y<2),(2,y<21/10),(1/2,True))", 0),  # three branches
        ("Piecewise((2,(r-29/20)**2<1/10000),(1,True))", 0),  # which jumps twice
        ("Piecewise((2,And(y<2,r>141/100)),(1,True))", 0),
        ("Piecewise((2,y<2),(1,y>2))", 0),
    ],
)
def test_slopes_are_bounded_on_the_side_to_which_it_does_not_jump(text: str, way: int) -> None:
    slopes = on_box(text).du
    assert (slopes.lo == NEG_INF, slopes.hi == INF) == (way <= 0, way >= 0)
    rows = [A + (B - A) * k / 41 for k in range(1, 41)]
    with mpmath.workdps(50):
        heights = [Q(str(value(tree(text), number(r)))) for r in rows]
    found = [(q - p) / (t - s) for (s, p), (t, q) in combinations(zip(rows, heights, strict=True), 2)]
    room = Q(1, 10**12)
    assert slopes.lo == NEG_INF or Q(slopes.lo) <= min(found) + room
    assert slopes.hi == INF or Q(slopes.hi) >= max(found) - room


def pair(low: str, high: str, least: str, most: str) -> Slope:
    return Slope(Interval(Decimal(low), Decimal(high)), Interval(Decimal(least), Decimal(most)))


@pytest.mark.parametrize("first_ends", [1, -1])
def test_the_largest_slope_is_that_of_either_branch_or_0(first_ends: int) -> None:
    above, below = pair("2", "3", "-5", "-1"), pair("0", "2", "-7", "-2")
    before, after = (above, below)[::first_ends], (below, above)[::first_ends]
    falls, rises = one_way(first_ends, *before), one_way(first_ends, *after)
    assert (falls.du.lo, falls.du.hi, falls.u.lo, falls.u.hi) == (NEG_INF, D0, D0, Decimal(3))
    assert (rises.du.lo, rises.du.hi) == (Decimal(-7), INF)
    steep = one_way(first_ends, *(pair("2", "3", "1", "4"), pair("0", "2", "2", "6"))[::first_ends])
    assert (steep.du.lo, steep.du.hi) == (NEG_INF, Decimal(6))
    least = one_way(first_ends, *(pair("0", "2", "2", "6"), pair("2", "3", "1", "4"))[::first_ends])
    assert (least.du.lo, least.du.hi) == (D0, INF)
    both = one_way(first_ends, pair("0", "2", "1", "1"), pair("1", "3", "1", "1")).du
    assert (both.lo, both.hi) == (ANY.lo, ANY.hi)


def changes(text: str, at: Evaluation) -> int | None:
    node = tree(text)
    return jumps_once(at, [c for _, c in node.args], [at.value(part) for part, _ in node.args])


def test_which_branch_is_first_is_told_by_how_what_is_compared_runs() -> None:
    at = Evaluation(radii(A, B), (A, B))
    assert changes(FALLS, at) == 1
    assert changes("Piecewise((exp(-r),y>2),(exp(-2*r),True))", at) == -1
    for text in ("Piecewise((r,y<2),(1,y>2))", "Piecewise((r,y<2),(1,y>1),(2,True))", "Piecewise((r,True))"):
        assert changes(text, at) is None
    for text in ("Piecewise((r,And(y<2,r>141/100)),(1,True))", "Piecewise((r,(r-29/20)**2<1/10000),(1,True))"):
        assert changes(text, at) is None


def test_elsewhere_than_on_boxes_slopes_are_as_they_were() -> None:
    box, far = radii(A, B), Germ(Q(64), 6).radius()
    assert changes(FALLS, Evaluation(box.u, (A, B))) is None
    assert changes(FALLS, Evaluation(with_shift(box, interval(Q(1, 10**9))), (A, B))) is None
    assert changes("Piecewise((r,y<2),(1+r,True))", Evaluation(with_slope(far))) is None


@pytest.mark.parametrize("listed", [True, False])
def test_the_rule_is_used_where_it_is_listed(listed: bool) -> None:
    ledger = Ledger(frozenset(RULES) if listed else frozenset(RULES) - {"K565"})
    token = LEDGER.set(ledger)
    try:
        assert (on_box(FALLS).du.hi == INF) is not listed
    finally:
        LEDGER.reset(token)
    assert ("K565" in ledger.used) is listed


@pytest.mark.parametrize("text", [FALLS, "Piecewise((exp(-2*r),r>sqrt(2)),(exp(-r),True))"])
def test_a_jump_down_at_a_radius_that_is_not_rational_is_a_fall(text: str) -> None:
    found = verify(text, dimension=2)
    assert found.hypotheses.decreasing.status == "proved"
    assert found.certificate is not None and check(found.certificate)
    forged = deepcopy(found.certificate)
    forged["rules"]["branches"].remove("K565")
    forged["digest"] = digest(forged)
    assert not check(forged)


def test_a_jump_up_is_no_fall() -> None:
    """Slight enough that floats may not see it, and wide enough for boxes of a proof."""
    rising = "Piecewise((exp(-r),y<2),(exp(-r)*(1+10**(-12)),True))"
    assert verify(rising).hypotheses.decreasing.status != "proved"
    forged = deepcopy(verify(FALLS).certificate)
    assert forged is not None and check(forged)
    forged["claim"]["generator"] = "Piecewise((exp(-2*r),y<2),(exp(-r),True))"
    forged["digest"] = digest(forged)
    assert not check(forged)


def test_the_steeper_branch_may_be_the_first() -> None:
    assert one_way(1, pair("2", "3", "1", "8"), pair("0", "2", "2", "6")).du.hi == Decimal(8)
    assert one_way(1, pair("0", "2", "-9", "6"), pair("2", "3", "-1", "4")).du.lo == Decimal(-9)


def test_both_parts_have_slopes() -> None:
    at, node = Evaluation(radii(A, B), (A, B)), tree(FALLS)
    conditions, slope = [c for _, c in node.args], at.value(node.args[0][0])
    assert jumps_once(at, conditions, [slope, slope]) == 1
    assert jumps_once(at, conditions, [slope, slope.u]) is jumps_once(at, conditions, [slope.u, slope]) is None


def ahead(text: str, a: Fraction, b: Fraction, h: Fraction) -> Interval:
    at = Evaluation(with_shift(radii(a, b), radii(a, b).const(h)), (a, b), h)
    found = at.value(tree(text)).du.u
    assert isinstance(found, Interval)
    return found


def test_increments_over_a_jump_are_those_of_the_branches_where_they_hold() -> None:
    inner = "Piecewise((1,r<1),(Piecewise((3,r>{}),(5,True)),True))"
    for place, low, high in (("1", 2, 2), ("5/4", 2, 4)):
        found = ahead(inner.format(place), Q(0), Q(1, 2), Q(1))
        assert (found.lo, found.hi) == (low, high)
    assert ahead(FALLS, Q(1), Q(6, 5), Q(1, 100)).hi < 0
