"""Section 2.4: packings of the cube, and dense histograms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, comb
from typing import Any

from flint import arb

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PACKING_QUOTED = Quotation(r"|S| \geq \exp\{c_0 m\},$$ for some universal constant  $c_0 > 0$ .")
RISK_QUOTED = Quotation(
    r"R_{\alpha,0}^*(\theta) \geq c_1 \frac{p-1}{\alpha},$$ for some universal constant  $c_1$ .",
    note="the only conditions are p > 6 and n >= c_0 (p - 1)/alpha",
)
LAPLACE_QUOTED = Quotation(r"to use the technique of Proposition 1.3.1, with  $\Delta_1 = 2$ ")


def check_packing(formula: Any, effort: Effort) -> str:
    """formula = (distance/m, c0): Gilbert and Varshamov from below, Hamming and Plotkin from above."""
    fraction, c0 = formula
    largest = effort.pick(400, 800)
    for m in range(6, largest):
        wanted, distance = ball(c0 * m).exp(), ceil(fraction * m)
        most = arb(2) ** m / sum(comb(m, i) for i in range((distance - 1) // 2 + 1))
        if 2 * distance > m and ball(Fraction(2 * distance, 2 * distance - m)) < most:
            most = ball(Fraction(2 * distance, 2 * distance - m))
        if wanted > most:
            raise Refuted(f"m = {m}: at most {show(most)} points lie that far apart, {show(wanted)} are claimed.")
    for m in range(6, largest):
        wanted, distance = ball(c0 * m).exp(), ceil(fraction * m)
        if not arb(2) ** m / sum(comb(m, i) for i in range(distance)) >= wanted:
            raise Undecided(Gap.TOO_FEW_POINTS(m=m, wanted=show(wanted)))
    entropy = -(ball(fraction) * ball(fraction).log() + ball(1 - fraction) * ball(1 - fraction).log())
    if not (2 * fraction <= 1 and arb(2).log() - entropy > ball(c0)):
        raise Undecided(Gap.EXPONENT_OPEN(exponent=show(arb(2).log() - entropy)))
    return f"counts for m < {largest}, exact; for all m the exponent is at least {show(arb(2).log() - entropy)}"


def _geometric(p: int, alpha: arb) -> arb:
    """The l1 risk of two-sided geometric noise with parameter alpha/2 in each of p bins."""
    return p / (alpha / 2).sinh()


def check_histogram(formula: Any, effort: Effort) -> str:
    """formula = (c1 or None for some universal c1, power of p - 1, largest alpha, least p)."""
    c1, power, largest, least = formula
    if c1 is None and largest is None:
        shown = []
        for k in range(0, 25, 4):  # alpha = 8/sqrt(c1): sinh(x) >= x^3/6 gives a risk of at most 48 p/alpha^3
            c, p = arb(10) ** -k, 7
            alpha = 8 / c.sqrt()
            if not _geometric(p, alpha) <= 48 * p / alpha**3 < c * (p - 1) / alpha:
                raise Undecided(Gap.CONSTANT_OPEN(constant="c1", power=k))
            shown.append(k)
        raise Refuted(
            "for every c1 > 0 at alpha = 8/sqrt(c1), p = 7 and any n: geometric noise has risk p/sinh(alpha/2) <= "
            f"48 p/alpha^3 < c1 (p - 1)/alpha (run for c1 from 1 down to 1e-{shown[-1]})."
        )
    bounds = []
    for rational in map(Fraction, ("1/100", "1/10", "1/2", "1", "10", "100")):
        alpha = ball(rational)
        for p in (2, 3, 7, 8, 20, 1000):
            claimed = ball(c1) * arb(p - 1) ** power / alpha
            if p < least or rational > largest:
                continue
            if claimed > _geometric(p, alpha):
                raise Refuted(
                    f"p = {p}, alpha = {show(alpha)}, any n: geometric noise has risk "
                    f"{show(_geometric(p, alpha))}, and "
                    f"the bound is {show(claimed)}."
                )
            k = ceil(1 / rational)
            lower = 2 * (p // 2) * arb(k) / (1 + (k * alpha).exp())
            bounds.append((p, alpha, lower, claimed))
    for p, alpha, lower, claimed in bounds:
        if not lower >= claimed:
            raise Undecided(
                Gap.BOUND_NOT_REACHED(
                    instance=f"p = {p}, alpha = {show(alpha)}", lower=show(lower), claimed=show(claimed)
                )
            )
    for i in range(100):  # u/(1 + e^u) on [1, 2], where k alpha lies
        u = arb(1) + arb(2 * i + 1) / 200 + arb(0, arb(1) / 200)
        if not u / (1 + u.exp()) > ball(c1):
            raise Undecided(Gap.VALUE_OPEN(u=show(u)))
    return f"{len(bounds)} bounds from pairs of bins (balls); u/(1 + e^u) > {show(ball(c1))} on [1, 2], in 100 balls"


def check_sensitivity(claimed: Any, effort: Effort) -> str:
    """The l1 distance of histograms of neighbouring databases."""
    bins, n = 3, effort.pick(3, 5)
    worst = 0
    for d in product(range(bins), repeat=n):
        for new in range(bins):
            other = (*d[:-1], new)
            worst = max(worst, sum(abs(d.count(b) - other.count(b)) for b in range(bins)))
    if worst != claimed:
        raise Refuted(f"n = {n}, three bins: one record changes the histogram by {worst} in l1, not {claimed}.")
    return f"all databases of {n} records in three bins"


CLAIMS = (
    Claim(
        id="hall-2012:lemma-2.4.1",
        place="Lemma 2.4.1",
        quotation=PACKING_QUOTED,
        statement="The cube {0,1}^m holds exponentially many points at mutual distance at least m/3.",
        printed="|S| >= exp(c0 m) for a universal c0 > 0, m >= 6",
        hypotheses="m >= 6; checked with c0 = 1/20",
        check=check_packing,
        formula=(Fraction(1, 3), Fraction(1, 20)),
        near=(
            Near((Fraction(1, 3), Fraction(3, 10)), "c0 = 3/10"),
            Near((Fraction(51, 100), Fraction(1, 20)), "distance 0.51 m"),
            Near((Fraction(2, 3), Fraction(1, 20)), "distance 2m/3"),
            Near(
                (Fraction(1, 3), Fraction(101, 2000)),
                "c0 1 % larger",
                "the largest c0 is known to lie between 0.0566 and 0.3 only",
            ),
        ),
        strength="proved",
        argument="bounds.txt",
    ),
    Claim(
        id="hall-2012:proposition-2.4.2",
        place="Proposition 2.4.2",
        quotation=RISK_QUOTED,
        statement="Private histograms with p bins have l1 risk of order p/alpha somewhere.",
        printed="n >= c0 (p - 1)/alpha, p > 6: R* >= c1 (p - 1)/alpha for a universal c1, for every alpha",
        hypotheses="p > 6",
        check=check_histogram,
        formula=(None, 1, None, 7),
        near=(
            Near((Fraction(21, 10), 1, 1, 2), "c1 = 2.1"),
            Near((Fraction(1, 5), 2, 1, 2), "(p - 1)^2"),
            Near((Fraction(1, 5), 1, 10, 2), "alpha up to 10"),
            Near((Fraction(101, 500), 1, 1, 2), "c1 1 % larger", "the largest c1 lies between 0.23 and 2"),
        ),
        strength="proved",
        argument="bounds.txt",
        correction=Correction(
            "for 0 < alpha <= 1, p >= 2 and n >= floor(p/2) ceil(1/alpha): R* >= (p - 1)/(5 alpha). (The printed proof "
            "takes tau = c0/alpha, for which Fano's bracket is negative.)",
            (Fraction(1, 5), 1, 1, 2),
            "None: it is a lower bound on the error.",
            "For large alpha the error of geometric noise falls like exp(-alpha/2), far below that of Laplace noise.",
            "proved",
        ),
    ),
    Claim(
        id="hall-2012:section-2.4-laplace",
        place="Section 2.4",
        quotation=LAPLACE_QUOTED,
        statement="Laplace noise on a histogram uses the l1 sensitivity 2.",
        printed="the technique of Proposition 1.3.1, with Delta_1 = 2",
        hypotheses="neighbours differ in one record",
        check=check_sensitivity,
        formula=2,
        near=(Near(1, "sensitivity 1"), Near(Fraction(99, 50), "1.98"), Near(4, "sensitivity 4")),
        strength="verified",
        argument="bounds.txt",
    ),
)
