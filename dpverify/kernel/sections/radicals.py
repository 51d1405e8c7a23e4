"""Rational functions whose coefficients have roots of numbers: products, by exact arithmetic.

With s = r^(1/q) and t_i = p_i^(1/n_i), p_i a whole number, a tree of sums, products and whole
powers of powers of r and of numbers is a quotient of polynomials in s and all t_i.  Terms are
rationals, by their exponents: that of s, then that of each t_i, less than n_i, as t_i^n_i = p_i.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from ..intervals import ZERO, Interval, interval
from ..rules import require, rule
from ..steps import rational, record, whole
from ..tree import Node, add, length, mul, num, power, walk
from .algebra import MAX_FACTORS, MAX_MULTIPLICITY, MAX_ROOT, rebuilt
from .charts import REWRITINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Terms = dict[tuple[int, ...], Fraction]

MAX_TERMS, MAX_EXPONENT, MAX_COEFFICIENT, MAX_PRODUCTS = 200, 64, 2_000, 500_000
MAX_BASES, MAX_BASE = 4, 10**9
PLACES = (Fraction(1), Fraction(3, 7), Fraction(5, 2), Fraction(17, 3), Fraction(40))
"""Values of s at which a polynomial is shown to be another than 0."""


class Radicals:
    """Polynomials in s = r^(1/q) and t_i = p_i^(1/n_i)."""

    def __init__(self, bases: list[tuple[int, int]], q: int) -> None:
        self.bases, self.q, self.work = bases, q, 0
        self.values = [interval(p).power(Fraction(1, n)) for p, n in bases]

    def constant(self, value: Fraction) -> Terms:
        return {(0,) * (len(self.bases) + 1): value} if value else {}

    def times(self, a: Terms, b: Terms) -> Terms:
        """The product, t_i^n_i replaced by p_i."""
        result: Terms = {}
        for x, c in a.items():
            for y, d in b.items():
                value, exponents = c * d, [x[0] + y[0]]
                for (p, n), e, f in zip(self.bases, x[1:], y[1:], strict=True):
                    value *= p ** ((e + f) // n)
                    exponents.append((e + f) % n)
                accumulate(result, tuple(exponents), value)
        self.work += len(a) * len(b)
        small = all(k[0] <= MAX_EXPONENT and length(c) <= MAX_COEFFICIENT
                    for k, c in result.items())
        fits = small and len(result) <= MAX_TERMS and self.work <= MAX_PRODUCTS
        require(fits, "a product is too long", "limits")
        return result

    def number(self, a: Fraction, p: Fraction) -> Terms:
        """a^p for a > 0, by the bases whose powers make up a."""
        require(a > 0, "a root of something that is not positive")
        result = self.constant(Fraction(1))
        over, under = a.numerator, a.denominator
        for i, (base, n) in enumerate(self.bases):
            (over, up), (under, down) = without(over, base), without(under, base)
            exponent = (up - down) * p * n
            require(exponent.denominator == 1, "a root is none of the roots that are named")
            e, k = int(exponent) % n, int(exponent) // n
            require(abs(k) <= MAX_EXPONENT, "a power is too large", "limits")
            unit = [0] * (len(self.bases) + 1)
            unit[i + 1] = e
            result = self.times(result, {tuple(unit): Fraction(base) ** k})
        require(over == under == 1, "a root is of no number that is named")
        return result

    def quotient(self, node: Node) -> tuple[Terms, Terms]:
        """Numerator and denominator of a node."""
        kind, args, one = node.kind, node.args, self.constant(Fraction(1))
        if kind == "num":
            return self.constant(args[0]), one
        base, p = (node, Fraction(1)) if kind == "r" else args if kind == "pow" else (None, None)
        if kind == "r" or (kind == "pow" and base.kind == "r"):
            k = p * self.q
            small = k.denominator == 1 and abs(k) <= MAX_EXPONENT
            require(small, "a rational function has too many roots of r")
            found = {(abs(int(k)), *(0 for _ in self.bases)): Fraction(1)}
            return (found, one) if k > 0 else (one, found)
        if kind == "pow" and p.denominator > 1:
            require(base.kind == "num", "a root of what is no number")
            return self.number(base.args[0], p), one
        if kind == "pow":
            require(abs(p) <= MAX_EXPONENT, "a power is too large", "limits")
            top, below = self.quotient(base)
            require(p > 0 or self.nonzero(top), "a rational function may divide by zero")
            parts = [(top, below) if p > 0 else (below, top)] * abs(int(p))
        else:
            require(kind in ("add", "mul"), "factored names no rational function", "steps")
            parts = [self.quotient(a) for a in args]
        total, under = ({}, one) if kind == "add" else (one, one)
        for top, below in parts:
            if kind == "add":
                total = summed(self.times(total, below), self.times(top, under))
            else:
                total = self.times(total, top)
            under = self.times(under, below)
        return total, under

    def nonzero(self, p: Terms) -> bool:
        """Whether the polynomial is shown to be another than 0, by its value at some s."""
        return any(self.at(p, s).sign() in (1, -1) for s in PLACES)

    def at(self, p: Terms, s: Fraction) -> Interval:
        total = ZERO
        for exponents, c in p.items():
            term = interval(c * s ** exponents[0])
            for value, e in zip(self.values, exponents[1:], strict=True):
                term = term * value.power(Fraction(e))
            total = total + term
        return total

    def node(self, p: Terms) -> Node:
        """The node of a polynomial, one term for each power of s."""
        by_power: dict[int, list[Node]] = {}
        for exponents, c in p.items():
            roots = [power(num(b), Fraction(e, n))
                     for (b, n), e in zip(self.bases, exponents[1:], strict=True) if e]
            by_power.setdefault(exponents[0], []).append(mul(num(c), *roots))
        return add(*(mul(add(*parts), power(Node("r"), Fraction(k, self.q))) if k else add(*parts)
                     for k, parts in sorted(by_power.items(), reverse=True)))


def without(n: int, base: int) -> tuple[int, int]:
    """n without the powers of a base in it, and how many there are."""
    count = 0
    while n % base == 0:
        n, count = n // base, count + 1
    return n, count


def accumulate(terms: Terms, exponents: tuple[int, ...], value: Fraction) -> None:
    total = terms.pop(exponents, Fraction(0)) + value
    if total:
        terms[exponents] = total


def summed(a: Terms, b: Terms) -> Terms:
    result = dict(a)
    for exponents, value in b.items():
        accumulate(result, exponents, value)
    return result


def root_of_r(node: Node) -> int | None:
    """q, where the node is a rational function of r^(1/q) and roots of numbers; else None."""
    if node.kind in ("num", "r"):
        return 1
    if node.kind == "pow" and node.args[0].kind in ("r", "num"):
        q = node.args[1].denominator
        return (1 if node.args[0].kind == "num" else q) if q <= MAX_ROOT else None
    if node.kind == "pow":
        return root_of_r(node.args[0]) if node.args[1].denominator == 1 else None
    if node.kind not in ("add", "mul"):
        return None
    roots = [root_of_r(a) for a in node.args]
    q = 1 if None in roots else lcm(*roots)  # type: ignore[arg-type]
    return None if None in roots or q > MAX_ROOT else q


@rule("K240")
def as_product(node: Node, step: dict[str, Any]) -> Node:
    """A rational function of a root of r with roots of numbers in its coefficients, or the rational
    factors of a product, as the product of given powers of polynomials.

    Lemma.  With s = r^(1/q) and t_i = p_i^(1/n_i) > 0 the function is N/D, where N and D are
    polynomials in s and all t_i.  If c and f_j, m_j are given, and N times the f_j^-m_j with
    m_j < 0 equals c D times the f_j^m_j with m_j > 0, term by term once each t_i^n_i is replaced
    by p_i, then the two functions are equal at every radius at which no divisor and no f_j is 0.
    c, the f_j and what is divided by are each shown to be another than 0 at some s, so that is
    almost everywhere.
    """
    parts = list(node.args) if node.kind == "mul" else [node]
    mine = [a for a in parts if root_of_r(a) is not None]
    require(bool(mine), "factored names no rational function", "steps")
    q = root_of_r(mul(num(1), *mine))
    require(q is not None, "a rational function has too many roots of r")
    ring = Radicals(bases_of(step["roots"]), q or 1)
    top = below = ring.constant(Fraction(1))
    for a in mine:
        over, under = ring.quotient(a)
        top, below = ring.times(top, over), ring.times(below, under)
    c = terms_of(step["constant"], ring)
    constant = all(e[0] == 0 for e in c) and ring.nonzero(c)
    require(constant, "the constant of a product may be 0, or is none")
    below = ring.times(below, c)
    given = step["factors"]
    listed = isinstance(given, list) and len(given) <= MAX_FACTORS
    require(listed, "radicals.factors is not a list", "format")
    factors = [ring.node(c)]
    for entry in given:
        record(entry, "radicals.factors", {"polynomial", "power"})
        m = whole(entry["power"], "radicals.power", -MAX_MULTIPLICITY, MAX_MULTIPLICITY)
        f = terms_of(entry["polynomial"], ring)
        require(m != 0 and ring.nonzero(f), "a factor of a product may be 0, or has no power")
        for _ in range(abs(m)):
            top, below = (ring.times(top, f), below) if m < 0 else (top, ring.times(below, f))
        factors.append(power(ring.node(f), Fraction(m)))
    require(top == below, "the product is not the rational function")
    return mul(*factors, *(a for a in parts if root_of_r(a) is None))


def bases_of(given: Any) -> list[tuple[int, int]]:
    """The whole numbers and the roots taken of them."""
    listed = isinstance(given, list) and 0 < len(given) <= MAX_BASES
    require(listed, "radicals.roots is not a list", "format")
    found = []
    for entry in given:
        pair = isinstance(entry, list) and len(entry) == 2
        require(pair, "radicals.roots is not a list of pairs", "format")
        found.append((whole(entry[0], "radicals.roots", 2, MAX_BASE),
                      whole(entry[1], "radicals.roots", 2, MAX_ROOT)))
    return found


def terms_of(given: Any, ring: Radicals) -> Terms:
    """A polynomial of the certificate: for each term its coefficient and its exponents."""
    listed = isinstance(given, list) and 0 < len(given) <= MAX_TERMS
    require(listed, "radicals.polynomial is not a list of terms", "format")
    found: Terms = {}
    for term in given:
        fits = isinstance(term, list) and len(term) == len(ring.bases) + 2
        require(fits, "a term has not one exponent for s and for each root", "format")
        exponents = tuple(whole(e, "radicals.exponent", 0, MAX_EXPONENT) for e in term[1:])
        reduced = all(e < n for (_, n), e in zip(ring.bases, exponents[1:], strict=True))
        new = exponents not in found and reduced
        require(new, "a term is given twice, or its exponents are too large", "format")
        found[exponents] = rational(term[0], "radicals.coefficient")
    return {exponents: c for exponents, c in found.items() if c}


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the products that the step names in the place of its rational functions."""
    listed = isinstance(given, list) and 0 < len(given) <= MAX_FACTORS
    require(listed, "the step 'radicals' is not a list", "format")
    nodes = {node.number: node for node in walk(tree) if node.number}
    new: dict[int, Node] = {}
    for step in given:
        record(step, "radicals", {"node", "roots", "constant", "factors"})
        number = whole(step["node"], "radicals.node", 1, 10**6)
        require(number in nodes and number not in new, "radicals names no node", "steps")
        new[number] = as_product(nodes[number], step)
    return rebuilt(tree, new)


REWRITINGS["radicals"] = rewritten
