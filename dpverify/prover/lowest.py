"""Where floats see f lowest: between radii where it is positive it may be negative on a short interval."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, isnan

from dpverify.prover.cover import boxes_of, octaves
from dpverify.prover.problem import Problem, nearest

SAMPLES, STEPS, MOST = 64, 60, 12
GOLDEN = 0.6180339887498949


def lowest_places(problem: Problem, low: Fraction, high: Fraction) -> list[Fraction]:
    """Radii at which log f is least between its neighbours on a grid, and where it has no value on the way there."""
    log_f = problem.rough_log()
    grid = [nearest(a + (b - a) * k / SAMPLES) for a, b in boxes_of(octaves(low, high)) for k in range(SAMPLES)]
    heights = [_height(log_f, r) for r in grid]
    dips = [i for i in range(1, len(grid) - 1) if heights[i] <= min(heights[i - 1], heights[i + 1])]
    deepest = sorted(dips, key=heights.__getitem__)[:MOST]
    return [Fraction(_descended(log_f, grid[i - 1], grid[i + 1])) for i in deepest]


def _height(log_f: Callable[[float], float], r: float) -> float:
    """About log f, -oo where it has no value."""
    height = log_f(r)
    return -inf if isnan(height) else height


def _descended(log_f: Callable[[float], float], a: float, b: float) -> float:
    """Golden section to where log f is least on [a, b]."""
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    at_c, at_d = _height(log_f, c), _height(log_f, d)
    for _ in range(STEPS):
        if at_c == -inf or at_d == -inf:
            return c if at_c == -inf else d
        if at_c <= at_d:
            b, d, at_d = d, c, at_c
            c = b - GOLDEN * (b - a)
            at_c = _height(log_f, c)
        else:
            a, c, at_c = c, d, at_d
            d = a + GOLDEN * (b - a)
            at_d = _height(log_f, d)
    return c
