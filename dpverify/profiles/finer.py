"""Stretches of the line, split where the kernel bounds no loss: its enclosures are wider than the prover's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel.sections import panels, profiles
from dpverify.kernel.steps import Steps

DEEPEST = 6
SIDES = (("left", -1), ("right", 1))


def finer(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> dict[str, Any]:
    """The proof with each stretch halved until the kernel follows, at most so often."""
    _, replay, _ = profiles.opened(claim, Steps(dict(proof)))
    step = proof["profile"]
    tail = panels.tail_named(step["tail"]) if "tail" in step else None
    points = []
    for point, how in zip(claim["points"], step["points"], strict=True):
        noise = panels.Noise(replay.problem, 2 * step["order"], Fraction(point["epsilon"]), tail)
        points.append({**how, **_split(noise, how)} if isinstance(how, dict) and "left_sets" in how else how)
    return {**proof, "profile": {**step, "points": points}}


def _split(noise: panels.Noise, how: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, side in SIDES:
        ends, words = list(map(Fraction, how[name])), how[f"{name}_sets"]
        marks, sets = ends[:1], ""
        for (a, b), word in zip(pairwise(ends), words, strict=True):
            added = _halved(a, b, partial(panels.stretch, noise, side, word=word), DEEPEST)
            marks, sets = marks + added, sets + word * len(added)
        found |= {name: list(map(str, marks)), f"{name}_sets": sets}
    return found


def _halved(a: Fraction, b: Fraction, stretch: Callable[[Fraction, Fraction], Any], depth: int) -> list[Fraction]:
    """The ends of the parts of a stretch, upward."""
    if not depth or possible(partial(stretch, a, b)):
        return [b]
    m = (a + b) / 2
    return [*_halved(a, m, stretch, depth - 1), *_halved(m, b, stretch, depth - 1)]
