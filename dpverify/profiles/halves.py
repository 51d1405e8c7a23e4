"""Panels of spheres, with the boundary of S' on them, halved where the kernel's bounds are too wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.sections.jets import panel
from dpverify.kernel.sections.layers import Layer, Layers
from dpverify.kernel.sections.panels import Noise, Spheres
from dpverify.profiles.halving import Bounds, Halving, Piece, boxes, marks_of

GRAIN = 2**80
CRUDE = {"cuts": [], "rules": "c"}
"""A joint that is bounded by its largest value."""
Curve = list[Fraction]


def parted(curve: Sequence[Fraction], piece: Piece, middle: Fraction) -> tuple[Curve, Curve]:
    """A polynomial in x in [-1, 1] on both sides of a radius in its panel, each in its own such variable."""
    place = (2 * middle - piece.a - piece.b) / (piece.b - piece.a)
    return _moved(curve, (place + 1) / 2, (place - 1) / 2), _moved(curve, (1 - place) / 2, (1 + place) / 2)


def _moved(curve: Sequence[Fraction], scale: Fraction, shift: Fraction) -> Curve:
    """The coefficients of the polynomial of scale x + shift."""
    n = range(len(curve))
    return [sum((curve[j] * comb(j, k) * shift ** (j - k) for j in n if j >= k), Fraction(0)) * scale**k for k in n]


def of_spheres(noise: Noise, how: Mapping[str, Any], allowed: Decimal) -> dict[str, Any]:
    """The panels about the centre, for an f that does not rise."""
    named = Spheres(noise)
    rules = named.rules()

    def bounds(piece: Piece) -> Bounds:
        word, curve = piece.how
        return rules[word](piece.a, piece.b, curve)

    def both(piece: Piece, middle: Fraction) -> tuple[Any, Any]:
        word, curve = piece.how
        left, right = parted(curve, piece, middle) if word == "c" else (curve, curve)
        first, last = {"l": ("l", "s"), "u": ("s", "u")}.get(word, (word, word))  # a cap begins or ends at one end
        return (first, left), (last, right)

    def lowered(piece: Piece) -> Piece:
        word, curve = piece.how
        return Piece(piece.a, piece.b, (word, _lowered(noise, piece, curve))) if word == "c" else piece

    given = [(word, list(map(Fraction, c))) for word, c in zip(how["sets"], how["boundaries"], strict=True)]
    pieces = [Piece(*box, x) for box, x in zip(boxes(how["marks"]), given, strict=True)]
    found = Halving(bounds, both, lowered).fine(pieces, allowed)
    return {
        "marks": marks_of(found),
        "sets": "".join(x.how[0] for x in found),
        "boundaries": [[str(c) for c in x.how[1]] for x in found],
        "joints": _joints(named, pieces, found, how["joints"]),
    }


def _lowered(noise: Noise, piece: Piece, curve: Curve) -> Curve:
    """The boundary moved so far down that the kernel sees S inside S'."""
    try:
        here = noise.log(noise.radius(piece.a, piece.b), (piece.a, piece.b))
        over = (here - noise.log(panel(noise.order, curve)) - noise.epsilon).span().hi
        slope = noise.p.on_box(curve[0] * (1 - Fraction(1, GRAIN)), curve[0]).du.hi
    except (Rejected, ArithmeticError):
        return curve
    if not (over > 0 > slope and over.is_finite()):
        return curve
    margin = Fraction(2 * over / -slope)
    return [curve[0] - Fraction(int(margin * GRAIN) + 1, GRAIN), *curve[1:]]


def _joints(named: Spheres, former: Sequence[Piece], pieces: Sequence[Piece], given: Sequence[Any]) -> list[Any]:
    """A joint wherever the boundary steps: those that were named where it stepped before."""
    before = dict(zip(_steps(named, former), given, strict=True))
    return [before.get(rho, CRUDE) for rho in _steps(named, pieces)]


def _steps(named: Spheres, pieces: Sequence[Piece]) -> list[Fraction]:
    """The radii at which the boundary steps."""
    empty = Piece(pieces[0].a, pieces[0].a, ("e", []))
    radii = [pieces[0].a, *(x.b for x in pieces)]
    return [
        rho
        for rho, (left, right) in zip(radii, pairwise([empty, *pieces, empty]), strict=True)
        if rho and named.boundary(left.how, rho, 1) != named.boundary(right.how, rho, -1)
    ]


def of_layers(noise: Noise, given: Mapping[str, Any], allowed: Decimal) -> dict[str, Any]:
    """The panels of layers at one shift, for an f that may rise."""
    named = Layers(noise, Fraction(given["marks"][0]) == 0)

    def bounds(piece: Piece) -> Bounds:
        return named.panel(Layer(piece.a, piece.b, noise.s, noise.order, piece.how))

    pieces = [Piece(*box, x) for box, x in zip(boxes(given["marks"]), given["layers"], strict=True)]
    found = Halving(bounds, _half_layers).fine(pieces, allowed)
    return {"marks": marks_of(found), "layers": [x.how for x in found]}


def _half_layers(piece: Piece, middle: Fraction) -> tuple[Any, Any]:
    """The layers of a panel on both sides of a radius, with curves in narrower strips."""
    curves = [parted(list(map(Fraction, c)), piece, middle) for c in piece.how["boundaries"]]
    return _narrowed(piece.how, [left for left, _ in curves]), _narrowed(piece.how, [right for _, right in curves])


def _narrowed(layer: Mapping[str, Any], curves: Sequence[Curve]) -> dict[str, Any]:
    strips, words, left = [layer["strips"][0]], "", iter(curves)
    for (low, high), word in zip(boxes(layer["strips"]), layer["words"], strict=True):
        if word not in "+-":
            strips, words = [*strips, str(high)], words + word
            continue
        curve = next(left)
        reach = sum(map(abs, curve[1:]), Fraction(0)) * 2 + (high - low) / 2**6
        below, above = "ef" if word == "+" else "fe"
        near, far = max(low, curve[0] - reach), min(high, curve[0] + reach)
        for end, part in ((near, below), (far, word), (high, above)):
            if Fraction(strips[-1]) < end:
                strips, words = [*strips, str(end)], words + part
    return {"strips": strips, "words": words, "boundaries": [[str(c) for c in x] for x in curves]}
