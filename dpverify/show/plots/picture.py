"""A picture for a page or a sheet of paper: curves with labels, a bound and a mark, and what is to be seen in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpverify.show.plots.canvas import canvas, rendered, set_logarithmic
from dpverify.show.plots.lines import Line

INK, CURVE, BOUND, WITNESS = "#1b1f24", "#0060a8", "#b03a00", "#1b1f24"
THEMED = {INK: "currentColor", CURVE: "var(--curve)", BOUND: "var(--bound)"}
SIZE = (5.8, 3.3)  # inches
STYLE = {
    "svg.fonttype": "path",
    "font.size": 10,
    **{f"{part}.color": INK for part in ("text", "xtick", "ytick")},
    **{f"axes.{part}color": INK for part in ("edge", "label", "title")},
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the plot: the witness, drawn at `x`, or an arrow at the left or right edge for a limit."""

    x: float | None
    edge: str | None
    text: str
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """Curves with labels, a bound and a mark; `alt` says in words what is to be seen."""

    title: str
    alt: str
    caption: str
    across: str
    up: str
    logarithmic: bool
    curves: tuple[tuple[str, Line], ...]
    bound: tuple[float, str] | None
    mark: Mark | None

    def png(self, dpi: int = 200) -> bytes:
        """The picture as a file of its own, on white."""
        with canvas(SIZE, STYLE) as (figure, axes):
            draw(axes, self)
            return rendered(figure, "png", dpi=dpi)

    def paper(self) -> bytes:
        """The picture for paper, as SVG."""
        with canvas(SIZE, STYLE) as (figure, axes):
            draw(axes, self)
            return rendered(figure, "svg", transparent=True)

    def svg(self) -> str:
        """The picture for a page: its ink is the page's own, so that it is readable on dark and on light."""
        text = self.paper().decode()
        text = text[text.index("<svg") :]
        for colour, themed in THEMED.items():
            text = text.replace(colour, themed)
        return text


def draw(axes: Any, picture: Picture) -> None:
    """The picture on matplotlib's axes."""
    styles = ("-", "--", ":")
    for (label, curve), style in zip(picture.curves, styles, strict=False):
        axes.plot(curve.x, curve.y, style, color=CURVE, linewidth=2, label=label)
    if picture.logarithmic:
        set_logarithmic(axes, "x")
    if picture.bound is not None:
        axes.axhline(picture.bound[0], color=BOUND, linestyle="--", linewidth=1.6, label=picture.bound[1])
        low = min((min(c.finite(), default=0.0) for _, c in picture.curves), default=0.0)
        reach = picture.bound[0] or 1.0
        axes.set_ylim(min(0.0, max(low, -1.5 * reach)) - 0.02 * reach, 1.25 * reach)
    _mark(axes, picture)
    axes.set_xlabel(picture.across)
    axes.set_ylabel(picture.up)
    axes.grid(alpha=0.25, color=INK, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(picture.curves) > 1 or picture.bound is not None or picture.mark is not None:
        axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=9)


def _mark(axes: Any, picture: Picture) -> None:
    mark = picture.mark
    if mark is None:
        return
    height = mark.y if mark.y is not None else picture.bound[0] if picture.bound else 0.0
    if mark.edge is None:
        axes.plot([mark.x], [height], "o", color=WITNESS, markersize=8, fillstyle="none", label=mark.text)
        return
    x, symbol = (1.0, ">") if mark.edge == "right" else (0.0, "<")
    place = axes.get_yaxis_transform()
    axes.plot([x], [height], symbol, color=WITNESS, markersize=9, transform=place, clip_on=False, label=mark.text)
