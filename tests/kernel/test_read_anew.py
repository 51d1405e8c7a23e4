"""Exponentials of logarithms as powers, parts gathered, increments from both sides: beside mpmath; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.alike import gathered
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponents import as_powers
from dpverify.kernel.sections.increments import Shift, grows_unsteadily
from dpverify.kernel.sections.models import Germ, Model, power_of_t
from tests.kernel.problems import tree
from tests.kernel.test_cancelling import epsilon, forged, step, without
from tests.kernel.test_models import inside

GALLERY = Path(__file__).parents[2] / "certificates"
Q = Fraction
Change = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("exp(log1p(2*r)/2)", lambda r: mpmath.sqrt(1 + 2 * r)),
        ("exp(-log(1+y))", lambda r: 1 / (1 + r * r)),
        ("exp(2*log(1+r)-log(3+r)/3-r)", lambda r: (1 + r) ** 2 / mpmath.cbrt(3 + r) * mpmath.exp(-r)),
    ],
)
def test_an_exponential_of_logarithms_as_powers_is_the_same(text: str, truth: Callable[[Any], Any]) -> None:
    other = as_powers(tree(text))
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(1), Q(20)):
            assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize(
    "text", ["exp(-r)", "log(1+r)", "exp(log(r-1)/2)", "exp(log(1+r)**2)", "exp(r*log(1+r))", "1+r"]
)
def test_what_is_no_exponential_of_a_logarithm_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="no exponential"):
        as_powers(tree(text))


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("r+exp(-r)+2*exp(-r)", lambda r: r + 3 * mpmath.exp(-r)),
        ("3-log(1+r)+r+log(1+r)/2", lambda r: 3 - mpmath.log(1 + r) / 2 + r),
        ("r-exp(-r)-r", lambda r: -mpmath.exp(-r)),
    ],
)
def test_a_sum_gathered_is_the_same(text: str, truth: Callable[[Any], Any]) -> None:
    other = gathered(tree(text))
    with mpmath.workdps(60):
        for r in (Q(1, 7), Q(1), Q(20)):
            assert inside(Evaluation(interval(r)).value(other), truth(mpmath.mpf(r.numerator) / r.denominator))


@pytest.mark.parametrize("text", ["1+r", "r-log(1+r)", "exp(-r)-exp(-2*r)", "r*exp(-r)", "r", "r+y"])
def test_a_sum_of_different_parts_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="more than once"):
        gathered(tree(text))


@pytest.mark.parametrize(("text", "number"), [("3+r-r", 3), ("r-r", 0), ("exp(-r)/2-exp(-r)*(1/2)-1", -1)])
def test_a_sum_may_be_a_number(text: str, number: int) -> None:
    found = gathered(tree(text))
    assert (found.kind, *found.args) == ("num", number)


def typed(generator: str) -> Change:
    return lambda c: c["claim"].update(generator=generator)


# Of the first, epsilon is 1.11206..., the loss at r = 0, about which g is concave; of floor(r) it is 1.
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("powers-of-logarithms", step("exponents", [1])),
        ("powers-of-logarithms", step("exponents", [])),
        ("powers-of-logarithms", step("exponents", 10)),
        ("powers-of-logarithms", step("exponents", [10**6])),
        ("powers-of-logarithms", step("exponents", [10, 10])),
        ("powers-of-logarithms", without("exponents")),
        ("powers-of-logarithms", epsilon(upper="1112/1000")),
        ("powers-of-logarithms", epsilon(lower="1113/1000")),
        ("powers-of-logarithms", typed("exp(-expm1(log(r-1)/2))*(1+exp(-r))")),
        ("powers-of-logarithms", typed("exp(-expm1(log1p(4*r)/2))*(1+exp(-r))")),
        ("parts-alike", step("alike", [1])),
        ("parts-alike", step("alike", [])),
        ("parts-alike", step("alike", [10**6])),
        ("parts-alike", step("alike", [9, 9])),
        ("parts-alike", epsilon(upper="99/100")),
        ("parts-alike", epsilon(lower="101/100")),
        ("parts-alike", typed("exp(-(r-2*frac(r)))")),
        ("parts-alike", typed("exp(-(2*r-frac(r)))")),
        ("common-factor", step("common", [1])),
        ("common-factor", step("common", [])),
        ("common-factor", step("common", [10**6])),
        ("common-factor", without("common")),
        ("common-factor", epsilon(upper="3/2")),
        ("common-factor", typed("exp(-r)+exp(-2*r)*cos(r)/2")),
        ("common-factor", typed("exp(-r)+exp(-r)*cos(r)")),
        ("flat-at-the-centre", epsilon(upper="99/100")),
        ("flat-at-the-centre", typed("exp(-r)*(2-exp(-3*r))")),
        ("difference-of-exponentials", step("relative", [1])),
        ("difference-of-exponentials", step("relative", [])),
        ("difference-of-exponentials", step("relative", [10**6])),
        ("difference-of-exponentials", without("relative")),
        ("difference-of-exponentials", epsilon(upper="1")),
        ("difference-of-exponentials", typed("exp(-r)-exp(-3*r)*9/10")),
        ("difference-of-exponentials", typed("exp(-r)-exp(-2*r)")),
        ("touching-sine", typed("exp(-r)*(2+sin(r))")),
        ("touching-sine", typed("exp(-r)*(1+2*sin(r))")),
        ("touching-sine", typed("exp(-r)*(1-sin(r))")),
        ("touching-sine", typed("exp(-r)*(1+cos(r))")),
        ("touching-root", typed("exp(-r)*(2-cos(r))**(1/3)")),
        ("touching-root", typed("exp(-r)*(1-2*cos(r))**(1/3)")),
        ("touching-root", typed("(1-cos(r))**(1/3)/(1+y)")),
        ("steps-that-fade", epsilon(upper="127/100")),
        ("steps-that-fade", epsilon(lower="16/10", upper="17/10")),
        ("steps-that-fade", typed("exp(-r*erf(r/2))+exp(-ceil(r)/2)")),
    ],
)
def test_forged_certificates_are_refused(name: str, change: Change) -> None:
    assert check_bytes((GALLERY / f"{name}.json").read_bytes())
    with pytest.raises(Rejected):
        check_bytes(forged(name, change))


def test_a_rule_that_is_not_listed_is_refused() -> None:
    def unlisted(c: dict[str, Any]) -> None:
        assert c["rules"].pop("unsteady") == ["K322"]

    with pytest.raises(Rejected, match=r"K322|from both sides"):
        check_bytes(forged("steps-that-fade", unlisted))


def test_an_increment_from_both_sides_contains_the_truth() -> None:
    germ = Germ(Q(16), 6)
    r, h = Model(germ, {power_of_t(1): Q(1)}), Interval(interval(Q(0)).lo, interval(Q(1)).hi)
    du = (r * h) * Q(-1)
    assert grows_unsteadily(du)
    assert not grows_unsteadily(r * Q(-1))
    u = r * r * Q(-1)
    found = Shift(u, du).exp()
    with mpmath.workdps(200):
        for x in (16, 17, 30):
            for k in (0, mpmath.mpf(1) / 3, 1):
                assert inside(found.du.span(), mpmath.exp(-x * x - k * x) - mpmath.exp(-x * x))
