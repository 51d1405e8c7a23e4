"""Steps of a proof that nothing in it makes use of, and that the kernel refuses to take in vain."""

from __future__ import annotations

from typing import Any

from dpverify.kernel.sections.charts import Problem

NEEDED = {"apart": "used", "series": "used", "far_boxes": "by_models"}
"""By the step, what the kernel's problem notes where a loss, or a box, makes use of it."""


def without_idle(proof: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """The proof less what no box and no loss of it has made use of."""
    return {name: step for name, step in proof.items() if getattr(problem, NEEDED.get(name, ""), True)}
