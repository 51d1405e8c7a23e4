"""Monomials e^(rate) t^a (log t)^b (log log t)^c (log log log t)^e, and how large they are on [R, oo)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, total_ordering
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided, exact, hull
from dpverify.enclosures.irrational import Irrational
from dpverify.findings import Part, Reason

Exponent = Any
"""An int, a Fraction, or an irrational number that is known exactly."""
ZERO = arb(0)
LARGE = arb("1e1000000")


Terms = tuple[tuple[Exponent, Exponent], ...]
Key = tuple[tuple[Exponent, Exponent, Exponent], ...]
END: Key = ((0, 0, 0),)


@total_ordering
class Height:
    """An exponent that grows, a model u that is no exact sum, in a Rate beside powers of t; ordered as they grow."""

    __slots__ = ("lead", "u")

    def __init__(self, u: Any, lead: Exponents) -> None:
        self.u, self.lead = u, lead

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __lt__(self, other: Any) -> bool:
        theirs = other.lead if isinstance(other, Height) else power_of_t(other)
        if self is not other and self.lead == theirs:
            raise Undecided(Reason.EXPONENTIALS_ALIKE())
        return bool(self.lead < theirs)


class Rate:
    """The exponent of e^(sum of k t^p), p > 0, as pairs (p, k) from the largest p down; instead of t^p an exponent of
    its own.

    Rates are ordered as the exponentials grow, and so are their keys, as tuples: what grows is above
    the end of a key, the faster the higher, and what falls below it.  The rate that is zero everywhere
    is the int 0.
    """

    __slots__ = ("_hash", "_key", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms, self._hash = terms, hash(terms)
        self._key: Key | None = None

    @property
    def key(self) -> Key:
        """What rates are ordered by, made when they are first compared: most sums of rates never are.  Empty where an
        exponent is a model."""
        if self._key is None and any(isinstance(p, Height) for p, _ in self.terms):
            self._key = ()
        if self._key is None:
            self._key = tuple([(1, p, k) if k > 0 else (-1, -p, k) for p, k in self.terms]) + END
        return self._key

    @staticmethod
    def alone(height: Any) -> Rate:
        """The rate of this exponent alone."""
        return Rate(((height, 1),))

    @staticmethod
    def of(terms: dict[Exponent, Exponent]) -> Rate | int:
        """The rate with these terms, those of factor 0 left out; 0 where none is left."""
        kept = tuple(sorted(((p, k) for p, k in terms.items() if k), reverse=True))
        return Rate(kept) if kept else 0

    def __add__(self, other: Rate | int) -> Rate | int:
        if not isinstance(other, Rate):
            return self
        if len(self.terms) == len(other.terms) == 1 and self.terms[0][0] == other.terms[0][0]:
            (p, k), (_, m) = self.terms[0], other.terms[0]
            return Rate(((p, k + m),)) if k + m else 0
        terms = dict(self.terms)
        for p, k in other.terms:
            terms[p] = terms.get(p, 0) + k
        return Rate.of(terms)

    __radd__ = __add__

    def __neg__(self) -> Rate:
        return Rate(tuple([(p, -k) for p, k in self.terms]))

    def __sub__(self, other: Rate | int) -> Rate | int:
        return 0 if self is other else self + -other

    def __rsub__(self, other: int) -> Rate | int:
        return -self + other

    def __mul__(self, k: Exponent) -> Rate | int:
        return Rate.of({p: rate * k for p, rate in self.terms})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rate) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    @property
    def towers(self) -> bool:
        """Whether one of the exponents is a model."""
        return not self.key

    def _sign(self, other: Rate | int) -> int:
        """Which of the two is the higher, by what is left of them."""
        gap = self - other
        return (1 if gap.terms[0][1] > 0 else -1) if isinstance(gap, Rate) else 0

    def __lt__(self, other: Rate | int) -> bool:
        mine, theirs = self.key, other.key if isinstance(other, Rate) else END
        return mine < theirs if mine and theirs else self._sign(other) < 0

    def __gt__(self, other: Rate | int) -> bool:
        mine, theirs = self.key, other.key if isinstance(other, Rate) else END
        return mine > theirs if mine and theirs else self._sign(other) > 0

    def __le__(self, other: Rate | int) -> bool:
        mine, theirs = self.key, other.key if isinstance(other, Rate) else END
        return mine <= theirs if mine and theirs else self._sign(other) <= 0

    def __ge__(self, other: Rate | int) -> bool:
        mine, theirs = self.key, other.key if isinstance(other, Rate) else END
        return mine >= theirs if mine and theirs else self._sign(other) >= 0


Exponents = tuple[Rate | int, Exponent, Exponent, Exponent, Exponent]


def power_of_t(a: Exponent) -> Exponents:
    """The monomial t^a."""
    return (0, a, 0, 0, 0)


CONSTANT: Exponents = power_of_t(0)
LINEAR: Exponents = power_of_t(1)
LOG_T: Exponents = (0, 0, 1, 0, 0)
LOG_LOG_T: Exponents = (0, 0, 0, 1, 0)
LOG_LOG_LOG_T: Exponents = (0, 0, 0, 0, 1)
SCALES = (LOG_T, LOG_LOG_T, LOG_LOG_LOG_T)


def coefficient(p: Exponent) -> Any:
    """An exponent, as coefficients are."""
    return p if isinstance(p, Irrational) else exact(p)


def rational(p: fmpq | Irrational) -> Exponent:
    """An exponent, as an int where it is one: ints are quick to add, to compare and to hash."""
    if isinstance(p, Irrational):
        return p
    return int(p.p) if p.q == 1 else Fraction(int(p.p), int(p.q))


def product(m: Exponents, n: Exponents) -> Exponents:
    """The exponents of the product of two monomials."""
    return (m[0] + n[0], m[1] + n[1], m[2] + n[2], m[3] + n[3], m[4] + n[4])


def ratio(m: Exponents, by: Exponents) -> Exponents:
    """The exponents of the quotient of two monomials."""
    return (m[0] - by[0], m[1] - by[1], m[2] - by[2], m[3] - by[3], m[4] - by[4])


def scaled(m: Exponents, p: fmpq) -> Exponents:
    """The exponents of a monomial to the power p."""
    by = rational(p)
    a, b, c, e = (x * by for x in m[1:])
    return (m[0] * by if isinstance(m[0], Rate) else 0, _short(a), _short(b), _short(c), _short(e))


def _short(x: Exponent) -> Exponent:
    return x if isinstance(x, Irrational) else x.numerator if x.denominator == 1 else x


def exponential(exponent: dict[Exponents, fmpq | arb]) -> Exponents | None:
    """e^(the sum of c m) for growing m, where it is a monomial."""
    rates = {m: rational(c) for m, c in exponent.items() if isinstance(c, (fmpq, Irrational))}
    steep = {m[1]: k for m, k in rates.items() if m == power_of_t(m[1])}
    if len(rates) < len(exponent) or len(steep) + sum(m in SCALES for m in rates) < len(rates):
        return None
    a, b, c = (rates.get(m, 0) for m in SCALES)
    return (Rate.of(steep), a, b, c, 0)


def logarithm(m: Exponents) -> dict[Exponents, fmpq]:
    """log m as a sum of monomials, without exponents that are models; Undecided where there is none."""
    if m[4] != 0:
        raise Undecided(Reason.FOURTH_LOGARITHM())
    rate = m[0].terms if isinstance(m[0], Rate) else ()
    terms = {power_of_t(p): coefficient(k) for p, k in rate if not isinstance(p, Height)}
    return terms | {scale: coefficient(x) for scale, x in zip(SCALES, m[1:4], strict=True) if x}


class Span:
    """Every value of a function on [R, oo): low <= value <= high, either possibly infinite."""

    __slots__ = ("_x", "high", "low")

    def __init__(self, low: arb, high: arb) -> None:
        self.low, self.high = low, high
        self._x: arb | None = None

    @property
    def x(self) -> arb:
        """The span as a ball."""
        if self._x is None:
            self._x = hull(self.low, self.high)
        return self._x

    def times(self, factor: Span) -> Span:
        """The products of values of both."""
        ends = (ZERO,) if factor.low.is_zero() else (_product(self.low, factor.low), _product(self.high, factor.low))
        low = high = ends[0]
        for p in (*ends[1:], _product(self.low, factor.high), _product(self.high, factor.high)):
            low, high = low.min(p), high.max(p)
        return Span(low.lower(), high.upper())

    def plus(self, value: arb) -> Span:
        """The values with a ball added."""
        return Span((self.low + value).lower(), (self.high + value).upper())

    def most(self) -> arb:
        """The largest absolute value."""
        return self.high.max(-self.low)

    def sign(self) -> int | None:
        """1, -1 or 0 where the function has that sign everywhere, else None."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == 0 and self.high == 0 else None


def _product(a: arb, b: arb) -> arb:
    return ZERO if a.is_zero() or b.is_zero() else a * b


@dataclass(frozen=True)
class Phase:
    """x = frequency * r, known modulo the period of what oscillates: x lies in [low, high].

    What oscillates are sines and cosines of multiples of x (`turns`: of pi x) and floors.
    """

    turns: bool
    frequency: Fraction
    low: Fraction
    high: Fraction

    @property
    def scale(self) -> Exponents:
        """What the phase is a multiple of: r, or log r."""
        return LINEAR

    def angle(self, n: fmpq, c: fmpq | arb, turns: bool) -> tuple[arb, bool]:
        """n x + c, and whether that is said in turns."""
        return Ball.between(self.low, self.high).x * n + c, turns

    def multiple(self, coefficient: fmpq, of: int) -> fmpq | None:
        """n with coefficient = n * frequency, if `of` * n is an integer."""
        n = coefficient / exact(self.frequency)
        return n if (n * of).q == 1 else None


@dataclass(frozen=True)
class OnePhase(Phase):
    """x = frequency * r, or frequency * log r for `logs`, is halves * pi + low, up to whole periods; in turns
    halves + low."""

    halves: Fraction
    logs: bool

    @property
    def scale(self) -> Exponents:
        """What the phase is a multiple of."""
        return LOG_T if self.logs else LINEAR

    def angle(self, n: fmpq, c: fmpq | arb, turns: bool) -> tuple[arb, bool]:
        """n x + c, and whether that is said in turns, in which multiples of 1/2 have exact waves."""
        rest, whole = c + exact(self.low) * n, exact(self.halves) * n
        if turns or (isinstance(rest, fmpq) and rest == 0):
            return arb(whole + rest), True
        return arb.pi() * whole + rest, False


class Germ:
    """The end [R, oo) of the half-line on which models hold; with a phase, only its radii of that phase.

    `order` bounds the number of terms a model keeps.  Raises Undecided for R <= 1.
    """

    def __init__(self, radius: Fraction, order: int) -> None:
        if radius <= 1:
            raise Undecided(Reason.RADIUS_NOT_ABOVE_1())
        self.radius, self.order = radius, order
        self.phase: Phase | None = None
        self._spans: dict[Exponents, Span] = {CONSTANT: Span(arb(1), arb(1))}

    @cached_property
    def logs(self) -> list[arb]:
        """log R, log log R, ..., as far as they are positive, and one more."""
        logs = [arb(exact(self.radius)).log()]
        while len(logs) < 4 and logs[-1] > 0:
            logs.append(logs[-1].log())
        return logs

    def at(self, phase: Phase | None) -> Germ:
        """The same end, only its radii of one phase, or all of them."""
        self.logs  # noqa: B018
        germ = copy(self)  # which shares the spans and the logarithms
        germ.phase = phase
        return germ

    def span(self, m: Exponents) -> Span:
        """(0, m(R)] for a decaying monomial, [m(R), oo) for a growing one; Undecided if not yet monotone."""
        found = self._spans.get(m)
        if found is None:
            found = self._spans[m] = self._span(m)
        return found

    def _span(self, m: Exponents) -> Span:
        if isinstance(m[0], Rate) and m[0].towers:
            return self._span_of_tower(m)
        parts = self._logarithm_at_radius(m)
        (lead, _, fastest), *_ = parts
        sign = 1 if lead > 0 else -1
        # log m grows with its leading part; what works against that is largest at R
        slope = arb(0)
        for k, (x, _, speed) in enumerate(parts):
            if k == 0 or x * sign < 0:
                slope = slope + speed / fastest * (x * sign)
        if not slope >= 0:
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.MONOMIALS))
        size = sum((u * x for x, u, _ in parts), arb(0)).exp()
        return Span(size.lower(), arb.pos_inf()) if sign > 0 else Span(arb(0), size.upper())

    def _span_of_tower(self, m: Exponents) -> Span:
        """The same by the span of the logarithm, a model."""
        assert isinstance(m[0], Rate)
        found = next(p.u for p, _ in m[0].terms if isinstance(p, Height)).log_of_monomial(m).span()
        low, high = found.low.exp().lower(), found.high.exp().upper()
        if found.low.is_finite() and low > 0:
            return Span(low, arb.pos_inf())
        if not (found.high < arb.pos_inf() and high.is_finite()):
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.MONOMIALS))
        return Span(arb(0), high)

    def _logarithm_at_radius(self, m: Exponents) -> list[tuple[fmpq, arb, arb]]:
        """log m as a sum of x u: each x, and u and du / d log t at R, the fastest u first."""
        parts = []
        for p, k in m[0].terms if isinstance(m[0], Rate) else ():
            u = (self.logs[0] * coefficient(p)).exp()
            parts.append((coefficient(k), u, u * coefficient(p)))
        speed = arb(1)
        for i, x in enumerate(m[1:]):
            if x != 0 and i >= len(self.logs):
                raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.LOGARITHMS))
            if x != 0:
                parts.append((coefficient(x), self.logs[i], speed))
            if i < len(self.logs):
                speed = speed / self.logs[i]
        return parts


class Eventually(Germ):
    """The end [R, oo) for every R from some radius on, which is not named: where a monomial that falls is next to 0."""

    def __init__(self, order: int) -> None:
        super().__init__(Fraction(2), order)
        self.logs = [LARGE] * 4

    def _span(self, m: Exponents) -> Span:
        if isinstance(m[0], Rate) and m[0].towers:
            raise Undecided(Reason.EXPONENTIAL_GROWS())
        return Span(LARGE, arb.pos_inf()) if m > CONSTANT else Span(ZERO, 1 / LARGE)
