"""How the loss is bounded on each box, on each cell of phases, and at the ends: by which rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.drafted import Drafted
from dpverify.certificate.possible import Box, possible
from dpverify.certificate.slopes import first_power
from dpverify.certificate.summit import curved
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections import (
    theorem_a,
    waves,
)
from dpverify.kernel.sections.fields import points
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.tail import Tail
from dpverify.kernel.sections.theorem_3 import NEAR_ZERO, loss_from_centre
from dpverify.kernel.sections.windows import with_windows


class LossHints(Drafted):
    """The steps of the supremum and of its witness, each with the rule that it rests on."""

    def supremum(self) -> dict[str, Any]:
        """The boxes, cells and shifts on which the loss is bounded, and by which rules."""
        found = self.found["supremum"]
        if not found["cover"] and found["slopes"]:
            return self._by_slopes(found)
        if self.found.get("torus"):
            return self._on_torus(found)
        theorem_3 = self.claim["theorem"] == "Theorem 3"
        marks = points(found["cover"], "supremum.cover")
        reach = self.replay.tail.reach
        last = next((i for i, x in enumerate(marks) if x >= reach), len(marks) - 1)
        step: dict[str, Any] = {"cover": [str(x) for x in marks[: last + 1]]}
        if theorem_3:
            step |= curved(self, step["cover"]) | {"near_zero": self._near_zero()}
        else:
            step["cuts"] = [str(x) for x in marks[last + 1 :]]
            step["ahead"] = found["ahead"]
            step["shifts"] = found["shifts"]
            step["rules"] = self._box_words(found, marks, last)
            step = self._with_windows(found, step)
        if found["phase_shifts"] is not None:
            step["phases"], step["phase_shifts"] = found["phases"], found["phase_shifts"]
            step["phase_rules"] = self._phase_words(found)
            if any(set(word) & set(theorem_a.ON_CELLS) for word in step["phase_rules"]):
                step["phase_cuts"] = found["phase_cuts"]
        elif found.get("tail_shifts"):
            step["tail_shifts"] = found["tail_shifts"]
            letters = self._tail_letters(found["tail_shifts"])
            step.update({"tail_rules": letters} if set(letters) != {"m"} else {})
        elif found["phases"] is not None:
            step["phases"] = found["phases"]
            if not theorem_3:
                step["phase_drops"] = self.phase_drops()
        self._ask_the_ends(step)
        return step

    def _by_slopes(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Boxes on which slopes are bounded, and in a tail that oscillates cells."""
        step = {"slopes": found["slopes"]}
        if self.found.get("torus"):
            return {**step, "power": "1", "tree": self.found["torus"]["charts"][0]["tree"]}
        step["power"] = str(self.power())
        return step if found["phases"] is None else {**step, "phases": found["phases"]}

    def witness(self) -> dict[str, Any]:
        """Where the loss is as large as is claimed."""
        witness: dict[str, Any] = self.found["witness"]
        return {**witness, "power": str(self.power())} if witness["near"] == "slopes" else witness

    def power(self) -> Fraction:
        """Of the powers of f that are tried, the first whose slopes the kernel bounds at both ends."""
        steepest = self.steepest()
        return self.problem.once(("power", steepest), lambda: first_power(self.problem, steepest))

    def steepest(self) -> Fraction:
        """How steep g may be for the claim's epsilon."""
        return Fraction(self.claim["epsilon"]["upper"]) / self.problem.delta

    def _tail_letters(self, shifts: list[str]) -> str:
        """For each interval of shifts the first rule that bounds the loss there in all of the tail."""
        most, letters = self.most(), ""
        for low, high in pairwise(points(shifts, "tail_shifts")):
            for letter, rule in theorem_a.IN_TAIL.items():
                if possible(lambda rule=rule, hs=(low, high): _within(rule(self.problem, *hs), most)):  # type: ignore[misc]
                    letters += letter
                    break
            else:
                raise Rejected("the loss is not shown below epsilon in the tail", "K74")
        return letters

    def _ask_the_ends(self, step: Mapping[str, Any]) -> None:
        """Raise Rejected where the loss is too large at an end, as the kernel would after many boxes."""
        most = self.most()
        if "near_zero" in step and not NEAR_ZERO[step["near_zero"]](self.problem) <= most:
            raise Rejected("the loss is not shown below epsilon near zero", "K27")
        if type(self.replay.tail) is Tail and "tail_shifts" not in step:
            self.replay.tail.at_most({}, most)

    def _on_torus(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Boxes as in Theorem A, as far as there are some, and charts on which phases run free."""
        marks = points(found["cover"], "supremum.cover")
        step = {
            "cover": found["cover"],
            "cuts": [],
            "ahead": found["ahead"],
            "shifts": found["shifts"] or [],
            "rules": self._box_words(found, marks, len(marks) - 1) if marks else [],
            "charts": self.found["torus"]["charts"],
        }
        return self._with_windows(found, step)

    def _box_words(self, found: Mapping[str, Any], marks: list[Fraction], last: int) -> list[str]:
        if found.get("windows"):
            with_windows(self.problem, found["windows"])
        return self._words(marks, last, found["shifts"])

    def _with_windows(self, found: Mapping[str, Any], step: dict[str, Any]) -> dict[str, Any]:
        """The step with the windows that its rules ask for."""
        needed = any("w" in word for word in step["rules"])
        return {**step, "windows": found["windows"]} if needed else step

    def _near_zero(self) -> str:
        if not self.searching:
            return "slopes"
        p, heights = self.problem, {}
        for word in ("models", "slopes"):
            try:
                heights[word] = NEAR_ZERO[word](p)
            except (Rejected, ArithmeticError):
                continue
        low_enough = any(height <= self.most() for height in heights.values())
        if not low_enough and possible(lambda: loss_from_centre(p) <= self.most()):
            return "increments"
        return min(heights, key=lambda word: heights[word]) if heights else "models"

    def _words(self, marks: list[Fraction], last: int, shifts: list[list[str]]) -> list[str]:
        def words(box: Box, hs: list[str]) -> str:
            self.tick()
            pairs = pairwise(points(hs, "shifts"))
            return "".join(self._found(self.box_word(box, pair, marks)) for pair in pairs)

        boxes = list(zip(pairwise(marks[: last + 1]), shifts, strict=False))
        for box, hs in boxes:  # where the loss is largest it is soon seen that a claim is too narrow
            if self.found["witness"]["near"] == "box" and box[0] <= Fraction(self.found["witness"]["box"][0]) < box[1]:
                words(box, hs)
        return [words(box, hs) for box, hs in boxes]

    def box_word(self, box: Box, shifts: Box, marks: list[Fraction]) -> str | None:
        """The first rule that bounds the loss over a box of radii and shifts by epsilon; None where none does."""
        key = self.ways, box, shifts
        if key not in self.words:
            self.words[key] = self.first_word(box, shifts, marks)
        return self.words[key]

    def first_word(self, box: Box, shifts: Box, marks: list[Fraction]) -> str | None:
        """The same, not looked up."""
        if "windows" in self.problem.known and self.word(self.box_loss, box, shifts, marks, only="w"):
            return "w"
        return self.word(self.box_loss, box, shifts, marks, more=theorem_a.ON_BOXES)

    def box_loss(self, word: str, box: Box, shifts: Box, marks: list[Fraction]) -> Interval:
        """The loss over a box of radii and shifts, as the rule of that letter bounds it."""
        return theorem_a.on_box(self.problem, word, box, shifts, marks)

    def _phase_words(self, found: Mapping[str, Any]) -> list[str]:
        tail, words = self.replay.tail, []
        assert isinstance(tail, waves.Phases)
        for germ, hs in zip(tail.cover("phases", found["phases"]), found["phase_shifts"], strict=False):
            self.tick()
            pairs = pairwise(points(hs, "shifts"))
            cuts = points(found.get("phase_cuts") or [], "phase_cuts")
            words.append("".join(self._phase_word(germ, pair, cuts) for pair in pairs))
        return words

    def _phase_word(self, germ: Germ, shifts: Box, cuts: list[Fraction]) -> str:
        """The first rule by which the loss there is within epsilon."""

        def loss(word: str) -> Interval:
            return theorem_a.on_cell(self.replay, word, germ, *shifts, cuts)

        return self._found(self.word(loss, more=theorem_a.ON_CELLS if cuts else ()))

    def _found(self, word: str | None) -> str:
        """The rule that was found; where none was the kernel would refuse, and so does this.

        Where boxes are yet to be bisected it is the last rule.
        """
        if word is None and self.strict:
            raise Rejected("the loss is not shown below epsilon for every shift", "K74")
        return word or "h"

    def word(self, loss: Callable[..., Interval], *where: Any, more: Iterable[str] = (), only: str = "") -> str | None:
        """The first rule that bounds the loss there by epsilon; None where none does."""
        most = self.most()
        for word in only or (*"rm", *("i" if "i" in more else ""), "h", *more):
            try:
                bounds = loss(word, *where)
            except (Rejected, ArithmeticError):
                continue
            if _within(bounds, most):
                return word
        return None


def _within(bounds: Interval, most: Any) -> bool:
    """Whether a loss of these bounds is at most so large."""
    return bool(-most <= bounds.lo and bounds.hi <= most)
