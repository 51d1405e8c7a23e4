"""log f and the privacy loss on the three charts that cover (0, oo).

r = sqrt(y), g(r) = -log f(r^2), phi_h(r) = g(r + h) - g(r).  The charts are a model at zero on
(0, r0], boxes between, and a model at infinity on [R, oo).  Single radii carry no probability,
so suprema are over open boxes, and limits over open cells of phases.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from .evaluation import Evaluation
from .intervals import D0, ROUGH, UP, ZERO, Interval, hull, interval, meet
from .models import CONSTANT, LINEAR, SCALES, Germ, Model, power_of_t
from .pairs import Shift, Slope
from .rules import require, rule
from .tree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Box = tuple[Fraction, Fraction]


MOST_KEPT = 256


class Problem:
    """One generator with its sensitivity, on the three charts that the proof names.

    `zero` and `infinity` are pairs of a radius and an order.
    """

    def __init__(self, tree: Node, dimension: int, delta: Fraction, zero: tuple[Fraction, int],
                 infinity: tuple[Fraction, int]) -> None:
        self.tree, self.dimension, self.delta = tree, dimension, delta
        (self.r0, order), (self.r1, far_order) = zero, infinity
        self.zero, self.infinity = Germ(1 / self.r0, order), Germ(self.r1, far_order)
        self.at_zero: Callable[..., Evaluation] = Evaluation
        self.at_box: Callable[..., Evaluation] = Evaluation
        self.at_infinity: Callable[..., Evaluation] = Evaluation
        self.known: dict[Any, Any] = {}
        self.latest: dict[Any, Any] = {}

    def log_f(self, at: Evaluation) -> Any:
        sign, log = at.log(self.tree)
        require(sign == 1, "the generator is not positive where the proof needs it")
        return log

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def lately(self, key: Any, compute: Callable[[], Any]) -> Any:
        """The same for what boxes and shifts beside each other share: the last few are kept."""
        if key not in self.latest:
            if len(self.latest) >= MOST_KEPT:
                self.latest.clear()
            self.latest[key] = compute()
        return self.latest[key]

    def near_zero(self) -> Slope:
        """log f and its slopes on (0, r0], as models in t = 1/r."""
        r = Model(self.zero, {power_of_t(-1): 1})
        return self.once("zero", lambda: self.log_f(self.at_zero(with_slope(r))))

    def far(self, germ: Germ) -> Slope:
        """log f and its slopes on the germ."""
        r = Model(germ, {LINEAR: 1})
        return self.once(("far", germ), lambda: self.log_f(self.at_infinity(with_slope(r))))

    def far_shift(self, germ: Germ, h: Fraction | Interval) -> Model:
        """phi_h on the germ."""
        r = Model(germ, {LINEAR: 1})
        return -self.log_f(self.at_infinity(with_shift(r, r.const(h)))).du

    def far_loss(self, germ: Germ) -> Model:
        """phi_delta on the germ."""
        return self.once(("far loss", germ), lambda: self.far_shift(germ, self.delta))

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on the open box (a, b)."""
        return self.lately((a, b), lambda: self.log_f(self.at_box(radii(a, b), (a, b))))

    def at_radius(self, r: Interval) -> Interval:
        """log f at one radius."""
        return self.log_f(self.at_box(r))

    def value_on_box(self, a: Fraction, b: Fraction) -> Interval:
        """f on the open box (a, b), where its sign need not be known."""
        return self.at_box(radii(a, b), (a, b)).value(self.tree).u

    def loss(self, a: Fraction, b: Fraction, h: Fraction, above: bool = False) -> Interval:
        """phi_h on the open box (a, b), where `above` says that its upper bound alone counts."""
        shift = interval(h)
        r = with_shift(radii(a, b), Slope(shift, ZERO))
        whole = -self.log_f(self.at_box(r, (a, b), h)).du
        at = lambda c: -self.log_f(self.at_box(Shift(c, shift))).du  # noqa: E731
        return mean_value(whole, a, b, at, highest(whole.du) if above else Fraction(1, 2))

    def limit_at_zero(self) -> Interval:
        """phi_delta(0+) = g(delta) - g(0+), the first from the right."""
        ahead = self.on_box(self.delta, self.delta + self.delta / 10**40).u
        return self.near_zero().u.limit() - ahead

    @rule("K26")
    def climb_from_zero(self) -> Decimal:
        """An upper bound of phi_delta on (0, r0] from its limit at zero and its slopes.

        Lemma.  The slopes of phi_delta are those of g ahead less those of g here; from its limit
        at zero phi_delta rises by at most r0 times the largest of these.
        """
        near, ahead = self.near_zero(), self.on_box(self.delta, self.delta + self.r0)
        steepest = UP.subtract(near.du.span().hi, ahead.du.lo)
        rise = Interval(D0, max(D0, steepest)) * self.r0
        return (self.limit_at_zero() + rise).hi

    def loss_from_centre(self) -> Decimal:
        """The same by increments, as on any other box, where f has a value at 0: exact where the loss is level."""
        return self.loss(Fraction(0), self.r0, self.delta, above=True).hi

    @rule("K23")
    def integral(self, log: Model, dimension: int) -> int:
        """1 or -1 as the integral of e^log t^dimension dt/t towards infinity converges or diverges.

        Lemma.  With x = log t this is the integral of e^M dx, M = log + dimension log t.  If M
        tends to minus infinity at least as fast as a negative multiple of x it converges, if it
        grows or tends to a constant it diverges; where M carries no multiple of x, one logarithm
        deeper decides, since dx = x d(log x).
        """
        for k, scale in enumerate(SCALES):
            log = log + Model(log.germ, {scale: dimension if k == 0 else 1})
            lead, c = log.leading()
            if lead >= scale or (lead > CONSTANT and c.lo > 0):
                require(c.sign() in (1, -1), "an exponent of integration has no proved sign")
                return -(c.sign() or 0)
        require(lead <= CONSTANT, "an integral is too near the borderline for three logarithms")
        return -1


def radii(a: Fraction, b: Fraction) -> Slope:
    """The radii of the box [a, b]."""
    return with_slope(hull(interval(a), interval(b)))


@rule("K16")
def with_slope(r: Any) -> Slope:
    """A function together with its slopes.

    Lemma.  The difference quotients of u + v, u v, 1/u, e^u, log u, u^p ... lie in what the rules
    of the derivative give when u, v and their slopes run through their enclosures: for smooth
    outer functions by the mean value theorem, for products by u(s)v(s) - u(t)v(t) =
    (u(s) - u(t)) v(s) + u(t) (v(s) - v(t)).
    """
    return Slope(r, r.const(1))


@rule("K17")
def with_shift(r: Any, h: Any) -> Shift:
    """A function together with its increment.

    Lemma.  The increments du = u(r + h) - u(r) obey d(u + v) = du + dv, d(u v) = du v(r + h) +
    u dv, d(1/u) = -du / (u u(r + h)), d(e^u) = e^u (e^du - 1), d(log u) = log(1 + du/u), exactly;
    so what is common to g(r + h) and g(r) cancels before anything is rounded.
    """
    return Shift(r, h)


@rule("K18")
def mean_value(whole: Slope, a: Fraction, b: Fraction, at: Callable[[Interval], Interval],
               share: Fraction = Fraction(1, 2)) -> Interval:
    """Bounds on (a, b) from the value at one radius and the slopes, and from `whole` itself.

    Lemma.  If every difference quotient of u on [a, b] lies in D, and c is in (a, b), then
    u(r) - u(c) lies in D [a - c, b - c]; and what lies in two intervals lies in their intersection.
    """
    if not whole.du.finite():
        return whole.u
    left, right = (a - b) * share, (b - a) * (1 - share)
    reach = whole.du * hull(interval(left), interval(right))
    return meet(whole.u, at(interval(a - left)) + reach)


def highest(slopes: Interval) -> Fraction:
    """From which share of a box the mean value form bounds from above the closest (Baumann 1988):
    where it promises as much to the left as to the right; in 64ths, none of them an end."""
    if not slopes.finite() or slopes.lo == slopes.hi == 0:
        return Fraction(1, 2)
    up, down = max(D0, slopes.hi), max(D0, slopes.lo.copy_negate())
    part = int(64 * ROUGH.divide(up, ROUGH.add(up, down)))
    return Fraction(min(63, max(1, part + (part < 32))), 64)
