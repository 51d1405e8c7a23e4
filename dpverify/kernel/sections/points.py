"""Points of a profile as claims list them: eps, and delta between two bounds."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import interval
from ..rules import require
from ..steps import rational, record
from .fields import ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from typing import Any


def levels(points: Any) -> list[Fraction]:
    """The eps of each point, none of them negative."""
    listed = isinstance(points, list) and bool(points)
    require(listed, "points is not a list", "format")
    found = [rational(record(point, "point", {"epsilon", "delta"})["epsilon"], "epsilon")
             for point in points]
    require(min(found) >= 0, "an epsilon is negative", "claim")
    return found


def hold(points: Any, found: Sequence[tuple[Decimal, Decimal]], rule: str) -> None:
    """Each claimed enclosure of delta holds what is found; delta is never below 0, nor above 1."""
    for point, (low, high) in zip(points, found, strict=True):
        least, most = ends(point["delta"], "delta")
        above, below = interval(least).hi <= low, high <= interval(most).lo
        holds = (least == 0 or above) and (most == 1 or below)
        require(holds, "delta is not shown between its bounds", rule)


def listed(claimed: Any) -> str:
    """The points in one line; of many the first and the last."""
    some = claimed if len(claimed) <= 9 else [claimed[0], claimed[-1]]
    texts = [f"{p['delta']['lower']} <= delta({p['epsilon']}) <= {p['delta']['upper']}"
             for p in some]
    return f" ... {len(claimed)} points ... ".join(texts) if some != claimed else "; ".join(texts)
