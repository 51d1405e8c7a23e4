"""Truncated power series and Taylor's theorem on panels, and the share of a sphere below a
height."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..intervals import D0, D1, ONE, UNIT, UP, ZERO, Interval, add_up, hull, interval, meet
from ..rules import BROUGHT, require, rule
from .constants import PI
from .dots import COUNTS, FEW, MANY, ends
from .exponentials import softplus
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .dots import Rounded, Sorted

SIGNED, HALF = Interval(-D1, D1), Fraction(1, 2)
SHORT, THIN = 13, Decimal("1e-31")
WIDE, SQUARES = Decimal("1.000001"), "what a square and a number may be"


def dot(xs: Sequence[Interval], ys: Sequence[Interval]) -> Interval:
    """The sum of x y, as K1 has it, each product added before it is rounded."""
    return MANY.dot(map(ends, xs), map(ends, ys))


class Series(Slope):
    """K150.  u = sum of c_k x^k about a point, or about each point of an interval; (u, du) are
    c_0 and c_1.  `square` is (v, a) where u is known as a v^2 and a number, neither negative;
    `raised` leads to e^u where that is known more closely than u; `found` is what is known of the
    coefficients for products."""

    __slots__ = ("c", "found", "raised", "square")

    def __init__(self, c: Sequence[Interval],
                 square: tuple[Series, Interval] | None = None,
                 raised: Callable[[], Series] | None = None) -> None:
        self.c, self.square, self.raised = tuple(c), square, raised
        self.found: list[Sorted] | None = None

    @property
    def u(self) -> Any:  # type: ignore[override]
        return self.c[0]

    @property
    def du(self) -> Any:  # type: ignore[override]
        return self.c[1]

    @property
    def by(self) -> Rounded:
        """How its coefficients are rounded: few are no closer than to fewer digits."""
        return FEW if len(self.c) <= SHORT else MANY

    def ends(self) -> list[Sorted]:
        """The coefficients' ends, sorted, without the zeros that they end in."""
        if self.found is None:
            self.found = list(map(ends, self.c))
            while self.found and not self.found[-1]:
                self.found.pop()
        return self.found

    def const(self, value: Any) -> Series:
        return Series([interval(value), *[ZERO] * (len(self.c) - 1)])

    def lift(self, other: Any) -> Series:
        liftable = isinstance(other, Series) or not isinstance(other, Slope)
        require(liftable, "a part of f has no series here")
        return other if isinstance(other, Series) else self.const(other)

    def __neg__(self) -> Series:
        return Series([-x for x in self.c])

    def __add__(self, other: Any) -> Series:
        if not isinstance(other, Slope):
            number = interval(other)
            more = raised(self, self.const(number)) if self.raised else None
            kept = self.square if number.lo >= 0 else None
            return Series([self.c[0] + number, *self.c[1:]], kept, more)
        lifted = self.lift(other)
        return Series(self.by.sums(self.c, lifted.c), None,
                      raised(self, lifted) or raised(lifted, self))

    def __sub__(self, other: Any) -> Series:
        if isinstance(other, Series) and not self.raised:
            return Series(self.by.differences(self.c, other.c))
        return self + -other

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Slope):
            factor = interval(other)
            square = (self.square[0], self.square[1] * factor) if self.square else None
            return Series(self.by.times(self.c, factor), square if factor.lo > 0 else None)
        if other is self:
            return Series(self.by.square(self.ends(), len(self.c)))
        short, long, n = self.ends(), self.lift(other).ends(), len(self.c)
        if len(short) > len(long):
            short, long = long, short
        back, by = [*[None] * (n - len(long)), *long[::-1]], self.by
        return Series([by.dot(short, back[n - 1 - k:]) for k in range(n)])

    def solved(self, first: Interval, rest: Callable[[int, list[Interval]], Interval]) -> Series:
        """The series whose k-th coefficient follows from those before it."""
        found = [first]
        for k in range(1, len(self.c)):
            found.append(rest(k, found))
        return Series(found)

    def led(self, first: Interval, rest: Callable[[int, list[Sorted]], Interval]) -> Series:
        """The same, those before it being given by their ends, the last first."""
        found, before = [first], [ends(first)]
        for k in range(1, len(self.c)):
            found.append(rest(k, before))
            before.insert(0, ends(found[-1]))
        return Series(found)

    def inverse(self) -> Series:
        first, after, by = self.c[0].inverse(), self.ends()[1:], self.by
        minus = -first
        return self.led(first, lambda k, b: by.product(by.dot(after, b), minus))

    def exp(self) -> Series:
        if self.raised:
            return self.raised()
        by, rates = self.by, self.by.rates(self.c)
        return self.led(self.c[0].exp(), lambda k, e: by.part(by.dot(rates, e), k))

    def circular(self, cos: Interval, sin: Interval) -> tuple[Series, Series]:
        """cos and sin, both being given of the first coefficient."""
        by, rates = self.by, self.by.rates(self.c)
        c, s, cs, ss = [cos], [sin], [ends(cos)], [ends(sin)]
        for k in range(1, len(self.c)):
            c.append(-by.part(by.dot(rates, ss), k))
            s.append(by.part(by.dot(rates, cs), k))
            cs.insert(0, ends(c[-1]))
            ss.insert(0, ends(s[-1]))
        return Series(c), Series(s)

    def bernoulli(self, first: Interval, q: Series) -> Series:
        """h with h' = h (h + q) u', the first coefficient being given."""
        by, along = self.by, self.by.rates(self.c)
        sums, rates = [ends(first + q.c[0])], list["Sorted"]()

        def rest(k: int, h: list[Sorted]) -> Interval:
            rates.insert(0, ends(by.dot(h, sums)))
            found = by.part(by.dot(along, rates), k)
            sums.append(ends(found + q.c[k]))
            return found

        return self.led(first, rest)

    def log(self) -> Series:
        first, by, after = self.c[0], self.by, self.ends()[1:]
        minus, rates = -first.inverse(), [*by.rates(self.c), *[None] * len(self.c)]
        fall = self.led(ZERO, lambda k, e: by.product(
            by.dot((COUNTS[0], *e[:-1]), (rates[k - 1], *after)), minus))
        return self.within(
            Series([first.log(), *(by.part(-e, k) for k, e in enumerate(fall.c[1:], 1))]))

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
        after, by, under = self.ends()[1:], self.by, self.c[0].inverse()
        return self.within(self.led(self.c[0].power(p), lambda k, b: by.part(by.product(
            by.dot(by.scaled(after, power_factors(p, k)), b), under), k)), p)

    def along(self, first: Interval, rate: Series) -> Series:
        """F(u), F(u) at the middle and F'(u) being given."""
        by, n = self.by, len(self.c)
        rates, back = by.rates(self.c), [*[None] * (n - len(rate.ends())), *rate.ends()[::-1]]
        return Series([first, *(by.part(by.dot(rates, back[n - k:]), k) for k in range(1, n))])


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
def power_factors(p: Fraction, k: int) -> list[Sorted]:
    """(p + 1) j - k for 1 <= j <= k: what a_j b_(k-j) counts in k a_0 b_k, for b = a^p."""
    return [ends(interval((p + 1) * j - k)) for j in range(1, k + 1)]


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
        o = other if isinstance(other, Jet) else Jet(other, other)
        return Jet(self.middle - o.middle, self.whole - o.whole)

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
        said = self.middle.by.about_each_point(self.terms())
        kept = [meet(*pair) for pair in zip(said, self.whole.c[:-1])]
        return Jet(self.middle, Series([*kept, self.whole.c[-1]]))

    def span(self) -> Interval:
        return span_of(self.terms())

    def extent(self) -> Interval:
        """The span, or what divided differences at the ends say, where that is less."""
        *known, last = self.terms()
        n, size = len(known), last * SIGNED
        slopes = {end: divided(known, end) for end in (-1, 1)}
        ends = {end: add_up([x * end**k for k, x in enumerate([*known, last])]) for end in slopes}
        found = meet(self.span(), hull(*ends.values()) + Interval(-D1, D0) * (
            span_of(divided(slopes[1], -1)) + size * Fraction(n * (n - 1), 2)))
        for end, slope in slopes.items():
            away = (span_of(slope) + size * n) * Interval(D0, D1 + D1) * -end
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


def span_of(c: list[Interval]) -> Interval:
    """The values of a polynomial on [-1, 1]."""
    (first,) = (FEW if len(c) <= SHORT else MANY).about_each_point(c, 1)
    return first


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
    return Jet(Series(given), Series(MANY.about_each_point(given)))


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
    """F_d at one point, or on an interval as narrow as one."""
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
    if t.lo > -1 and t.hi < 1 and UP.subtract(t.hi, t.lo) < THIN:
        return share_at(t, d)
    return hull(share_at(Interval(t.lo, t.lo), d), share_at(Interval(t.hi, t.hi), d))


def density(d: int) -> Interval:
    """c_d: c_2 = 1/pi, c_3 = 1/2, c_(d+2) = c_d d/(d-1)."""
    c, k = (interval(HALF), 3) if d % 2 else (PI.inverse(), 2)
    while k < d:
        c, k = c * Fraction(k, k - 1), k + 2
    return c


def share_of(t: Jet, d: int) -> Jet:
    """F_d on a panel, from F_d' = c_d (1 - t^2)^((d-3)/2)."""
    c = density(d)
    slope = (-t.square() + 1).narrow().of(lambda u: u.power(Fraction(d - 3, 2)))
    middle, whole = (u.along(f, rate * c) for u, f, rate in (
        (t.middle, share(t.middle.c[0], d), slope.middle), (t.whole, UNIT, slope.whole)))
    return Jet(middle, whole).narrow()
