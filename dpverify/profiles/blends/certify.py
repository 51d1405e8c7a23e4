"""From points of a profile to a certificate: atoms for the law of V, panels of their mixture, and the kernel's replay.

Nothing here is trusted, since whoever receives the certificate has it checked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.certificate.seal import replayed, sealed
from dpverify.certificate.ways import with_taken_ways
from dpverify.enclosures import Undecided
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import add_up, interval
from dpverify.kernel.sections import blends
from dpverify.kernel.sections.sums import unit
from dpverify.kernel.steps import Steps
from dpverify.mixtures.charts import Charts, Question
from dpverify.profiles.blends.atoms import ORDER, Discrete, Patch
from dpverify.profiles.blends.profile import BlendProfile
from dpverify.profiles.certify import steps_of
from dpverify.profiles.finer import of_point
from dpverify.profiles.result import Profile, rounded
from dpverify.prover.profile import Divergence
from dpverify.prover.profile.inverse import quantile

if TYPE_CHECKING:
    from dpverify.profiles.hilbert.ask import Asked, Levels

DIGITS = 12
WIDTH = Fraction(1, 10**9)
"""How narrow a claim is."""


def certified(found: Profile, asked: Asked, prover: BlendProfile, levels: Levels) -> Profile:
    """The same profile with a certificate, or why there is none."""
    asked.progress("the checker replays the proof", 0)
    try:
        certificate = _certificate(asked, prover, levels)
    except (Undecided, Rejected, ArithmeticError) as error:
        why = " ".join(str(error).split())
        return replace(found, reason=f"{found.reason} There is no certificate: {why}.")
    return replace(found, certificate=certificate)


def _certificate(asked: Asked, prover: BlendProfile, levels: Levels) -> dict[str, Any]:
    points, quantiles = _points(prover, levels)
    unknown = {"lower": "0", "upper": "1"}
    claim: dict[str, Any] = {
        "kind": "spatial mixture profile",
        "verdict": "profile",
        "theorem": "Theorem B",
        "mixing": asked.mixing.text,
        "parameters": {name: str(value) for name, value in asked.mixing.parameters.items()},
        "dimension": asked.dimension,
        "sensitivity": str(asked.sensitivity),
        "scale": str(asked.scale),
        "points": [{"epsilon": str(p.epsilon), "delta": dict(unknown)} for p in points],
        "quantiles": quantiles,
    }
    question = Question(claim["mixing"], claim["parameters"], prover.d, asked.sensitivity, asked.scale)
    charts = Charts(question, prover.law.node)
    order = max(p.accuracy.order for p in points if p.accuracy is not None) // 2
    profile: dict[str, Any] = {"order": order, "points": [steps_of(p) for p in points]}
    proof = charts.steps | {"law": _law(prover.near().law, charts.ends), "profile": profile}
    steps = Steps(proof)
    opened = blends.Opened(claim, steps)
    proof = with_taken_ways({name: step for name, step in proof.items() if name in steps.taken}, opened.problem)
    size = add_up(map(interval, opened.law.weights)) * unit(prover.d)
    for k, (point, p, noise) in enumerate(zip(claim["points"], points, opened.noises, strict=True)):
        allowed = size * interval(p.lower * WIDTH / 8)
        profile["points"][k] = of_point(noise, profile["points"][k], allowed.lo)
        lower, upper = blends.at_point(opened.law, noise, profile["points"][k])
        least, most = rounded(Fraction(lower), DIGITS, False), rounded(Fraction(upper), DIGITS, True)
        point["delta"] = {"lower": str(max(least, Fraction(0))), "upper": str(min(most, Fraction(1)))}
    return sealed(claim, proof, replayed(claim, proof))


def _points(prover: BlendProfile, levels: Levels) -> tuple[list[Divergence], list[dict[str, Any]]]:
    """All points of the claim, from one and the same sum of Gaussians."""
    while True:
        apart = prover.apart
        points, quantiles = [prover.at(e, WIDTH) for e in levels[0]], []
        for delta in levels[1]:
            ends = quantile(prover, delta, WIDTH)
            points += ends
            low, high = (str(x.epsilon) for x in ends)
            quantiles.append({"delta": str(delta), "epsilon": {"lower": low, "upper": high}})
        if prover.apart == apart:
            return points, quantiles


def _law(law: Discrete, ends: dict[str, str]) -> dict[str, Any]:
    return {"order": ORDER // 2, "patches": [_patch(x) for x in law.patches], "ends": ends}


def _patch(x: Patch) -> dict[str, Any]:
    return {
        "centre": str(x.ellipse.centre),
        "half": str(x.ellipse.half),
        "ellipse": str(x.ellipse.q),
        "moments": x.count,
        "marks": _written(x.marks),
        "rates": _written(x.rates),
        "weights": _written(x.weights),
    }


def _written(numbers: Sequence[Fraction]) -> list[str]:
    return [str(x) for x in numbers]
