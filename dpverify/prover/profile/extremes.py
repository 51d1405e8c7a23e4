"""Where log f turns, by floats: an edge of S begins there, or ends, so that near it two edges are close together."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpverify.prover.profile.brackets import reach
from dpverify.prover.profile.generator import RadialWeight

SAMPLES, MOST, HALVINGS = 4000, 2000, 60
GOLDEN = (math.sqrt(5) - 1) / 2


def extremes(radial: RadialWeight) -> list[float]:
    """Radii at which log f is larger, or smaller, than beside them, up to the shift beyond where floats see something
    of w; some may be missing."""
    low, high = reach(radial)
    high += float(radial.shift)
    grid = sorted(
        {low + (high - low) * k / SAMPLES for k in range(SAMPLES + 1)}
        | {low * (high / low) ** (k / SAMPLES) for k in range(0, SAMPLES, 8)}
    )
    heights = [radial.rough(r) for r in grid]
    found = list[float]()
    for k in range(1, len(grid) - 1):
        before, here, after = heights[k - 1 : k + 2]
        side = 1 if before < here >= after else -1 if before > here <= after else 0
        if side and math.isfinite(before) and math.isfinite(after):
            found.append(_turn(radial.rough, grid[k - 1], grid[k + 1], side))
            if len(found) > MOST:
                return []
    return found


def _turn(log: Callable[[float], float], a: float, b: float, side: int) -> float:
    """Where a function that rises and then falls, or for the other side the reverse, turns: by golden sections."""
    x, y = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    p, q = log(x), log(y)
    for _ in range(HALVINGS):
        if (p - q) * side >= 0:
            b, y, q = y, x, p
            x = b - GOLDEN * (b - a)
            p = log(x)
        else:
            a, x, p = x, y, q
            y = a + GOLDEN * (b - a)
            q = log(y)
        if not a < x < y < b:
            break
    return (a + b) / 2
