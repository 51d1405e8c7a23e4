"""What the kernel computes of one generator: kept for the next attempt at a claim of it, which begins on the same charts.

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


class Reading(Proof):
    """A replay of the steps that name charts and their cover, and bounds that it has found."""

    def __init__(self, steps: Steps, subject: Subject) -> None:
        super().__init__(charted(steps, subject), steps)
        self.bounds: dict[Any, Any] = {}

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
        self.claim, self.found = claim, dict[str, Reading]()

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

    def on(self, steps: Mapping[str, Any]) -> Reading:
        """The reading on the charts and the cover that the steps name."""
        key = json.dumps(steps, sort_keys=True)
        if key not in self.found:
            self.found[key] = Reading(Steps(dict(steps)), self.subject)
        return self.found[key]
