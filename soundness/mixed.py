"""Whether an accepted claim about a Gaussian scale mixture is true: by the prover, and by a plain sum over v."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from dpverify import InputError, verify
from dpverify.deadline import OutOfTime, deadline
from dpverify.results import Result
from soundness import raw
from soundness.plain import function

Claim = Mapping[str, Any]
PROBLEM = ("mixing", "parameters", "dimension", "sensitivity", "scale")
LIMIT, ROUGHLY = 20, 0.01
"""Seconds of the prover; the error of a plain sum, relative to epsilon and beside it."""


def explained(claim: Claim) -> str:
    """Why an accepted claim about a mixture is true; starts with FALSE or UNKNOWN where it is not known to be."""
    gap = undefined(claim)
    if gap:
        return gap
    problem = json.dumps({field: claim[field] for field in PROBLEM}, sort_keys=True)
    worst = loss(problem)
    if isinstance(worst, str):
        return worst
    if claim["verdict"] == "private" and worst > float(Fraction(claim["epsilon"]["upper"])) * (1 + ROUGHLY) + ROUGHLY:
        return f"FALSE: a loss of {worst:.6g} is above epsilon"
    reference = decided(problem)
    if isinstance(reference, str) or reference.verdict == "undecided":
        open_question = "the prover leaves it open, and a plain sum agrees"
        return open_question if claim["verdict"] == "private" else f"UNKNOWN: {reference}"
    if claim["verdict"] != reference.verdict:
        return f"FALSE: {claim['verdict']} where it is {reference.verdict}"
    if claim["verdict"] == "private":
        low, high = (Fraction(claim["epsilon"][end]) for end in ("lower", "upper"))
        if reference.epsilon is None or high < reference.epsilon.lower or low > reference.epsilon.upper:
            return "FALSE: epsilon"
    return "a true claim about a mixture"


def undefined(claim: Claim) -> str:
    """Where the mixing density of a claim has no value; empty where none is found."""
    gap = raw.missing(in_r(claim["mixing"]), {k: Fraction(v) for k, v in claim["parameters"].items()})
    return "" if gap is None else f"FALSE: the density has no value about {mpmath.nstr(gap, 8)}"


def in_r(text: str) -> str:
    """The text of a density in v, in the letter that plain functions have."""
    return re.sub(r"\bv\b", "r", text, flags=re.ASCII)


@lru_cache(1024)
def decided(problem: str) -> Result | str:
    """The prover's answer."""
    data = json.loads(problem)
    used = {k: v for k, v in data["parameters"].items() if re.search(rf"\b{k}\b", data["mixing"])}
    sizes = {"dimension": data["dimension"], "sensitivity": data["sensitivity"], "scale": data["scale"]}
    try:
        with deadline(LIMIT, of_work=True):
            return verify(mixing=data["mixing"], parameters=used, tolerance="1/100", **sizes)
    except OutOfTime:
        return "the time is over"
    except InputError as error:
        return f"the prover does not read it ({error})"


@lru_cache(1024)
def loss(problem: str) -> float | str:
    """The largest g(s + delta) - g(s) found, f(s^2) the sum of p(v) v^(1-d) e^(-s^2/(2 v^2)) over steps of log v."""
    data = json.loads(problem)
    names = {k: Fraction(v) for k, v in data["parameters"].items()}
    p = function(in_r(data["mixing"]), names)
    x = np.linspace(-16, 16, 3201)
    with mpmath.workdps(20):
        values = [p(mpmath.exp(mpmath.mpf(float(at)))) for at in x]
        if any(value < 0 for value in values):
            return "FALSE: the density is negative somewhere"
        logs = np.array([float(mpmath.log(value)) if value > 0 else -np.inf for value in values])
    logs = logs + (1 - data["dimension"]) * x
    delta = float(Fraction(data["sensitivity"]) / Fraction(data["scale"]))
    radii = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 300, 200), np.linspace(0, 20, 200)]))

    def g(s: Any) -> Any:
        return -np.logaddexp.reduce(logs - s[:, None] ** 2 * np.exp(-2 * x) / 2, axis=1)

    return float(np.max(g(radii + delta) - g(radii)))
