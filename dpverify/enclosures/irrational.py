"""Sums of rational multiples of products of roots of integers, of pi, of powers of e and of logarithms of integers:
coefficients and exponents that are known exactly, so that what should cancel does, though they are no rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq

from dpverify.enclosures.ball import Undecided, exact
from dpverify.findings import Reason

Generator = tuple[str, int]
Product = tuple[tuple[Generator, fmpq], ...]
"""Generators with their exponents: roots of an integer, whose exponents are between 0 and 1, or others."""
PI, E = ("pi", 0), ("e", 0)
SMALL, LONGEST, MOST = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31), 256, 4


class Irrational(arb):  # type: ignore[misc]
    """A ball that knows the number in it; what is done with it and other such numbers is done exactly."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: dict[Product, fmpq]) -> None:
        super().__init__(sum((_size(product, ctx.prec) * c for product, c in terms.items()), arb(0)))
        self.terms = terms
        self._hash = hash(frozenset((product, c.p, c.q) for product, c in terms.items()))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Irrational):
            return self is other or (self._hash == other._hash and self.terms == other.terms)
        return False if isinstance(other, (int, Fraction, fmpq)) else arb.__eq__(self, other)

    def __ne__(self, other: object) -> Any:
        return not self == other if isinstance(other, (int, Fraction, fmpq, Irrational)) else arb.__ne__(self, other)

    def __neg__(self) -> Irrational:
        return _negated(self, ctx.prec)

    def __add__(self, other: Any) -> Any:
        return _sum(self, other, ctx.prec) if isinstance(other, EXACT) else arb.__add__(self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return _multiplied(self, other, ctx.prec) if isinstance(other, EXACT) else arb.__mul__(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        terms = _terms(other)
        return arb.__truediv__(self, other) if terms is None else self * _inverse(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _inverse(self) * other if _terms(other) is not None else arb(other) / arb(self)

    def _above(self, other: Any) -> bool:
        there = arb(exact(other)) if isinstance(other, (int, Fraction)) else arb(other)
        if arb.__gt__(self, there) or arb.__lt__(self, there):
            return bool(arb.__gt__(self, there))
        gap = self - other
        if not isinstance(gap, Irrational):
            return bool(gap > 0)
        if not (arb(gap) > 0 or arb(gap) < 0):
            raise Undecided(Reason.TOO_CLOSE_TO_CALL())
        return bool(arb(gap) > 0)

    def __gt__(self, other: Any) -> Any:
        return arb.__gt__(self, other) if _terms(other) is None else self._above(other)

    def __ge__(self, other: Any) -> Any:
        return arb.__ge__(self, other) if _terms(other) is None else bool(self == other) or self._above(other)

    def __lt__(self, other: Any) -> Any:
        return arb.__lt__(self, other) if _terms(other) is None else not self >= other

    def __le__(self, other: Any) -> Any:
        return arb.__le__(self, other) if _terms(other) is None else not self > other


EXACT = (Irrational, int, Fraction, fmpq)


@lru_cache(2**12)
def _negated(value: Irrational, bits: int) -> Irrational:
    """The number's opposite, whose ball has so many bits."""
    return Irrational({product: -c for product, c in value.terms.items()})


@lru_cache(2**12)
def _sum(first: Irrational, second: Any, bits: int) -> Any:
    """The sum, whose ball has so many bits."""
    found = dict(first.terms)
    for product, c in (_terms(second) or {}).items():
        found[product] = found[product] + c if product in found else c
    return irrational(found)


@lru_cache(2**12)
def _multiplied(first: Irrational, second: Any, bits: int) -> Any:
    """The product, whose ball has so many bits."""
    found: dict[Product, fmpq] = {}
    for p, c in first.terms.items():
        for q, k in (_terms(second) or {}).items():
            product, front = _times(p, q)
            found[product] = found.get(product, fmpq(0)) + c * k * front
    return irrational(found)


def _terms(value: Any) -> dict[Product, fmpq] | None:
    """The number as a sum of products; None for a ball."""
    if isinstance(value, Irrational):
        return value.terms
    if isinstance(value, (int, Fraction)):
        value = exact(value)
    return ({(): value} if value else {}) if isinstance(value, fmpq) else None


def irrational(terms: dict[Product, fmpq]) -> Any:
    """The sum: a rational where it is one, and a ball where it is too long."""
    terms = {product: c for product, c in terms.items() if c}
    if not terms.keys() - {()}:
        return terms.get((), fmpq(0))
    found = Irrational(terms)
    long = len(terms) > MOST or any(c.height_bits() > LONGEST for c in terms.values())
    return arb(found) if long else found


def _inverse(value: Any) -> Any:
    terms = _terms(value) or {}
    if len(terms) != 1:
        return 1 / arb(value)
    ((product, c),) = terms.items()
    inverted, front = _product([(g, -p) for g, p in product])
    return irrational({inverted: front / c})


@lru_cache(2**14)
def _times(first: Product, second: Product) -> tuple[Product, fmpq]:
    return _product([*first, *second])


def _product(factors: list[tuple[Generator, fmpq]]) -> tuple[Product, fmpq]:
    """The factors of each generator as one, and what is rational in them."""
    powers: dict[Generator, fmpq] = {}
    for generator, p in factors:
        powers[generator] = powers.get(generator, fmpq(0)) + p
    front = fmpq(1)
    for (kind, n), p in powers.items():
        if kind == "root":
            front *= fmpq(n) ** int(p.floor())
            powers[kind, n] = p - p.floor()
    return tuple(sorted((g, p) for g, p in powers.items() if p)), front


def _primes(n: int) -> list[tuple[int, int]]:
    """Factors of an integer and how often they are in it: small primes, and what is left."""
    found = []
    for prime in SMALL:
        times = 0
        while n % prime == 0:
            n, times = n // prime, times + 1
        if times:
            found.append((prime, times))
    return [*found, (n, 1)] if n > 1 else found


def _factors(c: fmpq) -> list[tuple[int, int]]:
    return [*_primes(int(c.p)), *((n, -k) for n, k in _primes(int(c.q)))]


def root(c: Any, p: fmpq) -> Any:
    """c^p for what is positive: exact where c is one product."""
    terms = _terms(c) or {}
    if len(terms) == 1:
        ((product, front),) = terms.items()
        if front > 0 and front.height_bits() <= LONGEST and abs(p) <= LONGEST:
            roots = [(("root", n), k * p) for n, k in _factors(front)]
            found, rest = _product([*roots, *((g, q * p) for g, q in product)])
            return irrational({found: rest})
    return (arb(c).log() * p).exp()


def logarithm_of(c: Any) -> Any:
    """log c for a positive rational."""
    if not isinstance(c, fmpq) or c.height_bits() > LONGEST:
        return arb(c).log()
    terms: dict[Product, fmpq] = {}
    for n, k in _factors(c):
        product = ((("log", n), fmpq(1)),)
        terms[product] = terms.get(product, fmpq(0)) + k
    return irrational(terms)


def power_of_e(c: Any) -> Any:
    """e^c."""
    if not isinstance(c, fmpq) or c.height_bits() > LONGEST:
        return arb(c).exp()
    return irrational({((E, c),): fmpq(1)}) if c else fmpq(1)


@lru_cache(4096)
def _size(product: Product, bits: int) -> arb:
    """The product's value to so many bits."""
    total = arb(1)
    for (kind, n), p in product:
        total *= _BASES[kind](n) ** arb(p)
    return total


_BASES: dict[str, Callable[[int], arb]] = {
    "root": arb,
    "log": lambda n: arb(n).log(),
    "pi": lambda n: arb.pi(),
    "e": lambda n: arb(1).exp(),
}


def pi_itself() -> Any:
    """pi."""
    return irrational({((PI, fmpq(1)),): fmpq(1)})
