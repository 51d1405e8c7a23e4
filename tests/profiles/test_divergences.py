"""Renyi divergences and rho to many digits, against closed forms and mpmath's quadrature of the densities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from flint import arb

import dpverify
from dpverify.enclosures import precision
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.profiles.divergences import Divergences
from dpverify.prover.hellinger import Orders, Tilt, infinite
from dpverify.prover.hellinger.ends import Ends
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile as Prover

PLACES = [0, mp.mpf(1) / 4, mp.mpf(1) / 2, mp.mpf(3) / 4, 1, 2, 4, 8, 16, 32, 64]


def prover_of(text: str, dimension: int = 1, shift: str = "1") -> Prover:
    problem = Problem(lower(Generator(text, dimension).expression), dimension, Fraction(shift))
    return Prover(problem, None)


def divergence(text: str, order: str, dimension: int = 1, shift: str = "1", tolerance: str = "1e-9") -> list[Fraction]:
    return list(Orders(prover_of(text, dimension, shift)).renyi(Fraction(order), Fraction(tolerance)))


def encloses(ends: list[Fraction], exact: Any, width: float = 1e-9, digits: str = "1e-11") -> bool:
    """Whether what mpmath finds to some digits lies between the ends, which are as close as that."""
    low, high = (mp.mpf(x.numerator) / x.denominator for x in ends)
    slack = abs(exact) * mp.mpf(digits)
    return bool(low <= exact + slack and exact - slack <= high and high - low <= width * low)


def on_the_line(g: Callable[[Any], Any], order: Any, tilt: Callable[[Any], Any] = lambda loss: 1) -> Any:
    """The mean of p^L q^(1-L) tilt(l) over Z, s = 1, each part between 0, 1 and oo by itself."""
    places = [x for x in PLACES if x < 40]
    whole = 2 * mp.quad(lambda x: mp.exp(-g(x)), places)

    def at(r: Any, b: Any) -> Any:
        return mp.exp(-order * g(r) + (order - 1) * g(b)) * tilt(g(b) - g(r))

    outside = mp.quad(lambda x: at(x, x + 1) + at(x + 1, x), places)
    return (outside + mp.quad(lambda x: at(x, 1 - x), [0, mp.mpf(1) / 2, 1])) / whole


def in_space(g: Callable[[Any], Any], order: Any, dimension: int) -> Any:
    """The same by spheres about the centre, s = 1, and angles: sin^(d-2) in place of an ellipse's coordinates."""

    def mean(r: Any) -> Any:
        def at(t: Any) -> Any:
            b = mp.sqrt(r * r + 1 - 2 * r * mp.cos(t))
            return mp.sin(t) ** (dimension - 2) * mp.exp((order - 1) * g(b))

        return mp.quad(at, [0, mp.pi / 2, mp.pi], maxdegree=5)

    norm = mp.quad(lambda t: mp.sin(t) ** (dimension - 2), [0, mp.pi])
    places = [x for x in PLACES if x < 40]
    whole = mp.quad(lambda r: r ** (dimension - 1) * mp.exp(-g(r)), places)
    part = mp.quad(lambda r: r ** (dimension - 1) * mp.exp(-order * g(r)) * mean(r), places, maxdegree=5)
    return part / norm / whole


def test_laplace_divergences_to_twenty_digits() -> None:
    """Mironov (2017), Proposition 6."""
    with mp.workdps(40):
        for a in (2, 10):
            exact = mp.log(mp.mpf(a) / (2 * a - 1) * mp.exp(a - 1) + mp.mpf(a - 1) / (2 * a - 1) * mp.exp(-a)) / (a - 1)
            assert encloses(divergence("exp(-r)", str(a), tolerance="1e-20"), exact, 1e-20, "1e-30")
        assert encloses(divergence("exp(-r)", "1", tolerance="1e-20"), mp.exp(-1), 1e-20, "1e-30")


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
def test_gaussian_divergences_in_any_dimension(dimension: int) -> None:
    """L Delta^2/2, by integrals."""
    for order in ("1/2", "1", "3"):
        exact = mp.mpf(Fraction(order).numerator) / Fraction(order).denominator / 8
        assert encloses(divergence("exp(-y/2)", order, dimension, "1/2"), exact)


@pytest.mark.parametrize("order", ["1/2", "2"])
@pytest.mark.parametrize(
    ("text", "g"), [("exp(-y**2)", lambda r: r**4), ("1/cosh(r/2)**2", lambda r: 2 * mp.log(mp.cosh(r / 2)))]
)
def test_divergences_on_the_line_against_quadrature(text: str, g: Callable[[Any], Any], order: str) -> None:
    a = mp.mpf(Fraction(order).numerator) / Fraction(order).denominator
    moment = on_the_line(g, a)
    assert encloses(divergence(text, order), mp.log(moment) / (a - 1))


def test_a_kink_that_the_shift_moves_about() -> None:
    """exp(-max(r, 2)): flat up to 2, so that only what one of the two centres has beyond counts."""
    places = [0, 1, 2, 3, 40]
    whole = 2 * (2 * mp.exp(-2) + mp.exp(-2))
    g = lambda x: max(abs(x), mp.mpf(2))  # noqa: E731
    both = [-40, -3, -2, -1, *places]
    exact = mp.log(mp.quad(lambda x: mp.exp(-3 * g(x) + 2 * g(x - 1)), both) / whole) / 2
    assert encloses(divergence("exp(-Max(r, 2))", "3"), exact)


def test_steps_in_three_dimensions_by_shells() -> None:
    """f = 3 up to 1, then 1 up to 2, then e^(-30 r): but for 1e-24 of it, shells, whose lenses have closed forms."""
    lens = lambda a, b: (  # noqa: E731
        4 * mp.pi / 3 * min(a, b) ** 3
        if abs(a - b) >= 1
        else mp.pi * (a + b - 1) ** 2 * (1 + 2 * (a + b) - 3 * (a - b) ** 2) / 12
    )
    one, two = mp.mpf(1), mp.mpf(2)
    whole = 4 * mp.pi / 3 * (3 + 7)
    inner = lens(one, one)
    beside = lens(one, two) - inner
    outer = lens(two, two) - 2 * lens(one, two) + inner
    root = (3 * inner + 2 * mp.sqrt(3) * beside + outer) / whole
    text = "Piecewise((3, r < 1), (1, r < 2), (exp(-30*r), True))"
    assert encloses(divergence(text, "1/2", 3), -2 * mp.log(root), digits="1e-9")


@pytest.mark.campaign
@pytest.mark.parametrize("dimension", [2, 4])
def test_divergences_in_space_against_quadrature(dimension: int) -> None:
    for text, g in (("exp(-r)", lambda r: r), ("exp(-r**(3/2))", lambda r: r ** mp.mpf("1.5"))):
        exact = mp.log(in_space(g, 2, dimension))
        assert encloses(divergence(text, "2", dimension), exact, digits="1e-7")


def test_a_pole_has_divergences_below_an_order_and_none_from_it_on() -> None:
    """r^(-1/2) e^(-r) on the line: the integral near 0 is that of r^(-L/2), finite for L < 2 alone.  With x = t^4 from
    the poles mpmath sees no singularity at order 1/2."""
    problem = prover_of("r**(-1/2)*exp(-r)").problem
    assert infinite(problem, Fraction(2)) and infinite(problem, Fraction(5, 2))
    assert not infinite(problem, Fraction(199, 100))
    a = mp.mpf(1) / 2

    def at(r: Any, b: Any) -> Any:
        return r ** (-a / 2) * mp.exp(-a * r) * b ** (-(1 - a) / 2) * mp.exp(-(1 - a) * b)

    beyond = mp.quad(lambda t: (at(t**4, 1 + t**4) + at(1 + t**4, t**4)) * 4 * t**3, [0, 1, 2, 3])
    between = mp.quad(lambda t: (at(t**4, 1 - t**4) + at(1 - t**4, t**4)) * 4 * t**3, [0, mp.root(mp.mpf(1) / 2, 4)])
    exact = mp.log((beyond + between) / (2 * mp.gamma(mp.mpf(1) / 2))) / (a - 1)
    assert encloses(divergence("r**(-1/2)*exp(-r)", "1/2"), exact)


def test_a_tail_with_divergences_below_an_order_alone() -> None:
    """exp(-e^r): L e^r - (L - 1) e^(r + s) grows for L < 1/(1 - e^(-s)) = 1.58... and tends to -oo beyond."""
    for dimension in (1, 3):
        problem = prover_of("exp(-exp(r))", dimension).problem
        assert infinite(problem, Fraction(8, 5)) and infinite(problem, Fraction(2))
        assert not infinite(problem, Fraction(3, 2))
    assert encloses(divergence("exp(-exp(r))", "3/2"), mp.log(on_the_line(mp.exp, mp.mpf(3) / 2)) * 2)


def test_lighter_tails_than_a_gaussians_have_every_divergence() -> None:
    problem = prover_of("exp(-y**2)", 3).problem
    assert not any(infinite(problem, Fraction(order)) for order in (2, 10, 100))
    found = dpverify.profile("exp(-y**2)", renyi="2", zcdp=True)
    assert [m.verdict for m in found.measures] == ["proved", "refuted"]


def test_an_order_whose_integral_is_taken_far_out() -> None:
    """exp(-r^4) at order 10: the largest value of -10 r^4 + 9 (r + 1)^4 is about e^218958, at about 27."""
    height = lambda r: 9 * (r + 1) ** 4 - 10 * r**4  # noqa: E731
    peak = mp.findroot(lambda r: 36 * (r + 1) ** 3 - 40 * r**3, 27)
    top = height(peak)
    places = [peak + mp.mpf(k) / 4 for k in range(-8, 9)]
    inside = mp.quad(lambda r: mp.exp(height(r) - top), places) / (2 * mp.gamma(mp.mpf(5) / 4))
    assert encloses(divergence("exp(-y**2)", "10"), (mp.log(inside) + top) / 9)


def test_moments_of_the_loss_against_quadrature() -> None:
    """Of the loss and of its square about 1/4, tilted, by which rho is known beside order 1."""
    orders = Orders(prover_of("1/cosh(r/2)**2"))
    g = lambda r: 2 * mp.log(mp.cosh(r / 2))  # noqa: E731
    for power in (1, 2):
        low, high = orders.moment(Tilt(Fraction(3, 2), power, Fraction(1, 4)), Fraction(1, 10**9))
        exact = on_the_line(g, mp.mpf(3) / 2, lambda loss, power=power: (loss - mp.mpf(1) / 4) ** power)
        assert encloses([low, high], exact)


def test_rho_of_laplace_noise_is_kullbacks_divergence() -> None:
    """D_L/L falls in L, so that rho is its limit at 1, which is 1/e."""
    prover = prover_of("exp(-r)")
    prover.pure = Fraction(1), Fraction(1)
    rho = Divergences(prover, Fraction(1, 10**9)).zcdp()
    assert encloses([rho.lower, rho.upper], mp.exp(-1), 3e-9)


@pytest.mark.campaign
def test_rho_that_is_taken_at_an_order_above_one() -> None:
    """A ball with thin walls: D_L/L rises at first.  At least what mpmath finds at an order, and at most that of the
    best order of a fine grid by more than 1e-6."""
    prover = prover_of("1/(1+r**8)")
    from dpverify import verify

    epsilon = verify("1/(1+r**8)").epsilon
    assert epsilon is not None
    prover.pure = epsilon.lower, epsilon.upper
    rho = Divergences(prover, Fraction(1, 1000)).zcdp()
    g = lambda r: mp.log(1 + r**8)  # noqa: E731
    with mp.workdps(12):
        parts = [mp.log(on_the_line(g, a)) / (a - 1) / a for a in (mp.mpf(k) / 8 for k in range(9, 40, 3))]
    assert float(rho.lower) >= max(parts) * (1 - 3e-3) and float(rho.upper) >= max(parts) * (1 - 1e-9)
    assert rho.upper - rho.lower <= rho.lower / 300


def test_what_is_left_out_is_at_least_what_is_there() -> None:
    """Beyond a radius, and about both centres, of a pole on the line."""
    prover = prover_of("r**(-1/2)*exp(-r)")
    ends = Ends(prover.radial())
    size = mp.mpf(ends.radial.size.numerator) / ends.radial.size.denominator
    with precision(100):
        near = ends.left_out(Tilt(Fraction(3, 2)), Fraction(1, 100))
        far = ends.beyond(Tilt(Fraction(3, 2)), Fraction(5), Fraction(6))
    f = lambda r: r ** mp.mpf("-0.5") * mp.exp(-r)  # noqa: E731
    both = lambda r, b: f(r) ** mp.mpf("1.5") * f(b) ** mp.mpf("-0.5") * mp.exp(-size)  # noqa: E731
    inner = lambda t: (both(t**4, 1 + t**4) + both(t**4, 1 - t**4)) * 4 * t**3  # noqa: E731
    assert near >= arb(str(mp.quad(inner, [0, mp.root(mp.mpf(1) / 100, 4)]) / 2))
    beyond = mp.quad(lambda x: both(x, x + 1) + both(x + 1, x), [5, 10, 40]) / 2
    assert far.lower() <= arb(str(beyond)) <= far.upper()


def test_the_order_infinity_is_the_pure_epsilon() -> None:
    """Delta/sigma for Laplace; none for a Gaussian, a pole at the centre, or where f is 0; not for what is no order."""
    (value,) = dpverify.profile("exp(-r)", sensitivity="1/3", renyi="infinity").measures
    assert value.value is not None and value.value.lower == value.value.upper == Fraction(1, 3)
    for text in ("exp(-y/2)", "r**(-1/2)*exp(-r)", "Piecewise((1, r < 1), (0, True))"):
        found = dpverify.profile(text, renyi=["infinity"])
        assert [m.verdict for m in found.measures] == ["refuted"]
    with pytest.raises(InputError):
        dpverify.profile("exp(-r)", renyi="infinite")
