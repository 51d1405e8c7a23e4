"""Functions of a space H(K), released through a Gaussian process: on a grid at once, or at points asked one by one.

Hall (2012), Proposition 3.2.2, corrected: where no record changes f_D by more than Delta in the norm of H(K),
f_D + c Z, Z a Gaussian process with covariance K, is (epsilon, delta)-private as a whole function, at whatever points
and however often it is asked. Printed, the covariance is c K; it must be c^2 K (claim hall-2012:proposition-3.2.2).
And in place of c = sqrt(2 log(2/delta)) Delta/epsilon, right up to epsilon = 4 log 2 and too large, stands the exact
scale, at which delta(epsilon) is proved.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpverify.algebraic import rational_above
from dpverify.errors import InputError
from dpverify.mechanisms.functions.kernels import Kernel
from dpverify.mechanisms.functions.paths import Path, factor_of
from dpverify.mechanisms.functions.scales import process_certificate, process_scale
from dpverify.mechanisms.lattices import rounded
from dpverify.mechanisms.mechanism import IN_FLOATS, Array, Mechanism, Privacy, Release, State, generator, table

Function = Callable[[Array], Array]
NEIGHBOURS = "one record replaced by any other; how many there are is public"
CLAIM = "hall-2012:proposition-3.2.2"


def whole(value: Any, name: str) -> int:
    """A positive integer; raises InputError."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise InputError(f"{name}: {value!r} is not a positive integer")
    return int(value)


class FunctionRelease(Mechanism):
    """A private function f_D + c Z, seen at `points` (a batch), or wherever it is asked (`online`).

    Subclasses say how f_D is made (`fit`), and what its sensitivity in H(K) is.

    Args:
        kernel: K, the covariance of the noise and the norm of the sensitivity.
        points: where the batch is evaluated, m numbers or rows of d numbers; fixed before the data are seen.
        sensitivity: Delta in the norm of H(K), exact, or exact text such as "sqrt(2)/100", rounded up.
        sensitivity_text: how it is known.
        epsilon, delta: what is promised; delta > 0.
    """

    claim = CLAIM

    def __init__(
        self, kernel: Kernel, points: Any, sensitivity: Any, sensitivity_text: str, *, epsilon: Any, delta: Any
    ) -> None:
        super().__init__(epsilon=epsilon, delta=delta)
        self.kernel = kernel
        self.points = kernel.check(table(points, "points"), "points")
        self.dimension = self.points.shape[1]
        self.sensitivity = rational_above(sensitivity, "the sensitivity")
        self.sensitivity_text = sensitivity_text
        if self.sensitivity <= 0:
            raise InputError(f"sensitivity: {self.sensitivity} is not positive")
        self._unit = process_scale(self.epsilon, self.delta)
        self.scale: Fraction = self.sensitivity * self._unit.value

    @abstractmethod
    def fit(self, data: Any) -> Function:
        """f_D, not private: a function of rows of points."""

    @property
    def assumes(self) -> tuple[str, ...]:
        """What nobody here has proved."""
        return ()

    @cached_property
    def privacy(self) -> Privacy:
        return Privacy(
            self.epsilon,
            NEIGHBOURS,
            self.sensitivity_text,
            self.delta,
            process_certificate(self.sensitivity, self.scale, self.epsilon),
            self.claim,
            (*self.assumes, IN_FLOATS),
            self._unit.delta,
        )

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """The values of f_D + c Z at `points`, drawn in floats and rounded to a lattice of about c/10^6."""
        values = self.online(data, random_state=random_state)(self.points)
        return Release(values, self.privacy, "in floats", {"points": self.points, "scale": self.scale})

    def online(self, data: Any, *, random_state: State = None) -> Online:
        """One release, for as many points as are ever asked: together they cost (epsilon, delta) once."""
        return Online(self, self.fit(data), Path(self.kernel, generator(random_state)))

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """So many releases at `points`, one a row."""
        mean = self.fit(data)(self.points)
        return rounded(mean + float(self.scale) * rng.standard_normal((size, len(mean))) @ self._factor.T, self.scale)

    @cached_property
    def _factor(self) -> Array:
        return factor_of(self.kernel, self.points)

    def noise_error(self) -> float:
        """E of the mean of (f~ - f)^2 over `points`, which is c^2 K(x, x) in the mean (claim section-3.2.3-remark)."""
        return float(self.scale) ** 2 * float(np.mean(self.kernel.at_itself(self.points)))

    def distance(self, data: Any, other: Any) -> float:
        """How far apart two data sets are at `points`, in deviations of the noise: at most Delta/c (Prop. 3.2.3)."""
        change = self.fit(data)(self.points) - self.fit(other)(self.points)
        return float(np.linalg.norm(np.linalg.solve(self._factor, change)) / float(self.scale))


class Online:
    """A private function that answers wherever it is asked; what it answered before stays as it was."""

    def __init__(self, mechanism: FunctionRelease, function: Function, path: Path) -> None:
        self.privacy = mechanism.privacy
        self._mechanism, self._function, self._path = mechanism, function, path

    def __call__(self, points: Any) -> Array:
        """f_D + c Z at points, m numbers or rows of d numbers."""
        x = self._mechanism.kernel.check(table(points, "points", self._mechanism.dimension), "points")
        scale = self._mechanism.scale
        return rounded(self._function(x) + float(scale) * self._path.at(x), scale)

    def __len__(self) -> int:
        """How many points were asked."""
        return len(self._path)


class PrivateFunction(FunctionRelease):
    """Any function of H(K) that the user knows how to compute, with the user's own bound of its sensitivity.

    Args:
        fit: takes the data and returns a function of rows of points (m x d -> m). Data that are such a function already
            are taken as they are.
        sensitivity: a bound of ||f_D - f_D'|| in H(K) over all neighbours; it is assumed, and said in `privacy`.
    """

    def __init__(
        self, kernel: Kernel, fit: Callable[[Any], Function], points: Any, *, sensitivity: Any, epsilon: Any, delta: Any
    ) -> None:
        text = f"at most {sensitivity} in the norm of {kernel!r}, as the user says"
        super().__init__(kernel, points, sensitivity, text, epsilon=epsilon, delta=delta)
        self._fit = fit

    @property
    def assumes(self) -> tuple[str, ...]:
        return ("the bound of the sensitivity in H(K)",)

    def fit(self, data: Any) -> Function:
        found: Function = data if callable(data) else self._fit(data)
        return found

    def worst_pair(self) -> tuple[Function, Function]:
        """Functions that lie as far apart as is stated: 0, and Delta K(x, .)/K(x, x)^(1/2), x the first point."""
        at = self.points[:1]
        height = float(self.sensitivity) / float(self.kernel.at_itself(at)[0]) ** 0.5
        return _zero, lambda x: np.asarray(height * self.kernel(x, at)[:, 0])


def _zero(x: Array) -> Array:
    return np.zeros(len(x))
