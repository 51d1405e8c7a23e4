"""From a prover's outcome to the draft of a certificate."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from dpverify.certificate.seal import PROGRAM
from dpverify.outcome import Outcome, Valueless
from dpverify.results import Result


def build(outcome: Outcome) -> Result:
    """The result with its draft, which `complete` turns into a certificate; an undecided one has none."""
    if outcome.steps is None:
        return outcome.result
    steps = _plain(outcome.steps)
    draft: dict[str, Any] = {
        "program": PROGRAM,
        "claim": _claim(outcome.result),
        "proof": {"undefined": steps} if isinstance(outcome.steps, Valueless) else steps,
    }
    if outcome.narrower is not None:
        draft["narrower"] = str(outcome.narrower)
    return replace(outcome.result, draft=draft)


def _claim(result: Result) -> dict[str, Any]:
    epsilon, tail = result.epsilon, result.tail_log_ratio
    statuses = {name: h.status for name, h in result.hypotheses.items()}
    if statuses["defined"] == "refuted":  # of a text that has no value nothing else is claimed
        statuses, tail = {**dict.fromkeys(statuses, "undecided"), "defined": "refuted"}, None
    return {
        "generator": result.generator.text,
        "parameters": {name: str(value) for name, value in result.generator.parameters.items()},
        "dimension": result.generator.dimension,
        "sensitivity": str(result.sensitivity),
        "scale": str(result.scale),
        "verdict": result.verdict,
        "epsilon": _ends(epsilon.lower, epsilon.upper) if epsilon else None,
        "closed_form": epsilon.closed_form if epsilon else None,
        "tail_log_ratio": _ends(tail.lower, tail.upper) if tail else None,
        "hypotheses": statuses,
        "theorem": result.theorem if epsilon else None,
    }


def _ends(lower: Fraction, upper: Fraction) -> dict[str, str]:
    return {"lower": str(lower), "upper": str(upper)}


def _plain(step: Any) -> Any:
    """A step as data of JSON: every rational a text, the fields' names the keys."""
    if is_dataclass(step):
        return {field.name: _plain(getattr(step, field.name)) for field in fields(step)}
    if isinstance(step, tuple):
        return [_plain(part) for part in step]
    return str(step) if isinstance(step, Fraction) else step
