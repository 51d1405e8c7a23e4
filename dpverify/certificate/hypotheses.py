"""How each hypothesis is shown: by which rule, and with what numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from dpverify.certificate.drafted import Drafted
from dpverify.certificate.factorings import falls_flat
from dpverify.certificate.possible import possible
from dpverify.kernel import Rejected
from dpverify.kernel.sections import (
    algebra,
    dominated,
    eventually,
    independence,
    limits,
    narrowing,
    one_side,
    refutations,
    support,
    waves,
)
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.by_form import direction
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.ends import integral
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.falling import drops_at, may_jump
from dpverify.kernel.sections.fields import points
from dpverify.kernel.sections.guards import met_by_guard
from dpverify.kernel.sections.needs import bare
from dpverify.kernel.sections.periods import Repeated
from dpverify.kernel.sections.positivity import met_by_parts
from dpverify.kernel.sections.saws import met_by_saw
from dpverify.kernel.sections.undefined import unmet
from dpverify.kernel.tree import walk

SAMPLES = [Fraction(n, 7) for n in (5, 9, 16, 2, 30, 1, 71, 200)]
"""Radii at which a divisor is tried."""
MOST_FACTORS = 12
"""Factors of f that are tried as the one with a pole."""


class HypothesisHints(Drafted):
    """The steps of the hypotheses, each with the rule that it rests on."""

    def undefined(self) -> dict[str, Any]:
        """The need that is not met on the box, and the box."""
        step = self.found["undefined"]
        a, b = points(step["box"], "undefined.box")
        for k, need in enumerate(self.subject.reader.needs):
            if possible(lambda need=need: unmet(Evaluation(radii(a, b), (a, b)), need)):  # type: ignore[misc]
                return {"need": k, "box": step["box"]}
        raise Rejected("no operation is shown to have no value on the box", "K9")

    def need(self, need: Any) -> dict[str, Any]:
        """How a need is met: by its guard, its form, algebra, as one with isolated zeros, or on charts."""
        need = bare(need)
        if possible(lambda: met_by_guard(need)):
            return {"at": "guard"}
        if possible(lambda: met_by_parts(need)):
            return {"at": "form"}
        if need.kind != "branch" and possible(lambda: algebra.met_by_algebra(need)):
            return {"at": "algebra"}
        if possible(lambda: met_by_saw(need)):
            return {"at": "saw"}
        for radius in SAMPLES if need.kind in ("nonzero", "positive") else ():
            if possible(lambda radius=radius: zeros_isolated(self.problem, radius, need)):  # type: ignore[misc]
                return {"at": str(radius)}
        return {"at": None}

    def falls_by_form(self) -> str | None:
        """The rule by which f falls whatever its slopes on boxes, if there is one."""

        def rule() -> str | None:
            if direction(self.subject.tree) in (-1, 0):
                return "form"
            return "algebra" if falls_flat(self.subject.tree) else None

        found: str | None = self.problem.once("falls by form", rule)
        return found

    def decreasing(self) -> Any:
        """By which rule f falls, with the radii and phases at which it drops."""
        by_form = self.falls_by_form()
        if by_form is not None:
            return by_form
        p, drops = self.problem, []
        boxes = self.replay.boxes() if may_jump(self.subject.tree) else []
        for x in [boxes[0][0], *(b for _, b in boxes)] if boxes else []:
            near = x / 10**30
            falls = lambda x=x, near=near: self._slides(p.on_box(x - near, x + near).du)  # noqa: E731
            if not possible(falls) and possible(lambda x=x: drops_at(p, x)):  # type: ignore[misc]
                drops.append(str(x))
        phased = isinstance(self.replay.tail, waves.Phases)
        return {"drops": drops, "phase_drops": self.phase_drops() if phased else None}

    def _slides(self, slopes: Any) -> bool:
        """Whether f falls by slopes; those of branches that meet are to be finite, as a jump is told by its sides."""
        pieces = any(x.kind == "piece" for x in walk(self.subject.tree))
        return bool(slopes.hi <= 0 and (not pieces or slopes.finite()))

    def integrable(self) -> dict[str, Any]:
        """How f is bounded on boxes and at the ends, or where it is not."""
        p, replay = self.problem, self.replay
        if self.statuses["integrable"] == "refuted":
            if self.found.get("recurring"):
                return {"phase": self.found["recurring"]}
            if self.found.get("narrowing"):
                return {"narrowing": self.narrowing(narrowing.diverges_nearby)}
            if self.found.get("pole"):
                return {"radius": self.pole_step(support.diverges_at_radius)}
            at_centre = possible(lambda: integral(p.near_zero().u, -p.dimension) == -1)
            return {"diverges": "centre" if at_centre else "tail"}
        positive = self.statuses["positive"] == "proved"
        repeats = isinstance(replay.tail, Repeated)
        if positive and (repeats or not self.searching):
            return {"tail": "period" if repeats else "logs", "boxes": "logs"}
        logs = possible(lambda: all(integral(p.far(g).u, p.dimension) == 1 for g in replay.tail.cells))
        tail = "logs" if logs else "values"
        if repeats:
            tail = "period"
        elif tail == "values":
            tails = {
                "values": refutations.tail_by_values,
                "saws": one_side.tail_by_saws,
                "parts": dominated.tail_by_parts,
            }
            tail = next((name for name, shows in tails.items() if possible(partial(shows, replay))), "values")
        if positive:
            return {"tail": tail, "boxes": "logs"}
        centre = possible(lambda: integral(p.near_zero().u, -p.dimension) == 1)
        ways = {"values": refutations.bounded_by_values, "saws": one_side.bounded_by_saws}
        boxes = next((name for name, shows in ways.items() if possible(partial(shows, replay))), "parts")
        step = {"tail": tail, "boxes": boxes}
        return step if centre else {**step, "centre": "values"}

    def poles(self) -> list[dict[str, int]]:
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

    def pole_step(self, rule: Callable[..., Any]) -> dict[str, Any]:
        """The factor that has the pole, for the rule that asks for it."""
        given = {name: value for name, value in self.found["pole"].items() if value is not None}
        if self.statuses["integrable"] == "refuted":
            given.pop("bounded", None)
        steps = [{**given, "factor": k} for k in range(MOST_FACTORS)]
        steps += [{**step, "branch": 1} for step in steps]
        return next((s for s in steps if possible(lambda s=s: rule(self.replay, s) is None)), steps[0])  # type: ignore[misc]

    def narrowing(self, rule: Callable[..., Any]) -> dict[str, Any]:
        """The radii beside a phase, and how log f is found there."""
        given = {k: v for k, v in self.found["narrowing"].items() if v is not None}
        logs, values = ({**given, "by": by} for by in ("logs", "values"))
        return logs if possible(lambda: rule(self.replay, logs) is None) else values

    def vanishing(self) -> dict[str, Any]:
        """The factor that comes near 0 far out."""
        steps = [{"factor": k, **self.found["vanishing"]} for k in range(MOST_FACTORS)]
        rule = independence.vanishes_far_out
        return next((s for s in steps if possible(lambda s=s: rule(self.replay, s) is None)), steps[0])  # type: ignore[misc]

    def sign(self) -> dict[str, Any]:
        """How it is shown that f is not positive everywhere."""
        step = self.found["sign"]
        kind, box, positive = step["kind"], step["box"], step["positive"]
        if kind in ("centre", "nothing", "eventually"):
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
        elif kind == "limits":
            sizes = [i for i, n in enumerate(walk(self.subject.tree)) if limits.size_of(n) is not None]
            choices = [{"kind": kind, "box": box, "positive": positive, "node": n} for n in sizes]
            rule = limits.tends_to_zero
        elif kind == "side":
            choices = [{"kind": kind, "box": box, "positive": positive, "end": end} for end in ("low", "high")]
            rule = one_side.tends_to_zero_at_end
        else:
            return {"kind": kind, "box": box, "positive": positive}
        for choice in choices:
            if possible(lambda choice=choice: rule(self.replay, choice)):  # type: ignore[misc]
                return choice
        at_last = {"kind": "eventually"}  # of a box that is too far out for values
        negative = kind == "negative" and possible(lambda: eventually.negative_at_last(self.replay, at_last))
        return at_last if negative else choices[0]
