"""Bets against (epsilon, delta)-privacy, whose wealth may be looked at after every draw.

Each draw comes from the first output with probability w, else from the second. Privacy says p <= e^epsilon q +
delta of any event that was fixed before the draw, so that the bet that pays

    1 + lambda (1{from the first, in}/w - e^epsilon 1{from the second, in}/(1 - w) - delta)

has mean at most 1, and is not negative for lambda = u / (e^epsilon/(1 - w) + delta), 0 <= u <= 1. The product of
such bets is a supermartingale, and so is its mean over several u and over several events: it ever reaches 1/a
with probability at most a (Ville 1939), whenever one looks and whenever one stops. After it, bets on another
event, chosen from all draws so far, go on from the same wealth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from dpverify.audit.bounds import Counts
from dpverify.audit.scores import Array

WEIGHT = 0.5
BOLD = 1 - np.geomspace(1e-3, 0.98, 30)
"""The u over which bets are averaged: from all but everything to little."""
SLACK = 1e-9
"""What the wealth's logarithm is lowered by for each epoch, for the rounding of floats."""

ALL = slice(None)
AT_ONCE = 16
"""Epsilons that are looked at together."""


@cache
def _gains(epsilons: tuple[float, ...], delta: float) -> tuple[Array, Array, Array]:
    """For each epsilon and u the bet's logarithm at a draw: from the first and in, from the second and in, outside."""
    price = np.exp(epsilons)[:, None] / (1 - WEIGHT)
    stake = BOLD / (price + delta)
    return np.log1p(stake * (1 / WEIGHT - delta)), np.log1p(-stake * (price + delta)), np.log1p(-stake * delta)


def log_wealth(counts: Counts, epsilons: tuple[float, ...], delta: float, at: slice = ALL) -> Array:
    """The logarithm of the wealth, from 1, of bets on one event against the epsilons at these places.

    Draws have origins at random.
    """
    first_in, second_in, outside = (gain[at] for gain in _gains(epsilons, delta))
    left = counts.first + counts.second - counts.first_in - counts.second_in
    found = counts.first_in * first_in + counts.second_in * second_in + left * outside
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

    def look(self, counts: Sequence[Counts], shares: Sequence[float]) -> None:
        """Note what this epoch's counts of the events that the wealth was shared out to refute."""
        while self.rejected < len(self.epsilons):
            next_few = slice(self.rejected, self.rejected + AT_ONCE)
            refuted = self.wealth(counts, shares, next_few) >= -np.log(self.level)
            if not refuted.all():
                self.rejected += int(np.argmin(refuted))
                return
            self.rejected += len(refuted)

    def end_epoch(self, counts: Sequence[Counts], shares: Sequence[float]) -> None:
        """Other events will be bet on from now, with the wealth that these counts leave."""
        self.before = self.wealth(counts, shares)

    def wealth(self, counts: Sequence[Counts], shares: Sequence[float], at: slice = ALL) -> Array:
        """Its logarithm against the epsilons at these places."""
        each = [
            np.log(share) + log_wealth(c, self.epsilons, self.delta, at)
            for c, share in zip(counts, shares, strict=True)
        ]
        return np.asarray(self.before[at] + np.logaddexp.reduce(each) - SLACK)

    @property
    def bound(self) -> float:
        """The largest epsilon that is refuted, a lower bound at any time; 0 for none."""
        return self.epsilons[self.rejected - 1] if self.rejected else 0.0
