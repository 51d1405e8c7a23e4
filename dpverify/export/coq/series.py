"""Powers, logarithms, exponentials and waves of sums of terms, by their series on a half-line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpverify.export.coq.enclosure import Unknown, hull_of
from dpverify.export.coq.half_line import COARSE, HalfLine
from dpverify.export.coq.interval import ONE, Coefficient, Interval, interval
from dpverify.export.coq.terms import (
    CONSTANT,
    LOGS,
    Monomial,
    Terms,
    add,
    constant,
    insert,
    inverse,
    is_null,
    is_positive,
    multiply,
    negative,
    over,
    plus,
    product,
    scale,
    scaled,
    times,
    unit,
    whole_power,
)

POWERS_OF_T = [Fraction(n, 8) for n in (192, 128, 96, 80, 64, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 1)]
WHOLE_POWERS = 8
UNIT_BALL = hull_of(-1, 1)


def binomial(p: Fraction, k: int) -> Fraction:
    """The coefficient of u^k in (1 + u)^p."""
    result = Fraction(1)
    for j in range(k):
        result = result * (p - j) / (j + 1)
    return result


def harmonic(k: int) -> Fraction:
    """The coefficient of u^k in log(1 + u)."""
    return Fraction((-1) ** (k - 1), k) if k else Fraction(0)


def inverse_factorial(k: int) -> Fraction:
    """The coefficient of u^k in exp(u)."""
    result = Fraction(1)
    for j in range(k):
        result /= j + 1
    return result


class Series(HalfLine):
    """Functions of sums on a half-line."""

    def relative(self, f: Terms) -> tuple[Monomial, Coefficient, Terms, Interval]:
        """c m (1 + w), and the span of w."""
        if not f:
            raise Unknown
        (m, c), *rest = f
        if not (is_positive(c) or is_positive(-c)):
            raise Unknown
        w = [(over(n, m), times(inverse(c), d)) for n, d in rest]
        span = self.span(w)
        if span is None or not (ONE + span).lo > 0:
            raise Unknown
        return m, c, w, span

    def series(self, w: Terms, coefficient: Callable[[int], Coefficient], rest: Interval) -> Terms:
        """The sum of a_k w^k to the order, and the rest's coefficient of the next power."""
        if not w:
            return constant(coefficient(0))
        result: Terms = [(CONSTANT, rest)]
        for k in range(self.order, -1, -1):
            result = insert(CONSTANT, coefficient(k), self.truncated(multiply(w, result)))
        return result

    @staticmethod
    def near_one(p: Fraction, span: Interval) -> Interval:
        return ((ONE + hull_of(0, span)).log() * COARSE * p).exp() * COARSE

    def power(self, f: Terms, p: Fraction, front: Callable[[Coefficient], Coefficient]) -> Terms:
        m, c, w, span = self.relative(f)
        rest = self.near_one(p - self.order - 1, span) * binomial(p, self.order + 1) if w else ONE
        return scale(scaled(p, m), front(c), self.series(w, lambda k: binomial(p, k), rest))

    def whole_power(self, f: Terms, n: int) -> Terms:
        if n > WHOLE_POWERS:
            return self.power(f, Fraction(n), lambda c: whole_power(c, n))
        result = constant(Fraction(1))
        for k in range(n):
            result = self.truncated(multiply(f, result)) if k else f
        return result

    def log(self, f: Terms) -> Terms:
        m, c, w, span = self.relative(f)
        if not is_positive(c) or m[3]:
            raise Unknown
        rest = self.near_one(Fraction(-self.order - 1), span) * harmonic(self.order + 1) if w else ONE
        result = self.series(w, harmonic, rest)
        if c != 1:
            result = insert(CONSTANT, interval(c).log(), result)
        for log, q in zip(reversed(LOGS), reversed(m[:3]), strict=True):
            result = insert(log, q, result)
        return self.truncated(result)

    def exp(self, f: Terms) -> Terms:
        parts = self.parts(f)
        if parts is None:
            return self.vanishing_exp(f)
        front, at, w = parts
        span = self.span(w)
        if span is None:
            raise Unknown
        rest = hull_of(0, span).exp() * COARSE * inverse_factorial(self.order + 1)
        series = self.series(w, inverse_factorial, rest)
        return scale(front, Fraction(1) if is_null(at) else interval(at).exp(), series)

    @staticmethod
    def parts(f: Terms) -> tuple[Monomial, Coefficient, Terms] | None:
        """`split_exp`: the monomial whose logarithm the growing part is, the constant, and what vanishes."""
        front, w = CONSTANT, Terms()
        at: Coefficient = Fraction(0)
        for m, c in reversed(f):
            if m > CONSTANT:
                if m not in LOGS or not isinstance(c, Fraction):
                    return None
                front = product(unit(LOGS.index(m), c), front)
            elif m == CONSTANT:
                at = plus(c, at)
            else:
                w = [(m, c), *w]
        return front, at, w

    def vanishing_exp(self, f: Terms) -> Terms:
        """Below a power of t where f falls faster than a logarithm."""
        found = self.bracket(f)
        if found is None or found[1].hi > 0 or found[0] <= CONSTANT:
            raise Unknown
        for n in POWERS_OF_T:
            rest = insert(LOGS[0], n, f)
            span, found = self.span(rest), self.bracket(rest)
            if span is not None:
                return [(unit(0, -n), hull_of(0, span.exp() * COARSE))]
            if found is not None and found[1].hi <= 0:
                return [(unit(0, -n), hull_of(0, 1))]
        raise Unknown

    def one_and(self, f: Terms) -> Terms:
        return self.truncated(add(constant(Fraction(1)), f))

    def softplus(self, f: Terms) -> Terms:
        if self.grows_up(f):
            return self.truncated(add(f, self.log(self.one_and(self.exp(negative(f))))))
        return self.log(self.one_and(self.exp(f)))

    def logistic(self, f: Terms) -> Terms:
        if self.grows_up(f):
            return self.power(self.one_and(self.exp(negative(f))), Fraction(-1), inverse)
        e = self.exp(f)
        return self.truncated(multiply(e, self.power(self.one_and(e), Fraction(-1), inverse)))

    def wave(self, f: Terms, first: int) -> Terms:
        """sin (first = 0) or cos (1): a polynomial where f is a constant and what vanishes, else [-1, 1]."""
        parts = self.parts(f)
        if parts is None or parts[0] != CONSTANT:
            return constant(UNIT_BALL)
        _, at, w = parts

        def coefficient(k: int) -> Coefficient:
            exact, value = inverse_factorial(k), interval(at)
            if is_null(at):
                return exact * (0, 1, 0, -1)[(first + k) % 4]
            return interval(exact) * (value.sin(), value.cos(), -value.sin(), -value.cos())[(first + k) % 4]

        return self.series(w, coefficient, UNIT_BALL * inverse_factorial(self.order + 1))
