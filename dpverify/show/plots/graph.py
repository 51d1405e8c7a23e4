"""Pictures of studies, the same bytes each time."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from dpverify.reproduce.graph import Graph, Series
from dpverify.show.plots.canvas import COLOURS, GREY, STYLES, canvas, rendered, set_logarithmic
from dpverify.show.plots.picture import INK, STYLE, THEMED

SIZE, ROW = (5.8, 3.5), 0.22
MARKERS = ("o", "s", "D", "^", "v", "x")


def svg(graph: Graph) -> bytes:
    """The picture as an SVG file without a background of its own."""
    labels = [series.label for series in graph.series if series.label]
    columns = 1 if max(map(len, labels), default=0) > 28 else 2
    with canvas((SIZE[0], SIZE[1] + ROW * -(-len(labels) // columns)), STYLE) as (figure, axes):
        ink = cycle(zip(COLOURS, cycle(STYLES), cycle(MARKERS)))
        for series in graph.series:
            look = (GREY, "-", "") if series.kind == "faint" else next(ink)
            _draw(axes, series, *look)
        for axis in graph.logarithmic:
            set_logarithmic(axes, axis)
        axes.set_title(graph.title, fontsize=10)
        axes.set_xlabel(graph.x)
        axes.set_ylabel(graph.y)
        axes.grid(alpha=0.3)
        if labels:
            figure.legend(loc="outside lower center", ncols=columns, frameon=False)
        return rendered(figure, "svg", transparent=True)


def inline(graph: Graph) -> str:
    """The same in a page: its ink is the page's own."""
    text = svg(graph).decode()
    return text[text.index("<svg") :].replace(INK, THEMED[INK])


def _draw(axes: Any, series: Series, colour: str, style: str, marker: str) -> None:
    x, y, label = series.x, series.y, series.label or None
    if series.kind == "band":
        low, high = ([a + s * e for a, e in zip(y, series.error, strict=True)] for s in (-1, 1))
        axes.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0, label=label)
    elif series.kind == "area":
        axes.fill(x, y, facecolor=colour, alpha=0.25, edgecolor=colour, label=label)
    elif series.kind == "faint":
        axes.plot(x, y, color=colour, linewidth=0.6, alpha=0.35, label=label)
    elif series.kind == "steps":
        axes.step(x, y, style, where="mid", color=colour, label=label)
    elif series.error:
        look = "" if series.kind == "points" else style
        axes.errorbar(x, y, series.error, fmt=f"{marker}{look}", color=colour, markersize=4, capsize=2.5, label=label)
    else:
        look = "" if series.kind == "points" else style
        axes.plot(x, y, f"{marker if series.kind == 'points' else ''}{look}", color=colour, markersize=4, label=label)
