"""A tail that begins farther out, where the kernel's model of it is narrower, and boxes up to there."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

FACTORS = (2, 4, 16, 64)
IN_THE_TAIL = {"K20", "K28"}
"""Refusals that a tail farther out may mend: f is not shown to fall, or the loss to stay below its bound."""


def movable(found: Mapping[str, Any]) -> bool:
    """Whether the tail is on one chart, on which only its radius matters."""
    return bool(found.get("phase") is None and found.get("infinity") and found.get("supremum"))


def farther(found: Mapping[str, Any], factor: int) -> dict[str, Any]:
    """What was found, with a tail from `factor` times its radius on; each cover gets octaves up to there."""
    radius = Fraction(found["infinity"]["radius"])
    octaves = [str(radius * 2**k) for k in range(1, factor.bit_length())]
    moved = {**found, "infinity": {**found["infinity"], "radius": octaves[-1]}}
    if found.get("cover") is not None:
        moved["cover"] = [*found["cover"], *octaves]
    step = moved["supremum"] = {**found["supremum"], "cover": [*found["supremum"]["cover"], *octaves]}
    for name in ("shifts", "rules"):
        if step.get(name) is not None:
            step[name] = [*step[name], *[step[name][-1]] * len(octaves)]
    return moved
