"""Vertices of the minimax programme, exactly: from a guess at the basis to rational outputs and a rational prior.

A basis names, for each noisy count, the outputs that it is replaced by, and the counts whose risk may lie below the
worst. The rest is a linear system, h equations for the shares, the slacks and the worst risk. As it stands its entries
have powers of r up to r^n. But as a function of the count j, l(i, j) a^|k - j| is a polynomial times a geometric
sequence on either side of k and of i, so that (E^2 - (a + 1/a) E + 1)^p, E the step to the next count and p one more
than the degree, makes it 0 except near k and i. What is solved is this sparse system of small numbers, by FLINT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from flint import fmpq, fmpq_mat

from dpverify.mechanisms.mechanism import Array

Column = tuple[int, int]
"""Output i for the noisy count k."""
Rows = list[list[tuple[int, Fraction]]]
"""For each noisy count of the lower half its outputs and their probabilities."""
Basis = tuple[list[list[int]], list[int]]
"""For each noisy count its outputs, and the counts whose risk is slack."""
FEWEST, SLACK = (1e-11, 1e-9, 1e-6, 1e-4), 1e-9


class Vertices:
    """The programme for counts 0 to n, halved by its symmetry.

    Args:
        n, ratio: as for `minimax`.
        losses: l(0), ..., l(n), by the distance of output and count.
        degree: of l as a polynomial in that distance, 0 to 2.
    """

    def __init__(self, n: int, ratio: Fraction, losses: list[int], degree: int) -> None:
        self.n, self.half, self.losses = n, n // 2 + 1, losses
        self.inner, self.outer = ratio.numerator - ratio.denominator, ratio.numerator
        a = fmpq(ratio.denominator, ratio.numerator)
        self.powers = [a**m for m in range(n + 1)]
        self.order = min(degree + 1, self.half - 1)
        self.stencil = [fmpq(1)]
        for _ in range(self.order):
            self.stencil = _product(self.stencil, [a, -(a * a + 1), a])
        self._columns: dict[Column, dict[int, fmpq]] = {}

    def vertex(self, support: list[list[int]], slack: list[int]) -> tuple[Rows, list[Fraction]] | None:
        """The outputs' shares, and the prior on the lower half; None where they are none, or not unique."""
        extra = [(k, i) for k, row in enumerate(support) for i in row[1:]]
        if len(extra) + len(slack) + 1 != self.half:
            return None
        columns = [_minus(self._column(i, k), self._column(support[k][0], k)) for k, i in extra]
        columns += [self._sparse(lambda j, r=r: fmpq(int(j in (r, self.n - r))), r) for r in slack]  # type: ignore[misc]
        columns.append({j: -v for j, v in self._filtered(lambda j: fmpq(1), range(self.half)).items()})
        matrix = fmpq_mat(self.half, self.half)
        for t, column in enumerate(columns):
            for j, v in column.items():
                matrix[j, t] = v
        right = fmpq_mat(self.half, 1)
        for k, row in enumerate(support):
            for j, v in self._column(row[0], k).items():
                right[j, 0] -= v
        try:
            solved = matrix.solve(right)
        except ZeroDivisionError:
            return None
        rows = _shares(support, [_fraction(solved[t, 0]) for t in range(len(extra))])
        if any(p < 0 for row in rows for _, p in row):
            return None
        prior = self._prior(matrix)
        return None if min(prior) < 0 else (rows, prior)

    def _prior(self, matrix: fmpq_mat) -> list[Fraction]:
        """What makes the outputs of the basis equally good: 0 where a risk is slack."""
        h, p = self.half, self.order
        right = fmpq_mat(h, 1)
        right[h - 1, 0] = fmpq(-1)
        solved = matrix.transpose().solve(right)
        found = [solved[j, 0] if j < p else fmpq(0) for j in range(h)]
        for j in range(p, h):
            for t, w in enumerate(self.stencil):
                at = j - p + t
                found[min(at, self.n - at)] += w * solved[j, 0]
        return [_fraction(v) for v in found]

    def _cost(self, i: int, k: int, j: int) -> fmpq:
        """What T_ik and its mirror image add to the risk at j, times 2 (1 + a) r."""
        n, share = self.n, self.outer if k in (0, self.n) else self.inner
        one = self.losses[abs(i - j)] * self.powers[abs(k - j)]
        two = self.losses[abs(n - i - j)] * self.powers[abs(n - k - j)]
        return (one + two) * (share if 2 * k == n else 2 * share)

    def _column(self, i: int, k: int) -> dict[int, fmpq]:
        if (i, k) not in self._columns:
            self._columns[i, k] = self._sparse(lambda j: self._cost(i, k, j), i, k)
        return self._columns[i, k]

    def _sparse(self, values: Callable[[int], fmpq], *kinks: int) -> dict[int, fmpq]:
        reach = range(-self.order, self.order + 1)
        return self._filtered(values, {x + d for kink in kinks for x in (kink, self.n - kink) for d in reach})

    def _filtered(self, values: Callable[[int], fmpq], places: Iterable[int]) -> dict[int, fmpq]:
        """The first equations as they are, since there is nothing before them, and the stencil's at the places."""
        p = self.order
        found = {j: values(j) for j in range(p)}
        for j in places:
            if p <= j < self.half:
                found[j] = sum((w * values(j - p + t) for t, w in enumerate(self.stencil)), fmpq(0))
        return found


def guesses(weights: dict[Column, float], prior: Array, gaps: Array) -> Iterator[Basis]:
    """Bases that floats suggest: shares above a threshold, and as many slack risks as are then needed.

    Far from the ends outputs are mixed with the next one inwards, in shares that floats cannot tell from 0: further
    guesses add that one to noisy counts with one output, from the middle outwards.

    Args:
        weights: T in floats.
        prior: on the lower half.
        gaps: how far the risk at each count of the lower half lies below the worst, as a share of it.
    """
    half = len(prior)
    whole = [[k, k + 1] if k + 1 < half else [k] for k in range(half)]
    for least in FEWEST:
        rows: list[list[int]] = [[] for _ in range(half)]
        for (i, k), w in weights.items():
            if w > least:
                rows[k].append(i)
        if not all(rows):
            continue
        # the prior's zeros first, those with the widest gaps before others
        order = sorted(range(half), key=lambda j: (prior[j] > SLACK, -gaps[j] if prior[j] <= SLACK else prior[j]))
        missing = half - 1 - sum(len(row) - 1 for row in rows)
        if missing >= 0:
            yield rows, sorted(order[:missing])
        mixed = [[*row, row[0] + 1] if len(row) == 1 and k + 1 < half else row for k, row in enumerate(rows)]
        missing = half - 1 - sum(len(row) - 1 for row in mixed)
        if missing >= 0:
            yield mixed, sorted(order[:missing])
    yield whole, []


def _product(one: list[fmpq], two: list[fmpq]) -> list[fmpq]:
    found = [fmpq(0)] * (len(one) + len(two) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(two):
            found[i + j] += x * y
    return found


def _minus(one: dict[int, fmpq], two: dict[int, fmpq]) -> dict[int, fmpq]:
    return {j: one.get(j, fmpq(0)) - two.get(j, fmpq(0)) for j in one.keys() | two.keys()}


def _shares(support: list[list[int]], shares: list[Fraction]) -> Rows:
    left, rows = iter(shares), list[list[tuple[int, Fraction]]]()
    for first, *others in support:
        row = [(i, next(left)) for i in others]
        rows.append([(first, 1 - sum((p for _, p in row), Fraction(0))), *row])
    return rows


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
