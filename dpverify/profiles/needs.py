"""What a profile asks of f, and what it can do without."""

from __future__ import annotations

from collections.abc import Mapping

from dpverify.findings import Why
from dpverify.results import Hypothesis

NEEDED = ("defined", "positive", "decreasing", "integrable")


def rises(found: Mapping[str, Hypothesis]) -> bool:
    """Whether f is not shown to fall everywhere, so that shifts have to be covered (Theorem E)."""
    return found["decreasing"].status != "proved"


def lacking(found: Mapping[str, Hypothesis]) -> str | None:
    """The first hypothesis that is needed and not proved: f need not fall, and may vanish at its centre."""
    for name in NEEDED:
        spared = name == "decreasing" or found[name].because.why is Why.ZERO_AT_CENTRE
        if found[name].status != "proved" and not spared:
            return name
    return None
