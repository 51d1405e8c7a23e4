"""Section 1.3.2: the Gaussian mechanism, and for which alpha its constant serves."""

from __future__ import annotations

from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation
from dpverify.theorems.tools.balls import at_most, gaussian_delta, show

QUOTED = Quotation(
    r"c(\beta) \geq \sqrt{2 \log \frac{2}{\beta}}. \tag{1.9}",
    note="the statement has no condition on alpha; the proof says: 'We also restrict to alpha <= 1'",
)


def square(beta: arb) -> arb:
    """c(beta)^2 as in (1.9)."""
    return 2 * (2 / beta).log()


def check_gaussian(formula: Any, effort: Effort) -> str:
    """formula = (c(beta)^2, largest alpha or None): the exact curve at the smallest noise allowed."""
    squared, largest = formula
    alphas = [arb(k) / 4 for k in range(1, effort.pick(60, 120))]
    if largest is not None:
        alphas = [alpha for alpha in alphas if alpha < largest] + [arb(largest)]
    betas = ("1e-6", "1e-3000", "1e-30", "1e-3", "0.1", "0.5", "0.9", "0.999")
    closest = arb(0)
    for beta in map(arb, betas):
        for alpha in alphas:
            c = squared(beta).sqrt()
            true = gaussian_delta(alpha, alpha / c)  # sensitivity over standard deviation is alpha / c
            at_most(
                true,
                beta,
                f"beyond the proof's alpha <= 1: at beta = {beta.str(2, radius=False)} and alpha = {show(alpha)} noise "
                f"with c(beta) = {show(c)} has the exact beta {true.str(3, radius=False)}.",
            )
            closest = true / beta if true / beta > closest else closest
    return (
        f"{len(alphas) * len(betas)} points of the exact Gaussian curve, alpha up to {show(alphas[-1])} (balls); the "
        f"exact beta is at most {show(closest)} of the promised one"
    )


LARGEST = 4 * arb(2).log()
CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.3.3",
        place="Proposition 1.3.3",
        quotation=QUOTED,
        statement="The Gaussian mechanism with standard deviation c(beta) Delta/alpha is (alpha, beta)-DP.",
        printed="c(beta) >= sqrt(2 log(2/beta)), for every alpha",
        hypotheses="Mahalanobis sensitivity at most Delta_S; alpha <= 1 in the proof, not in the statement",
        check=check_gaussian,
        formula=(square, None),
        near=(
            Near((lambda beta: square(beta) * 99 / 100, arb(1)), "c^2 1 % smaller, alpha at most 1"),
            Near((lambda beta: square(beta) / 2, arb(1)), "c^2 half as large, alpha at most 1"),
            Near((lambda beta: square(beta).sqrt(), arb(1)), "c for c^2, alpha at most 1"),
            Near((square, arb(8)), "alpha at most 8"),
            Near((square, LARGEST * 101 / 100), "alpha 1 % further", "4 log 2 is where the argument ends"),
        ),
        strength="verified",
        argument="noise.txt",
        correction=Correction(
            "the same c(beta) for 0 < alpha <= 1, which its proof assumes; it serves up to alpha = 4 log 2 = 2.772",
            (square, LARGEST),
            "Yes: for large alpha the noise is too small for the promised beta.",
            "Keep alpha at most 4 log 2, or use the exact Gaussian curve.",
            "verified",
        ),
    ),
)
