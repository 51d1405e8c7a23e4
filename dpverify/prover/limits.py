"""Radii at which f tends to 0: the limit of each part of it, where parts tend to 0 or to oo.

Precondition: a continuous g changes its sign on a box, so that |g|^p tends to 0 or to oo at some radius c in it.
Interval ends are kept apart here: a limit is often exactly 0, or infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.nodes import Node, absolute_of, kinds, same, walk
from dpverify.findings import Part, Reason
from dpverify.prover.cover import Box
from dpverify.prover.zeros import bounded, narrowed, sign_at

Limit = tuple[arb, arb]
ZERO, ENDLESS = (arb(0), arb(0)), (arb.pos_inf(), arb.pos_inf())


def tending_to_zero(node: Node, points: Sequence[Fraction]) -> Box | None:
    """A small box, found between two of the points, on which some g changes its sign and f tends to 0 where g does."""
    seen: list[Node] = []
    for part in walk(node):
        size = size_of(part)
        if size is None or any(same(size[0], g) for g in seen) or kinds(size[0]) & {"piece", "floor"}:
            continue
        g = size[0]
        seen.append(g)
        for box in _crossings(g, points):
            if bounded(g, box) and _tends_to_zero(node, g, box):
                return box
    return None


def _crossings(g: Node, points: Sequence[Fraction]) -> Iterator[Box]:
    signed = [(r, sign) for r in points if (sign := sign_at(g, r))]
    for (a, before), (b, after) in pairwise(signed):
        box = narrowed(g, a, b, before) if before != after else None
        if box is not None:
            yield box


def _tends_to_zero(node: Node, g: Node, box: Box) -> bool:
    try:
        low, high = _Limits(g, box).of(node)
    except Undecided:
        return False
    return bool(low.is_zero()) and bool(high.is_zero())


def size_of(node: Node) -> tuple[Node, fmpq] | None:
    """g and p where the node is |g|^p and p is not 0."""
    if node.kind == "pow":
        g, p = node.args
        if p == 0:
            return None
        inner = size_of(g)
        if inner is not None:
            return inner[0], inner[1] * p
        return (g, p) if p.q == 1 and int(p) % 2 == 0 else None
    inside = absolute_of(node)
    return None if inside is None else (inside, fmpq(1))


class _Limits:
    """The limits of nodes as r tends to where g is 0, along radii where it is not; infinite ends may be limits too."""

    def __init__(self, g: Node, box: Box) -> None:
        ends = exact(box[0]), exact(box[1])
        self.g, self.at = g, Evaluation(Slope(Ball.between(*box), Ball(arb(1))), Edges(ends, fmpq(0)))

    def of(self, node: Node) -> Limit:
        size = size_of(node)
        if size is not None and same(size[0], self.g):
            return ZERO if size[1] > 0 else ENDLESS
        kind = node.kind
        if kind in ("atan", "lambertw") and all(end.is_zero() for end in self.of(node.args[0])):
            return ZERO
        known = kind in ("add", "mul", "pow", "max", "exp", "log")
        if not known or not any(self._moves(part) for part in walk(node)):
            value = self.at.value(node).u.x
            if not value.is_finite():
                raise Undecided(Reason.LIMIT_NOT_FINITE())
            return value.lower(), value.upper()
        return limit_of(node, [self.of(a) for a in node.args if isinstance(a, Node)])

    def _moves(self, node: Node) -> bool:
        size = size_of(node)
        return size is not None and same(size[0], self.g)


def limit_of(node: Node, parts: list[Limit]) -> Limit:
    """The limit of a sum, product, power, maximum, exponential or logarithm, from those of its parts."""
    if node.kind == "pow":
        return _power(*parts[0], node.args[1])
    if node.kind == "max":
        return _extreme(arb.max, [low for low, _ in parts]), _extreme(arb.max, [high for _, high in parts])
    if node.kind == "exp":
        return _exponential(parts[0][0]).lower(), _exponential(parts[0][1]).upper()
    if node.kind == "log":
        return _logarithm(parts[0][0]).lower(), _logarithm(parts[0][1]).upper()
    return reduce(_sum if node.kind == "add" else _product, parts)


def _extreme(which: Callable[[arb, arb], arb], values: list[arb]) -> arb:
    return reduce(which, values)


def _known(*ends: arb) -> None:
    if any(end.is_nan() for end in ends):
        raise Undecided(Reason.LIMIT_NOT_FINITE())


def _sum(a: Limit, b: Limit) -> Limit:
    low, high = (a[0] + b[0]).lower(), (a[1] + b[1]).upper()
    _known(low, high)
    return low, high


def _product(a: Limit, b: Limit) -> Limit:
    for (low, high), other in ((a, b), (b, a)):
        apart = low > 0 or high < 0
        if not apart and not all(end.is_finite() for end in other):
            raise Undecided(Reason.LIMIT_NOT_FINITE())
    products = [arb(0) if x.is_zero() or y.is_zero() else x * y for x in a for y in b]
    _known(*products)
    return _extreme(arb.min, products).lower(), _extreme(arb.max, products).upper()


def _power(low: arb, high: arb, p: fmpq) -> Limit:
    if not low >= 0 or (p < 0 and not low > 0):
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.FRACTIONAL_POWER))
    ends = [_raised(end, p) for end in ((low, high) if p > 0 else (high, low))]
    return ends[0].lower(), ends[1].upper()


def _raised(x: arb, p: fmpq) -> arb:
    """x^p for 0 <= x <= oo."""
    if x.is_zero() or not x.is_finite():
        return arb(0) if x.is_zero() is (p > 0) else arb.pos_inf()
    if p.q == 1:
        return x ** int(p)
    return (x.log() * p).exp()


def _exponential(x: arb) -> arb:
    if x.is_finite():
        return x.exp()
    return arb.pos_inf() if x > 0 else arb(0)


def _logarithm(x: arb) -> arb:
    if not x >= 0:
        raise Undecided(Reason.OF_NEGATIVE(what=Part.LOGARITHM))
    if x.is_zero():
        return arb.neg_inf()
    return x.log() if x.is_finite() else arb.pos_inf()
