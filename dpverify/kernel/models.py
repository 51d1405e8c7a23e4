"""Models: a function on [R, oo) as a finite sum of coefficient * monomial.

A monomial is e^q t^a (log t)^b (log log t)^c (log log log t)^e with exact exponents, q being a
sum of powers of t.  Each coefficient contains, at every t >= R, what the monomial is multiplied
by there; the largest monomial comes first and alone decides every limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, total_ordering
from math import factorial

from .intervals import D0, DOWN, INF, ONE, UNIT, ZERO, Interval, add_up, hull, interval, product_of
from .rules import require, rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from .intervals import Coefficient

    Exponent: TypeAlias = int | Fraction
    Exponents: TypeAlias = tuple["Rate | int", Exponent, Exponent, Exponent, Exponent]


@total_ordering
class Rate:
    """q = the sum of k t^p, p > 0, as pairs (p, k), the largest p first; ordered as the e^q grow.

    The q that is zero everywhere is the int 0.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: tuple[tuple[Exponent, Exponent], ...]) -> None:
        self.terms = terms

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
        return hash(self.terms)

    @lru_cache(20_000)  # noqa: B019  a rate is small, and so many at most are kept
    def __lt__(self, other: Rate | int) -> bool:
        gap = self - other
        return isinstance(gap, Rate) and gap.terms[0][1] < 0


def power_of_t(a: Exponent) -> Exponents:
    return (0, a, 0, 0, 0)


CONSTANT, LINEAR = power_of_t(0), power_of_t(1)
LOG_T: Exponents = (0, 0, 1, 0, 0)
LOG_LOG_T: Exponents = (0, 0, 0, 1, 0)
SCALES: tuple[Exponents, ...] = (LOG_T, LOG_LOG_T, (0, 0, 0, 0, 1))
FASTEST = 24


def short(p: Exponent) -> Exponent:
    """A rational exponent as an int where it is one: ints are quick to compare and to hash."""
    return p.numerator if p.denominator == 1 else p


def quotient(m: Exponents, by: Exponents) -> Exponents:
    return (m[0] - by[0], m[1] - by[1], m[2] - by[2], m[3] - by[3], m[4] - by[4])


def raised(m: Exponents, p: Fraction) -> Exponents:
    a, b, c, e = (short(x * p) for x in m[1:])
    return (m[0] * p if isinstance(m[0], Rate) else 0, a, b, c, e)


class Germ:
    """The end [R, oo) of the half-line, and how large a monomial is there.

    `phase` is None, or the cell of phases to which the radii are restricted (section waves).
    """

    def __init__(self, radius: Fraction, order: int) -> None:
        require(radius > 1, "a model's radius is too small")
        self.phase: Any = None
        self.order, self.logs = order, [interval(radius).log()]
        while len(self.logs) < 4 and self.logs[-1].lo > 0:
            self.logs.append(self.logs[-1].log())
        self.spans: dict[Exponents, Interval] = {CONSTANT: ONE}

    def at(self, phase: Any) -> Germ:
        """The same end, only its radii of one cell of phases."""
        germ = Germ.__new__(Germ)
        germ.phase, germ.order, germ.logs, germ.spans = phase, self.order, self.logs, self.spans
        return germ

    def span(self, m: Exponents) -> Interval:
        if m not in self.spans:
            self.spans[m] = self._span(m)
        return self.spans[m]

    @rule("K10")
    def _span(self, m: Exponents) -> Interval:
        """Monomials are monotone.

        Lemma.  With u = d log m / d log t, a sum of terms each of which keeps its sign: if at R
        the leading term outweighs all terms of the other sign, it does so at every t >= R, since
        these, divided by it, are largest at R.  So m is monotone on [R, oo) and its values lie in
        (0, m(R)] or [m(R), oo).
        """
        parts = self.logarithm(m)
        fastest, sign = parts[0][2], 1 if parts[0][0] > 0 else -1
        against = [(x, speed) for x, _, speed in parts[1:] if x * sign < 0]
        weights = [fastest * (parts[0][0] * sign), *(speed * (x * sign) for x, speed in against)]
        slope: Interval = add_up(weights)
        require(slope.lo >= 0, "a monomial of a model is not monotone from its radius on")
        size = add_up(u * x for x, u, _ in parts).exp()
        return Interval(size.lo, INF) if sign > 0 else Interval(D0, size.hi)

    def logarithm(self, m: Exponents) -> list[tuple[Exponent, Interval, Interval]]:
        """log m as a sum of x u: each x, and u and du / d log t at R, the fastest u first."""
        parts: list[tuple[Exponent, Interval, Interval]] = []
        for p, k in m[0].terms if isinstance(m[0], Rate) else ():
            u = (self.logs[0] * p).exp()
            parts.append((k, u, u * p))
        speed = ONE
        for i, x in enumerate(m[1:]):
            known = x == 0 or i < len(self.logs)
            require(known, "a model's radius is too small for its logarithms")
            if x:
                parts.append((x, self.logs[i], speed))
            if i < len(self.logs) and self.logs[i].lo > 0:
                speed = speed * self.logs[i].inverse()
        return parts


class Model:
    """A function of t: at every t >= R the sum of c * m(t), each c in its coefficient."""

    __slots__ = ("germ", "terms")

    def __init__(self, germ: Germ, terms: Mapping[Exponents, Coefficient]) -> None:
        """K11.  What exceeds the order goes into the coefficient of the largest monomial left."""
        self.germ = germ
        kept = sorted((m for m, c in terms.items() if not is_zero(c)), reverse=True)
        self.terms: dict[Exponents, Coefficient] = {m: tidy(terms[m]) for m in kept[: germ.order]}
        if len(kept) > germ.order:
            bucket = kept[germ.order]
            rest = kept[germ.order :]
            self.terms[bucket] = add_up(germ.span(quotient(m, bucket)) * terms[m] for m in rest)

    def const(self, value: Coefficient) -> Model:
        return Model(self.germ, {CONSTANT: value})

    def lift(self, other: Any) -> Model:
        return other if isinstance(other, Model) else self.const(other)

    def __neg__(self) -> Model:
        return Model(self.germ, {m: -c for m, c in self.terms.items()})

    def __add__(self, other: Any) -> Model:
        terms = dict(self.terms)
        for m, c in self.lift(other).terms.items():
            terms[m] = terms[m] + c if m in terms else c
        return Model(self.germ, terms)

    def __sub__(self, other: Any) -> Model:
        return self + -self.lift(other)

    def __mul__(self, other: Any) -> Model:
        terms: dict[Exponents, Coefficient] = {}
        for n, k in self.lift(other).terms.items():
            for m, c in self.terms.items():
                key = (m[0] + n[0], m[1] + n[1], m[2] + n[2], m[3] + n[3], m[4] + n[4])
                terms[key] = terms[key] + c * k if key in terms else c * k
        return Model(self.germ, terms)

    def leading(self) -> tuple[Exponents, Interval]:
        """The leading monomial and its coefficient, which alone decide every limit."""
        return next(((m, interval(c)) for m, c in self.terms.items()), (CONSTANT, ZERO))

    def bracket(self) -> tuple[Exponents, Interval]:
        """The leading monomial m and an enclosure of function / m on all of [R, oo)."""
        following, total = CONSTANT, None
        for m, c in reversed(self.terms.items()):
            ratio = self.germ.span(quotient(following, m))
            total = interval(c) if total is None else total * ratio + c
            following = m
        return following, total or ZERO

    def span(self) -> Interval:
        """Contains the function's value at every t >= R."""
        monomial, factor = self.bracket()
        return factor * self.germ.span(monomial)

    def sign(self) -> int | None:
        return self.bracket()[1].sign()

    def limit(self) -> Interval:
        require(all(m <= CONSTANT for m in self.terms), "a limit is not proved finite")
        return interval(self.terms.get(CONSTANT, 0))

    def vanishing(self) -> Model:
        return Model(self.germ, {m: c for m, c in self.terms.items() if m < CONSTANT})

    def relative(self) -> tuple[Exponents, Coefficient, Model, Interval]:
        """Split into c * m * (1 + w), with w a model that vanishes at infinity, and its span."""
        require(bool(self.terms), "divides by zero, or takes its logarithm")
        lead, c = next(iter(self.terms.items()))
        require(interval(c).sign() in (1, -1), "a leading coefficient has no proved sign")
        scale = 1 / c if isinstance(c, Fraction) else interval(c).inverse()
        rest = {quotient(m, lead): k * scale for m, k in self.terms.items() if m != lead}
        w = Model(self.germ, rest)
        span = w.span()
        require(span.lo > -1, "a model's radius is too small for its series")
        return lead, c, w, span

    def taylor(self, coefficients: list[Any], remainder: Coefficient) -> Model:
        """sum of a_k w^k + remainder * w^(n+1), by Horner's rule."""
        if not self.terms:
            return self.const(coefficients[0])
        result = self.const(remainder)
        for a in reversed(coefficients):
            result = result * self + a
        return result

    def power(self, p: Fraction) -> Model:
        if not self.terms and p > 0:
            return self  # 0^p = 0
        if p.denominator == 1 and 0 <= p <= 8:
            return product_of([self] * int(p)) if p else self.const(1)
        return self._power(p)

    @rule("K12")
    def _power(self, p: Fraction) -> Model:
        """Powers and inverses.

        Lemma.  u = c m (1 + w) with w > -1, so u^p = c^p m^p (1 + w)^p, and (1 + w)^p is its
        binomial polynomial of degree n plus binom(p, n+1) (1 + x)^(p-n-1) w^(n+1) for some x
        between 0 and w (Taylor, with Lagrange's remainder).  w vanishes at infinity, so that its
        span, over which the remainder is taken, contains 0 and with it every such x.
        """
        (lead, c, w, span), n = self.relative(), self.germ.order
        series = [Fraction(1)]
        for k in range(n + 1):
            series.append(series[-1] * (p - k) / (k + 1))
        remainder = (ONE + span).power(p - n - 1) * series.pop()
        whole = p.denominator == 1 and abs(p) < 64
        if isinstance(c, Fraction) and (c == 1 or whole):
            front: Coefficient = c ** int(p) if c != 1 else c
        else:
            front = interval(c).power(p)
        return Model(self.germ, {raised(lead, p): front}) * w.taylor(series, remainder)

    def inverse(self) -> Model:
        return self._power(Fraction(-1))

    @rule("K13")
    def log(self) -> Model:
        """Logarithms.

        Lemma.  log(c m (1 + w)) = log c + log m + log(1 + w), where log m is a sum of exact terms
        and log(1 + w) its Taylor polynomial of degree n plus (-1)^n w^(n+1) / ((n+1) (1+x)^(n+1))
        for some x between 0 and w.
        """
        (lead, c, w, span), n = self.relative(), self.germ.order
        require(interval(c).lo > 0, "takes the logarithm of something not proved positive")
        require(not lead[4], "a fourth iterated logarithm is beyond the models")
        logs = self.germ.logs  # monomials are positive: log log t only where R > e, and so on
        known = all(k < len(logs) and logs[k].lo > 0 for k in range(3) if lead[k + 1])
        require(known, "a model's radius is too small for its logarithms")
        front: dict[Exponents, Coefficient] = {
            s: Fraction(x) for s, x in zip(SCALES, lead[1:], strict=False)
        }
        for p, k in lead[0].terms if isinstance(lead[0], Rate) else ():
            front[power_of_t(p)] = Fraction(k)
        if c != 1:
            front[CONSTANT] = interval(c).log()
        remainder = (ONE + span).power(Fraction(-n - 1)) * Fraction((-1) ** n, n + 1)
        coefficients = [Fraction(-((-1) ** k), k or 1) * (k > 0) for k in range(n + 1)]
        return Model(self.germ, front) + w.taylor(coefficients, remainder)

    def exp(self) -> Model:
        growing = {m: c for m, c in self.terms.items() if m > CONSTANT}
        exact = {m: short(c) for m, c in growing.items() if isinstance(c, Fraction)}
        steep = {m[1]: c for m, c in exact.items() if m == power_of_t(m[1])}
        scales = {m: c for m, c in exact.items() if m in SCALES}
        if len(steep) + len(scales) < len(growing):
            return self.vanishing_exp()
        return self._exp(steep, [scales.get(s, 0) for s in SCALES])

    @rule("K14")
    def _exp(self, steep: dict[Exponent, Exponent], scales: list[Exponent]) -> Model:
        """Exponentials.

        Lemma.  A growing part that is an exact sum of k t^p and multiples of log t, log log t and
        log log log t is itself the logarithm of a monomial; a constant becomes a factor; and of
        what vanishes, w, e^w is its Taylor polynomial of degree n plus e^x w^(n+1) / (n+1)! for
        some x between 0 and w.
        """
        front: Coefficient = Fraction(1)
        if CONSTANT in self.terms:
            front = interval(self.terms[CONSTANT]).exp()
        a, b, c = scales
        w, n = self.vanishing(), self.germ.order
        remainder = hull(w.span(), ZERO).exp() * Fraction(1, factorial(n + 1))
        front_model = Model(self.germ, {(Rate.of(steep), a, b, c, 0): front})
        series = [Fraction(1, factorial(k)) for k in range(n + 1)]
        return front_model * w.taylor(series, remainder)

    @rule("K15")
    def vanishing_exp(self) -> Model:
        """What vanishes exponentially is bounded by a power.

        Lemma.  Let u <= -c m on [R, oo) with c > 0 and m increasing there, and l = log t (or
        log log t, where m grows more slowly than log t).  For 0 < n <= c m(R)/l(R), provided l/m
        falls from R on, u + n l <= m (n l(R)/m(R) - c) <= n l(R) - c m(R), so that
        0 < e^u <= e^(n l(R) - c m(R)) t^-n (or (log t)^-n).
        """
        lead, factor = self.bracket()
        require(lead > CONSTANT and factor.hi < 0, "an exponential grows, or has no proved sign")
        scale, log = (LINEAR, LOG_T) if lead >= LOG_T else (LOG_T, LOG_LOG_T)
        require(lead >= log, "an exponential vanishes too slowly for the models")
        ratio, c = self.germ.span(quotient(log, lead)), factor.hi.copy_abs()
        most = min(DOWN.divide(c, ratio.hi), Decimal(FASTEST))
        n = Fraction(int(DOWN.multiply(most, Decimal(1024))), 1024)
        slack = interval(n) * Interval(ratio.hi, ratio.hi) - Interval(c, c)
        slow = n <= 0 or slack.hi > 0
        require(not slow, "an exponential vanishes too slowly for the models")
        start = self.germ.span(lead).lo
        bound = (Interval(start, start) * slack).exp().hi
        return Model(self.germ, {raised(scale, -n): Interval(bound, bound) * UNIT})

    def softplus(self, sign: int) -> Model:
        return (self.exp() * sign + 1).log()

    def logistic(self, sign: int) -> Model:
        w = self.exp() * sign
        return w * (w + 1).inverse()


def is_zero(c: Coefficient) -> bool:
    return c.lo == 0 == c.hi if isinstance(c, Interval) else c == 0


def tidy(c: Coefficient) -> Coefficient:
    """Keep a rational exact while it is short."""
    c = Fraction(c) if isinstance(c, int) else c
    long = isinstance(c, Fraction) and c.numerator.bit_length() + c.denominator.bit_length() > 600
    return interval(c) if long else c
