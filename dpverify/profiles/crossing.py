"""Where an excess that falls as a scale grows crosses 0, by few probes, and by coarse ones far off.

An excess is log delta less log of the target; it is -inf where delta is 0, or as good as 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpverify.enclosures import Undecided
from dpverify.findings import Reason

ROUGH, FINE = 3, 11
"""The decimal digits of a probe, far from the crossing and next to it."""
NEAR = 0.05
"""From which excess on probes follow one another by secants."""
EDGE = 1 / 1024
FARTHEST = 2.0**60
MOST_STEPS = 6
Excess = Callable[[Fraction, Fraction], float]


@dataclass(frozen=True)
class Probe:
    """The excess at a shift, in units of what it is at the scale 1: it rises with the shift."""

    shift: float
    excess: float

    @property
    def finite(self) -> bool:
        return math.isfinite(self.excess)


def crossing(size: Fraction, excess: Excess) -> Fraction:
    """About the scale at which the excess is 0.  Raises Undecided where it is not found."""

    def probe(shift: float, digits: int = ROUGH) -> Probe:
        return Probe(shift, excess(_scale(size, shift), Fraction(1, 10**digits)))

    first, last = _approached(*_surrounded(probe), probe)
    for _ in range(MOST_STEPS):
        step = _step(first, last)
        if not abs(first.excess * last.excess) > 10.0**-13:
            break
        digits = min(FINE, ROUGH + math.ceil(-2 * math.log10(min(1.0, abs(last.excess)))))
        found = probe(last.shift * math.exp(step), digits)
        if not found.finite:
            break
        first, last = last, found
    return _scale(size, last.shift * math.exp(_step(first, last)))


def _surrounded(probe: Callable[[float], Probe]) -> tuple[Probe, Probe]:
    """Two shifts, the excess at most 0 at the first and above it at the second."""
    low = high = probe(1.0)
    while high.excess <= 0:
        low, high = high, probe(high.shift * 2)
        if high.shift > FARTHEST:
            raise Undecided(Reason.DELTA_STAYS_BELOW())
    while low.excess > 0:
        low, high = probe(low.shift / 2), low
        if low.shift < 1 / FARTHEST:
            raise Undecided(Reason.DELTA_STAYS_ABOVE())
    return low, high


def _approached(low: Probe, high: Probe, probe: Callable[[float], Probe]) -> tuple[Probe, Probe]:
    """Two probes near the crossing, the nearer one last: each guessed, or half way where guesses gained little."""
    seen, poor = [p for p in (low, high) if p.finite], 0
    while min(abs(p.excess) for p in seen) > NEAR or len(seen) < 2:
        width = high.shift - low.shift
        if not width > high.shift * 10.0**-FINE:
            break
        tired = poor == (2 if low.finite else 1)
        part = 0.5 if tired else _part(low, high, seen)
        found = probe(low.shift + width * min(max(part, EDGE), 1 - EDGE))
        low, high = (low, found) if found.excess > 0 else (found, high)
        poor = poor + 1 if high.shift - low.shift > width / 2 and not tired else 0
        seen += [found] if found.finite else []
    *_, first, last = sorted([seen[0], *seen], key=lambda p: -abs(p.excess))
    return first, last


def _part(low: Probe, high: Probe, seen: Sequence[Probe]) -> float:
    """What part of the way from one to the other the crossing may be: by the parabola through both and the next probe,
    of log shift by the excess; where delta is 0 at the first, by a power of what the shift is beyond it."""
    others = sorted((p for p in seen if p not in (low, high)), key=lambda p: abs(p.excess))
    width = high.shift - low.shift
    if low.finite:
        far, near = sorted([low, high], key=lambda p: -abs(p.excess))
        steps = [_step_by_three(others[0], far, near)] if others else []
        guesses = (near.shift * math.exp(min(step, 1.0)) for step in [*steps, _step(far, near)])
        return next(((x - low.shift) / width for x in guesses if low.shift < x < high.shift), 0.5)
    further = [p for p in others if p.excess > high.excess]
    if not further:
        return 0.5
    power = (further[0].excess - high.excess) / math.log((further[0].shift - low.shift) / width)
    return math.exp(-high.excess / power)


def _step_by_three(first: Probe, second: Probe, last: Probe) -> float:
    """How much is to be added to the logarithm of the last shift, by the parabola through three."""
    a, b, c = first.excess, second.excess, last.excess
    if len({a, b, c}) < 3:
        return _step(second, last)
    x, y = (math.log(p.shift / last.shift) for p in (first, second))
    slope, bend = y / (b - c), (x / (a - c) - y / (b - c)) / (a - b)
    return -c * (slope - bend * b)


def _step(first: Probe, last: Probe) -> float:
    """How much is to be added to the logarithm of the last shift, by the line through both."""
    if first.excess == last.excess:
        return 0.0
    return -last.excess * math.log(last.shift / first.shift) / (last.excess - first.excess)


def _scale(size: Fraction, shift: float) -> Fraction:
    """The scale of a shift, in few digits."""
    scale = size / Fraction(shift)
    bits = 70 - (scale.numerator.bit_length() - scale.denominator.bit_length())
    return Fraction(round(scale * 2**bits), 2**bits) if bits > 0 else scale
