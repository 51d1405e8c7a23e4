"""The library's models at infinity and at zero, foreseen: one monomial, its coefficient and its limit.

On [T, oo) a function is c(t) m(t) with m = t^a (ln t)^b (ln ln t)^c, c(t) in one interval and with
a limit in another.  At zero t = 1/r.  Nothing here is part of the proof: Coq computes it all again.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpverify.export.coq import enclosure
from dpverify.export.coq.enclosure import Unknown, hull_of
from dpverify.export.coq.expression import Expr
from dpverify.kernel import ONE, PI, ZERO, Coefficient, Interval, Rejected, interval

Monomial = tuple[Fraction, Fraction, Fraction]
CONSTANT: Monomial = (Fraction(0), Fraction(0), Fraction(0))
LN: Monomial = (Fraction(0), Fraction(1), Fraction(0))
LN_LN: Monomial = (Fraction(0), Fraction(0), Fraction(1))
RADIUS: Monomial = (Fraction(1), Fraction(0), Fraction(0))
DECAYS = (16, 8, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient * monomial; None stands for the function 0."""

    monomial: Monomial
    coefficient: Interval
    limit: Interval


Model = Term | None


def scaled(p: Fraction, m: Monomial) -> Monomial:
    return (p * m[0], p * m[1], p * m[2])


def product(m: Monomial, n: Monomial) -> Monomial:
    return (m[0] + n[0], m[1] + n[1], m[2] + n[2])


def ratio(m: Monomial, n: Monomial) -> Monomial:
    return product(m, scaled(Fraction(-1), n))


def constant(value: Coefficient) -> Term:
    return Term(CONSTANT, interval(value), interval(value))


class End:
    """The half-line [T, oo), in which models are computed."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.logs = [interval(start).log()]
        self.logs += [self.logs[0].log()]
        self.logs += [self.logs[1].log()]
        self.spans: dict[Monomial, Interval | None] = {}

    def small(self, m: Monomial) -> Interval | None:
        """The values of a monomial that decreases to 0, or None."""
        if m not in self.spans:
            self.spans[m] = self._small(m)
        return self.spans[m]

    def _small(self, m: Monomial) -> Interval | None:
        a, b, c = m
        l0, l1, _ = self.logs
        if a:
            slope = interval(a) + interval(max(b, Fraction(0))) * l0.inverse()
            slope = slope + interval(max(c, Fraction(0))) * (l0 * l1).inverse()
        else:
            slope = interval(b) + interval(max(c, Fraction(0))) * l1.inverse() if b else interval(c)
        if not slope.hi < 0:
            return None
        size = ZERO
        for x, log in zip(m, self.logs, strict=True):
            size = size + log * x
        return hull_of(0, size.exp())

    def infinity(self, e: Expr) -> Model:
        """e as r -> oo; raises Unknown."""
        return self._model(Term(RADIUS, ONE, ONE), e)

    def zero(self, e: Expr) -> Model:
        """e as r = 1/t -> 0; raises Unknown."""
        return self._model(Term(scaled(Fraction(-1), RADIUS), ONE, ONE), e)

    def _model(self, variable: Term, e: Expr) -> Model:
        try:
            return self._rule(variable, e)
        except (Rejected, ArithmeticError):
            raise Unknown from None

    def _rule(self, variable: Term, e: Expr) -> Model:
        a = [self._rule(variable, part) for part in e.parts]
        match e.kind:
            case "Var":
                return variable
            case "Int" | "Rat":
                value = Fraction(*e.args)
                return constant(value) if value else None
            case "Pi":
                return constant(PI)
            case "Add":
                return self.sum(a[0], a[1])
            case "Sub":
                return self.sum(a[0], negative(a[1]))
            case "Mul":
                return times(a[0], a[1])
            case "Opp":
                return negative(a[0])
            case "Inv":
                return inverse(a[0])
            case "Nat":
                return natural_power(a[0], e.args[1])
            case "Pow":
                return power(a[0], Fraction(e.args[1], e.args[2]))
            case "Sqrt":
                return power(a[0], Fraction(1, 2))
            case "Exp":
                return self.exp(a[0])
            case "Ln":
                return self.log(a[0])
            case "Ln1p":
                return self.log1p(a[0])
        raise AssertionError(e.kind)

    def sum(self, f: Model, g: Model) -> Model:
        if f is None or g is None:
            return g if f is None else f
        m, n = f.monomial, g.monomial
        if m == n:
            return normal(Term(m, f.coefficient + g.coefficient, f.limit + g.limit))
        span = self.small(ratio(n, m))
        if span is not None:
            return Term(m, f.coefficient + g.coefficient * span, f.limit)
        span = self.small(ratio(m, n))
        if span is None:
            raise Unknown
        return Term(n, f.coefficient * span + g.coefficient, g.limit)

    def log(self, f: Model) -> Model:
        f = known_positive(f)
        if f.monomial[2]:
            raise Unknown
        result: Model = None
        for q, m in zip(f.monomial, (LN, LN_LN), strict=False):
            if q:
                result = self.sum(result, times(constant(q), Term(m, ONE, ONE)))
        return self.sum(result, normal(Term(CONSTANT, f.coefficient.log(), f.limit.log())))

    def log1p(self, f: Model) -> Model:
        if f is None:
            return None
        span = self.small(f.monomial)
        if span is None:
            return self.log(self.sum(constant(1), f))
        size = ONE + f.coefficient * span
        if not enclosure.positive(size):
            raise Unknown
        return Term(f.monomial, f.coefficient * hull_of(1, size.inverse()), f.limit)

    def exp(self, f: Model) -> Model:
        if f is None:
            return constant(1)
        if f.monomial == CONSTANT:
            return Term(CONSTANT, f.coefficient.exp(), f.limit.exp())
        span = self.small(f.monomial)
        if span is not None:
            return Term(CONSTANT, (f.coefficient * span).exp(), ONE)
        for n in DECAYS:
            try:
                rest = self.sum(f, times(constant(n), Term(LN, ONE, ONE)))
            except Unknown:
                continue
            if rest is not None and rest.coefficient.hi <= 0:
                return Term((Fraction(1 - n), Fraction(0), Fraction(0)), hull_of(0, 1), ZERO)
        raise Unknown

    def span(self, f: Model) -> Interval | None:
        """An enclosure of f on the whole half-line, or None where it may be unbounded."""
        if f is None or f.monomial == CONSTANT:
            return ZERO if f is None else f.coefficient
        size = self.small(f.monomial)
        return None if size is None else f.coefficient * size

    def nonnegative(self, f: Model) -> bool:
        return f is None or f.coefficient.lo >= 0

    def tends_to_zero(self, f: Model) -> bool:
        if f is None or f.monomial == CONSTANT:
            return f is None or f.limit.lo == 0 == f.limit.hi
        return self.small(f.monomial) is not None

    def at_most(self, k: Fraction, bound: Fraction, f: Model) -> bool:
        """Whether k f <= bound on the whole half-line."""
        if f is None:
            return bound >= 0
        span = ONE if f.monomial == CONSTANT else self.small(f.monomial)
        if span is None:
            return f.coefficient.hi <= 0 and bound >= 0
        return (f.coefficient * span * k - bound).hi <= 0

    def grows(self, f: Model) -> bool:
        """Whether f tends to +oo."""
        return f is not None and self.small(scaled(Fraction(-1), f.monomial)) is not None and f.limit.lo > 0

    def heavy(self, f: Model) -> bool:
        """Whether f stays above some positive number."""
        return f is not None and f.limit.lo > 0 and (f.monomial == CONSTANT or self.grows(f))

    def limit_at_least(self, k: Fraction, bound: Fraction, f: Model) -> bool:
        return f is not None and f.monomial == CONSTANT and (f.limit * k - bound).lo >= 0


def normal(f: Term) -> Model:
    return None if f.coefficient.lo == 0 == f.coefficient.hi else f


def known_positive(f: Model) -> Term:
    if f is None or not (f.coefficient.lo > 0 and f.limit.lo > 0):
        raise Unknown
    return f


def negative(f: Model) -> Model:
    return None if f is None else Term(f.monomial, -f.coefficient, -f.limit)


def times(f: Model, g: Model) -> Model:
    if f is None or g is None:
        return None
    return Term(product(f.monomial, g.monomial), f.coefficient * g.coefficient, f.limit * g.limit)


def inverse(f: Model) -> Model:
    if f is None:
        raise Unknown
    monomial = scaled(Fraction(-1), f.monomial)
    return Term(monomial, enclosure.inverse(f.coefficient), enclosure.inverse(f.limit))


def natural_power(f: Model, n: int) -> Model:
    result: Model = constant(1)
    for k in range(n):
        result = times(result, f) if k else f
    return result


def power(f: Model, p: Fraction) -> Model:
    f = known_positive(f)

    def raised(x: Interval) -> Interval:
        return x.power(p) if p == Fraction(1, 2) else enclosure.power(x, p)

    return Term(scaled(p, f.monomial), raised(f.coefficient), raised(f.limit))
