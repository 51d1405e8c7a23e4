"""Section 3.3.1: kernel density estimates with a Gaussian kernel."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.algebraic import rational_above
from dpverify.mechanisms.sensitivities import density_sensitivity
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show

SENSITIVITY_QUOTED = Quotation(r"&\leq 2 \left( \frac{1}{n(2\pi h^2)^{d/2}} \right)^2.")
RATE_QUOTED = Quotation(
    "We find the noise level to be on the same order as the noise due to the sampling of the points",
    note="'therefore the privacy does not disrupt the rate of convergence of the estimator'",
)


def unit(n: int, h: Fraction, d: int) -> arb:
    """The height 1/(n (2 pi h^2)^(d/2)) of one kernel."""
    return 1 / (n * (2 * arb.pi() * ball(h * h)) ** (ball(Fraction(d, 2))))


def check_sensitivity(claimed: Any, effort: Effort) -> str:
    """claimed(n, h, d) against the squared norm K(x, x) + K(x', x') - 2 K(x, x'), whose supremum it must be."""
    count = 0
    for n, h, d in product((1, 10, 100), (Fraction(1, 10), Fraction(3)), (1, 2, 5)):
        largest = arb(0)
        for k in range(0, 130, effort.pick(9, 1)):
            t = ball(Fraction(k, 10))  # the distance in units of h
            change = unit(n, h, d) ** 2 * (2 - 2 * (-t * t / 2).exp())
            count += 1
            at_most(
                change * (1 - arb("1e-12")),
                claimed(n, h, d),
                f"n = {n}, h = {h}, d = {d}, ||x_n - x_n'|| = {show(t)} h: the squared change is {show(change)}, the "
                f"bound {show(claimed(n, h, d))}.",
            )
            largest = change
        if claimed(n, h, d) > largest * arb("1.0001"):
            raise Refuted(f"n = {n}, h = {h}, d = {d}: the squared change never exceeds {show(largest)}.")
    return f"{count} changes (balls); 2 - 2 exp(-t^2/2) rises to 2, so the bound is the supremum"


def check_rate(claimed: Any, effort: Effort) -> str:
    """claimed(d) = log_n of noise variance, at h = n^(-1/(4+d)), where the sampling variance has -4/(4+d)."""
    for d in range(1, effort.pick(4, 9)):
        values = []
        for k in (100, 200):  # n = e^k, so that the slope of the logarithms is exact up to rounding
            n, h = arb(k).exp(), (-arb(k) / (4 + d)).exp()
            values.append((2 / (n * (2 * arb.pi() * h * h) ** (arb(d) / 2)) ** 2).log())
        slope = (values[1] - values[0]) / 100
        if not abs(slope - ball(claimed(d))) < arb("1e-9"):
            raise Refuted(
                f"d = {d}: with h = n^(-1/{4 + d}) the variance of the noise falls like n^{show(slope)}, that of "
                f"sampling like n^(-4/{4 + d})."
            )
    return f"slopes of c^2 K(x, x) in n for d < {effort.pick(4, 9)} (balls); -8/(4 + d) is below -4/(4 + d)"


CLAIMS = (
    Claim(
        id="hall-2012:section-3.3.1-sensitivity",
        place="Section 3.3.1",
        quotation=SENSITIVITY_QUOTED,
        statement="The sensitivity of a Gaussian kernel density estimate in its own space.",
        printed="||f_D - f_D'||_H^2 <= 2 (1/(n (2 pi h^2)^(d/2)))^2",
        hypotheses="K(x, y) = exp(-||x - y||^2/(2 h^2))",
        check=check_sensitivity,
        formula=lambda n, h, d: ball(rational_above(density_sensitivity(n, h, d), "Delta")) ** 2,
        near=(
            Near(lambda n, h, d: arb("1.98") * unit(n, h, d) ** 2, "1 % less"),
            Near(lambda n, h, d: arb("2.02") * unit(n, h, d) ** 2, "1 % more"),
            Near(lambda n, h, d: 2 * unit(n, h, d), "without the square"),
        ),
        strength="verified",
        argument="functions.txt",
    ),
    Claim(
        id="hall-2012:section-3.3.1-rate",
        place="Section 3.3.1",
        quotation=RATE_QUOTED,
        statement="The order of the noise, next to that of sampling.",
        printed="the noise level is on the same order as the noise due to the sampling: n^(-4/(4+d))",
        hypotheses="h of order n^(-1/(4+d)), T bounded",
        check=check_rate,
        formula=lambda d: Fraction(-4, 4 + d),
        near=(
            Near(lambda d: Fraction(-8, 4 + d) * 101 / 100, "1 % more"),
            Near(lambda d: Fraction(-8, 4 + 2 * d), "2d for d"),
        ),
        strength="verified",
        correction=Correction(
            "of smaller order: the variance of the noise is of order 1/(n h^d)^2 = n^(-8/(4+d)), the square of that of "
            "sampling; so the rate is kept, all the more",
            lambda d: Fraction(-8, 4 + d),
            "None.",
            "Nothing.",
            "verified",
            "slip",
        ),
    ),
)
