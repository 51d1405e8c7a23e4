"""The rule of each step: the likeliest, or the first that is seen to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.alike import sums
from dpverify.certificate.conjugates import differences
from dpverify.certificate.exponents import of_logarithms
from dpverify.certificate.factorings import factorings, falls_flat, with_radicals
from dpverify.certificate.logarithms import of_quotients
from dpverify.certificate.pieces import in_pieces
from dpverify.certificate.possible import Box, possible
from dpverify.certificate.slopes import first_power
from dpverify.certificate.softplus import with_softplus
from dpverify.certificate.torus import torus_step
from dpverify.certificate.vertices import about_vertices
from dpverify.certificate.ways import second_ways
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import (
    algebra,
    alike,
    conjugates,
    exponents,
    independence,
    logarithms,
    pieces,
    radicals,
    refutations,
    softplus,
    support,
    theorem_a,
    vertices,
    waves,
)
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.by_form import direction
from dpverify.kernel.sections.charts import Subject, charted, radii
from dpverify.kernel.sections.ends import integral
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.falling import drops_at, may_jump
from dpverify.kernel.sections.guards import met_by_guard
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import Germ
from dpverify.kernel.sections.needs import bare
from dpverify.kernel.sections.tail import Tail
from dpverify.kernel.sections.theorem_3 import NEAR_ZERO, loss_from_centre
from dpverify.kernel.sections.undefined import unmet
from dpverify.kernel.sections.windows import with_windows
from dpverify.kernel.steps import Steps, points

SAMPLES = [Fraction(n, 7) for n in (5, 9, 16, 2, 30, 1, 71, 200)]
"""Radii at which a divisor is tried."""


MOST_LOOKED_AT = 100
"""Boxes on which the ways of nodes are tried, or twice as many."""
MOST_FACTORS = 12
"""Factors of f that are tried as the one with a pole."""


class Hints:
    """A proof's steps, each with the rule that it rests on."""

    def __init__(
        self, claim: dict[str, Any], found: Mapping[str, Any], tick: Callable[[], None], shared: bool = False
    ) -> None:
        self.claim, self.found, self.tick, self.shared = claim, found, tick, shared
        self.subject = Subject(claim)
        self.alike = sums(self.subject.tree)
        if self.alike:
            self.subject.tree = alike.rewritten(self.subject.tree, self.alike)
        self.conjugates = differences(self.subject.tree)
        if self.conjugates:
            self.subject.tree = conjugates.rewritten(self.subject.tree, self.conjugates)
        self.exponents = of_logarithms(self.subject.tree)
        if self.exponents:
            self.subject.tree = exponents.rewritten(self.subject.tree, self.exponents)
        self.factored = factorings(self.subject.tree)
        if self.factored:
            self.subject.tree = algebra.factored(self.subject.tree, self.factored)
        self.logarithms = of_quotients(self.subject.tree)
        if self.logarithms:
            self.subject.tree = logarithms.rewritten(self.subject.tree, self.logarithms)
        self.pieces = in_pieces(self.subject.tree)
        if self.pieces:
            self.subject.tree = pieces.rewritten(self.subject.tree, self.pieces)
        self.radicals = with_radicals(self.subject.tree)
        if self.radicals:
            self.subject.tree = radicals.rewritten(self.subject.tree, self.radicals)
        self.softplus = with_softplus(self.subject.tree)
        if self.softplus:
            self.subject.tree = softplus.rewritten(self.subject.tree, self.softplus)
        self.vertices = about_vertices(self.subject.tree)
        if self.vertices:
            self.subject.tree = vertices.rewritten(self.subject.tree, self.vertices)
        self.statuses: dict[str, str] = claim["hypotheses"]
        self.searching, self.strict = False, True
        self.words: dict[object, str | None] = {}

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
        if self.alike:
            proof["alike"] = self.alike
        if self.conjugates:
            proof["conjugates"] = self.conjugates
        if self.exponents:
            proof["exponents"] = self.exponents
        if self.factored:
            proof["factored"] = self.factored
        if self.logarithms:
            proof["logarithms"] = self.logarithms
        if self.radicals:
            proof["radicals"] = self.radicals
        if self.pieces:
            proof["pieces"] = self.pieces
        if self.softplus:
            proof["softplus"] = self.softplus
        if self.vertices:
            proof["vertices"] = self.vertices
        if found.get("torus"):
            proof["torus"] = torus_step(self.subject, found["torus"])
        if found["phase"] is not None:
            proof["phase"] = {**found["phase"], "peak": found["phase"]["peak"] or "0"}
        return proof

    def _proof(self, ways: dict[str, Any]) -> dict[str, Any]:
        if self.statuses["defined"] == "refuted":
            return {"undefined": self._undefined()}
        proof, self.ways = {**self._ends(), **ways}, str(ways)
        steps = Steps({**proof, "cover": self._cover(proof)})
        self.problem = charted(steps, self.subject)
        self.replay = Proof(self.problem, steps)
        proof.update(self._steps())
        return proof

    def _cover(self, proof: Mapping[str, Any]) -> list[str]:
        """The boxes found; octaves where the prover needed none, and a need asks for some."""
        if self.found["cover"] is not None:
            return list(self.found["cover"])
        low, high = (Fraction(proof[end]["radius"]) for end in ("zero", "infinity"))
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
            falls = self._decreasing()
            uses_cover |= not isinstance(falls, str)
            yield "decreasing", falls
        if statuses["decreasing"] == "refuted":
            yield "rise", found["rise"]
        if statuses["integrable"] != "undecided":
            integral = self._integrable()
            uses_cover |= "boxes" in integral
            yield "integrable", integral
            if integral.get("boxes") == "parts" and (poles := self._poles()):
                yield "poles", poles
        if found.get("pole") and self.claim["verdict"] == "not_private":
            yield "pole", self._pole(support.unbounded_at_radius)
        if found.get("vanishing"):
            yield "vanishing", self._vanishing()
        if statuses["positive"] == "refuted":
            yield "sign", self._sign()
        if uses_cover:
            yield "cover", self.replay.steps.proof["cover"]
        if self.claim["verdict"] == "private":
            yield "supremum", self._supremum()
            yield "witness", self._witness()
        if self.claim["tail_log_ratio"] is not None and found["phase"] is not None:
            yield "limsup", {"phases": (found["supremum"] or {}).get("phases") or found["phase"]["cover"]}

    def _undefined(self) -> dict[str, Any]:
        step = self.found["undefined"]
        a, b = points(step["box"], "undefined.box")
        for k, need in enumerate(self.subject.reader.needs):
            if possible(lambda need=need: unmet(Evaluation(radii(a, b), (a, b)), need)):  # type: ignore[misc]
                return {"need": k, "box": step["box"]}
        raise Rejected("no operation is shown to have no value on the box", "K9")

    # Rules of the hypotheses.

    def need(self, need: Any) -> dict[str, Any]:
        """How a need of the text is met: by its guard, by algebra, as a divisor with isolated zeros, or on charts."""
        need = bare(need)
        if possible(lambda: met_by_guard(need)):
            return {"at": "guard"}
        if need.kind != "branch" and possible(lambda: algebra.met_by_algebra(need)):
            return {"at": "algebra"}
        for radius in SAMPLES if need.kind == "nonzero" and not need.guard else ():
            if possible(lambda radius=radius: zeros_isolated(self.problem, radius, need)):  # type: ignore[misc]
                return {"at": str(radius)}
        return {"at": None}

    def _decreasing(self) -> Any:
        if direction(self.subject.tree) in (-1, 0):
            return "form"
        if falls_flat(self.subject.tree):
            return "algebra"
        p, drops = self.problem, []
        boxes = self.replay.boxes() if may_jump(self.subject.tree) else []
        for x in [boxes[0][0], *(b for _, b in boxes)] if boxes else []:
            near = x / 10**30
            falls = lambda x=x, near=near: p.on_box(x - near, x + near).du.hi <= 0  # noqa: E731
            if not possible(falls) and possible(lambda x=x: drops_at(p, x)):  # type: ignore[misc]
                drops.append(str(x))
        phased = isinstance(self.replay.tail, waves.Phases)
        return {"drops": drops, "phase_drops": self._phase_drops() if phased else None}

    def _phase_drops(self) -> list[str]:
        p, tail, drops = self.problem, self.replay.tail, []
        if not isinstance(tail, waves.Phases) or not may_jump(self.subject.tree):
            return []
        for low in (germ.phase.low for germ in tail.cells):
            cell = tail.germ(low - waves.TINY, low + waves.TINY)
            if not possible(lambda cell=cell: p.far(cell).du.span().hi <= 0):  # type: ignore[misc]
                drops.append(str(low))
        return drops

    def _integrable(self) -> dict[str, Any]:
        p, replay = self.problem, self.replay
        if self.statuses["integrable"] == "refuted":
            if self.found.get("pole"):
                return {"radius": self._pole(support.diverges_at_radius)}
            at_centre = possible(lambda: integral(p.near_zero().u, -p.dimension) == -1)
            return {"diverges": "centre" if at_centre else "tail"}
        positive = self.statuses["positive"] == "proved"
        if positive and not self.searching:
            return {"tail": "logs", "boxes": "logs"}
        logs = possible(lambda: all(integral(p.far(g).u, p.dimension) == 1 for g in replay.tail.cells))
        tail = "logs" if logs else "values"
        if positive:
            return {"tail": tail, "boxes": "logs"}
        centre = possible(lambda: integral(p.near_zero().u, -p.dimension) == 1)
        values = possible(lambda: refutations.bounded_by_values(replay) is None)
        step = {"tail": tail, "boxes": "values" if values else "parts"}
        return step if centre else {**step, "centre": "values"}

    def _poles(self) -> list[dict[str, int]]:
        """The boxes on which f is bounded beside a pole alone, and the factor that has it."""
        found, tree = [], self.problem.tree
        for i, box in enumerate(self.replay.boxes()):
            self.tick()
            parts = support.parts_on(self.replay, *box)
            if possible(lambda parts=parts: support.within(parts, tree, "") is None):  # type: ignore[misc]
                continue
            for k in range(MOST_FACTORS):
                if possible(lambda parts=parts, k=k: support.weak_pole(parts, tree, k) is None):  # type: ignore[misc]
                    found.append({"box": i, "factor": k})
                    break
        return found

    def _pole(self, rule: Callable[..., Any]) -> dict[str, Any]:
        """The factor that has the pole, for the rule that asks for it."""
        given = self.found["pole"]
        steps = [{**given, "factor": k} for k in range(MOST_FACTORS)]
        if self.statuses["integrable"] == "refuted":
            steps = [{"box": given["box"], "factor": k} for k in range(MOST_FACTORS)]
        steps += [{**step, "branch": 1} for step in steps]
        return next((s for s in steps if possible(lambda s=s: rule(self.replay, s) is None)), steps[0])  # type: ignore[misc]

    def _vanishing(self) -> dict[str, Any]:
        """The factor that comes near 0 far out."""
        steps = [{"factor": k, **self.found["vanishing"]} for k in range(MOST_FACTORS)]
        rule = independence.vanishes_far_out
        return next((s for s in steps if possible(lambda s=s: rule(self.replay, s) is None)), steps[0])  # type: ignore[misc]

    def _sign(self) -> dict[str, Any]:
        step = self.found["sign"]
        kind, box, positive = step["kind"], step["box"], step["positive"]
        if kind == "centre":
            return {"kind": kind}
        if kind == "negative":
            choices = [{"kind": kind, "box": box, "by": by} for by in ("value", "factors")]
            rule: Callable[..., Any] = refutations.negative
        elif kind == "touches":
            tree = self.subject.tree
            count = len(tree.args) if tree.kind == "mul" else 1
            choices = [{"kind": kind, "box": box, "positive": positive, "factor": i} for i in range(count)]
            choices += [{**choice, "inner": j} for choice in choices for j in range(MOST_FACTORS)]
            rule = refutations.touches
        else:
            return {"kind": kind, "box": box, "positive": positive}
        for choice in choices:
            if possible(lambda choice=choice: rule(self.replay, choice)):  # type: ignore[misc]
                return choice
        return choices[0]

    # Bounds of the loss.

    def _supremum(self) -> dict[str, Any]:
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
            step["near_zero"] = self._near_zero()
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
                step["phase_drops"] = self._phase_drops()
        self._ask_the_ends(step)
        return step

    def _by_slopes(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Boxes on which slopes are bounded, and in a tail that oscillates cells."""
        step = {"slopes": found["slopes"]}
        if self.found.get("torus"):
            return {**step, "power": "1", "tree": self.found["torus"]["charts"][0]["tree"]}
        step["power"] = str(self.power())
        return step if found["phases"] is None else {**step, "phases": found["phases"]}

    def _witness(self) -> dict[str, Any]:
        witness: dict[str, Any] = self.found["witness"]
        return {**witness, "power": str(self.power())} if witness["near"] == "slopes" else witness

    def power(self) -> Fraction:
        """Of the powers of f that are tried, the first whose slopes the kernel bounds at both ends."""
        return self.problem.once("power", lambda: first_power(self.problem, self.steepest()))

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

    def most(self) -> Any:
        """The upper end of the claim's epsilon, rounded down."""
        return interval(Fraction(self.claim["epsilon"]["upper"])).lo

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
