"""Exponentials that outgrow powers as monomials of their own (K462, K463): beside mpmath; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.models import CONSTANT, Germ, Model
from dpverify.kernel.sections.slopes import with_slope
from tests.kernel.problems import tree
from tests.kernel.test_cancelling import epsilon, forged
from tests.kernel.test_models import mp

M = mpmath
Change = Callable[[dict[str, Any]], None]
GERM = Germ(Q(16), 6)
RADII = (Q(16), Q(17), Q(40), Q(300))


def far(text: str, germ: Germ = GERM) -> Model:
    found: Model = Evaluation(germ.radius()).value(tree(text))
    return found


def inside(x: Interval, truth: Any) -> bool:
    low = mp(x.lo) if x.lo.is_finite() else -M.inf
    high = mp(x.hi) if x.hi.is_finite() else M.inf
    slack = M.mpf(10) ** -35 * abs(truth)
    return bool(low - slack <= truth <= high + slack)


def by_a_root(r: Any) -> Any:
    return M.exp(M.sqrt(1 + M.sqrt(2)) * r)


FUNCTIONS: list[tuple[str, Callable[[Any], Any]]] = [
    ("r**r", lambda r: r**r),
    ("2**r", lambda r: M.mpf(2) ** r),
    ("exp(sqrt(1+sqrt(2))*r)/r**5", lambda r: by_a_root(r) / r**5),
    ("r**9*exp(-y)/2**r", lambda r: r**9 * M.exp(-r * r) / M.mpf(2) ** r),
    ("(r**r)**(-1/2)*r**3*log(r)**2", lambda r: (r**r) ** -0.5 * r**3 * M.log(r) ** 2),
    ("exp(y)/r**r", lambda r: M.exp(r * r) / r**r),
    ("exp(log(r)*log(log(r)))/r", lambda r: M.log(r) ** M.log(r) / r),
    ("1/(1+r**r)", lambda r: 1 / (1 + r**r)),
    ("r**(r**r)", lambda r: r ** (r**r)),
]


@pytest.mark.parametrize(("text", "truth"), FUNCTIONS)
def test_its_size_holds_every_value(text: str, truth: Callable[[Any], Any]) -> None:
    """The span, and that of the logarithm where it has one."""
    found = far(text).span()
    with M.workdps(60):
        for r in RADII[: 3 if "r**r)" in text else 4]:
            assert inside(found, truth(M.mpf(r.numerator)))


@pytest.mark.parametrize(
    ("text", "growth"),
    [
        ("r**r", 1),
        ("2**r/r**30", 1),
        ("r**r/exp(9*r)", 1),
        ("exp(log(r)*log(log(r)))/r**3", 1),
        ("r**r/exp(y)", -1),
        ("exp(sqrt(r))/r**r", -1),
        ("r**9/2**r", -1),
        ("exp(5*r)/r**(r/7)", -1),
        ("r**r/r**(r**r)", -1),
        ("exp(sqrt(1+sqrt(2))*r)/exp(r**(101/100))", -1),
    ],
)
def test_the_order_is_that_of_growth(text: str, growth: int) -> None:
    ((m, c),) = far(text).terms.items()
    assert c == 1 and (m > CONSTANT) is (growth > 0) and (m < CONSTANT) is (growth < 0)
    with M.workdps(60):
        ends = [M.log(value) for value in logs(text)]
    assert (ends[1] - ends[0]) * growth > 0


def logs(text: str) -> list[Any]:
    """The value at two radii far out, by its logarithm where it is too large."""
    from soundness.plain import function

    f = function(text, {})
    far_out = (M.mpf(5), M.mpf(6)) if "r**(r**r)" in text else (M.mpf(10) ** 45, 2 * M.mpf(10) ** 45)
    return [f(r) for r in far_out]


def test_the_logarithm_is_the_exponent() -> None:
    for text, same in (("log(r**r)", "r*log(r)"), ("log(exp(sqrt(1+sqrt(2))*r)/y)", "sqrt(1+sqrt(2))*r-2*log(r)")):
        found, expected = far(text), far(same)
        assert (found.span().lo, found.span().hi) == (expected.span().lo, expected.span().hi)
        assert found.terms.keys() == expected.terms.keys()


def test_increments_and_slopes() -> None:
    """r^r rises by itself times (r + 1)^(r + 1)/r^r - 1, with slope r^r (1 + log r)."""
    r = GERM.radius()
    step = Evaluation(Shift(r, r.const(Q(1)))).value(tree("r**r")).du
    slope = Evaluation(with_slope(r)).value(tree("r**r")).du
    for found, truth in (
        (step, lambda t: (t + 1) ** (t + 1) - t**t),
        (slope, lambda t: t**t * (1 + M.log(t))),
    ):
        assert found.leading()[0] > CONSTANT and found.sign() == 1
        with M.workdps(60):
            assert all(inside(found.span(), truth(M.mpf(t.numerator))) for t in RADII)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exp(sqrt(1+sqrt(2))*r)+exp(sqrt(1+sqrt(3))*r)", "grow alike"),
        ("exp(sqrt(1+sqrt(2))*r)-exp(r)", "grow alike"),
        ("exp(sqrt(1+sqrt(2))*r)/exp(sqrt(1+sqrt(2))*r)", "grow alike"),
        ("exp(-2*r)/exp(sqrt(1+sqrt(2))*r)", "grow alike"),
        ("exp(sqrt(1+sqrt(2))*log(r))", "no proved sign"),
        ("exp((2+cos(r))*r**2-2*y)", "no proved sign"),
        ("exp(r*cos(r))", "no proved sign"),
    ],
)
def test_what_is_not_compared_or_does_not_outgrow_powers(text: str, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        far(text)


def test_a_size_without_a_bound_is_refused() -> None:
    """At so small a radius r^9 is not yet below 2^r."""
    germ = Germ(Q(2), 6)
    with pytest.raises(Rejected):
        far("r**30/2**r", germ).span()


def typed(generator: str) -> Change:
    return lambda c: c["claim"].update(generator=generator)


@pytest.mark.parametrize(
    "change",
    [
        typed("exp(-r**(1/r))"),
        typed("exp(r**r)"),
        typed("exp(-r)+exp(-r**r)"),
        lambda c: c["claim"].update(verdict="private"),
        lambda c: c["rules"]["towers"].remove("K462"),
        lambda c: c["rules"].pop("towers"),
    ],
)
def test_forgeries_fail(change: Change) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged("tower", change))


# epsilon is 1, the limit: r^r is at most (r + 1)^(r + 1), as it is at most 1 before 1 and rises from there on.
@pytest.mark.parametrize(
    "change",
    [
        epsilon(upper="999/1000"),
        epsilon(lower="1001/1000"),
        typed("exp(-r+1/(2+r**r))"),
        typed("exp(-2*r-1/(2+r**r))"),
        typed("exp(-r-1/(2-r**r))"),
        lambda c: c["rules"]["towers"].remove("K463"),
    ],
)
def test_forgeries_beside_what_vanishes_fail(change: Change) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged("tower-that-vanishes", change))
