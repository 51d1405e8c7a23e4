"""Fewer boxes than the prover's, where the kernel's own enclosures suffice: a replay is as long as its covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpverify.certificate.finer import box_holds, cell_holds, flat_enough
from dpverify.certificate.hints import Hints
from dpverify.certificate.possible import possible
from dpverify.certificate.sides import apart, meeting
from dpverify.certificate.summit import among, widest
from dpverify.deadline import OutOfShare, share
from dpverify.kernel import Rejected
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.sections.fields import points

MERGING = Fraction(1, 4)
"""The part of the time left that it may take to find a shorter proof, which is of no use but to be replayed sooner."""


def coarser(hints: Hints, proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with boxes, and cells of phases, merged as far as the kernel follows, and as there is time.

    Raises Rejected where a hypothesis is seen not to be shown on a box of the proof as it is.
    """
    found = dict(proof)
    with suppress(OutOfShare), share(MERGING) as check:

        def tick() -> None:
            hints.tick()
            check()

        _merge(hints, found, tick)
    return found


def _merge(hints: Hints, proof: dict[str, Any], tick: Callable[[], None]) -> None:
    """Merge what the proof has, cover by cover."""
    tail = hints.replay.tail
    # The radii where boxes meet are part of the proof where f is shown to drop at them, or to have a pole at one.
    falls = proof.get("decreasing", "form")
    drops = falls["drops"] if isinstance(falls, dict) and "drops" in falls else []
    joined = (isinstance(falls, str) or not may_jump(hints.subject.tree)) and "poles" not in proof
    if "cover" in proof and "poles" not in proof:
        asked = not drops and hints.statuses["positive"] == "proved"
        cover = _merged(tick, proof["cover"], partial(box_holds, hints), alone=not asked, kept=drops)
        if cover[-1] != proof["cover"][-1]:
            raise Rejected("no hypothesis is shown on a box")
        proof["cover"] = cover
    if "phase" in proof and joined and isinstance(tail, waves.Phases):
        cells = _merged(tick, proof["phase"]["cover"], partial(cell_holds, hints))
        proof["phase"] = {**proof["phase"], "cover": cells}
    tick()
    steep = proof.get("supremum", {})
    if "slopes" in steep:
        if not may_jump(hints.subject.tree):
            proof["supremum"] = {**steep, "slopes": _merged(tick, steep["slopes"], flat_enough(hints))}
    elif hints.claim["theorem"] == "Theorem 3":
        step, most = dict(proof["supremum"]), hints.most()
        proof["supremum"] = step
        summit = widest(hints, step)
        if summit is None:
            given, step["cover"] = step["cover"], _merged(tick, step["cover"], hints.below)
            cover, upto = _taken_apart(hints, proof, given, step["cover"], tick)
            if upto is not None:
                proof |= {"apart": upto, "supremum": (step := {**step, "cover": cover})}
        else:
            c, i, j = summit
            left, right = (_merged(tick, part, hints.below) for part in (step["cover"][: i + 1], step["cover"][j:]))
            concave = among(len(left) + len(right) - 1, len(left) - 1, c)
            step |= {"cover": [*left, *right], "concave": concave}
        if "phases" in step and isinstance(tail, waves.Phases):
            delta, loss = hints.problem.delta, tail.loss
            step["phases"] = _merged(tick, step["phases"], lambda a, b: loss(tail.germ(a, b), delta).hi <= most)


def _taken_apart(
    hints: Hints, proof: dict[str, Any], marks: list[str], usual: list[str], tick: Callable[[], None]
) -> tuple[list[str], str | None]:
    """The cover with fewer boxes up to a radius where losses are taken apart, and that radius, if there is one."""
    problem, most = None if hints.shared else apart(hints, proof, usual), hints.most()
    if problem is None:
        return usual, None
    sides = lambda a, b: problem.loss(a, b, problem.delta, above=True).hi <= most  # noqa: E731
    other = _merged(tick, marks, sides, alone=False)
    tick()
    upto = meeting(usual, other)
    if upto is None:
        return usual, None
    rest = _merged(tick, marks[marks.index(upto) :], hints.below)
    return [*other[: other.index(upto)], *rest], upto


def _merged(
    tick: Callable[[], None],
    marks: list[str],
    holds: Callable[[Fraction, Fraction], bool],
    alone: bool = True,
    kept: Sequence[str] = (),
) -> list[str]:
    """From the left, each box made of as many of the given ones as hold together, between radii to be kept; where the
    time runs out the others stay.  Of one `alone` nothing is asked; else the list ends before one that fails."""
    cuts = [0, *(i for i, x in enumerate(marks[1:-1], 1) if x in kept), len(marks) - 1]
    if len(cuts) > 2:
        parts = [_merged(tick, marks[i : j + 1], holds, alone) for i, j in pairwise(cuts)]
        return [*parts[0], *(x for part in parts[1:] for x in part[1:])]
    given = points(marks, "cover")
    found, start, end, last = [marks[0]], 0, 1, len(marks) - 1

    def fits(end: int) -> bool:
        tick()
        return possible(lambda: holds(given[start], given[end]))

    try:
        while start < last:
            end, step = start + 1, 1
            while end < last and fits(min(end + step, last)):
                end, step = min(end + step, last), 2 * step
            if not alone and end == start + 1 and not fits(end):
                return found
            start = end
            found.append(marks[start])
    except OutOfShare:
        found += marks[end + (found[-1] == marks[end]) :]
    return found
