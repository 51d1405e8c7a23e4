"""The radius from which on the kernel bounds the tail, where the prover's begins before it: a model's terms may not be
known to be monotone there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.sections import panels, profiles
from dpverify.kernel.steps import Steps

FURTHEST = 12
"""How often a radius is doubled at most."""


class TooNear(Exception):
    """A tail begins before the radius from which on the kernel bounds it."""

    def __init__(self, end: Fraction) -> None:
        super().__init__(f"the tail is bounded from {end} on")
        self.end = end


def must_reach(claim: dict[str, Any], proof: dict[str, Any], reach: Fraction) -> None:
    """Raise TooNear where the kernel bounds no tail at one of the radii where they begin, but one further out than
    `reach`."""
    step = proof["profile"]
    if not step["mass"]:
        return
    tail = panels.tail_named(step["tail"]) if "tail" in step else None
    problem = profiles.opened(claim, Steps(dict(proof)))[1].problem
    noise = panels.Noise(problem, 2 * step["order"], Fraction(0), tail)
    end = _bounded(noise, min(_ends(step)))
    if end is not None and end > max(reach, min(_ends(step))):
        raise TooNear(end)


def _bounded(noise: panels.Noise, end: Fraction) -> Fraction | None:
    """The first radius, from one on doubled again and again, beyond which the kernel bounds w and the losses."""
    for _ in range(FURTHEST):
        try:
            noise.beyond(end, True)
            panels.outside(noise, end)
        except (Rejected, ArithmeticError):
            end *= 2
        else:
            return end
    return None


def _ends(step: dict[str, Any]) -> set[Fraction]:
    """The last radii of panels."""
    found = {step["mass"][-1]}
    for how in step["points"]:
        steps = [how, *how.get("anchors", ())] if isinstance(how, dict) else []
        found |= {x[name][-1] for x in steps for name in ("marks", "left") if x.get(name)}
    return set(map(Fraction, found))
