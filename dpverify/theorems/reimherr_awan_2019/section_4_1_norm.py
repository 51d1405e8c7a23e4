"""Section 4.1: the Cameron-Martin norm of R^d."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "reimherr-awan-2019:"


def check_norm(formula: Any, effort: Effort) -> str:
    """formula(h, S) against sup of g'h over g' S g <= 1, on S = L L' with h = L (3k, 4k): the norm is 5k."""
    count = 0
    for a, b, c in product(range(1, effort.pick(3, 6)), range(-1, 2), range(1, 4)):
        s = ((a * a, a * b), (a * b, b * b + c * c))  # L = ((a, 0), (b, c))
        for k in (Fraction(1, 10), Fraction(1), Fraction(2)):
            h, true = (3 * k * a, 3 * k * b + 4 * k * c), 5 * k
            det = s[0][0] * s[1][1] - s[0][1] ** 2
            g = ((s[1][1] * h[0] - s[0][1] * h[1]) / det, (s[0][0] * h[1] - s[0][1] * h[0]) / det)  # S^-1 h
            squared = s[0][0] * g[0] ** 2 + 2 * s[0][1] * g[0] * g[1] + s[1][1] * g[1] ** 2
            if squared != true**2 or (g[0] * h[0] + g[1] * h[1]) ** 2 != true**2 * squared:
                raise Refuted(f"S = {s}, h = {h}: the supremum is not attained at S^-1 h.")
            claimed = formula(h, s)
            count += 1
            if not abs(claimed - ball(true)) < arb("1e-9"):
                raise Refuted(
                    f"S = {s}, h = ({h[0]}, {h[1]}): sup of g'h over g' S g <= 1 is {true}, the formula gives "
                    f"{show(claimed)}."
                )
    return (
        f"{count} pairs of S and h, S not diagonal: the dual supremum, exact, attained at g = S^-1 h (Cauchy-Schwarz)"
    )


def quadratic(h: Any, s: Any) -> arb:
    """h' S^-1 h."""
    det = s[0][0] * s[1][1] - s[0][1] ** 2
    return ball(Fraction(s[1][1] * h[0] ** 2 - 2 * s[0][1] * h[0] * h[1] + s[0][0] * h[1] ** 2) / det)


def direct(h: Any, s: Any) -> arb:
    """h' S h."""
    return ball(Fraction(s[0][0] * h[0] ** 2 + 2 * s[0][1] * h[0] * h[1] + s[1][1] * h[1] ** 2))


NORM = Claim(
    id=PAPER + "section-4.1-norm",
    place="Section 4.1, before Theorem 3",
    statement="The Cameron-Martin norm of R^d with covariance S.",
    quotation=Quotation(
        "The Cameron-Martin norm can be expressed as ||g||_H = g^T Sigma^-1 g.", "restored", "signs of norm and "
        "transpose"
    ),
    printed="||g||_H = g' S^-1 g",
    hypotheses="S positive definite",
    check=check_norm,
    formula=quadratic,
    near=(
        Near(lambda h, s: direct(h, s).sqrt(), "S in place of its inverse"),
        Near(lambda h, s: arb("1.01") * quadratic(h, s).sqrt(), "1 % too large"),
        Near(lambda h, s: 2 * quadratic(h, s).sqrt(), "twice the norm"),
    ),
    strength="verified",
    correction=Correction(
        "||g||_H = (g' S^-1 g)^(1/2) = ||S^-1/2 g||_2, as Theorem 3 has it in its definition of Delta",
        lambda h, s: quadratic(h, s).sqrt(),
        "Possibly: a sensitivity below 1 in the printed norm is its own square, which is smaller; Theorem 3 itself "
        "prints the right one, two lines below.",
        "Take the root.",
        "verified",
        "slip",
    ),
)  # fmt: skip
CLAIMS = (NORM,)
