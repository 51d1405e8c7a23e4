"""Ends farther out and nearer in than the prover's, where the kernel's models are narrower there than Arb's balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

FACTORS, STARTS = (2, 4, 16, 64), (2, 4, 8)
"""By how much the tail is moved out, and the least radii from which it is tried sooner."""
IN_THE_TAIL = {"K10", "K20", "K28"}
"""Refusals that a tail farther out may mend: f is not shown to fall, or the loss to stay below its bound."""
WORTH = Fraction(3, 4)
"""The part of the boxes that a sooner tail may at most leave."""
NEARER = 24
"""Octaves by which the chart at the centre shrinks: what it hides of the loss shrinks with it."""


def movable(found: Mapping[str, Any]) -> bool:
    """Whether the tail is on one chart, on which only its radius matters, and one shift alone counts."""
    step = found.get("supremum")
    covered = step and step.get("cover") and step.get("shifts") is None
    repeats = found.get("phase") is not None or found.get("period") is not None
    return bool(not repeats and found.get("infinity") and covered)


def farther(found: Mapping[str, Any], factor: int) -> dict[str, Any]:
    """What was found, with a tail from `factor` times its radius on; each cover gets octaves up to there."""
    radius = Fraction(found["infinity"]["radius"])
    octaves = [str(radius * 2**k) for k in range(1, factor.bit_length())]
    moved = {**found, "infinity": {**found["infinity"], "radius": octaves[-1]}}
    if found.get("cover") is not None:
        moved["cover"] = [*found["cover"], *octaves]
    moved["supremum"] = {**found["supremum"], "cover": [*found["supremum"]["cover"], *octaves]}
    return moved


def sooner(found: Mapping[str, Any], least: int) -> dict[str, Any] | None:
    """What was found, with a tail from the first of its radii on that is not below `least`; None where that is rid of
    few boxes: the models there cost more."""
    marks = found["supremum"]["cover"]
    kept = [x for x in marks if Fraction(x) < least]
    if len(kept) > WORTH * len(marks) or not kept:
        return None
    start = marks[len(kept)]
    moved = {**found, "infinity": {**found["infinity"], "radius": start}}
    if found.get("cover") is not None:
        moved["cover"] = [*(x for x in found["cover"] if Fraction(x) < Fraction(start)), start]
    moved["supremum"] = {**found["supremum"], "cover": [*kept, start]}
    return moved


def nearer(found: Mapping[str, Any], delta: Fraction) -> dict[str, Any]:
    """What was found for every shift up to delta, with a smaller chart at the centre and octaves from there.

    It stays as it is where no boxes of radii follow that chart.
    """
    if not found["supremum"].get("shifts"):
        return dict(found)
    radius = Fraction(found["zero"]["radius"])
    octaves = [str(radius / 2**k) for k in range(NEARER, 0, -1)]
    moved = {**found, "zero": {**found["zero"], "radius": octaves[0]}}
    if found.get("cover") is not None:
        moved["cover"] = [*octaves, *found["cover"]]
    step = dict(found["supremum"])
    step["cover"] = [*octaves, *step["cover"]]
    step["shifts"] = [*[step["shifts"][0]] * NEARER, *step["shifts"]]
    if step.get("windows"):
        step["windows"] = [*octaves, *step["windows"]]
    end = Fraction(octaves[0]) + delta
    step["ahead"] = [*octaves, *(x for x in step["ahead"] if Fraction(x) < end), str(end)]
    moved["supremum"] = step
    return moved
