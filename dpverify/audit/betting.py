"""Bets against (epsilon, delta)-privacy, whose wealth may be looked at after every draw.

Draws come in pairs, one of each output, in a fixed order; a and b tell whether they lie in an event that was fixed
before them, which has probabilities p and q. Privacy says p <= e^epsilon q + delta, so that the bet that pays

    1 + lambda (a - e^epsilon b - delta)

has mean at most 1, and is not negative for lambda = u / (e^epsilon + delta), 0 <= u <= 1. The product of such bets
is a supermartingale, and so is its mean over several u and over several events: it ever reaches 1/a with probability
at most a (Ville 1939), whenever one looks and whenever one stops. After it, bets on another event, chosen from all
draws so far, go on from the same wealth. No coin is tossed: the chance is that of the draws alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.scores import Array

BOLD = 1 - np.geomspace(1e-3, 0.98, 30)
"""The u over which bets are averaged: from all but everything to little."""
SLACK = 1e-9
"""What the wealth's logarithm is lowered by for each epoch, for the rounding of floats."""

ALL = slice(None)
AT_ONCE = 16
"""Epsilons that are looked at together."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of draws by what of them lies in an event: the first output's alone, the second's alone, both, neither."""

    first: int = 0
    second: int = 0
    both: int = 0
    neither: int = 0

    @classmethod
    def of(cls, a: NDArray[np.bool_], b: NDArray[np.bool_]) -> Pairs:
        """Counted from what each pair shows of the first output and of the second."""
        both = int(np.count_nonzero(a & b))
        first, second = int(np.count_nonzero(a)) - both, int(np.count_nonzero(b)) - both
        return cls(first, second, both, len(a) - first - second - both)

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            self.first + other.first,
            self.second + other.second,
            self.both + other.both,
            self.neither + other.neither,
        )


@cache
def _gains(epsilons: tuple[float, ...], delta: float) -> tuple[Array, Array, Array, Array]:
    """For each epsilon and u the bet's logarithm at a pair: the first alone is in, the second alone, both, neither."""
    price = np.exp(epsilons)[:, None]
    stake = BOLD / (price + delta)
    return (
        np.log1p(stake * (1 - delta)),
        np.log1p(-stake * (price + delta)),
        np.log1p(stake * (1 - price - delta)),
        np.log1p(-stake * delta),
    )


def log_wealth(pairs: Pairs, epsilons: tuple[float, ...], delta: float, at: slice = ALL) -> Array:
    """The logarithm of the wealth, from 1, of bets on one event against the epsilons at these places."""
    first, second, both, neither = (gain[at] for gain in _gains(epsilons, delta))
    found = pairs.first * first + pairs.second * second + pairs.both * both + pairs.neither * neither
    largest = found.max(axis=1)
    return np.asarray(largest + np.log(np.exp(found - largest[:, None]).mean(axis=1)))


@dataclass
class Bets:
    """The wealth of one part of an audit against a rising list of epsilons, over all epochs so far.

    `rejected` is how many of them, from the least on, were ever refuted at the level: in this order no
    correction is needed, since of the true ones the least is met first.
    """

    epsilons: tuple[float, ...]
    delta: float
    level: float
    before: Array = field(init=False)
    rejected: int = 0

    def __post_init__(self) -> None:
        self.before = np.zeros(len(self.epsilons))

    def look(self, pairs: Sequence[Pairs], shares: Sequence[float]) -> None:
        """Note what this epoch's pairs, by the events, that the wealth was shared out to refute."""
        while self.rejected < len(self.epsilons):
            next_few = slice(self.rejected, self.rejected + AT_ONCE)
            refuted = self.wealth(pairs, shares, next_few) >= -np.log(self.level)
            if not refuted.all():
                self.rejected += int(np.argmin(refuted))
                return
            self.rejected += len(refuted)

    def end_epoch(self, pairs: Sequence[Pairs], shares: Sequence[float]) -> None:
        """Other events will be bet on from now, with the wealth that these pairs leave."""
        self.before = self.wealth(pairs, shares)

    def wealth(self, pairs: Sequence[Pairs], shares: Sequence[float], at: slice = ALL) -> Array:
        """Its logarithm against the epsilons at these places."""
        logarithms = [
            np.log(share) + log_wealth(each, self.epsilons, self.delta, at)
            for each, share in zip(pairs, shares, strict=True)
        ]
        return np.asarray(self.before[at] + np.logaddexp.reduce(logarithms) - SLACK)

    @property
    def bound(self) -> float:
        """The largest epsilon that is refuted, a lower bound at any time; 0 for none."""
        return self.epsilons[self.rejected - 1] if self.rejected else 0.0
