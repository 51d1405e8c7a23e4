"""The two curves that tell a family's privacy: the log ratio (the loss) and the potential g.

r = sqrt(y), g(r) = -log f(r^2), and the loss at c is log f((c - delta)^2)/f(c^2) = g(c) - g(c - delta).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from pathlib import Path

from dpverify.generators import Generator
from dpverify.show.plots.canvas import COLOURS, STYLES, canvas, save, set_logarithmic
from dpverify.show.plots.lines import Drawn, Line
from dpverify.show.words import lettered

POINTS = 400
WIDTH, HEIGHT, ROW = 4.4, 2.8, 0.21  # inches: legible at the width of a phone; a row of the legend
LONG = 16  # characters of a label, from which on the legend has one column

Points = Sequence[tuple[float, float]]


def draw(
    curves: Mapping[str, Points],
    path: str | Path,
    *,
    x: str,
    y: str,
    marks: Mapping[str, tuple[float, float]] | None = None,
    logarithmic: str = "",
    heights: tuple[float, float] | None = None,
    dots: bool = False,
) -> Path:
    """Draw labelled curves, each a sequence of points (x, y), to a PNG or SVG file, the same bytes each time.

    Args:
        curves: label, "" for none -> points; a y of nan leaves a gap.
        path: the file, in a folder that is there.
        x: the label of the axis.
        y: the label of the axis.
        marks: label -> one point, drawn as a dot.
        logarithmic: the axes with a logarithmic scale: "", "x", "y" or "xy".
        heights: the ends of the y axis, for curves that leave the picture.
        dots: also draw each point.
    """
    labels = [label for label in curves if label]
    columns = 1 if max(map(len, labels), default=0) > LONG else 2
    path, size = Path(path), (WIDTH, HEIGHT + ROW * -(-len(labels) // columns))
    with canvas(size) as (figure, axes):
        ink = cycle(zip(COLOURS, cycle(STYLES)))
        for (label, points), (colour, style) in zip(curves.items(), ink):  # noqa: B905
            marker = "o" if dots else None
            across, up = zip(*points, strict=True)
            axes.plot(across, up, style, color=colour, linewidth=2, label=lettered(label), marker=marker, markersize=4)
        for label, (at, height) in (marks or {}).items():
            axes.plot([at], [height], "o", color="black", markersize=6, zorder=5)
            axes.annotate(label, (at, height), xytext=(6, 7), textcoords="offset points")
        for axis in logarithmic:
            set_logarithmic(axes, axis)
        if heights is not None:
            axes.set_ylim(heights)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.grid(alpha=0.3)
        if labels:
            figure.legend(loc="outside lower center", ncols=columns, frameon=False)
        return save(figure, path, transparent=path.suffix.lower() == ".svg")


def draw_log_ratio(
    generators: Mapping[str, Generator],
    path: str | Path,
    *,
    to: object = 20,
    delta: object = 1,
    marks: Mapping[str, tuple[float, float]] | None = None,
    logarithmic: str = "",
    heights: tuple[float, float] | None = None,
) -> Path:
    """Draw log f((c - delta)^2)/f(c^2) for c from delta to `to`; its height is epsilon where f falls."""
    shift, end = Fraction(str(delta)), Fraction(str(to))
    grid = _grid(shift, end, "x" in logarithmic)
    radii = [c - shift for c in grid]
    curves = _lines(generators, shift, lambda drawn: drawn.loss(radii))
    y = r"$\log\, f((c-\delta)^2)\, /\, f(c^2)$"
    x = rf"$c$     ($\delta = {delta}$)"
    return draw(curves, path, x=x, y=y, marks=marks, logarithmic=logarithmic, heights=heights)


def draw_potential(
    generators: Mapping[str, Generator],
    path: str | Path,
    *,
    to: object = 10,
    logarithmic: str = "",
    heights: tuple[float, float] | None = None,
) -> Path:
    """Draw the potential g(r) = -log f(r^2) for r from 0 to `to`."""
    grid = _grid(Fraction(0), Fraction(str(to)), False)
    curves = _lines(generators, Fraction(1), lambda drawn: drawn.potential(grid))
    y = r"$g(r) = -\log f(r^2)$"
    return draw(curves, path, x=r"$r = \sqrt{y}$", y=y, logarithmic=logarithmic, heights=heights)


def log_ratio(generator: Generator, c: Fraction, delta: Fraction = Fraction(1)) -> float:
    """log f((c - delta)^2) / f(c^2); nan where it is not enclosed."""
    return Drawn(generator, delta, math.inf).loss([c - delta]).y[0]


def potential(generator: Generator, r: Fraction) -> float:
    """g(r) = -log f(r^2); nan where it is not enclosed."""
    return Drawn(generator, Fraction(1), math.inf).potential([r]).y[0]


def _grid(low: Fraction, high: Fraction, logarithmic: bool) -> list[Fraction]:
    """Points from low to high, the first beside low, where f may have a pole."""
    if logarithmic:
        return [low * Fraction(round(10**9 * float(high / low) ** (k / POINTS)), 10**9) for k in range(1, POINTS + 1)]
    step = (high - low) / POINTS
    return [low + step / 1000, *(low + step * k for k in range(1, POINTS + 1))]


def _lines(generators: Mapping[str, Generator], delta: Fraction, line: Callable[[Drawn], Line]) -> dict[str, Points]:
    drawn = {label: line(Drawn(generator, delta, math.inf)) for label, generator in generators.items()}
    return {label: list(zip(found.x, found.y, strict=True)) for label, found in drawn.items()}
