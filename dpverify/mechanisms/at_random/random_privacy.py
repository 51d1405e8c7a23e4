"""Random differential privacy for shares and histograms of discrete records (Hall 2012, Sections 5.1 and 5.2).

(epsilon, gamma): records are independent draws of one unknown law, and with probability 1 - gamma over them and the
one that replaces the last, the outputs are epsilon-indistinguishable. With probability gamma nothing is promised, and
the records that it befalls are the rare ones. This is less than differential privacy: `FailureReport` says how often
it fails under a law that one names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dpverify.errors import InputError
from dpverify.mechanisms.counting.histograms import Histogram
from dpverify.mechanisms.hall import SAFE, empty_cells_are_safe, share_is_safe, small_cell_is_safe
from dpverify.mechanisms.k_norm import fine
from dpverify.mechanisms.mechanism import (
    IN_FLOATS,
    Array,
    Mechanism,
    Privacy,
    Release,
    State,
    generator,
    rational,
    table,
)

DRAWN = "records are independent draws of one law; with probability {} over them nothing is promised"
SURE = 0.99
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class FailureReport:
    """How often privacy fails under a law: `probability` exactly, or its estimate from `failed` of `trials` pairs.

    `at_most` is the probability itself, or an upper bound on it with 99 % confidence (Clopper and Pearson); `gamma`
    is what the mechanism promises for every law.
    """

    gamma: Fraction
    probability: float
    at_most: float
    failed: int | None = None
    trials: int | None = None

    @classmethod
    def of(cls, gamma: Fraction, failed: int, trials: int) -> FailureReport:
        """From so many pairs."""
        top = 1.0 if failed == trials else float(stats.beta.ppf(SURE, failed + 1, trials - failed))
        return cls(gamma, failed / trials, top, failed, trials)


def in_unit(value: Any, name: str) -> Fraction:
    """A number between 0 and 1.

    Raises:
        InputError: it is not.
    """
    number = rational(value, name)
    if not 0 < number < 1:
        raise InputError(f"{name}: {number} is not between 0 and 1")
    return number


class RandomProportion(Mechanism):
    """The share p^ of ones among n records, as it is where 2(p^ + 1/n) <= gamma, else with noise L/(n epsilon) (5.1).

    Proposition 5.2.1: it is (epsilon, gamma)-random private.

    Args:
        records: n, public.
        gamma: how often privacy may fail.
    """

    def __init__(self, records: int, *, epsilon: Any, gamma: Any) -> None:
        super().__init__(epsilon=epsilon)
        if records < 2:
            raise InputError(f"records: {records} is below 2")
        self.records, self.gamma = records, in_unit(gamma, "gamma")

    @property
    def privacy(self) -> Privacy:
        """(epsilon, gamma)-random privacy, which is no differential privacy."""
        return Privacy(
            self.epsilon,
            f"{self.records} records of 0 and 1, one of them drawn anew",
            f"1/{self.records}, of a share",
            claim="hall-2012:proposition-5.2.1",
            assumes=(DRAWN.format(self.gamma), IN_FLOATS),
        )

    def ones(self, data: Any) -> int:
        """How many records are 1."""
        rows = table(data, columns=1)
        if len(rows) != self.records:
            raise InputError(f"data: {len(rows)} records, not {self.records}")
        if not np.isin(rows, (0, 1)).all():
            raise InputError("data: a record is neither 0 nor 1; code what is counted as 1")
        return int(rows.sum())

    def fit(self, data: Any) -> float:
        """The share of ones."""
        return self.ones(data) / self.records

    def risk(self, data: Any) -> float:
        """E|released - share| at these records: 1/(n epsilon) where there is noise."""
        safe = share_is_safe(self.ones(data), self.records, self.gamma)
        return 0.0 if safe else 1 / float(self.records * self.epsilon)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A share; whether it came with noise can be seen of it."""
        return Release(float(self.samples(data, 1, generator(random_state))[0]), self.privacy, "in floats")

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases."""
        ones, scale = self.ones(data), 1 / (self.records * self.epsilon)
        if share_is_safe(ones, self.records, self.gamma):
            return np.full(size, ones / self.records)
        step = float(fine(scale))
        return np.rint((ones / self.records + rng.laplace(scale=float(scale), size=size)) / step) * step

    def fails(self, data: Any, other: Any) -> bool:
        """Whether these neighbours are told apart: their shares differ, and one of them is released as it is."""
        counts = self.ones(data), self.ones(other)
        return counts[0] != counts[1] and share_is_safe(min(counts), self.records, self.gamma)

    def failure(self, p: float) -> FailureReport:
        """How often privacy fails where each record is 1 with probability p: exactly, but for floats.

        x_n and its replacement differ, and of the others so few are 1 that the smaller share is released as it is.
        """
        largest = floor(self.gamma * self.records / SAFE) - 1
        chance = float(2 * p * (1 - p) * stats.binom.cdf(largest, self.records - 1, p))
        return FailureReport(self.gamma, chance, chance)

    def worst_pair(self) -> tuple[Any, Any]:
        """Shares of a half, and one record more: where privacy holds."""
        half = np.repeat([0, 1], [self.records - self.records // 2, self.records // 2])
        more = half.copy()
        more[0] = 1
        return half, more

    def failing_pair(self) -> tuple[Any, Any]:
        """No ones, or a single one: where gamma lets privacy fail, if 2/n <= gamma."""
        return np.zeros(self.records), np.eye(self.records)[0]


class RandomHistogram(Mechanism):
    """Shares of cells, the rare ones as they are, the others with noise 2L/(n epsilon).

    rule "empty" (5.2): empty cells are released as 0 if 2d <= gamma n, d the number of cells (Proposition 5.2.2);
    rule "small" (5.3): cells with p^ + 1/n <= gamma/(2k) as they are, k + 1 the number of cells (Proposition 5.2.3).

    Args:
        cells: their labels, public; a record in none of them is refused.
        records: n, public.
        gamma: how often privacy may fail.
    """

    def __init__(
        self, cells: Iterable[Hashable], records: int, *, epsilon: Any, gamma: Any, rule: str = "empty"
    ) -> None:
        super().__init__(epsilon=epsilon)
        if records < 2:
            raise InputError(f"records: {records} is below 2")
        if rule not in ("empty", "small"):
            raise InputError(f"rule: {rule!r} is neither 'empty' nor 'small'")
        self.records, self.gamma, self.rule = records, in_unit(gamma, "gamma"), rule
        self._histogram = Histogram(cells, epsilon=epsilon, noise="laplace")
        self.cells = self._histogram.cells
        if rule == "small" and len(self.cells) < 2:
            raise InputError("cells: the rule for small cells needs two")

    @property
    def privacy(self) -> Privacy:
        """(epsilon, gamma)-random privacy, which is no differential privacy."""
        return Privacy(
            self.epsilon,
            f"{self.records} records, one of them drawn anew",
            f"2/{self.records} in the l_1 norm",
            claim="hall-2012:proposition-5.2.2" if self.rule == "empty" else "hall-2012:proposition-5.2.3",
            assumes=(DRAWN.format(self.gamma), IN_FLOATS),
        )

    def counts(self, data: Any) -> Array:
        """How many records each cell has."""
        found = self._histogram.fit(data)
        if found.sum() != self.records:
            raise InputError(f"data: {int(found.sum())} records in the cells, not {self.records}")
        return found

    def fit(self, data: Any) -> Array:
        """The share of records that each cell has."""
        return np.asarray(self.counts(data) / self.records)

    def safe(self, counts: Any) -> Truths:
        """Which cells are released as they are; counts of one histogram, or a histogram a row."""
        table_ = np.asarray(counts)
        if self.rule == "empty":
            allowed = empty_cells_are_safe(len(self.cells), self.records, self.gamma)
            return np.asarray((table_ == 0) & allowed)
        rule = [small_cell_is_safe(c, len(self.cells) - 1, self.records, self.gamma) for c in range(self.records + 1)]
        return np.asarray(np.array(rule)[table_.astype(int)])

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """Shares in the order of the cells; which came with noise can be seen of them."""
        return Release(self.samples(data, 1, generator(random_state))[0], self.privacy, "in floats")

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent releases."""
        counts = self.counts(data)
        step = float(fine(2 / self.epsilon))
        noise = rng.laplace(scale=2 / float(self.epsilon), size=(size, len(counts)))
        return np.where(self.safe(counts), counts, np.rint((counts + noise) / step) * step) / self.records

    def fails(self, data: Any, other: Any) -> bool:
        """Whether these neighbours are told apart."""
        return bool(self._told_apart(self.counts(data)[None], self.counts(other)[None])[0])

    def _told_apart(self, one: Any, two: Any) -> Truths:
        first, second = self.safe(one), self.safe(two)
        return np.asarray(((first != second) | (first & (one != two))).any(axis=1))

    def failure(self, law: Sequence[float], trials: int = 10_000, random_state: State = 0) -> FailureReport:
        """How often privacy fails where a record falls in the cells with these probabilities, by simulation.

        Raises:
            InputError: they are no probabilities of the cells.
        """
        p = np.asarray(law, dtype=float)
        if p.shape != (len(self.cells),) or (p < 0).any() or abs(p.sum() - 1) > 1e-9:
            raise InputError(f"law: not {len(self.cells)} probabilities that sum to 1")
        rng, failed, rows = generator(random_state), 0, max(1, min(trials, 2_000_000 // len(p)))
        for start in range(0, trials, rows):
            size = min(rows, trials - start)
            others = rng.multinomial(self.records - 1, p / p.sum(), size)
            one, two = others.copy(), others
            at = np.arange(size)
            one[at, rng.choice(len(p), size, p=p / p.sum())] += 1
            two[at, rng.choice(len(p), size, p=p / p.sum())] += 1
            failed += int(self._told_apart(one, two).sum())
        return FailureReport.of(self.gamma, failed, trials)

    def _rows(self, counts: Sequence[int]) -> Any:
        rows = np.empty(sum(counts), dtype=object)
        rows[:] = [cell for cell, count in zip(self.cells, counts, strict=True) for _ in range(count)]
        return rows

    def worst_pair(self) -> tuple[Any, Any]:
        """One record moved between two full cells: where privacy holds."""
        if len(self.cells) < 2:
            return self._rows([self.records]), self._rows([self.records])
        half, rest = self.records // 2, [0] * (len(self.cells) - 2)
        return self._rows([half, self.records - half, *rest]), self._rows([half + 1, self.records - half - 1, *rest])

    def failing_pair(self) -> tuple[Any, Any]:
        """All records in one cell, or one of them in another: where gamma lets privacy fail, if n is large."""
        rest = [0] * (len(self.cells) - 2)
        return self._rows([self.records, 0, *rest]), self._rows([self.records - 1, 1, *rest])

    def risk(self, counts: Any) -> float:
        """`E||released - shares||_1` at these counts: 2/(n epsilon) for each cell with noise (Proposition 5.2.4)."""
        return float((~self.safe(counts)).sum() * 2 / (self.records * float(self.epsilon)))
