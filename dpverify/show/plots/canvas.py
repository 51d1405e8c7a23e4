"""matplotlib as every plot here uses it: its colours, its logarithmic axes, and the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from dpverify.errors import InputError

BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#0072b2", "#d55e00", "#009e73", "#aa4499", "#56b4e9", "#666666"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY)  # after Okabe and Ito: told apart by the colour-blind
STYLES = ("-", "--", "-.", ":")
MISSING = "pictures need matplotlib: pip install 'dpverify[report]'"
DRAWING = Lock()  # matplotlib's settings are shared by all threads


@contextmanager
def canvas(size: tuple[float, float], style: Mapping[str, Any] | None = None) -> Iterator[tuple[Any, Any]]:
    """A figure of that size in inches with its axes; what is drawn and saved within has the same bytes each time.

    Raises InputError where matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(MISSING) from None
    settings: dict[Any, Any] = {"svg.hashsalt": "dpverify", **(style or {})}
    with DRAWING, mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        yield figure, figure.subplots()


def rendered(figure: Any, kind: str, dpi: int = 150, transparent: bool = False) -> bytes:
    """The figure as the bytes of a "png" or "svg" file, without a date."""
    file = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(file, format=kind, dpi=dpi, metadata=metadata, transparent=transparent)
    return file.getvalue()


def save(figure: Any, path: str | Path, transparent: bool = False) -> Path:
    """Write the figure to a .png or .svg file."""
    path = Path(path)
    path.write_bytes(rendered(figure, path.suffix.lower().lstrip("."), transparent=transparent))
    return path


def set_logarithmic(axes: Any, which: str) -> None:
    """A logarithmic axis with plain numbers, at powers of ten or at 1, 2, 5, 10, ..., as many as fit."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set(**{f"{which}scale": "log"})
    axis = getattr(axes, f"{which}axis")
    low, high = axis.get_view_interval()
    spread = high / low
    axis.set_major_locator(LogLocator(subs=(1, 2, 3, 4, 5, 7) if spread < 12 else (1, 2, 5) if spread < 300 else (1,)))
    axis.set_major_formatter(lambda value, _: f"{value:,g}")
    axis.set_minor_formatter(NullFormatter())
