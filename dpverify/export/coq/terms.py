"""Sums of coefficients times monomials, largest first, and their arithmetic.

A monomial is t^a (ln t)^b (ln ln t)^c (ln ln ln t)^d; a coefficient is a rational, or an interval that
holds at every t >= T.
"""

from __future__ import annotations

from fractions import Fraction

from dpverify.export.coq import enclosure
from dpverify.export.coq.enclosure import Unknown
from dpverify.export.coq.interval import Coefficient, interval

Monomial = tuple[Fraction, Fraction, Fraction, Fraction]
Terms = list[tuple[Monomial, Coefficient]]


def unit(position: int, power: Fraction = Fraction(1)) -> Monomial:
    """The monomial that is one of the four scales, to a power."""
    a, b, c, d = (power if k == position else Fraction(0) for k in range(4))
    return a, b, c, d


CONSTANT: Monomial = unit(0, Fraction(0))
LOGS: tuple[Monomial, ...] = (unit(1), unit(2), unit(3))
EXACT_BITS = 400


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
