"""Logarithms of what vanishes with a part of it, as sin(exp(-r)) does with exp(-r): log F(w) = log w + log(F(w)/w).

Where F(0) = 0, G(z) = F(z)/z is the mean of F'(t z) over 0 < t < 1, so that its k-th coefficient about a z in [0, c] is
a mean of the coefficients of order k + 1 of F about points of [0, c], and Taylor's theorem about 0 encloses it.  What
log w knows exactly stays exact, while in a recurrence over balls the factor w, which varies by much on a panel, would
not cancel.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import lru_cache, reduce
from math import ceil, frexp
from typing import NamedTuple

from flint import arb, arb_series, ctx, fmpq

from dpverify.enclosures.nodes import Node, positive_by_form, power, same, walk

WIDE = 2.0**-20
"""How wide a ball of radii is, beside its middle, for which this is closer than a recurrence."""
SMALL, SMALLER = arb(0.5), arb(2) ** -24
"""How large the part may be on a panel, and about a point, where the recurrence forgets little."""
PARTS, GRAINS, LEAST = 8, 16, 2.0**-40
"""On how many parts of [0, c] F is looked at, each alone; of how many parts of a power of 2 c consists; and how small
it may be."""
AT_ZERO = {"exp": (0, 1), "log": (1, 0), "sin": (0, 0), "cos": (0, 1), "atan": (0, 0)}
"""Where functions have a value that is exact, and that value."""


class Vanishing(NamedTuple):
    """F, as a node in which the part is called r, and the part."""

    function: Node
    part: Node


@lru_cache(maxsize=1_000)
def vanishing(node: Node) -> Vanishing | None:
    """The parts of a node F(w), F(0) = 0, in which r occurs in the positive part w alone."""
    if node.kind == "r" or positive_by_form(node):
        return None
    node = _as_arctangent(node)
    for part in _parts(node):
        function = _of(node, part)
        if function is not None and _at_zero(function) == 0:
            return Vanishing(function, part)
    return None


def _parts(node: Node) -> Iterator[Node]:
    """What may tend to 0 and is positive, the outermost first."""
    for part in reversed(list(walk(node))):
        small = part.kind == "exp" or (part.kind == "pow" and part.args[1] < 0)
        if small and positive_by_form(part) and any(x.kind == "r" for x in walk(part)):
            yield part


def _as_arctangent(node: Node) -> Node:
    """acot u = atan(1/u) for positive u."""
    if node.kind == "acot" and positive_by_form(node.args[0]):
        return Node("atan", power(node.args[0], fmpq(-1)))
    return node


def _of(node: Node, part: Node) -> Node | None:
    """The node with r in place of a part of it; None where r is left beside it."""
    if same(node, part):
        return Node("r")
    if node.kind == "r":
        return None
    found = list[object]()
    for x in node.args:
        inner = _of(x, part) if isinstance(x, Node) else x
        if inner is None or isinstance(inner, tuple):
            return None
        found.append(inner)
    return Node(node.kind, *found)


def _at_zero(node: Node) -> fmpq | None:
    """The value at r = 0, where it is exact."""
    kind, args = node.kind, node.args
    if kind in ("num", "r"):
        return args[0] if kind == "num" else fmpq(0)  # type: ignore[no-any-return]
    values = list[fmpq]()
    for a in args:
        if isinstance(a, Node):
            inner = _at_zero(a)
            if inner is None:
                return None
            values.append(inner)
    if not values:
        return None
    whole = kind == "pow" and args[1] > 0 and args[1].q == 1
    if kind in ("log", "pow") and not whole and not (positive_by_form(args[0]) and values[0]):
        return None
    if kind == "pow":
        return values[0] if values[0] == 1 else values[0] ** int(args[1]) if args[1].q == 1 else None
    if kind in ("add", "mul"):
        total = fmpq(kind == "mul")
        for x in values:
            total = total + x if kind == "add" else total * x
        return total
    at, value = AT_ZERO.get(kind, (None, 0))
    return fmpq(value) if at is not None and values == [at] else None


def about_zero(function: Node, order: int) -> list[arb]:
    """F's coefficients about 0 below an order."""
    return _about(function, arb(0), order)


def over_part(function: Node, order: int, most: arb) -> list[arb]:
    """Coefficients of F(w)/w for 0 < w <= most, the last one making the polynomial exact."""
    mantissa, exponent = frexp(max(float(most), LEAST))
    return _over(function, order, ceil(mantissa * GRAINS * (1 + LEAST)), exponent, ctx.prec)


@lru_cache(maxsize=500)
def _over(function: Node, order: int, grains: int, exponent: int, bits: int) -> list[arb]:
    """F_1(0) to F_n(0), and what F_(n+1) is on [0, c], c a short number, known to so many bits."""
    c = arb(grains) / GRAINS * arb(2) ** exponent
    places = (arb(2 * i + 1, 1) * c / (2 * PARTS) for i in range(PARTS))
    last, *others = (_about(function, x, order + 2)[-1] for x in places)
    for x in others:
        last = last.union(x)
    return [*about_zero(function, order + 1)[1:], last]


def _about(function: Node, x: arb, order: int) -> list[arb]:
    """F's coefficients about each point of a ball, below an order; every part of F has a value at 0 that is exact."""
    former = ctx.cap
    ctx.cap = order
    try:
        found = _series(function, x)
        return [found[k] for k in range(order)]
    finally:
        ctx.cap = former


def _series(node: Node, at: arb) -> arb_series:
    kind, args = node.kind, node.args
    if kind in ("num", "r"):
        return arb_series([at, 1]) if kind == "r" else arb_series([arb(args[0])])
    parts = [_series(a, at) for a in args if isinstance(a, Node)]
    if kind in ("add", "mul"):
        return reduce(operator.add if kind == "add" else operator.mul, parts)
    (x,) = parts
    if kind == "pow":
        return x ** int(args[1]) if args[1].q == 1 else (x.log() * arb(args[1])).exp()
    if kind in ("sin", "cos") and args[1]:
        kind = f"{kind}_pi"
    return getattr(x, kind)()


def is_wide(centre: arb) -> bool:
    """Whether a series is about the radii of a panel, not about one."""
    return bool(centre.rad() > WIDE * abs(centre).upper())
