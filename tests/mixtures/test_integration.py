"""Rigorous integration: against closed moments, other programs, the tail bound, and what the kernel certifies."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import arb

import dpverify
from dpverify.enclosures import Undecided, exact, precision
from dpverify.mixtures.quadrature import PRECISION
from dpverify.mixtures.supremum import supremum
from dpverify.mixtures.tail import slope_bound, slope_limit
from tests.mixtures.laws import potential, quadrature

TOLERANCE = Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "rate"), [("v**9*exp(-v)", "1"), ("v**9*exp(-v**2)", "2"), ("v**9*exp(-v**(1/3))", "1/3")]
)
@pytest.mark.parametrize("dimension", [1, 4])
def test_moments_are_values_of_gamma(text: str, rate: str, dimension: int) -> None:
    """The integral of v^(9-d-k) exp(-v^a) is Gamma((10-d-k)/a)/a."""
    with precision(PRECISION):
        a = arb(exact(Fraction(rate)))
        for k in (0, 2, 4):
            value = quadrature(text, dimension).integral(Fraction(0), k)
            expected = (arb(10 - dimension - k) / a).gamma() / a
            assert abs(value / expected - 1) < 1e-15


PEERS = {
    "Piecewise((v**3, v < 1), (v**(-3), True))": lambda v: v**3 if v < 1 else v**-3,
    "v**2*exp(-Abs(v-1/3))": lambda v: v**2 * mpmath.exp(-abs(v - mpmath.mpf(1) / 3)),
    "v*Max(exp(-v), exp(-2*v)*2)": lambda v: v * max(mpmath.exp(-v), 2 * mpmath.exp(-2 * v)),
    "v*tanh(v)*exp(-v)": lambda v: v * mpmath.tanh(v) * mpmath.exp(-v),
    "Piecewise((v**3*(2+sin(pi*v)), v < 5), (v**3*exp(-v), True))": lambda v: (
        v**3 * (2 + mpmath.sin(mpmath.pi * v) if v < 5 else mpmath.exp(-v))
    ),
    "v**3*erfc(v/3)": lambda v: v**3 * mpmath.erfc(v / 3),
}


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize("text", PEERS)
def test_integrals_agree_with_another_program(text: str) -> None:
    density = PEERS[text]
    breaks = [mpmath.mpf(1) / 100, mpmath.mpf(1) / 3, mpmath.log(2), 1, 2, 3, 4, 5, 10, 20, 80, mpmath.inf]
    with mpmath.workdps(25), precision(PRECISION):
        rigorous = quadrature(text, 2)
        for r in (mpmath.mpf(1) / 2, mpmath.mpf(3)):
            direct = mpmath.quad(lambda v: density(v) / v**2 * mpmath.exp(-(r**2) / (2 * v * v)), breaks)
            value = mpmath.mpf(rigorous.integral(Fraction(str(float(r))), 0).mid().str(25, radius=False))
            assert abs(value / direct - 1) < 1e-10


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("v**3*exp(-v)", 2),
        ("v**2/(1+v)**5", 1),
        ("v*exp(-log(1+v)**2)", 1),
        ("v*exp(-v**2)", 1),
        ("v*exp(-v**2)", 4),
        ("v**4*exp(-v**2)/(1+v)", 2),
        ("v**4*exp(-v**2-v)", 2),
        ("v**4*exp(-v**2+v)", 3),
        ("v**4*exp(-3*v**2-v**(3/2))", 5),
        ("v**4*exp(-3*v**2+v**(3/2))", 2),  # the remainder of the steepness is negative, and grows
        ("v**6*exp(-v**2+3*v*log(2+v))", 1),
        ("exp(-v-1/v)", 3),
    ],
)
def test_the_tail_bound_holds_and_is_not_idle(text: str, dimension: int) -> None:
    """g'(s) = s E_s[V^-2] at radii beyond R, against the bound that is claimed for all of them."""
    g = potential(text, dimension)
    with precision(PRECISION):
        for reach in (Fraction(512), Fraction(4096)):
            bound = slope_bound(g, reach)
            slopes = [g.mean(s) * exact(s) for s in (reach, reach * 9 / 8, 2 * reach, 40 * reach)]
            assert all(slope <= bound for slope in slopes)
            assert bound < 2 * max(float(slope.mid()) for slope in slopes) + 0.1


def test_the_tail_bound_refuses_a_radius_that_is_too_small() -> None:
    with precision(PRECISION), pytest.raises(Undecided):
        slope_bound(potential("v**3*exp(-v)", 2), Fraction(1, 100))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "limit"), [("v*exp(-v**2)", 2**0.5), ("v*exp(-3*v**2+v)", 6**0.5), ("v*exp(-v)", 0)])
def test_the_slope_in_the_limit(text: str, limit: float) -> None:
    g = potential(text, 1)
    with precision(PRECISION):
        assert abs(float(slope_limit(g.quadrature.infinity).mid()) - limit) < 1e-12
        assert abs(float((g.mean(Fraction(10**6)) * 10**6).mid()) - limit) < 0.02


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("text", "dimension", "delta", "bound"),
    [
        ("v**(-n-1)*exp(-n/(2*v**2))", 2, "1", {"n": "3"}),
        ("v**(-n-1)*exp(-n/(2*v**2))", 5, "1/10", {"n": "4"}),
        ("v**k*exp(-v**2)", 1, "2", {"k": "4"}),
        ("v**k*exp(-v**2)", 3, "1", {"k": "6"}),
        ("exp(-v**2-1/v**2)", 4, "3", {}),
        ("Piecewise((0, v < 1), (v**-4*exp(-1/v**2), True))", 1, "1", {}),
    ],
)
def test_integration_agrees_with_the_certified_formula(
    text: str, dimension: int, delta: str, bound: dict[str, str]
) -> None:
    certified = dpverify.verify(mixing=text, dimension=dimension, sensitivity=delta, replay=True, parameters=bound)
    assert certified.verdict == "private" and certified.epsilon and certified.certificate
    with precision(PRECISION):
        direct = supremum(potential(text, dimension, Fraction(delta), **bound), TOLERANCE, lambda: None)
    assert direct.lower <= certified.epsilon.upper
    assert certified.epsilon.lower <= direct.upper
    assert direct.upper - direct.lower < 10 * TOLERANCE * max(1, direct.upper)


@pytest.mark.slow
def test_the_mean_falls_so_its_ends_bound_the_slope() -> None:
    g = potential("v**3*exp(-v)", 2)
    with precision(PRECISION):
        means = [g.mean(Fraction(k, 4)) for k in range(1, 60)]
        assert all(later < earlier for earlier, later in pairwise(means))


@pytest.mark.slow
@pytest.mark.parametrize("delta", [Fraction(1), Fraction(1, 50)])
@pytest.mark.parametrize(
    ("a", "b"), [(Fraction(1, 4), Fraction(1)), (Fraction(2), Fraction(3)), (Fraction(9), Fraction(14))]
)
def test_slopes_of_the_loss_are_bounded(a: Fraction, b: Fraction, delta: Fraction) -> None:
    g = potential("v**3*exp(-v)", 2, delta)
    with precision(PRECISION):
        least, most = g.loss_slopes(a, b)
        points = [(r, g.loss(r)) for r in (a + (b - a) * k / 5 for k in range(6))]
        for (r, low), (s, high) in pairwise(points):
            slope = (high - low) / exact(s - r)
            assert slope >= least
            assert slope <= most
