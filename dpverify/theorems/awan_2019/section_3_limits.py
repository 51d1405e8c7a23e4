"""Section 3: the central limit theorems (Theorems 3.2 and 3.3, Remark 3.4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "awan-2019:"
CLT = "sqrt(n)(b~ - b^) -> N(0, (2 Delta/eps) S)"


def _moment(power: int, curvature: Any) -> arb:
    """2 * integral over [0, 12] of z^power exp(-curvature(z)), with all that lies beyond."""
    inside = acb.integral(lambda z, _: z**power * (-curvature(z)).exp(), 0, 12).real
    return 2 * (inside + arb(0, arb("1e-50")))  # beyond 12 the integrand is below exp(-130)


def variance_of_the_kinked_objective() -> arb:
    """An upper bound of the limit variance where -xi_n''(b)/n = 2 - 1/(1 + (n b)^2), eps = 2 Delta, n = 1e8.

    Every hypothesis of Theorem 3.2 holds with b^ = 0 and S = 1; the density of z = sqrt(n) b lies between exp(-z^2)
    and exp(-z^2 + (pi/2) |z| / sqrt(n)), up to the same constant.
    """
    slope = arb.pi() / 2 / arb(10**8).sqrt()
    return _moment(2, lambda z: z * z - z * slope) / _moment(0, lambda z: z * z)


def check_uniform(uniform: bool) -> str:
    """Whether the hypotheses suffice where the second derivatives need not be equicontinuous."""
    above = variance_of_the_kinked_objective()
    if not uniform and above < arb("0.6"):
        raise Refuted(
            "-xi_n''(b)/n = 2 - 1/(1 + (n b)^2), eps = 2 Delta: every hypothesis holds with b^ = 0 and S = 1, so the "
            f"limit variance should be 1; it is at most {show(above)} at n = 1e8, and tends to 1/2."
        )
    return f"where the second derivatives are not equicontinuous the variance is at most {show(above)} instead of 1"


def check_limit(formula: Any, effort: Effort) -> str:
    """formula = (factor(Delta/eps), uniform): limit covariance factor * S; uniform: xi'' equicontinuous near b*."""
    factor, uniform = formula
    worst, n = arb(0), arb(10**10)
    for spread, s in product((Fraction(1), Fraction(3), Fraction(1, 4)), (Fraction(1), Fraction(2, 3))):
        weight = 1 / (4 * ball(spread) * ball(s))  # (eps/(2 Delta)) n (b - b^)^2/(2 S), and a quartic term of xi_n/n
        scale = weight.sqrt()

        def exponent(z: acb, scale: arb = scale) -> acb:
            return z * z + z**4 / (n * scale**2)

        true = _moment(2, exponent) / _moment(0, exponent) / weight
        claimed = ball(factor(spread)) * ball(s)
        gap = abs(true / claimed - 1)
        if gap > arb("1e-6"):
            raise Refuted(
                f"-xi_n/n = b^2/(2 S) + 4 (Delta/eps) b^4/S, Delta/eps = {spread}, S = {s}, n = 1e10: the variance of "
                f"sqrt(n)(b~ - b^) is {show(true)}, the formula gives {show(claimed)}."
            )
        worst = gap if gap > worst else worst
    return (
        f"six objectives with a quartic term, n = 1e10: variances within {show(worst)} of the claim; "
        f"{check_uniform(uniform)}"
    )


EQUICONTINUOUS = Correction(
    "the same limit, under the further hypothesis that the -xi_n''/n are equicontinuous near b* (their value at b^ "
    "alone does not determine the curvature on the scale n^(-1/2))",
    (lambda spread: 2 * spread, True),
    "None: the theorem is about accuracy, the mechanism is private without it.",
    "The covariance (2 Delta/eps) S is right for objectives with a continuous limit of the second derivative.",
    "verified",
)
FINITE = Claim(
    id=PAPER + "theorem-3.2",
    place="Theorem 3.2",
    statement="The exponential mechanism of a strongly convex empirical risk in R^p is asymptotically normal.",
    quotation=Quotation(
        "the minimizers satisfy b^ -> b* in R^p and -n^-1 xi_n(b^)'' -> Sigma^-1 where Sigma is a p x p positive "
        "definite matrix ... Then the sanitized value b~ drawn from the exponential mechanism with privacy parameter "
        "eps is asymptotically normal sqrt(n)(b~ - b^) -> N_p(0, (2 Delta/eps) Sigma)."
    ),
    printed=CLT,
    hypotheses="-xi_n/n twice differentiable, eigenvalues >= alpha; b^ -> b*, -xi_n''(b^)/n -> S^-1; Delta constant",
    check=check_limit,
    formula=(lambda spread: 2 * spread, False),
    near=(
        Near((lambda spread: spread, True), "covariance (Delta/eps) S"),
        Near((lambda spread: 2 * spread**2, True), "covariance 2 (Delta/eps)^2 S"),
        Near((lambda spread: Fraction(101, 50) * spread, True), "2.02 in place of 2"),
    ),
    strength="verified",
    correction=EQUICONTINUOUS,
)


def _trace(spread: Fraction, s: int, c: int, n: int, terms: int) -> Fraction:
    """The trace of n cov(b~) over the first eigenvalues, S = i^-s, base measure C = i^-c, quadratic objective."""
    kappa = 1 / (2 * spread)
    return sum((1 / (kappa * i**s + Fraction(i**c, n)) for i in range(1, terms + 1)), Fraction(0))


def check_hilbert(formula: Any, effort: Effort) -> str:
    """formula = (factor, uniform): as in R^p, with eigenvalues S = i^-s and base measure N(0, C), C = i^-c."""
    factor, uniform = formula
    terms, n, worst = effort.pick(30, 100), 10**24, Fraction(0)
    for spread, (s, c) in product((Fraction(1), Fraction(3)), ((2, 3), (2, 4), (3, 4), (3, 6))):
        reached = _trace(spread, s, c, n, terms)
        claimed = factor(spread) * sum(Fraction(1, i**s) for i in range(1, terms + 1))
        gap = abs(reached / claimed - 1)
        if gap > Fraction(1, 10**6):
            raise Refuted(
                f"S = i^-{s}, C = i^-{c}, Delta/eps = {spread}, n = 1e24: the trace of the covariance over {terms} "
                f"eigenvalues is {show(reached)}, the formula gives {show(claimed)}."
            )
        worst = max(worst, gap)
    return (
        f"diagonal operators with S^-1 C Hilbert-Schmidt: traces over {terms} eigenvalues at n = 1e24, exact, within "
        f"{show(worst)}; {check_uniform(uniform)}; the Feldman-Hajek theorem, which the condition on S^-1 C is, is "
        "cited"
    )


HILBERT = Claim(
    id=PAPER + "theorem-3.3",
    place="Theorem 3.3",
    statement="The same in a Hilbert space, with a Gaussian base measure N(0, C).",
    quotation=Quotation(
        "Assume the base measure is taken to be a Gaussian process, nu ~ N_H(0, C), such that Sigma^-1 C is "
        "Hilbert-Schmidt, Sigma^-1 C is bounded with respect to the Cameron-Martin space (CMS) of C, and b^ lies in "
        "the CMS of C for all n. Then the sanitized estimate b~ is asymptotically normal",
        note="hypothesis 1 asks for twice differentiable objectives on all of H",
    ),
    printed=f"S^-1 C Hilbert-Schmidt; {CLT}",
    hypotheses="as Theorem 3.2, S nuclear; S^-1 C Hilbert-Schmidt and bounded on the Cameron-Martin space of C",
    check=check_hilbert,
    formula=(lambda spread: 2 * spread, False),
    near=(
        Near((lambda spread: spread, True), "covariance (Delta/eps) S"),
        Near((lambda spread: 2 * spread**2, True), "covariance 2 (Delta/eps)^2 S"),
        Near((lambda spread: Fraction(101, 50) * spread, True), "2.02 in place of 2"),
    ),
    strength="verified",
    correction=Correction(
        "the second derivatives equicontinuous near b*, as in Theorem 3.2; Hilbert-Schmidt is the condition that is "
        "needed",
        EQUICONTINUOUS.formula,
        EQUICONTINUOUS.privacy,
        EQUICONTINUOUS.meaning,
        "verified",
        cause=FINITE.id,
    ),
)


def check_tight(tight: Any, effort: Effort) -> str:
    """tight(s): whether the laws of sqrt(n)(b~ - b^) are tight for S = i^-s, C = i^-(s + 1); Delta = eps."""
    terms, rows = effort.pick((100, 400, 1600), (100, 1000, 10000)), {}
    for s in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(51, 50), Fraction(3, 2), Fraction(2), Fraction(3)):
        traces = []
        for count in terms:  # n so large that the base measure counts little in these eigenvalues
            n = arb(count) ** 4 * 100
            powers = ((ball(s) * arb(i).log()).exp() for i in range(1, count + 1))
            traces.append(sum((1 / (p / 2 + p * i / n) for i, p in enumerate(powers, 1)), arb(0)))
        bounded = bool(2 * ball(s).zeta() > traces[-1]) if s > 1 else not traces[-1] - traces[-2] > arb("0.5")
        rows[s] = traces
        if tight(s) != bounded:
            raise Refuted(
                f"S = i^-{s}: E||sqrt(n)(b~ - b^)||^2 over {', '.join(map(str, terms))} eigenvalues is "
                f"{', '.join(map(show, traces))}, {f'below 2 zeta({s}) for every n' if bounded else 'without bound'}."
            )
    return (
        f"traces at {len(rows)} decays of S (balls): bounded by 2 zeta(s) for s > 1, growing otherwise; the laws are "
        "Gaussian"
    )


REMARK = Claim(
    id=PAPER + "section-3-remark-3.4",
    place="Remark 3.4",
    statement="If S is bounded but not nuclear, the laws of sqrt(n)(b~ - b^) need not be tight.",
    quotation=Quotation(
        "if one assumed only that Sigma was bounded, then the sequence of measures need not be tight and thus one does "
        "not get convergence in the strong topology in H"
    ),
    printed="tight if S is nuclear, and not always if S is only bounded",
    hypotheses="quadratic objectives, S diagonal",
    check=check_tight,
    formula=lambda s: s > 1,
    near=(
        Near(lambda s: s >= 0, "tight for every bounded S"),
        Near(lambda s: 2 * s > 1, "tight if S is Hilbert-Schmidt"),
        Near(lambda s: s >= 1, "tight also at the boundary, S = 1/i"),
        Near(lambda s: s > Fraction(11, 10), "tight from the exponent 1.1 on"),
    ),
    strength="verified",
)
CLAIMS = (FINITE, HILBERT, REMARK)
