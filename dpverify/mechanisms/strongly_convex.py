"""The exponential mechanism of a strongly convex risk: Awan and others (2019), Theorem 3.2 and Example 3.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import (
    IN_FLOATS,
    Array,
    Mechanism,
    Privacy,
    Release,
    State,
    generator,
    positive,
    table,
)

STEPS, MOST, AT_ONCE, STEP = 600, 10**6, 1024, 1e-4
CELLS = 2**20
"""What is released is rounded to multiples of 1/CELLS: the low bits of a float tell where the noise was added."""


class Risk(NamedTuple):
    """The loss of one record at a parameter b of R^p, and what is known of it for every record.

    losses(rows, b)     the loss of each row at each b (n x q and N x p give N x n)
    slope(rows, b)      the gradient in b of their mean, at one b
    curvature           alpha > 0, or p of them: the Hessian of the mean loss is at least diag(alpha), whatever the rows
    sensitivity         the most that a record's replacement changes the sum, for b in the ball of `radius`
    radius              the ball to which the release is kept
    dimensions          p, and the columns q of the data
    """

    losses: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]
    curvature: float | Array
    sensitivity: Any
    radius: float
    dimensions: tuple[int, int]


def mean(dimension: int) -> Risk:
    """-xi(b) = sum ||X_i - b||^2 on the unit ball, of sensitivity 4: Example 3.5, kept to the ball, as it must be."""
    return Risk(
        lambda rows, b: (rows**2).sum(axis=1) - 2 * b @ rows.T + (b**2).sum(axis=1)[:, None],
        lambda rows, b: 2 * (b - rows.mean(axis=0)),
        2.0,
        4,
        1.0,
        (dimension, dimension),
    )


def penalised_mean(omega: ArrayLike, weight: float) -> Risk:
    """-xi(b) = sum ||X_i - b||^2 + n weight <b, Omega^-1 b>, Omega diagonal: Example 3.5, of the same sensitivity 4.

    Its S = (weight I + Omega)^-1 Omega/2 is nuclear where Omega is, so that the limit holds in infinite dimensions too.
    """
    inverse, plain = 1 / np.asarray(omega, dtype=np.float64), mean(np.size(omega))
    return plain._replace(
        losses=lambda rows, b: plain.losses(rows, b) + weight * (b**2 @ inverse)[:, None],
        slope=lambda rows, b: plain.slope(rows, b) + 2 * weight * inverse * b,
        curvature=2 + 2 * weight * inverse,
    )


def logistic(dimension: int, ridge: float = 0.1, radius: float = 2.0) -> Risk:
    """log(1 + exp(-y <x, b>)) + (ridge/2) <b, b>; the last column of the data is y, 1 or -1, and x has length <= 1.

    The penalty is the same for every record, and the other term lies between log(1 + e^-radius) and log(1 + e^radius)
    on the ball: they are `radius` apart, which is the sensitivity.
    """

    def losses(rows: Array, b: Array) -> Array:
        margins = b @ (rows[:, :-1] * rows[:, -1:]).T
        return np.logaddexp(0, -margins) + ridge / 2 * (b**2).sum(axis=1)[:, None]

    def slope(rows: Array, b: Array) -> Array:
        signed = rows[:, :-1] * rows[:, -1:]
        return ridge * b - (signed / (1 + np.exp(signed @ b))[:, None]).mean(axis=0)

    return Risk(losses, slope, ridge, radius, radius, (dimension, dimension + 1))


class StronglyConvexRisk(Mechanism):
    r"""b~ with density proportional to exp(-(eps/(2 Delta)) sum loss(X_i, b)) on a ball, for a public base measure.

    Awan and others (2019), Proposition 3.1: it is epsilon-DP. Theorem 3.2 (where the second derivatives are
    equicontinuous): sqrt(n)(b~ - b^) -> N(0, (2 Delta/eps) S), S the inverse Hessian of the mean loss. So the noise
    falls like n^(-1/2), as the statistical error does, where noise that is added to a mean falls like 1/n: the pitfall
    of the paper's title.

    Records are rows; those longer than 1 are shortened to length 1 (for `logistic`, without the last column, whose sign
    is taken). Drawn by rejection from a normal law above the density, so no chain has to mix: since the mean loss is
    alpha-strongly convex, it lies above L(b0) + <L'(b0), b - b0> + (alpha/2)|b - b0|^2 for any b0.
    The base measure is uniform on the ball, or N(0, C) conditioned on it, `base` being the eigenvalues of C, p numbers:
    Theorem 3.3 needs one, in infinite dimensions, that is smoother than the limit.

    How long the rejection takes, and whether it gives up, depends on the data, and can be seen by who measures time.
    """

    def __init__(self, risk: Risk, *, epsilon: Any, base: ArrayLike | None = None) -> None:
        super().__init__(epsilon=epsilon)
        self.risk = risk
        self.sensitivity = positive(risk.sensitivity, "sensitivity")
        if not (np.all(np.asarray(risk.curvature) > 0) and risk.radius > 0):
            raise InputError("risk: curvature and radius must be positive")
        p = risk.dimensions[0]
        spread = np.full(p, np.inf) if base is None else np.asarray(base, dtype=np.float64)
        if spread.shape != (p,) or not (spread > 0).all():
            raise InputError(f"base: not {p} positive eigenvalues")
        self.inverse = 1 / spread

    @property
    def privacy(self) -> Privacy:
        """Pure epsilon, under the sensitivity that the risk states."""
        return Privacy(
            self.epsilon,
            "one record replaced by another, their number fixed",
            f"the sum of the losses changes by {self.sensitivity} at most, as the risk states, on its ball",
            claim="awan-2019:proposition-3.1",
            assumes=(
                "the risk's own statements: sensitivity on the ball, and strong convexity for the sampler",
                IN_FLOATS,
            ),
        )

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """One draw; raises InputError where the envelope is so far above that a million proposals do not hit."""
        value = self.samples(data, 1, generator(random_state))[0]
        return Release(value, self.privacy, "in floats", {"kept to the ball of radius": self.risk.radius})

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Independent draws, size x p."""
        rows, risk = self.bounded(data), self.risk
        n, p = len(rows), risk.dimensions[0]
        alpha = np.broadcast_to(np.asarray(risk.curvature, dtype=np.float64), p)
        rate = n * float(self.epsilon / (2 * self.sensitivity))
        at = self.fit(data)
        slope = risk.slope(rows, at)
        value = risk.losses(rows, at[None])[0].mean()
        precision = rate * alpha + self.inverse
        centre = rate * (alpha * at - slope) / precision
        found: list[Array] = []
        count = tried = 0
        batch = max(1, min(AT_ONCE, 4 * size, 4_000_000 // n))
        while count < size:
            if tried > MOST * size:
                raise InputError(f"{self.name}: no draw in {tried} proposals; a risk with more curvature is needed")
            b = centre + rng.standard_normal((batch, p)) / np.sqrt(precision)
            b = b[(b**2).sum(axis=1) <= risk.radius**2]
            tried += batch
            above = risk.losses(rows, b).mean(axis=1) - value - (b - at) @ slope - (b - at) ** 2 @ alpha / 2
            kept = b[np.log(rng.random(len(b))) <= -rate * above]
            found.append(kept)
            count += len(kept)
        return np.round(np.concatenate(found)[:size] * CELLS) / CELLS

    def noise_error(self, data: Any) -> float:
        """(2 Delta/(n eps)) tr S, which E|b~ - b^|^2 nears by Theorem 3.2; of the data, and so not private.

        The inverse Hessian is taken by differences of the slope at b^.
        """
        rows, at = self.bounded(data), self.fit(data)
        steps = STEP * np.eye(len(at))
        hessian = np.array([self.risk.slope(rows, at + h) - self.risk.slope(rows, at - h) for h in steps]) / (2 * STEP)
        spread = np.trace(np.linalg.inv((hessian + hessian.T) / 2))
        return float(2 * self.sensitivity / self.epsilon) * float(spread) / len(rows)

    def fit(self, data: Any) -> Array:
        """b^, not private, by descent on the ball; any other point would do for the sampler, which is only slower."""
        rows, risk = self.bounded(data), self.risk
        b, step = np.zeros(risk.dimensions[0]), 1.0
        moved = b
        value = risk.losses(rows, b[None]).mean()
        for _ in range(STEPS):
            slope = risk.slope(rows, b)
            while step > 1e-12:
                moved = b - step * slope
                moved *= min(1.0, risk.radius / max(float(np.linalg.norm(moved)), 1e-300))
                lower = risk.losses(rows, moved[None]).mean()
                if lower <= value - float((b - moved) @ (b - moved)) / (4 * step):
                    break
                step /= 2
            if np.linalg.norm(b - moved) < 1e-12:
                break
            b, value, step = moved, lower, 2 * step
        return b

    def bounded(self, data: Any) -> Array:
        """The records, none longer than 1."""
        p, q = self.risk.dimensions
        rows = table(data, columns=q)
        sides = rows[:, :p] / np.maximum(1.0, np.linalg.norm(rows[:, :p], axis=1))[:, None]
        return sides if q == p else np.column_stack([sides, np.where(rows[:, p:] < 0, -1.0, 1.0)])

    def worst_pair(self) -> tuple[Array, Array]:
        """One record at an end of the ball, or at the other."""
        p, q = self.risk.dimensions
        one = np.zeros((1, q))
        one[0, 0], one[0, p:] = 1.0, 1.0
        other = one.copy()
        other[0, 0] = -1.0
        return one, other

    @property
    def name(self) -> str:
        """As errors call it."""
        return type(self).__name__
