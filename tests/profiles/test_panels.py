"""What panels are made of: series of sums, the share of a sphere, steps of a boundary; against other ways to them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import pytest
from flint import arb, arb_series, ctx

from dpverify.enclosures import precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.kernel.intervals import INF, NEG_INF, ZERO, Interval, interval
from dpverify.kernel.sections.jets import Series, dot
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile
from dpverify.prover.profile.caps import LONG, share
from dpverify.prover.profile.joints import CRUDE, TAYLOR, Joints
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import capped, logarithm

WRITINGS = "1/cosh(r/2)**2", "exp(-r)/(1 + exp(-r))**2", "1/(2 + exp(r) + exp(-r))"


def _profile(text: str, dimension: int) -> Profile:
    return Profile(Problem(lower(Generator(text, dimension).expression), dimension, Fraction(1)), None)


@pytest.mark.parametrize("d", [2, 3, 4, 9, 10, 51, LONG - 1, LONG, LONG + 1, 1000])
@pytest.mark.parametrize("t", ["-0.999999", "-0.9", "-0.3", "-0.25", "-0.01", "0", "0.3", "0.99"])
def test_the_share_of_a_sphere_is_that_of_the_beta_function(t: str, d: int) -> None:
    """Small caps too, whose share is what is left of larger terms: it keeps most digits."""
    with precision(200), mp.workdps(80):
        at = arb(t).mid()
        found, x = share(at, d), mp.mpf(int(at.fmpq().p)) / int(at.fmpq().q)
        exact = mp.betainc(mp.mpf(d - 1) / 2, mp.mpf(d - 1) / 2, 0, (1 + x) / 2, regularized=True)
        assert found.overlaps(arb(mp.nstr(exact, 60)) * arb(1, "1e-55"))
        assert found.rel_accuracy_bits() > 80


@pytest.mark.parametrize("text", WRITINGS)
def test_the_slope_of_a_sum_of_exponentials_stays_bounded_on_a_wide_panel(text: str) -> None:
    """log f' = -tanh(r/2), and all its derivatives are small far out, whatever the radius within 2 of 22."""
    node = lower(Generator(text, 3).expression)
    with precision(200), capped(6):
        whole = logarithm(node, arb_series([arb(22, 2), 1]))
        points = [logarithm(node, arb_series([arb(r), 1])) for r in (20, 22, 24)]
        assert abs(whole[1]) < arb("1.001")
        assert all(abs(whole[k]) < arb("1e-3") for k in range(2, ctx.cap))
        assert all(whole[k].contains(point[k].mid()) for point in points for k in range(ctx.cap))


@pytest.mark.slow
def test_the_writing_of_a_density_does_not_matter() -> None:
    found = [_profile(text, 3).at(Fraction(1, 2), Fraction(1, 10**6)) for text in WRITINGS[:2]]
    assert max(x.lower for x in found) <= min(x.upper for x in found)
    assert max(len(x.panels) for x in found) <= 2 * min(len(x.panels) for x in found)


@pytest.mark.parametrize("shape", [("3/2", "2", "201/100"), ("1/3", "9/10", "23/25"), ("1/3", "23/25", "9/10")])
def test_the_bound_of_a_step_holds_its_integral(shape: tuple[str, str, str]) -> None:
    rho, low, high = map(Fraction, shape)
    with precision(200):
        steps = Joints(_profile("exp(-r)", 4).radial(), Fraction(1, 2), 12, lambda: None)
        bound, value = steps.bounded(rho, low, high).value, steps.vertical(rho, low, high).value
        assert (value < 0) if low < high else (value > 0)
        assert bound.contains(value)
        assert bound.contains(0)


@pytest.mark.parametrize("shape", [("1/2", "501/1000"), ("501/1000", "1/2"), ("2499/1000", "5/2")])
def test_steps_beside_an_end_of_the_sphere_take_few_pieces(shape: tuple[str, str]) -> None:
    """|x| = 3/2 has |x - u| from 1/2 to 5/2; in the plane the share is 1/2 + asin(t)/pi."""
    rho, low, high = Fraction(3, 2), *map(Fraction, shape)
    t = lambda r: (mp.mpf(5) / 4 - r * r) / (2 * r)  # noqa: E731
    with mp.workdps(20):
        part = lambda r: r * mp.exp(-r) * (mp.mpf(1) / 2 + mp.asin(max(t(r), mp.mpf(-1))) / mp.pi)  # noqa: E731
        exact = -mp.exp(0.5) * mp.quad(part, [mp.mpf(x.numerator) / x.denominator for x in (low, high)])
    with precision(200):
        steps = Joints(_profile("exp(-r)", 2).radial(), Fraction(1, 2), 12, lambda: None)
        pieces = steps.closer([steps.bounded(rho, low, high)], arb(1e-11))
        value = sum((x.value for x in pieces), arb(0)) * ball(steps.radial.size).exp()
        assert value.rad() * 2 <= 2e-11 and abs(float(value.mid()) - float(exact)) < 1e-11
        assert pieces[0].low == low and pieces[-1].high == high
        assert all(x.high == y.low for x, y in pairwise(pieces))
        assert len(pieces) <= 25


def test_steps_that_add_little_are_only_bounded() -> None:
    with precision(200):
        steps = Joints(_profile("exp(-r)", 4).radial(), Fraction(1, 2), 12, lambda: None)
        large = steps.bounded(Fraction(3, 2), Fraction(1), Fraction(2))
        small = steps.bounded(Fraction(3, 2), Fraction(1), 1 + Fraction(1, 10**12))
        found = steps.closer([large, small], arb(1e-9))
        assert [x.word for x in found] == [TAYLOR] * (len(found) - 1) + [CRUDE] and found[-1] == small
        assert steps.closer([], arb(0)) == []


def test_a_product_with_0_is_0_though_the_other_has_no_bound() -> None:
    whole = Interval(NEG_INF, INF)
    assert dot([ZERO, interval(2)], [whole, interval(3)]).lo == Decimal(6)
    assert dot([whole, interval(2)], [ZERO, interval(3)]).hi == Decimal(6)


@pytest.mark.parametrize(("order", "digits"), [(9, 36), (12, 35), (13, 50)])
@pytest.mark.parametrize("at", [Fraction(1), Fraction(2, 7), Fraction(40)])
def test_the_checkers_series_of_a_logarithm_and_a_power(at: Fraction, order: int, digits: int) -> None:
    """log(a + x) has the coefficients -(-1/a)^k/k, and (a + x)^p the binomials C(p, k) a^(p - k)."""
    base = Series([interval(at), interval(1), *[ZERO] * (order - 1)])
    power, rest, p = Fraction(1), base.power(Fraction(-3)), Fraction(-3)
    for k, coefficient in enumerate(base.log().c[1:], 1):
        exact = -((Fraction(-1) / at) ** k) / k
        power = power * (p - k + 1) / k
        for found, value in ((coefficient, exact), (rest.c[k], power * at ** int(p - k))):
            assert Fraction(found.lo) <= value <= Fraction(found.hi)
            assert Fraction(found.hi) - Fraction(found.lo) <= abs(value) / 10**digits
