"""Between which numbers the form of a node shows it to be, wherever it has a value: the kernel's logic is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce

from flint import fmpq

from dpverify.enclosures.nodes import Node

Bound = fmpq | None
Extent = tuple[Bound, Bound]
MAX_POWER, MAX_BITS = 12, 1_000
ZERO, ONE, TWO = map(fmpq, range(3))


@lru_cache(maxsize=10_000)
def extent(node: Node) -> Extent:
    """The least and the greatest that the form of a node lets it be; None where it tells of no bound."""
    from dpverify.prover.monotone import nonnegative

    low, high = OF[node.kind](node) if node.kind in OF else (None, None)
    if (low is None or low < 0) and nonnegative(node, logs=False):
        low = ZERO
    return _short(low), _short(high)


def _short(x: Bound) -> Bound:
    return None if x is None or x.height_bits() > MAX_BITS else x


def _total(bounds: Iterable[Bound], of: Callable[[list[fmpq]], fmpq]) -> Bound:
    known = list(bounds)
    return None if None in known else of(known)


def _least(node: Node) -> Bound:
    return extent(node)[0]


def _most(node: Node) -> Bound:
    return extent(node)[1]


def _summed(numbers: list[fmpq]) -> fmpq:
    return sum(numbers, ZERO)


def _of_sum(node: Node) -> Extent:
    return _total(map(_least, node.args), _summed), _total(map(_most, node.args), _summed)


def _times(a: Extent, b: Extent) -> Extent:
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    c = b[0]
    if c is not None and c == b[1]:
        ends = [None if end is None else end * c for end in a]
        return (ZERO, ZERO) if c == 0 else (ends[0], ends[1]) if c > 0 else (ends[1], ends[0])
    corners = [None if x is None or y is None else x * y for x in a for y in b]
    return _total(corners, min), _total(corners, max)


def _of_power(node: Node) -> Extent:
    p, (low, high) = node.args[1], extent(node.args[0])
    if p.q > 1:
        above, below = (low is not None and low >= 1), (high is not None and high <= 1)
        above, below = (above, below) if p > 0 else (below, above)
        return ONE if above else ZERO, ONE if below else None
    if abs(p) > MAX_POWER:
        return None, None
    n = int(p)
    if low is not None and low >= 0:
        ends = [None if end is None or (end == 0 and n < 0) else end**n for end in (low, high)]
        return (ends[0], ends[1]) if n > 0 else (ZERO if ends[1] is None else ends[1], ends[0])
    if n < 0:
        return None, None
    if n % 2:
        return None if low is None else low**n, None if high is None else high**n
    return ZERO, _total((low, high), lambda ends: max(map(abs, ends)) ** n)


def _of_exp(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return ONE if low is not None and low >= 0 else ZERO, ONE if high is not None and high <= 0 else None


def _of_log(node: Node) -> Extent:
    low, high = extent(node.args[0])
    return ZERO if low is not None and low >= 1 else None, ZERO if high is not None and high <= 1 else None


def _of_floor(node: Node) -> Extent:
    low, high = (None if end is None else fmpq(end.floor()) for end in extent(node.args[0]))
    return low, high


def _of_max(node: Node) -> Extent:
    known = [low for low in map(_least, node.args) if low is not None]
    return max(known, default=None), _total(map(_most, node.args), max)


def _of_piece(node: Node) -> Extent:
    values = [value for value, _ in node.args]
    return _total(map(_least, values), min), _total(map(_most, values), max)


def _of_erfc(node: Node) -> Extent:
    low = _least(node.args[0])
    return ZERO, ONE if low is not None and low >= 0 else TWO


OF: dict[str, Callable[[Node], Extent]] = {
    "num": lambda node: (node.args[0], node.args[0]),
    "pi": lambda node: (fmpq(3), fmpq(22, 7)),
    "r": lambda node: (ZERO, None),
    "add": _of_sum,
    "mul": lambda node: reduce(_times, map(extent, reversed(node.args))),
    "pow": _of_power,
    "exp": _of_exp,
    "log": _of_log,
    "sin": lambda node: (-ONE, ONE),
    "cos": lambda node: (-ONE, ONE),
    "atan": lambda node: (fmpq(-11, 7), fmpq(11, 7)),
    "acot": lambda node: (ZERO, fmpq(22, 7)),
    "erfc": _of_erfc,
    "uppergamma": lambda node: (ZERO, ONE),
    "lowergamma": lambda node: (ZERO, ONE),
    "floor": _of_floor,
    "max": _of_max,
    "piece": _of_piece,
}
