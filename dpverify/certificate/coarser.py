"""Fewer boxes than the prover's, where the kernel's own enclosures suffice: a replay is as long as its covers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from dpverify.certificate.attempts import possible
from dpverify.certificate.finer import box_holds, cell_holds
from dpverify.certificate.hints import Hints
from dpverify.kernel.sections import waves
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.steps import points


def coarser(hints: Hints, proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with boxes, and cells of phases, merged as far as the kernel follows."""
    proof, tail = dict(proof), hints.replay.tail
    joined = not may_jump(hints.subject.tree)  # else the radii where boxes meet are part of the proof
    if "cover" in proof and joined and hints.statuses["positive"] == "proved":
        proof["cover"] = _merged(hints, proof["cover"], partial(box_holds, hints))
    if "phase" in proof and joined and isinstance(tail, waves.Phases):
        cells = _merged(hints, proof["phase"]["cover"], partial(cell_holds, hints))
        proof["phase"] = {**proof["phase"], "cover": cells}
    if hints.claim["theorem"] == "Theorem 3":
        step, most, p = dict(proof["supremum"]), hints.most(), hints.problem
        step["cover"] = _merged(hints, step["cover"], lambda a, b: p.loss(a, b, p.delta, above=True).hi <= most)
        if "phases" in step and isinstance(tail, waves.Phases):
            loss = tail.loss
            step["phases"] = _merged(
                hints, step["phases"], lambda a, b: loss(tail.germ(a, b), p.delta).hi <= most
            )
        proof["supremum"] = step
    return proof


def _merged(hints: Hints, marks: list[str], holds: Callable[[Fraction, Fraction], bool]) -> list[str]:
    """From the left, each box made of as many of the given ones as hold together; of one alone nothing is asked."""
    given, start = points(marks, "cover"), 0
    kept = [given[0]]
    while start < len(given) - 1:
        size, step = 1, 1
        while step and start + size < len(given):
            hints.tick()
            end = min(start + size + step, len(given) - 1)
            if end > start + size and possible(lambda end=end: holds(given[start], given[end])):  # type: ignore[misc]
                size, step = end - start, 2 * step
            else:
                break
        start += size
        kept.append(given[start])
    return [str(x) for x in kept]
