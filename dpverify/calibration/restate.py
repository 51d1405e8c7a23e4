"""The same proof with another claim: whether it carries that claim is for the kernel to say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpverify.certificate.complete import Incomplete, certified
from dpverify.results import Result


def lowered(result: Result, upper: Fraction) -> Result | None:
    """The result with `upper` as the upper end of epsilon, if the kernel accepts its proof of that.

    The prover rounds its upper end upwards, past a bound that is met exactly (epsilon = 1 of a
    staircase); the boxes and models of its proof often show the exact bound all the same.
    """
    epsilon, draft = result.epsilon, result.draft
    if epsilon is None or draft is None or not epsilon.lower <= upper:
        return None
    bounds = {"lower": str(epsilon.lower), "upper": str(upper)}
    stated: dict[str, Any] = {**draft, "claim": {**draft["claim"], "epsilon": bounds}}
    return replayed(replace(result, epsilon=replace(epsilon, upper=upper), draft=stated))


def replayed(result: Result) -> Result | None:
    """The result with its certificate, if the kernel accepts its proof."""
    if result.epsilon is None or result.draft is None:
        return None
    try:
        return certified(result)
    except Incomplete:
        return None
