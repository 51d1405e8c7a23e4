"""Sections 2 and 3: seminorms, scale mixtures, and when two elliptical measures are equivalent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import ball, normal_tail


def _integral_of_square(f: tuple[int, ...]) -> Fraction:
    """The integral over [0, 1] of the square of the polynomial with these coefficients."""
    return sum((Fraction(a * b, i + j + 1) for i, a in enumerate(f) for j, b in enumerate(f)), Fraction(0))


def check_seminorm(exponent: Any, effort: Effort) -> str:
    """p(f) = (integral of f^2)^exponent must be homogeneous and subadditive, on polynomials."""
    power = 2 * Fraction(exponent)
    if power != 1:
        raise Refuted(
            f"for f = 1 the formula gives p(f) = 1 and p(2f) = {4.0 ** float(exponent):g}, and a seminorm has p(2f) = "
            "2."
        )
    polynomials = list(product(range(-2, 3), repeat=effort.pick(2, 3)))
    for f, g in product(polynomials, repeat=2):
        a, b = _integral_of_square(f), _integral_of_square(g)
        c = _integral_of_square(tuple(x + y for x, y in zip(f, g, strict=True)))
        if c - a - b > 0 and (c - a - b) ** 2 > 4 * a * b:
            raise Refuted(f"p(f + g) > p(f) + p(g) for the polynomials with coefficients {f} and {g}.")
    return f"homogeneity is an identity; the triangle inequality holds exactly for {len(polynomials) ** 2} pairs"


def _kurtosis(law: str, d: int) -> Fraction:
    """E x^4 / (E x^2)^2 of one coordinate."""
    sphere = Fraction(3 * d, d + 2)
    return {
        "uniform on the sphere": sphere,
        "uniform on the ball": sphere * Fraction(d, d + 4) / Fraction(d, d + 2) ** 2,
        "Gaussian": Fraction(3),
        "Student t, nu = 7": 3 * Fraction(7 - 2, 7 - 4),
        "multivariate Laplace": Fraction(6),
    }[law]


MIXING = {  # E V^4 / (E V^2)^2 for the laws that exist in every dimension
    "Gaussian": Fraction(1),
    "Student t, nu = 7": Fraction(7 - 2, 7 - 4),  # V^2 = nu / chi^2_nu
    "multivariate Laplace": Fraction(2),  # V^2 exponential
}


def check_mixture(claimed: Any, effort: Effort) -> str:
    """claimed(in every dimension?) says whether X = mu + V Z; Jensen's inequality needs kurtosis >= 3."""
    dimensions = range(1, effort.pick(20, 400))
    laws = ("uniform on the sphere", "uniform on the ball", *MIXING)
    for d, law in product(dimensions, laws):
        kurtosis = _kurtosis(law, d)
        mixture = claimed(law in MIXING)
        if mixture and kurtosis < 3:
            raise Refuted(
                f"the law {law} in R^{d} is elliptical and its coordinates have kurtosis {kurtosis} < 3, while "
                f"V Z has kurtosis 3 E V^4 / (E V^2)^2 >= 3."
            )
        if law in MIXING and not mixture:
            raise Refuted(f"the law {law} is V Z with 3 E V^4 / (E V^2)^2 = {3 * MIXING[law]}, in every dimension.")
        if law in MIXING and kurtosis != 3 * MIXING[law]:
            raise Refuted(f"the mixing law of {law} has the wrong fourth moment.")
    return (
        f"kurtoses, exact, in dimensions 1 to {dimensions[-1]}; that a law which exists in every dimension is a "
        "mixture is Schoenberg's theorem (1938), cited"
    )


def check_conditionals(needs: Any, effort: Effort) -> str:
    """needs = (mixing laws equivalent?, conditionals equivalent?): all patterns of zeros on T x X."""
    times, points = 2, effort.pick(2, 3)
    supports = [frozenset(i for i in range(points) if k >> i & 1) for k in range(1, 2**points)]
    mixing = [frozenset(i for i in range(times) if k >> i & 1) for k in range(1, 2**times)]
    count = 0
    for q1, q2 in product(mixing, repeat=2):
        for p1 in product(supports, repeat=times):
            for p2 in product(supports, repeat=times):
                if (needs[0] and q1 != q2) or (needs[1] and any(p1[t] != p2[t] for t in q1)):
                    continue
                count += 1
                one = frozenset().union(*(p1[t] for t in q1))
                two = frozenset().union(*(p2[t] for t in q2))
                if one != two:
                    raise Refuted(
                        f"the mixing laws live on {set(q1)} and {set(q2)}, the conditionals on "
                        f"{[set(s) for s in p1]} and {[set(s) for s in p2]}: the mixtures live on {set(one)} and "
                        f"{set(two)}."
                    )
    swapped = (supports[0], supports[1]), (supports[1], supports[0])
    if supports[0] & supports[1] or frozenset().union(*swapped[0]) != frozenset().union(*swapped[1]):
        raise Refuted("the example after the lemma, orthogonal conditionals with equal mixtures, fails.")
    return (
        f"all {count} patterns of supports on {times} times and {points} points that meet the hypotheses; on a finite "
        "space equivalence depends on supports alone; the converse fails as the paper says"
    )


def check_equivalence(condition: Any, effort: Effort) -> str:
    """C has eigenvalues i^-2 and the mean difference coordinates i^-a; condition(a) claims equivalence."""
    del effort
    risk = arb("1e-6")
    for a in (Fraction(3, 4), Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(7, 4), Fraction(2), Fraction(5, 2)):
        claimed, growth = condition(a), 3 - 2 * a  # sum of i^(2-2a) up to m grows like m^growth
        if growth < 0:
            norm2 = 1 + 1 / ball(-growth)  # 1 + integral of x^(2-2a) over [1, oo)
            affinity = (-norm2 / 8).exp() / 2 + (-norm2 / 32).exp() / 2  # V = 1 or 2, evenly
            if not affinity > 0:
                raise Refuted("the affinity is not bounded away from zero.")
            if not claimed:
                raise Refuted(
                    f"a = {a}: the Cameron-Martin norm is finite, all Hellinger affinities are >= {affinity}."
                )
            continue
        norm2 = arb(1000)  # reached at a finite m, since the sum diverges
        cut = norm2.sqrt() / 2  # the event V g(Z) <= cut
        error = (normal_tail(cut) + normal_tail(cut / 2)) / 2
        if not error < risk:
            raise Refuted("the separating event does not separate.")
        if claimed:
            raise Refuted(
                f"a = {a}: the Cameron-Martin norm diverges, and one linear functional tells the two measures apart "
                f"with both errors below 1e-6, V being 1 or 2."
            )
    return (
        "diagonal C with eigenvalues i^-2, seven decays of the mean, V in {1, 2}: affinities bounded below, or a "
        "separating event (balls); Kakutani's dichotomy for the Gaussian case is cited"
    )


PAPER = (
    Claim(
        id="reimherr-awan-2019:example-1",
        place="Example 1",
        statement="Normed spaces are locally convex: C[0,1] by the sup norm, L2[0,1] by one seminorm.",
        printed="on L2[0,1], p_1(f) = integral of f(t)^2 dt",
        hypotheses="f in L2[0,1]",
        check=check_seminorm,
        formula=Fraction(1),
        near=(Near(Fraction(1, 4), "the fourth root of the integral"),),
        strength="verified",
        correction=Correction(
            "p_1(f) = (integral of f(t)^2 dt)^(1/2)",
            Fraction(1, 2),
            "None: the example only shows that the space is locally convex.",
            "The integral without the root is no seminorm; take the root.",
            "verified",
        ),
    ),
    Claim(
        id="reimherr-awan-2019:theorem-1",
        place="Theorem 1",
        statement="Every elliptical X is mu + V Z with Z Gaussian and V > 0 independent of Z.",
        printed="X =_L mu + V Z, for X in any locally convex space",
        hypotheses="X elliptical",
        check=check_mixture,
        formula=lambda every_dimension: True,
        near=(Near(lambda every_dimension: False, "no elliptical law is a mixture"),),
        strength="verified",
        correction=Correction(
            "X = mu + V Z when the dispersion has infinite rank, or when the same phi_0 is elliptical in every "
            "dimension; in R^d in general X = mu + R S^(1/2) U with U uniform on the sphere.",
            lambda every_dimension: every_dimension,
            "Indirect: for an elliptical noise of R^d that is no mixture, formulas in V (Theorem 5) do not apply.",
            "Before using the law of V in finite dimension, check that the noise is a mixture of Gaussians.",
            "verified",
        ),
    ),
    Claim(
        id="reimherr-awan-2019:lemma-1",
        place="Lemma 1 and its proof in the supplement",
        statement="If T1, T2 have equivalent laws and the laws of X1, X2 given T = t are equivalent for almost all t, "
        "then X1, X2 have equivalent laws; orthogonal conditionals do not make orthogonal mixtures.",
        printed="Q1 ~ Q2 and P1_t ~ P2_t imply P1 ~ P2",
        hypotheses="conditional laws exist",
        check=check_conditionals,
        formula=(True, True),
        near=(Near((False, True), "without equivalence of the mixing laws"),),
        strength="verified",
    ),
    Claim(
        id="reimherr-awan-2019:theorem-2",
        place="Theorem 2",
        statement="E(mu1, C, psi) and E(mu2, C, psi) are equivalent if mu1 - mu2 lies in the Cameron-Martin space of "
        "C, "
        "and orthogonal otherwise.",
        printed="equivalent if mu1 - mu2 in H(C), orthogonal otherwise",
        hypotheses="V > 0",
        check=check_equivalence,
        formula=lambda a: 2 * a - 2 > 1,
        near=(
            Near(lambda a: 2 * a > 1, "with the space itself (finite l2 norm) in place of the Cameron-Martin space"),
        ),
        strength="verified",
    ),
)
POSTER = (
    replace(
        PAPER[1],
        id="reimherr-awan-2019:theorem-1-poster",
        place="poster, Connection to Gaussian Processes",
        printed="X =_L mu + V Z, with V real, random and independent of Z",
    ),
    replace(
        PAPER[3],
        id="reimherr-awan-2019:theorem-2-poster",
        place="poster, Theorem (Equivalence of Measures)",
    ),
)
CLAIMS = (*PAPER, *POSTER)
