"""Section 5.3, the end: how far the quantiles of neighbouring databases are apart."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show

NOTHING = "None: the mechanism does not change."

# --- Bahadur and Kiefer ---


def _remainder(big: int, slope: Fraction) -> Fraction:
    """N E (median - 1/2 - slope (F_N(1/2) - 1/2))^2 for a uniform sample of odd size N, exact."""
    rank, cross = (big + 1) // 2, Fraction(0)
    for k in range(big + 1):  # k points below 1/2
        weight = Fraction(comb(big, k), 2**big)
        if k >= rank:
            median = Fraction(rank, 2 * (k + 1))
        else:
            median = Fraction(1, 2) + Fraction(rank - k, 2 * (big - k + 1))
        cross += weight * (median - Fraction(1, 2)) * (Fraction(k, big) - Fraction(1, 2))
    return big * (Fraction(1, 4 * (big + 2)) - 2 * slope * cross + slope**2 / (4 * big))


def check_bahadur(formula: Any, effort: Effort) -> str:
    """formula = (slope of the linear term, whether the remainder is said to be smaller than that term)."""
    slope, smaller = formula
    sizes = (27, 81, 243)
    values = [_remainder(big, Fraction(slope)) for big in sizes]
    shown = ", ".join(show(v) for v in values)
    if not smaller:
        other = ", ".join(show(_remainder(big, -Fraction(slope))) for big in sizes)
        raise Refuted(
            f"vacuous: a remainder O_p(n^(-1/2)) is as large as the linear term. Uniform sample, N = {sizes}: N times "
            f"the "
            f"mean square of the remainder is {shown}; with the other sign it is {other}; both are bounded, so the "
            f"line "
            "holds with either sign, and without the term."
        )
    if not (values[1] < values[0] * Fraction(2, 3) and values[2] < values[1] * Fraction(2, 3)):
        raise Refuted(
            f"uniform sample, N = {sizes}: N times the mean square of the remainder is {shown}: it does not vanish."
        )
    return f"uniform sample, N = {sizes}: N times the mean square of the remainder is {shown} (exact), like N^(-1/2)"


BAHADUR = Claim(
    id="hall-2012:section-5.3-bahadur",
    place="Section 5.3, the Bahadur-Kiefer representation",
    statement="The linear term of a sample quantile.",
    printed="h^_theta - h_theta = (F(D, h_theta) - H(h_theta))/H'(h_theta) + O_p(n^(-1/2))",
    hypotheses="H differentiable",
    check=check_bahadur,
    formula=(1, False),
    near=(
        Near((1, True), "the printed sign with o_p(n^(-1/2))"),
        Near((0, True), "no linear term"),
        Near((-2, True), "twice the term"),
        Near((Fraction(-9, 10), True), "the term less 10 %"),
        Near((Fraction(-101, 100), True), "the term 1 % more", "its trace is 1/40000, below the remainder at N = 243"),
    ),
    strength="verified",
    correction=Correction(
        "h^_theta - h_theta = (H(h_theta) - F(D, h_theta))/H'(h_theta) + o_p(n^(-1/2)), with the other sign. With a "
        "remainder O_p(n^(-1/2)), as large as the term itself, the printed line is true and says nothing",
        (-1, True),
        NOTHING,
        "Only differences of two such terms are used, in absolute value.",
        "verified",
        "vacuous",
    ),
    quotation=Quotation(
        "We examine the Bahadur-Kiefer representation for quantiles of an empirical process h^_theta - h_theta = "
        "(F(D, h_theta) - H(h_theta))/dH(h_theta) + O_p(n^{-1/2})"
    ),
)

# --- neighbouring distributions ---


def check_difference(formula: Any, effort: Effort) -> str:
    """formula(n, eps) bounds P(sup |F(D) - F(D')| >= eps): a changed record moves one of n/2 indicators, surely."""
    sizes = range(2, effort.pick(12, 60), 2)
    for n in sizes:
        for eps, true in ((Fraction(2, n), 1), (Fraction(199, 100 * n), 1)):
            at_most(
                arb(true),
                formula(n, eps),
                f"n = {n}, h continuous: changing one record moves F by exactly 2/n somewhere, so by {eps} with "
                f"probability 1, and the bound is {show(formula(n, eps))}.",
            )
    return f"n = 2, 4, ..., {sizes[-1]}: at eps up to 2/n the probability is 1, above it is 0"


def _surely(n: int, eps: Fraction) -> arb:
    return arb(int(eps <= Fraction(2, n)))


DIFFERENCE = Claim(
    id="hall-2012:section-5.3-difference",
    place="Section 5.3",
    statement="The empirical distributions of neighbouring databases are close.",
    printed="P(sup |F(D, t) - F(D', t)| >= eps) <= 4 e^(-2 eps^2 n)",
    hypotheses="by (5.7) and the triangle inequality",
    check=check_difference,
    formula=lambda n, eps: 4 * (-2 * ball(eps) ** 2 * n).exp(),
    near=(
        Near(lambda n, eps: (-(ball(eps) ** 2) * n).exp(), "e^(-eps^2 n)"),
        Near(lambda n, eps: _surely(n, eps * Fraction(101, 100)), "at most 2/n less 1 %"),
        Near(lambda n, eps: _surely(n, 2 * eps), "at most 1/n"),
    ),
    strength="verified",
    correction=Correction(
        "at most 2/n, surely. By (5.7) and the triangle inequality one gets 4 e^(-n eps^2/4)",
        _surely,
        NOTHING,
        "The printed bound fails for n = 2 and 4 alone, and O_p(n^(-1/2)), for which it is used, holds.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "the DKW inequality and the triangle inequality lead to P(sup_t |F(D, t) - F(D', t)| >= epsilon) <= 4 e^{-2 "
        "epsilon^2 n}, therefore |F(D, h_theta) - F(D', h_theta)| = O_p(n^{-1/2})."
    ),
)

# --- the conclusion ---


def check_conclusion(exponent: Any, effort: Effort) -> str:
    """h uniform on [1, 2], N = n/2 values, beta = n^exponent: how often do neighbours' medians differ by e^beta?

    One new value moves the median by one gap between order statistics at most. A gap exceeds t with probability
    (1 - t)^N, and the median is at least 1, so 2 (1 - (e^beta - 1))^N bounds the failures.
    """
    bounds = []
    for n in (10**4, 10**6, 10**8):
        beta = (arb(n).log() * exponent).exp()
        bounds.append(2 * (1 - (beta.exp() - 1)) ** (n // 2))
    if not bounds[-1] < arb("1e-9"):
        raise Refuted(
            f"h uniform on [1, 2], beta = n^{show(arb(exponent))}: at n = 10^8 a gap next to the median is still "
            f"larger "
            f"than beta with probability about {show(bounds[-1] / 2)}."
        )
    return (
        "h uniform on [1, 2], n = 10^4, 10^6, 10^8: neighbours' medians differ by more than e^beta with probability at "
        f"most {', '.join(show(b) for b in bounds)} (balls). What is printed, O_p(n^(-1/2)) against beta = n^(-1/2), "
        "would not do; a gap is O_p(1/n), which does"
    )


CONCLUSION = Claim(
    id="hall-2012:section-5.3-conclusion",
    place="Section 5.3, the last paragraph",
    statement="Quantiles of neighbouring databases have a ratio below e^beta, beta = n^(-1/2), with probability to 1.",
    printed="h^(D)/h^(D') <= 1 + O_p(n^(-1/2))/(h_theta + O_p(n^(-1/2))), so delta is negligible in the limit",
    hypotheses="h has a density that is positive at h_theta > 0",
    check=check_conclusion,
    formula=arb("-0.5"),
    near=(
        Near(arb(-1), "beta = 1/n"),
        Near(arb(-2), "beta = 1/n^2"),
        Near(arb("-0.505"), "an exponent off by 1 %", "every exponent above -1 does"),
    ),
    strength="verified",
    quotation=Quotation(
        "Thus we may achieve the approximate differential privacy with appropriately negligible delta in the limit as "
        "n "
        "grows to infinity."
    ),
)

CLAIMS = (BAHADUR, DIFFERENCE, CONCLUSION)
