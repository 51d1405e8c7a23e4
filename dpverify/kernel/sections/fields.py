"""Fields of claims and steps that are two ends, or points in a list."""

from __future__ import annotations

from fractions import Fraction

from ..rules import require
from ..steps import rational, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BOXES = 200_000


def ends(value: Any, name: str) -> tuple[Fraction, Fraction]:
    step = record(value, name, {"lower", "upper"})
    low, high = (rational(step[end], f"{name}.{end}") for end in ("lower", "upper"))
    require(low <= high, f"{name} has its ends the wrong way round", "format")
    return low, high


def points(value: Any, name: str) -> list[Fraction]:
    listed = isinstance(value, list) and len(value) <= MAX_BOXES
    require(listed, f"{name} is not a list of points", "format")
    return [rational(p, name) for p in value]
