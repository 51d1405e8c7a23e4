"""Rational functions of a root of r, by exact arithmetic: what vanishes twice, and what falls with a flat place.

With s = r^(1/q) a tree of sums, products and whole powers of multiples of r^(k/q) is a quotient of
polynomials in s.  Enclosures cannot see that 1 - 2 r + r^2 is never negative; (r - 1)^2 shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import Any

from flint import fmpq, fmpq_poly, fmpz_poly

from dpverify.enclosures import Undecided
from dpverify.enclosures.nodes import Node, add, mul, num, power
from dpverify.prover.analytic import quotient
from dpverify.prover.monotone import positive

MAX_ROOT, MAX_DEGREE, MAX_MULTIPLICITY = 12, 30, 40
Quotient = tuple[fmpq_poly, fmpq_poly]


@dataclass(frozen=True, slots=True)
class Product:
    """A rational function of s: a constant times whole powers of irreducible polynomials."""

    constant: fmpq
    factors: tuple[tuple[fmpq_poly, int], ...]


def node(kind: str, *args: Any) -> Node:
    """A node, for those who have it in another form."""
    return Node(kind, *args)


def root_of_r(node: Node) -> int | None:
    """q, where the node is a rational function of r^(1/q), the least such; else None."""
    if node.kind in ("num", "r"):
        return 1
    if node.kind == "pow":
        p = node.args[1]
        if node.args[0].kind == "r":
            return int(p.q) if p.q <= MAX_ROOT else None
        return root_of_r(node.args[0]) if p.q == 1 else None
    if node.kind not in ("add", "mul"):
        return None
    roots = [root_of_r(a) for a in node.args]
    known = [q for q in roots if q is not None]
    q = lcm(*known) if len(known) == len(roots) else 0
    return q if 0 < q <= MAX_ROOT else None


def in_root(node: Node, q: int) -> Node:
    """The node with s^q in the place of r, s being called r."""
    if node.kind == "r":
        return power(node, fmpq(q))
    if node.kind == "pow" and node.args[0].kind == "r":
        return power(node.args[0], node.args[1] * q)
    parts = (in_root(a, q) if isinstance(a, Node) else a for a in node.args)
    return node if node.kind == "num" else Node(node.kind, *parts)


def positive_roots(p: fmpq_poly) -> list[fmpq]:
    """Rationals close to the positive roots, each once, in increasing order; none of the zero polynomial."""
    found = []
    roots: list[Any] = list(_whole(p).complex_roots()) if p.degree() > 0 else []
    for root, _ in roots:
        if root.imag == 0 and root.real > 0:
            found.append(root.real.mid().fmpq())
    return sorted(found)


def _whole(p: fmpq_poly) -> fmpz_poly:
    return fmpz_poly([int((c * p.denom()).p) for c in p.coeffs()])


def _from(p: fmpz_poly) -> fmpq_poly:
    return fmpq_poly([int(c) for c in p.coeffs()])


def product_of(parts: Sequence[tuple[fmpq_poly, fmpq_poly, int]]) -> Product | None:
    """The product of given (N/D)^m in lowest terms, if what is given hides that it vanishes, or is infinite, to a
    higher order at some radius, or at one at which it is not, as where m = 0; or hides that it is positive."""
    entries = [(p, m * sign) for top, below, m in parts for p, sign in ((top, 1), (below, -1)) if p.degree() > 0]
    if any(p.degree() > MAX_DEGREE or abs(m) > MAX_MULTIPLICITY for p, m in entries):
        return None
    if any(top.degree() < 0 for top, _, _ in parts):
        return None
    shared = [p.gcd(p.derivative()) for p, _ in entries] + [a.gcd(b) for (a, _), (b, _) in combinations(entries, 2)]
    dropped = [p for p, m in entries if m == 0]
    doubtful = not any(positive_roots(p) for p in shared + dropped)
    if doubtful and not any(below.degree() > 0 for _, below, _ in parts):
        return None
    constant, powers = fmpq(1), dict[str, tuple[fmpq_poly, int]]()
    for top, below, m in parts:
        for p, sign in ((top, m), (below, -m)):
            content, factors = _whole(p).factor()
            constant *= (fmpq(int(content)) / fmpq(int(p.denom()))) ** sign
            for factor, k in factors:
                q, known = _from(factor), powers.get(str(factor), (None, 0))[1]
                powers[str(factor)] = (q, known + k * sign)
    kept = tuple((p, m) for _, (p, m) in sorted(powers.items()) if m)
    if doubtful and not all(_of_one_sign(p) for p, _ in kept):
        return None
    small = all(abs(m) <= MAX_MULTIPLICITY for _, m in kept)
    return Product(constant, kept) if small else None


def _of_one_sign(p: fmpq_poly) -> bool:
    """Whether no two coefficients have different signs, so that the polynomial is positive by its form, or negative."""
    return all(c >= 0 for c in p.coeffs()) or all(c <= 0 for c in p.coeffs())


def _group(node: Node) -> tuple[list[Node], list[Node]]:
    """The rational factors of a node, and the others."""
    parts = list(node.args) if node.kind == "mul" else [node]
    mine = [a for a in parts if root_of_r(a) is not None]
    return mine, [a for a in parts if root_of_r(a) is None]


def _typed(mine: Sequence[Node], q: int) -> list[tuple[fmpq_poly, fmpq_poly, int]]:
    """The rational factors as they are written: each a power of a quotient."""
    result = []
    for a in mine:
        plain = a.kind == "pow" and a.args[0].kind != "r"
        base, m = (a.args[0], int(a.args[1])) if plain else (a, 1)
        result.append((*quotient(in_root(base, q)), m))
    return result


def in_r(p: fmpq_poly, q: int) -> Node:
    """The node of a polynomial in s = r^(1/q)."""
    coefficients = list(enumerate(p.coeffs()))[::-1]
    return add(*(mul(num(c), power(Node("r"), fmpq(k, q))) if k else num(c) for k, c in coefficients if c != 0))


def factored(node: Node) -> Node:
    """The tree with rational functions as products where that shows what enclosures cannot see."""
    mine, others = _group(node)
    if any(a.kind in ("add", "mul", "pow") for a in mine):
        product, q = product_of_nodes(mine)
        if product is not None:
            powers = [power(in_r(p, q), fmpq(m)) for p, m in product.factors]
            return mul(num(product.constant), *powers, *map(factored, others))
        if not others:
            return node
    parts = [factored(a) if isinstance(a, Node) else (factored(a[0]), a[1]) if isinstance(a, tuple) else a
             for a in node.args]  # fmt: skip
    same = all(a is b or (isinstance(a, tuple) and a[0] is b[0]) for a, b in zip(parts, node.args, strict=True))
    return node if same else Node(node.kind, *parts)


def product_of_nodes(mine: Sequence[Node]) -> tuple[Product | None, int]:
    """The product of rational functions of r, and q: where that shows more than they do."""
    q = root_of_r(mul(*mine))
    if q is None or all(map(positive, mine)):  # a sign that the form shows, a product may hide
        return None, q or 1
    try:
        return product_of(_typed(mine, q)), q
    except Undecided:
        return None, q


def between_roots(node: Node) -> list[Fraction]:
    """Radii between neighbouring positive roots of rational functions in a tree: their sign may be another there."""
    found: set[Fraction] = set()
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        if not isinstance(part, Node) or part.kind in ("num", "r"):
            continue
        mine, others = _group(part)
        stack.extend([a for other in others for a in other.args] if part.kind == "mul" or not mine else [])
        try:
            q = root_of_r(mul(*mine)) if mine else None
            top, below = quotient(in_root(mul(*mine), q)) if q else (fmpq_poly([1]), fmpq_poly([1]))
        except Undecided:
            continue
        if q and max(top.degree(), below.degree()) <= MAX_DEGREE:
            roots = sorted(positive_roots(top) + positive_roots(below))
            found.update(_fraction((a + b) / 2) ** q for a, b in pairwise(roots) if a < b)
    return sorted(found)


def _fraction(x: fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def never_negative(node: Node) -> bool:
    """Whether a rational function of a root of r is proved not to be negative, and not 0 throughout."""
    q = root_of_r(node)
    try:
        top, below = quotient(in_root(node, q)) if q is not None else (fmpq_poly([0]), fmpq_poly([1]))
    except Undecided:
        return False
    product = top * below
    if product.degree() < 0 or product.degree() > MAX_DEGREE:
        return False
    _, factors = _whole(product).factor()
    odd = any(m % 2 and positive_roots(_from(p)) for p, m in factors)
    return not odd and any(product(fmpq(x)) > 0 for x in range(1, 5))


def falls_flat(node: Node) -> bool:
    """Whether f is a product of powers and exponentials of rational functions that falls, its slope being 0 somewhere.

    There enclosures of the slope are on both sides of 0, however narrow the box.
    """
    try:
        slope = _slope(node)
    except Undecided:
        return False
    if slope is None:
        return False
    top, below = slope
    if top.degree() < 1 or positive_roots(below):
        return False
    _, factors = _whole(top).factor()
    odd = any(m % 2 and positive_roots(_from(p)) for p, m in factors)
    even = any(m % 2 == 0 and positive_roots(_from(p)) for p, m in factors)
    return even and not odd and any(top(fmpq(x)) * below(fmpq(x)) < 0 for x in range(1, 5))


def _slope(node: Node) -> Quotient | None:
    """The derivative of log f by s as a quotient; None where f has another form, or a zero or a pole."""
    logs = [part for f in (node.args if node.kind == "mul" else (node,)) for part in _logarithms(f)]
    roots = [root_of_r(n) for _, n, _ in logs]
    known = [q for q in roots if q is not None]
    if len(known) < len(roots) or not known:
        return None
    q = lcm(*known)
    top, below = fmpq_poly([0]), fmpq_poly([1])
    for p, n, is_exponent in logs:
        over, under = quotient(in_root(n, q))
        if positive_roots(under) or (not is_exponent and (positive_roots(over) or over(fmpq(1)) * under(fmpq(1)) <= 0)):
            return None
        slope = over.derivative() * under - over * under.derivative()
        divisor = under * under if is_exponent else over * under
        top, below = top * divisor + slope * p * below, below * divisor
        shared = top.gcd(below)
        top, below = top // shared, below // shared
        if max(top.degree(), below.degree()) > MAX_DEGREE:
            return None
    return top, below


def _logarithms(factor: Node) -> list[tuple[fmpq, Node, bool]]:
    """log of a factor as a sum of p log R, or of p Q (True): each p with R or Q."""
    p = fmpq(1)
    while factor.kind == "pow" and root_of_r(factor) is None:
        factor, p = factor.args[0], p * factor.args[1]
    if factor.kind == "mul" and p != 1:
        return [(p * k, n, e) for a in factor.args for k, n, e in _logarithms(a)]
    if factor.kind == "num" and factor.args[0] > 0:
        return []
    if factor.kind == "exp":
        return [(p, factor.args[0], True)]
    return [(p, factor, False)]
