"""Between which numbers the form of a node shows it to be, wherever it has a value."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ..intervals import product_of
from ..tree import Node, length, minus, never_negative, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Bound = Fraction | None
    Extent = tuple[Bound, Bound]

MAX_LENGTH = 2_000
ZERO, ONE, ABOVE_HALF_PI = Fraction(0), Fraction(1), Fraction(11, 7)


@lru_cache
def extent(node: Node) -> Extent:
    """The least and the greatest that its form lets a node be; None where it tells of no bound."""
    low, high = OF[node.kind](node) if node.kind in OF else (None, None)
    if never_negative(node):
        low = max(ZERO, low or ZERO)
    return short(low), short(high)


def not_negative(node: Node) -> bool:
    """Whether the form shows that a node is nowhere negative."""
    low = extent(node)[0]
    return low is not None and low >= 0


def short(x: Bound) -> Bound:
    return None if x is None or length(x) > MAX_LENGTH else x


def all_known(bounds: Iterable[Bound], of: Callable[[list[Fraction]], Fraction]) -> Bound:
    """What is made of bounds, if each of them is known."""
    known = list(bounds)
    return None if None in known else of(known)  # type: ignore[arg-type]


def least(node: Node) -> Bound:
    return extent(node)[0]


def most(node: Node) -> Bound:
    return extent(node)[1]


def of_sum(node: Node) -> Extent:
    """Each u - floor(u) in it is from 0 to 1, and each floor(u) - u from -1 to 0."""
    parts, above, below = list(node.args), ZERO, ZERO
    for part in node.args:
        opposite = tuple(map(minus, floored(part)))
        for terms, up in ((floored(minus(part)), ONE), (opposite, ZERO)):
            rest = without(parts, part, terms)
            if rest is not None:
                parts, above, below = rest, above + up, below + 1 - up
    low = all_known(map(least, parts), lambda x: sum(x, -below))
    return low, all_known(map(most, parts), lambda x: sum(x, above))


def without(parts: list[Node], part: Node, terms: tuple[Node, ...]
            ) -> list[Node] | None:
    """The parts of a sum less one and some terms, if these are in it; numbers always are."""
    rest = list(parts)
    for term in (part, *terms) if terms else ():
        place = next((i for i, p in enumerate(rest) if same(p, term)), None)
        if place is not None:
            del rest[place]
        elif term.kind == "num":
            rest.append(minus(term))
        else:
            return None
    return rest if terms else None


def floored(node: Node) -> tuple[Node, ...]:
    """The terms of u where the node is floor(u)."""
    u = node.args[0] if node.kind == "floor" else None
    return () if u is None else u.args if u.kind == "add" else (u,)


def of_product(node: Node) -> Extent:
    """A number stands in front."""
    numeric = node.args[0].kind == "num"
    c, rest = (node.args[0].args[0], node.args[1:]) if numeric else (ONE, node.args)
    low, high = extent(rest[0])
    if len(rest) > 1:
        lows = list(map(least, rest))
        signed = any(x is None or x < 0 for x in lows)
        low, high = (None if signed else product_of(lows),  # type: ignore[type-var]
                     None if signed else all_known(map(most, rest), product_of))
    ends = [None if end is None else c * end for end in (low, high)]
    if c > 0:
        return ends[0], ends[1]
    return (ends[1], ends[0]) if c else (ZERO, ZERO)


def of_power(node: Node) -> Extent:
    """One of what is at least 1."""
    low = least(node.args[0])
    if low is None or low < 1:
        return None, None
    return (ONE, None) if node.args[1] > 0 else (ZERO, ONE)


def of_exp(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return (ONE if low is not None and low >= 0 else ZERO,
            ONE if high is not None and high <= 0 else None)


def of_max(node: Node) -> Extent:
    known = [low for low in map(least, node.args) if low is not None]
    return max(known, default=None), all_known(map(most, node.args), max)


def of_piece(node: Node) -> Extent:
    values = [value for value, _ in node.args]
    return all_known(map(least, values), min), all_known(map(most, values), max)


OF: dict[str, Callable[[Node], Extent]] = {
    "num": lambda node: (node.args[0], node.args[0]),
    "add": of_sum, "mul": of_product, "pow": of_power, "exp": of_exp,
    "sin": lambda node: (-ONE, ONE), "cos": lambda node: (-ONE, ONE),
    "atan": lambda node: (-ABOVE_HALF_PI, ABOVE_HALF_PI),
    "erfc": lambda node: (ZERO, Fraction(2)),
    "max": of_max, "piece": of_piece,
}
