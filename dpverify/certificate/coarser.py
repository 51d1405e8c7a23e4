"""Fewer boxes than the prover's, where the kernel's own enclosures suffice: a replay is as long as its covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpverify.certificate.finer import box_holds, cell_holds, flat_enough
from dpverify.certificate.hints import Hints
from dpverify.certificate.possible import possible
from dpverify.certificate.sides import apart, meeting
from dpverify.certificate.summit import among, widest
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.sections.fields import points


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
    steep = proof.get("supremum", {})
    if "slopes" in steep:
        if not may_jump(hints.subject.tree):
            proof["supremum"] = {**steep, "slopes": _merged(hints, steep["slopes"], flat_enough(hints))}
    elif hints.claim["theorem"] == "Theorem 3":
        step, most = dict(proof["supremum"]), hints.most()
        summit = widest(hints, step)
        if summit is None:
            usual = _merged(hints, step["cover"], hints.below)
            step["cover"], upto = _taken_apart(hints, proof, step["cover"], usual)
            proof |= {"apart": upto} if upto else {}
        else:
            c, i, j = summit
            left, right = (_merged(hints, part, hints.below) for part in (step["cover"][: i + 1], step["cover"][j:]))
            step["cover"] = [*left, *right]
            step["concave"] = among(len(left) + len(right) - 1, len(left) - 1, c)
        if "phases" in step and isinstance(tail, waves.Phases):
            delta, loss = hints.problem.delta, tail.loss
            step["phases"] = _merged(hints, step["phases"], lambda a, b: loss(tail.germ(a, b), delta).hi <= most)
        proof["supremum"] = step
    return proof


def _taken_apart(
    hints: Hints, proof: dict[str, Any], marks: list[str], usual: list[str]
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
    rest = _merged(hints, marks[marks.index(upto) :], hints.below)
    return [*other[: other.index(upto)], *rest], upto


def _merged(
    hints: Hints,
    marks: list[str],
    holds: Callable[[Fraction, Fraction], bool],
    alone: bool = True,
    kept: Sequence[str] = (),
) -> list[str]:
    """From the left, each box made of as many of the given ones as hold together, about as many as those before,
    between radii to be kept.  Of one `alone` nothing is asked; else the list ends before one that does not hold."""
    cuts = [0, *(i for i, x in enumerate(marks[1:-1], 1) if x in kept), len(marks) - 1]
    if len(cuts) > 2:
        parts = [_merged(hints, marks[i : j + 1], holds, alone) for i, j in pairwise(cuts)]
        return [*parts[0], *(x for part in parts[1:] for x in part[1:])]
    given, start, size = points(marks, "cover"), 0, len(marks)
    found = [given[0]]

    def fits(size: int) -> bool:
        hints.tick()
        return possible(lambda: holds(given[start], given[start + size]))

    while start < len(given) - 1:
        rest, least = len(given) - 1 - start, 1 if alone else 0
        size = guess = min(size, rest)
        while size > least and not fits(size):
            size //= 2
        while size == guess < rest and fits(min(2 * size, rest)):
            size = guess = min(2 * size, rest)
        if not size:
            break
        start += size
        found.append(given[start])
    return [str(x) for x in found]
