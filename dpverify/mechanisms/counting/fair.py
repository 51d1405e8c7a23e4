"""Draws made of fair bits alone: integers whose probabilities are rationals, exactly."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from flint import arb

from dpverify.enclosures import exact, fraction_above, fraction_below, precision
from dpverify.mechanisms.mechanism import State
from dpverify.numerals import simplest_between

LOST = Fraction(1, 10**6)
"""The share of epsilon that a rational e^epsilon may leave unused."""
BLOCK = 1024
"""Bytes that are fetched at once."""


class Fair:
    """Fair bits: the operating system's, or in tests and studies those of a seed or a generator."""

    def __init__(self, state: State = None) -> None:
        rng = None if state is None else np.random.default_rng(state)
        self._more: Callable[[], bytes] = (lambda: os.urandom(BLOCK)) if rng is None else (lambda: rng.bytes(BLOCK))
        self._pool, self._left = 0, 0

    def bits(self, n: int) -> int:
        """An integer of n bits, each of which is used once."""
        while self._left < n:
            self._pool = self._pool << 8 * BLOCK | int.from_bytes(self._more(), "big")
            self._left += 8 * BLOCK
        self._left -= n
        value, self._pool = self._pool >> self._left, self._pool & ((1 << self._left) - 1)
        return value

    def below(self, n: int) -> int:
        """Uniform on 0, ..., n - 1: what is too large is drawn again."""
        while True:
            value = self.bits(n.bit_length())
            if value < n:
                return value

    def chance(self, p: Fraction) -> bool:
        """True with probability p."""
        return self.below(p.denominator) < p.numerator

    def choice(self, weights: Sequence[Fraction]) -> int:
        """A place in a list of probabilities that sum to 1."""
        whole = lcm(*(w.denominator for w in weights))
        at = self.below(whole)
        for i, w in enumerate(weights):
            at -= w.numerator * (whole // w.denominator)
            if at < 0:
                return i
        raise AssertionError("the probabilities do not sum to 1")

    def geometric(self, ratio: Fraction) -> int:
        """An integer k with probability (r - 1)/(r + 1) r^-|k|, r = `ratio` > 1: two-sided geometric noise."""
        down = 1 / ratio
        while True:
            size, negative = 0, bool(self.bits(1))
            while self.chance(down):
                size += 1
            if size or not negative:  # 0 has one sign
                return -size if negative else size


def ratio_below(epsilon: Fraction) -> Fraction:
    """The simplest rational r with (1 - 1e-6) epsilon <= log r <= epsilon, proved in balls."""
    with precision(128):
        high = fraction_below(arb(exact(epsilon)).exp())
        low = fraction_above(arb(exact(epsilon * (1 - LOST))).exp())
    return simplest_between(low, high)
