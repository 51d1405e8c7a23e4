"""Rational functions of a root of r whose coefficients have roots of numbers: what vanishes twice.

The numbers that whole powers of t_i = p_i^(1/n_i), p_i prime, make up are a field; a number of it is the matrix
by which it multiplies the products of powers of the t_i, so that its arithmetic is that of rational matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import lcm, prod

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node, add, mul, num, power, walk
from dpverify.findings import Reason
from dpverify.prover.algebra import MAX_MULTIPLICITY, MAX_ROOT, positive_roots
from dpverify.prover.monotone import positive

MOST_BASES, HIGHEST_DEGREE, LARGEST_DEGREE, LARGEST_NUMBER = 4, 16, 24, 10**9
Polynomial = list[fmpq_mat]
"""Its coefficients, lowest powers first."""
Term = tuple[fmpq, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Product:
    """A constant times powers of polynomials in s = r^(1/q), whose coefficients are numbers of a field."""

    field: Field
    q: int
    constant: fmpq_mat
    factors: tuple[tuple[Polynomial, int], ...]

    def node(self) -> Node:
        """The product as a tree."""
        powers = [power(self._in_r(f), fmpq(m)) for f, m in self.factors]
        return mul(self.field.node(self.constant), *powers)

    def _in_r(self, f: Polynomial) -> Node:
        terms = list(enumerate(f))[::-1]
        return add(*(mul(self.field.node(c), power(Node("r"), fmpq(k, self.q))) if k else self.field.node(c)
                     for k, c in terms if c != self.field.zero))  # fmt: skip


class Field:
    """The numbers that t_i = p_i^(1/n_i) make up, of the bases (p_i, n_i)."""

    def __init__(self, bases: Sequence[tuple[int, int]]) -> None:
        self.bases = tuple(bases)
        self.exponents = list(product(*(range(n) for _, n in bases)))
        self.place = {e: i for i, e in enumerate(self.exponents)}
        self.degree = len(self.exponents)
        self.zero, self.one = fmpq_mat(self.degree, self.degree), self._unit([0] * len(self.bases), fmpq(1))

    def _unit(self, exponents: Sequence[int], value: fmpq) -> fmpq_mat:
        """The value times powers of the t_i."""
        entries = [[fmpq(0)] * self.degree for _ in range(self.degree)]
        for column, known in enumerate(self.exponents):
            total = [a + b for a, b in zip(known, exponents, strict=True)]
            size = value * prod(fmpq(p) ** (e // n) for (p, n), e in zip(self.bases, total, strict=True))
            entries[self.place[tuple(e % n for (_, n), e in zip(self.bases, total, strict=True))]][column] = size
        return fmpq_mat(entries)

    def number(self, a: fmpq, p: fmpq = fmpq(1)) -> fmpq_mat:  # noqa: B008
        """a^p."""
        if p == 1:
            return self.one * a
        powers = _primes(a)
        exponents = [int(powers.get(base, 0) * p * n) for base, n in self.bases]
        return self._unit(exponents, fmpq(1))

    def terms(self, x: fmpq_mat) -> list[Term]:
        """The rationals, and the powers of the t_i that they multiply."""
        return [(x[i, 0], e) for i, e in enumerate(self.exponents) if x[i, 0] != 0]

    def node(self, x: fmpq_mat) -> Node:
        """The number as a tree."""
        roots = [[power(num(p), fmpq(e, n)) for (p, n), e in zip(self.bases, es, strict=True) if e]
                 for _, es in self.terms(x)]  # fmt: skip
        return add(*(mul(num(c), *parts) for (c, _), parts in zip(self.terms(x), roots, strict=True)))

    def near(self, x: fmpq_mat) -> Fraction:
        """About the number."""
        total = 0.0
        for c, es in self.terms(x):
            total += float(c.p) / float(c.q) * prod(p ** (e / n) for (p, n), e in zip(self.bases, es, strict=True))
        return Fraction(total)


def _primes(a: fmpq) -> dict[int, int]:
    """The exponents of the primes of a > 0."""
    found = {int(p): int(e) for p, e in fmpz(a.p).factor()}
    return {**found, **{int(p): -int(e) for p, e in fmpz(a.q).factor()}}


def _radical(node: Node) -> bool:
    """Whether the node is a root of a positive number."""
    return node.kind == "pow" and node.args[0].kind == "num" and node.args[0].args[0] > 0 and node.args[1].q > 1


def root_of_r(node: Node) -> int | None:
    """q, where the node is a rational function of r^(1/q) and of roots of numbers, the least such; else None."""
    if node.kind in ("num", "r") or _radical(node):
        return 1
    if node.kind == "pow":
        p = node.args[1]
        if node.args[0].kind == "r":
            return int(p.q) if p.q <= MAX_ROOT else None
        return root_of_r(node.args[0]) if p.q == 1 else None
    if node.kind not in ("add", "mul"):
        return None
    known = [q for a in node.args if (q := root_of_r(a)) is not None]
    q = lcm(*known) if len(known) == len(node.args) else 0
    return q if 0 < q <= MAX_ROOT else None


def _field_of(nodes: Sequence[Node]) -> Field:
    """The field of all roots of numbers in the nodes; raises Undecided where it is too large, or rational."""
    roots: dict[int, int] = {}
    for part in (part for node in nodes for part in walk(node)):
        if not _radical(part):
            continue
        a, p = part.args[0].args[0], part.args[1]
        if max(a.p, a.q) > LARGEST_NUMBER:
            raise Undecided(Reason.ROOT_OF_LARGE())
        for prime, e in _primes(a).items():
            if (e * p).q > 1:
                roots[prime] = lcm(roots.get(prime, 1), int((e * p).q))
            roots.setdefault(prime, 2)
    if not roots or len(roots) > MOST_BASES or prod(roots.values()) > HIGHEST_DEGREE:
        raise Undecided(Reason.TOO_MANY_ROOTS())
    if max(roots.values()) > MAX_ROOT:
        raise Undecided(Reason.ROOT_TOO_HIGH())
    return Field(sorted(roots.items()))


def _trimmed(f: Polynomial, field: Field) -> Polynomial:
    while f and f[-1] == field.zero:
        f.pop()
    return f


def _sum(a: Polynomial, b: Polynomial, field: Field) -> Polynomial:
    size = max(len(a), len(b))
    parts = zip(a + [field.zero] * (size - len(a)), b + [field.zero] * (size - len(b)), strict=True)
    return _trimmed([x + y for x, y in parts], field)


def _times(a: Polynomial, b: Polynomial, field: Field) -> Polynomial:
    if len(a) + len(b) > LARGEST_DEGREE + 2:
        raise Undecided(Reason.DEGREE_TOO_HIGH())
    result = [field.zero] * (len(a) + len(b) - 1 if a and b else 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] = result[i + j] + x * y
    return _trimmed(result, field)


def _divided(a: Polynomial, b: Polynomial, field: Field) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest, inverse = list(a), b[-1].inv()
    result = [field.zero] * max(0, len(a) - len(b) + 1)
    while len(rest) >= len(b):
        c, shift = rest[-1] * inverse, len(rest) - len(b)
        result[shift] = c
        for i, x in enumerate(b):
            rest[i + shift] = rest[i + shift] - c * x
        rest = _trimmed(rest[:-1], field)
    return result, rest


def _common(a: Polynomial, b: Polynomial, field: Field) -> Polynomial:
    """The greatest common divisor, its leading coefficient 1."""
    while b:
        a, b = b, _divided(a, b, field)[1]
    inverse = a[-1].inv()
    return [c * inverse for c in a]


def _derivative(f: Polynomial) -> Polynomial:
    return [c * fmpq(k) for k, c in enumerate(f)][1:]


def _quotient(node: Node, q: int, field: Field) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator in s = r^(1/q)."""
    kind, args, one = node.kind, node.args, [field.one]
    if kind == "num" or _radical(node):
        number = field.number(args[0]) if kind == "num" else field.number(args[0].args[0], args[1])
        return _trimmed([number], field), one
    if kind == "r" or (kind == "pow" and args[0].kind == "r"):
        k = int((args[1] if kind == "pow" else fmpq(1)) * q)
        if abs(k) > LARGEST_DEGREE:
            raise Undecided(Reason.DEGREE_TOO_HIGH())
        power_of_s = [field.zero] * abs(k) + one
        return (power_of_s, one) if k > 0 else (one, power_of_s)
    if kind == "pow":
        top, below = _quotient(args[0], q, field)
        if args[1] < 0:
            top, below = below, top
        if not below or abs(args[1]) * max(len(top), len(below)) > 2 * LARGEST_DEGREE:
            raise Undecided(Reason.DEGREE_TOO_HIGH())
        parts = [(top, below)] * abs(int(args[1]))
    else:
        parts = [_quotient(a, q, field) for a in args]
    total, under = ([], one) if kind == "add" else (one, one)
    for top, below in parts:
        if kind == "add":
            total = _sum(_times(total, below, field), _times(top, under, field), field)
        else:
            total = _times(total, top, field)
        under = _times(under, below, field)
    return total, under


def _by_multiplicity(f: Polynomial, field: Field) -> Iterator[tuple[Polynomial, int]]:
    """The square-free parts of f, and how often each divides it (Yun)."""
    rest = _common(f, _derivative(f), field)
    simple, count = _divided(f, rest, field)[0], 1
    while len(simple) > 1:
        shared = _common(simple, rest, field)
        part = _divided(simple, shared, field)[0]
        if len(part) > 1:
            yield _monic(part), count
        rest, simple, count = _divided(rest, shared, field)[0], shared, count + 1


def _monic(f: Polynomial) -> Polynomial:
    inverse = f[-1].inv()
    return [c * inverse for c in f]


def _hides(entries: Sequence[Polynomial], field: Field) -> bool:
    """Whether a positive root is one of two of the polynomials, or a multiple one."""
    shared = [_common(f, _derivative(f), field) for f in entries if len(f) > 1]
    shared += [_common(a, b, field) for a, b in combinations(entries, 2)]
    simple = [_divided(f, _common(f, _derivative(f), field), field)[0] for f in shared if len(f) > 1]
    nearby = [[field.near(c) for c in f] for f in simple]
    return any(positive_roots(fmpq_poly([fmpq(c.numerator, c.denominator) for c in f])) for f in nearby)


def product_of_nodes(mine: Sequence[Node]) -> Product | None:
    """The product of the nodes in lowest terms, if they hide that it vanishes, or is infinite, to a higher order at
    some radius, or at one at which it is not."""
    q = root_of_r(mul(num(1), *mine))
    if q is None or all(map(positive, mine)):
        return None
    try:
        field = _field_of(mine)
        typed = []
        for a in mine:
            whole = a.kind == "pow" and a.args[0].kind != "r" and not _radical(a)
            base, m = (a.args[0], int(a.args[1])) if whole else (a, 1)
            typed.append((_quotient(base, q, field), m))
        entries = [f for parts, _ in typed for f in parts if len(f) > 1]
        if any(not f for parts, _ in typed for f in parts) or not _hides(entries, field):
            return None
        over = under = [field.one]
        for (top, below), m in typed:
            for _ in range(abs(m)):
                over = _times(over, top if m > 0 else below, field)
                under = _times(under, below if m > 0 else top, field)
        shared = _common(over, under, field)
        over, under = _divided(over, shared, field)[0], _divided(under, shared, field)[0]
    except (Undecided, ZeroDivisionError):
        return None
    constant = over[-1] * under[-1].inv()
    factors = [*_by_multiplicity(over, field), *((f, -m) for f, m in _by_multiplicity(under, field))]
    small = all(abs(m) <= MAX_MULTIPLICITY for _, m in factors)
    return Product(field, q, constant, tuple(factors)) if small else None


def group(node: Node) -> tuple[list[Node], list[Node]]:
    """The factors of a node that are rational functions of r and of roots of numbers, and the others."""
    parts = list(node.args) if node.kind == "mul" else [node]
    mine = [a for a in parts if root_of_r(a) is not None]
    return mine, [a for a in parts if root_of_r(a) is None]


def with_squares(node: Node) -> Node:
    """The tree with rational functions as products where that shows what enclosures cannot see."""
    if not any(map(_radical, walk(node))):
        return node
    mine, others = group(node)
    found = product_of_nodes(mine) if any(a.kind in ("add", "pow") for a in mine) else None
    if found is not None:
        return mul(found.node(), *map(with_squares, others))
    if not others:
        return node
    parts = [with_squares(a) if isinstance(a, Node) else (with_squares(a[0]), a[1]) if isinstance(a, tuple) else a
             for a in node.args]  # fmt: skip
    same = all(a is b or (isinstance(a, tuple) and a[0] is b[0]) for a, b in zip(parts, node.args, strict=True))
    return node if same else Node(node.kind, *parts)
