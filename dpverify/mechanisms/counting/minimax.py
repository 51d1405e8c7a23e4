"""The minimax method for a count, by linear programming, with exact bounds on its risk from both sides.

Methods for a count of 0 to n at e^alpha = r are matrices q_ij = P(output i | count j) with q_ij <= r q_ij' for
neighbouring j, j' (Hall 2012, Section 1.3.5, with the counts 0 to n). The programme (Section 2.3.3) is solved in the
form that stays small: geometric noise cut off at 0 and n, then each output k replaced by an i with probability
T_ik. HiGHS finds T, column by column, and the least favourable prior. What is stated is rational:

- above: T is a post-processing of geometric noise, so that it is private, and its worst risk is a sum.
- below: a prior p and numbers y_j with sum_j (p_j l(i, j) - y_j) q_j >= 0 for every output i and every q >= 0 whose
  neighbours differ by a factor of r at most. Then every private method has a worst risk of at least sum_j y_j, however
  it is made. The least of such a sum over all q is found from its end: f_j = w_j + min(r f_(j+1), f_(j+1)/r).

Gupte and Sundararajan (2010) show that a post-processing of geometric noise is minimax; nothing here rests on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat
from scipy.optimize import linprog
from scipy.sparse import coo_array

from dpverify.errors import DpverifyError, InputError
from dpverify.mechanisms.mechanism import Array

LOSSES: dict[str, Callable[[int], int]] = {
    "absolute": lambda d: d,
    "squared": lambda d: d * d,
    "wrong": lambda d: int(d != 0),
}
EXACT_TO, MOST = 100, 1000
ROUNDS, NEGLIGIBLE, FINE, SHARES = 200, 1e-10, 1 << 60, (1e-9, 1e-6, 1e-4)
Column = tuple[int, int]
"""Output i for the noisy count k."""
Replaced = tuple[tuple[tuple[int, Fraction], ...], ...]
"""For each noisy count its outputs with their probabilities."""


@dataclass(frozen=True)
class Minimax:
    """lower <= minimax risk <= upper, and the method that attains `upper`.

    `replaced[k]` are the outputs i of the noisy count k with their probabilities; `prior` and `values` (the y_j)
    prove `lower`.
    """

    n: int
    ratio: Fraction
    loss: str
    replaced: Replaced
    prior: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    upper: Fraction
    lower: Fraction

    @property
    def exact(self) -> bool:
        """Whether the method is proved to be minimax, to the last digit."""
        return self.lower == self.upper

    def matrix(self) -> Array:
        """q_ij in floats, row i the output, column j the count."""
        q = np.zeros((self.n + 1, self.n + 1))
        noisy = cut_off(self.n, float(self.ratio))
        for k, outputs in enumerate(self.replaced):
            for i, p in outputs:
                q[i] += float(p) * noisy[k]
        return q


def minimax(n: int, ratio: Fraction, loss: str = "absolute") -> Minimax:
    """Find and prove the minimax method for counts 0 to n at e^alpha = ratio.

    Up to n = 100 the bounds mostly agree exactly, where floats tell the vertex; else they are some 1e-9 of the risk
    apart.

    Raises:
        InputError: n or the loss is out of reach.
    """
    if not 1 <= n <= MOST:
        raise InputError(f"n: {n} is not from 1 to {MOST}")
    if loss not in LOSSES:
        raise InputError(f"loss: {loss!r} is none of {', '.join(LOSSES)}")
    search = _Search(n, ratio, loss)
    weights, prior = search.solve()
    vertex = search.vertex(weights, prior) if n <= EXACT_TO else None
    replaced, half = vertex if vertex is not None else (search.rounded(weights), _rounded(prior))
    p = _mirrored(half, n)
    values = search.values(p)
    return Minimax(
        n,
        ratio,
        loss,
        replaced,
        p,
        values,
        worst_risk(n, ratio, loss, replaced),
        lower_bound(n, ratio, loss, p, values),
    )


def cut_off(n: int, ratio: float) -> Array:
    """Row k, column j: the chance that j + geometric noise, cut off at 0 and n, is k."""
    a, at = 1 / ratio, np.arange(n + 1)
    share = np.full(n + 1, (1 - a) / (1 + a))
    share[[0, n]] = 1 / (1 + a)
    return np.asarray(share[:, None] * a ** np.abs(at[:, None] - at))


def risks(n: int, ratio: Fraction, loss: str, replaced: Replaced) -> list[Fraction]:
    """The exact risk of the method at each count."""
    c, b = ratio.numerator, ratio.denominator
    powers = [b**m * c ** (n - m) for m in range(n + 1)]
    l = [LOSSES[loss](d) for d in range(n + 1)]  # noqa: E741
    unit = FINE if all(FINE % p.denominator == 0 for row in replaced for _, p in row) else None
    totals = []
    for j in range(n + 1):
        total: int | Fraction = 0
        for k, outputs in enumerate(replaced):
            weight = (c if k in (0, n) else c - b) * powers[abs(k - j)]
            if unit is None:
                total += weight * sum((p * l[abs(i - j)] for i, p in outputs), Fraction(0))
            else:
                total += weight * sum(p.numerator * (unit // p.denominator) * l[abs(i - j)] for i, p in outputs)
        totals.append(Fraction(total) / ((c + b) * c**n * (unit or 1)))
    return totals


def worst_risk(n: int, ratio: Fraction, loss: str, replaced: Replaced) -> Fraction:
    """The largest risk of a method; each row of `replaced` must be a law.

    Raises:
        DpverifyError: one is not.
    """
    for k, row in enumerate(replaced):
        if sum(p for _, p in row) != 1 or any(p < 0 or not 0 <= i <= n for i, p in row):
            raise DpverifyError(f"the outputs of the noisy count {k} have no probabilities that sum to 1")
    return max(risks(n, ratio, loss, replaced))


def lower_bound(
    n: int, ratio: Fraction, loss: str, prior: tuple[Fraction, ...], values: tuple[Fraction, ...]
) -> Fraction:
    """What every private method's worst risk is at least, by these multipliers: sum y_j, less what they fall short.

    Raises:
        DpverifyError: the prior is none.
    """
    if sum(prior) != 1 or min(prior) < 0:
        raise DpverifyError("the prior has no probabilities that sum to 1")
    c, b = ratio.numerator, ratio.denominator
    unit = _common(prior + values)
    p, y = ([int(v * unit) for v in row] for row in (prior, values))
    l = [LOSSES[loss](d) for d in range(n + 1)]  # noqa: E741
    scale = [(b * c) ** (n - j) for j in range(n + 1)]
    short = 0
    for i in range(n + 1):
        f = 0  # f_j (b c)^(n - j) unit
        for j in range(n, -1, -1):
            f = (p[j] * l[abs(i - j)] - y[j]) * scale[j] + (f * b * b if f > 0 else f * c * c)
        short = max(short, -f)
    return sum(values) - Fraction(short, scale[0] * unit)


class _Search:
    """The programme over T, halved by its symmetry: T_(n-i, n-k) = T_ik."""

    def __init__(self, n: int, ratio: Fraction, loss: str) -> None:
        self.n, self.ratio, self.half = n, ratio, n // 2 + 1
        self.l = [LOSSES[loss](d) for d in range(n + 1)]
        at = np.arange(n + 1)
        self.loss = np.array(self.l, dtype=float)[np.abs(at[:, None] - at)]
        self.noisy = cut_off(n, float(ratio))

    def cost(self, i: int, k: int) -> Array:
        """What T_ik and its mirror image add to the risks at the counts of the lower half."""
        n, h = self.n, self.half
        one = self.loss[i, :h] * self.noisy[k, :h]
        two = self.loss[n - i, :h] * self.noisy[n - k, :h]
        return (one + two) / (2 if 2 * k == n else 1)

    def solve(self) -> tuple[dict[Column, float], Array]:
        """T and the prior on the lower half, by generating the columns that the prior asks for."""
        n, h = self.n, self.half
        columns: dict[Column, Array] = {}
        for k in range(h):
            for i in {k, min(k + 1, n), n // 2}:
                columns[i, k] = self.cost(i, k)
        for _ in range(ROUNDS):
            found = self._master(columns)
            prior = -found.ineqlin.marginals
            more = 0
            whole = np.zeros(n + 1)
            whole[:h] += prior / 2
            whole[n - np.arange(h)] += prior / 2
            for k in range(h):  # sum_j p_j l(i, j) G_kj for every i at once
                value = 2 * self.loss @ (whole * self.noisy[k]) / (2 if 2 * k == n else 1)
                best = int(np.argmin(value))
                if value[best] < found.eqlin.marginals[k] - NEGLIGIBLE:
                    for i in range(max(best - 1, 0), min(best + 2, n + 1)):
                        if (i, k) not in columns:
                            columns[i, k] = self.cost(i, k)
                            more += 1
            if not more:
                break
        weights = dict(zip(columns, found.x[:-1], strict=True))
        return weights, prior

    def _master(self, columns: dict[Column, Array]) -> Any:
        h, m = self.half, len(columns)
        rows = np.column_stack([*columns.values(), np.full(h, -1.0)])
        sums = coo_array((np.ones(m), ([k for _, k in columns], range(m))), shape=(h, m + 1))
        found = linprog(
            [0.0] * m + [1.0],
            A_ub=rows,
            b_ub=np.zeros(h),
            A_eq=sums.tocsr(),
            b_eq=np.ones(h),
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.x is None:
            raise DpverifyError(f"HiGHS found no method: {found.message}")
        return found

    def rounded(self, weights: dict[Column, float]) -> Replaced:
        """T in multiples of 2^-60, each law made whole at its likeliest output, and the mirror image."""
        rows: list[list[tuple[int, Fraction]]] = [[] for _ in range(self.half)]
        for (i, k), w in weights.items():
            if w > 1e-12:
                rows[k].append((i, Fraction(round(w * FINE), FINE)))
        for row in rows:
            likeliest = max(range(len(row)), key=lambda s: row[s][1])
            rest = 1 - sum((p for s, (_, p) in enumerate(row) if s != likeliest), Fraction(0))
            row[likeliest] = (row[likeliest][0], rest)
        return self._whole(rows)

    def _whole(self, rows: list[list[tuple[int, Fraction]]]) -> Replaced:
        n, laws = self.n, list[tuple[tuple[int, Fraction], ...]]()
        for k in range(n + 1):
            row: dict[int, Fraction] = {}
            if 2 * k <= n:
                for i, p in rows[k]:
                    row[i] = row.get(i, Fraction(0)) + (p / 2 if 2 * k == n else p)
            if 2 * k >= n:
                for i, p in rows[n - k]:
                    row[n - i] = row.get(n - i, Fraction(0)) + (p / 2 if 2 * k == n else p)
            laws.append(tuple(sorted(row.items())))
        return tuple(laws)

    def vertex(self, weights: dict[Column, float], prior: Array) -> tuple[Replaced, list[Fraction]] | None:
        """The vertex near these floats, from guesses at its tight constraints, and its prior; None where none holds."""
        every = list(range(self.half))
        for least in SHARES:
            support: list[list[int]] = [[] for _ in every]
            for (i, k), w in weights.items():
                if w > least:
                    support[k].append(i)
            found = self._solved(support, [j for j in every if prior[j] > NEGLIGIBLE])
            # far from the ends outputs are mixed with the next one inwards, in shares that floats cannot tell from 0
            mixed = [
                [*row, row[0] + 1] if len(row) == 1 and k + 1 < self.half else row for k, row in enumerate(support)
            ]
            found = found or self._solved(mixed, every)
            if found is not None:
                return found
        return self._solved([[k, k + 1] if k + 1 < self.half else [k] for k in every], every)

    def _solved(self, support: list[list[int]], tight: list[int]) -> tuple[Replaced, list[Fraction]] | None:
        """T with these outputs that makes these risks equal, and the prior that makes these outputs equally good."""
        extra = [(k, s, row[0]) for k, row in enumerate(support) for s in row[1:]]
        if len(extra) + 1 != len(tight):
            return None
        size = len(tight)
        table = [[self._whole_cost(s, k, j) - self._whole_cost(first, k, j) for k, s, first in extra] for j in tight]
        right = [sum(self._whole_cost(row[0], k, j) for k, row in enumerate(support)) for j in tight]
        matrix = fmpz_mat(size, size, [v for row in table for v in [*row, -1]])
        try:
            solved = matrix.solve(fmpz_mat(size, 1, [-v for v in right]))
            multipliers = matrix.transpose().solve(fmpz_mat(size, 1, [0] * (size - 1) + [-1]))
        except ZeroDivisionError:
            return None
        shares = [_fraction(solved[i, 0]) for i in range(size - 1)]
        half = [Fraction(0)] * self.half
        for place, j in enumerate(tight):
            half[j] = _fraction(multipliers[place, 0])
        rows: list[list[tuple[int, Fraction]]] = [[] for _ in range(self.half)]
        for (k, s, _), p in zip(extra, shares, strict=True):
            rows[k].append((s, p))
        for k, row in enumerate(support):
            rows[k].append((row[0], 1 - sum((p for _, p in rows[k]), Fraction(0))))
        if min(half) < 0 or any(p < 0 for row in rows for _, p in row):
            return None
        return self._whole(rows), half

    def _whole_cost(self, i: int, k: int, j: int) -> int:
        """`cost` times 2 (b + c) c^n, exactly."""
        n, c, b = self.n, self.ratio.numerator, self.ratio.denominator
        share = c if k in (0, n) else c - b

        def part(i: int, k: int) -> int:
            d = abs(k - j)
            return self.l[abs(i - j)] * share * b**d * c ** (n - d)

        return (part(i, k) + part(n - i, n - k)) * (1 if 2 * k == n else 2)

    def values(self, prior: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The y_j with sum_j y_j a^|k-j| = m_k, m_k the least of sum_j p_j l(i, j) a^|k-j| over i, a = 1/r."""
        n, c, b = self.n, self.ratio.numerator, self.ratio.denominator
        unit = _common(prior)
        p = [int(v * unit) for v in prior]
        powers = [b**m * c ** (n - m) for m in range(n + 1)]
        floats = np.array([float(v) for v in prior])
        least = []
        for k in range(n + 1):
            best = int(np.argmin(self.loss @ (floats * self.noisy[k])))
            least.append(
                min(
                    sum(p[j] * self.l[abs(i - j)] * powers[abs(k - j)] for j in range(n + 1) if p[j])
                    for i in {max(best - 1, 0), best, min(best + 1, n)}
                )
            )
        whole = unit * c**n * (c * c - b * b)
        found = []
        for j in range(n + 1):  # the inverse of (a^|k-j|) is tridiagonal
            own = c * c if j in (0, n) else c * c + b * b
            beside = (least[j - 1] if j else 0) + (least[j + 1] if j < n else 0)
            found.append(Fraction(own * least[j] - b * c * beside, whole))
        return tuple(found)


def _rounded(prior: Array) -> list[Fraction]:
    whole = [max(round(float(p) * FINE), 0) for p in prior]
    return [Fraction(p, sum(whole)) for p in whole]


def _mirrored(half: list[Fraction], n: int) -> tuple[Fraction, ...]:
    p = [Fraction(0)] * (n + 1)
    for j, v in enumerate(half):
        p[j] += v / 2
        p[n - j] += v / 2
    return tuple(p)


def _common(values: tuple[Fraction, ...]) -> int:
    return lcm(*(v.denominator for v in values))


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
