"""epsilon(delta), the least eps with delta(eps) at most a target: by the secant method, proved at both ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from flint import arb

from dpverify.attempts import Attempts
from dpverify.enclosures import Undecided, fraction_above, precision
from dpverify.findings import Reason
from dpverify.numerals import rounded
from dpverify.prover.profile.divergence import LAST, PART, Divergence, Profile
from dpverify.prover.profile.pieces import ball

ROUGH = Fraction(1, 1000)
MOST = 60


class Between(Protocol):
    """lower <= value <= upper."""

    @property
    def lower(self) -> Fraction: ...
    @property
    def upper(self) -> Fraction: ...


class Bounds(Between, Protocol):
    """lower <= delta(epsilon) <= upper."""

    @property
    def epsilon(self) -> Fraction: ...


Found = TypeVar("Found", bound=Bounds)
Known = TypeVar("Known", bound=Bounds, covariant=True)


class Divergences(Protocol[Known]):
    """What a profile says of delta at any eps, to within a share of it; of its pure epsilon, where there is one, and
    of the probability of an infinite loss."""

    @property
    def pure(self) -> tuple[Fraction, Fraction] | None: ...
    def at(self, epsilon: Fraction, tolerance: Fraction) -> Known: ...
    def atom(self, tolerance: Fraction) -> Between | None: ...


COARSEST = Fraction(1, 3)


def nearly(profile: Profile, target: Fraction, tolerance: Fraction) -> tuple[Divergence, Divergence]:
    """As `quantile`, or wider where that does not come off, or not in a part of the time."""
    failure: Undecided | None = None
    widths = Attempts[tuple[Divergence, Divergence]](tolerance, PART, LAST if profile.pure else Fraction(1), COARSEST)
    for width in [] if profile.only_roughly else widths:
        try:
            found = widths.tried(lambda _, width=width: quantile(profile, target, width))  # type: ignore[misc]
        except Undecided as error:
            failure = failure or error
            continue
        if found is not None:
            return found
    rough = roughly(profile, target)
    if rough is None:
        raise failure or Undecided(Reason.EPSILON_NOT_ENCLOSED(target=target))
    return rough


def roughly(profile: Profile, target: Fraction) -> tuple[Divergence, Divergence] | None:
    """From 0 to the eps at which the bound by the pure epsilon is the target."""
    if profile.pure is None or profile.cut is not None:
        return None
    with precision(200):
        most = ball(profile.pure[1]).exp()
        growth = most - ball(target) * (1 + most)
        end = growth.log() if growth > 1 else arb(0)
        high = Fraction(math.floor(fraction_above(end.upper()) * 2**40) + 1, 2**40)
    at_high = profile.roughly(high)
    if at_high is None or at_high.upper > target:
        at_high = Divergence(profile.pure[1], Fraction(0), Fraction(0))
    return Divergence(Fraction(0), Fraction(0), Fraction(1)), at_high


def quantile(
    profile: Divergences[Found], target: Fraction, tolerance: Fraction, tick: Callable[[], None] = lambda: None
) -> tuple[Found, Found]:
    """delta at two eps, as near to each other as `tolerance` of the larger: at least the target at the first, at most
    at the second.  Both are at 0 where delta(0) is at most the target."""
    first = profile.at(Fraction(0), ROUGH)
    if first.upper <= target:
        return first, first
    if first.lower <= target:
        first = profile.at(Fraction(0), tolerance)
        if first.upper <= target:
            return first, first
    search = _Search(profile, target, tick)
    low, high = search.bracket()
    digits = len(str(1 // tolerance)) + 2
    guess, accuracy = search.near(low, high, ROUGH, Fraction(0)), ROUGH
    for _ in range(12):
        reach = tolerance * guess / 3
        accuracy = max(tolerance / 1000, min(accuracy, search.steepness * reach / 8))
        low, high = rounded(guess - reach, digits, "down"), rounded(guess + reach, digits, "up")
        below, above = profile.at(low, accuracy), profile.at(high, accuracy)
        if below.lower >= target >= above.upper:
            return below, above
        search.remember(low, below)
        search.remember(high, above)
        guess = search.secant(low, high)
    raise Undecided(Reason.EPSILON_NOT_ENCLOSED(target=target))


class _Search(Generic[Found]):
    """log delta(eps) - log target at the eps that were tried, over floats."""

    def __init__(self, profile: Divergences[Found], target: Fraction, tick: Callable[[], None]) -> None:
        self.profile, self.target, self.tick = profile, target, tick
        self.known: dict[Fraction, float] = {}
        self.steepness = Fraction(1)

    def remember(self, epsilon: Fraction, found: Bounds) -> float:
        middle = (found.lower + found.upper) / 2
        self.known[epsilon] = log(middle / self.target) if middle else -math.inf
        return self.known[epsilon]

    def excess(self, epsilon: Fraction, accuracy: Fraction) -> float:
        self.tick()
        return self.remember(epsilon, self.profile.at(epsilon, accuracy))

    def bracket(self) -> tuple[Fraction, Fraction]:
        """An eps below which delta exceeds the target, and one beyond which it does not."""
        low, pure = Fraction(0), self.profile.pure
        self.known[low] = 1.0
        if pure is not None:
            self.known[pure[1]] = -math.inf
            return low, pure[1]
        high = Fraction(1)
        while self.excess(high, ROUGH) > 0:
            low, high = high, high * 2
            if high > 2**40:
                raise Undecided(Reason.NO_EPSILON())
        return low, high

    def near(self, low: Fraction, high: Fraction, accuracy: Fraction, _: Fraction) -> Fraction:
        """An eps at which delta is near the target, by regula falsi with bisections."""
        middle = (low + high) / 2
        for step in range(MOST):
            rise, fall = self.known[low], self.known[high]
            middle = (low + high) / 2
            if math.isfinite(rise) and math.isfinite(fall) and step % 3:
                part = min(max(rise / (rise - fall), 0.05), 0.95)
                middle = low + (high - low) * Fraction(part).limit_denominator(10**6)
            middle = _short(middle)
            excess = self.excess(middle, accuracy)
            if abs(excess) < 0.02:
                break
            low, high = (middle, high) if excess > 0 else (low, middle)
        self.known.setdefault(low, 0.0)
        return self.polished(middle)

    def polished(self, guess: Fraction) -> Fraction:
        """The guess after a few secant steps at a growing accuracy."""
        accuracy, reach = Fraction(1, 10**6), guess / 100
        for _ in range(3):
            if self.profile.pure is not None:
                reach = min(reach, max(self.profile.pure[0] - guess, Fraction(0)) / 8)
            if not reach:
                break
            other = guess + reach
            for x in (guess, other):
                self.excess(x, accuracy)
            guess, last = self.secant(guess, other), guess
            reach = max(abs(guess - last) / 10, guess / 10**5)
            accuracy = Fraction(1, 10**9)
        return guess

    def secant(self, a: Fraction, b: Fraction) -> Fraction:
        """Where the line through two known points meets the target."""
        slope = (self.known[b] - self.known[a]) / float(b - a)
        if not math.isfinite(slope) or slope >= 0:
            return (a + b) / 2
        self.steepness = Fraction(-slope)
        step = Fraction(self.known[a] / -slope)
        return max(a / 2, _short(a + step))


def log(x: Fraction) -> float:
    """log x of a rational, near 1 with all its digits."""
    return math.log(x.numerator) - math.log(x.denominator) if abs(x - 1) > Fraction(1, 4) else math.log1p(float(x - 1))


def _short(x: Fraction) -> Fraction:
    """The eps in few digits: any will do."""
    bits = 130 - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(round(x * 2**bits), 2**bits) if bits > 0 else x
