"""The plot of a result: of a verdict its loss or what refutes it, of a curve or a whole profile its proved band."""

from __future__ import annotations

from functools import singledispatch
from pathlib import Path

from dpverify import files
from dpverify.calibration import Curve
from dpverify.errors import InputError
from dpverify.profiles import Profile
from dpverify.results import Result
from dpverify.show.plots.calibration import draw_curve
from dpverify.show.plots.certificate import picture_of
from dpverify.show.plots.profile import write

KINDS = (".png", ".svg")


def plot(value: object, path: Path) -> None:
    """Write the plot to a .png or .svg file; raises InputError where there is none."""
    if path.suffix.lower() not in KINDS:
        raise InputError(f"{path}: the file's name must end in {' or '.join(KINDS)}")
    _plot(value, path)


@singledispatch
def _plot(value: object, path: Path) -> None:
    raise InputError(f"there is no plot of a {type(value).__name__}")


@_plot.register
def _(value: Curve, path: Path) -> None:
    draw_curve(value, path)


@_plot.register
def _(value: Profile, path: Path) -> None:
    write(value, path)


@_plot.register
def _(value: Result, path: Path) -> None:
    found = value.certificate
    picture = picture_of(found["claim"], found["proof"]) if found is not None else None
    if picture is None:
        raise InputError("there is no plot of a result without a certificate, or beyond floating point")
    files.write(path, picture.png() if path.suffix.lower() == ".png" else picture.paper())
