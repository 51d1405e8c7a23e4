"""Between which numbers the form of a node shows it to be, wherever it has a value."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, reduce

from ..tree import Node, length, never_negative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Bound = Fraction | None
    Extent = tuple[Bound, Bound]

MAX_POWER, MAX_LENGTH = 12, 2_000
ZERO, ONE, TWO = map(Fraction, range(3))


@lru_cache(maxsize=10_000)
def extent(node: Node) -> Extent:
    """The least and the greatest that its form lets a node be; None where it tells of no bound.

    Numbers, pi, and r > 0; sums and products of these, as of intervals; even powers are not
    negative, and powers of what is not rise or fall with it; so do e^u, from 0 to 1 for u < 0,
    log u, and floors; |sin|, |cos| <= 1, |atan| < 11/7, 0 < acot < 22/7, 0 < erfc < 2, and the
    parts of the gamma function are from 0 to 1; a maximum is as large as one of its parts, and a
    Piecewise as its branches.
    """
    low, high = OF[node.kind](node) if node.kind in OF else (None, None)
    if (low is None or low < 0) and never_negative(node):
        low = ZERO
    return short(low), short(high)


def short(x: Bound) -> Bound:
    return None if x is None or length(x) > MAX_LENGTH else x


def least(node: Node) -> Bound:
    return extent(node)[0]


def most(node: Node) -> Bound:
    return extent(node)[1]


def total(bounds: Iterable[Bound], of: Callable[[list[Fraction]], Fraction]) -> Bound:
    """The sum, or what else is made of bounds, if all of them are known."""
    known = list(bounds)
    return None if None in known else of(known)  # type: ignore[arg-type]


def summed(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, ZERO)


def of_sum(node: Node) -> Extent:
    return total(map(least, node.args), summed), total(map(most, node.args), summed)


def of_product(node: Node) -> Extent:
    return reduce(times, map(extent, reversed(node.args)))  # a number stands in front


def times(a: Extent, b: Extent) -> Extent:
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    c = b[0]
    if c is not None and c == b[1]:
        ends = [None if end is None else end * c for end in a]
        return (ZERO, ZERO) if not c else (ends[0], ends[1]) if c > 0 else (ends[1], ends[0])
    corners = [None if x is None or y is None else x * y for x in a for y in b]
    return total(corners, min), total(corners, max)


def of_power(node: Node) -> Extent:
    p, (low, high) = node.args[1], extent(node.args[0])
    if p.denominator > 1:  # which has a value for what is not negative alone
        above, below = (low is not None and low >= 1), (high is not None and high <= 1)
        above, below = (above, below) if p > 0 else (below, above)
        return ONE if above else ZERO, ONE if below else None
    if abs(p) > MAX_POWER:
        return None, None
    if low is not None and low >= 0:
        ends = [None if end is None else end**p if end or p > 0 else None for end in (low, high)]
        return (ends[0], ends[1]) if p > 0 else (ends[1] or ZERO, ends[0])
    if p < 0:
        return None, None
    if p % 2:
        return None if low is None else low**p, None if high is None else high**p
    return ZERO, total((low, high), lambda ends: max(map(abs, ends)) ** p)


def of_exp(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return (ONE if low is not None and low >= 0 else ZERO,
            ONE if high is not None and high <= 0 else None)


def of_log(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return (ZERO if low is not None and low >= 1 else None,
            ZERO if high is not None and high <= 1 else None)


def of_floor(node: Node) -> Extent:
    low, high = (None if end is None else Fraction(end // 1) for end in extent(node.args[0]))
    return low, high


def of_max(node: Node) -> Extent:
    known = [low for low in map(least, node.args) if low is not None]
    return max(known, default=None), total(map(most, node.args), max)


def of_piece(node: Node) -> Extent:
    values = [value for value, _ in node.args]
    return total(map(least, values), min), total(map(most, values), max)


def of_erfc(node: Node) -> Extent:
    low = least(node.args[0])
    return ZERO, ONE if low is not None and low >= 0 else TWO


OF: dict[str, Callable[[Node], Extent]] = {
    "num": lambda node: (node.args[0], node.args[0]),
    "pi": lambda node: (Fraction(3), Fraction(22, 7)),
    "r": lambda node: (ZERO, None),
    "add": of_sum, "mul": of_product, "pow": of_power, "exp": of_exp, "log": of_log,
    "sin": lambda node: (-ONE, ONE), "cos": lambda node: (-ONE, ONE),
    "atan": lambda node: (Fraction(-11, 7), Fraction(11, 7)),
    "acot": lambda node: (ZERO, Fraction(22, 7)),
    "erfc": of_erfc,
    "uppergamma": lambda node: (ZERO, ONE), "lowergamma": lambda node: (ZERO, ONE),
    "floor": of_floor, "max": of_max, "piece": of_piece,
}
