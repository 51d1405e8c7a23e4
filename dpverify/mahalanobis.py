"""The sensitivity Delta = sup ||Sigma^(-1/2) v||_2 over the differences v of a statistic, in exact arithmetic.

Delta^2 = max v' Sigma^-1 v is rational where Sigma and the differences are; Delta itself is a rational
where that is a square, and else lies between two rationals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from numbers import Integral
from typing import Any

from flint import fmpq, fmpq_mat

from dpverify.errors import InputError
from dpverify.language import parse_rational

PLACES = 13
MOST_NUMBERS = 10**6
MOST_PAIRS = 4 * 10**6

Vector = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """lower <= Delta <= upper <= (1 + 1e-12) lower; `squared` is Delta^2 exactly, `exact` Delta if rational.

    `difference` is a v that attains it; `index` its place in the list, or the two places of the outputs
    it is the difference of.
    """

    squared: Fraction
    lower: Fraction
    upper: Fraction
    difference: Vector
    index: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Sensitivity {self.exact if self.exact is not None else f'about {float(self.upper):.13g}'}>"

    @property
    def exact(self) -> Fraction | None:
        """Delta, where it is rational."""
        return self.upper if self.lower == self.upper else None

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "sensitivity": {
                "lower": str(self.lower),
                "upper": str(self.upper),
                "exact": None if self.exact is None else str(self.exact),
            },
            "squared": str(self.squared),
            "difference": [str(x) for x in self.difference],
            "index": list(self.index),
        }


def sensitivity(
    covariance: Iterable[Iterable[object]] | None,
    differences: Iterable[Iterable[object]] | None = None,
    *,
    outputs: Iterable[Iterable[object]] | None = None,
) -> Sensitivity:
    """Delta = max sqrt(v' Sigma^-1 v) over a list of differences, over the polytope they span, or over pairs.

    The same number serves the list and the whole polytope: q(v) = v' Sigma^-1 v is convex, Sigma being
    positive definite, so at a convex combination v = sum l_i v_i, q(v) <= sum l_i q(v_i) <= max q(v_i)
    (Jensen). The maximum of a convex function over a polytope is found at one of its vertices.

    Args:
        covariance: Sigma (or any positive multiple of it, as the scale is counted), d rows of d exact
            numbers, symmetric and positive definite; None for the identity.
        differences: vectors v = T(D) - T(D') of d exact numbers, in the units of T: every one that
            neighbours can have (-v counts with v), or the vertices of a polytope that holds them all.
        outputs: instead of differences, values T(D) any two of which may be those of neighbours.

    Returns:
        A Sensitivity; its `upper` is what `verify` takes as the sensitivity.

    Raises:
        InputError: for numbers that are not exact, shapes that do not fit, and a Sigma that is not
            symmetric and positive definite (decided exactly, by its LDL' factors).

    Source: Reimherr and Awan (2019), the sensitivity of Section 2.
    """
    if (differences is None) == (outputs is None):
        raise InputError("give either the differences or the outputs")
    what = "outputs" if differences is None else "differences"
    vectors = _rows(outputs if differences is None else differences, what)
    size = len(vectors[0])
    sigma = None if covariance is None else _rows(covariance, "covariance")
    if sigma is not None:
        _require_covariance(sigma)
        if len(sigma) != size:
            raise InputError(f"the {what} have {size} entries each, but the covariance is {len(sigma)} x {len(sigma)}")
    if outputs is not None:
        squared, index, difference = _largest_pair(sigma, vectors)
    else:
        squared, index, difference = _largest(sigma, vectors)
    lower, upper = square_root(squared)
    return Sensitivity(squared, lower, upper, difference, index)


def square_root(value: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals around the square root, equal where it is one, else within a relative 1e-12."""
    p, q = isqrt(value.numerator), isqrt(value.denominator)
    if p * p == value.numerator and q * q == value.denominator:
        return Fraction(p, q), Fraction(p, q)
    size = (value.denominator.bit_length() - value.numerator.bit_length()) // 2 * 3 // 10 + 1  # decimal places
    places = size + PLACES
    unit = Fraction(10) ** places
    scaled = value * unit**2
    root = isqrt(scaled.numerator // scaled.denominator)
    return root / unit, (root + 1) / unit


def _rows(given: Iterable[Iterable[object]] | None, what: str) -> list[Vector]:
    if given is None or isinstance(given, str):
        raise InputError(f"{what}: rows of exact numbers are expected")
    found: list[Vector] = []
    numbers = 0
    for i, row in enumerate(given, start=1):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"{what}: row {i} is not a list of numbers")
        vector = tuple(parse_rational(_plain(x), f"{what}, row {i}, column {j}") for j, x in enumerate(row, start=1))
        if not vector or (found and len(vector) != len(found[0])):
            expected = f", not {len(found[0])}" if found else ""
            raise InputError(f"{what}: row {i} is of length {len(vector)}{expected}")
        found.append(vector)
        numbers += len(vector)
        if numbers > MOST_NUMBERS:
            raise InputError(f"{what}: more than {MOST_NUMBERS} numbers")
    if not found:
        raise InputError(f"{what}: there are none")
    return found


def _plain(value: object) -> object:
    """NumPy's integers as Python's; everything else as it is."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _require_covariance(sigma: Sequence[Vector]) -> None:
    """Symmetric, and positive definite: every pivot of Sigma = L D L' is positive (Sylvester)."""
    size = len(sigma)
    if len(sigma[0]) != size:
        raise InputError(f"covariance: {size} rows of {len(sigma[0])} numbers are not a square matrix")
    for i in range(size):
        for j in range(i):
            if sigma[i][j] != sigma[j][i]:
                raise InputError(f"covariance: not symmetric, entry ({i + 1}, {j + 1}) is not entry ({j + 1}, {i + 1})")
    rest = _matrix(sigma).tolist()
    for k in range(size):
        pivot = rest[k][k]
        if not pivot > 0:
            raise InputError(f"covariance: not positive definite, pivot {k + 1} of its LDL' factors is {pivot}")
        for i in range(k + 1, size):
            factor = rest[i][k] / pivot
            if factor:
                for j in range(k + 1, i + 1):
                    rest[i][j] -= factor * rest[j][k]


def _matrix(rows: Sequence[Vector]) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row])


def _largest(sigma: Sequence[Vector] | None, vectors: Sequence[Vector]) -> tuple[Fraction, tuple[int, ...], Vector]:
    columns = _matrix(vectors).transpose()
    solved = columns if sigma is None else _matrix(sigma).solve(columns)
    left, right = columns.tolist(), solved.tolist()
    sizes = [sum(a[i] * b[i] for a, b in zip(left, right, strict=True)) for i in range(len(vectors))]
    best = max(range(len(vectors)), key=lambda i: sizes[i])
    return _fraction(sizes[best]), (best,), vectors[best]


def _largest_pair(sigma: Sequence[Vector] | None, points: Sequence[Vector]) -> tuple[Fraction, tuple[int, ...], Vector]:
    """By the Gram matrix G = P' Sigma^-1 P: the squared distance of points i and j is G_ii + G_jj - 2 G_ij."""
    if len(points) ** 2 > MOST_PAIRS:
        raise InputError(f"outputs: more than {isqrt(MOST_PAIRS)} points; give the vertices of their convex hull")
    columns = _matrix(points).transpose()
    gram = (columns.transpose() * (columns if sigma is None else _matrix(sigma).solve(columns))).tolist()
    best, pair = gram[0][0] * 0, (0, 0)
    for i in range(len(points)):
        for j in range(i):
            size = gram[i][i] + gram[j][j] - 2 * gram[i][j]
            if size > best:
                best, pair = size, (j, i)
    j, i = pair
    return _fraction(best), pair, tuple(b - a for a, b in zip(points[j], points[i], strict=True))


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
