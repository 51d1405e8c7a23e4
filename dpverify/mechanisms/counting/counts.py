"""Counts, released by the minimax method, with geometric noise, or with Laplace noise.

Data are records of 0 and 1, one column. Neighbours differ in one record, so that the count changes by 1 at most. The
geometric and the minimax method work at a rational r with (1 - 1e-6) epsilon <= log r <= epsilon, so that every
probability is a rational, and are drawn from fair bits, exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpverify.errors import InputError
from dpverify.mechanisms.certified import laplace
from dpverify.mechanisms.counting.fair import Fair, ratio_below
from dpverify.mechanisms.counting.minimax import Minimax, minimax, risks
from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release, State, positive, table
from dpverify.sampling.exact import ExactNoise

REPLACED = "as many records of 0 and 1, one of them replaced"


class _Count(Mechanism):
    def fit(self, data: Any) -> int:
        """How many records are 1."""
        rows = table(data, columns=1)
        if not np.isin(rows, (0, 1)).all():
            raise InputError("data: a record is neither 0 nor 1; code what is counted as 1")
        return int(rows.sum())

    def worst_pair(self) -> tuple[Any, Any]:
        """All records 0, or one of them 1."""
        return np.zeros(self._records), np.eye(self._records)[0]

    _records = 1


class GeometricCount(_Count):
    """The count plus k with probability `(r - 1)/(r + 1) r^-|k|`, e^epsilon cut to a rational r; a whole number.

    Its risk `E|k|` is 2r/(r^2 - 1), which is 1/sinh(epsilon) at r = e^epsilon: the minimax risk as n grows (Hall 2012,
    Section 2.3.3, claim section-2.3.3-figure-2.2).

    Args:
        records: where it is given, the output is cut off at 0 and that many, which costs nothing.
    """

    def __init__(self, *, epsilon: Any, records: int | None = None) -> None:
        super().__init__(epsilon=epsilon)
        if records is not None and records < 1:
            raise InputError(f"records: {records} is below 1")
        self.ratio, self.records = ratio_below(self.epsilon), records
        self._records = records or 1

    @property
    def privacy(self) -> Privacy:
        """epsilon-DP: neighbouring outputs have probabilities whose ratio is r at most."""
        return Privacy(self.epsilon, REPLACED, "1, of a count", claim="hall-2012:section-1.3.5-programme")

    @property
    def risk(self) -> Fraction:
        """E|released - count|, of noise that is not cut off."""
        return 2 * self.ratio / (self.ratio**2 - 1)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A whole number."""
        return Release(self.noisy(self.fit(data), Fair(random_state)), self.privacy, "exactly")

    def noisy(self, count: int, fair: Fair) -> int:
        """The count with noise, cut off where the records are given."""
        value = count + fair.geometric(self.ratio)
        return value if self.records is None else min(max(value, 0), self.records)


class MinimaxCount(_Count):
    """The private method for a count of n records whose largest risk is smallest (Hall 2012, Sections 1.3.5, 2.3.3).

    The counts are 0 to n (claim section-1.3.5-range; the thesis writes 1 to n). `method` holds the matrix and the
    rational proof that no private method is better: `method.lower <= minimax risk <= method.upper`.

    Args:
        records: n, from 1 to 1000.
        loss: "absolute", "squared", or "wrong" (1 where the output is not the count).
    """

    def __init__(self, records: int, *, epsilon: Any, loss: str = "absolute") -> None:
        super().__init__(epsilon=epsilon)
        self.ratio = ratio_below(self.epsilon)
        self.records = self._records = records
        self.method: Minimax = minimax(records, self.ratio, loss)

    @property
    def privacy(self) -> Privacy:
        """epsilon-DP: what is done with geometric noise afterwards costs nothing."""
        return Privacy(self.epsilon, REPLACED, "1, of a count", claim="hall-2012:section-2.3.3-equalizer")

    @property
    def risk(self) -> Fraction:
        """The largest risk over all counts, exactly."""
        return self.method.upper

    def risks(self) -> list[Fraction]:
        """The risk at each count from 0 to n, exactly."""
        return risks(self.records, self.ratio, self.method.loss, self.method.replaced)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A whole number from 0 to n."""
        count = self.fit(data)
        if np.size(data) != self.records:
            raise InputError(f"data: {np.size(data)} records, not {self.records}")
        return Release(self.noisy(count, Fair(random_state)), self.privacy, "exactly")

    def noisy(self, count: int, fair: Fair) -> int:
        """The output at this count."""
        outputs = self.method.replaced[min(max(count + fair.geometric(self.ratio), 0), self.records)]
        return outputs[fair.choice([p for _, p in outputs])][0]


class LaplaceCount(_Count):
    """The count plus Laplace noise of scale 1/epsilon (Hall 2012, Proposition 1.3.1), with a certificate.

    Args:
        lattice: the nearest point of it to the exact real output is released; it must not depend on data.
    """

    def __init__(self, *, epsilon: Any, lattice: Any = "1/1024") -> None:
        super().__init__(epsilon=epsilon)
        self.lattice = positive(lattice, "lattice")

    @cached_property
    def privacy(self) -> Privacy:
        """epsilon-DP, by a certificate."""
        certificate = laplace(1, Fraction(1), self.epsilon)[1]
        return Privacy(
            self.epsilon, REPLACED, "1, of a count", certificate=certificate, claim="hall-2012:proposition-1.3.1"
        )

    @property
    def risk(self) -> Fraction:
        """E|noise| = 1/epsilon."""
        return 1 / self.epsilon

    @cached_property
    def _noise(self) -> ExactNoise:
        assert self.privacy.certificate is not None
        return ExactNoise(self.privacy.certificate, lattice=self.lattice)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A point of the lattice."""
        value = self._noise.release([self.fit(data)], random_bits=Fair(random_state).bits)[0]
        return Release(value, self.privacy, "exactly")

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases, as floats."""
        count, fair = self.fit(data), Fair(rng)
        return np.array([float(self._noise.release([count], random_bits=fair.bits)[0]) for _ in range(size)])
