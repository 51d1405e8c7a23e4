"""Monomials t^a (log t)^b (log log t)^c (log log log t)^e, and how large they are on [R, oo)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from dpverify.enclosures.ball import Undecided, exact, hull

Exponent = int | Fraction
Exponents = tuple[Exponent, Exponent, Exponent, Exponent]
CONSTANT: Exponents = (0, 0, 0, 0)
LINEAR: Exponents = (1, 0, 0, 0)
LOG_T: Exponents = (0, 1, 0, 0)
LOG_LOG_T: Exponents = (0, 0, 1, 0)
LOG_LOG_LOG_T: Exponents = (0, 0, 0, 1)
SCALES = (LOG_T, LOG_LOG_T, LOG_LOG_LOG_T)


def exponent(p: fmpq) -> Exponent:
    """A rational as an int where it is one: ints are quick to add, to compare and to hash."""
    return int(p.p) if p.q == 1 else Fraction(int(p.p), int(p.q))


def ratio(m: Exponents, by: Exponents) -> Exponents:
    """The exponents of the quotient of two monomials."""
    return (m[0] - by[0], m[1] - by[1], m[2] - by[2], m[3] - by[3])


class Span:
    """Every value of a function on [R, oo): low <= value <= high, either possibly infinite."""

    __slots__ = ("high", "low")

    def __init__(self, low: arb, high: arb) -> None:
        self.low, self.high = low, high

    @property
    def x(self) -> arb:
        """The span as a ball."""
        if self.low.is_finite() and self.high.is_finite():
            return hull(self.low, self.high)
        return arb(0, arb.pos_inf())

    def times(self, factor: Span) -> Span:
        products = [_product(a, b) for a in (self.low, self.high) for b in (factor.low, factor.high)]
        low, high = products[0], products[0]
        for p in products[1:]:
            low, high = low.min(p), high.max(p)
        return Span(low.lower(), high.upper())

    def plus(self, value: arb) -> Span:
        return Span((self.low + value).lower(), (self.high + value).upper())

    def most(self) -> arb:
        """The largest absolute value."""
        return self.high.max(-self.low)

    def sign(self) -> int | None:
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == 0 and self.high == 0 else None


def _product(a: arb, b: arb) -> arb:
    return arb(0) if a.is_zero() or b.is_zero() else a * b


@dataclass(frozen=True)
class Phase:
    """x = frequency * r, known modulo the period of what oscillates: x lies in [low, high].

    What oscillates are sines and cosines of multiples of x (`turns`: of pi x) and floors.
    """

    turns: bool
    frequency: Fraction
    low: Fraction
    high: Fraction

    def multiple(self, coefficient: fmpq, of: int) -> fmpq | None:
        """n with coefficient = n * frequency, if `of` * n is an integer."""
        n = coefficient / exact(self.frequency)
        return n if (n * of).q == 1 else None


class Germ:
    """The end [R, oo) of the half-line on which models hold; with a phase, only its radii of that phase.

    `order` bounds the number of terms a model keeps.  Raises Undecided for R <= 1.
    """

    def __init__(self, radius: Fraction, order: int) -> None:
        if radius <= 1:
            raise Undecided("a model needs a radius above 1")
        self.radius, self.order = radius, order
        self.phase: Phase | None = None
        logs = [arb(exact(radius)).log()]
        while len(logs) < 4 and logs[-1] > 0:
            logs.append(logs[-1].log())
        self.logs = logs
        self._spans: dict[Exponents, Span] = {CONSTANT: Span(arb(1), arb(1))}

    def at(self, phase: Phase) -> Germ:
        """The same end, only its radii of one phase."""
        germ = copy(self)  # which shares the spans
        germ.phase = phase
        return germ

    def span(self, m: Exponents) -> Span:
        """(0, m(R)] for a decaying monomial, [m(R), oo) for a growing one; Undecided if not yet monotone."""
        if m not in self._spans:
            self._spans[m] = self._span(m)
        return self._spans[m]

    def _span(self, m: Exponents) -> Span:
        lead = next(i for i, x in enumerate(m) if x != 0)
        last = max(i for i, x in enumerate(m) if x != 0)
        sign = 1 if m[lead] > 0 else -1
        if last >= len(self.logs) or (last > 0 and not self.logs[last - 1] > 0):
            raise Undecided("the radius of a model is too small for its iterated logarithms")
        # d log m / d log t, divided by its leading factor: its terms in the leading direction
        # persist, the others are largest at R.
        slope, product = arb(exact(m[lead] * sign)), arb(1)
        for k in range(lead + 1, last + 1):
            product = product * self.logs[k - 1]
            if m[k] * sign < 0:
                slope = slope + exact(m[k] * sign) / product
        if not slope >= 0:
            raise Undecided("the radius of a model is too small for its monomials to be monotone")
        size = sum((log * exact(x) for log, x in zip(self.logs, m, strict=False) if x != 0), arb(0)).exp()
        return Span(size.lower(), arb.pos_inf()) if sign > 0 else Span(arb(0), size.upper())
