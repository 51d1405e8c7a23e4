"""The same proof with another claim: whether it carries that claim is for the kernel to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpverify.api import check
from dpverify.certificate import digest
from dpverify.results import Epsilon, Result

ORNAMENTS = ((), ("closed_form",), ("tail_log_ratio",), ("closed_form", "tail_log_ratio"))
"""What a claim may leave out: the enclosure of epsilon is proved with them or without."""


def lowered(result: Result, upper: Fraction) -> Result | None:
    """The result with `upper` as the upper end of epsilon, if the kernel accepts its proof of that.

    The prover rounds its upper end upwards, past a bound that is met exactly (epsilon = 1 of a
    staircase); the boxes and models of its proof often show the exact bound all the same.
    """
    epsilon = result.epsilon
    if epsilon is None or not epsilon.lower <= upper:
        return None
    return replayed(replace(result, epsilon=replace(epsilon, upper=upper)))


def replayed(result: Result) -> Result | None:
    """The result if the kernel accepts its proof, with those ornaments of the claim that it can enclose."""
    if result.epsilon is None or result.certificate is None:
        return None
    for left_out in ORNAMENTS:
        candidate = _restated(result, result.epsilon, result.certificate, left_out)
        report = check(candidate.certificate or {})
        if report.accepted:
            return candidate
        if not any(name.replace("_", " ") in report.message.replace("_", " ") for name in ORNAMENTS[-1]):
            return None
    return None


def _restated(
    result: Result, epsilon: Epsilon, certificate: Mapping[str, Any], left_out: tuple[str, ...]
) -> Result:
    if "closed_form" in left_out:
        epsilon = replace(epsilon, closed_form=None)
    tail = None if "tail_log_ratio" in left_out else result.tail_log_ratio
    claim: dict[str, Any] = {
        **certificate["claim"],
        "epsilon": {"lower": str(epsilon.lower), "upper": str(epsilon.upper)},
        "closed_form": epsilon.closed_form,
    }
    if tail is None:
        claim["tail_log_ratio"] = None
    stated: dict[str, Any] = {**certificate, "claim": claim}
    stated["digest"] = digest(stated)
    return replace(result, epsilon=epsilon, tail_log_ratio=tail, certificate=stated)
