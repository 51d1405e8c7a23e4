"""A claim that is to be proved by steps of the kernel: what the prover found, and f as the kernel is to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.certificate.readings import Reading, Readings
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import (
    waves,
)
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.sections.fields import points

PLACES = 40
"""Binary places of the radius near the largest loss."""


class Drafted:
    """The claim, what the prover found, and once steps stand the kernel's problem and replay of them."""

    problem: Problem
    replay: Reading
    ways: str

    def __init__(
        self, claim: dict[str, Any], found: Mapping[str, Any], tick: Callable[[], None], readings: Readings | None
    ) -> None:
        self.claim, self.found, self.tick = claim, found, tick
        self.readings = readings or Readings(claim)
        self.subject, self.rewritten = self.readings.subject, self.readings.rewritten
        self.statuses: dict[str, str] = claim["hypotheses"]
        self.searching, self.strict = False, True
        self.words = self.readings.words(claim["epsilon"], found.get("supremum"))

    def most(self) -> Any:
        """The upper end of the claim's epsilon, rounded down."""
        return interval(Fraction(self.claim["epsilon"]["upper"])).lo

    def below(self, a: Fraction, b: Fraction) -> bool:
        """Whether the slopes of the loss on a box show it to be no larger than the claim's epsilon."""
        p = self.problem
        bound = self.replay.bound(("loss", a, b), lambda: p.loss(a, b, p.delta, above=True).hi)
        return bound is not None and bound <= self.most()

    def largest(self) -> Fraction | None:
        """A radius near the largest loss, where a box shows that."""
        witness = self.found["witness"]
        if witness["near"] != "box":
            return None
        low, high = points(witness["box"], "witness.box")
        return Fraction(round((low + high) / 2 * 2**PLACES), 2**PLACES)

    def phase_drops(self) -> list[str]:
        """The phases at which f is seen to drop."""
        p, tail, drops = self.problem, self.replay.tail, []
        if not isinstance(tail, waves.Phases) or not may_jump(self.subject.tree):
            return []
        for low in (germ.phase.low for germ in tail.cells):
            cell = tail.germ(low - waves.TINY, low + waves.TINY)
            if not possible(lambda cell=cell: p.far(cell).du.span().hi <= 0):  # type: ignore[misc]
                drops.append(str(low))
        return drops
