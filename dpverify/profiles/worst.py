"""The steps of a certificate for an f that rises somewhere: stretches at the worst shift, and cells of shifts.

Nothing here is trusted: a letter that the kernel's arithmetic does not show is left open, and the kernel bounds what
that costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dpverify.kernel import Rejected
from dpverify.kernel.sections import profiles
from dpverify.kernel.sections.leaps import Leaps
from dpverify.kernel.sections.panels import Noise, either, tail_named
from dpverify.kernel.sections.shifts import anywhere, gain
from dpverify.kernel.steps import Steps
from dpverify.profiles import layered
from dpverify.profiles.silent import tell, tell_set

if TYPE_CHECKING:
    from dpverify.prover.profile.line import Stretch
    from dpverify.prover.profile.shifts import Anchor, Worst

OPEN = "u"


def written(worst: Worst) -> dict[str, Any]:
    """The steps as data."""
    if worst.anchors[0].layers:
        return layered.written(worst)
    end = worst.cells[0].end
    patches = [[str(x) for x in patch] for patch in worst.cells[0].patches]
    return {
        **({} if end is None else {"end": str(end)}),
        **({"patches": patches} if patches else {}),
        "jumps": [str(j) for j in worst.cells[0].jumps],
        "anchors": [_anchor(x) for x in worst.anchors],
        "shifts": ["0", *(str(c.high) for c in worst.cells)],
        "cells": [{"marks": [str(x) for x in c.marks], "ahead": c.ahead, "back": c.back} for c in worst.cells],
    }


def one_shift(anchor: Anchor) -> dict[str, Any]:
    """The steps that enclose H at one shift, where no bound at others is known, as data."""
    return layered.anchored(anchor) if anchor.layers else _anchor(anchor)


def _anchor(anchor: Anchor) -> dict[str, Any]:
    found: dict[str, Any] = {"shift": str(anchor.shift)}
    for name, side in (("left", -1), ("right", 1)):
        ordered = sorted((x for x in anchor.stretches if _inner(x) and x.side == side), key=lambda x: x.a)
        found[name] = [str(ordered[0].a), *(str(x.b) for x in ordered)]
        found[f"{name}_sets"] = "".join(x.kind for x in ordered)
    return found


def _inner(x: Stretch) -> bool:
    return x.b is not None and not x.centre


def beside(proof: dict[str, Any], claim: dict[str, Any], epsilon: dict[str, str] | None) -> None:
    """Name the bound of the pure epsilon, in place, where eps may be below it."""
    steps = proof["profile"]["points"]
    for k, point in enumerate(claim["points"]):
        if isinstance(steps[k], dict) and "rough" in steps[k] and epsilon is not None:
            steps[k]["rough"]["pure"] = epsilon["upper"]
        if steps[k] == "pure" and epsilon is not None and Fraction(point["epsilon"]) < Fraction(epsilon["upper"]):
            steps[k] = {"pure": epsilon["upper"]}


def settle(claim: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with what the kernel does not follow left open."""
    proof = {**proof, "profile": deepcopy(proof["profile"])}
    given = proof["profile"]
    problem = profiles.opened(claim, Steps(proof))[1].problem
    tail = tail_named(given["tail"]) if "tail" in given else None
    for point, how in zip(claim["points"], given["points"], strict=True):
        noise = Noise(problem, 2 * given["order"], Fraction(point["epsilon"]), tail)
        one = how["rough"].get("set", {}) if "rough" in how else {}
        if "left" in one:
            _settle_stretches(noise, one)
        elif "layers" in one:
            tell_set(noise, one)
        if "anchors" not in how:
            continue
        if "grids" not in how:
            for anchor in how["anchors"]:
                _settle_stretches(noise, anchor)
            patched = Leaps(noise, how) if "patches" in how else None
            for shifts, cell in zip(_boxes(how["shifts"]), how["cells"], strict=True):
                _settle_letters(noise, patched, shifts, cell)
        noise.s = problem.delta
        tell(noise, how)
    return proof


def _settle_stretches(noise: Noise, anchor: dict[str, Any]) -> None:
    noise.s = Fraction(anchor["shift"])
    for name, side in (("left", -1), ("right", 1)):
        boxes = _boxes(anchor[name])

        def shows(k: int, word: str, side: int = side, boxes: Any = boxes) -> bool:
            a, b = boxes[k]
            either(noise, side, a, b, word, anywhere)
            return True

        anchor[f"{name}_sets"] = _shown(anchor[f"{name}_sets"], shows)


def _settle_letters(
    noise: Noise, patched: Leaps | None, shifts: tuple[Fraction, Fraction], cell: dict[str, Any]
) -> None:
    pieces = _boxes(cell["marks"])
    for name, side in (("ahead", 1), ("back", -1)):

        def shows(k: int, word: str, side: int = side) -> bool:
            over = gain(noise.p, side, pieces[k], shifts, patched) - noise.epsilon
            return over.lo > 0 if word == "f" else over.hi <= 0

        cell[name] = _shown(cell[name], shows)


def _boxes(marks: Sequence[str]) -> list[tuple[Fraction, Fraction]]:
    return list(pairwise(map(Fraction, marks)))


def _shown(letters: str, shows: Callable[[int, str], bool]) -> str:
    """The letters, open where the kernel does not show them."""

    def kept(k: int, word: str) -> str:
        try:
            return word if word == OPEN or shows(k, word) else OPEN
        except (Rejected, ArithmeticError):
            return OPEN

    return "".join(kept(k, word) for k, word in enumerate(letters))
