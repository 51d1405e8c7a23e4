"""Section 5.2.3: sparse histograms under random differential privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.mechanisms.hall import SAFE, empty_cells_are_safe, small_cell_is_safe
from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.random_privacy import exceeded
from dpverify.theorems.tools.balls import show


def _either(u: int, n: int) -> Fraction:
    """The probability that x_n or x_(n+1) is among u marked records of n + 1."""
    return 1 - Fraction((n + 1 - u) * (n - u), (n + 1) * n)


def _check_either() -> None:
    """The probability of `_either` is at most 2u/n for all positive u and n."""
    import sympy

    u, n = sympy.symbols("u n", positive=True)
    if not exceeded(u, n, 1 - (n + 1 - u) * (n - u) / ((n + 1) * n)):
        raise AssertionError("the probability is not at most 2u/n")


# --- Proposition 5.2.2 ---


def check_empty_cells(factor: Any, effort: Effort) -> str:
    """Empty cells are released exactly when factor d <= gamma n; failure needs a record alone in its cell."""
    cells, sizes = range(1, effort.pick(4, 15)), range(2, effort.pick(130, 250))
    for d, n in product(cells, sizes):
        gamma = Fraction(factor) * Fraction(d, n)  # the least gamma for which they are
        worst = max(_either(u, n) for u in range(min(d, n + 1) + 1))
        if not empty_cells_are_safe(d, n, gamma, factor):
            raise AssertionError("the mechanism adds noise here")
        if gamma < 1 and worst > gamma:
            raise Refuted(
                f"d = {d}, n = {n}, gamma = {gamma}: with {min(d, n + 1)} single records privacy fails with "
                f"probability {worst}."
            )
    _check_either()
    return (
        f"failure probabilities for every number u <= d of single records, exact, d < {cells.stop}, n < {sizes.stop}; "
        "for all n they are at most 2u/n (SymPy)"
    )


EMPTY = Claim(
    id="hall-2012:proposition-5.2.2",
    place="Proposition 5.2.2, technique (5.2)",
    statement="Releasing the empty cells of a histogram exactly is (alpha, 0, gamma)-RDP when the cells are few.",
    printed="x_j = 0 if theta_j = 0 and 2d <= gamma n, else (2/(n alpha)) L_j",
    hypotheses="independent records, d cells",
    check=check_empty_cells,
    formula=SAFE,
    near=(
        Near(1, "d <= gamma n"),
        Near(Fraction(198, 100), "1.98 d <= gamma n"),
        Near(Fraction(3, 2), "1.5 d <= gamma n"),
    ),
    strength="proved",
    quotation=Quotation(
        "The release of theta~_D = theta_D + X achieves (alpha, 0, gamma)-RDP, where ... x_j = 0 if theta_j(D) = 0 "
        "and 2d "
        "<= gamma n, (2/(n alpha)) L_j o/w",
        note="d is the number of cells, k in the proof; theta is divided by n, so its values are not in N^d.",
    ),
)

# --- Proposition 5.2.3 ---


def check_small_cells(factor: Any, effort: Effort) -> str:
    """Cells with p^ + 1/n <= gamma/(factor k) are released exactly: all count vectors on the cells 0, ..., k."""
    cases = [(1, n) for n in range(2, effort.pick(130, 160))]
    cases += [(2, n) for n in range(2, effort.pick(8, 20))] + [(3, n) for n in range(2, effort.pick(5, 10))]
    for k, n in cases:
        for first in product(range(n + 2), repeat=k):
            if sum(first) > n + 1:
                continue
            counts = (*first, n + 1 - sum(first))
            for gamma in {Fraction(factor) * Fraction(k * c, n) for c in counts}:  # where a cell becomes small
                u = sum(c for c in counts if small_cell_is_safe(c - 1, k, n, gamma, factor))
                if gamma < 1 and _either(u, n) > gamma:
                    raise Refuted(
                        f"k = {k}, n = {n}, gamma = {gamma}, counts {counts}: privacy may fail with probability "
                        f"{_either(u, n)}."
                    )
    _check_either()
    return (
        f"{len(cases)} pairs (k, n), k <= 3, all count vectors, every gamma, exact; for all k and n at most k of the "
        "k + 1 cells can be small, so u <= gamma n/2 records lie in them, and the failure probability is at most 2u/n "
        "(SymPy)"
    )


SMALL = Claim(
    id="hall-2012:proposition-5.2.3",
    place="Proposition 5.2.3, technique (5.3)",
    statement="Releasing the small cells of a histogram exactly is (alpha, gamma)-RDP.",
    printed="p~_j = p^_j if p^_j + 1/n <= gamma/(2k), else p^_j + (2/(n alpha)) L",
    hypotheses="independent records in {0, ..., k}",
    check=check_small_cells,
    formula=SAFE,
    near=(
        Near(1, "gamma/k"),
        Near(Fraction(198, 100), "gamma/(1.98 k)"),
        Near(Fraction(3, 2), "gamma/(1.5 k)"),
    ),
    strength="proved",
    quotation=Quotation("The technique of (5.3) satisfies the (alpha, gamma)-RDP."),
)

# --- Proposition 5.2.4 and Figure 5.1 ---


def _above(r: int, x: arb) -> arb:
    """P(sum of r standard |L| > x): the tail of a gamma law of shape r."""
    term, total = (-x).exp(), arb(0)
    for j in range(r):
        total += term
        term *= x / (j + 1)
    return total


def check_histogram_error(order: Any, effort: Effort) -> str:
    """order(r, n, alpha): with high probability the error is neither above 6 times nor below 1/20 of it."""
    cases = list(product((1, 10, 100, 400), (100, 10**4), (arb(1), arb("0.01"))))
    for r, n, alpha in cases:
        unit = 2 / (n * alpha)  # of each of r independent |L|
        claimed = order(r, n, alpha)
        for factor, wanted in ((6, False), (arb("0.05"), True)):
            above = _above(r, factor * claimed / unit)
            if (above < arb("0.9")) if wanted else (above > arb("0.1")):
                raise Refuted(
                    f"r = {r}, n = {n}, alpha = {show(alpha)}: the error exceeds {show(arb(factor))} times the order "
                    f"with "
                    f"probability {show(above)}, and no one constant serves all r, n, alpha."
                )
    return f"{len(cases)} cases of the gamma law (balls): between 1/20 and 6 times r/(n alpha) with probability 0.8"


ERROR = Claim(
    id="hall-2012:proposition-5.2.4",
    place="Proposition 5.2.4",
    statement="The error of technique (5.2) with r occupied cells.",
    printed="||theta - theta~||_1 = O_P(r/(alpha n))",
    hypotheses="2d <= gamma n",
    check=check_histogram_error,
    formula=lambda r, n, alpha: arb(r) / (n * alpha),
    near=(
        Near(lambda r, n, alpha: arb(r) ** 2 / (n * alpha), "of order r^2"),
        Near(lambda r, n, alpha: arb(r).sqrt() / (n * alpha), "of order sqrt(r)"),
        Near(lambda r, n, alpha: arb(r) / (n * n * alpha), "of order 1/n^2"),
        Near(lambda r, n, alpha: arb(r) / (n * alpha * alpha), "of order 1/alpha^2"),
        Near(lambda r, n, alpha: arb("1.01") * r / (n * alpha), "1 % more", "O_P leaves the constant free"),
    ),
    strength="verified",
    quotation=Quotation(
        "Suppose that 2d <= gamma n. Let theta_D = (theta_1, ..., theta_r, 0, ..., 0) for some 1 <= r < k. Then "
        "||theta_D - theta~_D||_1 = O_P(r/alpha n)."
    ),
)


def check_figure(gain: Any, effort: Effort) -> str:
    """gain(d, r): expected l1 error of Laplace noise on d cells over that on the r occupied ones."""
    for d, r in ((100, 3), (1000, 10)):
        true = Fraction(2 * d, 1) / Fraction(2 * r, 1)  # E |L| = 1 in each noisy cell, the scale 2/(n alpha) cancels
        if gain(d, r) != true:
            raise Refuted(f"d = {d}, r = {r}: the expected errors have ratio {true}, not {gain(d, r)}.")
    return (
        "the figure gives neither n nor d, alpha, gamma or the data, so it cannot be run again; by Proposition 5.2.4 "
        "the "
        "expected errors have ratio d/r, which is the improvement it speaks of"
    )


FIGURE = Claim(
    id="hall-2012:section-5.2.3-figure-5.1",
    place="Figure 5.1",
    statement="On a very sparse histogram the error of RDP is smaller than that of DP.",
    printed="An experiment demonstrating the improvement obtained when using RDP",
    hypotheses="parameters not given; d cells, r of them occupied",
    check=check_figure,
    formula=lambda d, r: Fraction(d, r),
    near=(Near(lambda d, r: Fraction(d, r) ** 2, "its square"), Near(lambda d, r: Fraction(2 * d, r), "twice")),
    strength="cited",
    quotation=Quotation(
        "Figure 5.1: An experiment demonstrating the improvement obtained when using RDP, when the task is the "
        "release of a "
        "very sparse histogram.",
        note="The pictures are not in the extraction.",
    ),
    rests_on=("hall-2012:proposition-5.2.4",),
)

CLAIMS = (EMPTY, SMALL, ERROR, FIGURE)
