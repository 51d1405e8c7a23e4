"""Special functions over floats, for sketches: quick, about as good as floats are, and proof of nothing."""

from __future__ import annotations

import math

LARGE = 26.0
"""Beyond this erfc is small, and its series at infinity good to the last digit of a float."""
STEPS = 12


def log_erfc(x: float) -> float:
    """log erfc(x)."""
    if x < LARGE:
        return math.log(math.erfc(x))
    t = 1 / (2 * x * x)
    return -x * x - math.log(x * math.sqrt(math.pi)) + math.log1p(-t + 3 * t * t - 15 * t**3 + 105 * t**4)


def acot(x: float) -> float:
    """pi/2 - atan(x)."""
    return math.atan2(1.0, x)


def lambertw(x: float) -> float:
    """W(x) by Halley's steps; raises ValueError where it has no value."""
    if x < 0:
        w = math.sqrt(2 * (1 + math.e * x)) - 1
    else:
        w = math.log1p(x) if x < math.e else math.log(x) - math.log(math.log(x))
    for _ in range(STEPS):
        miss = w - x * math.exp(-w)
        if not miss:
            break
        step = miss / (w + 1 - (w + 2) * miss / (2 * w + 2))
        w -= step
        if abs(step) <= 1e-16 * abs(w):
            break
    return w


QUICK = {"atan": math.atan, "acot": acot, "loggamma": math.lgamma, "lambertw": lambertw}
"""By the kind of node."""
