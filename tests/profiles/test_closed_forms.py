"""delta(eps) against closed forms, and against quadrature of the density by mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

import dpverify
from dpverify.enclosures.lowering import lower
from dpverify.language import parse
from dpverify.profiles import Enclosed
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile
from tests.profiles import references


def holds(enclosed: Enclosed, value: mp.mpf, slack: str = "0") -> bool:
    with mp.workdps(60):
        low, high = (mp.mpf(x.numerator) / x.denominator for x in (enclosed.lower, enclosed.upper))
        return bool(low - mp.mpf(slack) <= value <= high + mp.mpf(slack))


def number(text: str) -> mp.mpf:
    """A rational, to the digits of the context."""
    return mp.mpf(Fraction(text).numerator) / Fraction(text).denominator


def narrow(enclosed: Enclosed, tolerance: Fraction) -> bool:
    return enclosed.upper - enclosed.lower <= tolerance * enclosed.upper


@pytest.mark.slow
@pytest.mark.parametrize("dimension", range(1, 51))
def test_the_gaussian_is_that_of_balle_and_wang_in_every_dimension(dimension: int) -> None:
    found = dpverify.profile("gaussian", dimension=dimension).delta("1")
    assert holds(found, references.gaussian("1")) and narrow(found, Fraction(1, 10**9))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["0", "1/100", "5", "20"])
@pytest.mark.parametrize("shift", ["1/3", "4"])
def test_the_gaussian_at_other_points(epsilon: str, shift: str) -> None:
    found = dpverify.profile("gaussian", dimension=3, sensitivity=shift).delta(epsilon)
    with mp.workdps(60):
        exact = references.gaussian(*map(number, (epsilon, shift)))
    assert holds(found, exact) and narrow(found, Fraction(1, 10**9))


def test_the_gaussian_to_thirty_digits_and_far_out() -> None:
    found = dpverify.profile("gaussian", tolerance="1e-30")
    assert holds(found.delta("1"), references.gaussian("1")) and narrow(found.delta("1"), Fraction(1, 10**30))
    tiny = found.delta("37")
    assert tiny.upper < Fraction(1, 10**290) and narrow(tiny, Fraction(1, 10**30))
    assert holds(tiny, references.gaussian("37"))


@pytest.mark.slow
def test_the_eps_of_a_delta_for_the_gaussian() -> None:
    found = dpverify.profile("gaussian").epsilon("1e-5")
    assert narrow(found, Fraction(1, 10**9))
    with mp.workdps(40):
        exact = mp.findroot(lambda e: references.gaussian(e) - mp.mpf(10) ** -5, mp.mpf("4.377"))
    assert holds(found, exact) and mp.nstr(exact, 12) == "4.37717809568"


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize(("epsilon", "shift"), [("1/2", "1"), ("0", "1"), ("1", "3"), ("1/10", "1/3")])
def test_laplace_in_one_dimension(epsilon: str, shift: str) -> None:
    found = dpverify.profile("laplace", sensitivity=shift, tolerance="1e-20").delta(epsilon)
    with mp.workdps(60):
        exact = references.laplace(*map(number, (epsilon, shift)))
    assert holds(found, exact) and narrow(found, Fraction(1, 10**20))


@pytest.mark.slow
@pytest.mark.parametrize("sensitivity", ["1", "1/3", "7/5"])
@pytest.mark.parametrize("dimension", [1, 3])
def test_delta_is_nothing_from_the_pure_epsilon_on(sensitivity: str, dimension: int) -> None:
    found = dpverify.profile("laplace", sensitivity=sensitivity, dimension=dimension)
    assert found.delta(sensitivity) == Enclosed(Fraction(0), Fraction(0))
    assert found.delta("2") == Enclosed(Fraction(0), Fraction(0))
    assert found.delta(Fraction(sensitivity) * 99 / 100).lower > 0


@pytest.mark.slow
def test_student_t_on_the_line() -> None:
    """The loss is 2 log((1 + (x-1)^2/3) / (1 + x^2/3)); where it is eps, x solves a quadratic equation."""
    found = dpverify.profile("student_t", parameters={"nu": 3}).delta("1/2")
    with mp.workdps(30):
        k = mp.exp(mp.mpf("0.25"))
        a, b, c = k - 1, mp.mpf(2), 3 * k - 4  # k (3 + x^2) = 3 + (x - 1)^2
        roots = sorted((-b + sign * mp.sqrt(b * b - 4 * a * c)) / (2 * a) for sign in (1, -1))
    exact = references.on_the_line(lambda x: (1 + x * x / 3) ** -2, "0.5", "1", (roots[0], -4, -1, roots[1]))
    assert holds(found, exact, "1e-20")


@pytest.mark.sweep
def test_laplace_in_space() -> None:
    found = dpverify.profile("laplace", dimension=3).delta("1/2")
    exact = references.in_space(lambda r: mp.exp(-r), lambda r: r + mp.mpf("0.5"), "0.5", "1")
    assert holds(found, exact, "1e-12")


@pytest.mark.slow
def test_a_density_that_jumps_in_space() -> None:
    """Between the radii 1/2 and 1 the boundary lies on the sphere where f jumps: an atom's share of the loss."""
    f = lambda r: mp.mpf(1) if r < 1 else mp.exp(-r)  # noqa: E731
    found = dpverify.profile("Piecewise((1, r < 1), (exp(-r), True))", dimension=3).delta("1/2")

    def boundary(r: mp.mpf) -> mp.mpf:
        return mp.mpf(1) if r < 1 else r + mp.mpf("0.5")

    assert holds(found, references.in_space(f, boundary, "0.5", "1"), "1e-9")


@pytest.mark.slow
def test_atoms_of_the_loss_on_the_line() -> None:
    """exp(-floor(r)) on the line, shifted by 1: the loss is 1 or 0 or -1, each with a probability."""
    found = dpverify.profile("exp(-floor(r))").delta("1/4")
    with mp.workdps(40):  # the loss is 1 for x < 0 alone, where P = 1/2 and Q = P/e
        exact = (1 - mp.exp(mp.mpf("0.25")) / mp.e) / 2
    assert holds(found, exact)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 3, 10, 50])
def test_panels_give_the_gaussian_too(dimension: int) -> None:
    """As of any other generator: without its closed form."""
    problem = Problem(lower(parse("exp(-y/2)")), dimension, Fraction(1))
    found = Profile(problem, None).at(Fraction(1), Fraction(1, 10**9))
    enclosed = Enclosed(found.lower, found.upper)
    assert (found.panels or found.stretches) and not found.normal
    assert holds(enclosed, references.gaussian("1")) and narrow(enclosed, Fraction(1, 10**9))
