"""Shared Hypothesis strategies and an independent, plain high-precision search."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
from hypothesis import strategies as st


def rationals(low: str, high: str, denominator: int = 50) -> st.SearchStrategy[Fraction]:
    """Short rationals in [low, high]."""
    return st.fractions(Fraction(low), Fraction(high), max_denominator=denominator)


def search(g: Callable[[mpmath.mpf], mpmath.mpf], delta: mpmath.mpf, top: int = 60) -> mpmath.mpf:
    """sup of g(r + delta) - g(r) by a grid and golden section at 40 digits: a lower bound up to rounding."""

    def loss(r: mpmath.mpf) -> mpmath.mpf:
        return g(r + delta) - g(r)

    grid = [mpmath.mpf(k) * k / 400 for k in range(1, 20 * int(top**0.5))]
    best = max(range(len(grid)), key=lambda i: loss(grid[i]))
    a, b = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(80):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if loss(c) > loss(d):
            b = d
        else:
            a = c
    return max(loss((a + b) / 2), *(loss(r) for r in grid))
