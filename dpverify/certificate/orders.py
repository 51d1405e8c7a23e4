"""Models of lower orders than the prover's, whose balls lose more where terms cancel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ORDERS = (2, 4)
"""Orders that are tried in this order."""
LONG = 300
"""Boxes besides which the models at the ends weigh little."""


def lower_orders(draft: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was found, with models of lower orders; none where there are so many models that to try is dear."""
    found = draft["proof"]
    boxes = (found.get("supremum") or {}).get("cover") or ()
    many = found.get("phase") or found.get("torus") or len(boxes) >= LONG
    if "zero" not in found or "shared" in draft or many:
        return []
    ends = {end: found[end] for end in ("zero", "infinity")}
    most = max(step["order"] for step in ends.values())
    return [
        {**found, **{end: {**step, "order": min(order, step["order"])} for end, step in ends.items()}}
        for order in ORDERS
        if order < most
    ]
