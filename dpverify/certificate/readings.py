"""What the kernel computes of one generator: kept for the next attempt at a claim of it, which begins on its charts.

Attempts differ in the ends of epsilon, in what the claim leaves out and in the boxes; the text is read once, and
what is bounded on a chart, or on a box, is bounded once. The replay of a certificate takes nothing from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from dpverify.certificate.rewriting import rewrite
from dpverify.kernel import Rejected
from dpverify.kernel.sections.charts import Subject, charted
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.steps import Steps

ENDS = {"zero", "infinity", "cover"}
"""Steps on which what is bounded on a box does not depend, unless boxes far out are taken as models."""


class Reading(Proof):
    """A replay of the steps that name charts and their cover, and the bounds on boxes that it has found."""

    def __init__(self, steps: Steps, subject: Subject, bounds: dict[Any, Any]) -> None:
        super().__init__(charted(steps, subject), steps)
        self.bounds = bounds

    def bound(self, key: Any, compute: Callable[[], Any]) -> Any:
        """What is computed under the key; None where the kernel refuses to."""
        if key not in self.bounds:
            try:
                self.bounds[key] = compute()
            except (Rejected, ArithmeticError):
                self.bounds[key] = None
        return self.bounds[key]


class Readings:
    """The generator of a claim as the kernel reads it, and readings of it on charts."""

    def __init__(self, claim: Mapping[str, Any]) -> None:
        self.claim, self.found, self.bounds = claim, dict[str, Reading](), dict[str, dict[Any, Any]]()
        self._words: dict[str, dict[Any, str | None]] = {}

    @cached_property
    def _read(self) -> tuple[Subject, dict[str, Any]]:
        subject = Subject(self.claim)
        return subject, rewrite(subject)

    @property
    def subject(self) -> Subject:
        """The generator, rewritten as far as that helps."""
        return self._read[0]

    @property
    def rewritten(self) -> dict[str, Any]:
        """The steps that say how it was rewritten."""
        return self._read[1]

    def words(self, *given: Any) -> dict[Any, str | None]:
        """The rules that were found to bound losses, for one epsilon and one cover."""
        return self._words.setdefault(json.dumps(given, sort_keys=True), {})

    def on(self, steps: Mapping[str, Any]) -> Reading:
        """The reading on the charts and the cover that the steps name."""
        key = json.dumps(steps, sort_keys=True)
        if key not in self.found:
            on_boxes = steps if "far_boxes" in steps else {k: v for k, v in steps.items() if k not in ENDS}
            bounds = self.bounds.setdefault(json.dumps(on_boxes, sort_keys=True), {})
            self.found[key] = Reading(Steps(dict(steps)), self.subject, bounds)
        return self.found[key]
