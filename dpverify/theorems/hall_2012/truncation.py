"""Section 4.3.1: the truncated expansion."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.orders import bandwidth, cutoff, minimax
from dpverify.theorems.tools.balls import ball, show

# --- (4.10) ---


def basis(x: Fraction, m: int) -> list[arb]:
    """The first 2 m + 1 functions of the Fourier basis of [0, 1] at x."""
    root, out = arb(2).sqrt(), [arb(1)]
    for j in range(1, m + 1):
        angle = 2 * arb.pi() * ball(j * x)
        out += [root * angle.cos(), root * angle.sin()]
    return out


def check_expansion(weight: Any, effort: Effort) -> str:
    """The sum over coefficients, each times weight(lambda_a, lambda_b), against the average of truncated kernels."""
    h = arb("0.2")
    sample = [(Fraction(1, 5), Fraction(1, 3)), (Fraction(2, 7), Fraction(4, 5))]
    for m in (1, 2)[: effort.pick(1, 2)]:
        values = [arb(1)]
        for j in range(1, m + 1):
            values += [(-2 * arb.pi() ** 2 * j * j * h * h).exp()] * 2
        at = (Fraction(1, 8), Fraction(3, 5))
        here = [basis(x, m) for x in at]
        there = [[basis(x, m) for x in record] for record in sample]
        average = arb(0)
        for record in there:
            kernel = arb(1)
            for one, other in zip(record, here, strict=True):
                kernel *= sum((w * p * q for w, p, q in zip(values, one, other, strict=True)), arb(0))
            average += kernel / len(sample)
        expanded = arb(0)
        for a, b in product(range(2 * m + 1), repeat=2):
            mean = sum((record[0][a] * record[1][b] for record in there), arb(0)) / len(sample)
            expanded += weight(values[a], values[b]) * mean * here[0][a] * here[1][b]
        if not abs(expanded - average) < arb("1e-12"):
            raise Refuted(
                f"d = 2, m = {m}, two records: the average of truncated kernels is {show(average)}, the sum over "
                f"coefficients {show(expanded)}."
            )
    return f"d = 2, m <= {m}, two records (balls); in general a product of sums is a sum of products"


EXPANSION = Claim(
    id="hall-2012:equation-4.10",
    place="(4.10)",
    statement="The truncated estimate by its coefficients, each of which is a mean over the data.",
    printed="f~^m(x) = sum (prod lambda_a) (n^-1 sum prod psi_a(x^i)) (prod psi_a(x))",
    hypotheses="psi_(a_j) is taken at the j-th coordinate",
    check=check_expansion,
    formula=lambda a, b: a * b,
    near=(
        Near(lambda a, b: (a * b) ** 2, "the eigenvalues squared"),
        Near(lambda a, b: (a + b) / 2, "their mean"),
        Near(lambda a, b: arb("1.01") * a * b, "1 % more"),
    ),
    strength="verified",
    quotation=Quotation(
        "f~^m_X(x) = sum_{a_1=1}^{2m+1} ... sum_{a_d=1}^{2m+1} (prod_j lambda_{a_j}) (n^{-1} sum_i (prod_j "
        "psi_{a_j}(x^i))) (prod_j psi_{a_j}(x)).",
        note="The arguments x^i and x stand for their j-th coordinates, as in the display of Section 4.3.",
    ),
)

# --- Proposition 4.3.3 ---


def _sums(m: int, reach: int) -> tuple[arb, arb]:
    """The sums of lambda_j^2 = e^(-4 j^2 h^2) over all frequencies and over those up to m, at h = reach/m."""
    h = arb(reach) / m
    squares = [(-4 * j * j * h * h).exp() for j in range(1, 8 * m // reach)]  # the rest is below e^-250
    return 1 + 2 * sum(squares, arb(0)), 1 + 2 * sum(squares[:m], arb(0))


def check_truncation(power: Any, effort: Effort) -> str:
    """The error for one record against e^(-c m^2 h^2)/(m h^power(d)): along fixed m h no c can mend a growing ratio."""
    ratios = []
    sums = {(m, reach): _sums(m, reach) for m in (80, 320, 1280) for reach in (1, 2)}
    for d, reach in product((1, 2, 3)[: effort.pick(2, 3)], (1, 2)):
        seen = []
        for m in (80, 320, 1280):
            whole, kept = sums[m, reach]
            seen.append((whole**d - kept**d) * m * (arb(reach) / m) ** ball(Fraction(power(d))))
        for before, after, m in ((seen[0], seen[1], 320), (seen[1], seen[2], 1280)):
            if after > before * arb("1.5"):
                raise Refuted(
                    f"d = {d}, m h = {reach}, from m = {m // 4} to {m}: the error over 1/(m h^{power(d)}) grows from "
                    f"{show(before)} to {show(after)}, and e^(-c1 m^2 h^2) is the same for both, whatever c1."
                )
        ratios.append(seen[-1])
    largest = max(ratios, key=lambda z: float(z.mid()))
    return (
        f"{len(ratios)} pairs (d, m h), m up to 1280 (balls): the error over the bound stays, at most {show(largest)}; "
        "2 int from m of e^(-4 h^2 j^2) dj <= e^(-4 m^2 h^2)/(4 m h^2), and S^d - (S - t)^d <= d S^(d-1) t, S = O(1/h)"
    )


TRUNCATION = Claim(
    id="hall-2012:proposition-4.3.3",
    place="Proposition 4.3.3, (4.11)",
    statement="The error of truncating the expansion at frequency m.",
    printed="O((2^d/(m h^d)) e^(-c1 m^2 h^2))",
    hypotheses="uniformly in m and h (no regime is stated), c1 > 0 free",
    check=check_truncation,
    formula=lambda d: d,
    near=(
        Near(lambda d: d - 1, "with h^(d-1)"),
        Near(lambda d: Fraction(2 * d + 1, 2), "with h^(d+1/2)"),
        Near(lambda d: d + 2, "with h^(d+2)", "it is an upper bound, and a weaker one holds too"),
    ),
    strength="verified",
    correction=Correction(
        "O((2^d/(m h^(d+1))) e^(-c1 m^2 h^2)): the Gaussian tail gives 1/(m h^2), not 1/(m h)",
        lambda d: d + 1,
        "None: in the regime m = log n/h of (4.12) both are negligible.",
        "For m h bounded the printed bound is too small by the factor h.",
        "verified",
    ),
    quotation=Quotation(
        "sup_X int_{[0,1]^d} (f~_X(x) - f~^m_X(x))^2 = O((2^d/(m h^d)) e^{-c_1 m^2 h^2}), for some universal constant "
        "c_1."
    ),
)

# --- (4.12) ---


def check_cutoff(exponent: Any, effort: Effort) -> str:
    """m = n^exponent(d) log n is of the order log n/h, and leaves less than the rate of (4.2) by the bound above."""
    dimensions = range(1, effort.pick(5, 12))
    for d in dimensions:
        for n in (arb(10) ** 20, arb(10) ** 60):
            m, h = (ball(exponent(d)) * n.log()).exp() * n.log(), bandwidth(n, d)
            ratio = m / cutoff(n, d)
            if not arb("0.5") < ratio < 2:
                raise Refuted(f"d = {d}, n = {show(n)}: it is {show(ratio)} times log n/h, which no constant bounds.")
            left = (-((m * h) ** 2)).exp() / (m * h ** (d + 1))
            if not left < (ball(minimax(d)[0]) * n.log()).exp():
                raise Refuted(f"d = {d}, n = {show(n)}: truncation leaves {show(left)}.")
    return (
        f"d < {dimensions.stop} at n = 10^20 and 10^60 (balls), with c1 = 1; e^(-c1 (log n)^2) beats every power of n"
    )


CUTOFF = Claim(
    id="hall-2012:equation-4.12",
    place="(4.12)",
    statement="The number of frequencies that keeps the rate.",
    printed="m = O(log n/h) = O(n^(1/(4+d)) log n)",
    hypotheses="h as in (4.3)",
    check=check_cutoff,
    formula=lambda d: Fraction(1, 4 + d),
    near=(
        Near(lambda d: Fraction(1, 3 + d), "n^(1/(3+d))"),
        Near(lambda d: Fraction(1, 5 + d), "n^(1/(5+d))"),
        Near(lambda d: Fraction(104, 100 * (4 + d)), "an exponent off by 4 %"),
    ),
    strength="verified",
    quotation=Quotation(
        "to ensure that the rate (4.2) is preserved it suffices to take h as in (4.3), and m = O(log n/h) = "
        "O(n^{1/(4+d)} log n)."
    ),
    rests_on=("hall-2012:proposition-4.3.3",),
)

CLAIMS = (EXPANSION, TRUNCATION, CUTOFF)
