"""Log f beside a pole within a function that stays bounded there: a box that ends at the pole, its slopes left open.

A ball has no infinite end, so ends are kept apart: numbers, or infinite floats.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.ball import between, hull
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.nodes import Node, positive_by_form
from dpverify.enclosures.swept import OnBox
from dpverify.findings import Part, Reason

BOUNDED = ("exp", "atan", "sin", "cos")
End = arb | float
Ends = tuple[End, End]


def poles_within(node: Node, inside: bool = False) -> Iterator[Node]:
    """The bases of negative powers within functions that may stay bounded beside a pole."""
    pole = node.kind == "pow" and node.args[1] < 0
    if pole and inside and not positive_by_form(node.args[0]):
        yield node.args[0]
    for part in node.args:
        if isinstance(part, Node):
            yield from poles_within(part, inside or pole or node.kind in BOUNDED)


def log_beside_poles(node: Node, a: Fraction, b: Fraction) -> Slope:
    """log f on the open box (a, b), without slopes; raises Undecided."""
    low, high = _Parts(a, b).of(node)
    if isinstance(low, float) or isinstance(high, float) or not low > 0:
        raise Undecided(Reason.MAY_BE_ZERO())
    return Slope(Ball(hull(low.log(), high.log())), Ball(arb("[+/- inf]")))


class _Parts:
    """Bounds of nodes on an open box."""

    def __init__(self, a: Fraction, b: Fraction) -> None:
        ends = exact(a), exact(b)
        self.at = Evaluation(OnBox.radius(between(*ends)), Edges(ends, fmpq(0)))

    def of(self, node: Node) -> Ends:
        """Bounds of a node, either of which may be infinite; raises Undecided."""
        try:
            value = self.at.value(node).u.x
            if value.is_finite():
                ends: Ends = value.lower(), value.upper()
                return self._signed(node, ends)
        except Undecided:
            pass
        if node.kind in ("sin", "cos"):
            return arb(-1), arb(1)
        parts = [self.of(part) for part in node.args if isinstance(part, Node)]
        if node.kind == "add":
            return _sum([low for low, _ in parts], -inf), _sum([high for _, high in parts], inf)
        if node.kind == "mul":
            total = parts[0]
            for other in parts[1:]:
                products = [_product(x, y) for x in total for y in other]
                total = _least(products), _most(products)
            return total
        if node.kind == "pow":
            return _power(*parts[0], node.args[1])
        if node.kind == "max":
            return _most([low for low, _ in parts]), _most([high for _, high in parts])
        if node.kind in ("exp", "atan", "log"):
            low, high = (_value(node.kind, end) for end in parts[0])
            return low, high
        raise Undecided(Reason.MAY_BE_ZERO())

    def _signed(self, node: Node, ends: Ends) -> Ends:
        """The same, cut at 0 where the sign on the open box is known exactly."""
        if node.kind == "max":
            return _most([ends[0], *(self.of(part)[0] for part in node.args)]), ends[1]
        sign = self.at.sign(node) if node.kind == "add" and node.rational else None
        if sign == 1:
            return _most([ends[0], arb(0)]), ends[1]
        return (ends[0], _least([ends[1], arb(0)])) if sign == -1 else ends


def _least(ends: list[End]) -> End:
    if any(x == -inf for x in ends if isinstance(x, float)):
        return -inf
    found: End = inf
    for x in ends:
        if not isinstance(x, float):
            found = x.lower() if isinstance(found, float) else found.min(x.lower())
    return found


def _most(ends: list[End]) -> End:
    found = _least([-x for x in ends])
    return -found


def _sum(ends: list[End], infinite: float) -> End:
    if any(isinstance(x, float) for x in ends):
        return infinite
    total = sum((x for x in ends if not isinstance(x, float)), arb(0))
    return total.lower() if infinite < 0 else total.upper()


def _product(x: End, y: End) -> End:
    """Of 0 and what is infinite it is 0: that is the product of 0 and every number."""
    if isinstance(x, float) or isinstance(y, float):
        sign = _sign(x) * _sign(y)
        return sign * inf if sign else arb(0)
    return x * y


def _sign(x: End) -> int:
    if isinstance(x, float):
        return 1 if x > 0 else -1
    if not (x > 0 or x < 0 or x.is_zero()):
        raise Undecided(Reason.NO_SIGN(what=Part.FACTOR))
    return int(x > 0) - int(x < 0)


def _power(low: End, high: End, p: fmpq) -> Ends:
    if p < 0 and p.q == 1 and int(p) % 2 == 0 and _sign(low) * _sign(high) < 0:
        size = _most([-low, high])
        return _inverse(size, -p), inf
    if p.q == 1 and _sign(high) <= 0:
        first, last = _power(-high, -low, p)
        return (-last, -first) if int(p) % 2 else (first, last)
    if _sign(low) < 0:
        raise Undecided(Reason.MAY_BE_ZERO())
    if p < 0:
        return _inverse(high, -p), _inverse(low, -p)
    return tuple(x if isinstance(x, float) or x.is_zero() else (x.log() * p).exp() for x in (low, high))  # type: ignore[return-value]


def _inverse(x: End, p: fmpq) -> End:
    if isinstance(x, float):
        return arb(0)
    return inf if x.is_zero() else (x.log() * -p).exp()


def _log(x: End) -> End:
    if _sign(x) < 0:
        raise Undecided(Reason.OF_NEGATIVE(what=Part.LOGARITHM))
    return x if isinstance(x, float) else -inf if x.is_zero() else x.log()


def _value(kind: str, x: End) -> End:
    if kind == "log":
        return _log(x)
    if isinstance(x, float):
        if kind == "exp":
            return inf if x > 0 else arb(0)
        return arb.pi() / 2 * (1 if x > 0 else -1)
    return x.exp() if kind == "exp" else x.atan()
