"""Section 2: seminorms, what an elliptical law is, and when it is a scale mixture (Definition 1, Theorem 1)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "reimherr-awan-2019:"


def _integral_of_square(f: tuple[int, ...]) -> Fraction:
    """The integral over [0, 1] of the square of the polynomial with these coefficients."""
    return sum((Fraction(a * b, i + j + 1) for i, a in enumerate(f) for j, b in enumerate(f)), Fraction(0))


def check_seminorm(exponent: Any, effort: Effort) -> str:
    """p(f) = (integral of f^2)^exponent must be homogeneous and subadditive, on polynomials."""
    if exponent != Fraction(1, 2):
        doubled = 4.0 ** float(exponent)  # p(2f)/p(f), whatever f
        raise Refuted(f"for f = 1 the formula gives p(f) = 1 and p(2f) = {doubled:.4g}; a seminorm has p(2f) = 2.")
    polynomials = list(product(range(-2, 3), repeat=effort.pick(2, 3)))
    for f, g in product(polynomials, repeat=2):
        a, b = _integral_of_square(f), _integral_of_square(g)
        c = _integral_of_square(tuple(x + y for x, y in zip(f, g, strict=True)))
        if c - a - b > 0 and (c - a - b) ** 2 > 4 * a * b:
            raise Refuted(f"p(f + g) > p(f) + p(g) for the polynomials with coefficients {f} and {g}.")
    return f"homogeneity is an identity; the triangle inequality holds exactly for {len(polynomials) ** 2} pairs"


SEMINORM = Claim(
    id=PAPER + "example-1",
    place="Example 1",
    statement="Normed spaces are locally convex: C[0,1] by the sup norm, L2[0,1] by one seminorm.",
    quotation=Quotation(
        "for L2[0, 1] we set I = {1} and define p1(f) = int f^2(t) dt", "restored", "the integral sign is garbled"
    ),
    printed="on L2[0,1], p_1(f) = integral of f(t)^2 dt",
    hypotheses="f in L2[0,1]",
    check=check_seminorm,
    formula=Fraction(1),
    near=(
        Near(Fraction(1, 4), "the fourth root of the integral"),
        Near(Fraction(101, 200), "an exponent off by 1 %"),
    ),
    strength="verified",
    correction=Correction(
        "p_1(f) = (integral of f(t)^2 dt)^(1/2)",
        Fraction(1, 2),
        "None: the example only shows that the space is locally convex.",
        "Take the root.",
        "verified",
        "slip",
    ),
)


def spectral_density(b: Fraction, z: arb) -> arb:
    """The Fourier density of t -> 0F1(; b; -|t|/4) at frequency 1/(4z), up to a positive factor.

    The integral over t > 0 of exp(-p t) 0F1(; b; -t/4) is 1F1(1; b; -1/(4p))/p, here at p = -i/(4z). For b >= 2 its
    real part is 4z times the integral over [0, 1] of (b - 1)(1 - u)^(b - 2) sin(z u), which is never negative, since
    the weight does not rise; a grid finds where it is negative for b < 2.
    """
    return (acb(0, 1) * acb(0, -z).hypgeom_1f1(1, acb(ball(b)))).real


def _spectrum(d: int, effort: Effort) -> tuple[arb, arb]:
    """The least value of the density of the sphere in R^d on a grid of frequencies, and where."""
    grid = [arb(i) / 4 for i in range(1, effort.pick(120, 400))]
    return min(((spectral_density(Fraction(d, 2), z), z) for z in grid), key=lambda pair: float(pair[0].mid()))


def check_definition(admits: Any, effort: Effort) -> str:
    """admits(d, positive on the grid?): whether the uniform law on the sphere of R^d counts as elliptical."""
    met = []
    for d in range(2, effort.pick(7, 9)):
        least, where = _spectrum(d, effort)
        meets = not least < 0
        met += [str(d)] if meets else []
        if not admits(d, meets):
            raise Refuted(
                f"the uniform law on the sphere of R^{d} is elliptical in Fang's theory, but its phi_0 is not positive "
                f"definite over R: its Fourier density has the sign of {show(least)} at frequency "
                f"{show(1 / (4 * where))}."
            )
    return (
        f"the Fourier density of phi_0 (balls, a grid): negative somewhere, except in dimensions {', '.join(met)}, all "
        "admitted"
    )


DEFINITION = Claim(
    id=PAPER + "definition-1",
    place="Definition 1",
    statement="A law is elliptical if its characteristic functional is exp(i g(mu)) phi_0(C(g, g)).",
    quotation=Quotation(
        "where mu in X, C is a symmetric, positive definite, continuous bilinear form on X* x X*, and phi_0 is a "
        "positive definite function over R, which is continuous at 0 and satisfies phi_0(0) = 1.",
        "clear",
        "a real phi_0 given for t >= 0 is positive definite over R only as phi_0(|t|)",
    ),
    printed="phi_0 is positive definite over R",
    hypotheses="the characteristic functional is to define a law on X",
    check=check_definition,
    formula=lambda d, meets: meets,
    near=(
        Near(lambda d, meets: d != 2, "a condition that only the circle fails"),
        Near(lambda d, meets: d != 3, "a condition that only the sphere of R^3 fails"),
    ),
    strength="verified",
    correction=Correction(
        "g -> phi_0(C(g, g)) is positive definite on X* (phi_0(|u|^2) on R^d, in the dimension of the rank of C)",
        lambda d, meets: True,
        "None: the condition is used nowhere else.",
        "Read the condition as one on g -> phi_0(C(g, g)); as printed it leaves out the spheres of R^2 and R^3.",
        "verified",
        "slip",
    ),
)


def kurtosis(first: Fraction, second: Fraction) -> Fraction:
    """E x^4 / (E x^2)^2 of one coordinate, where phi_0(t) = 1 + first t + second t^2 + ..."""
    return 6 * second / first**2


def _bessel(b: Fraction) -> tuple[Fraction, Fraction]:
    """phi_0 = 0F1(; b; -t/4): the sphere of R^d for b = d/2, a density (1 - |x|^2)^(b - d/2 - 1) for b > d/2."""
    return -1 / (4 * b), 1 / (32 * b * (b + 1))


def check_mixture(least: Any, effort: Effort) -> str:
    """least(d) is the smallest kurtosis that elliptical laws of R^d can have; d None is infinite rank."""
    reach = effort.pick(12, 200)
    count = 0
    for d in (5, *range(2, reach)):
        for extra in range(6):
            value = kurtosis(*_bessel(Fraction(d + extra, 2)))
            count += 1
            if value < least(d):
                meets = not _spectrum(d, Effort(True))[0] < 0
                raise Refuted(
                    f"the uniform law on the sphere of R^{d} {'meets' if meets else 'fails'} Definition 1 (its phi_0 "
                    f"is positive definite over R) and has kurtosis {value} in a coordinate; V Z has 3 E V^4 / (E "
                    f"V^2)^2, and so at least 3; the formula claims at least {least(d)}."
                )
            if not extra and value > least(d):
                raise Refuted(f"R^{d}: by E R^4 >= (E R^2)^2 no kurtosis is below {value}; the formula has {least(d)}.")
    sphere = [kurtosis(*_bessel(Fraction(d, 2))) for d in (10**3, 10**6)]
    if not (sphere[0] < sphere[1] < 3 and least(None) == 3 and 3 - sphere[1] < Fraction(1, 10**5)):
        raise Refuted("in infinite rank every section has rank d for all d, and 3d/(d + 2) tends to 3.")
    return (
        f"kurtoses of {count} laws of R^2 to R^{reach - 1}, exact, the sphere's the least; that a law which exists in "
        "every dimension is a mixture is Schoenberg's theorem (1938), cited"
    )


MIXTURE = Claim(
    id=PAPER + "theorem-1",
    place="Theorem 1",
    statement="Every elliptical X is mu + V Z with Z Gaussian and V > 0 independent of Z.",
    quotation=Quotation(
        "Let X in X be an elliptically distributed random variable. Then there exists a mean zero Gaussian process Z "
        "in X with covariance operator C, an element mu in X, and a strictly positive random variable V in R+, that is "
        "independent of Z, and satisfies X =_L mu + V Z.",
        "restored",
        "the display X =_L mu + V Z is displaced by some lines",
    ),
    printed="X =_L mu + V Z, for X in any locally convex space (and so kurtosis 3 at least)",
    hypotheses="X elliptical by Definition 1",
    check=check_mixture,
    formula=lambda d: 3,
    near=(
        Near(lambda d: Fraction(303 * d, 100 * (d + 2)) if d else 3, "a least kurtosis 1 % too large"),
        Near(lambda d: Fraction(3 * d, d + 1) if d else 3, "3d/(d + 1)"),
        Near(lambda d: Fraction(3 * d, d + 4) if d else 3, "3d/(d + 4)"),
    ),
    strength="verified",
    correction=Correction(
        "X = mu + V Z when the dispersion has infinite rank, or when the same phi_0 is elliptical in every dimension; "
        "in R^d in general X = mu + R S^(1/2) U with U uniform on the sphere (least kurtosis 3d/(d + 2)).",
        lambda d: Fraction(3 * d, d + 2) if d else 3,
        "Indirect: for an elliptical noise of R^d that is no mixture, formulas in V (Theorem 5) do not apply.",
        "Before using the law of V in finite dimension, check that the noise is a mixture of Gaussians.",
        "verified",
    ),
)
assert MIXTURE.correction is not None
MIXTURE_POSTER = replace(
    MIXTURE,
    id=PAPER + "theorem-1-poster",
    place="poster, Connection to Gaussian Processes",
    quotation=Quotation("If X in X is elliptical then it can be written as X =_L mu + VZ; V in R is random"),
    printed="X =_L mu + V Z, with V real, random and independent of Z",
    correction=replace(MIXTURE.correction, cause=MIXTURE.id),
)
CLAIMS = (SEMINORM, DEFINITION, MIXTURE, MIXTURE_POSTER)
