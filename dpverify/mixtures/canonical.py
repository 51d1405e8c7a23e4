"""The normal form of a mixing density: a sum of c v^k exp(-a v^2 - b / v^2), each on an interval.

Exact rewriting only: logarithms of products, sums and rational powers of such terms, exponentials of
sums of logarithms and powers, and Piecewise with rational ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpverify.language.expression import (
    And,
    Call,
    Comparison,
    Condition,
    Expression,
    Number,
    Piecewise,
    Power,
    Product,
    Radius,
    Sum,
    Truth,
)
from dpverify.language.simplify import make_call, make_power, make_product, make_sum, number
from dpverify.mixtures.constants import sign
from dpverify.mixtures.law import depends_on_v

MOST_TERMS = 40
MOST_REPEATS = 16
ZERO, ONE, MINUS = number(0), number(1), number(-1)
Interval = tuple[Fraction, Fraction | None]
EVERYWHERE: Interval = (Fraction(0), None)


class NotCanonical(Exception):
    """The density is not of this form."""


@dataclass(frozen=True, slots=True)
class Term:
    """factor * v^power * exp(sum of coefficient * v^q) on an interval of v, zero elsewhere."""

    factor: Expression
    power: Fraction = Fraction(0)
    exponent: Mapping[Fraction, Expression] = field(default_factory=dict)
    interval: Interval = EVERYWHERE

    def rate(self, q: int) -> Expression:
        """a for q = 2 and b for q = -2, in exp(-a v^2 - b / v^2)."""
        return make_product(MINUS, self.exponent.get(Fraction(q), ZERO))

    def like(self, other: Term) -> bool:
        """Whether the terms differ in their factor alone."""
        return replace(self, factor=ONE) == replace(other, factor=ONE)


def canonical(density: Expression) -> tuple[Term, ...]:
    """The terms of the density; raises NotCanonical where it has another form."""
    terms: list[Term] = []
    for term in _terms(density):
        if any(q not in (2, -2) for q in term.exponent):
            raise NotCanonical
        twin = next((t for t in terms if t.like(term)), None)
        if twin is not None:
            terms.remove(twin)
            term = replace(term, factor=make_sum(twin.factor, term.factor))
        terms.append(term)
    return tuple(t for t in terms if t.factor != ZERO)


def _terms(tree: Expression) -> list[Term]:
    if not depends_on_v(tree):
        return [Term(tree)]
    match tree:
        case Radius():
            return [Term(ONE, Fraction(1))]
        case Sum(terms=parts):
            return _bounded([t for part in parts for t in _terms(part)])
        case Product(factors=factors):
            result = [Term(ONE)]
            for factor in factors:
                found = _terms(factor)
                result = _bounded([p for s in result for t in found if (p := _product(s, t)) is not None])
            return result
        case Power(base=base, exponent=Number(value=p)):
            return _power(_terms(base), p)
        case Power(base=base, exponent=exponent) if not depends_on_v(base):
            return [_exponential(make_product(exponent, make_call("log", base)))]
        case Call(function="exp", arguments=(u,)):
            return [_exponential(u)]
        case Call(function="cosh", arguments=(u,)):
            half = number(Fraction(1, 2))
            return [replace(_exponential(make_product(s, u)), factor=half) for s in (ONE, MINUS)]
        case Piecewise(branches=branches):
            return _pieces(branches)
    raise NotCanonical


def _bounded(terms: list[Term]) -> list[Term]:
    if len(terms) > MOST_TERMS:
        raise NotCanonical
    return terms


def _product(s: Term, t: Term) -> Term | None:
    interval = _meet(s.interval, t.interval)
    if interval is None:
        return None
    return Term(make_product(s.factor, t.factor), s.power + t.power, _added(s.exponent, t.exponent), interval)


def _added(
    first: Mapping[Fraction, Expression], second: Mapping[Fraction, Expression]
) -> Mapping[Fraction, Expression]:
    total = dict(first)
    for q, coefficient in second.items():
        total[q] = make_sum(total[q], coefficient) if q in total else coefficient
    return {q: c for q, c in sorted(total.items()) if c != ZERO}


def _scaled(exponent: Mapping[Fraction, Expression], by: Expression) -> Mapping[Fraction, Expression]:
    return {q: make_product(by, c) for q, c in exponent.items()}


def _power(base: list[Term], p: Fraction) -> list[Term]:
    if p.denominator == 1 and 0 < p <= MOST_REPEATS:
        result = base
        for _ in range(int(p) - 1):
            result = _bounded([q for s in result for t in base if (q := _product(s, t)) is not None])
        return result
    if len(base) != 1 or base[0].interval != EVERYWHERE or sign(base[0].factor) != 1:
        raise NotCanonical
    t = base[0]
    factor = ONE if t.factor == ONE else make_power(t.factor, number(p))
    return [Term(factor, t.power * p, _scaled(t.exponent, number(p)))]


def _exponential(u: Expression) -> Term:
    """exp(u) for a sum u of multiples of log v and of powers of v."""
    return _exponential_of(_logarithmic(u))


@dataclass(frozen=True, slots=True)
class _Logarithmic:
    """log v times `slope`, plus the sum of coefficient * v^q."""

    slope: Expression
    powers: Mapping[Fraction, Expression]


def _exponential_of(u: _Logarithmic) -> Term:
    if not isinstance(u.slope, Number):
        raise NotCanonical
    powers = dict(u.powers)
    factor = make_call("exp", powers.pop(Fraction(0))) if 0 in powers else ONE
    return Term(factor, u.slope.value, powers)


def _logarithmic(u: Expression) -> _Logarithmic:
    match u:
        case Call(function="log", arguments=(w,)) if depends_on_v(w):
            t = _single(_terms(w))
            return _Logarithmic(number(t.power), _added(t.exponent, {Fraction(0): make_call("log", t.factor)}))
        case Sum(terms=parts):
            total = _Logarithmic(ZERO, {})
            for part in map(_logarithmic, parts):
                total = _Logarithmic(make_sum(total.slope, part.slope), _added(total.powers, part.powers))
            return total
        case Product(factors=factors):
            inner = [f for f in factors if depends_on_v(f)]
            if len(inner) == 1 and len(factors) > 1:
                outer = make_product(*(f for f in factors if not depends_on_v(f)))
                part = _logarithmic(inner[0])
                slope = ZERO if part.slope == ZERO else make_product(outer, part.slope)
                return _Logarithmic(slope, _scaled(part.powers, outer))
    powers: Mapping[Fraction, Expression] = {}
    for t in _terms(u):
        if t.exponent or t.interval != EVERYWHERE:
            raise NotCanonical
        powers = _added(powers, {t.power: t.factor})
    return _Logarithmic(ZERO, powers)


def _single(terms: list[Term]) -> Term:
    if len(terms) != 1 or terms[0].interval != EVERYWHERE or sign(terms[0].factor) != 1:
        raise NotCanonical
    return terms[0]


def _pieces(branches: tuple[tuple[Expression, Condition], ...]) -> list[Term]:
    left: list[Interval] = [EVERYWHERE]
    result: list[Term] = []
    for value, condition in branches:
        holds = _interval(condition)
        for term in _terms(value):
            for part in left:
                if (first := _meet(part, holds)) and (interval := _meet(first, term.interval)):
                    result.append(replace(term, interval=interval))
        left = [rest for part in left for rest in _minus(part, holds)]
    if left:
        raise NotCanonical
    return _bounded([t for t in result if t.factor != ZERO])


def _interval(condition: Condition) -> Interval:
    """Where a condition on v holds, as an interval with rational ends (which have measure zero)."""
    match condition:
        case Truth(value=True):
            return EVERYWHERE
        case And(parts=parts):
            result = EVERYWHERE
            for part in parts:
                met = _meet(result, _interval(part))
                if met is None:
                    raise NotCanonical
                result = met
            return result
        case Comparison(operator="<" | "<=", left=Radius(), right=Number(value=c)) if c > 0:
            return Fraction(0), c
        case Comparison(operator=">" | ">=", left=Number(value=c), right=Radius()) if c > 0:
            return Fraction(0), c
        case Comparison(operator=">" | ">=", left=Radius(), right=Number(value=c)) if c >= 0:
            return c, None
        case Comparison(operator="<" | "<=", left=Number(value=c), right=Radius()) if c >= 0:
            return c, None
    raise NotCanonical


def _meet(a: Interval, b: Interval) -> Interval | None:
    low = max(a[0], b[0])
    ends = [end for end in (a[1], b[1]) if end is not None]
    high = min(ends) if ends else None
    return None if high is not None and high <= low else (low, high)


def _minus(a: Interval, b: Interval) -> list[Interval]:
    before = _meet(a, (Fraction(0), b[0])) if b[0] > 0 else None
    after = _meet(a, (b[1], None)) if b[1] is not None else None
    return [part for part in (before, after) if part is not None]
