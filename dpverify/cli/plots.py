"""Plots in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dpverify.show.plots import sketches
from dpverify.show.plots.text import Sketch, lines, span_lines
from dpverify.show.terminal import width

if TYPE_CHECKING:
    from dpverify.calibration import Compared, Curve
    from dpverify.profiles import Profile
    from dpverify.results import Result


def tell_loss(result: Result) -> None:
    """Draw the privacy loss of a proved result; of any other say that there is nothing to draw."""
    from dpverify.show.plots.certificate import picture_of

    found = result.certificate
    picture = picture_of(found["claim"], found["proof"]) if found is not None else None
    if picture is None:
        _tell([], "there is no certificate, or floating point cannot show it")
    else:
        _tell(_drawn(sketches.of_picture(picture)))


def tell_curve(found: Curve) -> None:
    """Draw epsilon against Delta/sigma."""
    _tell(_drawn(sketches.of_curve(found)), "fewer than two points are proved")


def tell_profile(found: Profile, kind: str) -> None:
    """Draw a whole profile, its trade-off function or its Renyi divergences."""
    _tell(_drawn(sketches.of_profile(found, kind)), "fewer than two points are proved")


def tell_comparison(rows: Sequence[Compared]) -> None:
    """Draw the sizes of the families' noise, one below the other."""
    spans, across = sketches.of_comparison(rows), "the size of the noise"
    _tell(span_lines("o median, x root mean square", spans, across, width()), "no family has a noise that is known")


def _drawn(sketch: Sketch) -> list[str]:
    braille = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    return lines(sketch, width(), braille)


def _tell(drawn: list[str], why_not: str = "") -> None:
    click.echo("\n".join(["", *drawn]) if drawn else f"\n  nothing is drawn: {why_not}")
