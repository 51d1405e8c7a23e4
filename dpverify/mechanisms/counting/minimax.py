"""The minimax method for a count, by linear programming, with exact bounds on its risk from both sides.

Methods for a count of 0 to n at e^alpha = r are matrices q_ij = P(output i | count j) with q_ij <= r q_ij' for
neighbouring j, j' (Hall 2012, Section 1.3.5, with the counts 0 to n). The programme (Section 2.3.3) is solved in the
form that stays small: geometric noise cut off at 0 and n, then each output k replaced by an i with probability
T_ik. HiGHS finds T, column by column, and the least favourable prior (`programme`); a vertex near them is solved for
in rationals (`vertices`). What is stated is rational, and is computed here from T and the prior alone:

- above: T is a post-processing of geometric noise, so that it is private, and its worst risk is a sum.
- below: a prior p and numbers y_j with sum_j (p_j l(i, j) - y_j) q_j >= 0 for every output i and every q >= 0 whose
  neighbours differ by a factor of r at most. Then every private method has a worst risk of at least sum_j y_j, however
  it is made. The least of such a sum over all q is found from its end: f_j = w_j + min(r f_(j+1), f_(j+1)/r).

Gupte and Sundararajan (2010) show that a post-processing of geometric noise is minimax; nothing here rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from flint import fmpz

from dpverify.errors import DpverifyError, InputError
from dpverify.mechanisms.counting.programme import LOSSES, Programme, cut_off
from dpverify.mechanisms.counting.vertices import Basis, Rows, Vertices, guesses
from dpverify.mechanisms.mechanism import Array

MOST, DEGREES = 1000, {"wrong": 0, "absolute": 1, "squared": 2}
SMALLER = (100, 30)
"""Counts that the bases near the ends are taken from, where floats do not tell them."""
FINE = 1 << 60
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

    The bounds agree exactly where one of a few guesses at the optimal vertex is right, as it mostly is; else they are
    some 1e-9 of the risk apart.

    Raises:
        InputError: n or the loss is out of reach.
    """
    if not 1 <= n <= MOST:
        raise InputError(f"n: {n} is not from 1 to {MOST}")
    if loss not in LOSSES:
        raise InputError(f"loss: {loss!r} is none of {', '.join(LOSSES)}")
    programme = Programme(n, ratio, loss)
    weights, prior = programme.solve()
    vertices = _vertices(n, ratio, loss)
    found = None
    for support, slack in _bases(programme, guesses(weights, prior, programme.gaps(weights))):
        vertex = vertices.vertex(support, slack)
        if vertex is not None:
            found = _proved(n, ratio, loss, *vertex)
            if found.exact:
                return found
    shares = [[(i, Fraction(round(w * FINE), FINE)) for i, w in row] for row in programme.rows(weights)]
    rounded = _proved(n, ratio, loss, [_made_whole(row) for row in shares], _rounded(prior))
    return rounded if found is None or rounded.upper - rounded.lower < found.upper - found.lower else found


def _vertices(n: int, ratio: Fraction, loss: str) -> Vertices:
    return Vertices(n, ratio, [LOSSES[loss](d) for d in range(n + 1)], DEGREES[loss])


def _bases(programme: Programme, near: Iterator[Basis]) -> Iterator[Basis]:
    """Those that floats suggest; then the ends of smaller programmes' vertices, continued to the middle."""
    yield from near
    n, ratio, loss, half = programme.n, programme.ratio, programme.loss_name, programme.half
    for smaller in SMALLER:
        if smaller < n:
            small = minimax(smaller, ratio, loss)
            ends = [[i for i, p in row] for row in small.replaced[: smaller // 2]]
            slack = [j for j in range(smaller // 2) if not small.prior[j]]
            yield ends + [[k, k + 1] for k in range(len(ends), half - 1)] + [[half - 1]], slack


def _proved(n: int, ratio: Fraction, loss: str, rows: Rows, half: list[Fraction]) -> Minimax:
    """What is stated of outputs and a prior, however they were found."""
    replaced, prior = _whole(rows, n), _mirrored(half, n)
    values = _values(n, ratio, loss, prior, replaced)
    bounds = worst_risk(n, ratio, loss, replaced), lower_bound(n, ratio, loss, prior, values)
    return Minimax(n, ratio, loss, replaced, prior, values, *bounds)


def risks(n: int, ratio: Fraction, loss: str, replaced: Replaced) -> list[Fraction]:
    """The exact risk of the method at each count."""
    c, b = ratio.numerator, ratio.denominator
    powers, losses = _powers(n, ratio), [LOSSES[loss](d) for d in range(n + 1)]
    unit = _common([p for row in replaced for _, p in row])
    totals = [fmpz(0)] * (n + 1)
    for k, outputs in enumerate(replaced):
        for i, p in outputs:
            weight = fmpz(_times(p, unit) * (c if k in (0, n) else c - b))
            for j in range(n + 1):
                if losses[abs(i - j)]:
                    totals[j] += losses[abs(i - j)] * (weight * powers[abs(k - j)])
    return [Fraction(int(total), (c + b) * c**n * unit) for total in totals]


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
    unit, losses = _common([*prior, *values]), [LOSSES[loss](d) for d in range(n + 1)]
    scale = [fmpz(b * c) ** (n - j) for j in range(n + 1)]
    p, y = ([_times(v, unit) * scale[j] for j, v in enumerate(row)] for row in (prior, values))
    up, down = fmpz(b * b), fmpz(c * c)
    short = fmpz(0)
    for i in range(n + 1):
        f = fmpz(0)  # f_j (b c)^(n - j) unit
        for j in range(n, -1, -1):
            f = p[j] * losses[abs(i - j)] - y[j] + f * (up if f > 0 else down)
        short = max(short, -f)
    return sum(values) - Fraction(int(short), int(scale[0]) * unit)


def _values(
    n: int, ratio: Fraction, loss: str, prior: tuple[Fraction, ...], replaced: Replaced
) -> tuple[Fraction, ...]:
    """The y_j with sum_j y_j a^|k-j| = m_k, m_k the least of sum_j p_j l(i, j) a^|k-j| over the outputs i, a = 1/r.

    Looked at are the outputs of k and those next to them: a larger m_k than the least would only prove less.
    """
    c, b = ratio.numerator, ratio.denominator
    unit, powers, losses = _common(prior), _powers(n, ratio), [LOSSES[loss](d) for d in range(n + 1)]
    p = [fmpz(_times(v, unit)) for v in prior]
    least = []
    for k, outputs in enumerate(replaced):
        weights = [p[j] * powers[abs(k - j)] for j in range(n + 1)]
        near = {i + d for i, _ in outputs for d in (-1, 0, 1) if 0 <= i + d <= n}
        least.append(min(sum((w * losses[abs(i - j)] for j, w in enumerate(weights)), fmpz(0)) for i in near))
    whole = unit * c**n * (c * c - b * b)
    found = []
    for j in range(n + 1):  # the inverse of (a^|k-j|) is tridiagonal
        own = c * c if j in (0, n) else c * c + b * b
        beside = (least[j - 1] if j else 0) + (least[j + 1] if j < n else 0)
        found.append(Fraction(int(own * least[j] - b * c * beside), whole))
    return tuple(found)


def _made_whole(row: list[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Probabilities that sum to 1, by a change of the likeliest."""
    first, *others = sorted(row, key=lambda pair: -pair[1])
    return [(first[0], 1 - sum((p for _, p in others), Fraction(0))), *others]


def _whole(rows: Rows, n: int) -> Replaced:
    """Those of the lower half, and their mirror image; in the middle half of each."""
    laws = list[tuple[tuple[int, Fraction], ...]]()
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


def _rounded(prior: Array) -> list[Fraction]:
    whole = [max(round(float(p) * FINE), 0) for p in prior]
    return [Fraction(p, sum(whole)) for p in whole]


def _mirrored(half: list[Fraction], n: int) -> tuple[Fraction, ...]:
    p = [Fraction(0)] * (n + 1)
    for j, v in enumerate(half):
        p[j] += v / 2
        p[n - j] += v / 2
    return tuple(p)


def _powers(n: int, ratio: Fraction) -> list[fmpz]:
    """a^m c^n, a = b/c."""
    return [fmpz(ratio.denominator) ** m * fmpz(ratio.numerator) ** (n - m) for m in range(n + 1)]


def _common(values: list[Fraction] | tuple[Fraction, ...]) -> int:
    return lcm(*(v.denominator for v in values))


def _times(value: Fraction, unit: int) -> int:
    return value.numerator * (unit // value.denominator)
