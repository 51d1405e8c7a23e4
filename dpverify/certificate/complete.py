"""The untrusted completer: from what a prover found to a certificate that the kernel replays.

The prover says where: charts, boxes, shifts, phases, a witness.  The kernel wants to be told how as
well: which rule meets each need, bounds each piece and evaluates each node.  This room searches for
that with the kernel's own functions, bisects what the kernel's arithmetic cannot follow, and
has the kernel replay the whole; nothing here is trusted, since the certificate is checked again by
whoever receives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.serialise import digest
from dpverify.errors import DpverifyError
from dpverify.kernel import FORMAT, VERSION, Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.charts import radii, with_shift, with_slope
from dpverify.kernel.definedness import beside, met_on, unmet, zeros_isolated
from dpverify.kernel.evaluation import TWO_WAYS, Evaluation, Ways
from dpverify.kernel.forms import direction, may_jump
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.pairs import innermost
from dpverify.kernel.proof import Proof, Tail, drops_at
from dpverify.kernel.rules import Ledger, by_section
from dpverify.kernel.sections import refutations, theorem_a, waves
from dpverify.kernel.steps import Steps, points
from dpverify.kernel.tree import Node
from dpverify.results import Result

for section in kernel.SECTIONS:
    kernel.load_section(section)

Box = tuple[Fraction, Fraction]
SAMPLES = [Fraction(n, 7) for n in (5, 9, 16, 2, 30, 1, 71, 200)]
MOST_SPLITS, MOST_BOXES = 14, 6_000


ORNAMENTS = {"K32": "tail_log_ratio", "K33": "closed_form"}
"""What a claim may leave out, by the rule that refused it: the rest is proved with it or without."""
FINAL = {"K4", "K9", "K33", "format", "limits", "claim"}
"""Refusals that no other rule and no smaller box mends."""


class Incomplete(DpverifyError):
    """No certificate was found that the kernel accepts; the message is its reason, with the rule."""


def certified(result: Result, tick: Callable[[], None] = lambda: None) -> Result:
    """The result with its certificate, and with those ornaments of the claim that the kernel can enclose.

    Raises Incomplete where the kernel does not follow.
    """
    assert result.draft is not None
    certificate = complete(result.draft, tick)
    claim = certificate["claim"]
    epsilon, reason = result.epsilon, result.reason
    if epsilon is not None and claim["closed_form"] is None:
        reason = reason.replace(f"epsilon = {epsilon.closed_form} = ", "epsilon = ")
        epsilon = replace(epsilon, closed_form=None)
    tail = result.tail_log_ratio if claim["tail_log_ratio"] is not None else None
    assumptions = tuple(certificate["assumptions"])
    return replace(
        result,
        certificate=certificate,
        epsilon=epsilon,
        reason=reason,
        tail_log_ratio=tail,
        assumptions=assumptions,
    )


def complete(draft: Mapping[str, Any], tick: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The certificate of a draft: the claim, and the steps as a prover, or an old file, names them.

    Raises Incomplete where the kernel does not follow.
    """
    claim = dict(draft["claim"])
    while True:
        try:
            return _complete(draft, claim, tick)
        except Rejected as refusal:
            ornament = ORNAMENTS.get(refusal.code)
            if ornament is None or claim[ornament] is None:
                why = f"{refusal} [{refusal.code}]" if refusal.code else str(refusal)
                raise Incomplete(why) from None
            claim[ornament] = None


def _complete(draft: Mapping[str, Any], claim: dict[str, Any], tick: Callable[[], None]) -> dict[str, Any]:
    completer = _Completer(claim, draft["proof"], tick)
    for attempt in (completer.plain, completer.searched, completer.finer):
        proof = attempt()
        try:
            proof = _without_idle_ways(claim, proof)
            assumptions, rules = _replayed(claim, proof)
            break
        except Rejected as refusal:
            if attempt == completer.finer or refusal.code in FINAL:
                raise
    certificate = {
        "format": FORMAT,
        "version": VERSION,
        "program": draft["program"],
        "claim": claim,
        "rules": rules,
        "proof": proof,
        "assumptions": assumptions,
    }
    certificate["digest"] = digest(certificate)
    return certificate


def _replayed(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> tuple[list[str], dict[str, list[str]]]:
    ledger = Ledger()
    assumptions = kernel.replay(claim, proof, ledger)
    return assumptions, by_section(ledger.used)


def _without_idle_ways(claim: Mapping[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with those second ways alone that its replay takes."""
    if "ways" not in proof:
        return proof
    subject, steps = kernel.Subject(claim), Steps(proof)
    replay = Proof(kernel.problem(steps, subject), steps)
    kernel.check_defined(claim, claim["hypotheses"], replay, subject)
    taken = {
        place: {n: way for n, way in proof["ways"][place].items() if int(n) in ways.taken}
        for place, ways in replay.problem.ways.items()
    }
    kept = {place: chosen for place, chosen in taken.items() if chosen}
    return {**{k: v for k, v in proof.items() if k != "ways"}, **({"ways": kept} if kept else {})}


def _possible(step: Callable[[], Any]) -> bool:
    try:
        return step() is not False
    except (Rejected, ArithmeticError):
        return False


class _Completer:
    def __init__(self, claim: dict[str, Any], found: Mapping[str, Any], tick: Callable[[], None]) -> None:
        self.claim, self.found, self.tick = claim, found, tick
        self.subject = kernel.Subject(claim)
        self.statuses: dict[str, str] = claim["hypotheses"]
        self.searching = False

    def plain(self) -> dict[str, Any]:
        """The steps, each with the rule that is the likeliest."""
        return self._proof({})

    def searched(self) -> dict[str, Any]:
        """The steps, each with the first rule that is seen to hold."""
        self.searching = True
        ways = self._ways(self._ends())
        return self._proof({"ways": ways} if ways else {})

    def _ends(self) -> dict[str, Any]:
        found = self.found
        proof: dict[str, Any] = {"zero": found["zero"], "infinity": found["infinity"]}
        if found["phase"] is not None:
            proof["phase"] = {**found["phase"], "peak": found["phase"]["peak"] or "0"}
        return proof

    def _proof(self, ways: dict[str, Any]) -> dict[str, Any]:
        if self.statuses["defined"] == "refuted":
            return {"undefined": self._undefined()}
        proof = {**self._ends(), **ways}
        steps = Steps({**proof, "cover": self._cover(proof)})
        self.problem = kernel.problem(steps, self.subject)
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
            needs = [self._need(need) for need in self.subject.reader.needs]
            uses_cover |= any(need["at"] is None for need in needs)
            yield "defined", needs
        if statuses["decreasing"] == "proved":
            falls = self._decreasing()
            uses_cover |= falls != "form"
            yield "decreasing", falls
        if statuses["decreasing"] == "refuted":
            yield "rise", found["rise"]
        if statuses["integrable"] != "undecided":
            integral = self._integrable()
            uses_cover |= "boxes" in integral
            yield "integrable", integral
        if statuses["positive"] == "refuted":
            yield "sign", self._sign()
        if uses_cover:
            yield "cover", self.replay.steps.proof["cover"]
        if self.claim["verdict"] == "private":
            yield "supremum", self._supremum()
            yield "witness", found["witness"]
        if self.claim["tail_log_ratio"] is not None and found["phase"] is not None:
            yield "limsup", {"phases": (found["supremum"] or {}).get("phases") or found["phase"]["cover"]}

    def _undefined(self) -> dict[str, Any]:
        step = self.found["undefined"]
        a, b = points(step["box"], "undefined.box")
        for k, need in enumerate(self.subject.reader.needs):
            if _possible(lambda need=need: unmet(Evaluation(radii(a, b), (a, b)), need)):  # type: ignore[misc]
                return {"need": k, "box": step["box"]}
        raise Rejected("no operation is shown to have no value on the box", "K9")

    # Ways: the second one where the first fails, parts before wholes.

    def _ways(self, proof: dict[str, Any]) -> dict[str, dict[str, str]]:
        choices = [node for node in self.subject.nodes() if node.kind in TWO_WAYS and _has_choice(node)]
        if not choices:
            return {}
        problem = kernel.problem(Steps(dict(proof)), self.subject)
        tail: Tail = waves.Phases(problem, Steps(dict(proof))) if "phase" in proof else Tail(problem)
        zero = Model(problem.zero, {power_of_t(-1): 1})
        germs = {id(g): g for g in (tail.cells[0], tail.cells[-1], tail.peak)}.values()
        far = [Model(germ, {LINEAR: 1}) for germ in germs]
        charted: dict[str, list[tuple[Any, Box | None]]] = {
            "zero": [(with_slope(zero), None)],
            "infinity": [
                *((with_slope(r), None) for r in far),
                *((with_shift(r, r.const(problem.delta)), None) for r in far),
            ],
            "boxes": [(radii(a, b), (a, b)) for a, b in pairwise(points(self.found["cover"] or [], "cover"))],
        }
        found = {}
        for place, elements in charted.items():
            ways = frozenset[int]()
            for node in choices if place != "boxes" else (n for n in choices if n.kind == "add"):
                if any(_wants_second(node, r, ends, ways) for r, ends in elements):
                    ways |= {node.number}
            if ways:
                found[place] = {str(n.number): TWO_WAYS[n.kind] for n in choices if n.number in ways}
        return found

    # Rules of the hypotheses.

    def _need(self, need: Any) -> dict[str, Any]:
        for radius in SAMPLES if need.kind == "nonzero" and not need.guard else ():
            at = beside(self.problem, radius)
            if _possible(lambda at=at: zeros_isolated(at, need)):  # type: ignore[misc]
                return {"at": str(radius)}
        return {"at": None}

    def _decreasing(self) -> Any:
        if direction(self.subject.tree) in (-1, 0):
            return "form"
        p, drops = self.problem, []
        boxes = self.replay.boxes() if may_jump(self.subject.tree) else []
        for x in [boxes[0][0], *(b for _, b in boxes)] if boxes else []:
            near = x / 10**30
            falls = lambda x=x, near=near: p.on_box(x - near, x + near).du.hi <= 0  # noqa: E731
            if not _possible(falls) and _possible(lambda x=x: drops_at(p, x)):  # type: ignore[misc]
                drops.append(str(x))
        phased = isinstance(self.replay.tail, waves.Phases)
        return {"drops": drops, "phase_drops": self._phase_drops() if phased else None}

    def _phase_drops(self) -> list[str]:
        p, tail, drops = self.problem, self.replay.tail, []
        if not isinstance(tail, waves.Phases) or not may_jump(self.subject.tree):
            return []
        for low in (germ.phase.low for germ in tail.cells):
            cell = tail.germ(low - waves.TINY, low + waves.TINY)
            if not _possible(lambda cell=cell: p.far(cell).du.span().hi <= 0):  # type: ignore[misc]
                drops.append(str(low))
        return drops

    def _integrable(self) -> dict[str, str]:
        p, replay = self.problem, self.replay
        if self.statuses["integrable"] == "refuted":
            at_centre = _possible(lambda: p.integral(p.near_zero().u, -p.dimension) == -1)
            return {"diverges": "centre" if at_centre else "tail"}
        positive = self.statuses["positive"] == "proved"
        if positive and not self.searching:
            return {"tail": "logs", "boxes": "logs"}
        logs = _possible(lambda: all(p.integral(p.far(g).u, p.dimension) == 1 for g in replay.tail.cells))
        return {"tail": "logs" if logs else "values", "boxes": "logs" if positive else "values"}

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
            rule = refutations.touches
        else:
            return {"kind": kind, "box": box, "positive": positive}
        for choice in choices:
            if _possible(lambda choice=choice: rule(self.replay, choice)):  # type: ignore[misc]
                return choice
        return choices[0]

    # Bounds of the loss.

    def _supremum(self) -> dict[str, Any]:
        found = self.found["supremum"]
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
            step["rules"] = self._words(marks, last, found["shifts"])
        if found["phase_shifts"] is not None:
            step["phases"], step["phase_shifts"] = found["phases"], found["phase_shifts"]
            step["phase_rules"] = self._phase_words(found)
        elif found["phases"] is not None:
            step["phases"] = found["phases"]
            if not theorem_3:
                step["phase_drops"] = self._phase_drops()
        return step

    def _near_zero(self) -> str:
        if not self.searching:
            return "slopes"
        p, heights = self.problem, {}
        for word, bound in (("models", p.loss_near_zero), ("slopes", p.climb_from_zero)):
            try:
                heights[word] = bound()
            except (Rejected, ArithmeticError):
                continue
        return min(heights, key=lambda word: heights[word]) if heights else "models"

    def _most(self) -> Any:
        return interval(Fraction(self.claim["epsilon"]["upper"])).lo

    def _words(self, marks: list[Fraction], last: int, shifts: list[list[str]]) -> list[str]:
        words = []
        for box, hs in zip(pairwise(marks[: last + 1]), shifts, strict=False):
            self.tick()
            pairs = pairwise(points(hs, "shifts"))
            words.append("".join(self._first_word(self._box_loss, box, pair, marks) for pair in pairs))
        return words

    def _box_loss(self, word: str, box: Box, shifts: Box, marks: list[Fraction]) -> Interval:
        return theorem_a.on_box(self.problem, word, box, shifts, marks)

    def _phase_words(self, found: Mapping[str, Any]) -> list[str]:
        tail, words = self.replay.tail, []
        assert isinstance(tail, waves.Phases)
        for germ, hs in zip(tail.cover("phases", found["phases"]), found["phase_shifts"], strict=False):
            self.tick()
            pairs = pairwise(points(hs, "shifts"))
            words.append("".join(self._first_word(self._cell_loss, germ, pair) for pair in pairs))
        return words

    def _cell_loss(self, word: str, germ: Germ, shifts: Box) -> Interval:
        return theorem_a.on_cell(self.replay, word, germ, *shifts)

    def _first_word(self, loss: Callable[..., Interval], *where: Any) -> str:
        """The first rule by which the loss there is within epsilon; the last where none is."""
        return self._word(loss, *where) or "h"

    def _word(self, loss: Callable[..., Interval], *where: Any) -> str | None:
        most = self._most()
        for word in "rmh":
            try:
                bounds = loss(word, *where)
            except (Rejected, ArithmeticError):
                continue
            if -most <= bounds.lo and bounds.hi <= most:
                return word
        return None

    # Where the kernel's enclosures are wider than the prover's: smaller boxes.

    def finer(self) -> dict[str, Any]:
        """The proof with boxes and cells bisected until the kernel follows."""
        proof = self.searched()
        finer = dict(proof)
        if "cover" in proof:
            finer["cover"] = self._split(proof["cover"], self._box_holds)
        step = proof.get("supremum")
        if step is not None and self.claim["theorem"] == "Theorem 3":
            most, p = self._most(), self.problem
            step = {**step, "cover": self._split(step["cover"], lambda a, b: p.loss(a, b, p.delta).hi <= most)}
            tail = self.replay.tail
            if isinstance(tail, waves.Phases):

                def cell_holds(a: Fraction, b: Fraction) -> bool:
                    return bool(tail.loss(tail.germ(a, b), p.delta).hi <= most)

                step["phases"] = self._split(step["phases"], cell_holds)
            finer["supremum"] = step
        elif step is not None:
            finer["supremum"] = self._finer_shifts(step)
        if "phase" in proof:
            finer["phase"] = {**proof["phase"], "cover": self._split(proof["phase"]["cover"], self._cell_holds)}
        if "limsup" in finer and "supremum" in finer:
            finer["limsup"] = {"phases": finer["supremum"]["phases"]}
        return finer

    def _finer_shifts(self, step: dict[str, Any]) -> dict[str, Any]:
        """Theorem A's boxes and their intervals of shifts, bisected in turn where no rule bounds the loss."""
        given, cuts = points(step["cover"], "supremum.cover"), points(step["cuts"], "supremum.cuts")
        marks, words, lists, extra = given[:1], [], [], 0
        stack = [(box, points(hs, "shifts"), 0) for box, hs in zip(pairwise(given), step["shifts"], strict=True)][::-1]
        while stack:
            (a, b), shifts, depth = stack.pop()
            self.tick()
            at = [self._word(self._box_loss, (a, b), pair, [*given, *cuts]) for pair in pairwise(shifts)]
            if None in at and depth < MOST_SPLITS and extra < MOST_BOXES:
                extra += 1
                if depth % 2 == 0:
                    missed = [pair for pair, w in zip(pairwise(shifts), at, strict=True) if w is None]
                    middles = [(low + high) / 2 for low, high in missed]
                    stack.append(((a, b), sorted([*shifts, *middles]), depth + 1))
                else:
                    middle = (a + b) / 2
                    stack += [((middle, b), shifts, depth + 1), ((a, middle), shifts, depth + 1)]
                continue
            marks.append(b)
            lists.append([str(h) for h in shifts])
            words.append("".join(w or "h" for w in at))
        return {**step, "cover": [str(x) for x in marks], "shifts": lists, "rules": words}

    def _box_holds(self, a: Fraction, b: Fraction) -> bool:
        p, at = self.problem, self.problem.at_box(radii(a, b), (a, b))
        for need, given in zip(self.subject.reader.needs, self._needs(), strict=True):
            if given["at"] is None and not met_on(at, need):
                return False
        if self.statuses["positive"] != "proved":
            value = p.value_on_box(a, b)
            return value.finite()
        log = p.log_f(at)
        falls = self.statuses["decreasing"] == "proved" and direction(self.subject.tree) not in (-1, 0)
        return log.u.finite() and (not falls or log.du.hi <= 0)

    def _needs(self) -> list[dict[str, Any]]:
        return self.problem.once("needs", lambda: [self._need(n) for n in self.subject.reader.needs])

    def _cell_holds(self, a: Fraction, b: Fraction) -> bool:
        tail, p = self.replay.tail, self.problem
        assert isinstance(tail, waves.Phases)
        log = p.far(tail.germ(a, b))
        if self.statuses["integrable"] == "proved" and p.integral(log.u, p.dimension) != 1:
            return False
        return not (self.statuses["decreasing"] == "proved" and log.du.span().hi > 0)

    def _split(self, marks: list[str], holds: Callable[[Fraction, Fraction], bool]) -> list[str]:
        given = points(marks, "cover")
        result = [given[0]]
        for a, b in pairwise(given):
            stack = [(a, b, 0)]
            while stack:
                low, high, depth = stack.pop()
                self.tick()
                spent = depth >= MOST_SPLITS or len(result) > len(given) + MOST_BOXES
                if spent or _possible(lambda low=low, high=high: holds(low, high)):  # type: ignore[misc]
                    result.append(high)
                    continue
                middle = (low + high) / 2
                stack += [(middle, high, depth + 1), (low, middle, depth + 1)]
        return [str(x) for x in result]


def _tends_to_a_rational(element: Any) -> bool:
    if not isinstance(element, Model):
        return False
    lead, c = next(iter(element.terms.items()), (LINEAR, None))
    return lead == CONSTANT and isinstance(c, Fraction) and c > 0


def _has_choice(node: Node) -> bool:
    return node.args[0].exponential if node.kind == "log" else node.exponential


def _wants_second(node: Node, r: Any, ends: Box | None, ways: frozenset[int]) -> bool:
    """Whether a node's first way fails on a chart and its second does not, or a logarithm's argument tends to a
    known rational, since that may cancel exactly."""

    def works(chosen: frozenset[int]) -> bool:
        at = Evaluation(r, ends, ways=Ways(chosen))
        return _possible(lambda: at.log(node) if node.kind == "add" else at.value(node))

    if node.kind == "log":
        at = Evaluation(r, ends, ways=Ways(ways))
        return _possible(lambda: _tends_to_a_rational(innermost(at.value(node.args[0]))))
    return not works(ways) and works(ways | {node.number})
