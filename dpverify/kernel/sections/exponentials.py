"""Exponentials: as models, and sums of them by the logarithms of their terms."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, total_ordering
from math import factorial

from ..intervals import D1, DOWN, ONE, UNIT, ZERO, Interval, hull, interval, meet
from ..rules import BROUGHT, Rejected, brought, require, rule
from .increments import Shift
from .models import CONSTANT, LINEAR, LOG_LOG_T, LOG_T, SCALES
from .models import Known, Model, constant, power_of_t, quotient, raised, short
from .rings import by_ring
from .slopes import Slope, innermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..intervals import Coefficient
    from .models import Exponent, Exponents

FASTEST, SLOWEST = 24, 1
SMALL = Decimal("1e-11")


@total_ordering
class Rate:
    """q = the sum of k t^p, p > 0, as pairs (p, k), the largest p first; ordered as the e^q grow.

    The q that is zero everywhere is the int 0.
    """

    __slots__ = ("hashed", "terms")

    def __init__(self, terms: tuple[tuple[Exponent, Exponent], ...]) -> None:
        self.terms, self.hashed = terms, hash(terms)

    @staticmethod
    def of(terms: dict[Exponent, Exponent]) -> Rate | int:
        kept = tuple(sorted(((p, k) for p, k in terms.items() if k), reverse=True))
        return Rate(kept) if kept else 0

    @lru_cache(20_000)  # noqa: B019  a rate is small, and so many at most are kept
    def __add__(self, other: Rate | int) -> Rate | int:
        terms = dict(self.terms)
        for p, k in other.terms if isinstance(other, Rate) else ():
            terms[p] = terms.get(p, 0) + k
        return Rate.of(terms)

    __radd__ = __add__

    def __neg__(self) -> Rate:
        return Rate(tuple((p, -k) for p, k in self.terms))

    def __sub__(self, other: Rate | int) -> Rate | int:
        return self + -other

    def __rsub__(self, other: int) -> Rate | int:
        return -self + other

    def __mul__(self, k: Fraction) -> Rate | int:
        return Rate.of({p: short(rate * k) for p, rate in self.terms})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rate) and self.terms == other.terms

    def __hash__(self) -> int:
        return self.hashed

    @lru_cache(20_000)  # noqa: B019  a rate is small, and so many at most are kept
    def __lt__(self, other: Rate | int) -> bool:
        gap = self - other
        return isinstance(gap, Rate) and gap.terms[0][1] < 0


def exp_of_model(u: Model) -> Model:
    growing = {m: c for m, c in u.terms.items() if m > CONSTANT}
    exact = {m: short(c) for m, c in growing.items() if isinstance(c, (Fraction, Known))}
    steep = {m[1]: c for m, c in exact.items() if m == power_of_t(m[1])}
    scales = {m: c for m, c in exact.items() if m in SCALES}
    if len(steep) + len(scales) < len(growing):
        if u.bracket()[1].lo > 0:
            return brought("an exponential that outgrows powers")(u)  # type: ignore[no-any-return]
        return vanishing_exp(u)
    return growing_exp(u, steep, [scales.get(s, 0) for s in SCALES])


@rule("K14")
def growing_exp(u: Model, steep: dict[Exponent, Exponent], scales: list[Exponent]) -> Model:
    """Exponentials.

    Lemma.  A growing part that is an exact sum of k t^p and multiples of log t, log log t and
    log log log t is itself the logarithm of a monomial; a constant becomes a factor; and of
    what vanishes, w, e^w is its Taylor polynomial of degree n plus e^x w^(n+1) / (n+1)! for
    some x between 0 and w.
    """
    front: Coefficient = Fraction(1)
    if CONSTANT in u.terms:
        level = u.terms[CONSTANT]
        front = constant(u.germ, "exp", level) if len(u.terms) == 1 else interval(level).exp()
    a, b, c = scales
    w, n = u.vanishing(), u.germ.order
    remainder = hull(w.span(), ZERO).exp() * Fraction(1, factorial(n + 1))
    front_model = Model(u.germ, {(Rate.of(steep), a, b, c, 0): front})
    series = [Fraction(1, factorial(k)) for k in range(n + 1)]
    return front_model * w.taylor(series, remainder)


@rule("K15")
def vanishing_exp(u: Model) -> Model:
    """What vanishes exponentially is bounded by a power.

    Lemma.  Let u <= -c m on [R, oo) with c > 0 and m >= x > 0 there, and l = log t (or
    log log t, where m grows more slowly than log t; or t^p, where m is e^(k t^p) times what grows
    or falls more slowly, k > 0), l/m <= q there.  For 0 <= n <= c/q,
    u + n l <= m (n q - c) <= x (n q - c), so that 0 < e^u <= e^(x (n q - c)) t^-n (or
    (log t)^-n, or e^(-n t^p)).
    """
    lead, factor = u.bracket()
    require(lead > CONSTANT and factor.hi < 0, "an exponential grows, or has no proved sign")
    p, k = lead[0].terms[0] if lead[0] else (None, 0)
    if isinstance(p, (int, Fraction)):  # which an exponent that is a model is not
        n, bound = bounded(u, power_of_t(p), FASTEST * (int(interval(k).hi) + 1))
        if n >= SLOWEST:
            return Model(u.germ, {(Rate(((p, -n),)), 0, 0, 0, 0): Interval(bound, bound) * UNIT})
    scale, log = (LINEAR, LOG_T) if lead >= LOG_T else (LOG_T, LOG_LOG_T)
    require(lead >= log, "an exponential vanishes too slowly for the models")
    n, bound = bounded(u, log, FASTEST)
    return Model(u.germ, {raised(scale, -n): Interval(bound, bound) * UNIT})


def bounded(u: Model, log: Exponents, fastest: int) -> tuple[Fraction, Decimal]:
    """n, and B, with e^u <= B e^(-n l)."""
    lead, factor = u.bracket()
    ratio, c = u.germ.span(quotient(log, lead)), factor.hi.copy_abs()
    most = min(DOWN.divide(c, ratio.hi), Decimal(fastest))
    n = Fraction(int(DOWN.multiply(most, Decimal(1024))), 1024)
    slack = interval(n) * Interval(ratio.hi, ratio.hi) - Interval(c, c)
    require(slack.hi <= 0, "an exponential vanishes too slowly for the models")
    start = u.germ.span(lead).lo
    return n, (Interval(start, start) * slack).exp().hi


@by_ring
def softplus(t: Any, sign: int) -> Any:
    """log(1 + sign * e^t) over any ring."""
    raise TypeError


@by_ring
def logistic(t: Any, sign: int) -> Any:
    """sign * e^t / (1 + sign * e^t), the derivative of softplus, over any ring."""
    raise TypeError


@softplus.register(Interval)
def softplus_of_interval(t: Interval, sign: int) -> Interval:
    """Monotone in t; for sign = -1 only where t < 0."""
    require(sign > 0 or t.hi < 0, "subtracts something not proved smaller")
    return hull(softplus_point(t.lo, sign), softplus_point(t.hi, sign))


@logistic.register(Interval)
def logistic_of_interval(t: Interval, sign: int) -> Interval:
    """Monotone in t; for sign = -1 only where t < 0."""
    require(sign > 0 or t.hi < 0, "subtracts something not proved smaller")
    ends = (t.lo, t.hi)
    low, high = ((ONE + (-Interval(e, e)).exp() * sign).inverse() for e in ends)
    return hull(low, high)


def softplus_point(t: Decimal, sign: int) -> Interval:
    """log(1 + sign * e^t), to full relative precision where it is small and where e^t is near 1."""
    x = Interval(t, t)
    if sign > 0 and t > 0:
        return x + softplus_point(t.copy_negate(), sign)
    if t < -24:
        return small_log1p(x.exp() * sign)
    if sign < 0 and t > -SMALL:  # 1 - e^t = -t (1 + t/2 + ...)
        rest = series([Fraction(1, factorial(k)) for k in range(2, 7)], x)
        return (-x).log() + small_log1p(x * rest)
    return (ONE + x.exp() * sign).log()


def small_log1p(u: Interval) -> Interval:
    """log(1 + u) for |u| < 1e-10."""
    return u * series([Fraction((-1) ** k, k + 1) for k in range(5)], u)


def series(coefficients: list[Fraction], u: Interval) -> Interval:
    """sum of a_k u^k, and a rest of at most |u|^n, as where no later coefficient exceeds 1/2."""
    result = Interval(-D1, D1)
    for a in reversed(coefficients):
        result = result * u + a
    return result


@softplus.register(Model)
def softplus_of_model(t: Model, sign: int) -> Model:
    return (t.exp() * sign + 1).log()


@logistic.register(Model)
def logistic_of_model(t: Model, sign: int) -> Model:
    """For sign = -1 only where t < 0."""
    w = t.exp() * sign
    over = (w + 1).inverse()
    require(over.leading()[1].lo > 0, "subtracts something not proved smaller")
    return w * over


@softplus.register(Slope)
def softplus_of_slope(t: Slope, sign: int) -> Slope:
    return Slope(softplus(t.u, sign), logistic(t.u, sign) * t.du)


@logistic.register(Slope)
def logistic_of_slope(t: Slope, sign: int) -> Slope:
    s = logistic(t.u, sign)
    return Slope(s, s * (-s + 1) * t.du)


@softplus.register(Shift)
def softplus_of_shift(t: Shift, sign: int) -> Shift:
    s = logistic(t.u, sign)
    ratio = s * (t.du.exp() - 1) + 1
    value = innermost(ratio)
    cancels = isinstance(value, Interval) and value.lo < Decimal("0.5")
    if sign > 0 and cancels:  # the same, as a sum of positives
        ratio = logistic(-t.u, 1) + s * t.du.exp()
    return Shift(lambda: softplus(t.u, sign), ratio.log())


@logistic.register(Shift)
def logistic_of_shift(t: Shift, sign: int) -> Any:
    raise Rejected("the increment of a logistic function is not asked for")


@rule("K3")
def sum_of_exponentials(logs: list[tuple[int, Any]]) -> tuple[int, Any]:
    """log |sum of s_i e^(L_i)|.

    Lemma.  log(e^u + e^v) = u + log(1 + e^(v - u)), and log(e^u - e^v) = u + log(1 - e^(v - u))
    where v < u; both corrections are monotone in v - u.  What is added comes first, what is
    subtracted after, the largest in front as far as the enclosures suggest.  On intervals
    log(e^u + e^v) lies between what it is at both lower ends and at both upper ends, and its slopes
    are means of those of u and of v.
    """
    sign = logs[0][0] if len({s for s, _ in logs}) == 1 else 1
    (_, total), *rest = sorted(logs, key=lambda item: -item[0] * sign)
    for s, log in rest:
        total = joined(total, log) if s == sign else total + softplus(log - total, -1)
    return sign, total


def joined(u: Any, v: Any) -> Any:
    """log(e^u + e^v)."""
    if isinstance(u, Interval):
        return sum_at_ends(u, v)
    gap = v - u
    if leans_positive(gap):
        u, v, gap = v, u, u - v  # a difference keeps what is known of its exponential
    if type(u) is not Slope or not isinstance(u.u, Interval):
        return u + softplus(gap, 1)
    slope = u.du + logistic(gap.u, 1) * gap.du
    return Slope(sum_at_ends(u.u, v.u), meet(slope, hull(u.du, v.du)))


def sum_at_ends(u: Interval, v: Interval) -> Interval:
    """log(e^u + e^v), from where both are least and where both are largest."""
    return Interval(sum_at(u.lo, v.lo).lo, sum_at(u.hi, v.hi).hi)


def sum_at(x: Decimal, y: Decimal) -> Interval:
    low, high = sorted((x, y))
    most = Interval(high, high)
    return most + softplus(Interval(low, low) - most, 1) if high.is_finite() else most


def leans_positive(element: Any) -> bool:
    """Whether it is positive, as far as is seen; of a shift, where it is the further from 0."""
    inner = innermost(element)
    if isinstance(inner, Model):
        return inner.sign() == 1
    if isinstance(element, Shift):
        inner = inner + inner + innermost(element.du)
    return inner.hi > inner.lo.copy_negate()  # of two infinite ends there is no sum


BROUGHT.update({
    "an exponential of a model": exp_of_model, "a sum of exponentials": sum_of_exponentials})
