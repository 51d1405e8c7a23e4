"""Between which numbers the form of a node shows it to be, wherever it has a value: the kernel's logic is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from operator import mul

from flint import fmpq

from dpverify.enclosures.nodes import MINUS, Node, same
from dpverify.enclosures.nodes import mul as times
from dpverify.prover.monotone import nonnegative, positive

Bound = fmpq | None
Extent = tuple[Bound, Bound]
MAX_BITS = 1_000
ZERO, ONE, ABOVE_HALF_PI = fmpq(0), fmpq(1), fmpq(11, 7)


@lru_cache(maxsize=1_000)
def extent(node: Node) -> Extent:
    """The least and the greatest that its form lets a node be; None where it tells of no bound."""
    low, high = OF[node.kind](node) if node.kind in OF else (None, None)
    if (low is None or low < 0) and nonnegative(node, logs=False):
        low = ZERO
    return _short(low), _short(high)


def not_negative(node: Node) -> bool:
    """Whether the form shows that a node is nowhere negative."""
    low = extent(node)[0]
    return low is not None and bool(low >= 0)


def above_zero(node: Node) -> bool:
    """Whether the form shows that a node is positive."""
    low = extent(node)[0]
    return positive(node) or (low is not None and bool(low > 0))


def _short(x: Bound) -> Bound:
    return None if x is None or x.height_bits() > MAX_BITS else x


def _all_known(bounds: Iterable[Bound], of: Callable[[Iterable[fmpq]], fmpq]) -> Bound:
    known = list(bounds)
    numbers = [x for x in known if x is not None]
    return of(numbers) if len(numbers) == len(known) else None


def _least(node: Node) -> Bound:
    return extent(node)[0]


def _most(node: Node) -> Bound:
    return extent(node)[1]


def _total(numbers: Iterable[fmpq]) -> fmpq:
    return sum(numbers, ZERO)


def _product(numbers: Iterable[fmpq]) -> fmpq:
    return reduce(mul, numbers)


def _of_sum(node: Node) -> Extent:
    parts, above, below = list(node.args), ZERO, ZERO
    for part in node.args:
        for terms, up in ((_floored(times(MINUS, part)), ONE), ([times(MINUS, t) for t in _floored(part)], ZERO)):
            rest = _without(parts, part, terms)
            if rest is not None:
                parts, above, below = rest, above + up, below + 1 - up
    low, high = _all_known(map(_least, parts), _total), _all_known(map(_most, parts), _total)
    return None if low is None else low - below, None if high is None else high + above


def _without(parts: list[Node], part: Node, terms: Sequence[Node]) -> list[Node] | None:
    """The parts of a sum less one of them and some terms, if these are in it; numbers always are."""
    rest = list(parts)
    for term in (part, *terms) if terms else ():
        place = next((i for i, p in enumerate(rest) if same(p, term)), None)
        if place is not None:
            del rest[place]
        elif term.kind == "num":
            rest.append(times(MINUS, term))
        else:
            return None
    return rest if terms else None


def _floored(node: Node) -> tuple[Node, ...]:
    """The terms of u where the node is floor(u)."""
    u = node.args[0] if node.kind == "floor" else None
    return () if u is None else u.args if u.kind == "add" else (u,)


def _of_product(node: Node) -> Extent:
    numeric = node.args[0].kind == "num"
    c, rest = (node.args[0].args[0], node.args[1:]) if numeric else (ONE, node.args)
    if c == 0:
        return ZERO, ZERO
    low, high = extent(rest[0])
    if len(rest) > 1:
        low, high = _all_known(map(_least, rest), _product), _all_known(map(_most, rest), _product)
        if any(x is None or x < 0 for x in map(_least, rest)):
            low = high = None
    ends = [None if end is None else c * end for end in (low, high)]
    return (ends[0], ends[1]) if c > 0 else (ends[1], ends[0])


def _of_power(node: Node) -> Extent:
    low = _least(node.args[0])
    if low is None or low < 1:
        return None, None
    return (ONE, None) if node.args[1] > 0 else (ZERO, ONE)


def _of_exp(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return ONE if low is not None and low >= 0 else ZERO, ONE if high is not None and high <= 0 else None


def _of_max(node: Node) -> Extent:
    known = [low for low in map(_least, node.args) if low is not None]
    return max(known, default=None), _all_known(map(_most, node.args), max)


def _of_piece(node: Node) -> Extent:
    values = [value for value, _ in node.args]
    return _all_known(map(_least, values), min), _all_known(map(_most, values), max)


OF: dict[str, Callable[[Node], Extent]] = {
    "num": lambda node: (node.args[0], node.args[0]),
    "add": _of_sum,
    "mul": _of_product,
    "pow": _of_power,
    "exp": _of_exp,
    "sin": lambda node: (-ONE, ONE),
    "cos": lambda node: (-ONE, ONE),
    "atan": lambda node: (-ABOVE_HALF_PI, ABOVE_HALF_PI),
    "erfc": lambda node: (ZERO, fmpq(2)),
    "max": _of_max,
    "piece": _of_piece,
}
