"""Special functions are no more and no less than their lemmas say: how wide, from where on, and to the last digit."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections import besselk, loggamma
from dpverify.kernel.sections.besselk import (
    besselk_by_trapezes,
    besselk_far_out,
    besselk_point,
    besselk_ratio,
    log_matern,
    log_matern_at,
    ratio_at,
    steepest,
)
from dpverify.kernel.sections.erfc import erfc_hazard
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.gamma import gamma, read_gamma
from dpverify.kernel.sections.incomplete_gamma import Kummer, Part, log_of_rest
from dpverify.kernel.sections.inverse import Arctangent, Lambert
from dpverify.kernel.sections.loggamma import LogGamma, digamma, log_gamma
from dpverify.kernel.sections.models import CONSTANT, Germ
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.tree import Node
from tests.kernel import problems
from tests.kernel.test_models import value_at

Q = Fraction


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def between(low: Any, high: Any) -> Interval:
    return hull(interval(Q(low)), interval(Q(high)))


def spans(found: Interval, low: Any, high: Any, slack: Any) -> bool:
    """Whether an interval holds all from low to high, and exceeds it by the slack at most."""
    return bool(low - slack <= number(found.lo) <= low and high <= number(found.hi) <= high + slack)


# K.


@pytest.mark.parametrize(("p", "x"), [("1/3", "23"), ("13/3", "2"), ("0", "1/100"), ("13/3", "23")])
def test_the_trapezoidal_rule_and_what_it_leaves_out(p: str, x: str) -> None:
    """K82 to 33 digits: the sum of step h up to a node, the last term over D h, and the error of the rule."""
    orders, at = (Q(p), abs(Q(p) - 1)), Q(x)
    *found, nodes = besselk_by_trapezes(orders, interval(at).lo)
    with mp.workdps(60):
        s, h = number(at), 1 / mp.mpf(12 * (1 + int(max(orders)) // 4))
        falls = s * mp.sinh(nodes * h) - number(max(orders))
        for order, value in zip(map(number, orders), found, strict=True):
            terms = [mp.exp(-s * mp.cosh(k * h)) * mp.cosh(order * k * h) for k in range(nodes + 1)]
            total, exact = h * (mp.fsum(terms) - terms[0] / 2), mp.besselk(order, s)
            error = 2 * mp.besselk(mp.ceil(order - 0.5) + 0.5, s * mp.cos(1)) / (mp.exp(2 * mp.pi / h) - 1)
            assert spans(value, total - error, total + terms[-1] / falls + error, exact * mp.mpf(10) ** -33)
            assert number(value.lo) <= exact <= number(value.hi)


@pytest.mark.parametrize(("p", "x"), [("0", "40"), ("1/3", "41.7"), ("13/3", "59"), ("20", "440"), ("2", "1e7")])
def test_hankels_series_and_what_it_leaves_out(p: str, x: str) -> None:
    """K470 to 31 digits, of which the trapezoidal rule reaches but 28, and so far out no digit at all."""
    found = besselk_far_out(Q(p), Decimal(x))
    with mp.workdps(60):
        exact = mp.besselk(number(Q(p)), mp.mpf(x))
        assert number(found.lo) <= exact <= number(found.hi)
        assert number(found.hi) - number(found.lo) < exact * mp.mpf(10) ** -31


@pytest.mark.parametrize("listed", [["K82"], ["K82", "K470"]])
def test_a_proof_that_does_not_list_hankels_series_at_numbers_takes_the_trapezoidal_rule(listed: list[str]) -> None:
    """Older certificates do not list K470; and where it is listed K82 is not entered beside it."""
    ledger = Ledger(frozenset(listed))
    token = LEDGER.set(ledger)
    try:
        values = besselk_point(Q(1, 3), Decimal(50))
    finally:
        LEDGER.reset(token)
    assert ledger.used == {listed[-1]}
    with mp.workdps(60):
        for value, order in zip(values, (mp.mpf(1) / 3, mp.mpf(2) / 3), strict=True):
            assert number(value.lo) <= mp.besselk(order, 50) <= number(value.hi)


def test_nearer_than_its_square_the_order_asks_for_the_trapezoidal_rule() -> None:
    """Of K_13 at 200 < 40 + 13^2 Hankel's series is not taken, though it would do; at 1000 it is."""
    for x, rule in ((200, "K82"), (1000, "K470")):
        ledger = Ledger()
        token = LEDGER.set(ledger)
        try:
            besselk_point(Q(13), Decimal(x))
        finally:
            LEDGER.reset(token)
        assert ledger.used == {rule}


@pytest.mark.parametrize("p", ["1/3", "7/3", "5/2"])
def test_an_end_of_many_digits_is_taken_at_one_of_few(p: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """K83 and K84, of two digits: what the lemmas say of the way from 1.9 to 1.9876."""
    monkeypatch.setattr(besselk, "FEW_DIGITS", Context(prec=2, rounding=ROUND_FLOOR))
    with mp.workdps(40):
        a, gap, order, slack = mp.mpf("1.9"), mp.mpf("0.0876"), number(Q(p)), mp.mpf(10) ** -25
        ratio, log = mp.besselk(order - 1, a) / mp.besselk(order, a), mp.log(mp.besselk(order, a) * a**order)
        most = max(1, ratio)
        moves = (1 + most * (abs(1 - 2 * order) / a + most)) * gap
        assert spans(log_matern_at(Q(p), Decimal("1.9876")), log - most * gap + slack, log - slack, 2 * slack)
        assert spans(ratio_at(Q(p), Decimal("1.9876")), ratio - moves + slack, ratio + moves - slack, 2 * slack)


def test_the_steepest_ratio_is_the_larger_of_its_upper_end_and_1() -> None:
    for low, high, most in (("1/2", "3/4", 1), ("1/2", "2", 2), ("3/2", "2", 2)):
        found = steepest(between(low, high))
        assert found.lo == most == found.hi


@pytest.mark.parametrize("p", ["1/3", "7/3"])
def test_the_ratio_of_two_with_its_slope(p: str) -> None:
    """r = K_(p-1)/K_p has r' = r^2 + (2p - 1) r/x - 1."""
    found = besselk_ratio(Slope(interval(Q(3, 2)), interval(1)), Q(p))
    with mp.workdps(40):
        order, at, slack = number(Q(p)), mp.mpf(3) / 2, mp.mpf(10) ** -22
        ratio = mp.besselk(order - 1, at) / mp.besselk(order, at)
        slope = ratio * ratio + (2 * order - 1) * ratio / at - 1
        for value, exact in ((found.u, ratio), (found.du, slope)):
            assert spans(value, exact, exact, slack)


@pytest.mark.parametrize("p", ["0", "1/3", "3/4", "1", "7/3"])
def test_how_near_zero_k_is_its_leading_term(p: str) -> None:
    """K86 at x = 1/1000: no wider than the lemma, but for a twentieth."""
    order, radius = Q(p), Q(1000)
    found = value_at(log_matern(Germ(radius, 8).radius(-1), order), radius)
    with mp.workdps(60):
        x, q = 1 / number(radius), number(order)
        log_rest = x * x * (1 - mp.log(x)) / 2
        if q == 0:
            log = mp.log(2 / x) - mp.euler
            low, high = mp.log(log), mp.log(log + log_rest)
        else:
            rest = log_rest if q == 1 else x * x / (4 * (q - 1)) if q > 1 else 5 * x ** (2 * q) / (4 * q * (1 - q))
            high = mp.log(2 ** (q - 1) * mp.gamma(q))
            low = high + mp.log(1 - rest)
        assert spans(found, low, high, (high - low) / 20)
        assert low < mp.log(x**q * mp.besselk(q, x)) < high


def test_how_besselk_is_read() -> None:
    for order in ("100", "-100", "11/2", "9/2", "1/3", "0"):
        problems.tree(f"besselk({order}, r)")
    for order in ("101", "-201/2", "r"):
        with pytest.raises(Rejected, match="rational from -100 to 100"):
            problems.tree(f"besselk({order}, r)")
    with pytest.raises(Rejected, match="besselk"):
        problems.tree("besselk(1, r, r)")


def test_what_texts_of_special_functions_are_at_2() -> None:
    with mp.workdps(70):
        third = mp.mpf(1) / 3
        for text, exact in (
            ("besselk(0, r)", mp.besselk(0, 2)),
            ("besseli(0, r)", mp.besseli(0, 2)),
            ("gamma(1/3)", mp.gamma(third)),
            ("gammainc(1/3, r)", mp.gammainc(third, 0, 2, regularized=True)),
        ):
            found = Evaluation(interval(2)).value(problems.tree(text))
            assert spans(found, exact, exact, mp.mpf(10) ** -22), text


# erfc.


def test_the_hazard_of_erfc_with_its_slope() -> None:
    """h = 2 e^(-x^2)/(sqrt(pi) erfc(x)) has h' = h (h - 2x)."""
    for x in ("-2", "3/2", "9"):
        found = erfc_hazard(Slope(interval(Q(x)), interval(1)))
        with mp.workdps(80):
            at = number(Q(x))
            hazard = 2 * mp.exp(-at * at) / (mp.sqrt(mp.pi) * mp.erfc(at))
            for value, exact in ((found.u, hazard), (found.du, hazard * (hazard - 2 * at))):
                slack = (1 + at * at) * mp.mpf(10) ** -16
                assert spans(value, exact, exact, slack)


# Gamma and its logarithm.


def test_gamma_of_the_largest_number_and_of_none() -> None:
    with mp.workdps(60):
        exact = mp.gamma(10**6)
        assert spans(gamma(Q(10**6)), exact, exact, exact * mp.mpf(10) ** -45)
    with pytest.raises(Rejected, match="not a rational number"):
        read_gamma(Node("r"))


@pytest.mark.parametrize(("low", "high"), [("5", "6"), ("1/3", "1/2"), ("1", "50")])
def test_log_gamma_and_its_slope_of_what_lies_between_two(low: str, high: str) -> None:
    x = between(low, high)
    with mp.workdps(70):
        for found, exact in ((log_gamma(x), mp.loggamma), (digamma(x), mp.digamma)):
            for at in map(number, (Q(low), Q(high))):
                assert number(found.lo) < exact(at) < number(found.hi)


@pytest.mark.parametrize(("low", "high"), [("1/2", "1/2"), ("5/2", "5/2"), ("2", "3"), ("5", "6"), ("1/4", "1/2")])
def test_log_gamma_to_the_last_digit(low: str, high: str) -> None:
    """Nowhere below its tangent at the left end, nor its value there where that rises; largest at an end."""
    found = LogGamma().value(between(low, high))
    with mp.workdps(90):
        a, b = number(Q(low)), number(Q(high))
        bottom = mp.loggamma(a) + min(0, mp.digamma(a)) * (b - a)
        assert spans(found, bottom, max(mp.loggamma(a), mp.loggamma(b)), mp.mpf(10) ** -55)


def test_log_gamma_falls_by_little_on_a_short_interval() -> None:
    start, end = Q(1, 2), Q(1, 2) + Q(1, 10**50)
    with mp.workdps(130):
        assert number(LogGamma().value(between(start, end)).lo) < mp.loggamma(number(end))


def test_where_the_slope_has_no_proved_sign_log_gamma_may_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    """log Gamma(2) = 0; were its slope there known to be in [-1, 1] alone, it might be -1 at 3."""
    monkeypatch.setattr(loggamma, "digamma", lambda x: between(-1, 1))
    assert abs(LogGamma().value(between(2, 3)).lo + 1) < Q(1, 10**50)


def test_the_bend_of_log_gamma_is_rounded_outward() -> None:
    found = LogGamma().bend(between(3, 7))
    top, bottom = Q(1, 9) + Q(2, 7), Q(1, 7) + Q(1, 98)
    tiny = Q(1, 10**55)
    assert bottom - tiny < Q(found.lo) < bottom and top < Q(found.hi) < top + tiny


def test_at_which_whole_numbers_functions_are_0() -> None:
    """Exactly log Gamma at 1 and 2, log G, atan and W at 0: nothing is left in the model there; elsewhere it is."""
    v, f, g = Germ(Q(64), 6).radius(-1), LogGamma(), Kummer(Q(1, 3))
    for known in (f.of(v + 1), f.of(v + 2), g.of(v), Arctangent().of(v), Lambert().of(v)):
        assert CONSTANT not in known.terms
    with mp.workdps(60):
        log_g = mp.loggamma(mp.mpf(4) / 3) + mp.log(mp.gammainc(mp.mpf(1) / 3, 0, 1, regularized=True))
        others = (g.of(v + 1), log_g), (Arctangent().of(v + 1), mp.pi / 4), (Lambert().of(v + 1), mp.lambertw(1).real)
        for found, exact in ((f.of(v + 3), mp.log(2)), *others):
            assert spans(found.limit(), exact, exact, mp.mpf(10) ** -40)


# The incomplete gamma functions.


def test_the_slope_of_log_p_far_out() -> None:
    """At 64, where Q is 6e-26: as much as 1/(1 - Q) is seen."""
    found = value_at(Part(Q(5, 2), False).slope_model(Germ(Q(64), 6).radius()), Q(64))
    with mp.workdps(70):
        order = mp.mpf(5) / 2
        density = mp.mpf(64) ** (order - 1) * mp.exp(-64) / mp.gamma(order)
        exact = density / mp.gammainc(order, 0, 64, regularized=True)
        assert spans(found, exact, exact, density * mp.mpf(10) ** -30)


def test_log_g_bends_by_a_variance_in_the_unit_interval() -> None:
    bend = Kummer(Q(1, 3)).bend(between(1, 2))
    assert bend.lo == 0 and bend.hi == Decimal("0.25")


def test_the_logarithm_of_what_is_left_of_1() -> None:
    for part in ("1/100000000000", "999/1000"):
        found = log_of_rest(between(0, part))
        with mp.workdps(70):
            exact = mp.log1p(-number(Q(part)))
            assert spans(found, exact, 0, abs(exact) * mp.mpf(10) ** -15)


def test_the_orders_of_the_incomplete_gamma_functions() -> None:
    for text in ("gammainc(50, r)", "gammaincc(50, r)", "gammainc(1/50, r)"):
        problems.tree(text)
    for text in ("gammainc(2, r, r)", "gammaincc(2, r, r)"):
        with pytest.raises(Rejected, match="gammainc"):
            problems.tree(text)


@pytest.mark.parametrize(("p", "x"), [(60, 3640), (100, 10040), (Q(201, 4), 3000)])
def test_hankels_series_is_not_cut_off_before_its_terms_alternate(p: Q | int, x: int) -> None:
    """There all terms up to the order are positive, and what is left out is more than the next."""
    found = besselk_far_out(Q(p), Decimal(x))
    with mp.workdps(120):
        truth = mp.besselk(mp.mpf(Q(p).numerator) / Q(p).denominator, x)
        assert mp.mpf(str(found.lo)) <= truth <= mp.mpf(str(found.hi))
        assert mp.mpf(str(found.hi)) / mp.mpf(str(found.lo)) - 1 < mp.mpf(10) ** -30
