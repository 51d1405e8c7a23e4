"""From points of a profile to a certificate: atoms for the law of V, panels of their mixture, and the kernel's replay.

Nothing here is trusted, since whoever receives the certificate has it checked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.certificate.seal import by_section, replayed, sealed
from dpverify.certificate.ways import with_taken_ways
from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import add_up, interval, outward_arithmetic, outward_functions
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections import blends, mixtures
from dpverify.kernel.sections.charts import charted
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.laws import subject_of
from dpverify.kernel.sections.sums import unit
from dpverify.kernel.steps import Steps
from dpverify.mixtures.charts import Charts, Question
from dpverify.profiles.blends.atoms import ORDER, Discrete, Patch
from dpverify.profiles.blends.profile import BlendProfile
from dpverify.profiles.certify import steps_of
from dpverify.profiles.finer import of_point
from dpverify.profiles.result import Profile, rounded
from dpverify.prover.profile import Divergence

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
    charts, pure = _charts(claim, asked, prover, points)
    known = [p.accuracy.order for p in points if p.accuracy is not None]
    profile: dict[str, Any] = {"order": max(known, default=2) // 2, "points": [steps_of(p) for p in points]}
    proof = charts | {"profile": profile}
    if known:
        proof["atoms"] = _atoms(prover.near().law, pure)
    return _sealed(claim, proof, points, prover.d)


def _sealed(claim: dict[str, Any], proof: dict[str, Any], points: Sequence[Divergence], d: int) -> dict[str, Any]:
    """The certificate, with finer panels where the kernel knows less by these than is asked; else from the one replay
    that has shown so."""
    ledger, steps = Ledger(), Steps(proof)
    token = LEDGER.set(ledger)
    try:
        outward_arithmetic()
        outward_functions()
        blend = blends.Blend(claim, steps)
        bounds = [blend.at(epsilon, how) for epsilon, how in blend.points]
        needed = {name: step for name, step in proof.items() if name in steps.taken}
        kept = with_taken_ways(needed, blend.proof.problem)
        wide = [k for k, (p, x) in enumerate(zip(points, bounds, strict=True)) if _wide(p, x)]
        if not wide and kept == proof:
            _state(claim, bounds)
            return sealed(claim, proof, (blends.concluded(claim, blend, bounds), by_section(ledger.used)))
    finally:
        LEDGER.reset(token)
    for k in wide:
        size = add_up(map(interval, blend.law.weights)) * unit(d)
        allowed = size * interval(points[k].lower * WIDTH / 8)
        how = kept["profile"]["points"][k] = of_point(blend.noise(points[k].epsilon), blend.points[k][1], allowed.lo)
        bounds[k] = blend.at(points[k].epsilon, how)
    _state(claim, bounds)
    return sealed(claim, kept, replayed(claim, kept))


def _wide(point: Divergence, found: tuple[Decimal, Decimal]) -> bool:
    return point.accuracy is not None and Fraction(found[1]) - Fraction(found[0]) > 2 * WIDTH * point.lower


def _state(claim: dict[str, Any], bounds: Sequence[tuple[Decimal, Decimal]]) -> None:
    """Claim what the kernel's bounds say, in few digits."""
    for point, (lower, upper) in zip(claim["points"], bounds, strict=True):
        least, most = rounded(Fraction(lower), DIGITS, False), rounded(Fraction(upper), DIGITS, True)
        point["delta"] = {"lower": str(max(least, Fraction(0))), "upper": str(min(most, Fraction(1)))}


def _charts(
    claim: dict[str, Any], asked: Asked, prover: BlendProfile, points: Sequence[Divergence]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The charts of the density, with the steps that bound all losses where a point is beyond these; and the rules of
    the density's ends."""
    if all(p.accuracy is not None for p in points):
        question = Question(claim["mixing"], claim["parameters"], prover.d, asked.sensitivity, asked.scale)
        charts = Charts(question, prover.law.node)
        return charts.steps, charts.ends
    verified = prover.verified
    if verified is None or verified.certificate is None:
        raise Undecided(Reason.NO_PROOF_TO_REPLAY())
    steps = {name: step for name, step in verified.certificate["proof"].items() if name != "witness"}
    return _without_idle_windows(claim, steps), steps["law"]["ends"]


def _without_idle_windows(claim: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The steps without the windows of radii that a bound of all losses does not ask for."""
    steps = Steps(given)
    proof = Proof(charted(steps, subject_of(claim, claim["dimension"])), steps)
    left = mixtures.loss_bounded(proof, Fraction(2) ** 40).left
    return {**given, "windows": {s: w for s, w in given["windows"].items() if s not in left}}


def _points(prover: BlendProfile, levels: Levels) -> tuple[list[Divergence], list[dict[str, Any]]]:
    """All points of the claim, from one and the same sum of Gaussians."""
    while True:
        apart = prover.apart
        points, quantiles = [prover.at(e, WIDTH) for e in levels[0]], []
        for delta in levels[1]:
            ends = prover.quantile(delta, WIDTH)
            points += ends
            low, high = (str(x.epsilon) for x in ends)
            quantiles.append({"delta": str(delta), "epsilon": {"lower": low, "upper": high}})
        if prover.apart == apart:
            return points, quantiles


def _atoms(law: Discrete, ends: dict[str, str]) -> dict[str, Any]:
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
