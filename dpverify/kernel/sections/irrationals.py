"""Constants of models that are known exactly though they are no rationals, such as sqrt(2) and
log 2: what should cancel does, and r^sqrt(2) and e^(sqrt(2) r) are monomials."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ..intervals import ONE, Interval, add_up, interval
from ..rules import BROUGHT, require, rule
from .constants import PI
from .models import EXACTLY, Known
from .optional import may_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Product: TypeAlias = tuple[tuple[tuple[str, int], Fraction], ...]

PRIMES, LONGEST, MOST = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31), 512, 4
Exact = (int, Fraction)


class Irrational(Known):
    """An interval that knows the number in it: the sum of rational multiples of products, each of
    generators with their exponents, those of roots between 0 and 1."""

    __slots__ = ("hashed", "terms")

    def __init__(self, terms: dict[Product, Fraction]) -> None:
        found = add_up(value_of(product) * c for product, c in terms.items())
        super().__init__(found.lo, found.hi)
        self.terms, self.hashed = terms, hash(frozenset(terms.items()))

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Irrational) and self.terms == other.terms

    def __neg__(self) -> Irrational:
        return Irrational({product: -c for product, c in self.terms.items()})

    def __add__(self, other: Any) -> Any:
        terms = terms_of(other)
        if terms is None:
            return Interval.__add__(self, other)
        both = [*self.terms.items(), *terms.items()]
        return summed((product, ONCE, c) for product, c in both)

    __radd__ = __add__

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        terms = terms_of(other)
        if terms is None:
            return Interval.__mul__(self, other)
        return summed((*product((*p, *q)), c * k)
                      for p, c in self.terms.items() for q, k in terms.items())

    __rmul__ = __mul__

    def inverse(self) -> Any:
        if len(self.terms) > 1:
            return super().inverse()
        ((found, c),) = self.terms.items()
        return summed([(*product(tuple((g, -p) for g, p in found)), 1 / c)])

    def power(self, p: Fraction) -> Any:
        ((found, c), *more) = self.terms.items()
        if more or c < 0 or not fits(c, p):
            return super().power(p)
        return summed([(*product((*roots(c, p), *((g, q * p) for g, q in found))), ONCE)])

    def __gt__(self, other: Any) -> bool:
        gap = self + -other
        if isinstance(gap, Fraction):
            return gap > 0
        require(gap.sign() in (1, -1), "two numbers are too close to be compared")
        return bool(gap.lo > 0)

    def __ge__(self, other: Any) -> bool:
        return self == other or self > other

    def __lt__(self, other: Any) -> bool:
        return not self >= other

    def __le__(self, other: Any) -> bool:
        return not self > other


ONCE = Fraction(1)
PI_ITSELF, E_ITSELF = ("pi", 0), ("e", 0)


def terms_of(value: Any) -> dict[Product, Fraction] | None:
    """The number as a sum of products; None for an interval."""
    if isinstance(value, Irrational):
        return value.terms
    return {(): Fraction(value)} if isinstance(value, Exact) else None


def summed(parts: Any) -> Any:
    """The sum of c q p over products p with rational fronts q and factors c: a rational where it is
    one, and an interval where it is long."""
    terms: dict[Product, Fraction] = {}
    for found, front, c in parts:
        terms[found] = terms.get(found, Fraction(0)) + front * c
    terms = {found: c for found, c in terms.items() if c}
    if all(found == () for found in terms):
        return terms.get((), Fraction(0))
    total = Irrational(terms)
    short = len(terms) <= MOST and all(map(is_short, terms.values()))
    return total if short else Interval(total.lo, total.hi)


def is_short(c: Fraction) -> bool:
    return c.numerator.bit_length() + c.denominator.bit_length() <= LONGEST


def fits(c: Fraction, p: Fraction) -> bool:
    return is_short(c) and is_short(p) and abs(p) <= LONGEST


def product(factors: tuple[tuple[tuple[str, int], Fraction], ...]) -> tuple[Product, Fraction]:
    """The factors of each generator as one, and what is rational in them."""
    powers: dict[tuple[str, int], Fraction] = {}
    for generator, p in factors:
        powers[generator] = powers.get(generator, Fraction(0)) + p
    front = ONCE
    for (kind, n), p in powers.items():
        if kind == "root":
            front *= Fraction(n) ** (p.numerator // p.denominator)
            powers[kind, n] = p % 1
    return tuple(sorted((g, p) for g, p in powers.items() if p)), front


def factors_of(c: Fraction) -> list[tuple[int, int]]:
    """Integers and exponents whose powers make up a positive rational, of small primes at most one
    each."""
    found = []
    for n, sign in ((c.numerator, 1), (c.denominator, -1)):
        for prime in PRIMES:
            while n % prime == 0:
                n //= prime
                found.append((prime, sign))
        if n > 1:
            found.append((n, sign))
    return found


def roots(c: Fraction, p: Fraction) -> list[tuple[tuple[str, int], Fraction]]:
    return [(("root", n), k * p) for n, k in factors_of(c)]


@lru_cache(2**12)
def value_of(found: Product) -> Interval:
    value = ONE
    for (kind, n), p in found:
        value = value * BASES[kind](n).power(p)
    return value


BASES: dict[str, Callable[[int], Interval]] = {
    "root": interval, "log": lambda n: interval(n).log(), "pi": lambda n: PI,
    "e": lambda n: ONE.exp()}


@rule("K490")
def exactly(function: str, c: Any, p: Fraction = ONCE) -> Any:
    """A constant of a model as an exact number: a root, a logarithm, a power of e, or pi.

    Lemma.  For positive m and n and rational p and q, (m n)^p = m^p n^p, n^p n^q = n^(p+q),
    e^p e^q = e^(p+q) and log(m n) = log m + log n.  So sums and products of rational multiples of
    products of n^p, (log n)^p, e^p and pi^p, n whole, are such again; multiples of one product
    add up, and where nothing is left the sum is 0.  Two that are not written alike are compared
    by the enclosure of their difference, and not at all where that holds 0.  They serve as
    coefficients and exponents of monomials as rationals do: K10, K11, K13 and K14 ask of these to
    be numbers, and of two of which one order is used that it is known.
    """
    if function == "power":
        return summed([(*product(tuple(roots(c, p))), ONCE)])
    if function in ("exp", "pi"):
        return summed([(((E_ITSELF, c) if function == "exp" else (PI_ITSELF, p),), ONCE, ONCE)])
    return summed((((("log", n), ONCE),), ONCE, Fraction(k)) for n, k in factors_of(c))


def constant(function: str, c: Any, p: Fraction = ONCE) -> Any:
    """pi, or exp, log or power of a constant: exactly where the rule is listed and that is a
    rational, and short."""
    if may_use("K490"):
        if function == "pi":
            return exactly(function, c)
        plain = isinstance(c, Fraction) and fits(c, p) and (c > 0 or function == "exp")
        if plain and c != (1 if function == "log" else 0):
            return exactly(function, c, p)
    if function == "pi":
        return c
    return interval(c).power(p) if function == "power" else getattr(interval(c), function)()


BROUGHT[EXACTLY] = constant
