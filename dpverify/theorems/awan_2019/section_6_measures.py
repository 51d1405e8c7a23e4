"""Section 6.1: the two measures of performance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq_mat

from dpverify.theorems.awan_2019.section_4_components import BASES, projection
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted

PAPER = "awan-2019:"


def trace(a: fmpq_mat) -> Fraction:
    """The sum of the diagonal, exactly."""
    return sum((Fraction(int(a[i, i].p), int(a[i, i].q)) for i in range(a.nrows())), Fraction(0))


def _reflection(v: tuple[int, ...]) -> fmpq_mat:
    """The rational orthogonal matrix I - 2 v v'/v'v."""
    p, m = projection((v,)), len(v)
    return fmpq_mat(m, m, [int(i == j) for i, j in product(range(m), repeat=2)]) - p * 2


SPECTRA = ((9, 4, 1), (5, 5, 1), (3, 2, 1), (1, 0, 0))


def check_variance_ratio(formula: Any, effort: Effort) -> str:
    """formula = (bound, what is excluded): ||X' P X||_F^2 = tr(P S P S), S = X X' of known spectrum, its best value."""
    bound, excluded = formula
    count, worst = 0, Fraction(0)
    for spectrum in (*SPECTRA, (0, 0, 0)):
        if spectrum == (0, 0, 0):
            if excluded != "X = 0":
                raise Refuted("X = 0: the ratio is 0/0, and no number between 0 and 1.")
            continue
        for turn in ((1, 0, 0), (1, 1, 1), (1, 2, 2))[: effort.pick(2, 3)]:
            h = _reflection(turn)
            diagonal = fmpq_mat(3, 3, [spectrum[i] if i == j else 0 for i, j in product(range(3), repeat=2)])
            s = h * diagonal * h
            leading = [h * projection(c) * h for c in (((1, 0, 0),), ((1, 0, 0), (0, 1, 0)))]
            for p in [*map(projection, BASES[3]), *leading]:
                rank = int(trace(p))
                ratio = trace(p * s * p * s) / sum(x * x for x in spectrum[:rank])
                count, worst = count + 1, max(worst, ratio)
                if not 0 <= ratio <= bound:
                    raise Refuted(f"eigenvalues {spectrum} of XX', rank {rank}: the ratio is {ratio}.")
    if worst < bound:
        raise Refuted(f"no ratio exceeds {worst}: the bound {bound} is not attained.")
    return (
        f"{count} projections of R^3 and covariances, exact, the largest ratio {worst}; in general by Cauchy's "
        "interlacing"
    )


RATIO = Claim(
    id=PAPER + "section-6.1-variance-ratio",
    place="Section 6.1",
    statement="The ratio of explained variability lies between 0 and 1.",
    quotation=Quotation(
        "0 <= ||X^T P~ X||_F^2 / ||X^T P^ X||_F^2 <= 1, where ||.||_F is the Frobenius norm",
        "clear",
        "the records are the columns of X here, the rows of X in Section 5",
    ),
    printed="0 <= ||X' P~ X||_F^2 / ||X' P^ X||_F^2 <= 1",
    hypotheses="P^ the leading rank-k projection, P~ of rank k",
    check=check_variance_ratio,
    formula=(1, ""),
    near=(
        Near((Fraction(1, 2), "X = 0"), "at most 1/2"),
        Near((Fraction(99, 100), "X = 0"), "at most 0.99"),
        Near((Fraction(101, 100), "X = 0"), "at most 1.01, which is not sharp"),
    ),
    strength="verified",
    correction=Correction(
        "the same for X != 0, the records being the columns of X",
        (1, "X = 0"),
        "None: it is a measure of accuracy.",
        "Nothing to change.",
        "verified",
        "slip",
    ),
)


def check_subspace_norm(formula: Any, effort: Effort) -> str:
    """formula = (value(k, h), upper(k)): ||P - Q||_F^2 / 2 for subspaces of R^6 that share h dimensions."""
    value, upper = formula
    turns = [_reflection(v) for v in ((1, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0), (1, 2, 0, -1, 1, 3))]
    count, largest = 0, Fraction(0)
    for k in range(1, 4):
        for h, turn in product(range(k + 1), turns):
            axes = [tuple(int(i == j) for j in range(6)) for i in range(6)]
            p, q = (turn * projection(tuple(axes[i] for i in chosen)) * turn
                    for chosen in (range(k), [*range(h), *range(k, 2 * k - h)]))  # fmt: skip
            true = trace((p - q) * (p - q)) / 2
            count, largest = count + 1, max(largest, true / k)
            if value(k, h) != true:
                raise Refuted(f"k = {k}, {h} shared dimensions: half the squared norm is {true}, not {value(k, h)}.")
            if true > upper(k):
                raise Refuted(f"k = {k}, orthogonal subspaces: half the squared norm is {true}, above {upper(k)}.")
        if upper(k) > k:
            raise Refuted(f"k = {k}: half the squared norm is k - tr PQ, at most {k}, and {upper(k)} is not attained.")
    for one, two in product(BASES[4], repeat=2):
        p, q = projection(one), projection(two)
        if trace(p) == trace(q) and not 0 <= trace((p - q) * (p - q)) / 2 == trace(p) - trace(p * q) <= trace(p):
            raise Refuted(f"the spans of {one} and {two} leave the range.")
    return f"{count} pairs of turned subspaces of R^6, and general pairs in R^4, exact: k - tr PQ with 0 <= tr PQ <= k"


NORM = Claim(
    id=PAPER + "section-6.1-subspace-norm",
    place="Section 6.1",
    statement="The subspace norm is between 0 and k, and k - h for subspaces that agree in h dimensions and are "
    "otherwise orthogonal.",
    quotation=Quotation(
        "If the range of P~ and P^ agree in h dimensions and are orthogonal in k - h dimensions, then this measure "
        "gives the value k - h."
    ),
    printed="0 <= ||P~ - P^||_F^2 / 2 <= k; the value k - h",
    hypotheses="both of rank k",
    check=check_subspace_norm,
    formula=(lambda k, h: k - h, lambda k: k),
    near=(
        Near((lambda k, h: 2 * (k - h), lambda k: 2 * k), "2(k - h), without the factor 1/2"),
        Near((lambda k, h: (k - h) ** 2, lambda k: k * k), "(k - h)^2"),
        Near((lambda k, h: Fraction(101, 100) * (k - h), lambda k: 2 * k), "1 % too large"),
        Near((lambda k, h: k - h, lambda k: Fraction(99 * k, 100)), "the upper bound 0.99 k"),
        Near((lambda k, h: k - h, lambda k: Fraction(101 * k, 100)), "the upper bound 1.01 k"),
    ),
    strength="proved",
)
CLAIMS = (RATIO, NORM)
