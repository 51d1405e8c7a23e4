"""Section 3: the central limit theorems and their example."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.balls import show


def _moment(power: int, slope: arb) -> arb:
    """2 * integral over [0, oo) of z^power exp(-z^2 + slope z)."""
    inside = acb.integral(lambda z, _: z**power * (-z * z + z * slope).exp(), 0, 12).real
    return 2 * (inside + arb(0, arb("1e-50")))  # beyond 12 the integrand is below exp(-130)


def check_limit(formula: Any, effort: Effort) -> str:
    """formula = (factor(Delta/eps), uniform): limit covariance factor * S; uniform: xi'' equicontinuous near b*."""
    factor, uniform = formula
    for spread in (Fraction(1), Fraction(3), Fraction(1, 4)):  # Delta / eps
        for variance in (Fraction(1), Fraction(2, 3)):  # xi quadratic: density exp(-(eps/2 Delta) n (b - b^)^2 / (2 S))
            true = 2 * spread * variance
            if factor(spread) * variance != true:
                raise Refuted(
                    f"quadratic objective, Delta/eps = {spread}, S = {variance}: the variance of sqrt(n)(b~ - b^) is "
                    f"{true}, "
                    f"the formula gives {factor(spread) * variance}."
                )
    if not uniform:
        # -xi_n''/n = 2 - 1/(1 + (n b)^2) is at least 1, and is 1 at b^ = 0 for every n; with eps/(2 Delta) = 1 the
        # density of z = sqrt(n) b lies between exp(-z^2) and exp(-z^2 + (pi/2) |z| / sqrt(n)), up to the same constant
        n = 10**8
        slope = arb.pi() / 2 / arb(n).sqrt()
        above = _moment(2, slope) / _moment(0, arb(0))
        if above < arb("0.6"):
            raise Refuted(
                "-xi_n''(b)/n = 2 - 1/(1 + (n b)^2), eps = 2 Delta: every hypothesis holds with b^ = 0 and S = 1, so "
                "the limit "
                f"variance should be 1; it is at most {show(above)} at n = {n}, and tends to 1/2."
            )
    return (
        "the variance of quadratic objectives is exact; the general case is Taylor's theorem with a uniform remainder"
    )


def check_hilbert(formula: Any, effort: Effort) -> str:
    """formula = (factor, admits(s, c)): S has eigenvalues i^-s, C i^-c; the penalty must be finite almost surely."""
    factor, admits = formula
    terms = effort.pick(100, 400)
    for spread in (Fraction(1), Fraction(3)):
        kappa = 1 / (2 * spread)
        n = 10**14
        reached = sum(Fraction(1, i**2) / (kappa + Fraction(i**2, n)) for i in range(1, terms))  # s = 2, c = 4
        claimed = factor(spread) * sum(Fraction(1, i**2) for i in range(1, terms))
        if abs(reached - claimed) > claimed / 10**6:
            raise Refuted(
                f"S = i^-2, C = i^-4, Delta/eps = {spread}, n = 1e14: the trace of the covariance is {show(reached)}, "
                "the formula "
                f"gives {show(claimed)}."
            )
    for s, c in product(
        (Fraction(2), Fraction(3)), (Fraction(11, 4), Fraction(31, 10), Fraction(4), Fraction(5), Fraction(6))
    ):
        finite = c - s > 1  # sum of C_i / S_i, finite or infinite with probability one
        if admits(s, c) and not finite:
            raise Refuted(
                f"S = i^-{s}, C = i^-{c}: S^-1 C is Hilbert-Schmidt, yet sum b_i^2 / S_i is infinite almost surely "
                "under "
                "N(0, C), so the density exp(eps xi / (2 Delta)) is zero almost everywhere and there is no mechanism."
            )
        if finite and not admits(s, c):
            raise Refuted(f"S = i^-{s}, C = i^-{c}: the penalty is finite almost surely.")
    return (
        "diagonal operators: trace of the covariance at n = 1e14, exact; finiteness of the penalty by the zero-one law"
    )


def check_example(formula: Any, effort: Effort) -> str:
    """formula = (sensitivity on the unit ball, coefficient of the Hessian, S(omega, lambda), eps * factor)."""
    import sympy

    sensitivity, hessian, sigma, factor = formula
    b, x, omega, lam = sympy.symbols("b x omega lambda", positive=True)
    if sympy.diff((x - b) ** 2, b, 2) != hessian:
        raise Refuted("the second derivative of (x - b)^2 is 2.")
    inverse = 1 / sympy.diff((x - b) ** 2 + lam * b**2 / omega, b, 2)
    if sympy.simplify(inverse - sigma(omega, lam)) != 0:
        raise Refuted(f"lambda = 1, omega = 1: the inverse second derivative is 1/4, not {sigma(sympy.Integer(1), 1)}.")
    if sympy.limit(sigma(omega, lam) / omega, omega, 0) != 1 / (2 * lam):
        raise Refuted("S is not nuclear along with Omega.")
    grid = [Fraction(i, effort.pick(4, 10)) for i in range(-effort.pick(4, 10), effort.pick(4, 10) + 1)]
    worst = max(abs((x1 - b1) ** 2 - (x2 - b1) ** 2) for x1, x2, b1 in product(grid, repeat=3))
    if worst != sensitivity:
        raise Refuted(f"on the unit ball the objective changes by up to {worst}, not {sensitivity}.")
    if factor != 2 * sensitivity:
        raise Refuted(f"2 Delta / eps is {2 * worst}/eps.")
    return (
        "derivatives and S identically (SymPy); the sensitivity exact on a grid, and <= 4 since 0 <= ||x - b||^2 <= 4"
    )


def check_support(region: Any, effort: Effort) -> str:
    """One record x = 1 or -1 in R, density exp(-(eps/8)(x - b)^2) for a symmetric base measure on the region."""
    worst = Fraction(0)
    for k in range(effort.pick(20, 200)):
        b = Fraction(k, 5)
        if not region(b):
            continue
        loss = ((1 + b) ** 2 - (1 - b) ** 2) / 8  # in units of eps; the normalising constants agree by symmetry
        worst = max(worst, loss)
        if loss > 1:
            raise Refuted(
                f"H = R, X = 1 against X = -1, b = {b}: the loss is {loss} eps, and it grows with b, so no epsilon "
                "holds."
            )
    return f"losses on a grid of the region, exact: at most {worst} eps; in general 4 eps/(2 * 4) twice"


CLT = "sqrt(n)(b~ - b^) -> N(0, (2 Delta/eps) S)"
CLAIMS = (
    Claim(
        id="awan-2019:theorem-3.2",
        place="Theorem 3.2",
        statement="The exponential mechanism of a strongly convex empirical risk in R^p is asymptotically normal.",
        printed=CLT,
        hypotheses="-xi_n/n twice differentiable, eigenvalues >= alpha; b^ -> b*, -xi_n''(b^)/n -> S^-1; Delta "
        "constant",
        check=check_limit,
        formula=(lambda spread: 2 * spread, False),
        near=(Near((lambda spread: spread, True), "covariance (Delta/eps) S"),),
        strength="verified",
        correction=Correction(
            "the same limit, under the further hypothesis that the -xi_n''/n are equicontinuous near b* (their value "
            "at b^ alone "
            "does not determine the curvature on the scale n^(-1/2))",
            (lambda spread: 2 * spread, True),
            "None: the theorem is about accuracy, the mechanism is private without it.",
            "The covariance (2 Delta/eps) S is right for objectives with a continuous limit of the second derivative.",
            "verified",
        ),
    ),
    Claim(
        id="awan-2019:theorem-3.3",
        place="Theorem 3.3",
        statement="The same in a Hilbert space, with a Gaussian base measure N(0, C).",
        printed=f"S^-1 C Hilbert-Schmidt; {CLT}",
        hypotheses="as Theorem 3.2, S nuclear; S^-1 C Hilbert-Schmidt and bounded on the Cameron-Martin space of C",
        check=check_hilbert,
        formula=(lambda spread: 2 * spread, lambda s, c: 2 * (c - s) > 1),
        near=(Near((lambda spread: spread, lambda s, c: c - s > 1), "covariance (Delta/eps) S"),),
        strength="verified",
        correction=Correction(
            "S^-1 C must be trace class (Hilbert-Schmidt does not suffice for xi to be finite almost surely under "
            "N(0, C)), and "
            "the second derivatives equicontinuous as in Theorem 3.2",
            (lambda spread: 2 * spread, lambda s, c: c - s > 1),
            "None where the mechanism exists. Where it does not, a truncated version run all the same drifts with the "
            "truncation.",
            "Choose C so smooth that sum C_i / S_i is finite.",
            "verified",
        ),
    ),
    Claim(
        id="awan-2019:example-3.5",
        place="Example 3.5",
        statement="Mean estimation: the sensitivity on the unit ball, the second derivatives, S, and the limit "
        "covariance.",
        printed="Delta = 4; -xi'' = 2nI + 2n lambda Omega^-1; S = (2 lambda Omega^-1 + 2I)^-1 = (lambda I + Omega)^-1 "
        "Omega / 2; "
        "covariance (8/eps) S",
        hypotheses="||X_i|| <= 1 and ||b|| <= 1",
        check=check_example,
        formula=(4, 2, lambda omega, lam: omega / (lam + omega) / 2, 8),
        near=(Near((4, 2, lambda omega, lam: omega / (lam + omega), 8), "S without the factor 1/2"),),
        strength="proved",
    ),
    Claim(
        id="awan-2019:example-3.5-base-measure",
        place="Example 3.5",
        statement="The sensitivity 4, computed on the unit ball, is used with a Gaussian base measure on the whole "
        "space.",
        printed="a Gaussian process base measure with mean zero and covariance C, and Delta = 4",
        hypotheses="||X_i|| <= 1; b anywhere",
        check=check_support,
        formula=lambda b: True,
        near=(Near(lambda b: abs(b) <= 3, "on a ball of radius 3"),),
        strength="verified",
        correction=Correction(
            "condition the base measure on ||b|| <= 1 (off the ball the objective changes by 2 <X_i - X_i', b> + ..., "
            "without "
            "bound)",
            lambda b: abs(b) <= 1,
            "Yes: with a Gaussian base measure and Delta = 4 the release is Gaussian around a point that depends on "
            "the data, "
            "and is epsilon-DP for no epsilon.",
            "Restrict the output to the set on which the sensitivity was computed, by rejection.",
            "verified",
        ),
    ),
)
