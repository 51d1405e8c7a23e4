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
from dpverify.theorems import Refuted
from dpverify.theorems.hall_2012.discrete.counting_programmes import minimax
from dpverify.theorems.hall_2012.orbitope import inertia, inertia_by_quadrature
from dpverify.theorems.hall_2012.random_privacy import _kolmogorov
from dpverify.theorems.tools.balls import at_most, gaussian_delta
from dpverify.theorems.tools.finite import compose, events, excess, laws, mass, pushed
from dpverify.theorems.tools.programmes import Programme, minimum

LAW = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any).map(lambda w: [Fraction(x, sum(w)) for x in w])


@given(LAW, LAW, st.fractions(1, 5))
def test_excess_is_the_largest_over_all_events(p: list[Fraction], q: list[Fraction], ratio: Fraction) -> None:
    assert excess(p, q, ratio) == max(mass(p, a) - ratio * mass(q, a) for a in events(4))


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
    assert float(_kolmogorov(n, d)) == pytest.approx(kstwo.cdf(float(d), n), abs=1e-12)
