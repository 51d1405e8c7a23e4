"""Section 3: the penalised mean (Example 3.5)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.mechanisms.strongly_convex import mean
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted

PAPER = "awan-2019:"
PENALISED = lambda omega, lam: omega / (lam + omega) / 2  # noqa: E731


def check_example(formula: Any, effort: Effort) -> str:
    """formula = (sensitivity on the unit ball, coefficient of the Hessian, S(omega, lambda), eps * factor)."""
    import sympy

    sensitivity, hessian, sigma, factor = formula
    b, x, omega, lam = sympy.symbols("b x omega lambda", positive=True)
    if sympy.diff((x - b) ** 2, b, 2) != hessian:
        raise Refuted("the second derivative of (x - b)^2 is 2.")
    inverse = 1 / sympy.diff((x - b) ** 2 + lam * b**2 / omega, b, 2)
    if sympy.simplify(inverse - sigma(omega, lam)) != 0:
        raise Refuted(f"lambda = 1, omega = 2: the inverse second derivative is 1/3, not {sigma(sympy.Integer(2), 1)}.")
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


EXAMPLE = Claim(
    id=PAPER + "example-3.5",
    place="Example 3.5",
    statement="Mean estimation: the sensitivity on the unit ball, the second derivatives, S, and the limit covariance.",
    quotation=Quotation(
        "Assume that the ||X_i|| <= 1 and thus we need only consider ||b|| <= 1. In that case, the sensitivity is "
        "bounded by 4 ... Sigma = (2 lambda Omega^-1 + 2I)^-1 = (1/2)(lambda I + Omega)^-1 Omega ... covariance "
        "(8/eps) Sigma"
    ),
    printed="Delta = 4; -xi'' = 2nI + 2n lambda Omega^-1; S = (2 lambda Omega^-1 + 2I)^-1 = (lambda I + Omega)^-1 "
    "Omega / 2; covariance (8/eps) S",
    hypotheses="||X_i|| <= 1 and ||b|| <= 1",
    check=check_example,
    formula=(4, 2, PENALISED, 8),
    near=(
        Near((4, 2, lambda omega, lam: omega / (lam + omega), 8), "S without the factor 1/2"),
        Near((4, 2, lambda omega, lam: omega**2 / (lam + omega) / 2, 8), "Omega squared in S"),
        Near((4, 2, PENALISED, 4), "covariance (4/eps) S"),
        Near((Fraction(101, 25), 2, PENALISED, 8), "a sensitivity 1 % too large"),
        Near((2, 2, PENALISED, 8), "half the sensitivity"),
    ),
    strength="proved",
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


BASE = Claim(
    id=PAPER + "example-3.5-base-measure",
    place="Example 3.5",
    statement="The sensitivity 4, computed on the unit ball, goes with a Gaussian process base measure.",
    quotation=Quotation(
        "thus we need only consider ||b|| <= 1. In that case, the sensitivity is bounded by 4 ... By choosing a "
        "Gaussian process base measure with mean zero, and covariance C",
        note="whether b is kept to the ball when sampling is not said",
    ),
    printed="a Gaussian process base measure with mean zero and covariance C, and Delta = 4",
    hypotheses="||X_i|| <= 1; read with b anywhere",
    check=check_support,
    formula=lambda b: True,
    near=(
        Near(lambda b: abs(b) <= 3, "on a ball of radius 3"),
        Near(lambda b: 50 * abs(b) <= 111, "on a ball of radius 2.22"),
        Near(
            lambda b: 100 * abs(b) <= 101, "on a ball of radius 1.01", passes="at one record the loss reaches eps at 2"
        ),
    ),
    strength="verified",
    correction=Correction(
        "condition the base measure on ||b|| <= 1, as 'we need only consider ||b|| <= 1' can be read (off the ball the "
        "objective changes by 2 <X_i - X_i', b> + ..., without bound)",
        lambda b: abs(b) <= mean(1).radius,
        "Possibly: with b anywhere and Delta = 4 the release is Gaussian around a point that depends on the data, and "
        "is epsilon-DP for no epsilon; with b kept to the ball it is private as said.",
        "Keep the output to the set on which the sensitivity was computed, by rejection.",
        "verified",
        "ambiguous",
    ),
)
CLAIMS = (EXAMPLE, BASE)
