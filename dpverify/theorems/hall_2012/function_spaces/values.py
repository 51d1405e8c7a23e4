"""Section 3.2.4: finitely many values of a function, and the Gram matrix."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq_mat

from dpverify.enclosures.ball import exact
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted

VALUES_QUOTED = Quotation(
    r"\begin{pmatrix} f(x_1) \\ \vdots \\ f(x_m) \end{pmatrix} \right\|_2^2 \leq \|f\|_{\mathcal{H}}^2.",
    note="the matrix before it is the Gram matrix to the power -1/2",
)
GRAM_QUOTED = Quotation("Note that invertibility of the matrix is safely assumed due to Mercer\u2019s theorem.")
Vector = tuple[Fraction, ...]


def gram(kernel: Any, points: Vector) -> fmpq_mat:
    """The kernel's matrix at the points."""
    return fmpq_mat(len(points), len(points), [exact(Fraction(kernel(x, y))) for x in points for y in points])


def check_projection(formula: Any, effort: Effort) -> str:
    """formula = (factor, power): f' M^-power f against factor ||f||^2 for combinations of kernel functions."""
    factor, power = formula
    kernels: dict[str, Any] = {"min(x, y)": min, "1 + xy + (xy)^2": lambda x, y: 1 + x * y + (x * y) ** 2}
    centres = (Fraction(1, 2), Fraction(3, 2), Fraction(4))
    count = equal = 0
    for (name, kernel), weights in product(kernels.items(), product(range(-1, effort.pick(2, 3)), repeat=3)):
        terms = list(zip(weights, centres, strict=True))
        norm = sum((a * b * kernel(x, y) for a, x in terms for b, y in terms), Fraction(0))
        for points in ((Fraction(1),), (Fraction(1), Fraction(3)), centres):
            values = [sum((a * kernel(x, y) for a, x in terms), Fraction(0)) for y in points]
            column = fmpq_mat(len(points), 1, [exact(v) for v in values])
            solved = column
            for _ in range(power):
                solved = gram(kernel, points).solve(solved)
            part = (column.transpose() * solved)[0, 0]
            value = Fraction(int(part.p), int(part.q))
            count += 1
            equal += value == factor * norm > 0
            if value > factor * norm:
                raise Refuted(
                    f"K = {name}, weights {weights}, points {tuple(map(str, points))}: {value} exceeds {factor * norm}."
                )
    if not equal:
        raise Refuted(f"over {count} functions the bound is never reached.")
    return f"{count} functions at one to three points, exact; {equal} of them in the span, with equality"


def check_invertible(claimed: Any, effort: Effort) -> str:
    """claimed(rank of the kernel or None for infinite, m): is the Gram matrix at m distinct points regular?"""
    kernels: list[tuple[int | None, Any, str]] = [
        (None, min, "min(x, y)"),
        (None, lambda x, y: 1 / (x + y), "1/(x + y)"),
        (1, lambda x, y: x * y, "xy"),
        (2, lambda x, y: 1 + x * y, "1 + xy"),
        (3, lambda x, y: (1 + x * y) ** 2, "(1 + xy)^2"),
    ]
    points = tuple(map(Fraction, ("1/3", "1", "2", "5", "7", "11")))[: effort.pick(5, 6)]
    for rank, kernel, name in kernels:
        for m in range(1, len(points) + 1):
            regular = gram(kernel, points[:m]).det() != 0
            if claimed(rank, m) != regular:
                state = "regular" if regular else "singular"
                raise Refuted(f"K = {name} at the points {tuple(map(str, points[:m]))}: the Gram matrix is {state}.")
    return f"{len(kernels)} kernels at up to {len(points)} points, determinants exact"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-3.2.3",
        place="Proposition 3.2.3",
        quotation=VALUES_QUOTED,
        statement="The Mahalanobis norm of finitely many values of f, for the Gram matrix, is at most the norm of f.",
        printed="||M^(-1/2) (f(x_1), ..., f(x_m))||_2^2 <= ||f||_H^2",
        hypotheses="distinct points; M regular",
        check=check_projection,
        formula=(Fraction(1), 1),
        near=(
            Near((Fraction(99, 100), 1), "1 % less than the norm"),
            Near((Fraction(101, 100), 1), "1 % more"),
            Near((Fraction(1), 2), "M^-1 in place of M^(-1/2)"),
        ),
        strength="verified",
        argument="functions.txt",
    ),
    Claim(
        id="hall-2012:section-3.2.4-gram",
        place="Section 3.2.4, proof of Proposition 3.2.3",
        quotation=GRAM_QUOTED,
        statement="The Gram matrix of a kernel at distinct points is invertible.",
        printed="invertibility of the matrix is safely assumed due to Mercer's theorem",
        hypotheses="distinct points",
        check=check_invertible,
        formula=lambda rank, m: True,
        near=(
            Near(lambda rank, m: rank is None or m < rank, "for fewer points than the rank"),
            Near(lambda rank, m: rank is None or m <= rank + 1, "for one point more than the rank"),
            Near(lambda rank, m: rank is None, "for kernels of infinite rank alone"),
        ),
        strength="verified",
        correction=Correction(
            "for strictly positive definite kernels, or (in the kernels run) no more points than the rank; "
            "otherwise use "
            "the pseudo-inverse",
            lambda rank, m: rank is None or m <= rank,
            "None with the pseudo-inverse, since the values of f lie in the range of M.",
            "Do not invert numerically a Gram matrix of a kernel of finite rank.",
            "verified",
            "slip",
        ),
    ),
)
