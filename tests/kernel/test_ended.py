"""Terms of a sum that end (K518): logarithms beside mpmath, on both sides of a shift, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import ZERO, interval
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.ended import both_sides, log_of_sum, may_end
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.jets import panel
from dpverify.kernel.sections.slopes import Slope
from tests.kernel.plain import number, value
from tests.kernel.problems import tree
from tests.kernel.test_cancelling import epsilon, forged

Q = Fraction
SUMS = [
    "Max(1-r/2,0)**2*exp(-r)+exp(-3*r)/5",
    "exp(-2*r)+exp(-r)*Piecewise((1-r/2,r<2),(0,True))",
    "exp(-r)*(Max(2-r,0)*exp(-r)+exp(-y))",
    "Max(2-r,0)*exp(-r)+Max(3-r,0)**3*exp(-2*r)+exp(-4*r)",
]
BOXES = [(Q(1), Q(5, 4)), (Q(7, 4), Q(2)), (Q(2), Q(9, 4)), (Q(3), Q(4)), (Q(31, 16), Q(33, 16)), (Q(1, 2), Q(3))]


def on_box(text: str, a: Fraction, b: Fraction) -> Any:
    sign, log = Evaluation(radii(a, b), (a, b)).log(tree(text))
    assert sign == 1
    return log


def shifted(text: str, a: Fraction, b: Fraction, h: Fraction) -> Any:
    r = with_shift(radii(a, b), Slope(interval(h), ZERO))
    sign, log = Evaluation(r, (a, b), h).log(tree(text))
    assert sign == 1
    return log.du


def height(text: str, r: Fraction) -> Any:
    return mpmath.log(value(tree(text), number(r)))


def within(x: Any, enclosure: Any, slack: float = 1e-40) -> bool:
    low, high = (mpmath.mpf(str(end).replace("Infinity", "inf")) for end in (enclosure.lo, enclosure.hi))
    return bool(low - slack <= x <= high + slack)


@pytest.mark.parametrize("text", SUMS)
def test_the_logarithm_and_its_increments_enclose_what_they_are(text: str) -> None:
    shown = 0
    with mpmath.workdps(50):
        for a, b in BOXES:
            at = [a + (b - a) * Q(k, 8) for k in range(1, 8)]
            try:
                whole = on_box(text, a, b)
            except Rejected:  # on a wide box across an end either formula may hold anywhere
                continue
            for r, s in pairwise(at):
                assert within(height(text, r), whole.u)
                assert within((height(text, s) - height(text, r)) / number(s - r), whole.du)
            for h in (Q(1, 1000), Q(1, 4), Q(1), Q(7, 2)):
                try:
                    steps = shifted(text, a, b, h)
                except Rejected:  # what is large here and small ahead, on wide boxes across an end
                    continue
                shown += 1
                rises = [height(text, r + h) - height(text, r) for r in at]
                assert all(within(rise, steps.u) for rise in rises)
                slopes = [(y - x) / number(s - r) for x, y, r, s in zip(rises, rises[1:], at, at[1:], strict=False)]
                assert all(within(slope, steps.du) for slope in slopes)
    assert shown >= 16


def test_what_has_ended_leaves_the_others_as_exact_as_they_are() -> None:
    """Beyond 2 the logarithm is -3 r - log 5, whose increments and slopes are numbers."""
    beyond, steps = on_box(SUMS[0], Q(2), Q(9)), shifted(SUMS[0], Q(2), Q(9), Q(1, 7))
    assert beyond.du.lo == beyond.du.hi == -3
    assert steps.du.lo == steps.du.hi == 0 and float(steps.u.hi - steps.u.lo) < 1e-15
    assert within(mpmath.mpf(-3) / 7, steps.u, 1e-14)


def test_where_a_term_ends_ahead_each_side_is_taken_by_itself() -> None:
    """On (1, 2) and 1 ahead: -3 (r + 1) - log 5 - log f(r), whose slopes are those of two logarithms."""
    here, steps = on_box(SUMS[0], Q(1), Q(5, 4)), shifted(SUMS[0], Q(1), Q(5, 4), Q(1))
    assert steps.du.lo >= Q(-3) - Q(here.du.hi) - Q(1, 10**9)
    assert steps.du.hi <= Q(-3) - Q(here.du.lo) + Q(1, 10**9)
    assert float(steps.du.hi - steps.du.lo) < float(here.du.hi - here.du.lo) + 1e-9


def test_only_factors_that_cases_may_make_0_end() -> None:
    for text, count in [
        ("Max(1-r,0)*exp(-r)", 1),
        ("exp(-r)*Piecewise((1,r<1),(0,True))**(1/3)", 1),
        ("Max(1-r,0)*Max(2-r,0)**2*exp(-r)", 2),
        ("(1+Min(1-r,0))*exp(-r)", 1),
        ("Max(1-r,0)**(-1)*exp(-r)", 1),  # the factor itself, which is 0 nowhere
        ("(2-r)*exp(-r)", 0),
        ("exp(-Max(r,1))*(1+exp(-Max(r,1)))", 0),  # positive
    ]:
        assert len(may_end(tree(text))) == count, text
    assert [base.kind for base in may_end(tree("Max(1-r,0)**(-1)*exp(-r)"))] == ["pow"]
    assert [base.kind for base in may_end(tree("Max(1-r,0)**(1/2)*exp(-r)"))] == ["max"]
    assert [base.kind for base in may_end(tree("Max(1-r,0)**0*exp(-r)"))] == ["pow"]  # 1, or nothing at all


def test_each_side_has_the_ends_between_which_it_runs() -> None:
    a, b = Q(1), Q(5, 4)
    for h in (Q(1, 7), Q(-1, 2)):
        places = both_sides(Evaluation(with_shift(radii(a, b), Slope(interval(h), ZERO)), (a, b), h))
        assert [place.ends for place in places] == [(a, b), (a + h, b + h)]
        for place in places:
            assert place.ends is not None and all(within(number(end), place.value(tree("r")).u) for end in place.ends)


def test_of_a_term_that_may_have_ended_ahead_alone_the_sum_is_known() -> None:
    """On (3/2, 7/4) Max(2 - r, 0) is over nowhere, and 3/8 ahead it is here and there."""
    text, a, b, h = "Max(2-r,0)*exp(-r)/9+exp(-r)", Q(3, 2), Q(7, 4), Q(3, 8)
    steps = shifted(text, a, b, h)
    assert float(steps.u.hi - steps.u.lo) < 0.5
    with mpmath.workdps(50):
        for r in (a + (b - a) * Q(k, 8) for k in range(1, 8)):
            assert within(height(text, r + h) - height(text, r), steps.u)


def test_what_is_0_at_the_middle_of_a_panel_alone_has_not_ended() -> None:
    """(r - 2)^2 e^-r bends the sum at 2, where it is 0 itself; without it the logarithm was straight."""
    text = "(Max(r,1/2)-2)**2*exp(-r)+exp(-3*r)"
    assert len(may_end(tree(text).args[0])) == 1
    with pytest.raises(Rejected):
        Evaluation(panel(5, [Q(2), Q(1, 4)]).middle).log(tree(text))


def test_on_a_cell_of_phases_nothing_is_said_to_have_ended() -> None:
    """What is ahead there is not where r + h is alone."""
    at, node = Evaluation(radii(Q(2), Q(3)), (Q(2), Q(3))), tree(SUMS[0])
    assert log_of_sum(at, node) is not None
    at.cell = None  # type: ignore[attr-defined]
    assert log_of_sum(at, node) is None


def test_nothing_is_left_where_all_terms_have_ended() -> None:
    text = "Max(1-r,0)*exp(-r)+Max(2-r,0)*exp(-2*r)"
    assert on_box(text, Q(1), Q(3, 2)).du.hi < -2
    with pytest.raises(Rejected, match="nothing of a sum is left"):
        on_box(text, Q(2), Q(3))


def test_a_sum_of_another_sign_ahead_is_refused() -> None:
    with pytest.raises(Rejected, match="another sign ahead"):
        shifted("3*Max(2-r,0)*exp(-r)-exp(-3*r)", Q(1), Q(5, 4), Q(2))


def test_a_rule_that_is_not_listed_is_not_used() -> None:
    token = LEDGER.set(Ledger(frozenset({"K3", "K60", "K61", "K16"})))
    try:
        with pytest.raises(Rejected):
            on_box(SUMS[0], Q(2), Q(3))
    finally:
        LEDGER.reset(token)


# By a search of mpmath's the largest loss is 5.3259422, at r = 1.
@pytest.mark.parametrize(
    "change",
    [
        epsilon(upper="53259/10000"),
        epsilon(lower="5326/1000", upper="6"),
        lambda c: c["rules"].pop("ended"),
        lambda c: c["claim"].update(generator="Max(1-r/2,0)**2*exp(-r)+exp(-4*r)/5"),
        lambda c: c["claim"].update(generator="Max(1-r/2,0)**2*exp(-r)-exp(-3*r)/5"),
        lambda c: c["claim"].update(generator="Max(1-r/2,0)**2*exp(-r)+Max(6-r,0)*exp(-3*r)/5"),
    ],
)
def test_a_forged_certificate_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged("a-term-that-ends", change))
