"""Where to probe next, given the probes so far: floats that find; what is stated is stated by the probes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from dpverify.results import Result

FARTHEST = 1900.0
"""Size of log delta beyond which a scale has more digits than a certificate holds."""


def log(value: Fraction) -> float:
    """log of a positive rational of any size, to double precision."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    scaled = value / Fraction(2) ** shift
    return math.log(scaled) + shift * math.log(2)


def of_logarithm(x: float, factor: Fraction, resolution: float) -> Fraction:
    """A short decimal within that relative distance of factor * e^x, as far as x itself is that exact."""
    with localcontext() as context:
        context.prec = 40
        value = Decimal(x).exp() * factor.numerator / factor.denominator
        context.prec = max(2, math.ceil(-math.log10(resolution)))
        return Fraction(+value)


@dataclass(frozen=True)
class Probe:
    """epsilon at one scale, and on which side of the target it is proved to lie.

    side: -1 where epsilon <= target is proved, 1 where epsilon > target is, 0 where neither;
    x = log(Delta/sigma); y = log of the enclosure's middle over the target.
    """

    scale: Fraction
    result: Result
    side: int
    x: float
    y: float


def secant(a: Probe, b: Probe) -> float:
    """Where the line through two probes crosses y = 0."""
    return a.x - a.y * (b.x - a.x) / (b.y - a.y)


def inverse_quadratic(a: Probe, b: Probe, c: Probe) -> float:
    """Where the parabola x(y) through three probes crosses y = 0."""
    x = 0.0
    for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
        x += p.x * (q.y * r.y) / ((p.y - q.y) * (p.y - r.y))
    return x


def aim(low: Probe, high: Probe, third: Probe | None) -> tuple[float, float]:
    """(where the crossing is expected, how far that may be off), in x = log delta, strictly inside the bracket."""
    width = high.x - low.x
    line = secant(low, high)
    guess, doubt = line, width / 8
    if third is not None and len({third.y, low.y, high.y}) == 3:
        curved = inverse_quadratic(low, high, third)
        if low.x < curved < high.x:
            guess, doubt = curved, min(width / 8, abs(curved - line) / 4)
    margin = width / 64
    return min(max(guess, low.x + margin), high.x - margin), doubt
