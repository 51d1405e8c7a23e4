"""The size of the noise: E ||X||^2 and the median of ||X||, enclosed.

r = ||Sigma^(-1/2) X|| (the Euclidean norm of X where Sigma is the identity) has density proportional to
r^(d-1) f(r^2) at scale 1, so with M_k the integral of r^k f(r^2) over r > 0, E ||X||^2 = M_(d+1)/M_(d-1).
M_k is the sum of
  - (0, r0], between r0^(k+1)/(k+1) times the least and the largest f there, by the model at zero;
  - [r0, R], by Arb's rigorous integration (acb.integral) on panels where f is analytic;
  - [R, oo), where -r (log f)' lies in [m, M] by the model at infinity: then f(r^2) lies between
    f(R^2) (r/R)^-M and f(R^2) (r/R)^-m, and the tail between f(R^2) R^(k+1) / (M-k-1) and the same with m.
    Where f jumps for ever (floor), by the loss over a step of length 1 instead: a geometric series.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from dpverify.api import verify
from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.integrand import Cases, complex_value, panels
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node
from dpverify.errors import DpverifyError
from dpverify.findings import Part, Place, Reason
from dpverify.generators import Generator
from dpverify.integration import integral
from dpverify.language.printer import text_of
from dpverify.numerals import rounded
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import octaves
from dpverify.prover.problem import Problem

BITS = 192
ORDER = 8
DIGITS_ASKED = arb(2) ** -46
INNER = (20, 40, 80, 160, 320)
OUTER = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 26, 34, 48, 70, 100, 160, 256, 400, 800, 1600)
Panel = tuple[Fraction, Fraction, Cases | None]


class NoNoise(DpverifyError):
    """The size of the noise is not enclosed; the message says which part was not."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """lower <= value <= upper; upper None where the value is proved infinite."""

    lower: Fraction
    upper: Fraction | None

    def scaled(self, factor: Fraction) -> Enclosure:
        """The enclosure of the value times a positive factor."""
        return Enclosure(self.lower * factor, None if self.upper is None else self.upper * factor)

    @property
    def digits(self) -> int | None:
        """How many significant digits are sure: a relative width of 10^-n or less."""
        if self.upper is None or self.upper == self.lower:
            return None
        quotient = self.upper / (self.upper - self.lower)
        return len(str(quotient.numerator // quotient.denominator)) - 1

    def to_json(self) -> dict[str, str]:
        """Plain data; every number exact."""
        return {"lower": str(self.lower), "upper": "infinite" if self.upper is None else str(self.upper)}


@dataclass(frozen=True, slots=True)
class Noise:
    """E ||X||^2 and the median of ||X|| at scale 1; they grow as sigma^2 and as sigma."""

    mean_square: Enclosure
    median: Enclosure


def noise(generator: Generator) -> Noise:
    """Enclose the size of the noise at scale 1, E ||X||^2 infinite where it is.

    E ||X||^2 is finite exactly where r^(d+1) f(r^2) is integrable, which is the hypothesis
    `integrable` of `verify` with d + 2 in the place of d; it is settled by that proof.
    Raises NoNoise where a part does not close.
    """
    lifted = Generator(text_of(generator.expression), generator.dimension + 2)
    finite = verify(lifted, tolerance="1e-3").hypotheses.integrable
    with precision(BITS):
        try:
            law = RadialMoments(generator)
            mass = law.moment(generator.dimension - 1)
            median = rational(law.median(mass))
            if finite.status == "refuted":
                return Noise(Enclosure(Fraction(0), None), median)
            square = law.moment(generator.dimension + 1).total / mass.total
            return Noise(rational(square), median)
        except Undecided as error:
            raise NoNoise(f"the size of the noise is not enclosed: {error}") from None


def rational(ball: arb) -> Enclosure:
    """The ball between two decimals, two digits longer than what is sure."""
    low, high = fraction_below(ball), fraction_above(ball)
    sure = Enclosure(low, high).digits
    digits = 30 if sure is None else sure + 2
    return Enclosure(rounded(low, digits, "down"), rounded(high, digits, "up"))


@dataclass(frozen=True)
class Moment:
    """M_k: what lies on (0, r0], on each panel, and beyond R."""

    k: int
    inner: arb
    parts: tuple[tuple[Panel, arb], ...]
    outer: arb

    @property
    def total(self) -> arb:
        """The whole integral."""
        total = self.inner + self.outer
        for _, part in self.parts:
            total += part
        return total


class RadialMoments:
    """Integrals of r^k f(r^2)."""

    def __init__(self, generator: Generator) -> None:
        self.node: Node = lower(generator.expression)
        self.problem = Problem(self.node, generator.dimension, Fraction(1))

    def moment(self, k: int) -> Moment:
        """M_k with its parts, less than half of it in the tail; raises Undecided where that is not shown."""
        size = self._size(k)
        r0, inner = self._first(INNER, lambda j: self._inner(k, Fraction(1, 2**j)), size)
        for rung in range(len(OUTER)):
            radius, outer = self._first(OUTER[rung:], lambda j: self._outer(k, Fraction(2**j)), size)
            points = octaves(r0, radius, breaks(self.node, r0, radius))
            parts = tuple((p, self.integral(k, p, size)) for p in panels(self.node, points))
            moment = Moment(k, inner, parts, outer)
            if outer < moment.total * arb("0.49"):
                return moment
        raise Undecided(Reason.MOST_IN_TAIL())

    def _first(
        self, rungs: Sequence[int], bound: Callable[[int], tuple[Fraction, arb]], size: arb
    ) -> tuple[Fraction, arb]:
        best: tuple[Fraction, arb] | None = None
        for j in rungs:
            try:
                radius, value = bound(j)
            except Undecided:
                continue
            if not value.is_finite():
                continue
            if value.rad() <= size * DIGITS_ASKED / 4:
                return radius, value
            if best is None or value.rad() < best[1].rad():
                best = radius, value
        if best is None:
            raise Undecided(Reason.UNBOUNDED(what=Part.END_OF_INTEGRAL))
        return best

    def _size(self, k: int) -> arb:
        """About the largest r^(k+1) f(r^2), an order of magnitude of M_k that only tolerances hang on."""

        def height(x: float) -> arb:
            try:
                return self.problem.positive_log(Ball(arb(x).exp())).x.mid() + (k + 1) * arb(x)
            except Undecided:
                return arb.neg_inf()

        centre, reach = 0.0, 40.0
        for _ in range(12):
            centre = max((centre + reach * i / 20 for i in range(-20, 21)), key=lambda x: _order(height(x)))
            reach /= 4
        return height(centre).exp()

    def _inner(self, k: int, r0: Fraction) -> tuple[Fraction, arb]:
        span = self.problem.near_zero(Germ(1 / r0, ORDER)).u.span()
        least, largest = span.low.exp(), span.high.exp()
        if not largest.is_finite():
            raise Undecided(Reason.NOT_BOUNDED(what=Part.F, where=Place.ZERO))
        return r0, arb(exact(r0)) ** (k + 1) / (k + 1) * least.union(largest)

    def _outer(self, k: int, radius: Fraction) -> tuple[Fraction, arb]:
        germ = Germ(radius, ORDER)
        start = self._start(radius)
        try:
            slope = (self.problem.far(germ).du * Model.power_of_t(germ, 1)).span()
            flattest, steepest = -slope.high - (k + 1), -slope.low - (k + 1)
            if flattest > 0:
                whole = start * arb(exact(radius)) ** (k + 1)
                most = whole / flattest
                least = whole / steepest if steepest.is_finite() and steepest > 0 else arb(0)
                return radius, least.union(most)
        except Undecided:
            pass
        return radius, self._stepping(k, radius, germ)

    def _stepping(self, k: int, radius: Fraction, germ: Germ) -> arb:
        """The tail where f falls by a factor on every step of length 1."""
        drop = self.problem.far_loss(germ, exact(Fraction(1))).span().low
        ratio = ((k * (1 + 1 / arb(exact(radius))).log()) - drop).exp()
        if not ratio < 1:
            raise Undecided(Reason.UNBOUNDED(what=Part.TAIL))
        first = self.problem.log_bounds(radius, radius + 1).upper().exp() * arb(exact(radius + 1)) ** k
        return arb(0).union(first / (1 - ratio))

    def _start(self, radius: Fraction) -> arb:
        return self.problem.positive_log(Ball(arb(exact(radius)))).x.exp()

    def integral(self, k: int, panel: Panel, size: arb) -> arb:
        """The integral of r^k f(r^2) over a panel."""
        a, b, settled = panel
        if settled is None:
            values = self.problem.value_on_box(a, b)
            return Ball.between(a, b).x ** k * values * exact(b - a)

        def integrand(z: acb, analytic: bool) -> acb:
            return complex_value(self.node, z, analytic, settled) * z**k

        start, end = arb(exact(a)), arb(exact(b))
        value = integral(integrand, start, end, rel_tol=DIGITS_ASKED, abs_tol=size * DIGITS_ASKED / 256).real
        if not value.is_finite():
            raise Undecided(Reason.INTEGRAL_NOT_ENCLOSED(at=a))
        return value

    def median(self, mass: Moment) -> arb:
        """Where half the mass lies below: found by Newton's method, shown by the mass on either side."""
        half = mass.total / 2
        below = mass.inner
        for panel, part in mass.parts:
            if (below + part).mid() >= half.mid():
                return self._within(mass.k, panel, half - below)
            below += part
        raise Undecided(Reason.MEDIAN_IN_TAIL())

    def _within(self, k: int, panel: Panel, wanted: arb) -> arb:
        a, b, settled = panel
        size = wanted.mid()

        def up_to(m: Fraction) -> arb:
            return self.integral(k, (a, m, settled), size) - wanted if m > a else -wanted

        low, high = a, b
        m = (a + b) / 2
        for _ in range(60):
            excess = up_to(m)
            low, high = (low, m) if excess.mid() > 0 else (m, high)
            density = (self._start(m) * arb(exact(m)) ** k).mid()
            step = _fraction(excess.mid() / density)
            m = m - step if low < m - step < high else (low + high) / 2
            m = Fraction(round(m * 2**80 / b), 2**80) * b
            if abs(step) <= b / 2**60:
                break
        for bits in range(56, 8, -6):
            reach = b / 2**bits
            left, right = max(a, m - reach), min(b, m + reach)
            if up_to(left) <= 0 and up_to(right) >= 0:
                return Ball.between(left, right).x
        raise Undecided(Reason.NOT_ENCLOSED(what=Part.MEDIAN))


def _order(height: arb) -> float:
    return float(height) if height.is_finite() else -1e300


def _fraction(value: arb) -> Fraction:
    rational = value.mid().fmpq()
    return Fraction(int(rational.p), int(rational.q))
