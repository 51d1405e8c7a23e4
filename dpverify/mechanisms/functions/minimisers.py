"""Minimisers of regularised risks in H(K): support vector machines, logistic and absolute regression, as functions.

f_D = argmin (1/n) sum l(g(x_i), y_i) + lambda ||g||^2. For a loss that is convex and M-Lipschitz in g(x),
||f_D - f_D'|| <= (M/(lambda n)) sqrt(sup K(x, x)) (Bousquet and Elisseeff 2002; Hall 2012, Section 3.3.3; claim
hall-2012:section-3.3.3-minimisers). The losses here have M = 1.

g runs through the span of K(., z_j) at *public* landmarks z_j: a smaller space with the same norm, for which the same
bound holds, and with as many unknowns as there are landmarks. The bound is of exact minimisers, and a computer finds
near ones: the objective is 2 lambda-strongly convex, so a gradient of norm at most 2 lambda rho leaves w within rho of
the minimiser, and the sensitivity is counted as Delta + 2 rho, with rho = Delta/1000. The iteration goes on until
that is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partialmethod
from typing import Any

import numpy as np
from scipy.linalg import solve, solve_triangular

from dpverify.errors import DpverifyError, InputError
from dpverify.mechanisms.functions.functions import Function, FunctionRelease, whole
from dpverify.mechanisms.functions.kernels import Kernel
from dpverify.mechanisms.functions.paths import factor_of
from dpverify.mechanisms.mechanism import Array, positive, table
from dpverify.mechanisms.sensitivities import minimiser_sensitivity

SMOOTH = 0.01
"""Width on which a corner of a loss is a parabola: it stays 1-Lipschitz, and has a second derivative."""
SLACK = Fraction(1, 1000)
STEPS = 200
Loss = Callable[[Array, Array], tuple[Array, Array, Array]]


def hinge(value: Array, label: Array) -> tuple[Array, Array, Array]:
    """(1 - y g)_+ of the support vector machine, its corner rounded; with both derivatives in g."""
    gap = 1 - label * value
    bent = np.clip(gap, 0, SMOOTH)
    loss = np.where(gap > SMOOTH, gap - SMOOTH / 2, bent**2 / (2 * SMOOTH))
    return loss, -label * bent / SMOOTH, ((gap > 0) & (gap < SMOOTH)) / SMOOTH


def logistic(value: Array, label: Array) -> tuple[Array, Array, Array]:
    """log(1 + exp(-y g)), with both derivatives in g."""
    margin = label * value
    chance = 0.5 * (1 - np.tanh(margin / 2))
    return np.logaddexp(0, -margin), -label * chance, chance * (1 - chance)


def absolute(value: Array, label: Array) -> tuple[Array, Array, Array]:
    """|g - y|, its corner rounded; with both derivatives in g."""
    off = value - label
    bent = np.clip(off, -SMOOTH, SMOOTH)
    loss = np.where(abs(off) > SMOOTH, abs(off) - SMOOTH / 2, bent**2 / (2 * SMOOTH))
    return loss, bent / SMOOTH, (abs(off) < SMOOTH) / SMOOTH


LOSSES: dict[str, tuple[Loss, bool]] = {
    "hinge": (hinge, True),
    "logistic": (logistic, True),
    "absolute": (absolute, False),
}
"""Each loss, and whether its labels are -1 and 1."""


class RegularisedRisk(FunctionRelease):
    """The minimiser of a regularised risk, released as a function.

    Args:
        loss: "hinge", "logistic" (labels -1 and 1) or "absolute" (any labels).
        kernel: K, with K(x, x) <= 1.
        penalty: lambda, exact.
        records: n, public.
        landmarks: public points, rows of d numbers, that span the functions.
        points: where the batch is evaluated; the landmarks if None.
        epsilon, delta: what is promised.

    Data have a row for each record: d covariates, then the label.
    """

    claim = "hall-2012:section-3.3.3-minimisers"

    def __init__(
        self,
        loss: str,
        kernel: Kernel,
        penalty: Any,
        records: int,
        landmarks: Any,
        points: Any = None,
        *,
        epsilon: Any,
        delta: Any,
    ) -> None:
        if loss not in LOSSES:
            raise InputError(f"loss: {loss!r} is not one of {', '.join(LOSSES)}")
        self.loss, self.records = loss, whole(records, "records")
        self.penalty = positive(penalty, "penalty")
        self.landmarks = kernel.check(table(landmarks, "landmarks"), "landmarks")
        exact = minimiser_sensitivity(Fraction(1), self.penalty, self.records)
        text = "1/(lambda n) in H(K), the loss being 1-Lipschitz, and 1/500 of it for the solver"
        where = self.landmarks if points is None else points
        super().__init__(kernel, where, exact * (1 + 2 * SLACK), text, epsilon=epsilon, delta=delta)
        self._root = factor_of(kernel, self.landmarks)
        self._near = 2 * float(self.penalty) * float(SLACK * exact)

    def fit(self, data: Any) -> Function:
        """The minimiser; raises DpverifyError where it is not found as nearly as the sensitivity counts on."""
        x, label = self._records(data)
        weights = self._minimise(self._features(x), label)

        def function(x: Array) -> Array:
            found: Array = self._features(x) @ weights
            return found

        return function

    def _records(self, data: Any) -> tuple[Array, Array]:
        rows = table(data, "data", self.dimension + 1)
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records; the noise was set for {self.records}")
        x, label = self.kernel.check(rows[:, :-1], "data"), rows[:, -1]
        if LOSSES[self.loss][1] and not (abs(label) == 1).all():
            raise InputError("data: the last column holds the labels, which are -1 and 1")
        reach = 1 / (2 * float(self.penalty)) + 1  # |f_D| <= 1/(2 lambda): labels beyond act as if they were here
        return x, np.clip(label, -reach, reach)

    def _features(self, x: Array) -> Array:
        """Coordinates in which the norm is at least that of H(K), and features have norm at most sqrt(K(x, x))."""
        found: Array = solve_triangular(self._root, self.kernel(self.landmarks, x), lower=True, check_finite=False).T
        return found

    def _minimise(self, features: Array, label: Array) -> Array:
        """Newton's method with halved steps."""
        loss, n, size = LOSSES[self.loss][0], len(label), features.shape[1]
        ridge = 2 * float(self.penalty)
        w = np.zeros(size)
        values, slope, bend = loss(features @ w, label)
        objective = values.mean()
        for _ in range(STEPS):
            gradient = features.T @ slope / n + ridge * w
            if np.linalg.norm(gradient) <= self._near:
                return w
            curved = bend > 0
            active = features[curved]
            matrix = (active * bend[curved, None]).T @ active / n + ridge * np.eye(size)
            step = solve(matrix, gradient, assume_a="pos", check_finite=False)
            length, fall = 1.0, gradient @ step
            while True:
                trial = w - length * step
                values, slope, bend = loss(features @ trial, label)
                found = values.mean() + ridge / 2 * trial @ trial
                if found <= objective - 1e-4 * length * fall or length < 1e-12:
                    break
                length /= 2
            w, objective = trial, found
        raise DpverifyError("the minimiser is not found as nearly as the sensitivity counts on; take a larger penalty")

    def worst_pair(self) -> tuple[Array, Array]:
        """All covariates at the first point, half of the labels each way, and one of them turned."""
        label = np.where(np.arange(self.records) % 2, 1.0, -1.0)
        data = np.column_stack([np.tile(self.points[0], (self.records, 1)), label])
        other = data.copy()
        other[-1, -1] = -other[-1, -1]
        return data, other


class SupportVectorMachine(RegularisedRisk):
    """The kernel support vector machine of Hall (2012, Figure 3.4): hinge loss, the sign of f_D is the class."""

    __init__ = partialmethod(RegularisedRisk.__init__, "hinge")
