"""Pictures of curves and comparisons, the same bytes each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from dpverify.calibration.bracket import log
from dpverify.calibration.comparison import Compared
from dpverify.calibration.curves import Curve
from dpverify.numerals import short
from dpverify.show.plots.canvas import BLUE, GREY, ORANGE, canvas, save, set_logarithmic
from dpverify.show.words import bound, lettered

PALE = "#c9e0ee"
LONGEST = 60
LARGEST_POWER = 290


def draw_curve(curve: Curve, path: Path) -> None:
    """epsilon against Delta/sigma: proved points, and the band that monotonicity proves between them."""
    with canvas((7.2, 4.6)) as (figure, axes):
        bands = [[nearest(end) for end in band] for band in curve.bands() if band[-1]]
        for k, (left, right, low, high) in enumerate(bands):
            label = "proved for every $\\Delta/\\sigma$ between" if k == 0 else None
            axes.fill_between([left, right], low, high, facecolor=PALE, edgecolor=BLUE, linewidth=0.6, label=label)
        known = curve.decided
        middles = [nearest((p.lower + p.upper) / 2) for p in known if p.lower is not None and p.upper is not None]
        size = 4.5 if len(known) <= 60 else 2
        axes.plot([nearest(p.delta) for p in known], middles, "o", color=BLUE, markersize=size, label="proved points")
        set_logarithmic(axes, "x")
        set_logarithmic(axes, "y")
        axes.set_xlabel(r"$\Delta/\sigma$")
        at = "" if curve.level is None else rf" at $\delta$ = {short(curve.level, 6)}"
        axes.set_ylabel(rf"$\varepsilon${at}")
        axes.set_title(_name(curve), fontsize=10)
        axes.grid(alpha=0.3, which="major")
        axes.legend(loc="upper left", framealpha=0.95)
        save(figure, path)


def draw_comparison(rows: Sequence[Compared], title: str, path: Path) -> None:
    """The median of the noise and its root mean square, one line a family; a family that has none says so."""
    known = [row for row in rows if row.median is not None]
    others = [row for row in rows if row.median is None]
    places, last = range(len(known)), len(known) + len(others)
    medians = [nearest(row.median.lower) for row in known if row.median is not None]
    roots = [_root(row) for row in known]
    reach = max([*medians, *(x for x in roots if x is not None)], default=1.0)
    finite = [(x, y) for x, y in zip(roots, places, strict=True) if x is not None]
    endless = [y for x, y in zip(roots, places, strict=True) if x is None]
    with canvas((7.2, 1.8 + 0.46 * max(1, last))) as (figure, axes):
        for place, (median, root) in enumerate(zip(medians, roots, strict=True)):
            end = reach * 1.6 if root is None else root
            axes.plot([median, end], [place, place], color=GREY, linewidth=1.2, zorder=1)
            for value in filter(None, (median, root)):
                above = {"xytext": (0, 7), "textcoords": "offset points", "fontsize": 8, "ha": "center"}
                axes.annotate(f"{value:.4g}", (value, place), **above)
        axes.plot(medians, places, "o", color=BLUE, markersize=7, label=r"median of $\|\sigma X\|$")
        label = r"$\sqrt{E\,\|\sigma X\|^2}$"
        axes.plot([x for x, _ in finite], [y for _, y in finite], "D", color=ORANGE, markersize=6, label=label)
        if endless:
            axes.plot([reach * 1.6] * len(endless), endless, ">", color=ORANGE, markersize=8, label="infinite")
        for place, row in enumerate(others, start=len(known)):
            why, _, _ = (row.refusal or "the noise is not enclosed").partition(":")
            told = _short(why.replace("epsilon", "ε"))
            place_of_text = axes.get_yaxis_transform()
            axes.annotate(told, (0.02, place), xycoords=place_of_text, va="center", color=GREY, fontsize=8)
        axes.set_yticks(range(last), [lettered(_short(row.name)) for row in (*known, *others)])
        axes.set_ylim(last - 0.5, -0.7)
        set_logarithmic(axes, "x")
        axes.set_xlabel("size of the noise, in the units of the sensitivity  (logarithmic)")
        axes.set_title(_short(title), fontsize=10)
        axes.grid(alpha=0.3, axis="x")
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
        save(figure, path)


def _root(row: Compared) -> float | None:
    square = row.mean_square
    return None if square is None or square.upper is None else nearest(square.upper) ** 0.5


def nearest(value: Fraction) -> float:
    """The nearest double, of what a picture can show; a logarithmic axis has no 0."""
    if value == 0:
        return 0.0
    if value <= 0 or abs(log(value)) > LARGEST_POWER * 2.3:
        return 10.0 ** (LARGEST_POWER if value > 1 else -LARGEST_POWER)
    return float(value)


def _name(curve: Curve) -> str:
    generator = curve.generator
    text = f"f(y) = {_short(generator.text)}" if curve.mixing is None else f"V ~ {_short(curve.mixing)}"
    return f"{text},  d = {generator.dimension}{lettered(bound(generator.parameters))}"


def _short(text: str) -> str:
    """Text from outside as plain text: matplotlib reads dollar signs as mathematics."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    return text.replace("$", r"\$")
