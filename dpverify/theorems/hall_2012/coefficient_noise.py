"""Section 4.4.1: independent Laplace noise on the Fourier coefficients."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.mechanisms.sensitivities import squared_change
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.orders import bandwidth, cutoff, minimax, order
from dpverify.theorems.hall_2012.truncation import basis
from dpverify.theorems.tools.balls import at_most, show

# --- the scale ---


def _sensitivity(m: int, d: int) -> arb:
    """A lower bound of n times the l1 sensitivity of the coefficients: the largest change over a grid of pairs."""
    steps = 8 * m if d == 1 else 4 * m
    lines = [basis(Fraction(k, steps), m) for k in range(steps)]
    best = arb(0)
    pairs: Any = product(lines[: steps // 4 + 1], lines)
    if d == 2:
        pairs = (([x * y for x in a for y in b], [x * y for x in c for y in c]) for a, b, c in product(lines, repeat=3))
    for one, other in pairs:
        total = sum((abs(x - y) for x, y in zip(one, other, strict=True)), arb(0))
        best = total if total > best else best
    return best


def check_scale(scale: Any, effort: Effort) -> str:
    """The loss of independent Laplace noise of scale(n, alpha, m, d): l1 change over scale, at most alpha."""
    cases = ((1, 1), (2, 1), (3, 1), (1, 2))[: effort.pick(3, 4)]
    for m, d in cases:
        change = _sensitivity(m, d)
        for n, alpha in product((1, 100), map(arb, ("1", "0.01"))):
            loss = change / n / scale(n, alpha, m, d)
            smaller = change / n / scale(n, alpha / 100, m, d) / (alpha / 100)
            grows = (
                f" At alpha/100 the loss is {show(smaller)} times alpha/100: it grows, and no constant factor mends it."
                if smaller > 2 * loss / alpha
                else ""
            )
            at_most(
                loss,
                alpha * (1 + arb("1e-9")),
                f"n = {n}, alpha = {show(alpha)}, m = {m}, d = {d}: one record changes the coefficients by "
                f"{show(change / n)} in l1, and the loss is {show(loss / alpha)} alpha.{grows}",
            )
    return (
        f"changes over a grid of pairs of records, {len(cases)} pairs (m, d) (balls); each coefficient changes by at "
        "most 2^(d/2 + 1)/n, and for d = 1 a frequency by 2 sqrt(2) |sin| (|sin| + |cos|)/n <= 4/n"
    )


def _scale(n: int, alpha: arb, m: int, d: int) -> arb:
    return arb(squared_change(m, d)).sqrt() / (n * alpha)


SCALE = Claim(
    id="hall-2012:section-4.4.1-scale",
    place="Section 4.4.1",
    statement="The scale of independent Laplace noise on the Fourier coefficients.",
    printed="L ~ Lap(0, n alpha/(2m + 1)^d)",
    hypotheses="alpha-DP",
    check=check_scale,
    formula=lambda n, alpha, m, d: n * alpha / (2 * m + 1) ** d,
    near=(
        Near(lambda n, alpha, m, d: arb((2 * m + 1) ** d) / (n * alpha), "the reciprocal alone"),
        Near(lambda n, alpha, m, d: arb("0.99") * _scale(n, alpha, m, d), "the corrected scale less 1 %"),
        Near(lambda n, alpha, m, d: _scale(n, alpha, m, d) / m, "without the factor m"),
        Near(lambda n, alpha, m, d: _scale(n, alpha, m, d) * alpha, "without alpha"),
    ),
    strength="verified",
    correction=Correction(
        "Lap(0, 4m/(n alpha)) for d = 1; Lap(0, 2^(d/2 + 1) (2m + 1)^d/(n alpha)) for any d",
        _scale,
        "Yes: as a scale the printed number is upside down, and falls with alpha. Read as an inverse scale, which the "
        "rate below uses, it is right up to a constant: without the range of the basis functions the loss is "
        "4m/(2m + 1) alpha for d = 1.",
        "Scale is sensitivity over alpha.",
        "verified",
    ),
    quotation=Quotation(
        "it clearly suffices to add to each of the O(m^d) coordinates of f~^m_X a Laplace random variate having scale "
        "parameter O(n alpha/m^d). ... L_{a_1,...,a_d} ~ iid Lap(0, n alpha/(2m+1)^d)."
    ),
)

# --- its error ---


def check_error(term: Any, effort: Effort) -> str:
    """The mean of ||sum lambda L psi||^2, by quadrature of the Laplace law and of the basis, against summed terms."""
    m = effort.pick(1, 2)
    size = 4 * m + 1  # equidistant points integrate products of two basis functions exactly
    grid = [basis(Fraction(k, size), m) for k in range(size)]
    values = [arb(1)] + [arb(1) / (j // 2 + 2) for j in range(2 * m)]
    for scale in (arb(1), arb(3)):
        moments = []
        for power in (1, 2):  # each half line apart: the density has a corner

            def half(x: acb, _: bool, power: int = power, scale: arb = scale) -> acb:
                return (x if power == 1 else x * x) * (-x / scale).exp() / (2 * scale)

            right = acb.integral(half, 0, 80 * scale).real
            moments.append(right - right if power == 1 else right + right)
        first, second = moments
        true = arb(0)
        for j, k in product(range(2 * m + 1), repeat=2):
            inner = sum((line[j] * line[k] for line in grid), arb(0)) / size
            true += values[j] * values[k] * inner * (second if j == k else first * first)
        claimed = sum((term(w, first, scale) for w in values), arb(0))
        if not abs(claimed - true) < arb("1e-9"):
            raise Refuted(
                f"d = 1, m = {m}, scale {show(scale)}: the mean of the squared norm is {show(true)}, the formula gives "
                f"{show(claimed)} in the mean."
            )
    return f"d = 1, m = {m}, two scales: the Laplace moments and the inner products by quadrature (balls)"


ERROR = Claim(
    id="hall-2012:section-4.4.1-error",
    place="Section 4.4.1",
    statement="The expected integrated squared error of that noise.",
    printed="E int (...)^2 = sum prod lambda_(a_j) L_(a_1..a_d)",
    hypotheses="orthonormal basis",
    check=check_error,
    formula=lambda w, first, scale: w * first,
    near=(
        Near(lambda w, first, scale: w * 2 * scale**2, "lambda not squared"),
        Near(lambda w, first, scale: w * w * scale**2, "E L^2 = scale^2"),
        Near(lambda w, first, scale: arb("2.02") * w * w * scale**2, "1 % more"),
    ),
    strength="verified",
    correction=Correction(
        "sum (prod lambda_(a_j))^2 E L^2 = 2 scale^2 sum (prod lambda_(a_j))^2",
        lambda w, first, scale: 2 * w * w * scale**2,
        "None: accuracy, and the order that follows is right.",
        "The squares and the mean are missing on both factors.",
        "verified",
        "slip",
    ),
    quotation=Quotation(
        "E int (f~^m_X - f~^{m,alpha}_X)^2 = sum ... sum (prod_j lambda_{a_j}) L_{a_1,...,a_d} = O(m^{3d}/n^2)"
    ),
    rests_on=("hall-2012:equation-4.4",),
)

# --- its order ---


def check_order(formula: Any, effort: Effort) -> str:
    """formula = (exponents(d) of n and log n, last dimension at the rate), against 2 scale^2 (2m + 1)^d."""
    exponents, last = formula
    dimensions = range(1, effort.pick(7, 11))
    for d in dimensions:

        def bound(n: arb, d: int = d) -> arb:
            return 2 * (_wide(n, d) / n) ** 2 * _wide(n, d)

        def whole(n: arb, d: int = d) -> arb:
            """With the sum of squared eigenvalues, of order h^(-d), in place of their number."""
            return 2 * (_wide(n, d) / n) ** 2 / bandwidth(n, d) ** d

        true, sharp = order(bound), order(whole)
        if exponents(d) != true:
            e, p = exponents(d)
            raise Refuted(f"d = {d}: the error is n^({true[0]}) (log n)^{true[1]}, not n^({e}) (log n)^{p}.")
        for way, error in (("bound", true), ("sum itself", sharp)):
            if (error > minimax(d)) != (d > last):
                raise Refuted(
                    f"d = {d}: by the {way} the error n^({error[0]}) (log n)^{error[1]} "
                    f"{'exceeds' if error > minimax(d) else 'keeps'} the rate n^({minimax(d)[0]})."
                )
    return (
        f"orders for d < {dimensions.stop} (balls), with every eigenvalue bounded by 1 as in print, and with their sum "
        "of squares, of order h^(-d), which saves d logarithms; at d = 4 the logarithms decide, in both"
    )


def _wide(n: arb, d: int) -> arb:
    return (2 * cutoff(n, d) + 1) ** d


RATE = Claim(
    id="hall-2012:section-4.4.1-rate",
    place="Section 4.4.1",
    statement="The order of that error, and in which dimensions it loses the minimax rate.",
    printed="O(m^(3d)/n^2) = O(n^((d-8)/(4+d)) (log n)^(3d)); fails in dimension greater than 3",
    hypotheses="m as in (4.12)",
    check=check_order,
    formula=(lambda d: (Fraction(d - 8, 4 + d), 3 * d), 3),
    near=(
        Near((lambda d: (Fraction(d - 8, 4 + d), 3 * d), 4), "fails in dimension greater than 4"),
        Near((lambda d: (Fraction(d - 8, 4 + d), 2 * d), 3), "(log n)^(2d)"),
        Near((lambda d: (Fraction(101 * (d - 8), 100 * (4 + d)), 3 * d), 3), "an exponent off by 1 %"),
    ),
    strength="verified",
    quotation=Quotation(
        "= O(m^{3d}/n^2) = O(n^{(d-8)/(4+d)} (log n)^{3d}), evidently this estimator fails to achieve the minimax "
        "rate in "
        "dimension greater than 3."
    ),
    rests_on=("hall-2012:section-4.4.1-error",),
)

CLAIMS = (SCALE, ERROR, RATE)
