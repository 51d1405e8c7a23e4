"""Rational functions of a root of r, by exact arithmetic: products in lowest terms, and signs.

With s = r^(1/q) a tree of sums, products and whole powers of multiples of r^(k/q) is a quotient of
polynomials in s; s > 0 rises with r.  Polynomials are lists of rationals, lowest powers first.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import gcd, lcm

from ..reader import Need
from ..rules import require, rule
from ..steps import rational, record, whole
from ..tree import Node, add, length, mul, num, power, walk
from .charts import REWRITINGS
from .hypotheses import FALLING_FORMS
from .needs import MEETING
from .polynomials import MAX_COEFFICIENT, MAX_DEGREE, plus, polynomial, times, trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Polynomial = list[Fraction]
    Quotient = tuple[Polynomial, Polynomial]

MAX_ROOT, MAX_FACTORS, MAX_MULTIPLICITY, MAX_STURM, MOST_RENEWED = 12, 40, 40, 40, 40
MAX_CHAIN = 1_000_000
"""The square of a polynomial's length times the bits of its longest coefficient, for its chain of
remainders, whose coefficients grow with both."""


FOLDED: dict[str, Callable[..., Node]] = {"add": add, "mul": mul}
"""How nodes are made in which a number takes the place of a part, and meets others."""


def root_of_r(node: Node) -> int | None:
    """q, where the node is a rational function of r^(1/q), the least such; else None."""
    if node.kind in ("num", "r"):
        return 1
    if node.kind == "pow":
        p = node.args[1]
        if node.args[0].kind == "r":
            return p.denominator if p.denominator <= MAX_ROOT else None
        return root_of_r(node.args[0]) if p.denominator == 1 else None
    if node.kind not in ("add", "mul"):
        return None
    roots = [root_of_r(a) for a in node.args]
    q = 1 if None in roots else lcm(*roots)  # type: ignore[arg-type]
    return None if None in roots or q > MAX_ROOT else q


def in_root(node: Node, q: int) -> Node:
    """The node with s^q in the place of r, s being called r."""
    if node.kind == "r":
        return Node("r") if q == 1 else Node("pow", Node("r"), Fraction(q))
    if node.kind == "pow" and node.args[0].kind == "r":
        return power(Node("r"), node.args[1] * q)
    parts = (in_root(a, q) if isinstance(a, Node) else a for a in node.args)
    return Node(node.kind, *parts) if node.kind != "num" else node


def quotient(node: Node, q: int) -> Quotient:
    """Numerator and denominator in s = r^(1/q)."""
    found = polynomial(in_root(node, q))
    require(found is not None, "a rational function is too large, or divides by zero")
    assert found is not None
    return found


def in_r(p: Polynomial, q: int) -> Node:
    """The node of a polynomial in s = r^(1/q)."""
    r = Node("r")
    terms = [mul(num(c), power(r, Fraction(k, q))) if k else num(c) for k, c in enumerate(p) if c]
    return add(*reversed(terms))


def factored(tree: Node, given: Any) -> Node:
    """The tree with the products that the step names in the place of its rational functions."""
    listed = isinstance(given, list) and 0 < len(given) <= MAX_FACTORS
    require(listed, "the step 'factored' is not a list", "format")
    nodes = {node.number: node for node in walk(tree)}
    new: dict[int, Node] = {}
    for step in given:
        record(step, "factored", {"node", "constant", "factors"})
        number = whole(step["node"], "factored.node", 1, 10**6)
        require(number in nodes and number not in new, "factored names no node", "steps")
        new[number] = as_product(nodes[number], step)
    return rebuilt(tree, new)


@rule("K100")
def as_product(node: Node, step: dict[str, Any]) -> Node:
    """A rational function of a root of r, or the rational factors of a product, as the product of
    given powers of polynomials.

    Lemma.  If N/D is the function and c, p_i, m_i are given, then N times the p_i^-m_i with m_i < 0
    equals c D times the p_i^m_i with m_i > 0, coefficient by coefficient.  So the two functions are
    equal at every radius at which neither D nor a p_i is 0, that is almost everywhere, as neither
    is the zero polynomial.
    """
    parts = list(node.args) if node.kind == "mul" else [node]
    mine = [a for a in parts if root_of_r(a) is not None]
    require(bool(mine), "factored names no rational function", "steps")
    whole_root = root_of_r(mul(num(1), *mine))
    q = whole_root if whole_root is not None else 0
    require(q > 0, "a rational function has too many roots of r")
    given = step["factors"]
    listed = isinstance(given, list) and len(given) <= MAX_FACTORS
    require(listed, "factored.factors is not a list", "format")
    c = rational(step["constant"], "factored.constant")
    top, below = ([Fraction(1)], [Fraction(1)])
    for a in mine:
        over, under = quotient(a, q)
        top, below = product(top, over), product(below, under)
    below = product(below, [c] if c else [])
    factors = [num(c)]
    for entry in given:
        record(entry, "factored.factors", {"polynomial", "power"})
        m = whole(entry["power"], "factored.power", -MAX_MULTIPLICITY, MAX_MULTIPLICITY)
        coefficients = entry["polynomial"]
        fits = isinstance(coefficients, list) and 2 <= len(coefficients) <= 64 and m != 0
        require(fits, "factored.polynomial is not a list of coefficients", "format")
        p = trimmed([rational(x, "factored.polynomial") for x in coefficients])
        require(len(p) > 1, "a factor is constant", "format")
        for _ in range(abs(m)):
            top, below = (product(top, p), below) if m < 0 else (top, product(below, p))
        factors.append(power(in_r(p, q), Fraction(m)))
    require(bool(c) and top == below, "the product is not the rational function")
    return mul(*factors, *(a for a in parts if root_of_r(a) is None))


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """Of polynomials that are not long, as N and D are not."""
    found = times(a, b)
    fits = len(found) <= 2 * MAX_DEGREE and all(length(c) <= 2 * MAX_COEFFICIENT for c in found)
    require(fits, "a product is too long", "limits")
    return found


def rebuilt(node: Node, new: dict[int, Node]) -> Node:
    """The tree with other nodes in the place of those numbered; conditions stay as they are."""
    if node.number in new:
        return new[node.number]
    parts = tuple(
        rebuilt(a, new) if isinstance(a, Node)
        else (rebuilt(a[0], new), *a[1:]) if isinstance(a, tuple) else a
        for a in node.args)
    if all(a is b or (isinstance(a, tuple) and a[0] is b[0])
           for a, b in zip(parts, node.args, strict=True)):
        return node
    met = any(isinstance(a, Node) and a.kind == "num" and a is not b
              for a, b in zip(parts, node.args, strict=True))
    fresh = (FOLDED if met else {}).get(node.kind, partial(Node, node.kind))(*parts)
    fresh.number = fresh.number or node.number
    return fresh


def renewed(tree: Node, number: int, form: Callable[[Node], Node]) -> Node:
    """The tree with another node in the place of the one with that number."""
    node = next((part for part in walk(tree) if part.number == number), None)
    require(node is not None, "a rewriting names no node", "steps")
    assert node is not None
    return rebuilt(tree, {number: form(node)})


def each_renewed(tree: Node, given: Any, name: str, form: Callable[[Node], Node]) -> Node:
    """The tree with another form of the nodes that a step lists by their numbers."""
    listed = isinstance(given, list) and 0 < len(given) <= MOST_RENEWED
    require(listed, f"{name} is not a list of nodes", "format")
    for number in given:
        tree = renewed(tree, whole(number, name, 1, 10**6), form)
    return tree


def derivative(p: Polynomial) -> Polynomial:
    return [k * c for k, c in enumerate(p)][1:]


def divided(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest, result = list(a), [Fraction(0)] * max(0, len(a) - len(b) + 1)
    while len(rest) >= len(b):
        c, shift = rest[-1] / b[-1], len(rest) - len(b)
        result[shift] = c
        rest = trimmed([x - c * b[i - shift] if i >= shift else x for i, x in enumerate(rest)][:-1])
    return trimmed(result), rest


def primitive(p: Polynomial) -> Polynomial:
    """A positive multiple with coprime whole coefficients."""
    if not p:
        return p
    scale = lcm(*(c.denominator for c in p))
    common = gcd(*(int(c * scale) for c in p))
    return [c * scale / common for c in p]


def common_divisor(a: Polynomial, b: Polynomial) -> Polynomial:
    a, b = primitive(a), primitive(b)
    for p in (a, b):
        work = len(p) ** 2 * max(map(length, p), default=0)
        require(work <= MAX_CHAIN, "a polynomial is too long for its chain of remainders", "limits")
    while b:
        a, b = b, primitive(divided(a, b)[1])
    return a


@rule("K101")
def positive_roots(p: Polynomial) -> int:
    """The number of positive roots of a polynomial that is not 0, each counted once.

    Lemma (Sturm).  Divide p by its greatest common divisor with p', and by a power of s.  Then in
    the chain p, p', and each time minus the remainder of the last two, taken up to positive
    factors, the signs change V(0) times at 0 and V(oo) times at infinity, and V(0) - V(oo) is the
    number of positive roots.
    """
    require(bool(p) and len(p) <= MAX_STURM, "a polynomial is 0, or its degree is too large")
    p = primitive(p[next(i for i, c in enumerate(p) if c):])
    p = divided(p, common_divisor(p, derivative(p)))[0] if len(p) > 1 else p
    chain = [p, derivative(p)]
    while chain[-1]:
        chain.append([-c for c in primitive(divided(chain[-2], chain[-1])[1])])
    chain.pop()
    at_zero = [q[0] for q in chain]
    return changes(at_zero) - changes([q[-1] for q in chain])


def changes(values: list[Fraction]) -> int:
    signs = [v > 0 for v in values if v]
    return sum(a != b for a, b in pairwise(signs))


def odd_part(p: Polynomial) -> Polynomial:
    """A polynomial whose roots are the roots of odd multiplicity of p."""
    odd, count = [Fraction(1)], 1
    rest = common_divisor(p, derivative(p))
    simple = divided(p, rest)[0]
    while len(simple) > 1:
        shared = common_divisor(simple, rest) if len(rest) > 1 else [Fraction(1)]
        if count % 2 == 1:
            odd = times(odd, divided(simple, shared)[0])
        rest, simple, count = divided(rest, shared)[0], shared, count + 1
    return odd


@rule("K102")
def falls_by_algebra(tree: Node) -> None:
    """f is non-increasing, by the sign of a rational function.

    Lemma.  f is a product of numbers, powers of rational functions R_i of s = r^(1/q), and
    exponentials of such functions Q, where no numerator or denominator of an R_i, and no
    denominator of a Q, has a positive root (K101).  So f is differentiable, and the derivative of
    log f by s, the sum of p_i R_i'/R_i and of Q', is a rational function N/D.  R_i is positive at
    1, so everywhere; N/D is 0, or negative at some s, D has no positive root and N none of odd
    multiplicity, so that it is nowhere positive.
    """
    factors = list(tree.args) if tree.kind == "mul" else [tree]
    logs = [part for f in factors for part in logarithms(f)]
    roots = [root_of_r(node) for _, node, _ in logs]
    require(None not in roots, "f is no product of powers and exponentials of rational functions")
    q = lcm(1, *roots)  # type: ignore[arg-type]
    top: Polynomial = []
    below = [Fraction(1)]
    for p, node, is_exponent in logs:
        over, under = quotient(node, q)
        positive = is_exponent or value(over, Fraction(1)) * value(under, Fraction(1)) > 0
        require(positive, "a factor of f is not shown positive")
        for part in ([under] if is_exponent else [over, under]):
            require(positive_roots(part) == 0, "a factor of f has a zero or a pole")
        slope = plus(times(derivative(over), under), [-c for c in times(over, derivative(under))])
        divisor = times(under, under) if is_exponent else times(over, under)
        top = plus(times(top, divisor), times([p * c for c in slope], below))
        below = times(below, divisor)
        if top:
            shared = common_divisor(top, below)
            top, below = divided(top, shared)[0], divided(below, shared)[0]
        require(max(len(top), len(below)) <= MAX_STURM, "a derivative is too large", "limits")
    if not top:
        return
    negative = any(value(top, x) * value(below, x) < 0 for x in map(Fraction, range(1, 5)))
    require(negative and positive_roots(odd_part(top)) == 0, "f is not shown to fall by algebra")
    require(positive_roots(below) == 0, "f is not shown to fall by algebra")


@rule("K103")
def met_by_algebra(need: Need) -> bool:
    """A need for a sign that a rational function of a root of r has.

    Lemma.  With s = r^(1/q) the node is N/D.  N D is positive at one of a few s and has no positive
    root of odd multiplicity, so N/D is never negative; and N and D, not being the polynomial 0,
    vanish at few radii only.
    """
    q = root_of_r(need.node) if isinstance(need.node, Node) else None
    if q is None or need.kind not in ("positive", "nonnegative"):
        return False
    top, below = quotient(need.node, q)
    both = times(top, below)
    positive = any(value(both, x) > 0 for x in map(Fraction, range(1, 5)))
    return positive and positive_roots(odd_part(both)) == 0


def logarithms(factor: Node) -> list[tuple[Fraction, Node, bool]]:
    """log of a factor as a sum of p log R, or of p Q (True): each p with R or Q."""
    p = Fraction(1)
    while factor.kind == "pow" and root_of_r(factor) is None:
        factor, p = factor.args[0], p * factor.args[1]
    if factor.kind == "mul" and p != 1:
        return [(p * k, node, e) for a in factor.args for k, node, e in logarithms(a)]
    if factor.kind == "num":
        require(factor.args[0] > 0, "a factor of f is not positive")
        return []
    if factor.kind == "exp":
        return [(p, factor.args[0], True)]
    return [(p, factor, False)]


def value(p: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


REWRITINGS["factored"] = factored
FALLING_FORMS["algebra"] = falls_by_algebra
MEETING["algebra"] = met_by_algebra
