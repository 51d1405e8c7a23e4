"""Each closed form of f_d against rigorous integration of the definition, as ratios over several radii.

The lemmas are stated in `dpverify.mixtures.recognise`; here each is confirmed, in ball arithmetic and to
twelve digits, over parameters, dimensions and radii.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpverify.enclosures import precision
from dpverify.mixtures import Mixing
from dpverify.mixtures.recognise import BESSEL, DISCRETE, LINEARITY, STUDENT, TRUNCATED, Recognised, recognise
from tests.mixtures.laws import formula, quadrature

RADII = [Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(12)]
POWER_AND_RATES = "v**k*exp(-a*v**2-b/v**2)"


def recognised(text: str, dimension: int, **bound: object) -> Recognised:
    found = recognise(Mixing(text, bound), dimension)
    assert found is not None
    return found


def confirm(text: str, dimension: int, lemma: str, radii: list[Fraction] = RADII, **bound: object) -> None:
    """f_d by the lemma and by integration agree up to one factor."""
    found = recognised(text, dimension, **bound)
    assert lemma in found.lemmas
    direct = quadrature(text, dimension, **bound)
    with precision(160):
        ratios = [formula(found.generator, r) / direct.integral(r, 0) for r in radii]
        for ratio in ratios[1:]:
            quotient = ratio / ratios[0]
            assert quotient.rad() < 1e-12
            assert abs(quotient - 1) < 1e-12


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize(("n", "b"), [("1/3", "1/6"), ("3", "3/2"), ("3", "7"), ("8", "1/5")])
def test_inverse_gamma_gives_student_t(n: str, b: str, dimension: int) -> None:
    confirm("v**(-n-1)*exp(-b/v**2)", dimension, STUDENT, n=n, b=b)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 3, 6])
@pytest.mark.parametrize(("k", "a"), [("1", "1"), ("1", "3/4"), ("0", "1/2"), ("5", "2"), ("-1/2", "1"), ("4/3", "5")])
def test_gamma_gives_bessel(k: str, a: str, dimension: int) -> None:
    confirm("v**k*exp(-a*v**2)", dimension, BESSEL, k=k, a=a)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 4])
@pytest.mark.parametrize(
    ("k", "a", "b"), [("1", "1/2", "1/2"), ("-4", "1", "1"), ("5/2", "3", "1/9"), ("-2", "1/7", "4")]
)
def test_generalised_inverse_gaussian_gives_generalised_hyperbolic(k: str, a: str, b: str, dimension: int) -> None:
    confirm(POWER_AND_RATES, dimension, BESSEL, k=k, a=a, b=b)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("(1+v**2)*exp(-v**2)", 2),
        ("v**-4*exp(-1/v**2) + 3*exp(-v**2/2)", 1),
        ("(v**3 + v)**2*exp(-2*v**2-1/v**2)", 3),
        ("v**-3*exp(-1/v**2) + pi*v**-6*exp(-sqrt(2)/v**2)", 2),
        ("v*exp(-v**2)*cosh(1/v**2/2)*exp(-1/v**2)", 2),
    ],
)
def test_sums_keep_their_constants(text: str, dimension: int) -> None:
    confirm(text, dimension, LINEARITY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("Piecewise((1, v < 1), (0, True))", 3),
        ("Piecewise((0, v < 1), (v**-3, True))", 2),
        ("Piecewise((0, v < 1), (v**-4, True))", 1),
        ("Piecewise((v**3, v < 2), (0, True))", 6),
        ("Piecewise((1, 1 < v and v <= 5/2), (0, True))", 5),
        ("Piecewise((exp(-3/v**2), v < 2), (0, True))", 3),
    ],
)
def test_powers_on_an_interval(text: str, dimension: int) -> None:
    confirm(text, dimension, TRUNCATED, radii=RADII[1:4])


@pytest.mark.slow
def test_powers_on_several_intervals_keep_their_constants() -> None:
    confirm("Piecewise((1, v < 1), (v**-2, True))", 5, LINEARITY, radii=RADII[1:4])


@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_atoms_give_gaussians(dimension: int) -> None:
    found = recognised("1/3: 1, p: 5/2, 0.1: sqrt(2)", dimension, p="2/3")
    assert found.lemmas == (DISCRETE,)
    pairs = [(mpmath.mpf(1) / 3, 1), (mpmath.mpf(2) / 3, 2.5), (mpmath.mpf(1) / 10, mpmath.sqrt(2))]
    with mpmath.workdps(30):
        for r in RADII:
            direct = sum(
                w * s ** (-dimension) * mpmath.exp(-((mpmath.mpf(r.numerator) / r.denominator / s) ** 2) / 2)
                for w, s in pairs
            )
            value = mpmath.mpf(formula(found.generator, r).mid().str(25, radius=False))
            assert abs(value / direct - 1) < 1e-14


@pytest.mark.parametrize(
    "text",
    [
        "v**-4*exp(-3/(2*v**2))",
        "exp(-3/2*v**-2)/v**4",
        "exp(-4*log(v) - 3/v**2/2)",
        "7*pi*(v**2*exp(1/v**2))**(-2)*exp(1/(2*v**2))",
        "(v*exp(1/(2*v**2)))**-3/v",
        "v**-4/exp(v**-2)**(3/2)",
        "sqrt(exp(-3/v**2)*v**-8)",
        "2**(-3/(2*v**2*log(2)))*v**-4",
        "v**-2*(v**-2 + v**-1 - 1/v)*exp(-3/(2*v**2))",
    ],
)
def test_one_law_written_many_ways(text: str) -> None:
    """Student t with 3 degrees of freedom in two dimensions."""
    found = recognised(text, 2)
    assert found.law.startswith("inverse gamma")
    with precision(100):
        ratio = formula(found.generator, Fraction(3)) / formula(found.generator, Fraction(1))
        assert abs(ratio - (arb(4) / (arb(4) / 3)) ** arb(-2.5)) < 1e-20


@pytest.mark.parametrize(
    "text", ["exp(-v)", "v*exp(-v**2)*(1+v)**(1/2)", "v**-4*exp(-1/v)", "v**sqrt(2)*exp(-v**2)", "log(1+v)*exp(-v**2)"]
)
def test_what_is_of_another_form_is_not_recognised(text: str) -> None:
    assert recognise(Mixing(text), 2) is None
