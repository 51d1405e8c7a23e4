"""What the kernel makes of a profile's steps: those it follows, with finer panels where it follows no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.certificate.idle import without_idle
from dpverify.certificate.seal import Sparing, Support, by_section, replayed
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, add_up, outward_arithmetic, outward_functions
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections import atoms, panels, profiles
from dpverify.kernel.sections.charts import Problem, Subject
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.theorem_3 import at_most
from dpverify.kernel.steps import Steps
from dpverify.profiles.centre import with_values
from dpverify.profiles.finer import finer
from dpverify.profiles.worst import settle
from dpverify.prover.profile import NOTHING, RISING, TINY

if TYPE_CHECKING:
    from dpverify.profiles.question import Question
    from dpverify.prover.profile import Divergence

WIDTH = Fraction(1, 10**9)
"""How narrow a certificate is tried for."""
Ends = tuple[Decimal, Decimal]


class TooFew(Exception):
    """The kernel does not follow panels that were placed anew, or knows less by them than is asked."""


@dataclass(frozen=True)
class Followed:
    """Steps that the kernel has followed to bounds of delta at each point, and what its replay holds ready for the
    rest of the claim."""

    proof: dict[str, Any]
    bounds: list[Ends]
    ledger: Ledger
    subject: Subject
    replay: Proof
    cut: Any
    changed: bool
    """Whether the steps are not as they were followed: what was not made use of has been left out."""

    @property
    def problem(self) -> Problem:
        return self.replay.problem

    def support(self, claim: dict[str, Any], proof: dict[str, Any]) -> Support:
        """What the claim rests on; the points are not bounded again where nothing has changed that they rest on."""
        if self.changed:
            return replayed(claim, proof)
        self.replay.steps.proof = proof
        token = LEDGER.set(self.ledger)
        try:
            assumptions = profiles.concluded(self.subject, self.replay, claim, self.cut, self.bounds)
        finally:
            LEDGER.reset(token)
        return assumptions, by_section(self.ledger.used)


def followed(
    question: Question, claim: dict[str, Any], proof: dict[str, Any], points: Sequence[Divergence], fewer: bool = False
) -> Followed:
    """The steps that the kernel follows, with finer panels where it does not follow these, or knows less by them than
    the prover.  With `fewer` panels TooFew is raised instead."""
    proof = with_values(claim, proof)
    if claim["theorem"] != RISING:
        _settle_zeros(question, claim, proof)
    settled = settle if claim["theorem"] == RISING else lambda claim, proof: proof
    enough = max([WIDTH, *(2 * (p.upper - p.lower) / p.lower for p in points if p.lower)])

    def too_wide(found: Followed) -> bool:
        return any(_wider(ends, enough * p.lower) for p, ends in zip(points, found.bounds, strict=True) if p.lower)

    found = None
    with suppress(Rejected):
        found = pruned(claim, settled(claim, proof), too_wide)
    wide = found is None or too_wide(found)
    if wide and fewer:
        raise TooFew
    if wide:
        try:
            found = pruned(claim, settled(claim, finer(claim, proof, [p.lower for p in points], enough)), too_wide)
        except Rejected:
            if found is None:
                raise
    assert found is not None
    if not all(x.is_finite() for ends in found.bounds for x in ends):
        raise Rejected("delta is not shown bounded")
    return found


def _wider(ends: Ends, width: Fraction) -> bool:
    low, high = ends
    if not high.is_finite():
        return True
    least, most = as_known(low, high)
    return most - least > width


def as_known(low: Decimal, high: Decimal) -> tuple[Fraction, Fraction]:
    """The kernel's bounds of delta, of which one that is next to nothing is said to be at most that."""
    tiny = [bool(x) and x.adjusted() < TINY for x in (low, high)]
    return Fraction(0) if tiny[0] else Fraction(low), NOTHING if tiny[1] else Fraction(high)


def shown_atom(claim: dict[str, Any], proof: dict[str, Any]) -> Fraction:
    """How large an atom the kernel's own bounds show, from the panels of the proof."""
    step = proof["profile"]
    _, replay, cut = profiles.opened(claim, Steps(proof))
    tail = panels.tail_named(step["tail"]) if "tail" in step else None
    noise = panels.Noise(replay.problem, 2 * step["order"], Fraction(0), tail)
    z = panels.mass(noise, step["mass"], step.get("bounded", ()), step.get("values", ()))
    parts = [atoms.beyond(noise, cut, Fraction(a), Fraction(b)) for a, b in proof["atom"]["panels"]]
    return Fraction((add_up([ZERO, *parts]) * (z + cut.lost).inverse()).lo)


def _settle_zeros(question: Question, claim: dict[str, Any], proof: dict[str, Any]) -> None:
    """Where the cover of the pure epsilon does not show delta to be 0, panel by panel."""
    given = proof["profile"]
    for k, (point, how) in enumerate(zip(claim["points"], given["points"], strict=True)):
        if how != "pure":
            continue
        steps = Steps(proof)
        try:
            at_most(profiles.opened(claim, steps)[1], Fraction(point["epsilon"]))
        except Rejected:
            given["points"][k] = _nothing(given["mass"], question.generator.dimension, question.shift)


def _nothing(marks: list[str], dimension: int, shift: Fraction) -> dict[str, Any]:
    """The panels on which the loss is nowhere above eps."""
    sets = "e" * (len(marks) - 1)
    if dimension > 1:
        return {"marks": marks, "sets": sets, "boundaries": [[] for _ in sets], "joints": []}
    return {"left": marks, "left_sets": sets, "right": [marks[0], str(shift / 2)], "right_sets": "e"}


def pruned(claim: dict[str, Any], proof: dict[str, Any], too_wide: Callable[[Followed], bool]) -> Followed:
    """The steps that the claim needs, those of hypotheses that a profile does not rest on being left out; without the
    rules that narrow where the bounds are not too wide without them."""
    rules = Sparing()
    try:
        found = _pruned(claim, proof, Ledger(rules))
        if not (rules.asked and too_wide(found)):
            return found
    except (Rejected, ArithmeticError):
        if not rules.asked:
            raise
    return _pruned(claim, proof, Ledger())


def _pruned(claim: dict[str, Any], proof: dict[str, Any], ledger: Ledger) -> Followed:
    from dpverify.certificate.ways import with_taken_ways

    steps = Steps(proof)
    token = LEDGER.set(ledger)
    try:
        outward_arithmetic()
        outward_functions()
        subject, replay, cut = profiles.opened(claim, steps)
        bounds = profiles.bounds(subject, replay, claim, cut)
    finally:
        LEDGER.reset(token)
    needed = {k: v for k, v in proof.items() if k in steps.taken}
    kept = without_idle(with_taken_ways(needed, replay.problem), replay.problem)
    return Followed(kept, bounds, ledger, subject, replay, cut, kept != needed)
