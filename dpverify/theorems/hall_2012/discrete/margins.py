"""Section 2.4.2: the one-way margins of a contingency table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

QUOTED = Quotation(
    r"\sup_D \int \|M\theta_D - m\|_1 dP_D(m) \geq c_1 \frac{k^2}{\alpha}.",
    note="c_1 is the universal constant of Proposition 2.4.2's kind; there is no condition on n and alpha",
)


def least(k: int, alpha: arb) -> arb:
    """k / (4 alpha)."""
    return k / (4 * alpha)


def largest(k: int) -> arb:
    """k / 4."""
    return arb(k) / 4


def check_margins(formula: Any, effort: Effort) -> str:
    """formula = (c1 or None for some universal c1, power of k, least n(k, alpha), largest alpha(k) or None)."""
    c1, power, records, most = formula
    if c1 is None and most is None:
        for j in range(0, 25, 4):
            c = arb(10) ** -j
            alpha = 3 / c.sqrt()  # for k = 1: 1/sinh(alpha) <= 6/alpha^3
            if not 1 / alpha.sinh() <= 6 / alpha**3 < c / alpha:
                raise Undecided(Gap.CONSTANT_OPEN(constant="c1", power=j))
            small = c  # for k = 1, n = 1, alpha = c1: the constant answer n/2
            if not arb(1) / 2 < c / small:
                raise Undecided(Gap.CONSTANT_OPEN(constant="c1", power=j))
        raise Refuted(
            "for every c1 > 0, k = 1: at alpha = 3/sqrt(c1) and any n geometric noise has risk 1/sinh(alpha) <= "
            "6/alpha^3 < c1/alpha; and for n = 1, alpha = c1 the constant answer 1/2 has risk 1/2 < c1/alpha "
            "(run for c1 "
            "down to 1e-24)."
        )
    bounds = []
    for k in (1, 2, 3, 5, 10, 30, 300, 10**4):
        for alpha in map(arb, ("1e-7", "0.01", "0.25", "1", "5")):
            if most is not None and not alpha <= most(k):
                continue
            claimed = ball(c1) * arb(k) ** power / alpha
            n = arb(records(k, alpha)).ceil()
            if claimed > k * n / 2:
                raise Refuted(
                    f"k = {k}, alpha = {show(alpha)}, n = {show(n)}: answering n/2 for every margin has risk at most "
                    f"{show(k * n / 2)}, below {show(claimed)}."
                )
            naive = k / (alpha / k).sinh()
            if claimed > naive:
                raise Refuted(
                    f"k = {k}, alpha = {show(alpha)}: geometric noise with alpha/k has risk {show(naive)} < "
                    f"{show(claimed)}."
                )
            tau = (k / (4 * alpha)).floor()
            lower = tau / 2 * k / 10 * (1 - (-arb(7) / 100 * k).exp())
            bounds.append((k, alpha, lower, claimed))
    for k, alpha, lower, claimed in bounds:
        if not lower >= claimed:
            raise Undecided(
                Gap.BOUND_NOT_REACHED(
                    instance=f"k = {k}, alpha = {show(alpha)}", lower=show(lower), claimed=show(claimed)
                )
            )
    return f"{len(bounds)} lower bounds from tau = floor(k/(4 alpha)) records at one vertex of the cube (balls)"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-2.4.5",
        place="Proposition 2.4.5",
        quotation=QUOTED,
        statement="All one-way margins of a 2^k table have l1 risk of order k^2/alpha somewhere.",
        printed="sup_D E ||M theta - m||_1 >= c1 k^2/alpha, for every n and alpha",
        hypotheses="none on n and alpha",
        check=check_margins,
        formula=(None, 2, lambda k, alpha: 1, None),
        near=(
            Near((Fraction(1, 4000), 3, least, largest), "k^3"),
            Near((Fraction(1, 4000), 2, lambda k, alpha: 1, largest), "for every n"),
            Near((Fraction(1, 4), 2, least, largest), "c1 = 1/4"),
            Near(
                (Fraction(101, 400000), 2, least, largest), "c1 1 % larger", "the largest c1 is known up to 1000 only"
            ),
        ),
        strength="verified",
        argument="bounds.txt",
        correction=Correction(
            "for n >= k/(4 alpha) and alpha <= k/4: at least k^2/(4000 alpha)",
            (Fraction(1, 4000), 2, least, largest),
            "None: it is a lower bound on the error.",
            "For few records a constant answer does better than the printed bound, for large alpha geometric noise.",
            "verified",
            cause="hall-2012:proposition-2.4.2",
        ),
    ),
)
