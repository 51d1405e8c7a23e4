"""The library's models at infinity and at zero, foreseen: sums of coefficients times monomials, largest first.

A monomial is t^a (ln t)^b (ln ln t)^c (ln ln ln t)^d; a coefficient is a rational, or an interval that
holds at every t >= T.  At zero t = 1/r.  Nothing here is part of the proof: Coq computes it all again.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from dpverify.export.coq import enclosure
from dpverify.export.coq.enclosure import Unknown, hull_of
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.interval import ONE, PI, ZERO, Coefficient, Interval, interval

Monomial = tuple[Fraction, Fraction, Fraction, Fraction]
Terms = list[tuple[Monomial, Coefficient]]


def unit(position: int, power: Fraction = Fraction(1)) -> Monomial:
    """The monomial that is one of the four scales, to a power."""
    a, b, c, d = (power if k == position else Fraction(0) for k in range(4))
    return a, b, c, d


CONSTANT: Monomial = unit(0, Fraction(0))
LOGS: tuple[Monomial, ...] = (unit(1), unit(2), unit(3))
POWERS_OF_T = [Fraction(n, 8) for n in (192, 128, 96, 80, 64, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 1)]
EXACT_BITS, WHOLE_POWERS = 400, 8
COARSE = Interval(Decimal(1) - Decimal(2) ** -26, Decimal(1) + Decimal(2) ** -26)
"""What Coq rounds exponentials to where only their size matters."""
HUGE = 2**200
UNIT_BALL = hull_of(-1, 1)


def product(m: Monomial, n: Monomial) -> Monomial:
    """m n."""
    return (m[0] + n[0], m[1] + n[1], m[2] + n[2], m[3] + n[3])


def scaled(p: Fraction, m: Monomial) -> Monomial:
    """m^p."""
    return (p * m[0], p * m[1], p * m[2], p * m[3])


def over(m: Monomial, n: Monomial) -> Monomial:
    """m / n."""
    return (m[0] - n[0], m[1] - n[1], m[2] - n[2], m[3] - n[3])


def short(q: Fraction) -> Coefficient:
    """The number itself, or an interval around it where it is long."""
    bits = max(abs(q.numerator).bit_length() - 1, 0) + q.denominator.bit_length() - 1
    return q if bits < EXACT_BITS else interval(q)


def plus(a: Coefficient, b: Coefficient) -> Coefficient:
    """a + b, exact where both are and the sum is short."""
    return short(a + b) if isinstance(a, Fraction) and isinstance(b, Fraction) else interval(a) + interval(b)


def times(a: Coefficient, b: Coefficient) -> Coefficient:
    """a b, exact where both are and the product is short."""
    return short(a * b) if isinstance(a, Fraction) and isinstance(b, Fraction) else interval(a) * interval(b)


def inverse(a: Coefficient) -> Coefficient:
    """1/a; raises Unknown where an interval may be 0."""
    return 1 / a if isinstance(a, Fraction) else enclosure.inverse(interval(a))


def is_null(a: Coefficient) -> bool:
    """Whether a is known to be 0."""
    return a == 0 if isinstance(a, Fraction) else interval(a).lo == 0 == interval(a).hi


def is_positive(a: Coefficient) -> bool:
    """Whether a is known to be positive."""
    return a > 0 if isinstance(a, Fraction) else interval(a).lo > 0


def put(m: Monomial, c: Coefficient, terms: Terms) -> Terms:
    """The terms with one more in front, if it is not 0."""
    return terms if is_null(c) else [(m, c), *terms]


def insert(m: Monomial, c: Coefficient, terms: Terms) -> Terms:
    """The terms, which fall in growth, with one more in its place."""
    for i, (n, d) in enumerate(terms):
        if m > n:
            return terms[:i] + put(m, c, terms[i:])
        if m == n:
            return terms[:i] + put(n, plus(c, d), terms[i + 1 :])
    return terms + put(m, c, [])


def add(f: Terms, g: Terms) -> Terms:
    """f + g."""
    for m, c in reversed(f):
        g = insert(m, c, g)
    return g


def scale(m: Monomial, c: Coefficient, f: Terms) -> Terms:
    """c m f."""
    return [(product(m, n), times(c, d)) for n, d in f]


def multiply(f: Terms, g: Terms) -> Terms:
    """f g."""
    result: Terms = []
    for m, c in reversed(f):
        result = add(scale(m, c, g), result)
    return result


def negative(f: Terms) -> Terms:
    """-f."""
    return [(m, -c) for m, c in f]


def constant(c: Coefficient) -> Terms:
    """A number as a sum of terms."""
    return put(CONSTANT, c, [])


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


class End:
    """The half-line [T, oo), in which models are computed to an order."""

    def __init__(self, start: int, order: int) -> None:
        self.start, self.order = start, order
        self.logs = [interval(start).log()]
        for _ in range(3):
            self.logs.append(self.logs[-1].log())
        self.spans: dict[Monomial, Interval | None] = {}
        self.known: dict[tuple[bool, Expr], Terms | None] = {}

    # ---- sizes

    def small(self, m: Monomial) -> Interval | None:
        """The values of a monomial that decreases to 0, or None."""
        if m not in self.spans:
            self.spans[m] = self._small(m)
        return self.spans[m]

    def _small(self, m: Monomial) -> Interval | None:
        slope: Interval | None = None
        for k in (3, 2, 1, 0):
            if slope is not None:
                steepest = Interval(max(slope.lo, Decimal(0)), max(slope.hi, Decimal(0)))
                slope = interval(m[k]) + steepest * enclosure.inverse(self.logs[k])
            elif m[k]:
                slope = interval(m[k])
            if m[k] and not any(m[:k]):
                break
        if slope is None or not slope.hi < 0:
            return None
        size = ZERO
        for q, log in zip(m, self.logs, strict=True):
            size = size + log * q
        return hull_of(0, size.exp() * COARSE)

    def bracket(self, f: Terms) -> tuple[Monomial, Interval] | None:
        """The largest monomial, and what f is as its multiple."""
        if not f:
            return None
        (following, c), *rest = reversed(f)
        total = interval(c)
        for m, c in rest:
            span = self.small(over(following, m))
            if span is None:
                return None
            following, total = m, interval(c) + total * span
        return following, total

    def span(self, f: Terms) -> Interval | None:
        """An enclosure of f on the whole half-line, or None where it may be unbounded."""
        if not f:
            return ZERO
        found = self.bracket(f)
        if found is None or found[0] == CONSTANT:
            return found and found[1]
        size = self.small(found[0])
        return None if size is None else found[1] * size

    def truncated(self, f: Terms) -> Terms:
        """What lies beyond the order goes into the coefficient of its largest monomial."""
        kept, rest = f[: self.order], f[self.order :]
        if len(rest) < 2:
            return f
        (bucket, c), *others = rest
        total = interval(c)
        for m, d in others:
            span = self.small(over(m, bucket))
            if span is None:
                raise Unknown
            total = total + interval(d) * span
        return [*kept, (bucket, total)]

    # ---- the series

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

    def grows_up(self, f: Terms) -> bool:
        found = self.bracket(f)
        return found is not None and found[1].lo > 0 and found[0] > CONSTANT

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

    # ---- expressions

    def infinity(self, e: Expr) -> Terms:
        """e as r -> oo; raises Unknown."""
        return self._model(e, False)

    def zero(self, e: Expr) -> Terms:
        """e as r = 1/t -> 0; raises Unknown."""
        return self._model(e, True)

    def _model(self, e: Expr, zero: bool) -> Terms:
        key = (zero, e)
        if key not in self.known:
            try:
                self.known[key] = self._rule(e, zero)
            except (Unknown, ArithmeticError):
                self.known[key] = None
        found = self.known[key]
        if found is None:
            raise Unknown
        return found

    def _rule(self, e: Expr, zero: bool) -> Terms:
        a = [self._model(part, zero) for part in e.parts]
        match e.kind:
            case "Var":
                return [(unit(0, Fraction(-1 if zero else 1)), Fraction(1))]
            case "Int" | "Rat":
                return constant(Fraction(*e.args))
            case "Pi":
                return constant(PI)
            case "Add":
                return self.truncated(add(a[0], a[1]))
            case "Sub":
                return self.truncated(add(a[0], negative(a[1])))
            case "Mul":
                return self.truncated(multiply(a[0], a[1]))
            case "Opp":
                return negative(a[0])
            case "Inv":
                return self.power(a[0], Fraction(-1), inverse)
            case "Nat":
                return self.whole_power(a[0], e.args[1])
            case "Pow":
                p = Fraction(e.args[1], e.args[2])
                return self.power(a[0], p, lambda c: root(c, p))
            case "Sqrt":
                return self.power(a[0], Fraction(1, 2), lambda c: root(c, Fraction(1, 2)))
            case "Exp":
                return self.exp(a[0])
            case "Ln":
                return self.log(a[0])
            case "Ln1p":
                return self.log(self.one_and(a[0]))
            case "Soft":
                return self.softplus(a[0])
            case "Logi":
                return self.logistic(a[0])
            case "Sin" | "Cos":
                return self.wave(a[0], ("Sin", "Cos").index(e.kind))
            case "Max" | "Floor" | "Less":
                raise Unknown
        raise AssertionError(e.kind)

    # ---- what a model shows

    def nonnegative(self, f: Terms) -> bool:
        found = self.bracket(f)
        return not f or (found is not None and found[1].lo >= 0)

    def excess(self, k: Fraction, bound: Fraction, f: Terms) -> Terms:
        """k f - bound."""
        return self.truncated(add(self.truncated(multiply(constant(k), f)), constant(-bound)))

    def at_most(self, k: Fraction, bound: Fraction, f: Terms) -> bool:
        """Whether k f <= bound on the whole half-line."""
        return self.nonnegative(negative(self.excess(k, bound, f)))

    def grows(self, f: Terms) -> bool:
        """Whether f tends to +oo."""
        found = self.bracket(f)
        return found is not None and found[1].lo > 0 and self.small(scaled(Fraction(-1), found[0])) is not None

    def bounded_below(self, f: Terms) -> bool:
        span = self.span(f)
        return self.nonnegative(f) or (span is not None and (span + HUGE).lo > 0)

    def fades(self, f: Terms) -> bool:
        found = self.bracket(f)
        return not f or (found is not None and (found[1] + HUGE).lo > 0 and self.small(found[0]) is not None)

    def limit_at_least(self, k: Fraction, bound: Fraction, f: Terms) -> bool:
        """Whether k f is at least the bound in the limit."""
        rest = self.excess(k, bound, f)
        if self.nonnegative(rest):
            return True
        if rest and rest[0][0] == CONSTANT:
            return interval(rest[0][1]).lo >= 0 and self.fades(rest[1:])
        return self.fades(rest)


def whole_power(c: Coefficient, n: int) -> Coefficient:
    """c^n."""
    result: Coefficient = Fraction(1)
    for _ in range(n):
        result = times(c, result)
    return result


def root(c: Coefficient, p: Fraction) -> Coefficient:
    """c^p of a positive c; raises Unknown where it may not be."""
    if c == 1:
        return Fraction(1)
    if not is_positive(c):
        raise Unknown
    return enclosure.power(interval(c), p)
