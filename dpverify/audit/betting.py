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
from scipy import special

from dpverify.audit.bounds import Counts
from dpverify.audit.scores import Array

WEIGHT = 0.5
BOLD = 1 - np.geomspace(1e-3, 0.98, 30)
"""The u over which bets are averaged: from all but everything to little."""
SLACK = 1e-9
"""What the wealth's logarithm is lowered by for each epoch, for the rounding of floats."""


@cache
def _gains(epsilons: tuple[float, ...], delta: float) -> tuple[Array, Array, Array]:
    """For each epsilon and u the bet's logarithm at a draw: from the first and in, from the second and in, outside."""
    price = np.exp(epsilons)[:, None] / (1 - WEIGHT)
    stake = BOLD / (price + delta)
    return np.log1p(stake * (1 / WEIGHT - delta)), np.log1p(-stake * (price + delta)), np.log1p(-stake * delta)


def log_wealth(counts: Counts, epsilons: tuple[float, ...], delta: float) -> Array:
    """The logarithm of the wealth of bets on one event against each epsilon, from 1; draws have origins at random."""
    first_in, second_in, outside = _gains(epsilons, delta)
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

    def look(self, counts: Sequence[Counts], shares: Sequence[float]) -> Array:
        """The wealth with this epoch's counts of the events that it was shared out to; notes what is refuted."""
        each = [
            np.log(share) + log_wealth(c, self.epsilons, self.delta) for c, share in zip(counts, shares, strict=True)
        ]
        now = self.before + special.logsumexp(each, axis=0) - SLACK
        refuted = now >= -np.log(self.level)
        while self.rejected < len(refuted) and refuted[self.rejected]:
            self.rejected += 1
        return np.asarray(now)

    def end_epoch(self, wealth: Array) -> None:
        """Other events will be bet on from now."""
        self.before = wealth

    @property
    def bound(self) -> float:
        """The largest epsilon that is refuted, a lower bound at any time; 0 for none."""
        return self.epsilons[self.rejected - 1] if self.rejected else 0.0
