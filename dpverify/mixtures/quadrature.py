"""f_d and its slope at a radius, by rigorous integration over x = log v.

The integrals are I_k(s) = integral of v^(-d-k) exp(-s^2/(2 v^2)) p(v) dv, k = 0, 2 and 4: f_d(s^2) is
I_0(s) up to a factor, and g = -log f_d has the slope s I_2(s)/I_0(s).

Between two cuts the integrand is analytic but for finitely many breaks: there Arb integrates with a
proved error, and a break itself lies in a sliver that is bounded by its width. Beyond the cuts the
integrand is bounded through the steepness u of p: as a function of x it changes like
exp((1-d-k) x - s^2 e^(-2x)/2 - integral of u), so where its logarithmic slope is at least q > 0 up to
the left cut, what lies beyond is at most its value at the cut, divided by q, and at least that if the slope is
at most q; likewise at the right. Where the slope tends to zero, the next logarithm decides: an integrand
that changes like |x|^-q has |x| / (q - 1) times its value beyond the cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq

from dpverify.asymptotics import LOG_T, Model
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.nodes import Node
from dpverify.findings import Reason
from dpverify.integration import integral
from dpverify.mixtures import ends
from dpverify.mixtures.analytic import Analytic, Piece, Sliver, partition
from dpverify.mixtures.ends import End

PRECISION = 128
ACCURACY = arb(2) ** -64
GRID = 60
FARTHEST = 2**15
FIRST_REACH = 32
EVALUATIONS = 400_000  # of the integrand, in one integral
MOST_EVALUATIONS = 1_000_000  # and in all of them

Weight = Callable[[acb], acb]


@dataclass(frozen=True, slots=True)
class Scale:
    """The integrand's size where it is largest on a coarse grid of x, and where that is."""

    peak: Fraction
    log: arb


class Quadrature:
    """The integrals I_k for one mixing density in one dimension."""

    def __init__(self, node: Node, zero: End, infinity: End, dimension: int) -> None:
        self.node, self.dimension = node, dimension
        self.zero, self.infinity = zero, infinity
        self._evaluations = 0
        self._table: list[tuple[float, float]] = []
        self._ends: dict[tuple[bool, int], End] = {}
        self._parts: list[Piece | Sliver] = []

    def end_beyond(self, x: Fraction, at_zero: bool) -> End:
        """A model of the end that holds wherever log v is beyond x; raises Undecided."""
        first = self.zero if at_zero else self.infinity
        size = arb(exact(abs(x))) / arb(2).log()
        bits = int(size.floor().lower().fmpq()) if (x < 0) == at_zero else 0
        if Fraction(2) ** min(bits, 10_000) < first.radius:
            raise Undecided(Reason.MIXING_MODELS_END())
        rung = bits if bits <= 8 else min(1 << (bits.bit_length() - 1), 2048)
        radius = Fraction(2) ** rung
        if radius <= first.radius:
            return first
        key = (at_zero, rung)
        if key not in self._ends:
            try:
                self._ends[key] = ends.model(self.node, at_zero, radius)
            except Undecided:
                self._ends[key] = first
        return self._ends[key]

    def density(self, x: Fraction) -> arb:
        """p(e^x)."""
        return self._piece_at(x).at(arb(exact(x)))

    def usual_log(self, s: Fraction) -> float:
        """Roughly where log v is, under the law of V tilted by the radius s: to choose units by."""
        return float(self._scale(s, 0, None, None).peak)

    def integral(self, s: Fraction, k: int, low: Fraction | None = None, high: Fraction | None = None) -> arb:
        """I_k(s) over log v between low and high (None: no end); raises Undecided."""
        scale = self._scale(s, k, low, high)
        left = low if low is not None else self._cut(s, k, scale, at_zero=True)
        right = high if high is not None else self._cut(s, k, scale, at_zero=False)
        total = arb(0)
        for part in self.parts(left, right):
            total = total + self._over(part, s, k, scale)
        if low is None:
            total = total + self._beyond(left, s, k, scale, at_zero=True)
        if high is None:
            total = total + self._beyond(right, s, k, scale, at_zero=False)
        if not total.is_finite():
            raise Undecided(Reason.F_NOT_ENCLOSED_AT(at=s))
        return total * scale.log.exp()

    def weighted(self, k: int, low: Fraction, weight: Weight) -> arb:
        """I_k(0) over log v from `low` on, with a further factor: a function of log v, entire and in [0, 1]."""
        scale = self._scale(Fraction(0), k, low, None)
        right = max(self._cut(Fraction(0), k, scale, at_zero=False), low)
        total = arb(0).union(self._beyond(right, Fraction(0), k, scale, at_zero=False))
        for part in self.parts(low, right):
            total = total + self._over(part, Fraction(0), k, scale, weight)
        if not total.is_finite():
            raise Undecided(Reason.F_NOT_ENCLOSED_AT(at=Fraction(0)))
        return total * scale.log.exp()

    def parts(self, low: Fraction, high: Fraction) -> list[Piece | Sliver]:
        """The pieces and slivers that make up [low, high]."""
        self._reach_out(low, high)
        return [clipped for part in self._parts if (clipped := part.within(low, high)) is not None]

    def _reach_out(self, low: Fraction, high: Fraction) -> None:
        """Extend the partition, outwards by doubling."""
        if not self._parts:
            self._parts = list(partition(self.node, Fraction(-FIRST_REACH), Fraction(FIRST_REACH)))
        while self._parts[0].low > low:
            start = self._parts[0].low
            self._parts = [*partition(self.node, 2 * start, start), *self._parts]
        while self._parts[-1].high < high:
            end = self._parts[-1].high
            self._parts = [*self._parts, *partition(self.node, end, 2 * end)]

    def _piece_at(self, x: Fraction) -> Analytic:
        self._reach_out(x, x)
        for part in self._parts:
            if isinstance(part, Piece) and part.low <= x <= part.high:
                return part.function
        raise Undecided(Reason.MIXING_BREAK())

    def _log_kernel(self, x: arb, s: Fraction, k: int) -> arb:
        """log of v^(-d-k) exp(-s^2/(2 v^2)) dv/dx."""
        log = x * (1 - self.dimension - k)
        return log - (-2 * x).exp() * exact(s * s / 2) if s else log

    def log_density(self, x: float) -> float:
        """Roughly log p(e^x), to aim by."""
        try:
            p = self.density(Fraction(x))
        except Undecided:
            return -math.inf
        return float(p.log().mid()) if p > 0 else -math.inf

    def _log_integrand(self, x: float, log_density: float, s: float, k: int) -> float:
        pull = s * s * math.exp(-2 * x) / 2 if s and x > -300 else math.inf if s else 0.0
        return x * (1 - self.dimension - k) - pull + log_density

    def _scale(self, s: Fraction, k: int, low: Fraction | None, high: Fraction | None) -> Scale:
        """By a coarse search in floating point, which only has to be roughly right."""
        if not self._table:
            points = [j / 2 for j in range(-2 * GRID, 2 * GRID + 1)]
            points += [sign * GRID * 2.0**j for j in range(1, 9) for sign in (-1, 1)]
            self._table = [(x, self.log_density(x)) for x in points]
        first = -math.inf if low is None else float(low)
        last = math.inf if high is None else float(high)
        radius = float(s)
        inside = [(x, p) for x, p in self._table if first <= x <= last]
        inside += [(x, self.log_density(x)) for x in (first, last) if math.isfinite(x)]
        log, best = max((self._log_integrand(x, p, radius, k), x) for x, p in inside)
        step = 0.25
        while math.isfinite(log) and step > 2**-12:
            for x in (best - step, best + step):
                value = self._log_integrand(x, self.log_density(x), radius, k) if first <= x <= last else -math.inf
                if value > log:
                    log, best = value, x
                    break
            else:
                step /= 2
        return Scale(Fraction(best), arb(log)) if math.isfinite(log) else Scale(Fraction(0), arb(0))

    def _cut(self, s: Fraction, k: int, scale: Scale, at_zero: bool) -> Fraction:
        """A point beyond which what is left is negligible, or as far out as it is sensible to go."""
        radius = arb(exact((self.zero if at_zero else self.infinity).radius)).log()
        nearest = Fraction(int(radius.ceil().upper().fmpq()) + 1)
        x = min(scale.peak, -nearest) if at_zero else max(scale.peak, nearest)
        x = Fraction(x.numerator // x.denominator)
        distance = 1
        while distance <= FARTHEST:
            try:
                if self._beyond(x, s, k, scale, at_zero).rad() < ACCURACY:
                    return x
            except Undecided:
                pass
            x = x - distance if at_zero else x + distance
            distance = distance + distance // 2 + 1
        return x

    def _beyond(self, x: Fraction, s: Fraction, k: int, scale: Scale, at_zero: bool) -> arb:
        """What lies beyond x, as a multiple of exp(scale.log); raises Undecided."""
        end = self.end_beyond(x, at_zero)
        if end.steepness is None:
            return arb(0)
        position = arb(exact(x))
        size = (self._log_kernel(position, s, k) - scale.log).exp() * self.density(x)
        power = 1 - self.dimension - k
        pull = (-2 * position).exp() * exact(s * s)  # of the exponential; larger further in, smaller further out
        span = end.span()
        low, high = (power + pull - span.high, power + pull - span.low) if at_zero else (span.low - power - pull, None)
        if low > 0:
            return (size / low).union(size / high if high is not None and not s else arb(0))
        if s or not at_zero:
            raise Undecided(Reason.F_SLOW_AT(at=s))
        logarithm = Model(end.steepness.germ, {LOG_T: fmpq(1)})
        span = ((-end.steepness + power) * logarithm).span().plus(arb(-1))
        if not span.low > 0:
            raise Undecided(Reason.MOMENT_SLOW(more=k))
        return size * abs(position) * (1 / span.low).union(1 / span.high if span.high.is_finite() else arb(0))

    def _over(self, part: Piece | Sliver, s: Fraction, k: int, scale: Scale, weight: Weight | None = None) -> arb:
        factor = exact(s * s / 2)
        if isinstance(part, Sliver):
            x = arb(exact(part.low)).union(arb(exact(part.high)))
            height = (self._log_kernel(x, s, k) - scale.log).exp().abs_upper() * part.height
            return arb(0).union(height * exact(part.high - part.low))
        if part.function.zero:
            return arb(0)
        if self._evaluations > MOST_EVALUATIONS:
            raise Undecided(Reason.TOO_MANY_EVALUATIONS(most=MOST_EVALUATIONS))
        power = 1 - self.dimension - k
        shift = acb(scale.log)

        def integrand(x: acb, analytic: bool) -> acb:
            self._evaluations += 1
            log = x * power - shift
            if s:
                log = log - (-2 * x).exp() * factor
            value = log.exp() * part.function(x, analytic)
            return value if weight is None else value * weight(x)

        value = integral(
            integrand,
            arb(exact(part.low)),
            arb(exact(part.high)),
            rel_tol=ACCURACY,
            abs_tol=ACCURACY,
            eval_limit=EVALUATIONS,
        )
        return value.real
