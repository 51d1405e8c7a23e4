"""A sketch in the terminal: curves in Braille dots, or stars where there are none; the bound as a dashed line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

ROWS, MARGIN, ACROSS, DOWN = 14, 11, 2, 4
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a Braille letter, by its row and column."""
SHARE, LEAST = 3, 8
"""Of the width, the names of spans take at most one part in three; and the spans have so many columns at least."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Curves of points (x, y), gaps where y is not finite, a bound with its name, and what lies across."""

    title: str
    curves: tuple[tuple[tuple[float, float], ...], ...]
    across: str
    bound: tuple[float, str] | None = None
    logarithmic: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class Span:
    """What lies between two numbers, the second maybe infinite; None for what is not known."""

    name: str
    ends: tuple[float, float] | None


def lines(sketch: Sketch, width: int, braille: bool = True) -> list[str]:
    """The sketch in so many columns: its title, the curves with the ends of both axes, and what the bound is."""
    columns = max(20, width - MARGIN - 1)
    bend, raise_ = (_bend(logarithmic) for logarithmic in sketch.logarithmic)
    curves = [[(x, y) for x, y in curve if not (sketch.logarithmic[1] and y <= 0)] for curve in sketch.curves]
    points = [(x, y) for curve in curves for x, y in curve if math.isfinite(y)]
    if len(points) < 2:
        return []
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = _heights(sketch, [y for _, y in points])

    def column(x: float) -> float:
        return (bend(x) - bend(left)) / (bend(right) - bend(left)) * (columns * ACROSS - 1)

    def row(y: float) -> float:
        return (raise_(high) - raise_(y)) / (raise_(high) - raise_(low)) * (ROWS * DOWN - 1)

    grid = [[0] * columns for _ in range(ROWS)]
    for curve in curves:
        for (x, y), (u, v) in pairwise(curve):
            if math.isfinite(y) and math.isfinite(v):
                _stroke(grid, (column(x), row(y)), (column(u), row(v)))
    bound = None if sketch.bound is None else round(row(sketch.bound[0])) // DOWN
    found = [sketch.title]
    for place, cells in enumerate(grid):
        height = high if place == 0 else low if place == ROWS - 1 else None
        if place == bound and sketch.bound is not None:
            height = sketch.bound[0]
        label = "" if height is None else f"{height:.6g}"
        text = "".join(_letter(cell, place == bound, braille) for cell in cells).rstrip()
        found.append(f"{label:>{MARGIN - 2}} |{text}".rstrip())
    told = [f"across: {sketch.across}{_told(sketch.logarithmic[0])}"]
    told += ["upwards: logarithmic"] if sketch.logarithmic[1] else []
    told += [f"dashed: {sketch.bound[1]}"] if sketch.bound else []
    return [*found, *_axis(left, right, MARGIN, columns), *(" " * MARGIN + line for line in told)]


def span_lines(title: str, spans: Sequence[Span], across: str, width: int) -> list[str]:
    """The spans one below the other, from o to x on one logarithmic axis, with an arrow for what has no end."""
    known = [end for span in spans for end in span.ends or () if math.isfinite(end)]
    if not known:
        return []
    margin = min(max(len(span.name) for span in spans), width // SHARE) + 3
    columns = max(LEAST, width - margin - 1)
    left, right = min(known), max(known)
    reach = math.log(right / left) or 1.0
    found = [title]
    for span in spans:
        name = span.name if len(span.name) <= margin - 3 else span.name[: margin - 6] + "..."
        cells = [" "] * columns
        if span.ends is not None:
            start, end = (
                round(math.log(x / left) / reach * (columns - 1)) if math.isfinite(x) else columns - 1
                for x in span.ends
            )
            cells[start : end + 1] = "-" * (end + 1 - start)
            cells[end] = "x" if math.isfinite(span.ends[1]) else ">"
            cells[start] = "o"
        found.append(f"{name:>{margin - 2}} |{''.join(cells)}".rstrip())
    return [*found, *_axis(left, right, margin, columns), " " * margin + f"across: {across}{_told(True)}"]


def _bend(logarithmic: bool) -> Callable[[float], float]:
    return math.log if logarithmic else float


def _told(logarithmic: bool) -> str:
    return ", logarithmic" if logarithmic else ""


def _axis(left: float, right: float, margin: int, columns: int) -> list[str]:
    ends = f"{left:.6g}", f"{right:.6g}"
    between = max(1, columns - len(ends[0]) - len(ends[1]))
    return [" " * (margin - 1) + "+" + "-" * columns, " " * margin + ends[0] + " " * between + ends[1]]


def _heights(sketch: Sketch, heights: list[float]) -> tuple[float, float]:
    if sketch.logarithmic[1]:
        low, high = min(heights), max(heights)
        return (low, high) if high > low else (low / 2, low * 2)
    low, high = min(0.0, *heights), max(heights)
    if sketch.bound is not None:
        reach = sketch.bound[0] or 1.0
        low, high = min(0.0, max(low, -1.5 * reach)), 1.15 * reach
    return (low, high) if high > low else (low - 1, low + 1)


def _stroke(grid: list[list[int]], start: tuple[float, float], end: tuple[float, float]) -> None:
    """Set the dots from one point to another; what leaves the picture is left out."""
    steps = max(1, *(math.ceil(abs(b - a)) for a, b in zip(start, end, strict=True)))
    for k in range(min(steps, 4 * ROWS * DOWN * ACROSS * len(grid[0])) + 1):
        x, y = (round(a + (b - a) * k / steps) for a, b in zip(start, end, strict=True))
        if 0 <= y < len(grid) * DOWN and 0 <= x < len(grid[0]) * ACROSS:
            grid[y // DOWN][x // ACROSS] |= DOTS[y % DOWN][x % ACROSS]


def _letter(cell: int, bound: bool, braille: bool) -> str:
    if not cell:
        return "-" if bound else " "
    return chr(0x2800 + cell) if braille else "*"
