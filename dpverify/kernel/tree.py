"""The tree of a generator: few kinds of node, and rewriting while it is built.

K4.  Every rewriting here is an identity wherever all that was typed has a value; that it has
one almost everywhere is proved apart (definedness.py), from what was typed and not from what is
left.  The identities: sums and products are associative and rationals in them are added up and
multiplied; r > 0, so powers of r are gathered; u^a u^b = u^(a+b) for one u that is a positive sum
or pi; (u^a)^b = u^(ab) for whole a, b, or positive u; (u v)^p = u^p v^p for positive u, v;
sin^2 u = (1 - cos 2u)/2, cos^2 u = (1 + cos 2u)/2; -(u + v) = -u - v.
"""

from __future__ import annotations

from fractions import Fraction

from .rules import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_NODES, MAX_EXPONENT, MAX_BITS = 20_000, 10_000, 20_000
POSITIVE, EXPONENTIAL, INHERITING = {"r", "pi", "exp"}, {"exp"}, {"add", "mul", "pow"}
"""Kinds that are positive wherever they have a value; whose logarithm is better known than their
value; and kinds that are so if a part is."""


class Node:
    """One node: num, pi, r, add, mul, pow, exp, log, or a kind that a section brings.

    `positive` says that the form shows it positive wherever it has a value, `exponential` that it
    is better known by its logarithm than as a number.  `number` names it within its text: nodes are
    numbered from 1, parts before wholes, and then those that rewriting made.
    """

    __slots__ = ("args", "exponential", "kind", "number", "positive", "size")

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind, self.args, self.number = kind, args, 0
        parts = [a for a in args if isinstance(a, Node)]
        parts += [a[0] for a in args if isinstance(a, tuple)]
        self.size = 1 + weight(args)  # what is shared counts as often as it is met
        small = self.size <= MAX_NODES
        require(small, "the generator's text unfolds to too large a tree", "limits")
        self.exponential: bool = kind in EXPONENTIAL or (kind == "pow" and args[1] < 0) or (
            kind in INHERITING and any(p.exponential for p in parts))
        self.positive: bool = kind in POSITIVE or (kind == "num" and args[0] > 0) or (
            kind in ("pow", "add", "mul") and all(p.positive for p in parts))


def weight(part: Any) -> int:
    """The size of a node, or of all nodes of branches and conditions."""
    if isinstance(part, Node):
        return part.size
    return sum(map(weight, part)) if isinstance(part, tuple) else 0


def num(value: Fraction | int) -> Node:
    size = Fraction(value)
    require(length(size) <= MAX_BITS, "a number is too long", "limits")
    return Node("num", size)


def add(*terms: Node) -> Node:
    parts = [part for t in terms for part in (t.args if t.kind == "add" else (t,))]
    total = sum((part.args[0] for part in parts if part.kind == "num"), Fraction(0))
    parts = [part for part in parts if part.kind != "num"]
    if total or not parts:
        parts.append(num(total))
    for joined in JOINED.values():
        parts = joined(parts)
    return parts[0] if len(parts) == 1 else Node("add", *parts)


def mul(*factors: Node) -> Node:
    total, radial, flat = Fraction(1), Fraction(0), []
    for part in (part for f in factors for part in (f.args if f.kind == "mul" else (f,))):
        if part.kind == "num":
            total *= part.args[0]
        elif part.kind == "r" or (part.kind == "pow" and part.args[0].kind == "r"):
            radial += part.args[1] if part.kind == "pow" else 1
        else:
            flat.append(part)
    if radial < 0 and any(part.kind in UNFOLDED for part in flat):
        flat = [UNFOLDED[part.kind](part) if part.kind in UNFOLDED else part for part in flat]
        return mul(num(total), *flat, Node("pow", Node("r"), radial))
    flat = gathered(flat)
    if radial:
        flat.insert(0, power(Node("r"), radial))
    if len(flat) == 1 and flat[0].kind == "add" and total == -1:
        return add(*(mul(num(-1), t) for t in flat[0].args))
    if total != 1 or not flat:
        flat.insert(0, num(total))
    return flat[0] if len(flat) == 1 else Node("mul", *flat)


def minus(u: Node) -> Node:
    return mul(num(-1), u)


def gathered(factors: list[Node]) -> list[Node]:
    """The factors, powers of pi or of one positive sum made one power."""
    sums: list[list[Any]] = []
    others: list[Node] = []
    for factor in factors:
        base, p = factor.args if factor.kind == "pow" else (factor, Fraction(1))
        if base.kind not in ("add", "pi") or not base.positive:
            others.append(factor)
            continue
        known = next((pair for pair in sums if same(pair[0], base)), None)
        if known is None:
            sums.append([base, p])
        else:
            known[1] += p
    return others + [power(base, p) for base, p in sums if p]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Node) and isinstance(b, Node):
        return a.kind == b.kind and same(a.args, b.args)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def power(base: Node, p: Fraction) -> Node:
    bounded = max(abs(p.numerator), p.denominator) <= 10**9
    require(bounded, "an exponent is too large", "limits")
    if p == 1:
        return base
    if base.kind == "num" and p.denominator == 1:
        require(base.args[0] != 0 or p > 0, "divides by zero, or takes 0**0")
        small = abs(p) <= MAX_EXPONENT and abs(p) * length(base.args[0]) <= MAX_BITS
        require(small, "a power is too large", "limits")
        return num(base.args[0] ** int(p))
    whole = base.kind == "pow" and base.args[1].denominator == p.denominator == 1
    if base.kind == "pow" and (base.args[0].positive or whole):
        return power(base.args[0], base.args[1] * p)
    if base.kind in SQUARES and p == 2:
        return SQUARES[base.kind](base)
    if base.kind == "mul" and all(f.positive for f in base.args):
        return mul(*(power(f, p) for f in base.args))
    return Node("pow", base, p)


SQUARES: dict[str, Callable[[Node], Node]] = {}
"""Kinds whose square has a form that shows that it is not negative."""
JOINED: dict[str, Callable[[list[Node]], list[Node]]] = {}
"""Kinds that make one function with another term of a sum, by a multiple; the terms once joined."""
UNFOLDED: dict[str, Callable[[Node], Node]] = {}
"""Kinds that have a power of r in them, which cancels beside a negative one."""


def length(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def walk(root: Any) -> list[Node]:
    """Each node of a tree, or of a tuple of trees and conditions, once; parts before wholes."""
    seen: set[int] = set()
    found: list[Node] = []
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        part, done = stack.pop()
        if isinstance(part, tuple):
            stack.extend((p, False) for p in reversed(part))
        elif isinstance(part, Node) and done:
            found.append(part)
        elif isinstance(part, Node) and id(part) not in seen:
            seen.add(id(part))
            stack += (part, True), (part.args, False)
    return found


NEVER_NEGATIVE: dict[str, Callable[[Node], bool]] = {
    "num": lambda node: node.args[0] >= 0,
    "add": lambda node: all(map(never_negative, node.args)),
    "mul": lambda node: all(map(never_negative, node.args)),
    "pow": lambda node: never_negative(node.args[0]) or node.args[1] % 2 == 0,
}


def never_negative(node: Node) -> bool:
    """Squares, |u|, exponentials, a + b cos u with a >= |b|, and what is made of them."""
    return node.positive or (node.kind in NEVER_NEGATIVE and NEVER_NEGATIVE[node.kind](node))


def never_zero(node: Node) -> bool:
    """Positive things, numbers other than 0, and products and powers of such."""
    if node.kind == "mul":
        return all(map(never_zero, node.args))
    if node.kind == "pow":
        return never_zero(node.args[0])
    return node.positive or (node.kind == "num" and node.args[0] != 0)
