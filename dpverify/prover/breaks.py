"""Where a generator may jump or kink: the points at which boxes should end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from flint import fmpq

from dpverify.enclosures.ball import Undecided, exact
from dpverify.enclosures.conditions import break_polynomials
from dpverify.enclosures.nodes import Node, as_fraction, exact_value, power_of_radius, whole_root
from dpverify.enclosures.sketch import rough
from dpverify.prover.beside_poles import poles_within

MOST, MOST_LOOKED_AT, HALVINGS = 4000, 128, 64
FEW_BREAKS, FEW_BOXES = 48, 1000

Covered = TypeVar("Covered")


def breaks(node: Node, low: Fraction, high: Fraction) -> list[Fraction]:
    """The rational radii in (low, high) at which a condition, a Max or a floor changes, where found.

    Breaks that are not rational, or of nodes whose values are not, are left to
    bisection.
    """
    found: set[Fraction] = set()
    for part in [*break_polynomials(node), *poles_within(node)]:
        inner = part.args[0] if part.kind == "floor" else part
        form = power_of_radius(inner) if part.kind == "floor" else None
        if form is not None:
            found.update(_roots(*form, low, high))
        if inner.exact:
            found.update(_crossings(inner, low, high, steps=part.kind == "floor"))
    return sorted(r for r in found if low < r < high)


def last_change(node: Node, low: Fraction, high: Fraction) -> Fraction:
    """The last radius in (low, high) at which a condition or a Max changes, where one is found; else low."""
    parts = [part for part in break_polynomials(node) if part.kind != "floor" and part.rational]
    found = [r for part in parts for r in _crossings(part, low, high, steps=False)]
    return max((r for r in found if low < r < high), default=low)


def _roots(a: fmpq, p: fmpq, low: Fraction, high: Fraction) -> list[Fraction]:
    """The rational radii at which a r^p is whole, of those from low to high."""
    first, last = (whole_root(a, p, exact(r))[0] for r in (low, high))
    if p.p != 1:
        return []
    return [as_fraction((fmpq(n) / a) ** int(p.q)) for n in range(max(1, first), min(last, first + MOST) + 1)]


def _crossings(node: Node, low: Fraction, high: Fraction, steps: bool) -> list[Fraction]:
    rough_value, looked_at = rough(node), 0
    grid = [low]
    while grid[-1] < high and len(grid) < MOST:
        grid.append(min(high, grid[-1] * 5 / 4))
    found: list[Fraction] = []
    values = [exact_value(node, exact(r)) for r in grid]
    for (a, va), (b, vb) in zip(zip(grid, values, strict=True), zip(grid[1:], values[1:], strict=True), strict=False):
        if va is None or vb is None:
            continue
        levels = _integers(min(va, vb), max(va, vb)) if steps else [fmpq(0)]
        for level in levels if va != vb else ():
            if min(va, vb) <= level <= max(va, vb):
                root = _root(node, rough_value, level, a, b)
                looked_at += 1
                if root is not None:
                    found.append(root)
            if looked_at == MOST:
                return found
    return found


def _integers(low: fmpq, high: fmpq) -> list[fmpq]:
    first, last = int(low.ceil()), int(high.floor())
    return [fmpq(n) for n in range(first, min(last, first + MOST) + 1)]


def _root(node: Node, v: Callable[[float], float], level: fmpq, a: Fraction, b: Fraction) -> Fraction | None:
    """The rational point of [a, b] where node = level, found on the chord or over floats, and confirmed exactly."""
    first, last = _value(node, a), _value(node, b)
    guess = a + (b - a) * as_fraction((level - first) / (last - first))
    if exact_value(node, exact(guess)) == level:
        return guess
    left, right, target = float(a), float(b), float(as_fraction(level))
    rising = last >= first
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        if not left < middle < right:
            break
        left, right = (middle, right) if (v(middle) < target) == rising else (left, middle)
    near = Fraction(left)
    for guess in (near, Fraction(right), near.limit_denominator(10**6)):
        if exact_value(node, exact(guess)) == level:
            return guess
    return None


def _value(node: Node, r: Fraction) -> fmpq:
    value = exact_value(node, exact(r))
    return fmpq(0) if value is None else value


def thinned(breaks: Sequence[Fraction]) -> list[Fraction]:
    """The first breaks, and some of the others where they are many: what is found at them is a lower bound alone."""
    first, others = breaks[:MOST_LOOKED_AT], breaks[MOST_LOOKED_AT:]
    return [*first, *others[:: max(1, len(others) // MOST_LOOKED_AT)]]


def with_few(breaks: Sequence[Fraction], covered: Callable[[Sequence[Fraction], int], Covered], most: int) -> Covered:
    """Covered with the first breaks alone where there are many, and these are enough: far out most jumps are small."""
    if len(breaks) > FEW_BREAKS:
        try:
            return covered(breaks[:FEW_BREAKS], FEW_BOXES)
        except Undecided:
            pass
    return covered(breaks, most)
