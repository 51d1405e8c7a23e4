"""Nodes: the few kinds of term that enclosures know how to evaluate, and what is simplified as they are made.

Powers of r are gathered, and what cancels leaves no trace: the fewer kinds there are, the fewer rules need a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from flint import fmpq, fmpz

from dpverify.enclosures.ball import Undecided
from dpverify.enclosures.special import LOGARITHMIC
from dpverify.findings import Reason

RATIONAL = ("num", "r", "add", "mul", "pow")
EXACT = (*RATIONAL, "max")
CARRYING = ("add", "mul", "max", "pow", "piece")
STEEP = frozenset({"exp", "matern", "erfc", *LOGARITHMIC})


class Node:
    """One node: `kind` is num, pi, r, add, mul, pow, exp, log, sin, cos, floor, max, piece or a special function.

    `exponential` says whether its value is better known by its logarithm than as a number, `rational` that it is a
    rational function, `exact` that it is made of those and of maxima: rational at rational radii.
    """

    __slots__ = ("args", "exact", "exponential", "kind", "rational")
    rational: bool
    exact: bool
    exponential: bool

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind, self.args = kind, args
        self.rational = self.exact = kind in ("num", "r")
        self.exponential = False
        if self.rational:
            return
        parts = [a for a in args if isinstance(a, Node)]
        if kind in EXACT and (kind != "pow" or args[1].q == 1):
            self.rational = kind in RATIONAL and all(p.rational for p in parts)
            self.exact = self.rational or all(p.exact for p in parts)
        if kind in CARRYING:
            branches = [a[0] for a in args if isinstance(a, tuple)]
            steep = any(p.exponential for p in parts + branches)
            self.exponential = steep or (kind == "pow" and args[1] < 0)
        else:
            self.exponential = kind in STEEP


def num(value: fmpq | int) -> Node:
    """A rational number."""
    return Node("num", fmpq(value))


MINUS, ONE, TWO = num(-1), num(1), num(2)
MAX_BITS = 10**6  # of a power of numbers


def add(*terms: Node) -> Node:
    """The sum, flat, its rationals added up."""
    flat: list[Node] = []
    total = fmpq(0)
    for term in terms:
        for part in term.args if term.kind == "add" else (term,):
            if part.kind == "num":
                total += part.args[0]
            else:
                flat.append(part)
    if total or not flat:
        flat.append(num(total))
    if any(a.kind == "atan" for part in flat for a in factors_of(part)):
        flat = _joined(flat)
    return flat[0] if len(flat) == 1 else Node("add", *flat)


def factors_of(node: Node) -> tuple[Node, ...]:
    """The factors of a product, or the node itself."""
    return node.args if node.kind == "mul" else (node,)


def _joined(parts: list[Node]) -> list[Node]:
    """a pi^j atan u and the term that cancels its limit at oo, or at -oo, as one multiple of acot = pi/2 - atan."""
    numbers = {found[:2]: i for i, part in enumerate(parts) if (found := _multiple_of(part, None)) is not None}
    for i, part in enumerate(parts):
        found = _multiple_of(part, "atan")
        if found is None:
            continue
        a, j, u = found
        assert u is not None
        for sign in (-1, 1):
            k = numbers.get((a * sign / 2, j + 1))
            if k is not None:
                one = Node("acot", u if sign < 0 else mul(MINUS, u))
                turns = [power(Node("pi"), fmpq(j))] if j else []
                rest = [p for n, p in enumerate(parts) if n not in (i, k)]
                last = [p for p in rest if p.kind == "num"]
                return _joined([*(p for p in rest if p.kind != "num"), mul(num(a * sign), *turns, one), *last])
    return parts


def _multiple_of(node: Node, kind: str | None) -> tuple[fmpq, fmpq, Node | None] | None:
    """(a, j, u) where the node is a pi^j F(u), F of that kind, or a pi^j for None."""
    a, j, u = fmpq(1), fmpq(0), None
    for part in factors_of(node):
        if part.kind == "num":
            a = a * part.args[0]
        elif part.kind == "pi":
            j = j + 1
        elif part.kind == "pow" and part.args[0].kind == "pi":
            j = j + part.args[1]
        elif part.kind == kind and u is None:
            u = part.args[0]
        else:
            return None
    return (a, j, u) if (u is None) == (kind is None) else None


def mul(*factors: Node) -> Node:
    """The product, flat, its rationals, powers of r and of any other base collected."""
    flat: list[Node] = []
    total, radial = fmpq(1), fmpq(0)
    for factor in factors:
        for part in factor.args if factor.kind == "mul" else (factor,):
            if part.kind == "num":
                total *= part.args[0]
            elif part.kind == "r":
                radial += 1
            elif part.kind == "pow" and part.args[0].kind == "r":
                radial += part.args[1]
            else:
                flat.append(part)
    if not total:
        return num(0)  # that all parts have values is shown of what was typed
    if radial < 0 and any(part.kind == "lowergamma" for part in flat):
        return mul(num(total), *(_without_pole(part) for part in flat), Node("pow", Node("r"), radial))
    gathered = _gathered(flat)
    if len(gathered) < len(flat):  # a power of the bases may be a number, or a product
        return mul(num(total), power(Node("r"), radial), *gathered)
    flat = gathered
    if radial:
        flat.insert(0, power(Node("r"), radial))
    if len(flat) == 1 and flat[0].kind == "add" and total == -1:
        return add(*(mul(MINUS, term) for term in flat[0].args))
    if total != 1 or not flat:
        flat.insert(0, num(total))
    return flat[0] if len(flat) == 1 else Node("mul", *flat)


def _without_pole(part: Node) -> Node:
    """gammainc(a, x) = x^a G(x)/Gamma(a + 1), so that x^a cancels a negative power of r beside it."""
    if part.kind != "lowergamma":
        return part
    a, x = part.args
    return mul(power(x, a), Node("kummer", a, x), power(Node("gamma", num(a + 1)), fmpq(-1)))


def _gathered(factors: list[Node]) -> list[Node]:
    """Powers of one base become one power, so that what cancels leaves no trace; those of pi and positive sums last."""
    found: list[tuple[Node, fmpq]] = []
    for factor in factors:
        base, p = factor.args if factor.kind == "pow" else (factor, fmpq(1))
        for i, (known, q) in enumerate(found):
            sign = _as_power(known, base)
            if sign:
                found[i] = known, q + sign * p
                break
        else:
            found.append((base, p))
    if len(found) < len(factors):
        return [power(base, p) for base, p in found if p != 0]
    return sorted(factors, key=lambda factor: _of_sum_or_pi(factor.args[0] if factor.kind == "pow" else factor))


def _of_sum_or_pi(base: Node) -> bool:
    return base.kind in ("add", "pi") and positive_by_form(base)


def _as_power(known: Node, base: Node) -> int:
    """1 where the two are one base, -1 where they are e^u and e^(-u), else 0."""
    if same(known, base):
        return 1
    exponentials = known.kind == base.kind == "exp"
    return -1 if exponentials and same(known.args[0], mul(MINUS, base.args[0])) else 0


def same(a: object, b: object) -> bool:
    """Whether two nodes, or two parts of nodes, are the same tree."""
    if isinstance(a, Node) and isinstance(b, Node):
        return a is b or (a.kind == b.kind and same(a.args, b.args))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u), None for any other."""
    if node.kind != "max" or len(node.args) != 2:
        return None
    u, other = node.args
    return u if same(other, mul(MINUS, u)) else None


@lru_cache(maxsize=1_000)
def may_end(term: Node) -> tuple[Node, ...]:
    """What cases may make 0 of the factors of a term, or of that of which one is a power."""
    bases = [a.args[0] if a.kind == "pow" and a.args[1] > 0 else a for a in factors_of(term)]
    return tuple(b for b in bases if not positive_by_form(b) and not kinds(b).isdisjoint({"max", "piece"}))


def power(base: Node, p: fmpq) -> Node:
    """base^p, p rational, simplified where that is exact."""
    if p == 1:
        return base
    if p == 0:
        return ONE  # that the base has a value other than 0 is shown of what was typed
    if base.kind == "num" and p.q == 1:
        if base.args[0] == 0 and p < 0:
            raise Undecided(Reason.DIVIDES_BY_ZERO())
        if base.args[0].height_bits() * abs(p) > MAX_BITS:
            raise Undecided(Reason.POWER_TOO_LARGE())
        return num(base.args[0] ** int(p))
    if base.kind == "pow" and (positive_by_form(base.args[0]) or base.args[1].q == p.q == 1):
        return power(base.args[0], base.args[1] * p)
    if base.kind in ("sin", "cos") and p == 2:  # (1 -+ cos 2u)/2, which shows that it is not negative
        wave = Node("cos", mul(TWO, base.args[0]), base.args[1])
        return mul(num(fmpq(1, 2)), add(ONE, wave if base.kind == "cos" else mul(MINUS, wave)))
    if base.kind == "mul" and all(positive_by_form(f) for f in base.args):
        return mul(*(power(f, p) for f in base.args))
    return Node("pow", base, p)


@lru_cache(maxsize=1_000)
def squared(u: Node) -> Node:
    """The square of a node, multiplied out, so that (r/sqrt(2))^2 is r^2/2."""
    terms = u.args if u.kind == "add" else (u,)
    squares = (mul(*(power(f, fmpq(2)) for f in factors_of(t))) for t in terms)
    return add(*squares, *(mul(TWO, a, b) for a, b in combinations(terms, 2)))


def positive_by_form(node: Node) -> bool:
    """Positive at every r > 0 by its form, so that (u v)^p = u^p v^p and (u^p)^q = u^(p q)."""
    if node.kind in ("pow", "add", "mul"):
        return all(positive_by_form(a) for a in node.args if isinstance(a, Node))
    return node.kind in ("r", "pi", "exp") or (node.kind == "num" and node.args[0] > 0)


def exact_value(node: Node, r: fmpq) -> fmpq | None:
    """The exact value of an exact node at a rational radius; None at a pole."""
    kind, args = node.kind, node.args
    if kind == "num":
        return args[0]  # type: ignore[no-any-return]
    if kind == "r":
        return r
    values: list[fmpq] = []
    for a in args:
        if isinstance(a, Node):
            value = exact_value(a, r)
            if value is None:
                return None
            values.append(value)
    if kind == "pow":
        return None if values[0] == 0 and args[1] < 0 else values[0] ** int(args[1])
    if kind == "max":
        return max(values)
    result = fmpq(0 if kind == "add" else 1)
    for v in values:
        result = result + v if kind == "add" else result * v
    return result


def power_of_radius(node: Node) -> tuple[fmpq, fmpq] | None:
    """(a, p) where the node is a r^p, a > 0 and p > 0 a short fraction that is not whole."""
    factors = factors_of(node)
    a = factors[0].args[0] if factors[0].kind == "num" else fmpq(1)
    rest = factors[1:] if factors[0].kind == "num" else factors
    if a <= 0 or len(rest) != 1 or rest[0].kind != "pow" or rest[0].args[0].kind != "r":
        return None
    p = rest[0].args[1]
    return (a, p) if p > 0 and 1 < p.q <= 8 and p.p <= 8 else None


def whole_root(a: fmpq, p: fmpq, r: fmpq) -> tuple[int, bool]:
    """floor(a r^p), r >= 0, and whether a r^p is that number."""
    q = int(p.q)
    x = a**q * max(r, fmpq(0)) ** int(p.p)
    n = int(fmpz(x.floor()).root(q))
    return n, n**q == x


def walk(node: Node) -> Iterator[Node]:
    """Every node of a tree, those in conditions included."""
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif isinstance(part, Node):
            yield part
            stack.extend(part.args)


def kinds(node: Node) -> set[str]:
    """The kinds of node in a tree."""
    return {part.kind for part in walk(node)}


def waves(node: Node) -> list[Node]:
    """Every sine, cosine and floor in a tree."""
    return [part for part in walk(node) if part.kind in ("sin", "cos", "floor")]


def as_fraction(value: fmpq) -> Fraction:
    """A python-flint rational as Python's."""
    return Fraction(int(value.p), int(value.q))
