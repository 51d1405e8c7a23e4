"""Section 5.3, from (5.7) on: a sample quantile of h as a bound of the sensitivity."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, factorial
from typing import Any

from flint import arb, fmpq, fmpq_mat

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import at_most, ball, show

# --- (5.7) ---


def kolmogorov(n: int, d: Fraction) -> Fraction:
    """P(sup |F_n - F| < d), exact (Marsaglia, Tsang and Wang 2003)."""
    k = ceil(n * d)
    m, h = 2 * k - 1, k - n * d
    rows = [[Fraction(int(i - j + 1 >= 0)) for j in range(m)] for i in range(m)]
    for i in range(m):
        rows[i][0] -= h ** (i + 1)
        rows[m - 1][i] -= h ** (m - i)
    if 2 * h > 1:
        rows[m - 1][0] += (2 * h - 1) ** m
    for i, j in product(range(m), repeat=2):
        if i - j + 1 > 0:
            rows[i][j] /= factorial(i - j + 1)
    power = fmpq_mat(m, m, [fmpq(x.numerator, x.denominator) for row in rows for x in row]) ** n
    value = power[k - 1, k - 1]
    return Fraction(int(value.p), int(value.q)) * Fraction(factorial(n), n**n)


def check_dkw(bound: Any, effort: Effort) -> str:
    """bound(N, eps) of P(sup |H - F| >= eps) for N = n/2 pairs, against the exact law of the statistic."""
    cases = [(n, Fraction(step, 20)) for n in range(1, effort.pick(8, 20)) for step in range(1, 20)]
    cases += [(60, Fraction(step, 60)) for step in (8, 12, 16)]
    for n, eps in cases:
        true, claimed = 1 - kolmogorov(n, eps), bound(n, ball(eps))
        at_most(
            ball(true),
            claimed,
            f"n = {2 * n}, eps = {eps}: the probability is {show(true)}, the bound {show(claimed)}.",
        )
    return (
        f"the exact law of the Kolmogorov statistic, {len(cases)} cases of up to 60 pairs; that it holds for all is "
        "Massart's theorem (1990), cited"
    )


DKW = Claim(
    id="hall-2012:equation-5.7",
    place="(5.7)",
    statement="The empirical distribution of n/2 independent values is uniformly close to the true one.",
    printed="P(sup |H(t) - F(D, t)| >= eps) <= 2 e^(-n eps^2)",
    hypotheses="n/2 independent pairs",
    check=check_dkw,
    formula=lambda pairs, eps: 2 * (-2 * pairs * eps**2).exp(),
    near=(
        Near(lambda pairs, eps: 2 * (-4 * pairs * eps**2).exp(), "2 e^(-2 n eps^2), as if all n were independent"),
        Near(lambda pairs, eps: (-2 * pairs * eps**2).exp(), "without the factor 2"),
        Near(lambda pairs, eps: 2 * (-arb("2.1") * pairs * eps**2).exp(), "the exponent 5 % more"),
        Near(
            lambda pairs, eps: 2 * (-arb("2.02") * pairs * eps**2).exp(),
            "the exponent 1 % more",
            "it fails only at some hundreds of pairs, more than the check goes through",
        ),
    ),
    strength="verified",
    quotation=Quotation("P(sup_t |H(t) - F(D, t)| >= epsilon) <= 2 e^{-n epsilon^2}."),
)

# --- from the suprema to the laws ---


def check_law(admissible: Any, effort: Effort) -> str:
    """g the mean of n records from {0, 1, 2}: is P(|g - g'| > t) <= P(h > nt) for every h that `admissible` lets in?"""
    pairs = list(product(range(3), repeat=2))
    change = [abs(a - b) for a, b in pairs]
    count = 0
    for below in product(range(3), repeat=6):
        table = dict(zip([(a, b) for a in range(3) for b in range(a + 1)], below, strict=True))
        h = [table[max(a, b), min(a, b)] for a, b in pairs]
        if not admissible(change, h):
            continue
        count += 1
        for t in (0, 1):
            left, right = sum(c > t for c in change), sum(v > t for v in h)
            if left > right:
                raise Refuted(
                    f"records uniform on 0, 1, 2, g their mean, h(x, x') = {h} on the pairs {pairs}: P(|g - g'| > "
                    f"{t}/n) = {left}/9, and P(h > {t}) = {right}/9."
                )
    return f"{count} functions h that bound the change pair by pair, exact; the event on the left implies the other"


LAW = Claim(
    id="hall-2012:section-5.3-law",
    place="Section 5.3, after (5.7)",
    statement="The change of g exceeds a bound as rarely as h does.",
    printed="P(|g(D) - g(D')| > tau) = P(h(x, x') > n tau), from sup |g(D) - g(D')| = n^-1 sup h(x, x')",
    hypotheses="as printed, only the suprema agree",
    check=check_law,
    formula=lambda change, h: max(change) == max(h),
    near=(
        Near(lambda change, h: sum(change) <= sum(h), "the means ordered"),
        Near(lambda change, h: max(change) <= max(h) and min(change) <= min(h), "both extremes ordered"),
    ),
    strength="verified",
    correction=Correction(
        "ask |g(D) - g(D')| <= h(x, x')/n for every pair, which the examples meet; then P(|g(D) - g(D')| > tau) <= "
        "P(h > n tau)",
        lambda change, h: all(c <= v for c, v in zip(change, h, strict=True)),
        "Possibly: an h that agrees in its supremum alone may have quantiles that are too small.",
        "Choose h as a bound for each pair.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "we consider those functions g for which there exist some suitable h which obeys sup_{D ~ D'} |g(D) - g(D')| = "
        "n^{-1} sup_{x,x'} h(x, x'). ... a quantile of h, say h_theta leads to a quantile of the sensitivity of g "
        "since "
        "P(|g(D) - g(D')| > tau) = P(h(x, x') > n tau)"
    ),
)

# --- the sample quantile ---


def check_quantile(rule: Any, effort: Effort) -> str:
    """P(h > h^) against rule(P(h_theta > h^), P(h > h_theta)), h uniform on four values, h^ any law."""
    laws = [w for w in product(range(4), repeat=4) if sum(w)]
    for weights in laws:
        for quantile in range(4):
            law = [Fraction(w, sum(weights)) for w in weights]
            left = sum((Fraction(1, 4) * law[j] for i in range(4) for j in range(4) if i > j), Fraction(0))
            under = sum((law[j] for j in range(4) if quantile > j), Fraction(0))
            over = Fraction(3 - quantile, 4)
            if left > rule(under, over):
                raise Refuted(
                    f"h uniform on 0, 1, 2, 3, h^ on them with weights {weights}, h_theta = {quantile}: {left} exceeds "
                    f"{rule(under, over)}."
                )
    return f"{len(laws)} laws of the estimate on four values, every h_theta, exact; a union bound"


QUANTILE = Claim(
    id="hall-2012:section-5.3-quantile",
    place="Section 5.3",
    statement="How the sensitivity can exceed a sample quantile.",
    printed="P(h > h^) <= P(h_theta > h^) + P(h > h_theta)",
    hypotheses="h^ independent of the pair",
    check=check_quantile,
    formula=lambda under, over: under + over,
    near=(
        Near(lambda under, over: max(under, over), "the larger of the two"),
        Near(lambda under, over: Fraction(99, 100) * (under + over), "1 % less"),
        Near(lambda under, over: under * over, "their product"),
    ),
    strength="proved",
    quotation=Quotation("P(h > h^_theta) <= P(h_theta > h^_theta) + P(h > h_theta)"),
)

# --- its scale ---


def check_scale(formula: Any, effort: Effort) -> str:
    """g the mean of n records from {0, ..., 3}: P(|g - g'| > s) and >= s against those of h and its quantile."""
    changes = [abs(a - b) for a, b in product(range(4), repeat=2)]
    for n, quantile in product((2, 10, 100), (1, 2)):
        scale = formula(Fraction(quantile), n)
        over, reached = (
            sum(Fraction(c, n) > scale for c in changes),
            sum(Fraction(c, n) >= scale for c in changes),
        )
        wanted = sum(c > quantile for c in changes), sum(c >= quantile for c in changes)
        if (over, reached) != wanted:
            raise Refuted(
                f"g the mean of n = {n} records, uniform on 0, 1, 2, 3, h = |x - x'|, quantile {quantile}: P(h > "
                f"quantile) "
                f"= {wanted[0]}/16, and P(|g - g'| > s) = {over}/16 for s = {scale}; P(.. >= ..) are {wanted[1]}/16 "
                f"and "
                f"{reached}/16."
            )
    return "six cases enumerated, exact; |g(D) - g(D')| = h(x, x')/n for the mean"


SCALE = Claim(
    id="hall-2012:section-5.3-scale",
    place="Section 5.3",
    statement="The function s(D) made of a sample quantile of h.",
    printed="s(D) = n h^_theta",
    hypotheses="|g(D) - g(D')| = h(x, x')/n",
    check=check_scale,
    formula=lambda h, n: n * h,
    near=(
        Near(lambda h, n: h / n**2, "h/n^2"),
        Near(lambda h, n: Fraction(101, 100) * h / n, "1 % more"),
        Near(lambda h, n: Fraction(99, 100) * h / n, "1 % less"),
    ),
    strength="verified",
    correction=Correction(
        "s(D) = h^_theta/n",
        lambda h, n: h / n,
        "None: the printed scale is too large, by n^2, and in the ratio for which it is used there it cancels.",
        "The page before has it right: P(|g - g'| > tau) = P(h > n tau).",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "Now we turn attention to the condition (5.5), that the functions s(D) = n h^_theta based on samples "
        "differing by "
        "one sample be close."
    ),
)

CLAIMS = (DKW, LAW, QUANTILE, SCALE)
