"""f on complex balls, for rigorous integration: on a panel where its cases are settled, f is analytic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import acb, arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.evaluation import gamma
from dpverify.enclosures.nodes import MINUS, Node, add, mul, num
from dpverify.findings import Part, Reason

Cases = dict[int, Any]  # by a node's id: the integer that a floor is, the part that a max or a piece is
BRANCHING = ("floor", "max", "piece")
NARROWEST = Fraction(1, 2**60)
NOT_ANALYTIC = acb(arb.nan())


def panels(node: Node, points: list[Fraction]) -> Iterator[tuple[Fraction, Fraction, Cases | None]]:
    """Panels that cover the points' range, in order, with the cases that hold throughout each of them.

    A panel around a break that is not met exactly is halved until it is very narrow, and has None.
    """
    stack = list(pairwise(points))[::-1]
    while stack:
        a, b = stack.pop()
        settled = cases(node, a, b)
        if settled is None and b - a > NARROWEST * b:
            middle = (a + b) / 2
            stack += [(middle, b), (a, middle)]
        else:
            yield a, b, settled


def cases(node: Node, a: Fraction, b: Fraction) -> Cases | None:
    """What each floor, max and piece is on the open panel (a, b); None where that is not proved to be one thing."""
    found: Cases = {}
    try:
        _settle(node, a, b, found)
    except Undecided:
        return None
    return found


def branching(node: Node) -> bool:
    """Whether a tree has cases."""
    return node.kind in BRANCHING or any(branching(a) for a in node.args if isinstance(a, Node))


def specialised(node: Node, settled: Cases) -> Node:
    """The tree with the cases that hold on a panel."""
    if node.kind == "floor":
        return num(settled[id(node)])
    if node.kind in BRANCHING:
        return specialised(settled[id(node)], settled)
    if not branching(node):
        return node
    return Node(node.kind, *(specialised(a, settled) if isinstance(a, Node) else a for a in node.args))


def _settle(node: Node, a: Fraction, b: Fraction, found: Cases) -> None:
    if node.kind == "piece":
        for value, condition in node.args:
            if _holds(condition, a, b):
                found[id(node)] = value
                return _settle(value, a, b, found)
        raise Undecided(Reason.NO_BRANCH())
    for part in node.args:
        if isinstance(part, Node):
            _settle(part, a, b, found)
    if node.kind == "floor":
        whole = _value(node.args[0], Ball(arb(exact((a + b) / 2)))).x.mid().floor().unique_fmpz()
        over = add(node.args[0], num(-fmpq(whole)))
        if not (_sign(over, a, b) == 1 and _sign(add(over, num(-1)), a, b) == -1):
            raise Undecided(Reason.NOT_SETTLED(what=Part.FLOOR))
        found[id(node)] = whole
    if node.kind == "max":
        largest = node.args[0]
        for other in node.args[1:]:
            if _sign(add(other, mul(MINUS, largest)), a, b) == 1:
                largest = other
        found[id(node)] = largest


def _holds(condition: tuple[Any, ...], a: Fraction, b: Fraction) -> bool:
    kind = condition[0]
    if kind == "true":
        return True
    if kind == "not":
        return not _holds(condition[1], a, b)
    if kind in ("and", "or"):
        parts = [_holds(c, a, b) for c in condition[1:]]
        return all(parts) if kind == "and" else any(parts)
    return _sign(condition[1], a, b) == 1


def _sign(node: Node, a: Fraction, b: Fraction) -> int:
    """The sign throughout the open panel: by its values, or by its ends where it is monotone; raises Undecided."""
    sign = _value(node, Ball.between(a, b)).sign()
    if sign:
        return int(sign)
    slope = _value(node, Slope(Ball.between(a, b), Ball(arb(1)))).du.x
    if slope > 0 or slope < 0:
        ends = Edges((exact(a), exact(b)), fmpq(0)).bounds(node, False, lambda part, r: _value(part, Ball(arb(r))))
        if ends is not None and ends[0] >= 0:
            return 1
        if ends is not None and ends[1] <= 0:
            return -1
    raise Undecided(Reason.NOT_SETTLED(what=Part.SIGN))


def _value(node: Node, r: Any) -> Any:
    return Evaluation(r).value(node)


def complex_value(node: Node, z: acb, analytic: bool, settled: Cases) -> acb:
    """f(z^2) with the panel's cases; not finite where `analytic` is asked for and not certain."""
    kind, args = node.kind, node.args
    if kind == "num":
        return acb(arb(args[0]))
    if kind == "pi":
        return acb.pi()
    if kind == "r":
        return z
    if kind == "floor":
        return acb(settled[id(node)])
    if kind in ("max", "piece"):
        return complex_value(settled[id(node)], z, analytic, settled)
    if kind == "gamma":
        return acb(gamma(args[0]))
    if kind == "matern":  # x^p K_p(x)
        x, p = complex_value(args[1], z, analytic, settled), acb(arb(args[0]))
        return x.pow(p) * x.bessel_k(p) if x.real > 0 else NOT_ANALYTIC
    values = [complex_value(a, z, analytic, settled) for a in args if isinstance(a, Node)]
    if kind in ("add", "mul"):
        total = values[0]
        for v in values[1:]:
            total = total + v if kind == "add" else total * v
        return total
    if kind == "pow":
        return _power(values[0], args[1], analytic)
    if kind == "log":
        return values[0].log(analytic=analytic)
    if kind in ("sin", "cos"):
        return getattr(values[0], f"{kind}_pi" if args[1] else kind)()
    if kind in ("exp", "erfc"):
        return getattr(values[0], kind)()
    raise Undecided(Reason.NO_COMPLEX_ENCLOSURE(function=kind))


def _power(base: acb, p: fmpq, analytic: bool) -> acb:
    if p.q == 1:
        return base ** int(p.p)
    if p == fmpq(1, 2):
        return base.sqrt(analytic=analytic)
    return base.pow(acb(arb(p)), analytic=analytic)
