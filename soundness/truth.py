"""Whether an accepted claim is true, decided without the kernel: by the prover, and by a plain search."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath

from dpverify import InputError, verify
from dpverify.deadline import OutOfTime, deadline
from dpverify.results import Result
from soundness import mixed, of_path, of_space, raw, released
from soundness.plain import DIGITS, beside_jumps, exact, function, largest_loss, radii

Claim = Mapping[str, Any]
PROBLEM = ("generator", "parameters", "dimension", "sensitivity", "scale")


def explain(claim: Claim, original: Claim, proof: Any = None) -> str:
    """Why an accepted claim is true, in a few words; it starts with FALSE or UNKNOWN where it is not known to be.

    The proof is that of a composition, which has its parts."""
    if claim == original:
        return "the same claim"
    if claim.get("kind") == "mixture":
        return mixed.explained(claim)
    if claim.get("kind") == "mixture profile":
        return of_path.explained(claim)
    if claim.get("kind") == "spatial mixture profile":
        return of_space.explained(claim)
    if "kind" in claim:
        return released.explained(claim, proof, parts)
    about = existence(claim)
    if about is not None:
        return about
    problem = {field: claim[field] for field in PROBLEM}
    same = problem == {field: original.get(field) for field in PROBLEM}
    reference = decided(json.dumps(problem, sort_keys=True))
    if isinstance(reference, str):
        return reference
    wrong = contradiction(claim, reference)
    if wrong:
        return wrong
    return "a weaker or equivalent claim of the same problem" if same else "a true claim of another problem"


def parts(certificates: Iterable[Any]) -> str | None:
    """What is wrong with the claims of a composition's parts, or not known; None where they are true."""
    said = (explain(part["claim"], {}) for part in certificates)
    return next((x for x in said if x.startswith(("FALSE", "UNKNOWN"))), None)


def existence(claim: Claim) -> str | None:
    """What the text as typed says of a claim that it has a value, or none; None where that leaves it possible."""
    names = {k: Fraction(v) for k, v in claim["parameters"].items()}
    gap = raw.missing(claim["generator"], {**names, "d": Fraction(claim["dimension"])})
    if claim["hypotheses"]["defined"] == "refuted":
        return "UNKNOWN: no radius without a value is found" if gap is None else "true: it has no value somewhere"
    return None if gap is None else f"FALSE: it has no value about {mpmath.nstr(gap, 8)}"


@lru_cache(4096)
def decided(problem: str) -> Result | str:
    """The prover's answer for a claim's problem, as narrow as it comes within seconds."""
    data = json.loads(problem)
    text, dimension, parameters = data["generator"], data["dimension"], data["parameters"]
    used = {k: v for k, v in parameters.items() if re.search(rf"\b{k}\b", text)}
    for tolerance in ("1/1000000000", "1/1000"):
        arguments = {"sensitivity": data["sensitivity"], "scale": data["scale"], "tolerance": tolerance}
        try:
            with deadline(3, of_work=True):  # which `verify` takes for a limit of its own
                result = verify(text, dimension=dimension, parameters=used, **arguments)
        except OutOfTime:  # at its very end
            return "UNKNOWN: the time is over"
        except InputError as error:
            return f"UNKNOWN: the prover does not read the generator ({error})"
        if result.verdict != "undecided":
            break
    return result


def contradiction(claim: Claim, reference: Result) -> str | None:
    """What in the claim the prover's answer or a plain search contradicts, or leaves open."""
    if reference.verdict == "undecided":
        open_question = searched(claim)
        return open_question or "the prover leaves it open, and a plain search agrees"
    if claim["verdict"] != reference.verdict:
        return f"FALSE: {claim['verdict']} where it is {reference.verdict}"
    for name, hypothesis in reference.hypotheses.items():
        said = claim["hypotheses"][name]
        if said != "undecided" and hypothesis.status != "undecided" and said != hypothesis.status:
            return f"FALSE: {name} is {hypothesis.status}, not {said}"
    tail = claim["tail_log_ratio"]
    if tail and reference.tail_log_ratio and apart(tail, reference.tail_log_ratio):
        return "FALSE: the tail ratio"
    if claim["verdict"] != "private":
        return None
    if reference.epsilon is None or apart(claim["epsilon"], reference.epsilon):
        return "FALSE: epsilon"
    return searched(claim)


def apart(claimed: Mapping[str, str], truth: Any) -> bool:
    """Whether the claimed enclosure misses the true value, which lies in [truth.lower, truth.upper]."""
    return Fraction(claimed["upper"]) < truth.lower or Fraction(claimed["lower"]) > truth.upper


def searched(claim: Claim) -> str | None:
    """A plain search against the claim; None where it finds nothing."""
    names = {k: Fraction(v) for k, v in claim["parameters"].items()}
    names["d"] = Fraction(claim["dimension"])
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    with mpmath.workdps(DIGITS):
        key = (claim["generator"], tuple(sorted(names.items())))
        if claim["verdict"] == "invalid":
            f = function(claim["generator"], names)
            negative = any(f(r) < 0 for r in radii(delta))
            return None if negative else "UNKNOWN: invalid, and a search finds no negative value"
        if claim["verdict"] == "not_private":
            unbounded = worst_loss(*key, delta) == mpmath.inf
            return None if unbounded else "UNKNOWN: not_private, and a search finds no infinite loss"
        upper = exact(Fraction(claim["epsilon"]["upper"]))
        worst = worst_loss(*key, delta)
        if worst == mpmath.inf:
            worst = worst_floored(*key, delta, DIGITS + int(min(upper, 3_000)))
        if worst > upper + mpmath.mpf(10) ** -25 * (1 + upper):
            return f"FALSE: a loss of {mpmath.nstr(worst, 15)} is above {mpmath.nstr(upper, 15)}"
        form = claim["closed_form"]
        if form is not None:
            value = function(form, {**names, "delta": delta})(mpmath.mpf(1))
            low = exact(Fraction(claim["epsilon"]["lower"]))
            if not low - mpmath.mpf(10) ** -30 <= value <= upper + mpmath.mpf(10) ** -30:
                return "FALSE: the closed form is outside"
    return None


@lru_cache(4096)
def worst_loss(text: str, names: tuple[tuple[str, Fraction], ...], delta: Fraction) -> Any:
    with mpmath.workdps(DIGITS):
        return largest_loss(function(text, dict(names)), delta, pairs=beside_jumps(text, dict(names), delta))


def worst_floored(text: str, names: tuple[tuple[str, Fraction], ...], delta: Fraction, digits: int) -> Any:
    """A loss that there is at least, where f may seem to be 0 for lack of digits: that of f, or of the least value that
    the digits tell from 0 where f is smaller, which exceeds no loss of f."""
    with mpmath.workdps(digits):
        f, least = function(text, dict(names)), mpmath.mpf(10) ** (5 - digits)
        return largest_loss(lambda r: max(f(r), least), delta, pairs=beside_jumps(text, dict(names), delta))
