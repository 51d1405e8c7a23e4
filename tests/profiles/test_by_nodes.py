"""Integrals by Gauss's nodes: f on complex balls, the boundary by the form of f, and delta beside Taylor panels."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq

from dpverify import prover
from dpverify.enclosures import Undecided, precision
from dpverify.enclosures.ball import scaled_besselk
from dpverify.enclosures.nodes import walk
from dpverify.findings import Reason
from dpverify.generators import Generator
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile, by_nodes
from dpverify.prover.profile.by_nodes import ByNodes
from dpverify.prover.profile.carried import carried
from dpverify.prover.profile.duals import LOG, SQUARE, R, logarithm, value
from soundness import surveyed

TREES = (
    "exp(-r)",
    "1/cosh(r/2)**2",
    "(1+y/3)**(-5/2)",
    "(1+y)**(-2)",
    "exp(-sqrt(1+y))",
    "exp(-y)+exp(-r)/2",
    "exp(-r)/(3+cos(pi*r))",
    "exp(-log(1+y)**2)",
    "exp(-r)*(2+tanh(r-3))",
    "r/sinh(r)",
    "exp(-r)*(3+atan(r-2))",
    "exp(-r)*(2+atan(1/(1+r)))",
    "exp(-r)*(1+lambertw(r))",
    "exp(-r)/gamma(2+r/10)",
    "r*besselk(1,r)",
    "besselk(0,1+r)",
    "besseli(0,r)*exp(-2*r)",
)
WIDTH = Fraction(1, 10**12)


def problem(text: str, d: int = 3, shift: Fraction = Fraction(1)) -> Problem:
    return prover.problem_of(Generator(text, d, {}), shift)


def enclosed(text: str, d: int, epsilon: str, by_nodes: bool, shift: str = "1") -> tuple[Fraction, Fraction]:
    """delta(eps) by nodes, or by Taylor panels, and which of them it was."""
    profile = Profile(problem(text, d, Fraction(shift)), None)
    profile.alone = by_nodes
    found = profile.at(Fraction(epsilon), WIDTH)
    assert found.accuracy is not None
    assert found.accuracy.by_nodes == by_nodes
    return found.lower, found.upper


@pytest.mark.parametrize("text", TREES)
def test_log_f_and_its_slopes_lie_in_what_is_found_of_them(text: str) -> None:
    node = problem(text).node
    near, at = mp.mpc("1.3", "0.05"), acb(arb("1.3", "0.1"), arb("0", "0.1"))
    with precision(80):
        step = arb(2) ** -20
        for by, change in ((R, 1), (LOG, near), (SQUARE, 1 / (2 * near))):
            value, slope = logarithm(node, by)(at)
            exact, _ = logarithm(node, by)(acb("1.3", "0.05"))
            moved, _ = logarithm(node, by)(acb(arb("1.3") + step, "0.05"))
            assert value.contains(exact.mid())
            quotient = (moved - exact) / step * acb(arb(mp.re(change)), arb(mp.im(change)))
            assert acb(slope).overlaps(quotient)
            assert slope.is_finite()


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("exp(-sqrt(1+y))", lambda r: -r / mp.sqrt(1 + r * r)),
        ("exp(-(3+2*r**3)**(2/3))", lambda r: -4 * r * r * (3 + 2 * r**3) ** (-mp.mpf(1) / 3)),
        ("exp(-(r**(1/2)-1/4)**3)", lambda r: -3 * (mp.sqrt(r) - mp.mpf(1) / 4) ** 2 / (2 * mp.sqrt(r))),
    ],
)
def test_the_slope_of_what_is_almost_a_power_is_almost_known(text: str, slope: Callable[[mp.mpc], mp.mpc]) -> None:
    """By r, on a ball of a tenth: a product of its factors would be as uncertain as each, and off by a fifth."""
    dual = logarithm(problem(text).node, R)
    _, wide = dual(acb(arb(8, 0.8), arb(0, 0.8)))
    for z in (mp.mpc(7.3), mp.mpc(8.7), mp.mpc(8, 0.7), mp.mpc(8, -0.7), mp.mpc(7.5, 0.5)):
        exact = slope(z)
        assert wide.contains(acb(float(exact.real), float(exact.imag)))
    if text == "exp(-sqrt(1+y))":
        assert wide.rad() < 0.01


def test_a_logarithm_that_meets_its_cut_is_not_known() -> None:
    value, _ = logarithm(problem("(1+y)**(-2)").node)(acb(arb(0, 0.1), arb(1, 0.1)))
    assert not value.is_finite()


@pytest.mark.parametrize(
    "text", ["exp(-r)*(1+lambertw(r))", "exp(-r)/gamma(2+r/10)", "r*besselk(1,r)", "besseli(0,r)*exp(-2*r)"]
)
def test_functions_with_a_cut_on_the_left_are_not_known_on_balls_that_meet_it(text: str) -> None:
    found, slope = value(problem(text).node)(acb(arb(-20, 30), arb(0, 1)))
    assert not found.is_finite()
    assert not slope.is_finite()


@pytest.mark.parametrize("x", ["0.125", "7", "20", "41", "63"])
@pytest.mark.parametrize("bits", [64, 120, 190])
def test_bessel_functions_are_known_to_the_bits_that_are_worked_with(x: str, bits: int) -> None:
    """Where Arb's series are slow or lose many bits too; beside mpmath's values."""
    with precision(bits), mp.workprec(bits + 60):
        found = scaled_besselk(fmpq(1, 3), arb(x))
        exact = mp.besselk(mp.mpf(1) / 3, mp.mpf(x)) * mp.exp(mp.mpf(x))
        assert abs(mp.mpf(found.mid().str(90, radius=False)) / exact - 1) < mp.mpf(2) ** (12 - bits)
    assert found.rel_accuracy_bits() > bits - 12


def test_an_arctangent_is_not_known_on_balls_that_meet_its_cut() -> None:
    found, _ = value(problem("exp(-r)*(3+atan(r))").node)(acb(arb(0, 1), arb(2, 1)))
    assert not found.is_finite()


@pytest.mark.parametrize(
    ("text", "f", "d"),
    [
        ("exp(-r)*(2+tanh(r-3))", lambda r: np.exp(-r) * (2 + np.tanh(r - 3)), 3),
        ("exp(-r)*(3+atan(r-2))", lambda r: np.exp(-r) * (3 + np.arctan(r - 2)), 2),
    ],
)
def test_functions_with_poles_off_the_line_are_integrated_at_once(text: str, f: surveyed.Radial, d: int) -> None:
    """Beside a quadrature of the density; in a dozen panels, not in hundreds of them, each given up."""
    profile = Profile(problem(text, d), None)
    profile.alone = True
    found = profile.at(Fraction(1, 2), WIDTH)
    assert found.accuracy is not None
    assert found.accuracy.by_nodes
    assert len(found.panels) < 40
    assert float(found.lower) == pytest.approx(surveyed.divergence(f, d, 0.5, 1.0), rel=surveyed.NEAR)


def test_without_complex_balls_delta_is_found_by_taylor_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not known by nodes may not keep other panels from coming off."""

    def unknown(*_: object) -> object:
        raise Undecided(Reason.NO_COMPLEX_ENCLOSURE(function="besseli"))

    first = enclosed("exp(-r)", 3, "1/2", False)
    monkeypatch.setattr(by_nodes, "logarithm", unknown)
    profile = Profile(problem("exp(-r)"), None)
    profile.alone = True
    found = profile.at(Fraction(1, 2), Fraction(1, 100))
    assert found.lower <= first[1]
    assert first[0] <= found.upper


@pytest.mark.parametrize(
    ("text", "power", "b"),
    [
        ("exp(-2*r)", 1, lambda rho: rho + mp.mpf(1) / 4),
        ("(1+y/3)**(-5/2)", 2, lambda rho: mp.sqrt((3 + rho**2) * mp.exp(mp.mpf(1) / 5) - 3)),
        ("7*exp(-y/2)", 2, lambda rho: mp.sqrt(rho**2 + 1)),
    ],
)
def test_the_boundary_by_the_form_of_f(text: str, power: int, b: object) -> None:
    """f(b) = e^(-1/2) f(rho)."""
    found = carried(problem(text).node, (-arb("0.5")).exp())
    assert found is not None
    assert found.power == power
    value = (found.factor * arb(2) ** power + found.constant) ** (arb(1) / power)
    assert abs(float(value) - float(b(mp.mpf(2)))) < 1e-14  # type: ignore[operator]


@pytest.mark.parametrize("text", ["1/cosh(r/2)**2", "exp(-sqrt(1+y))", "exp(-r)*(2+cos(r))"])
def test_no_boundary_by_the_form_of_an_f_that_has_r_more_than_once_or_within_a_root(text: str) -> None:
    assert carried(problem(text).node, (-arb("0.5")).exp()) is None


@pytest.mark.parametrize("d", [1, 2, 5])
def test_an_integral_of_w(d: int) -> None:
    with precision(100):
        nodes = ByNodes(Profile(problem("(1+y/3)**(-5)", d), None).radial())
        found = nodes.weight(Fraction(1, 3), Fraction(40), arb("1e-15"))
        size = mp.exp(-mp.mpf(str(float(nodes.size))))
        with mp.workdps(30):
            exact = mp.quad(lambda r: r ** (d - 1) * (1 + r * r / 3) ** -5, [mp.mpf(1) / 3, 1, 3, 40]) * size
            assert abs(mp.mpf(found.mid().str(25, radius=False)) - exact) < 1e-14
    assert found.rad() < 1e-13
    assert ctx.prec == 53


@pytest.mark.parametrize(
    ("text", "d", "epsilon", "shift"),
    [
        ("exp(-r)", 1, "1/2", "1"),
        ("exp(-r)", 3, "9/10", "1"),
        ("exp(-r)", 2, "1/3", "1"),
        ("(1+y/3)**(-4)", 5, "1/2", "1"),
        ("(1+y/3)**(-2)", 1, "1/2", "1"),
        pytest.param("1/cosh(r/2)**2", 4, "0", "1", marks=pytest.mark.campaign),
        ("1/cosh(r/2)**2", 3, "1/2", "3"),
        pytest.param("exp(-sqrt(1+y))", 3, "1/4", "1/2", marks=pytest.mark.campaign),
        pytest.param("exp(-r)+exp(-2*r)", 6, "1", "1", marks=pytest.mark.campaign),
        ("exp(-r**3)", 3, "2", "1"),
        pytest.param("Piecewise((exp(-r), r < 1), (exp(-2*r), True))", 3, "1/2", "1", marks=pytest.mark.campaign),
        ("Piecewise((1, r < 1), (exp(-r), True))", 1, "1/2", "1"),
    ],
)
def test_delta_by_nodes_is_delta_by_taylor_panels(text: str, d: int, epsilon: str, shift: str) -> None:
    first, second = (enclosed(text, d, epsilon, by, shift) for by in (True, False))
    assert max(first[0], second[0]) <= min(first[1], second[1])
    assert 0 < first[1] - first[0] <= WIDTH * first[0]


def test_a_function_without_an_equation_of_its_slope_is_not_known_here() -> None:
    """log(1 + e^u) is known as one function, and on no complex ball: so it is said, and not looked for without end."""
    node = problem("-log(1-exp(-1-r))").node
    assert "softplus" in {part.kind for part in walk(node)}
    with pytest.raises(Undecided):
        value(node)
    with pytest.raises(Undecided):
        logarithm(node)
