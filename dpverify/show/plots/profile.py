"""Pictures of a whole profile, its trade-off function and its Renyi divergences, with the bands that are proved."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from dpverify import files
from dpverify.enclosures import Undecided
from dpverify.errors import InputError
from dpverify.findings import Reason
from dpverify.profiles import Enclosed, Profile
from dpverify.profiles.envelope import Envelope
from dpverify.prover.profile import RISING
from dpverify.show.plots.canvas import BLUE, canvas, save

PALE = "#c9e0ee"
SMALLEST = 1e-300
ORDERS = [Fraction(k, 4) for k in range(1, 129)]
ERRORS = [Fraction(k, 200) for k in range(1, 200)]
LABELS = {
    "profile": (r"$\varepsilon$", r"$\delta(\varepsilon)$"),
    "tradeoff": ("type I error", "type II error"),
    "renyi": ("order", "Rényi divergence"),
}
Band = list[tuple[Fraction, Fraction, Fraction]]


def bands(found: Profile, kind: str = "profile") -> Band:
    """x, and what the curve is proved to lie between there: points of a whole profile, or what follows from them.

    Raises InputError for what is no whole profile, and where nothing follows.
    """
    points = [(p.epsilon, p.delta) for p in found.points]
    whole = [(e, d) for e, d in points if isinstance(e, Fraction) and isinstance(d, Enclosed)]
    if found.verdict != "proved" or len(whole) < 3 or len(whole) < len(points) or kind not in LABELS:
        raise InputError("a picture needs a whole profile: ask for the curve")
    if kind == "profile":
        return [(e, d.lower, d.upper) for e, d in whole]
    if found.theorem == RISING:
        raise InputError(f"there is no such picture: {Undecided(Reason.NO_ONE_PAIR())}")
    envelope = Envelope(whole, None)
    if kind == "tradeoff":
        return [(x, y.lower, y.upper) for x in ERRORS for y in (envelope.tradeoff(x),)]
    try:
        return [(x, y.lower, y.upper) for x in ORDERS for y in (envelope.renyi(x),)]
    except Undecided as error:
        return _asked_anew(found, str(error))


def _asked_anew(found: Profile, failure: str) -> Band:
    """Renyi divergences, where they do not follow from the points of the profile alone."""
    others = found.more(renyi=ORDERS).measures if found.more else ()
    values = [(m.at, m.value) for m in others]
    band = [(x, value.lower, value.upper) for x, value in values if x is not None and value is not None]
    if len(band) < len(ORDERS):
        why = next((m.reason for m in others if m.value is None), failure)
        raise InputError(f"there is no such picture: {why}") from None
    return band


def write(found: Profile, path: Path, kind: str = "profile") -> None:
    """The picture as a .png or .svg file, or the band as a .csv file of exact rationals."""
    band = bands(found, kind)
    if path.suffix.lower() == ".csv":
        text = io.StringIO(newline="")
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["x", "lower", "upper"])
        rows.writerows(band)
        files.write(path, text.getvalue())
        return
    about = dict(found.about)
    draw(band, kind, f"f(y) = {about.get('f(y)', '')}, {about.get('with', '')}", path)


def draw(band: Band, kind: str, title: str, path: Path) -> None:
    """The points, and between them the band that monotony proves: delta and T fall, divergences rise."""
    with canvas((7.2, 4.6)) as (figure, axes):
        rising = kind == "renyi"
        for k, (first, second) in enumerate(pairwise(band)):
            low, high = (first[1], second[2]) if rising else (second[1], first[2])
            label = "proved to lie between" if k == 0 else None
            edges = [float(first[0]), float(second[0])]
            axes.fill_between(edges, _shown(low), _shown(high), facecolor=PALE, linewidth=0, label=label)
        kept = [b for b in band if b[2] > 0]
        middle = [_shown((b[1] + b[2]) / 2) for b in kept]
        axes.plot([float(b[0]) for b in kept], middle, color=BLUE, linewidth=1.2, label="joined for the eye")
        if kind == "profile":
            axes.set_yscale("log")
            axes.set_ylim(_floor(kept), 1)
        axes.set_xlabel(LABELS[kind][0])
        axes.set_ylabel(LABELS[kind][1])
        axes.set_title(title.replace("$", r"\$")[:90], fontsize=9)
        axes.grid(alpha=0.3)
        axes.legend(loc="upper left" if rising else "upper right", framealpha=0.95)
        save(figure, path)


def _floor(kept: Sequence[tuple[Fraction, Fraction, Fraction]]) -> float:
    return max(SMALLEST, min(_shown(b[2]) for b in kept) / 2)


def _shown(value: Fraction) -> float:
    return max(SMALLEST, float(value)) if value > 0 else SMALLEST
