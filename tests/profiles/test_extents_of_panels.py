"""What values a panel has, by divided differences at its ends; tails of waves whose losses far out are not known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest
from flint import arb, fmpq

import dpverify
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.kernel.intervals import ZERO, Interval, interval
from dpverify.kernel.sections.jets import Jet, Series, divided, panel
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Rising
from dpverify.prover.profile.generator import BELOW
from dpverify.prover.profile.line import LEFT
from dpverify.prover.profile.series import Taylor

Q = Fraction
ROOTS = [(), (-1,), (1,), (-1, 1), (-1, 1, 3), (-1, 2, -3), (1, -2, 3), (Q(1, 2), 1), (-1, -1, 1, 1), (0, 1, -1, 2, -2)]
PLACES = [Q(k, 40) for k in range(-40, 41)]


def with_roots(roots: Sequence[int | Fraction]) -> list[Fraction]:
    found = [Q(1)]
    for root in roots:
        found = [x - root * y for x, y in zip([Q(0), *found], [*found, Q(0)], strict=True)]
    return found


def of_prover(coefficients: Sequence[Fraction], order: int) -> tuple[arb, arb]:
    given = [*coefficients, *[Q(0)] * (order + 1 - len(coefficients))]
    return Taylor([arb(fmpq(c.numerator, c.denominator)) for c in given]).extent()


@pytest.mark.parametrize("roots", ROOTS, ids=str)
@pytest.mark.parametrize("order", [6, 12])
def test_all_values_of_a_polynomial_lie_in_its_extent(roots: tuple[int, ...], order: int) -> None:
    curve = with_roots(roots)
    values = [prod((x - root for root in roots), start=Q(1)) for x in PLACES]
    jet, (low, high) = panel(order, curve), of_prover(curve, order)
    found = jet.extent()
    assert found.lo <= min(values) and max(values) <= found.hi
    assert jet.span().lo <= found.lo and found.hi <= jet.span().hi
    assert low <= float(min(values)) + 1e-12 and float(max(values)) - 1e-12 <= high


@pytest.mark.parametrize(
    ("roots", "sign"), [((-1, 1), -1), ((-1, 3), -1), ((1, -3), -1), ((-1, -3), 1), ((-1, 1, 5), 1), ((-1, -3, -3), 1)]
)
def test_zeros_at_ends_hide_no_sign(roots: tuple[int, ...], sign: int) -> None:
    """(x + 1)(x - 1) is nowhere positive, though x^2 - 1 with x^2 = x x is between -2 and 0 for all that spans know."""
    curve = with_roots(roots)
    found, (low, high) = panel(6, curve).extent(), of_prover(curve, 6)
    assert (found.hi if sign < 0 else -found.lo) <= 0
    assert (high if sign < 0 else -low) <= 1e-12


def test_divided_differences_by_hand() -> None:
    """(x^3 - 1)/(x - 1) = x^2 + x + 1, and (x^3 + 1)/(x + 1) = x^2 - x + 1."""
    cube = [ZERO, ZERO, ZERO, interval(1)]
    for end, slope in ((1, 1), (-1, -1)):
        assert [(x.lo, x.hi) for x in divided(cube, end)] == [(1, 1), (slope, slope), (1, 1)]
    assert [(x.lo, x.hi) for x in divided([interval(5)], 1)] == [(0, 0)]


@pytest.mark.parametrize(("first", "slack"), [(0, 1), (3, 1), (-3, 1)])
def test_a_remainder_may_be_anything_between_its_bounds(first: int, slack: int) -> None:
    """first x + c x^2 with c in [-1, 1] at each x: steep, it is largest at an end."""
    one = interval(slack)
    line = [ZERO, interval(first)]
    found = Jet(Series([*line, ZERO]), Series([*line, Interval(-one.lo, one.hi)])).extent()
    assert (found.lo, found.hi) == (-abs(first) - slack, abs(first) + slack)


def remaining(curve: Sequence[Fraction | int], last: tuple[Fraction, Fraction], mirrored: bool) -> Interval:
    """The extent of a polynomial of degree 3 and what its remainder c x^4 may add, for x or for -x."""
    known = [interval(c * (-1) ** (k * mirrored)) for k, c in enumerate(curve)]
    rest = Interval(interval(last[0]).lo, interval(last[1]).hi)
    return Jet(Series([*known, ZERO]), Series([*known, rest])).extent()


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_remainder_counts_four_times_in_a_divided_difference_from_one_end(mirrored: bool) -> None:
    """(1 + x)(1 + x/2) + c x^4 with c in [0, 1/6]: at x = -1 it is c, and beyond 2 (1/2 - 4/6) less at most."""
    found = remaining([1, Q(3, 2), Q(1, 2), 0], (Q(0), Q(1, 6)), mirrored)
    assert abs(Q(found.lo) + Q(1, 3)) < Q(1, 10**15)
    assert abs(Q(found.hi) - Q(19, 6)) < Q(1, 10**15)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_remainder_counts_six_times_in_a_divided_difference_from_both_ends(mirrored: bool) -> None:
    """(x^2 - 1)(3 + x) + c x^4 with c in [-1/2, 1/2]: 1/2 at most at the ends, and -(2 - 6/2) more between."""
    found = remaining([-3, -1, 3, 1], (-Q(1, 2), Q(1, 2)), mirrored)
    assert abs(Q(found.hi) - Q(3, 2)) < Q(1, 10**15)
    assert abs(Q(found.lo) + Q(11, 2)) < Q(1, 10**15)


def rising(text: str) -> Rising:
    return Rising(Problem(lower(Generator(text, 1).expression), 1, Q(1)), None)


@pytest.mark.parametrize(("text", "known"), [("exp(-r)*(2+cos(7/2*r))", False), ("exp(-r)*(2+cos(r)/4)", True)])
def test_a_tail_lies_below_a_power_where_no_bound_of_its_losses_is_known(text: str, known: bool) -> None:
    radial = rising(text).radial()
    assert radial.losses_known == known
    tail = radial.tail(radial.first_end())
    assert (tail is not None and tail[0] == BELOW) != known


@pytest.mark.slow
def test_stretches_between_crossings_are_whole_and_cover_the_line() -> None:
    """They adjoin, on each side, and those that are in no set cost next to nothing."""
    profile = rising("exp(-r)*(2+cos(3*r))")
    anchor = profile.anchor(Q(1, 2), Q(1), profile.usual(Q(1, 10**6)))
    inner = [x for x in anchor.stretches if x.b is not None and not x.centre]
    for side in (-1, 1):
        own = sorted((x for x in inner if x.side == side), key=lambda x: x.a)
        assert all(x.b == y.a for x, y in pairwise(own))
    assert any(x.kind in "sw" and x.side == LEFT for x in inner)
    assert sum(x.cost for x in inner) < 1e-6
    assert len(inner) < 150


@pytest.mark.campaign
def test_waves_whose_losses_far_out_are_not_known_have_a_narrow_certificate() -> None:
    found = dpverify.profile("exp(-r)*(2+cos(7/2*r))", epsilon="1", certificate=True)
    assert found.certificate is not None
    ends = [Q(found.certificate["claim"]["points"][0]["delta"][x]) for x in ("lower", "upper")]
    assert ends[1] - ends[0] <= ends[0] / 10**9
    assert dpverify.check(found.certificate)
