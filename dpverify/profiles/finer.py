"""Panels of a profile, halved where the kernel's bounds are wider than is asked: its enclosures are wider than the
prover's.

Nothing here is trusted: the boundary of S' on a half is the same polynomial, in the half's own variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, interval
from dpverify.kernel.sections import panels, profiles, shifts
from dpverify.kernel.steps import Steps
from dpverify.profiles.halves import of_layers, of_spheres
from dpverify.profiles.halving import Bounds, Halving, Piece, boxes, marks_of

SIDES = (("left", -1), ("right", 1))


def finer(
    claim: Mapping[str, Any], proof: Mapping[str, Any], least: Sequence[Fraction], tolerance: Fraction
) -> dict[str, Any]:
    """The proof with panels halved until the kernel knows each delta, which is at least so large, to a part of the
    tolerance, as far as that helps."""
    _, replay, _ = profiles.opened(claim, Steps(dict(proof)))
    step = proof["profile"]
    if step["mass"] is None:
        return dict(proof)
    tail = panels.tail_named(step["tail"]) if "tail" in step else None
    noises = [
        panels.Noise(replay.problem, 2 * step["order"], Fraction(point["epsilon"]), tail) for point in claim["points"]
    ]
    whole, size = _mass(noises[0], step, tolerance / 8)
    points = [
        of_point(noise, how, size * interval(low * tolerance / 8).lo)
        for noise, how, low in zip(noises, step["points"], least, strict=True)
    ]
    return {**proof, "profile": {**step, **whole, "points": points}}


def _mass(noise: panels.Noise, step: Mapping[str, Any], tolerance: Fraction) -> tuple[dict[str, Any], Decimal]:
    """The panels of Z, and about Z."""
    named = {k: name for name in ("bounded", "values") for k in step.get(name, ())}
    pieces = [Piece(a, b, named.get(k)) for k, (a, b) in enumerate(boxes(step["mass"]))]
    ways = {None: noise.at_most, "bounded": noise.bound, "values": noise.valued}

    def bounds(piece: Piece) -> Bounds:
        return ways[piece.how](piece.a, piece.b), ZERO

    halving = Halving(bounds)
    size = Decimal(0)
    for piece in pieces:
        try:
            value = bounds(piece)[0]
        except (Rejected, ArithmeticError):
            continue
        size += value.lo
    allowed = size * interval(tolerance).hi
    found = [x for piece in pieces for x in halving.fine([piece], allowed / len(pieces))]
    places = {name: [k for k, x in enumerate(found) if x.how == name] for name in ("bounded", "values")}
    more = {name: listed for name, listed in places.items() if listed}
    return {"mass": marks_of(found), **more}, size


def of_point(noise: panels.Noise, how: Any, allowed: Decimal) -> Any:
    """The steps of one point, whose delta times Z is to be known to `allowed`."""
    if not isinstance(how, dict):
        return how
    if "anchors" in how:
        return {**how, "anchors": [_anchor(noise, x, allowed) for x in how["anchors"]]}
    if "rough" in how:
        given = how["rough"].get("set", {})
        return {"rough": {**how["rough"], "set": _anchor(noise, given, allowed)}} if "shift" in given else how
    if "left" in how:
        return {**how, **_stretches(noise, how, allowed * 2, panels.stretch)}
    return {**how, **of_spheres(noise, how, allowed)} if "sets" in how else how


def _anchor(noise: panels.Noise, given: Mapping[str, Any], allowed: Decimal) -> dict[str, Any]:
    longest, noise.s = noise.s, Fraction(given["shift"])
    try:
        if "left" in given:
            return {**given, **_stretches(noise, given, allowed * 2, shifts.anywhere)}
        return {**given, **of_layers(noise, given, allowed)}
    finally:
        noise.s = longest


def _stretches(
    noise: panels.Noise, how: Mapping[str, Any], allowed: Decimal, stretch: Callable[..., Bounds]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, side in SIDES:

        def bounds(piece: Piece, side: int = side) -> Bounds:
            return panels.either(noise, side, piece.a, piece.b, piece.how, stretch)

        pieces = [Piece(a, b, word) for (a, b), word in zip(boxes(how[name]), how[f"{name}_sets"], strict=True)]
        parts = Halving(bounds).fine(pieces, allowed / 2)
        found |= {name: marks_of(parts), f"{name}_sets": "".join(x.how for x in parts)}
    return found
