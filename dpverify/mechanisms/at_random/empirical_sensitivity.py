"""The mean of real records without a bound, its noise scaled to a sample quantile (Hall 2012, Section 5.3).

Random differential privacy: records are independent draws of one law. The mean changes by h(x, x')/n, h = |x - x'|.
A quantile h^ of h over the pairs (x_i, x_(i + n/2)) gives s(D) = h^/n, and the noise has density proportional to
exp(-alpha |z - mean|/(2 s(D))) (5.4): here, and here alone, a scale is read off the data. Corrected are

- the scale: printed as s(D) = n h^ (claim section-5.3-scale);
- delta: printed as exp(-alpha/(2 beta)), exactly `hall.smooth_delta` (claim section-5.3-smooth);
- the law: |g(D) - g(D')| <= h(x, x')/n must hold pair by pair (claim section-5.3-law), as it does for the mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, inf, log, sqrt
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.at_random.random_privacy import DRAWN, FailureReport, Truths, in_unit
from dpverify.mechanisms.hall import smooth_delta
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

ROOM = 1 + 1e-12
"""What delta is raised by, for the rounding of floats."""


@dataclass(frozen=True)
class EmpiricalFailure:
    """How often the mean's change exceeds s (5.6), s is not smooth (5.5), and either; `gamma` promises the first."""

    too_small: FailureReport
    not_smooth: FailureReport
    either: FailureReport


class EmpiricalMean(Mechanism):
    """The mean, with Laplace noise of scale 2 s(D)/epsilon.

    The level of the quantile is 1 - gamma/4 + sqrt(log(4/gamma)/n): with probability 1 - gamma the mean's change is at
    most s(D) and s(D') (a union bound, and the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart, claim
    equation-5.7, for n/2 pairs). That s(D) and s(D') are within a factor of e^beta (5.5) the thesis shows in the limit
    alone; `failure` measures it under a law.

    Args:
        records: n, even and public, at least 16 log(4/gamma)/gamma^2, so that the level is at most 1.
        beta: how smooth s is taken to be, at most epsilon/2; delta follows from it.
        gamma: how often s may be too small.
        lattice: what the output is rounded to; public.

    Raises:
        InputError: numbers out of range, too few records for gamma.
    """

    def __init__(self, records: int, *, epsilon: Any, gamma: Any, beta: Any, lattice: Any = "1/1048576") -> None:
        exact, smooth = positive(epsilon, "epsilon"), positive(beta, "beta")
        if smooth > exact / 2:
            raise InputError(f"beta: {smooth} is above epsilon/2, where delta is not known")
        super().__init__(
            epsilon=epsilon, delta=Fraction(min(smooth_delta(float(exact), float(smooth)) * ROOM + 1e-300, 0.5))
        )
        self.beta, self.gamma, self.lattice = smooth, in_unit(gamma, "gamma"), positive(lattice, "lattice")
        self.records = records
        if records < 2 or records % 2:
            raise InputError(f"records: {records} is not even and positive")
        g = float(self.gamma)
        self.level = 1 - g / 4 + sqrt(log(4 / g) / records)
        if self.level > 1:
            least = ceil(16 * log(4 / g) / g**2)
            raise InputError(f"records: {records} are too few for gamma = {self.gamma}; at least {least} are needed")
        self.rank = ceil(self.level * (records // 2))

    @property
    def privacy(self) -> Privacy:
        """(epsilon, delta, gamma)-random privacy, which is no differential privacy, where s is smooth."""
        return Privacy(
            self.epsilon,
            f"{self.records} real records, one of them drawn anew",
            f"s(D), a sample quantile of |x - x'| over {self.records}: read off the data",
            delta=self.delta,
            claim="hall-2012:section-5.3-smooth",
            assumes=(
                DRAWN.format(self.gamma),
                f"s(D) and s(D') are within a factor of e^{self.beta}; see `failure`",
                IN_FLOATS,
            ),
        )

    def records_of(self, data: Any) -> Array:
        """The records, one column."""
        rows = table(data, columns=1)[:, 0]
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records, not {self.records}")
        return np.asarray(rows)

    def fit(self, data: Any) -> float:
        """The mean."""
        return float(self.records_of(data).mean())

    def risk(self, data: Any) -> float:
        """E|released - mean| at these records, 2 s(D)/epsilon: as little private as they are."""
        return 2 * float(self.bound(self.records_of(data))) / float(self.epsilon)

    def bound(self, records: Array) -> Array:
        """s(D) of one data set, or of a data set a row."""
        half = self.records // 2
        h = np.abs(records[..., :half] - records[..., half:])
        return np.asarray(np.partition(h, self.rank - 1, axis=-1)[..., self.rank - 1] / self.records)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A number."""
        return Release(float(self.samples(data, 1, generator(random_state))[0]), self.privacy, "in floats")

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases."""
        x, step = self.records_of(data), float(self.lattice)
        noise = rng.laplace(size=size) * 2 * float(self.bound(x)) / float(self.epsilon)
        return np.rint((x.mean() + noise) / step) * step

    def fails(self, data: Any, other: Any) -> tuple[bool, bool]:
        """Whether the change of the mean exceeds s, and whether s is not smooth, of two neighbours."""
        small, rough = self._told_apart(self.records_of(data)[None], self.records_of(other)[None])
        return bool(small[0]), bool(rough[0])

    def _told_apart(self, one: Array, two: Array) -> tuple[Truths, Truths]:
        s, t = self.bound(one), self.bound(two)
        small = np.asarray(np.abs(one.mean(axis=1) - two.mean(axis=1)) > np.minimum(s, t) * (1 + 1e-12))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(np.minimum(s, t) > 0, np.maximum(s, t) / np.minimum(s, t), np.where(s == t, 1.0, inf))
        return small, np.asarray(ratio > exp(float(self.beta)))

    def failure(
        self, law: Callable[[np.random.Generator, int], Any], trials: int = 1_000, random_state: State = 0
    ) -> EmpiricalFailure:
        """How often privacy fails where `law(rng, size)` draws the records, by simulation."""
        rng, n = generator(random_state), self.records
        counts = np.zeros(3, dtype=int)
        rows = max(1, min(trials, 2_000_000 // n))
        for start in range(0, trials, rows):
            size = min(rows, trials - start)
            one = np.asarray(law(rng, size * n), dtype=float).reshape(size, n)
            two = one.copy()
            two[:, -1] = law(rng, size)
            small, rough = self._told_apart(one, two)
            counts += [small.sum(), rough.sum(), (small | rough).sum()]
        return EmpiricalFailure(*(FailureReport.of(self.gamma, int(c), trials) for c in counts))

    def worst_pair(self) -> tuple[Any, Any]:
        """Two data sets with s(D) = s(D') that lie s apart: where privacy holds."""
        half = self.records // 2
        x = np.concatenate([np.zeros(half), np.ones(half)])
        y = x.copy()
        y[0] = 1.0  # one pair of the many has h = 0
        return x, y

    def failing_pair(self) -> tuple[Any, Any]:
        """Records whose h is 1, and one far out: where gamma lets privacy fail."""
        x, _ = self.worst_pair()
        y = x.copy()
        y[0] = float(self.records)
        return x, y
