"""Section 4.2: the kernel density estimate, its error and its bandwidth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

# --- (4.2) ---


def _bias(h: arb, d: int) -> arb:
    """The squared bias, integrated over R^d, of the estimate of N(0, I): three Gaussian integrals."""
    scale = (4 * arb.pi()) ** (-ball(Fraction(d, 2)))
    half = -ball(Fraction(d, 2))
    return scale * ((1 + h * h) ** half - 2 * (1 + h * h / 2) ** half + 1)


def _variance(h: arb, d: int) -> arb:
    """n times the variance, integrated over R^d, of the same estimate."""
    half = -ball(Fraction(d, 2))
    return (4 * arb.pi()) ** half * (h ** (-d) - (1 + h * h) ** half)


def check_error(powers: Any, effort: Effort) -> str:
    """powers(d) = those of h in squared bias and in n times the variance, for the density N(0, I)."""
    dimensions = range(1, effort.pick(4, 9))
    for d in dimensions:
        for name, value, power in zip(("squared bias", "variance"), (_bias, _variance), powers(d), strict=True):
            with ctx.workprec(256):  # the bias is what three nearly equal integrals leave
                small, smaller = arb("1e-4"), arb("1e-5")
                slope = (value(small, d) / value(smaller, d)).log() / arb(10).log()
            if not abs(slope - power) < arb("1e-3"):
                raise Refuted(f"f = N(0, I), d = {d}: the {name} is of order h^{show(slope)}, not h^{power}.")
    return (
        f"exact errors for f = N(0, I) on R^d, d < {dimensions.stop}, at two bandwidths (balls). It is an order, not "
        f"an "
        "equality, and f has to be smooth across the border of the cube"
    )


ERROR = Claim(
    id="hall-2012:equation-4.2",
    place="(4.2)",
    statement="The mean integrated squared error of the kernel density estimate.",
    printed="E int (f^ - f)^2 = c1 h^4 + c2/(n h^d)",
    hypotheses="independent data, suitable regularity of f",
    check=check_error,
    formula=lambda d: (4, -d),
    near=(
        Near(lambda d: (3, -d), "h^3"),
        Near(lambda d: (4, 1 - d), "1/(n h^(d-1))"),
        Near(lambda d: (4, -2 * d), "1/(n h^(2d))"),
    ),
    strength="verified",
    quotation=Quotation(
        "When the data arrive iid from some underlying density f, and under suitable regularity conditions on f ... "
        "then the estimator (4.1) enjoys the minimax rate of convergence E int_{[0,1]^d} (f^_X(x) - f(x))^2 dx = "
        "c_1 h^4 + c_2/(n h^d) = O(n^{-4/(4+d)})",
        note="The differential dx is missing in the extraction.",
    ),
)

# --- (4.3) ---


def check_bandwidth(exponent: Any, effort: Effort) -> str:
    """h = n^exponent(d): the larger of h^4 and 1/(n h^d) must be as small as any bandwidth makes it."""
    dimensions = range(1, effort.pick(10, 50))
    for d in dimensions:
        h, best = exponent(d), Fraction(-4, 4 + d)
        bias, variance = 4 * h, -1 - d * h
        if max(bias, variance) != best:
            raise Refuted(f"d = {d}: h^4 = n^({bias}) and 1/(n h^d) = n^({variance}), and n^({best}) can be had.")
    return f"exponents, exact, d < {dimensions.stop}; 4 h rises and -1 - d h falls with h, so they meet once"


BANDWIDTH = Claim(
    id="hall-2012:equation-4.3",
    place="(4.3)",
    statement="The bandwidth that balances squared bias h^4 and variance 1/(n h^d), and the rate it gives.",
    printed="h = O(n^(-1/(4+d))), rate n^(-4/(4+d))",
    hypotheses="(4.2)",
    check=check_bandwidth,
    formula=lambda d: Fraction(-1, 4 + d),
    near=(
        Near(lambda d: Fraction(-1, 3 + d), "h = n^(-1/(3+d))"),
        Near(lambda d: Fraction(-1, 5 + d), "h = n^(-1/(5+d))"),
        Near(lambda d: Fraction(-101, 100 * (4 + d)), "an exponent off by 1 %"),
    ),
    strength="proved",
    quotation=Quotation("the latter rate is attained by choosing h = h_n = O(n^{-1/(4+d)})."),
)

CLAIMS = (ERROR, BANDWIDTH)
