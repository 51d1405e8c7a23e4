"""What the terminal draws of a picture, a curve, a whole profile and a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dpverify.calibration import Compared, Curve
from dpverify.profiles import Profile
from dpverify.show.plots.calibration import nearest
from dpverify.show.plots.picture import Picture
from dpverify.show.plots.profile import bands
from dpverify.show.plots.text import Sketch, Span
from dpverify.show.words import printable

AXES = {
    "profile": ("delta(eps)", "eps"),
    "tradeoff": ("type II error", "type I error"),
    "renyi": ("Renyi divergence", "order"),
}


def of_picture(picture: Picture) -> Sketch:
    """The curves of a picture in c, with its bound."""
    curves = tuple(tuple(zip(line.x, line.y, strict=True)) for _, line in picture.curves)
    return Sketch(picture.title, curves, "c in units of sigma", picture.bound, (picture.logarithmic, False))


def of_curve(curve: Curve) -> Sketch:
    """epsilon against Delta/sigma, through the middles of what is proved, both axes logarithmic."""
    known = ((p.delta, p.lower, p.upper) for p in curve.decided)
    points = tuple((nearest(x), nearest((low + up) / 2)) for x, low, up in known if low is not None and up is not None)
    return Sketch("epsilon", (points,), "Delta/sigma", None, (True, True))


def of_profile(profile: Profile, kind: str) -> Sketch:
    """A whole profile, or what follows from it; raises InputError for what is none (see `plots.profile`)."""
    title, across = AXES[kind]
    curve = tuple((nearest(x), nearest((low + up) / 2)) for x, low, up in bands(profile, kind))
    return Sketch(title, (curve,), across, None, (False, kind == "profile"))


def of_comparison(rows: Sequence[Compared]) -> list[Span]:
    """Of each family the noise from its median to its root mean square."""
    return [Span(printable(row.name), _size(row)) for row in rows]


def _size(row: Compared) -> tuple[float, float] | None:
    if row.median is None or row.mean_square is None:
        return None
    square: Fraction | None = row.mean_square.upper
    return nearest(row.median.lower), math.inf if square is None else nearest(square) ** 0.5
