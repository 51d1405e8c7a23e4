"""A picture in the terminal: curves in Braille dots, or stars where there are none; the bound as a dashed line."""

from __future__ import annotations

import math
from itertools import pairwise

from dpverify.show.plots.picture import Picture

ROWS, MARGIN, ACROSS, DOWN = 14, 11, 2, 4
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a Braille letter, by its row and column."""


def lines(picture: Picture, width: int, braille: bool = True) -> list[str]:
    """The picture in so many columns: its title, the curves with the ends of both axes, and what the bound is."""
    columns = max(20, width - MARGIN - 1)
    points = [(x, y) for _, line in picture.curves for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
    if len(points) < 2:
        return []
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = _heights(picture, [y for _, y in points])
    bend = math.log if picture.logarithmic else float

    def column(x: float) -> float:
        return (bend(x) - bend(left)) / (bend(right) - bend(left)) * (columns * ACROSS - 1)

    def row(y: float) -> float:
        return (high - y) / (high - low) * (ROWS * DOWN - 1)

    grid = [[0] * columns for _ in range(ROWS)]
    for _, line in picture.curves:
        for (x, y), (u, v) in pairwise(zip(line.x, line.y, strict=True)):
            if math.isfinite(y) and math.isfinite(v):
                _stroke(grid, (column(x), row(y)), (column(u), row(v)))
    bound = None if picture.bound is None else round(row(picture.bound[0])) // DOWN
    found = [picture.title]
    for place, cells in enumerate(grid):
        height = high if place == 0 else low if place == ROWS - 1 else None
        if place == bound and picture.bound is not None:
            height = picture.bound[0]
        label = "" if height is None else f"{height:.6g}"
        text = "".join(_letter(cell, place == bound, braille) for cell in cells).rstrip()
        found.append(f"{label:>{MARGIN - 2}} |{text}".rstrip())
    ends = f"{left:.6g}", f"{right:.6g}"
    found.append(" " * (MARGIN - 1) + "+" + "-" * columns)
    found.append(" " * MARGIN + ends[0] + " " * (columns - len(ends[0]) - len(ends[1])) + ends[1])
    scale = ", logarithmic" if picture.logarithmic else ""
    told = [f"across: c in units of sigma{scale}"] + ([f"dashed: {picture.bound[1]}"] if picture.bound else [])
    return [*found, *(" " * MARGIN + line for line in told)]


def _heights(picture: Picture, heights: list[float]) -> tuple[float, float]:
    low, high = min(0.0, *heights), max(heights)
    if picture.bound is not None:
        reach = picture.bound[0] or 1.0
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
