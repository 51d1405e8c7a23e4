"""Both ends of the half-line: models with exact coefficients, and sums of powers near the centre."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.reader import Need
from dpverify.kernel.sections.analytic import analytic, zeros_isolated
from dpverify.kernel.sections.by_form import direction, falls_by_form
from dpverify.kernel.sections.centre import NearCentre, power_of, scaled
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t, raised
from dpverify.kernel.steps import Steps
from tests.kernel.problems import on_charts, tree


def model(*coefficients: Any, first: int = 0, order: int = 20, radius: int = 16) -> Model:
    """The sum of c_k t^(first + k)."""
    germ = Germ(Fraction(radius), order)
    return Model(germ, {power_of_t(first + k): Fraction(c) for k, c in enumerate(coefficients)})


def powers(of: Model) -> dict[Any, Any]:
    return {m[1]: c for m, c in of.terms.items()}


def test_sums_and_products_of_models_are_exact() -> None:
    u, v = model(1, 1), model(2, -1, 3)
    assert powers(u * u) == {0: 1, 1: 2, 2: 1} and powers(u * v) == {0: 2, 1: 1, 2: 2, 3: 3}
    assert powers(u * v) == powers(v * u) and powers(u + v) == {0: 3, 2: 3} and powers(-u) == {0: -1, 1: -1}
    assert powers(u * Fraction(1, 2)) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert powers(model(1, -1) * model(1, 1)) == {0: 1, 2: -1}


@pytest.mark.parametrize("p", range(9))
def test_small_powers_of_models_are_exact(p: int) -> None:
    assert powers(model(1, 1).power(Fraction(p))) == {k: comb(p, k) for k in range(p + 1)}


def test_powers_of_nothing() -> None:
    nothing = model(0)
    assert powers(nothing.power(Fraction(0))) == {0: 1} and powers(nothing.power(Fraction(1, 2))) == {}
    for p in (Fraction(-1), Fraction(-1, 2)):
        with pytest.raises(Rejected):
            nothing.power(p)


def test_polynomials_in_what_vanishes() -> None:
    w = model(1, 2, first=-2)  # t^-2 + 2/t
    found = powers(w.taylor([Fraction(5), Fraction(3), Fraction(2)], Fraction(0)))
    assert found == {0: 5, -1: 6, -2: 3 + 8, -3: 8, -4: 2}
    assert powers(model(0).taylor([Fraction(5), Fraction(3)], Fraction(1))) == {0: 5}


def test_limits_of_models() -> None:
    assert model(3, first=0).limit().lo == 3 and model(7, 3, first=-1).limit().lo == 3
    assert model(7, first=-1).limit().sign() == 0 and model(0).limit().sign() == 0
    for growing in (model(1, 1), model(1, first=1), model(7, 3, 1, first=-1)):
        with pytest.raises(Rejected, match="not proved finite"):
            growing.limit()


def test_exponents_of_powers() -> None:
    assert raised(LINEAR, Fraction(2)) == power_of_t(2) and raised(CONSTANT, Fraction(1, 3)) == CONSTANT
    assert raised((Fraction(3), 0, 0, 0, 0), Fraction(2)) == (6, 0, 0, 0, 0)
    assert raised((0, 2, 1, -1, 3), Fraction(1, 2)) == (0, 1, Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2))


@pytest.mark.parametrize(
    ("radius", "count"), [("11/10", 2), ("2", 2), ("3", 3), ("15", 3), ("16", 4), ("100000000", 4)]
)
def test_iterated_logarithms_of_a_radius(radius: str, count: int) -> None:
    """As many as there are up to the first that is negative, and four at most."""
    germ, truth = Germ(Fraction(radius), 6), mpmath.mpf(Fraction(radius).numerator) / Fraction(radius).denominator
    assert len(germ.logs) == count
    with mpmath.workdps(50):
        truth = mpmath.mpf(Fraction(radius).numerator) / Fraction(radius).denominator
        for log in germ.logs:
            truth = mpmath.log(truth)
            assert abs(mpmath.mpf(str(log.lo)) - truth) < 1e-40 > abs(mpmath.mpf(str(log.hi)) - truth)
    with pytest.raises(Rejected):
        Germ(Fraction(1), 6)


def test_what_is_beyond_the_order_stays_within() -> None:
    """1 + t + t^2 + t^3 of two terms and a bucket, at t = 16 and beyond."""
    found = model(1, 1, 1, 1, order=2)
    assert len(found.terms) == 3
    monomial, factor = found.bracket()
    for t in (16, 100, 10**6):
        share = Fraction(1 + t + t**2 + t**3, t**3)
        assert monomial == power_of_t(3) and Fraction(factor.lo) <= share <= Fraction(factor.hi)


TEXT = "exp(-r)*(3+cos(r))+y/5"


def truth(r: Any) -> Any:
    return mpmath.log(mpmath.exp(-r) * (3 + mpmath.cos(r)) + r * r / 5)


def near(text: str = TEXT, radius: str = "1", order: int = 10) -> NearCentre:
    return NearCentre(on_charts(text), Steps({"series": {"radius": radius, "order": order}}))


def holds(found: Interval, value: Any) -> bool:
    return bool(mpmath.mpf(str(found.lo)) - 1e-20 <= value <= mpmath.mpf(str(found.hi)) + 1e-20)


@pytest.mark.parametrize(
    ("a", "b"), [("1/64", "1/32"), ("1/2", "3/5"), ("9/10", "1"), ("9/10", "11/10"), ("1", "11/10")]
)
def test_near_the_centre_boxes_hold_log_f_its_slopes_and_losses(a: str, b: str) -> None:
    problem, (low, high) = near(), (Fraction(a), Fraction(b))
    box, shift = problem.on_box(low, high), Fraction(1, 20)
    loss = problem.loss(low, high, shift)
    with mpmath.workdps(30):
        for share in (Fraction(0), Fraction(1, 3), Fraction(1)):
            r = mpmath.mpf((low + (high - low) * share).numerator) / (low + (high - low) * share).denominator
            assert holds(box.u, truth(r)) and holds(box.du, mpmath.diff(truth, r))
            assert holds(loss, truth(r) - truth(r + mpmath.mpf(1) / 20))
            at = problem.at_radius(interval(low + (high - low) * share))
            assert holds(at, truth(r)) and at.hi - at.lo < Fraction(1, 1000)
        assert box.du.hi - box.du.lo < 1 and loss.hi - loss.lo < Fraction(1, 5)


def test_the_series_counts_up_to_its_radius_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, asked = near(), []
    series = problem.log_near
    monkeypatch.setattr(problem, "log_near", lambda r: (asked.append(r), series(r))[1])
    problem.at_radius(interval(Fraction(1, 2)))
    problem.at_radius(interval(1))
    assert len(asked) == 2
    problem.at_radius(Interval(interval(Fraction(1, 2)).lo, interval(Fraction(3, 2)).hi))
    problem.at_radius(interval(Fraction(3, 2)))
    problem.on_box(Fraction(1), Fraction(3, 2))
    assert len(asked) == 2
    problem.on_box(Fraction(1, 2), Fraction(3, 2))
    assert len(asked) == 3 and asked[-1].hi == 1
    third = near(radius="1/3")
    monkeypatch.setattr(third, "log_near", asked.append)
    third.at_radius(interval(Fraction(1, 3)))  # whose last digit lies beyond
    assert len(asked) == 3


def test_what_has_no_series_of_powers_near_the_centre_is_refused() -> None:
    for text, why in (
        ("5+r**6*log(r)", "other terms"),
        ("Piecewise((1, r < 2), (exp(-r), True))", "has branches"),
        ("exp(-r)+Piecewise((1, r < 2), (2, True))", "has branches"),
    ):
        with pytest.raises(Rejected, match=why):
            near(text)
    with pytest.raises(Rejected, match="is not positive"):
        near("1/2-r").on_box(Fraction(1, 4), Fraction(3, 4))
    with pytest.raises(Rejected, match="may jump"):
        near("5+floor(r)+r").on_box(Fraction(1, 2), Fraction(3, 2))


def test_the_series_is_of_half_and_less_of_its_scale() -> None:
    assert [near(radius=radius).scale for radius in ("1/3", "1", "4")] == [Fraction(2, 3), 2, 8]


def test_a_series_has_a_largest_size() -> None:
    text = "+".join(f"r**{k}/{k}" for k in range(1, 30)) + "+1"
    order = next(n for n in range(1, 25) if on_charts(text).tree.size * n**3 > 1_000_000)
    assert near(text, order=order - 1).value.terms
    with pytest.raises(Rejected, match="too large"):
        near(text, order=order)


def test_a_box_at_the_centre_begins_beyond_it() -> None:
    for p in (Fraction(1), Fraction(1, 2), Fraction(-1)):
        with pytest.raises(Rejected, match="does not begin beyond"):
            power_of(Interval(interval(0).lo, interval(1).hi), p)
    assert power_of(Interval(interval(1).lo, interval(4).hi), Fraction(1, 2)).hi == 2


@pytest.mark.parametrize(
    "text", ["r", "y", "sqrt(r)+1", "exp(-r)*(1+r)**2", "1/(1+r)", "cos(2*r)+r", "Max(r,1)", "floor(r)+2*y", "pi*r+1"]
)
def test_a_text_at_a_multiple_of_the_radius(text: str) -> None:
    """f(s r) at r is f at s r."""
    s, r = Fraction(5, 3), Fraction(7, 4)
    plain = on_charts("1").at_box
    found, expected = plain(interval(r)).value(scaled(tree(text), s)), plain(interval(s * r)).value(tree(text))
    assert found.lo <= expected.hi and expected.lo <= found.hi and found.hi - found.lo < Fraction(1, 10**20)


@pytest.mark.parametrize(
    ("text", "everywhere", "but_for_poles"),
    [
        ("1+r*pi", True, True), ("exp(r)*cos(r)", True, True), ("(r-1)**2", True, True), ("(r-1)**0", True, True),
        ("1/(r-1)", False, True), ("exp(1/(r-1))", False, True), ("sqrt(1+r)", True, True), ("sqrt(r-1)", False, False),
        ("log(1+r)", True, True), ("log(r-1)", False, False), ("atan(r-1)", True, True),
        ("atan(1/(r-1))", False, False),
        ("floor(r)", False, False), ("Max(r,1)", False, False), ("sqrt(1+floor(r))", False, False),
        ("1/(1+floor(r))", False, False), ("sqrt(exp(1/(r-1)))", False, False), ("log(2+exp(1/(r-1)))", False, False),
        ("Piecewise((1, r<1), (2, True))", False, False), ("1/sqrt(1+r)", True, True),
    ],
)  # fmt: skip
def test_what_is_analytic(text: str, everywhere: bool, but_for_poles: bool) -> None:
    """On all of (0, oo), or but for poles."""
    assert analytic(tree(text), False) is everywhere and analytic(tree(text)) is but_for_poles


@pytest.mark.parametrize("text", ["Max(r-1,0)", "floor(r)", "sqrt(floor(r))", "0*r", "r-r", "(r-1)*floor(r)"])
def test_what_may_be_zero_beside_a_radius_is_no_divisor(text: str) -> None:
    problem = on_charts("exp(-r)")
    zeros_isolated(problem, Fraction(2), Need("nonzero", tree("r-1"), ()))
    for radius in (Fraction(1, 2), Fraction(3)):
        with pytest.raises(Rejected):
            zeros_isolated(problem, radius, Need("nonzero", tree(text), ()))
    with pytest.raises(Rejected, match="for a sign"):
        zeros_isolated(problem, Fraction(2), Need("positive", tree("r-1"), ()))


def test_a_root_is_zero_only_where_what_it_is_of_is() -> None:
    zeros_isolated(on_charts("exp(-r)"), Fraction(3), Need("nonzero", tree("sqrt(r-1/2)"), ()))


def test_a_divisor_that_is_zero_at_a_radius_only_is_looked_at_beside_it() -> None:
    zeros_isolated(on_charts("exp(-r)"), Fraction(1), Need("nonzero", tree("exp(r-1)+r"), ()))
    with pytest.raises(Rejected, match="not shown other than 0"):
        zeros_isolated(on_charts("exp(-r)"), Fraction(1), Need("nonzero", tree("r-1-1/10**31"), ()))


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("r", 1), ("3", 0), ("-r", -1), ("-3", 0), ("exp(-r)", -1), ("2+r-exp(-r)", 1), ("r*(1-r)", None),
        ("(r-1)**2", None), ("(1+r)**(-1)", -1), ("(1+r)**3", 1), ("exp(-r)*exp(-y)", -1), ("exp(-r)*r", None),
        ("Max(exp(-r),exp(-y))", -1), ("Max(r,exp(-r))", None), ("log(2+r)", 1), ("log(2+r)*r", 1), ("log(r)*r", None),
        ("log(1/2+r)*r", None), ("log(1+r)*exp(-r)", None), ("floor(r)", 1), ("cos(r)", None), ("r+cos(r)", 1),
        ("-2*(r-1)", -1), ("exp(-r)*(1-r)", None), ("log(1+(r-1)**3)*r", None), ("log(2*r)*r", None), ("pi+r", 1),
        ("log(2)*r", None), ("(1+floor(r))**(-2)", -1), ("erfc(r)", -1), ("cos(r)+sin(r)", None),
        ("log(1+r-1/(2+r))*r", None), ("log(2+r-1/(2+r))*r", None),
        ("999*r/1000+cos(r)", None), ("r+cos(2*r)", None), ("-r+sin(3*r)/3", -1), ("sin(3*r)/3-999*r/1000", None),
        ("r+cos(r)/2+sin(r-1)/2", 1), ("r+cos(r)/2-sin(r)*501/1000", None), ("22*r/7+cos(pi*r)", 1),
        ("4*r+cos(1-pi*r)", 1), ("3*r+cos(1-pi*r)", None),
        ("3*r+cos(pi*r)", None), ("r+cos(y)/9", None), ("r+cos(sqrt(r))/9", None), ("r-r*cos(r)/9", None),
        ("cos(r)-2*r+exp(-r)", -1), ("cos(r)-2*r+exp(r)", None), ("r+cos(pi)", 1), ("exp(-r+sin(r))/(1+r)", -1),
        ("2*r-sin(r+sqrt(2))", 1), ("2*r-sin(sqrt(2)*r)", None), ("r+2*cos(r/2)", 1),
        ("r+2*cos(2*(1-r)+r)", None), ("cos(r)-r", -1),
        ("3*r/5+Max(1/2,cos(r))", None), ("r+gamma(1/3)*cos(r)", None), ("3*r/5+cos(Max(1/2,r))", None),
        ("r+cos(2*r*log(1+r)/9)", None), ("r+cos(2*r*exp(r)/9)", None), ("r+cos(gamma(1/3)*r)", None),
    ],
)  # fmt: skip
def test_the_direction_that_a_form_shows(text: str, way: int | None) -> None:
    assert direction(tree(text)) == way
    if way in (0, -1):
        falls_by_form(tree(text))
    else:
        with pytest.raises(Rejected):
            falls_by_form(tree(text))
