"""Models: a function on [R, oo) as a finite sum of coefficient * monomial.

A monomial is e^q t^a (log t)^b (log log t)^c (log log log t)^e with exact exponents: (q, a, b, c,
e), q being 0 unless the section for exponentials makes it a sum of powers of t (a Rate).  Each
coefficient contains, at every t >= R, what the monomial is multiplied by there; the largest
monomial comes first and alone decides every limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..intervals import ONE, ZERO, Interval, add_up, interval, product_of
from ..rules import BROUGHT, brought, require, rule
from .rings import Ring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..intervals import Coefficient

    Exponent: TypeAlias = Any  # int, Fraction or Known
    Exponents: TypeAlias = tuple[Any, Exponent, Exponent, Exponent, Exponent]


def power_of_t(a: Exponent) -> Exponents:
    return (0, a, 0, 0, 0)


CONSTANT, LINEAR = power_of_t(0), power_of_t(1)
LOG_T: Exponents = (0, 0, 1, 0, 0)
LOG_LOG_T: Exponents = (0, 0, 0, 1, 0)
SCALES: tuple[Exponents, ...] = (LOG_T, LOG_LOG_T, (0, 0, 0, 0, 1))


EXACTLY, EXACT_UP_TO = "a constant as it is", 6


class Known(Interval):
    """An interval that knows the number in it (section irrationals)."""

    __slots__ = ()


def short(p: Exponent) -> Exponent:
    """An exponent as an int where it is one: ints are quick to compare and to hash."""
    return p.numerator if not isinstance(p, Known) and p.denominator == 1 else p


def coefficient(p: Exponent) -> Coefficient:
    """An exponent, as coefficients are."""
    return p if isinstance(p, Known) else Fraction(p)


def constant(germ: Germ, function: str, c: Coefficient, *p: Fraction) -> Coefficient:
    """exp, log or power of a constant, or pi itself, as it is where a section has it so, and models
    are of few terms."""
    if EXACTLY in BROUGHT and germ.order <= EXACT_UP_TO:
        return BROUGHT[EXACTLY](function, c, *p)  # type: ignore[no-any-return]
    found: Coefficient = c if function == "pi" else getattr(interval(c), function)(*p)
    return found


def quotient(m: Exponents, by: Exponents) -> Exponents:
    return (m[0] - by[0], m[1] - by[1], m[2] - by[2], m[3] - by[3], m[4] - by[4])


def raised(m: Exponents, p: Fraction) -> Exponents:
    a, b, c, e = (short(x * p) for x in m[1:])
    return (m[0] * p if m[0] else 0, a, b, c, e)


class Germ:
    """The end [R, oo) of the half-line, and how large a monomial is there.

    `phase` is None, or the cell of phases to which the radii are restricted (section waves).
    """

    def __init__(self, radius: Fraction, order: int) -> None:
        require(radius > 1, "a model's radius is too small")
        self.phase: Any = None
        self.start, self.order = interval(radius), order
        self.logs = [self.start.log()]
        while len(self.logs) < 4 and self.logs[-1].lo > 0:
            self.logs.append(self.logs[-1].log())
        self.spans: dict[Exponents, Interval] = {CONSTANT: ONE}

    def radius(self, p: int = 1) -> Model:
        """t^p: the radius is t towards infinity, and 1/t towards zero."""
        return Model(self, {power_of_t(p): 1})

    def span(self, m: Exponents) -> Interval:
        if m not in self.spans:
            self.spans[m] = brought("the size of a monomial")(self, m)
        return self.spans[m]


class Model(Ring):
    """A function of t: at every t >= R the sum of c * m(t), each c in its coefficient."""

    __slots__ = ("germ", "terms")

    def __init__(self, germ: Germ, terms: Mapping[Exponents, Coefficient], spare: int = 0) -> None:
        """What exceeds the order, less `spare`, goes into the coefficient of the largest monomial
        left (K11)."""
        self.germ, most = germ, max(0, germ.order - spare)
        kept = sorted((m for m, c in terms.items() if not is_zero(c)), reverse=True)
        self.terms: dict[Exponents, Coefficient] = {m: tidy(terms[m]) for m in kept[:most]}
        if len(kept) > most:
            bucket, rest = kept[most], kept[most:]
            self.terms[bucket] = add_up(germ.span(quotient(m, bucket)) * terms[m] for m in rest)

    def on(self, germ: Germ) -> Model:
        """The same terms on another cell of phases of the same end."""
        found = Model.__new__(Model)
        found.germ, found.terms = germ, self.terms
        return found

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

    def __mul__(self, other: Any) -> Model:
        if not isinstance(other, Model):
            return Model(self.germ, {m: c * other for m, c in self.terms.items()})
        return Model(self.germ, self.products(other))

    def products(self, other: Model) -> dict[Exponents, Coefficient]:
        """Each term of one with each of the other, before any is put together with smaller ones."""
        terms: dict[Exponents, Coefficient] = {}
        for n, k in other.terms.items():
            for m, c in self.terms.items():
                key = (m[0] + n[0], m[1] + n[1], m[2] + n[2], m[3] + n[3], m[4] + n[4])
                product = k * c if isinstance(k, Interval) else c * k  # which decides whose * it is
                terms[key] = terms[key] + product if key in terms else product
        return terms

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

    def taylor(self, coefficients: list[Any], remainder: Coefficient) -> Model:
        """sum of a_k w^k + remainder * w^(n+1), by Horner's rule.  What is still to be multiplied
        by w^k lies behind the terms of lower degree, and needs as many places less."""
        if not self.terms:
            return self.const(coefficients[0])
        result = self.const(remainder)
        for k, a in reversed([*enumerate(coefficients)]):
            terms = result.products(self)
            terms[CONSTANT] = terms[CONSTANT] + a if CONSTANT in terms else a
            result = Model(self.germ, terms, sum(not is_zero(c) for c in coefficients[:k]))
        return result

    def power(self, p: Fraction) -> Model:
        if not self.terms and p > 0:
            return self  # 0^p = 0
        if p.denominator == 1 and 0 <= p <= 8:
            return product_of([self] * int(p)) if p else self.const(1)
        return brought("a power of a model")(self, p)

    def inverse(self) -> Model:
        return brought("a power of a model")(self, Fraction(-1))

    def log(self) -> Model:
        return brought("a logarithm of a model")(self)

    def exp(self) -> Model:
        return brought("an exponential of a model")(self)


def is_zero(c: Coefficient) -> bool:
    return not (c.lo or c.hi) if isinstance(c, Interval) else not c


def tidy(c: Coefficient) -> Coefficient:
    """Keep a rational exact while it is short."""
    if isinstance(c, Interval):
        return c
    long = c.numerator.bit_length() + c.denominator.bit_length() > 600
    if long:
        return interval(c)
    return Fraction(c) if isinstance(c, int) else c


@rule("K11")
def germ(radius: Fraction, order: int) -> Germ:
    """An end of the half-line, on which functions are models.

    Lemma.  A sum of c * m, each c in its coefficient at every t >= R, stays one under + and *, term
    by term.  Of more terms than the order allows, the smallest become one: their sum divided by
    the largest monomial b among them lies in the sum of their coefficients times the spans of m/b.
    """
    return Germ(radius, order)


BROUGHT["models"] = germ
