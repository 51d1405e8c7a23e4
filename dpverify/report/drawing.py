"""The two curves that tell a family's privacy: the log ratio (the loss) and the potential g.

Both are computed as ball enclosures, so nothing overflows and what is drawn is right to the pixel.
r = sqrt(y), g(r) = -log f(r^2), and the loss at c is log f((c - Delta)^2)/f(c^2) = g(c) - g(c - Delta).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import cycle
from math import nan
from pathlib import Path
from typing import Any

from dpverify.errors import InputError
from dpverify.generators import Generator

BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#0072b2", "#d55e00", "#009e73", "#aa4499", "#56b4e9", "#666666"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY)  # after Okabe and Ito: told apart by the colour-blind
STYLES = ("-", "--", "-.", ":")
POINTS = 400
PRECISION = 120
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
    figure, axes = _canvas(HEIGHT + ROW * -(-len(labels) // columns))
    ink = cycle(zip(COLOURS, cycle(STYLES)))
    for (label, points), (colour, style) in zip(curves.items(), ink):  # noqa: B905
        marker = "o" if dots else None
        across, up = zip(*points, strict=True)
        axes.plot(across, up, style, color=colour, linewidth=2, label=label, marker=marker, markersize=4)
    for label, (at, height) in (marks or {}).items():
        axes.plot([at], [height], "o", color="black", markersize=6, zorder=5)
        axes.annotate(label, (at, height), xytext=(6, 7), textcoords="offset points")
    for axis in logarithmic:
        _set_logarithmic(axes, axis)
    if heights is not None:
        axes.set_ylim(heights)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    if labels:
        figure.legend(loc="outside lower center", ncols=columns, frameon=False)
    return _save(figure, Path(path))


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
    """Draw log f((c - Delta)^2)/f(c^2) for c from Delta to `to`; its height is epsilon where f falls."""
    shift, end = Fraction(str(delta)), Fraction(str(to))
    grid = _grid(shift, end, "x" in logarithmic)
    curves = {label: _points(partial(log_ratio, g, delta=shift), grid) for label, g in generators.items()}
    y = r"$\log\, f((c-\Delta)^2)\, /\, f(c^2)$"
    x = rf"$c$     ($\Delta = {delta}$)"
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
    curves = {label: _points(partial(potential, g), grid) for label, g in generators.items()}
    y = r"$g(r) = -\log f(r^2)$"
    return draw(curves, path, x=r"$r = \sqrt{y}$", y=y, logarithmic=logarithmic, heights=heights)


def log_ratio(generator: Generator, c: Fraction, delta: Fraction = Fraction(1)) -> float:
    """log f((c - delta)^2) / f(c^2); nan where it is not enclosed."""
    return _float(generator, delta, lambda problem: problem.loss_at(c - delta, delta))


def potential(generator: Generator, r: Fraction) -> float:
    """g(r) = -log f(r^2); nan where it is not enclosed."""
    from flint import arb

    from dpverify.enclosures import Ball, exact

    return _float(generator, Fraction(1), lambda problem: -problem.positive_log(Ball(arb(exact(r)))).x)


def _float(generator: Generator, delta: Fraction, value: Callable[[Any], Any]) -> float:
    from dpverify.enclosures import Undecided, precision
    from dpverify.enclosures.lowering import lower
    from dpverify.prover.problem import Problem

    with precision(PRECISION):
        try:
            ball = value(Problem(lower(generator.expression), generator.dimension, delta))
        except Undecided:
            return nan
        return float(ball.mid()) if ball.is_finite() else nan


def _grid(low: Fraction, high: Fraction, logarithmic: bool) -> list[Fraction]:
    """Points from low to high, the first beside low, where f may have a pole."""
    if logarithmic:
        return [low * Fraction(round(10**9 * float(high / low) ** (k / POINTS)), 10**9) for k in range(1, POINTS + 1)]
    step = (high - low) / POINTS
    return [low + step / 1000, *(low + step * k for k in range(1, POINTS + 1))]


def _points(value: Callable[[Fraction], float], grid: Sequence[Fraction]) -> Points:
    return [(float(at), value(at)) for at in grid]


def _set_logarithmic(axes: Any, which: str) -> None:
    """A logarithmic axis with plain numbers, at powers of ten or at 1, 2, 5, 10, ..., as many as fit."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set(**{f"{which}scale": "log"})
    axis = getattr(axes, f"{which}axis")
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 300 else (1,)))
    axis.set_major_formatter(lambda value, _: f"{value:,g}")
    axis.set_minor_formatter(NullFormatter())


def _canvas(height: float) -> tuple[Any, Any]:
    try:
        import matplotlib as mpl
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'dpverify[app]'") from None
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "dpverify"
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(WIDTH, height), layout="constrained")


def _save(figure: Any, path: Path) -> Path:
    from matplotlib import pyplot as plt

    vector = path.suffix.lower() == ".svg"
    metadata = {"Date": None} if vector else {"Software": None}
    figure.savefig(path, dpi=150, metadata=metadata, transparent=vector)
    plt.close(figure)
    return path
