"""What the kernel shows of the rows and the ends of a profile's steps, where these gain by it: that no loss from beyond
an end exceeds eps, and that f falls or rises on a row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel.sections.layers import Layers
from dpverify.kernel.sections.leaps import Leaps
from dpverify.kernel.sections.panels import Noise, quiet
from dpverify.kernel.sections.turning import LETTERS, OPEN, Rows

QUIET = {"quiet": True}


def tell(noise: Noise, how: dict[str, Any]) -> None:
    """Say it in the steps of a point, in place."""
    whole = noise.s
    for anchor in how["anchors"]:
        _tell_anchor(noise, anchor)
    noise.s = whole
    if "grids" in how:
        _tell_rows(noise, how)
    elif "end" not in how:
        for cell in how["cells"]:
            _tell_end(noise, Fraction(cell["marks"][-1]), cell)


def tell_set(noise: Noise, anchor: dict[str, Any]) -> None:
    """The same in the steps of one shift."""
    whole = noise.s
    _tell_anchor(noise, anchor)
    noise.s = whole


def _tell_anchor(noise: Noise, anchor: dict[str, Any]) -> None:
    if "layers" in anchor:
        noise.s = Fraction(anchor["shift"])
        marks = [Fraction(x) for x in anchor["marks"]]
        _tell_end(noise, marks[-1], anchor)
        for panel, layer in zip(pairwise(marks), anchor["layers"], strict=True):
            _tell_flat(Layers(noise, not marks[0]), *panel, layer)


def _tell_flat(layers: Layers, a: Fraction, b: Fraction, layer: dict[str, Any]) -> None:
    """On which of the strips outside of S' that are wider than the shift log f is flat."""
    strips = pairwise(map(Fraction, layer["strips"]))

    def word(known: str, low: Fraction, high: Fraction) -> str:
        wide = known == "e" and high - low > layers.n.s
        return "s" if wide and _shown(lambda: layers.flat(min(a, low), max(b, high))) else known

    layer["words"] = "".join(word(known, *strip) for known, strip in zip(layer["words"], strips, strict=True))


def _tell_end(noise: Noise, end: Fraction, step: dict[str, Any]) -> None:
    if end > noise.s and _shown(lambda: quiet(noise, end, QUIET)):
        step |= QUIET


def _tell_rows(noise: Noise, how: dict[str, Any]) -> None:
    cut = Fraction(how["end"]) if "end" in how else None
    sides = Leaps(noise, how).sides if "jumps" in how or "patches" in how else set[Fraction]()
    for grid in how["grids"]:
        if cut is None:
            _tell_end(noise, Fraction(grid["end"]), grid)
        rows = Rows(noise, grid, sides, cut)
        signs = [_sign(rows, a, b) for a, b in pairwise(rows.radii)]
        if set(signs) != {OPEN}:
            grid["signs"] = "".join(signs)


def _sign(rows: Rows, a: Fraction, b: Fraction) -> str:
    return next((word for word in LETTERS if word != OPEN and _shown(lambda w=word: rows.has(w, a, b))), OPEN)  # type: ignore[misc]


def _shown(claim: Callable[[], bool]) -> bool:
    return possible(claim)
