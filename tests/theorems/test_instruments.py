"""The instruments that checks rest on, against independent computations."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import kstwo, norm

from dpverify.enclosures.ball import Undecided
from dpverify.mechanisms.sensitivities import inertia, volume
from dpverify.theorems import Refuted
from dpverify.theorems.hall_2012.caratheodory_moments import exact_moment
from dpverify.theorems.hall_2012.discrete.counting_programmes import minimax
from dpverify.theorems.hall_2012.empirical_sensitivity import kolmogorov
from dpverify.theorems.hall_2012.orbitope import cross_moment, inertia_by_quadrature
from dpverify.theorems.hall_2012.orders import bandwidth, cutoff, order
from dpverify.theorems.tools.balls import at_most, gaussian_delta
from dpverify.theorems.tools.finite import compose, events, excess, laws, mass, pushed
from dpverify.theorems.tools.programmes import Programme, minimum

LAW = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any).map(lambda w: [Fraction(x, sum(w)) for x in w])


@pytest.mark.slow
@given(LAW, LAW, st.fractions(1, 5))
def test_excess_is_the_largest_over_all_events(p: list[Fraction], q: list[Fraction], ratio: Fraction) -> None:
    assert excess(p, q, ratio) == max(mass(p, a) - ratio * mass(q, a) for a in events(4))


@pytest.mark.slow
@given(LAW, st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_laws_stay_laws(p: list[Fraction], f: list[int]) -> None:
    assert sum(pushed(p, f, 2)) == sum(compose(p, p)) == 1


def test_laws_are_all_of_them() -> None:
    assert len(list(laws(3, 4))) == 15


@pytest.mark.parametrize(("epsilon", "mu"), [(0.5, 1.0), (1.0, 0.3), (3.0, 2.0)])
def test_the_gaussian_curve_is_the_integral_of_the_positive_part(epsilon: float, mu: float) -> None:
    from math import exp

    start = epsilon / mu + mu / 2
    direct, _ = quad(lambda x: norm.pdf(x - mu) - exp(epsilon) * norm.pdf(x), start, start + 40)
    assert float(gaussian_delta(arb(epsilon), arb(mu)).mid()) == pytest.approx(direct, abs=1e-10)


def test_the_gaussian_curve_falls_in_epsilon() -> None:
    assert gaussian_delta(arb(1), arb(1)) > gaussian_delta(arb(2), arb(1)) > 0


def test_balls_that_overlap_do_not_decide() -> None:
    with pytest.raises(Undecided):
        at_most(arb(0, 1), arb(0), "")
    with pytest.raises(Refuted):
        at_most(arb(1), arb(0), "1 > 0")


def test_a_programme_with_a_known_optimum() -> None:
    one, three = Fraction(1), Fraction(3)
    # minimise -x - y with 3x + y <= 3, x + 3y <= 3: at x = y = 3/4
    found = minimum(Programme([-one, -one], [([three, one], three), ([one, three], three)], []))
    assert found.value == Fraction(-3, 2)
    assert found.solution == (Fraction(3, 4), Fraction(3, 4))


def test_an_infeasible_programme_is_not_solved() -> None:
    one = Fraction(1)
    with pytest.raises(Undecided):
        minimum(Programme([one], [([one], one)], [([one], 2 * one)]))


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(7, 3)])
def test_minimax_risk_of_one_record_is_that_of_randomised_response(ratio: Fraction) -> None:
    assert minimax(1, ratio).value == 1 / (1 + ratio)


def test_minimax_risk_rises_with_the_number_of_records() -> None:
    risks = [minimax(n, Fraction(2)).value for n in (1, 2, 3)]
    assert risks == sorted(risks)
    assert risks[-1] < Fraction(4, 3), "1/sinh(log 2) is the risk of geometric noise"


@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_inertia_of_the_orbitope(m: int, k: int) -> None:
    value = inertia(m, k)
    assert inertia_by_quadrature(m, k).contains(arb(value.numerator) / value.denominator)


def test_second_moment_of_the_orbitope_by_independent_coordinates() -> None:
    """Frequency 2 for m = 3 by Schur parameters: E|c_2|^2 = E|a|^4 + E|b|^2 E(1 - |a|^2)^2 = 19/84."""
    a, b = 4, 2  # densities (1 - s)^4 and (1 - s)^2 of |a|^2 and |b|^2
    fourth, square = Fraction(2, (a + 2) * (a + 3)), Fraction(a + 1, a + 3)
    assert inertia(3, 2) == fourth + Fraction(1, b + 2) * square


@pytest.mark.parametrize(
    ("n", "d"), [(1, Fraction(3, 4)), (2, Fraction(1, 3)), (5, Fraction(2, 5)), (9, Fraction(1, 4))]
)
def test_the_kolmogorov_law(n: int, d: Fraction) -> None:
    assert float(kolmogorov(n, d)) == pytest.approx(kstwo.cdf(float(d), n), abs=1e-12)


@pytest.mark.parametrize(("e", "p"), [(Fraction(-4, 5), 0), (Fraction(-1, 2), 12), (Fraction(2, 7), 3)])
def test_orders_are_read_off(e: Fraction, p: int) -> None:
    assert order(lambda n: 7 * (n.log() * e.numerator / e.denominator).exp() * n.log() ** p) == (e, p)


def test_bandwidth_and_cutoff() -> None:
    assert abs(bandwidth(arb(10) ** 10, 1) - arb("0.01")) < arb("1e-12")
    assert abs(cutoff(arb(10) ** 10, 1) / (1000 * arb(10).log()) - 1) < arb("1e-12")


@pytest.mark.slow
def test_the_hull_of_products_of_two_circles() -> None:
    """E ||u||^2 by polar integration: the purity of such matrices by sampling the cone, not the cube."""
    import numpy as np

    generator = np.random.default_rng(7)
    size = 100_000
    share = np.sqrt(generator.beta(1, 2, size)) * generator.choice([-1, 1], size)  # y has density 2(1 - y)
    total = generator.gamma(4.5, size=size)
    p, q = total * (1 + share) / 2, total * (1 - share) / 2
    y11, y22, y12 = (generator.normal(0, (2 * w) ** -0.5) for w in (p, q, p + q))
    trace_q = p * y11 + q * y22
    square_q = (p * y11) ** 2 + (q * y22) ** 2 + 2 * p * q * y12**2
    local = (4 * trace_q**2).mean() / 90
    products = 4 * 2 * (p**2 + q**2 + square_q).mean() / 90 - 1 - 4 * local
    assert float(exact_moment()) == pytest.approx(1 + 8 * local + 4 * products, abs=0.05)


def test_volume_and_cross_moment_of_small_orbitopes() -> None:
    assert volume(1) == 2, "the disc of radius sqrt(2)"
    assert cross_moment(2, 1) == Fraction(-9, 32)
