"""Fewer boxes than the prover's, where the kernel's own enclosures suffice: a replay is as long as its covers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpverify.certificate.finer import box_holds, cell_holds
from dpverify.certificate.hints import Hints
from dpverify.certificate.possible import possible
from dpverify.certificate.sides import apart, meeting
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.curvature import highest_by_curvature
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.steps import points

FEW, PLACES = 16, 40
"""Boxes that are too few for curvature to save any, and binary places of the radius near the largest loss."""


def coarser(hints: Hints, proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with boxes, and cells of phases, merged as far as the kernel follows."""
    proof, tail = dict(proof), hints.replay.tail
    # The radii where boxes meet are part of the proof where f is shown to drop at them, or to have a pole at one.
    falls = proof.get("decreasing", "form")
    drops = falls["drops"] if isinstance(falls, dict) and "drops" in falls else []
    joined = (isinstance(falls, str) or not may_jump(hints.subject.tree)) and "poles" not in proof
    if "cover" in proof and (joined or (drops and "poles" not in proof)):
        proof["cover"] = _merged(hints, proof["cover"], partial(box_holds, hints), kept=drops)
    if "phase" in proof and joined and isinstance(tail, waves.Phases):
        cells = _merged(hints, proof["phase"]["cover"], partial(cell_holds, hints))
        proof["phase"] = {**proof["phase"], "cover": cells}
    if hints.claim["theorem"] == "Theorem 3":
        step, most, p = dict(proof["supremum"]), hints.most(), hints.problem
        marks = points(step["cover"], "supremum.cover")
        summit = _summit(hints, marks)
        below = lambda a, b: p.loss(a, b, p.delta, above=True).hi <= most  # noqa: E731
        if summit is None:
            usual = _merged(hints, step["cover"], below)
            step["cover"], upto = _taken_apart(hints, proof, step["cover"], usual, below)
            proof |= {"apart": upto} if upto else {}
        else:
            c, i, j = summit
            left, right = (_merged(hints, part, below) for part in (step["cover"][: i + 1], step["cover"][j:]))
            step["cover"] = [*left, *right]
            step["concave"] = [None] * (len(left) - 1) + [str(c)] + [None] * (len(right) - 1)
        if "phases" in step and isinstance(tail, waves.Phases):
            loss = tail.loss
            step["phases"] = _merged(hints, step["phases"], lambda a, b: loss(tail.germ(a, b), p.delta).hi <= most)
        proof["supremum"] = step
    return proof


def _taken_apart(
    hints: Hints, proof: dict[str, Any], marks: list[str], usual: list[str], below: Callable[[Fraction, Fraction], bool]
) -> tuple[list[str], str | None]:
    """The cover with fewer boxes up to a radius where losses are taken apart, and that radius, if there is one."""
    problem, most = None if hints.shared else apart(hints, proof, usual), hints.most()
    if problem is None:
        return usual, None
    sides = lambda a, b: problem.loss(a, b, problem.delta, above=True).hi <= most  # noqa: E731
    other = _merged(hints, marks, sides, alone=False)
    upto = meeting(usual, other)
    if upto is None:
        return usual, None
    rest = _merged(hints, marks[marks.index(upto) :], below)
    return [*other[: other.index(upto)], *rest], upto


def _summit(hints: Hints, marks: list[Fraction]) -> tuple[Fraction, int, int] | None:
    """A radius near the largest loss, and the ends of the largest box around it that its curvature bounds."""
    witness, p, most = hints.found["witness"], hints.problem, hints.most()
    if witness["near"] != "box" or len(marks) < FEW:
        return None
    low, high = points(witness["box"], "witness.box")
    c = Fraction(round((low + high) / 2 * 2**PLACES), 2**PLACES)
    j = bisect_right(marks, c)
    i = j - 1
    if not 0 < j < len(marks) or marks[i] == c:
        return None

    def bounded(i: int, j: int) -> bool:
        return possible(lambda: highest_by_curvature(p, marks[i], marks[j], c) <= most)

    if not bounded(i, j):
        return None
    step = 1
    while step:
        wider = max(i - step, 0), min(j + step, len(marks) - 1)
        hints.tick()
        if wider != (i, j) and bounded(*wider):
            (i, j), step = wider, 2 * step
        else:
            step //= 2
    return (c, i, j) if j > i + 1 else None


def _merged(
    hints: Hints,
    marks: list[str],
    holds: Callable[[Fraction, Fraction], bool],
    alone: bool = True,
    kept: Sequence[str] = (),
) -> list[str]:
    """From the left, each box made of as many of the given ones as hold together, between radii to be kept.  Of one
    `alone` nothing is asked; else the list ends before one that does not hold."""
    cuts = [0, *(i for i, x in enumerate(marks[1:-1], 1) if x in kept), len(marks) - 1]
    if len(cuts) > 2:
        parts = [_merged(hints, marks[i : j + 1], holds, alone) for i, j in pairwise(cuts)]
        return [*parts[0], *(x for part in parts[1:] for x in part[1:])]
    given, start = points(marks, "cover"), 0
    found = [given[0]]
    while start < len(given) - 1:
        size, step = 1, 1
        while step and start + size < len(given):
            hints.tick()
            end = min(start + size + step, len(given) - 1)
            if end > start + size and possible(lambda end=end: holds(given[start], given[end])):  # type: ignore[misc]
                size, step = end - start, 2 * step
            else:
                break
        if not alone and size == 1 and not possible(lambda: holds(given[start], given[start + 1])):
            break
        start += size
        found.append(given[start])
    return [str(x) for x in found]
