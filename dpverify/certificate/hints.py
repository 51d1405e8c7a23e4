"""The rule of each step: the likeliest, or the first that is seen to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.hypotheses import HypothesisHints
from dpverify.certificate.losses import LossHints
from dpverify.certificate.possible import Box
from dpverify.certificate.readings import Readings
from dpverify.certificate.torus import torus_step
from dpverify.certificate.ways import second_ways
from dpverify.kernel.sections import narrowing, support
from dpverify.kernel.sections.fields import points

MOST_LOOKED_AT = 100
"""Boxes on which the ways of nodes are tried, or twice as many."""


class Hints(HypothesisHints, LossHints):
    """A proof's steps, each with the rule that it rests on."""

    def __init__(
        self,
        claim: dict[str, Any],
        found: Mapping[str, Any],
        tick: Callable[[], None],
        shared: bool = False,
        readings: Readings | None = None,
    ) -> None:
        super().__init__(claim, found, tick, readings)
        self.shared = shared

    def of(self, found: Mapping[str, Any]) -> Hints:
        """Hints for the same claim by what else was found."""
        return Hints(self.claim, found, self.tick, self.shared, self.readings)

    def plain(self) -> dict[str, Any]:
        """The steps, each with the rule that is the likeliest."""
        return self._proof({})

    def searched(self) -> dict[str, Any]:
        """The steps, each with the first rule that is seen to hold."""
        self.searching = True
        ways = second_ways(self.subject, self._ends(), self._looked_at())
        return self._proof({"ways": ways} if ways else {})

    def _looked_at(self) -> list[Box]:
        """The boxes of the cover, and of those that are looked at closely no more than a few."""
        found, step = self.found, self.found.get("supremum") or {}
        octaves, *closer = (
            list(pairwise(points(given or [], "cover")))
            for given in (found["cover"], step.get("cover"), step.get("windows"))
        )
        close = [box for boxes in closer for box in boxes if box not in octaves]
        return [*octaves, *close[:: max(1, len(close) // MOST_LOOKED_AT)]]

    def _ends(self) -> dict[str, Any]:
        found = self.found
        proof: dict[str, Any] = {"zero": found["zero"], "infinity": found["infinity"]}
        if found.get("series"):
            proof["series"] = found["series"]
        for step in ("far_boxes", "apart"):
            if found.get(step):
                proof[step] = found[step]
        proof |= self.rewritten
        if found.get("torus"):
            proof["torus"] = torus_step(self.subject, found["torus"])
        if found.get("period"):
            proof["period"] = found["period"]
        if found["phase"] is not None:
            proof["phase"] = {**found["phase"], "peak": found["phase"]["peak"] or "0"}
        return proof

    def _proof(self, ways: dict[str, Any]) -> dict[str, Any]:
        if self.statuses["defined"] == "refuted":
            return {"undefined": self.undefined()}
        proof, self.ways = {**self._ends(), **ways}, str(ways)
        self.replay = self.readings.on({**proof, "cover": self._cover(proof)})
        self.problem = self.replay.problem
        proof.update(self._steps())
        return proof

    def _cover(self, proof: Mapping[str, Any]) -> list[str]:
        """The boxes found; octaves where the prover needed none, and a need asks for some."""
        if self.found["cover"] is not None:
            return list(self.found["cover"])
        low, high = (Fraction(proof[end]["radius"]) for end in ("zero", "infinity"))
        if "period" in proof:
            high = max(high, low + 7 * Fraction(proof["period"]["length"]))
        if "phase" in proof:
            high += 7 / Fraction(proof["phase"]["frequency"])
        marks = [low]
        while marks[-1] < high:
            marks.append(min(high, marks[-1] * 2))
        return [str(x) for x in marks]

    def _steps(self) -> Iterator[tuple[str, Any]]:
        found, statuses = self.found, self.statuses
        uses_cover = statuses["positive"] == "proved"
        if self.subject.reader.needs:
            needs = [self.need(need) for need in self.subject.reader.needs]
            uses_cover |= any(need["at"] is None for need in needs)
            yield "defined", needs
        if statuses["decreasing"] == "proved":
            falls = self.decreasing()
            uses_cover |= not isinstance(falls, str)
            yield "decreasing", falls
        if statuses["decreasing"] == "refuted":
            yield "rise", found["rise"]
        if statuses["integrable"] != "undecided":
            integral = self.integrable()
            uses_cover |= "boxes" in integral
            yield "integrable", integral
            if integral.get("boxes") == "parts" and (poles := self.poles()):
                yield "poles", poles
        if found.get("pole") and self.claim["verdict"] == "not_private":
            yield "pole", self.pole_step(support.unbounded_at_radius)
        if found.get("vanishing"):
            yield "vanishing", self.vanishing()
        if found.get("narrowing") and self.claim["verdict"] == "not_private":
            yield "narrowing", self.narrowing(narrowing.unbounded_nearby)
        if statuses["positive"] == "refuted":
            uses_cover |= found["sign"]["kind"] == "nothing"
            yield "sign", self.sign()
        if uses_cover:
            yield "cover", self.replay.steps.proof["cover"]
        if self.claim["verdict"] == "private":
            yield "supremum", self.supremum()
            yield "witness", self.witness()
        if self.claim["tail_log_ratio"] is not None and found["phase"] is not None:
            yield "limsup", {"phases": (found["supremum"] or {}).get("phases") or found["phase"]["cover"]}
