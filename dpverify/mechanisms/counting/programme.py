"""The minimax programme in floats: HiGHS finds the outputs of noisy counts, and the least favourable prior."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from dpverify.errors import DpverifyError
from dpverify.mechanisms.counting.vertices import Column
from dpverify.mechanisms.mechanism import Array

LOSSES: dict[str, Callable[[int], int]] = {
    "absolute": lambda d: d,
    "squared": lambda d: d * d,
    "wrong": lambda d: int(d != 0),
}
ROUNDS, NEGLIGIBLE, UNSEEN = 200, 1e-10, 1e-12


def cut_off(n: int, ratio: float) -> Array:
    """Row k, column j: the chance that j + geometric noise, cut off at 0 and n, is k."""
    a, at = 1 / ratio, np.arange(n + 1)
    share = np.full(n + 1, (1 - a) / (1 + a))
    share[[0, n]] = 1 / (1 + a)
    return np.asarray(share[:, None] * a ** np.abs(at[:, None] - at))


class Programme:
    """The programme over T, halved by its symmetry: T_(n-i, n-k) = T_ik."""

    def __init__(self, n: int, ratio: Fraction, loss: str) -> None:
        self.n, self.ratio, self.half, self.loss_name = n, ratio, n // 2 + 1, loss
        losses = [LOSSES[loss](d) for d in range(n + 1)]
        at = np.arange(n + 1)
        self.loss = np.array(losses, dtype=float)[np.abs(at[:, None] - at)]
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

    def gaps(self, weights: dict[Column, float]) -> Array:
        """How far the risk at each count of the lower half lies below the worst, as a share of it."""
        risks = sum((w * self.cost(i, k) for (i, k), w in weights.items()), np.zeros(self.half))
        return np.asarray(1 - risks / risks.max())

    def rows(self, weights: dict[Column, float]) -> list[list[tuple[int, float]]]:
        """For each noisy count of the lower half its outputs and their shares."""
        found: list[list[tuple[int, float]]] = [[] for _ in range(self.half)]
        for (i, k), w in weights.items():
            if w > UNSEEN:
                found[k].append((i, w))
        return found
