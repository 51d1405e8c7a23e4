"""Asymptotic models: what a Taylor model is to a box, for the end [R, oo) of the half-line.

At every t >= R a model's function is the sum of c * m(t) over its terms, each c some number in the
term's coefficient: an exact rational, or a ball that also holds what was truncated.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any, cast

from flint import arb, fmpq

from dpverify.asymptotics import bessel, erfc, phases
from dpverify.asymptotics.germ import (
    CONSTANT,
    LINEAR,
    LOG_LOG_T,
    LOG_T,
    Exponents,
    Germ,
    Height,
    Rate,
    Span,
    coefficient,
    exponential,
    logarithm,
    power_of_t,
    product,
    ratio,
    rational,
    scaled,
)
from dpverify.asymptotics.terms import Coefficient, Terms, is_zero, products, tidy
from dpverify.enclosures.ball import Undecided, exact, fraction_above, hull, whole_power
from dpverify.enclosures.irrational import Irrational, logarithm_of, power_of_e, root
from dpverify.findings import Part, Reason

BOUNDS = tuple(fmpq(n) for n in (24, 16, 12, 8, 6, 4, 3, 2, 1)) + (fmpq(1, 2), fmpq(1, 8))
SLOWEST = 1
"""The least n for which an exponential of an exponential is bounded by e^(-n t^p), not by a power."""

EXACT_UP_TO = 6
"""Order up to which irrational coefficients are exact numbers, which of many terms would cost too much."""


class Model:
    """A function of t on [R, oo) as a short sum of coefficient * monomial, largest first."""

    __slots__ = ("_parts", "germ", "terms")
    _parts: tuple[Exponents, Coefficient, Model, Span] | None

    def __init__(self, germ: Germ, terms: Terms, spare: int = 0) -> None:
        """What exceeds the order, less `spare`, goes into the coefficient of the largest monomial left."""
        self.germ, self._parts = germ, None
        kept = [m for m, c in terms.items() if (not c.is_zero() if isinstance(c, arb) else c)]
        if len(kept) == 1:
            self.terms: Terms = {kept[0]: tidy(terms[kept[0]])}
            return
        if kept:
            kept.sort(reverse=True)
        most = max(0, germ.order - spare)
        self.terms = {m: tidy(terms[m]) for m in kept[:most]}
        if len(kept) > most:
            bucket = kept[most]
            rest = arb(terms[bucket])
            for m in kept[most + 1 :]:
                rest = rest + germ.span(ratio(m, bucket)).x * terms[m]
            self.terms[bucket] = rest

    def _like(self, terms: Terms) -> Model:
        """A model with as many terms as this one, in the same order, none of them 0."""
        found = Model.__new__(Model)
        found.germ, found._parts = self.germ, None
        found.terms = {m: tidy(c) for m, c in terms.items()}
        return found

    def on(self, germ: Germ) -> Model:
        """The same terms on another cell of phases of the same end."""
        found = Model.__new__(Model)
        found.germ, found.terms, found._parts = germ, self.terms, None
        return found

    @classmethod
    def power_of_t(cls, germ: Germ, power: int) -> Model:
        """t^power, exactly."""
        return cls(germ, {power_of_t(power): fmpq(1)})

    def const(self, value: Any) -> Model:
        """A constant, on the same chart or box."""
        value = arb(value) if isinstance(value, Irrational) and not self.exactly else value
        return Model(self.germ, {CONSTANT: value if isinstance(value, arb) else fmpq(value)})

    @property
    def exactly(self) -> bool:
        """Whether coefficients may be irrational numbers that are known exactly: of few terms."""
        return self.germ.order <= EXACT_UP_TO

    def not_negative(self) -> Model:
        """The same of what is not negative, where it is bounded alone."""
        c = self.terms.get(CONSTANT) if len(self.terms) == 1 else None
        return self.const(hull(c.lower().max(arb(0)), c.upper())) if isinstance(c, arb) else self

    def _lift(self, other: Any) -> Model:
        return other if isinstance(other, Model) else self.const(other)

    def __neg__(self) -> Model:
        return self._like({m: -c for m, c in self.terms.items()})

    def __add__(self, other: Any) -> Model:
        if not isinstance(other, Model):
            other = self.const(other)
        if not self.terms or not other.terms:
            return self if self.terms else other
        terms = dict(self.terms)
        for m, c in other.terms.items():
            terms[m] = terms[m] + c if m in terms else c
        return Model(self.germ, terms)

    def __sub__(self, other: Any) -> Model:
        return self + -self._lift(other)

    def __mul__(self, other: Any) -> Model:
        if not isinstance(other, Model):
            return self._times(other)
        if len(other.terms) == 1:
            return self._shifted(other)
        if len(self.terms) == 1:
            return other._shifted(self)
        return Model(self.germ, products(self.terms, other.terms))

    def _times(self, k: Any) -> Model:
        """The multiple by a number."""
        k = k if isinstance(k, arb) else fmpq(k)
        return Model(self.germ, {}) if is_zero(k) else self._like({m: c * k for m, c in self.terms.items()})

    def _shifted(self, other: Model) -> Model:
        """The product with a single term, which keeps the order of terms."""
        ((n, k),) = other.terms.items()
        if n == CONSTANT:
            return self._like({m: c * k for m, c in self.terms.items()})
        return self._like({product(m, n): c * k for m, c in self.terms.items()})

    def hull(self, other: Model) -> Model:
        """Whichever of the two it is, at each radius: a coefficient that contains both for every monomial."""
        terms: Terms = {}
        for m in {*self.terms, *other.terms}:
            a, b = self.terms.get(m, fmpq(0)), other.terms.get(m, fmpq(0))
            same = isinstance(a, fmpq) and isinstance(b, fmpq) and a == b
            terms[m] = a if same else hull(arb(a), arb(b))
        return Model(self.germ, terms)

    def leading(self) -> tuple[Exponents, arb]:
        """The leading monomial and its coefficient, which alone decide every limit."""
        return next(((m, arb(c)) for m, c in self.terms.items()), (CONSTANT, arb(0)))

    def bracket(self) -> tuple[Exponents, Span]:
        """The leading monomial m, and the span of function / m on all of [R, oo)."""
        if not self.terms:
            return CONSTANT, Span(arb(0), arb(0))
        items = list(self.terms.items())
        following, coefficient = items[-1]
        last = arb(coefficient)
        total = Span(last.lower(), last.upper())
        for m, c in reversed(items[:-1]):
            total = total.times(self.germ.span(ratio(following, m))).plus(arb(c))
            following = m
        return following, total

    def span(self) -> Span:
        """The function's values on [R, oo)."""
        monomial, factor = self.bracket()
        return factor.times(self.germ.span(monomial))

    def sign(self) -> int | None:
        """1, -1 or 0 where the function has that sign everywhere, else None."""
        return self.bracket()[1].sign()

    def limit(self) -> Coefficient:
        """What the function tends to (or stays within, for an oscillating one); Undecided if unbounded."""
        if any(m > CONSTANT for m in self.terms):
            raise Undecided(Reason.LIMIT_NOT_FINITE())
        return self.terms.get(CONSTANT, fmpq(0))

    def _relative(self) -> tuple[Exponents, Coefficient, Model, Span]:
        """c * m * (1 + w), with the model w vanishing at infinity, and its span; kept, since log u and 1/u both ask."""
        if self._parts is not None:
            return self._parts
        if not self.terms:
            raise Undecided(Reason.IS_ZERO())
        lead, c = next(iter(self.terms.items()))
        if not (arb(c) > 0 or arb(c) < 0):
            raise Undecided(Reason.NO_SIGN(what=Part.LEADING))
        w = Model(self.germ, {ratio(m, lead): k / c for m, k in self.terms.items() if m != lead})
        span = w.span()
        if not span.low > -1:
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.SERIES))
        self._parts = lead, c, w, span
        return self._parts

    def taylor(self, coefficients: list[Coefficient], remainder: arb) -> Model:
        """sum a_k self^k + remainder * self^(n+1), by Horner's rule.

        What is still to be multiplied by self^k lies behind the terms of lower degree, and needs as many places less.
        """
        if not self.terms:
            return self.const(coefficients[0])
        if len(self.terms) == 1:
            return self._sum_of_powers([*coefficients, remainder])
        result = self.const(remainder)
        spare = sum(not is_zero(a) for a in coefficients)
        for a in reversed(coefficients):
            terms = products(result.terms, self.terms)
            terms[CONSTANT] = terms[CONSTANT] + a if CONSTANT in terms else a
            spare -= not is_zero(a)
            result = Model(self.germ, terms, spare)
        return result

    def _sum_of_powers(self, coefficients: list[Coefficient]) -> Model:
        """sum a_k self^k, of one term."""
        ((m, c),) = self.terms.items()
        terms: Terms = {}
        n, k = CONSTANT, cast(Coefficient, fmpq(1))
        for a in coefficients:
            terms[n] = a * k
            n, k = product(n, m), k * c
        return Model(self.germ, terms)

    def power(self, p: fmpq) -> Model:
        """The p-th power, p rational."""
        if p == 0:
            return self.const(1)
        if not self.terms and p > 0:
            return self
        if p.q == 1 and 0 < p <= 8:
            [(alone, c), *others] = self.terms.items()
            if not others and isinstance(c, arb):
                return Model(self.germ, {scaled(alone, p): whole_power(c, int(p))})
            result = self
            for _ in range(int(p) - 1):
                result = result * self
            return result
        if (most := self._most_where_it_touches_zero()) is not None and p > 0:
            return Model(self.germ, {scaled(most[0], p): hull(arb(0), (most[1].log() * p).exp())})
        lead, c, w, span = self._relative()
        if isinstance(c, fmpq) and p.q == 1 and abs(p) < 64:
            front: Coefficient = c ** int(p)
        elif isinstance(c, fmpq) and c == 1:
            front = fmpq(1)
        elif arb(c) > 0:
            front = root(c, p) if self.exactly else (arb(c).log() * p).exp()
        else:
            raise Undecided(Reason.OF_NEGATIVE(what=Part.FRACTIONAL_POWER))
        first = Model(self.germ, {scaled(lead, p): front})
        if not w.terms:
            return first
        n = self.germ.order
        series: list[fmpq] = [fmpq(1)]
        for k in range(n + 1):
            series.append(series[-1] * (p - k) / (k + 1))
        remainder = series.pop() * ((1 + span.x).log() * (p - n - 1)).exp()
        return first * w.taylor(list(series), remainder)

    def _constant(self) -> bool:
        """Whether the function is a number that may be known exactly."""
        return self.exactly and len(self.terms) == 1 and CONSTANT in self.terms

    def _most_where_it_touches_zero(self) -> tuple[Exponents, arb] | None:
        """m and C where the function is c m and a ball says of c <= C alone that it is not negative throughout.

        Of a root only c >= 0 counts: elsewhere it has no value, which is asked of what was typed.
        """
        [(m, c), *others] = self.terms.items() or [(CONSTANT, fmpq(0))]
        if others or not isinstance(c, arb) or c > 0 or not (c.is_finite() and c.upper() > 0):
            return None
        return m, c.upper()

    def inverse(self) -> Model:
        """1 over the function; raises Undecided where it may be 0."""
        return self.power(fmpq(-1))

    def log(self) -> Model:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        lead, c, w, span = self._relative()
        if not arb(c) > 0:
            raise Undecided(Reason.OF_NEGATIVE(what=Part.LOGARITHM))
        first = self.log_of_monomial(lead)
        if not (isinstance(c, fmpq) and c == 1):  # a ball that may be 1 is not 1
            first = first + (logarithm_of(c) if self._constant() else arb(c).log())
        if not w.terms:
            return first
        n = self.germ.order
        series: list[Coefficient] = [fmpq(0)]
        series += [fmpq((-1) ** (k + 1), k) for k in range(1, n + 1)]
        remainder = ((1 + span.x).log() * (-n - 1)).exp() * fmpq((-1) ** n, n + 1)
        return first + w.taylor(series, remainder)

    def log_of_monomial(self, m: Exponents) -> Model:
        """log m on the same germ."""
        logs = self.germ.logs  # monomials are positive: log log t only where R > e, and so on
        if not all(k < len(logs) and logs[k] > 0 for k in range(3) if m[k + 1] != 0):
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.LOGARITHMS))
        log = Model(self.germ, {**logarithm(m)})
        for p, k in m[0].terms if isinstance(m[0], Rate) else ():
            log = log + p.u * exact(k) if isinstance(p, Height) else log
        return log

    def exp(self) -> Model:
        """The exponential."""
        growing = {m: c for m, c in self.terms.items() if m > CONSTANT}
        monomial = exponential(growing)
        if monomial is None:
            return self._inexact_exp()
        constant = self.terms.get(CONSTANT)
        front: Coefficient = fmpq(1)
        if constant is not None:
            front = power_of_e(constant) if self._constant() else arb(constant).exp()
        first, w = Model(self.germ, {monomial: front}), self.vanishing()
        if not w.terms:
            return first
        n = self.germ.order
        series: list[Coefficient] = [fmpq(1, factorial(k)) for k in range(n + 1)]
        remainder = hull(w.span().x, arb(0)).exp() / factorial(n + 1)
        return first * w.taylor(series, remainder)

    def _inexact_exp(self) -> Model:
        """A monomial of its own where self outgrows log t; e^self <= B t^-n or B (log t)^-n for the first n of a fixed
        list for which this is immediate where it falls."""
        lead, factor = self.bracket()
        if lead > LOG_T and factor.low > 0 and factor.high < arb.pos_inf():
            return Model(self.germ, {(Rate.alone(Height(self, lead)), 0, 0, 0, 0): fmpq(1)})
        if not (lead > CONSTANT and factor.high < 0):
            raise Undecided(Reason.EXPONENTIAL_GROWS())
        if (steep := self._below_exponential(lead)) is not None:
            return steep
        for scale, log in ((LINEAR, LOG_T), (LOG_T, LOG_LOG_T)):
            powers = list(BOUNDS)
            if lead == log:
                whole = (-factor.high * 1024).floor().unique_fmpz()
                if whole is not None:
                    powers.insert(0, fmpq(whole, 1024))
            for n in powers:
                try:
                    m, b = (self + Model(self.germ, {log: n})).bracket()
                    if m == CONSTANT or (m > CONSTANT and b.high <= 0):
                        size = b.times(self.germ.span(m)).high.exp().upper()
                        half = arb(size) / 2
                        return Model(self.germ, {ratio(CONSTANT, scaled(scale, n)): half + arb(0, half.upper())})
                except Undecided:
                    continue
        raise Undecided(Reason.EXPONENTIAL_SLOW())

    def _below_exponential(self, lead: Exponents) -> Model | None:
        """e^self <= B e^(-n t^p) for the first n of the list, where its exponent falls as e^(k t^p) grows; or None."""
        p, k = lead[0].terms[0] if isinstance(lead[0], Rate) else (None, 0)
        if not isinstance(p, (int, Fraction)):
            return None
        times = fraction_above(arb(coefficient(k))) // 1 + 1
        self.germ.span(ratio(power_of_t(p), lead))
        for n in (n * times for n in BOUNDS if n * times >= SLOWEST):
            m, b = (self + Model(self.germ, {power_of_t(p): n})).bracket()
            if m == lead and b.high <= 0:
                size = b.times(self.germ.span(m)).high.exp().upper()
                half = arb(size) / 2
                return Model(self.germ, {(Rate(((p, rational(-n)),)), 0, 0, 0, 0): half + arb(0, half.upper())})
        return None

    def softplus(self, sign: int) -> Model:
        """log(1 + sign * exp(u))."""
        return (self.exp() * sign + 1).log()

    def logistic(self, sign: int) -> Model:
        """The derivative of softplus."""
        w = self.exp() * sign
        over = (w + 1).inverse()
        if not over.leading()[1] > 0:
            raise Undecided(Reason.MORE_SUBTRACTED())
        return w * over

    def cos(self, turns: bool = False) -> Model:
        """The cosine of u, or of pi u for `turns`."""
        return phases.circular(self, 0, turns)

    def sin(self, turns: bool = False) -> Model:
        """The sine of u, or of pi u for `turns`."""
        return phases.circular(self, 1, turns)

    def vanishing(self) -> Model:
        """The terms that tend to zero."""
        return Model(self.germ, {m: c for m, c in self.terms.items() if m < CONSTANT})

    def grows(self) -> bool:
        """Whether the leading monomial tends to infinity."""
        return self.leading()[0] > CONSTANT

    def vanishes(self) -> bool:
        """Whether the limit is 0."""
        return all(m < CONSTANT for m in self.terms)

    def tends_to_a_number(self) -> bool:
        """Whether the limit is a number other than 0."""
        return self.leading()[0] == CONSTANT

    def tends_to_a_rational(self) -> bool:
        """Whether the limit is a positive number that is known exactly."""
        lead, c = next(iter(self.terms.items()), (CONSTANT, fmpq(0)))
        return lead == CONSTANT and isinstance(c, fmpq) and c > 0

    def log_matern(self, p: fmpq) -> Any:
        """log(u^p K_p(u))."""
        return bessel.log_matern(p, self)

    def besselk_ratio(self, p: fmpq) -> Any:
        """K_(p-1)(u)/K_p(u)."""
        return bessel.ratio(p, self)

    def large_log_matern(self, p: fmpq, shift: Any) -> Any:
        """log(u^p K_p(u)) at u and ahead of it, for u that grows."""
        return bessel.large_shift(p, shift)

    def log_erfc(self) -> Any:
        """log erfc(u)."""
        return erfc.log_erfc(self)

    def erfc_hazard(self) -> Any:
        """-(log erfc)', at u."""
        return erfc.hazard(self)

    def log_erfc_beside_square(self) -> Any:
        """log erfc(u) + u^2 where u grows, else None."""
        return erfc.beside_square(self)

    def slope_beside_square(self) -> Any:
        """Its derivative in u."""
        return erfc.slope_beside_square(self)

    def shift_beside_square(self, shift: Any) -> Any:
        """The same at u and ahead of it, for u that grows."""
        return erfc.shift_beside_square(shift)

    def large_log_erfc(self, shift: Any) -> Any:
        """log erfc at u and ahead of it, for u that grows."""
        return erfc.large_shift(shift)

    def apply(self, f: Any) -> Any:
        """A special function's value."""
        return f.value_of_model(self)

    def slope_of(self, f: Any) -> Any:
        """A special function's slope."""
        return f.slope_of_model(self)

    def whole(self) -> tuple[fmpq, fmpq] | None:
        """The least and the greatest integer that floor(self) can be, whole periods apart."""
        return phases.whole(self)

    def floor(self) -> Model:
        """The greatest integer not above the function."""
        return phases.floor(self)
