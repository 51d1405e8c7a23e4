"""Boxes on which the loss is enclosed as a difference of g ahead and here (K223), where these are fewer.

Near the centre g is steep here and flat ahead, so that nothing cancels: increments, which shine where much does, need
boxes many times as small there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpverify.certificate.hints import Hints
from dpverify.kernel.sections.apart import Apart
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.steps import Steps

FEW = 8
"""Boxes that are too few for another rule to save any."""


def apart(hints: Hints, proof: dict[str, Any], cover: list[str]) -> Apart | None:
    """The problem with losses taken apart wherever the cover reaches; None where this cannot stand beside other steps,
    or is unlikely to pay."""
    plain = type(hints.problem) is Problem and "apart" not in proof and proof["supremum"]["near_zero"] != "increments"
    return Apart(hints.problem, Steps({"apart": cover[-1]})) if plain and len(cover) > FEW else None


def meeting(usual: list[str], other: list[str]) -> str | None:
    """The radius up to which the other cover is to be taken, to have the fewest boxes; None for no radius."""
    radii = [Fraction(x) for x in usual]
    saved = {0: ""} | {sum(b <= Fraction(x) for b in radii) - 1 - n: x for n, x in enumerate(other) if n}
    return saved[max(saved)] or None
