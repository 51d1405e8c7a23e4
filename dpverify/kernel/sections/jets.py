"""Truncated power series and Taylor's theorem on panels, and the share of a sphere below a
height."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from ..intervals import D0, D1, DOWN, ONE, UNIT, UP, ZERO
from ..intervals import Interval, add_up, hull, interval, meet
from ..rules import BROUGHT, require, rule
from .constants import PI
from .exponentials import softplus
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

SIGNED, HALF = Interval(-D1, D1), Fraction(1, 2)
WIDE, SQUARES = Decimal("1.000001"), "what a square and a number may be"


def dot(xs: Sequence[Interval], ys: Sequence[Interval]) -> Interval:
    """The sum of x y, as K1 has it, each product added before it is rounded."""
    low = high = D0
    down, up = DOWN.fma, UP.fma
    for x, y in zip(xs, ys):
        a, b, c, d = x.lo, x.hi, y.lo, y.hi
        if not (a or b) or not (c or d):  # half of all products, of polynomials of low degree
            continue
        if a >= D0:
            low, high = down(b if c < D0 else a, c, low), up(b if d > D0 else a, d, high)
        elif b <= D0:
            low, high = down(a if d > D0 else b, d, low), up(a if c < D0 else b, c, high)
        else:
            low = min(down(a, d, low), down(b, c, low))
            high = max(up(a, c, high), up(b, d, high))
    return Interval(low, high)


class Series(Slope):
    """K150.  u = sum of c_k x^k about a point, or about each point of an interval; (u, du) are
    c_0 and c_1.  `square` is (v, a) where u is known as a v^2 and a number, neither negative;
    `raised` leads to e^u where that is known more closely than u."""

    __slots__ = ("c", "raised", "square")

    def __init__(self, c: Sequence[Interval],
                 square: tuple[Series, Interval] | None = None,
                 raised: Callable[[], Series] | None = None) -> None:
        self.c, self.square, self.raised = tuple(c), square, raised

    @property
    def u(self) -> Any:  # type: ignore[override]
        return self.c[0]

    @property
    def du(self) -> Any:  # type: ignore[override]
        return self.c[1]

    def const(self, value: Any) -> Series:
        return Series([interval(value), *[ZERO] * (len(self.c) - 1)])

    def lift(self, other: Any) -> Series:
        liftable = isinstance(other, Series) or not isinstance(other, Slope)
        require(liftable, "a part of f has no series here")
        return other if isinstance(other, Series) else self.const(other)

    def __neg__(self) -> Series:
        return Series([-x for x in self.c])

    def __add__(self, other: Any) -> Series:
        kept = self.square and not isinstance(other, Slope) and interval(other).lo >= 0
        lifted = self.lift(other)
        return Series([x + y for x, y in zip(self.c, lifted.c, strict=True)],
                      self.square if kept else None, raised(self, lifted) or raised(lifted, self))

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Slope):
            factor = interval(other)
            square = (self.square[0], self.square[1] * factor) if self.square else None
            return Series([x * factor for x in self.c], square if factor.lo > 0 else None)
        a, b = self.c, self.lift(other).c
        return Series([dot(a[: k + 1], b[k::-1]) for k in range(len(a))])

    def solved(self, first: Interval, rest: Callable[[int, list[Interval]], Interval]) -> Series:
        """The series whose k-th coefficient follows from those before it."""
        found = [first]
        for k in range(1, len(self.c)):
            found.append(rest(k, found))
        return Series(found)

    def inverse(self) -> Series:
        a, first = self.c, self.c[0].inverse()
        return self.solved(first, lambda k, b: -(first * dot(a[1 : k + 1], b[::-1])))

    def exp(self) -> Series:
        if self.raised:
            return self.raised()
        a = [x * k for k, x in enumerate(self.c)]
        return self.solved(
            self.c[0].exp(), lambda k, e: dot(a[1 : k + 1], e[::-1]) * one_part(k))

    def circular(self, cos: Interval, sin: Interval) -> tuple[Series, Series]:
        """cos and sin, both being given of the first coefficient."""
        a, c, s = [x * k for k, x in enumerate(self.c)], [cos], [sin]
        for k in range(1, len(a)):
            rate, part = a[1 : k + 1], one_part(k)
            ahead = -(dot(rate, s[::-1]) * part)
            s.append(dot(rate, c[::-1]) * part)
            c.append(ahead)
        return Series(c), Series(s)

    def bernoulli(self, first: Interval, q: Series) -> Series:
        """h with h' = h (h + q) u', the first coefficient being given."""
        a = [x * k for k, x in enumerate(self.c)]
        sums, rates = [first + q.c[0]], list[Interval]()

        def rest(k: int, h: list[Interval]) -> Interval:
            rates.append(dot(h, sums[::-1]))
            found = dot(a[1 : k + 1], rates[::-1]) * one_part(k)
            sums.append(found + q.c[k])
            return found

        return self.solved(first, rest)

    def log(self) -> Series:
        a, under = self.c, self.c[0].inverse()
        rate = self.solved(ZERO, lambda k, e: under * (a[k] * k - dot(e[1:], a[k - 1 : 0 : -1])))
        return self.within(
            Series([a[0].log(), *(e * one_part(k) for k, e in enumerate(rate.c[1:], 1))]))

    def within(self, found: Series, p: Fraction | None = None) -> Series:
        """A logarithm or power of a square and a number on a panel, by what it may be at most."""
        first = self.c[0]
        wide = self.square and D0 < UP.multiply(first.lo, WIDE) < first.hi
        if not (wide and SQUARES in BROUGHT and may_use("K431")):
            return found
        return BROUGHT[SQUARES](self, found, p)  # type: ignore[no-any-return]

    def power(self, p: Fraction) -> Series:
        if p == 2:
            return Series((self * self).c, (self, ONE))
        if p == 1:
            return self
        if p.denominator == 1 and p >= 0:
            result, square, n = self.const(1), self, int(p)
            while n:
                result, n = (result * square, n - 1) if n % 2 else (result, n)
                square, n = (square * square if n else square), n // 2
            return result
        a, under = self.c, self.c[0].inverse()
        return self.within(self.solved(a[0].power(p), lambda k, b: under * one_part(k) * dot(
            [x * factor for x, factor in zip(a[1:], power_factors(p, k))], b[::-1])), p)

    def along(self, first: Interval, rate: Series) -> Series:
        """F(u), F(u) at the middle and F'(u) being given."""
        n = len(self.c)
        change = rate * Series([*(self.c[k] * k for k in range(1, n)), ZERO])
        return Series([first, *(change.c[k - 1] * one_part(k) for k in range(1, n))])


def raised(u: Series, v: Series) -> Callable[[], Series] | None:
    """e^(u + v), where that of u is known and v is a number."""
    known = u.raised
    if known is None or any(x.lo or x.hi for x in v.c[1:]):
        return None
    return lambda: known() * v.c[0].exp()


@lru_cache(maxsize=100)
def one_part(k: int) -> Interval:
    """1/k."""
    return interval(Fraction(1, k))


@lru_cache(maxsize=1_000)
def power_factors(p: Fraction, k: int) -> list[Interval]:
    """(p + 1) j - k for 1 <= j <= k: what a_j b_(k-j) counts in k a_0 b_k, for b = a^p."""
    return [interval((p + 1) * j - k) for j in range(1, k + 1)]


@softplus.register(Series)
def softplus_of_series(t: Series, sign: int) -> Series:
    inner = (t.exp() * sign + 1).log()
    return Series([softplus(t.c[0], sign), *inner.c[1:]])


class Jet:
    """K151.  A function on a panel, r = m + h x with x in [-1, 1]: its series about 0, and about
    each point of [-1, 1]."""

    __slots__ = ("kept", "middle", "raised", "whole")

    def __init__(self, middle: Series, whole: Series) -> None:
        self.middle, self.whole = middle, whole
        self.kept: Jet | None = None
        self.raised: Jet | None = None

    def square(self) -> Jet:
        """Its product with itself, multiplied out once."""
        self.kept = self.kept or self * self
        return self.kept

    def of(self, function: Callable[[Series], Series]) -> Jet:
        return Jet(function(self.middle), function(self.whole))

    def __neg__(self) -> Jet:
        return self.of(lambda u: -u)

    def __add__(self, other: Any) -> Jet:
        o = other if isinstance(other, Jet) else Jet(other, other)
        return Jet(self.middle + o.middle, self.whole + o.whole)

    def __sub__(self, other: Any) -> Jet:
        return self + -other

    def __mul__(self, other: Any) -> Jet:
        o = other if isinstance(other, Jet) else Jet(other, other)
        return Jet(self.middle * o.middle, self.whole * o.whole)

    def exp(self) -> Jet:
        """Its exponential, found once."""
        self.raised = self.raised or self.of(Series.exp)
        return self.raised

    def terms(self) -> list[Interval]:
        """The Taylor polynomial's coefficients, and that of the remainder."""
        return [*self.middle.c[:-1], self.whole.c[-1]]

    def narrow(self) -> Jet:
        """The whole's coefficients by the Taylor polynomials of the derivatives too."""
        said = about_each_point(self.terms())
        kept = [meet(*pair) for pair in zip(said, self.whole.c[:-1])]
        return Jet(self.middle, Series([*kept, self.whole.c[-1]]))

    def span(self) -> Interval:
        return polynomial_span(self.terms())

    def extent(self) -> Interval:
        """The span, or what divided differences at the ends say, where that is less."""
        *known, last = self.terms()
        n, size = len(known), last * SIGNED
        slopes = {end: divided(known, end) for end in (-1, 1)}
        ends = {end: add_up([x * end**k for k, x in enumerate([*known, last])]) for end in slopes}
        found = meet(self.span(), hull(*ends.values()) + Interval(-D1, D0) * (
            polynomial_span(divided(slopes[1], -1)) + size * Fraction(n * (n - 1), 2)))
        for end, slope in slopes.items():
            away = (polynomial_span(slope) + size * n) * Interval(D0, D1 + D1) * -end
            found = meet(found, ends[end] + away)
        return found

    def integral(self) -> Interval:
        """Over x in [-1, 1]."""
        return add_up(x * Fraction(2, k + 1) for k, x in enumerate(self.terms()) if k % 2 == 0)


def divided(c: Sequence[Interval], end: int) -> list[Interval]:
    """The divided difference of a polynomial from an end of [-1, 1] to x."""
    found = [ZERO]
    for x in reversed(c[1:]):
        found.append(x + found[-1] * end)
    return found[:0:-1] or [ZERO]


def polynomial_span(c: Sequence[Interval]) -> Interval:
    """The values of a polynomial on [-1, 1]."""
    return add_up([c[0], *(x * (UNIT if k % 2 else SIGNED) for k, x in enumerate(c[1:]))])


def about_each_point(c: Sequence[Interval]) -> list[Interval]:
    """The coefficients of a polynomial about each point of [-1, 1]."""
    return [dot(c[k:], weights(k, len(c))) for k in range(len(c))]


@lru_cache(maxsize=100)
def weights(k: int, n: int) -> list[Interval]:
    """C(j, k) x^(j - k) for k <= j < n and x in [-1, 1]."""
    signs = (UNIT, SIGNED)
    return [ONE, *(signs[(j - k) % 2] * comb(j, k) for j in range(k + 1, n))]


@rule("K150")
def series() -> None:
    """Truncated power series.

    Lemma.  The coefficients of sums, products, 1/u, e^u, log u and u^p about a point follow from
    those of u: by b u = 1, and by the derivatives e' = u' e, u l' = u', u v' = p u' v; those of
    F(u) from F at the first and from F'(u), or from the equation that F' solves.  In interval
    arithmetic they hold about every point of an interval at once.  An operation is refused where
    the first coefficient does not show it analytic; a branch is taken where it is shown to hold
    throughout the panel (K7, K60), and so at its middle.
    """


@rule("K151")
def panel(order: int, coefficients: Sequence[Fraction]) -> Jet:
    """A polynomial on a panel, and Taylor's theorem for what is made of it.

    Lemma.  A function that is analytic on [-1, 1] is its Taylor polynomial about 0 plus c x^n, c
    among its n-th coefficients about the points of [-1, 1]; so are its derivatives.  For even n the
    remainder's integral is 2/(n+1) times one of these coefficients.  The divided difference
    from an end of [-1, 1] to x is the polynomial's and at most n times such a coefficient more or
    less; that from both ends to x is the polynomial's and at most n (n - 1)/2 times one.
    """
    given = [interval(c) for c in coefficients] + [ZERO] * (order + 1 - len(coefficients))
    return Jet(Series(given), Series(about_each_point(given)))


def arctangent(x: Interval) -> Interval:
    """For 0 <= x <= 1: atan x = 2 atan(x / (1 + sqrt(1 + x^2))), four times, then its series,
    which alternates."""
    for _ in range(4):
        x = x * ((x * x + 1).power(HALF) + 1).inverse()
    square, term, total = -(x * x), x, ZERO
    for k in range(24):
        total, term = total + term * one_part(2 * k + 1), term * square
    return (total + hull(ZERO, term)) * 16


def share_at(t: Interval, d: int) -> Interval:
    """F_d at one point."""
    if t.hi <= -1 or t.lo >= 1:
        return ZERO if t.hi <= -1 else ONE
    inside = ONE - t * t
    factor, power, k = interval(HALF), ONE, 1
    total = factor
    if d % 2 == 0:
        factor, power, k = PI.inverse(), inside.power(HALF), 2
        flank = -t if t.hi < 0 else t
        angle = arctangent(flank * (power + 1).inverse()) * factor * 2
        total = total + (-angle if t.hi < 0 else angle)
    while k < d:
        total = total + t * factor * power
        factor, power, k = factor * Fraction(k, k + 1), power * inside, k + 2
    return meet(total, UNIT)


@rule("K152")
def share(t: Interval, d: int) -> Interval:
    """F_d(t), the share of the unit sphere of R^d, d >= 2, on which the first coordinate is below
    t.

    Lemma.  It rises, from 0 at -1 to 1 at 1.  F_1 = 1/2 and F_2 = 1/2 + asin(t)/pi inside, and
    F_(d+2)(t) = F_d(t) + a_d t (1 - t^2)^((d-1)/2), a_1 = 1/2, a_2 = 1/pi, a_(d+2) = a_d d/(d+1);
    asin t = 2 atan(t / (1 + sqrt(1 - t^2))).
    """
    return hull(share_at(Interval(t.lo, t.lo), d), share_at(Interval(t.hi, t.hi), d))


def share_of(t: Jet, d: int) -> Jet:
    """F_d on a panel, from F_d' = c_d (1 - t^2)^((d-3)/2), c_2 = 1/pi, c_3 = 1/2, c_(d+2) =
    c_d d/(d-1)."""
    c, k = (interval(HALF), 3) if d % 2 else (PI.inverse(), 2)
    while k < d:
        c, k = c * Fraction(k, k - 1), k + 2
    slope = (-t.square() + 1).narrow().of(lambda u: u.power(Fraction(d - 3, 2)))
    middle, whole = (u.along(f, rate * c) for u, f, rate in (
        (t.middle, share(t.middle.c[0], d), slope.middle), (t.whole, UNIT, slope.whole)))
    return Jet(middle, whole).narrow()
