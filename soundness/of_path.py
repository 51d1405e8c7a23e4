"""Whether an accepted claim about a profile in infinite dimension is true: by a plain sum over log v, of the Gaussian's
profile against the law of V as it is typed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from soundness.mixed import in_r, undefined
from soundness.plain import function
from soundness.released import points

Claim = Mapping[str, Any]
PROBLEM = ("mixing", "parameters", "sensitivity", "scale")
ROUGHLY, NOTHING = 0.02, 1e-7
"""The error of a plain sum, relative to delta and beside it."""
Law = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def explained(claim: Claim) -> str:
    """Why it is true; starts with FALSE or UNKNOWN where it is not known to be."""
    gap = "" if ":" in claim["mixing"] else undefined(claim)
    if gap:
        return gap
    problem = json.dumps({field: claim[field] for field in PROBLEM}, sort_keys=True)
    law = tabulated(problem)
    if isinstance(law, str):
        return law
    return points(claim, lambda epsilon: about(problem, epsilon))


@lru_cache(256)
def tabulated(problem: str) -> Law | str:
    """Values of V, and weights that sum to 1."""
    data = json.loads(problem)
    names = {k: Fraction(v) for k, v in data["parameters"].items()}
    with mpmath.workdps(20):
        if ":" in data["mixing"]:
            pairs = [part.split(":") for part in re.split(r",(?![^()]*\))", data["mixing"])]
            both = [[function(text, names)(mpmath.mpf(1)) for text in pair] for pair in pairs]
            weights, v = (np.array([float(x) for x in column]) for column in zip(*both, strict=True))
        else:
            p, x = function(in_r(data["mixing"]), names), np.linspace(-24, 24, 9601)
            v = np.exp(x)
            heights = [p(mpmath.mpf(float(at))) for at in v]
            if any(height < 0 for height in heights):
                return "FALSE: the density is negative somewhere"
            weights = np.array([float(height * mpmath.mpf(float(at))) for height, at in zip(heights, v, strict=True)])
    if not (np.isfinite(weights).all() and weights.sum() > 0 and (v > 0).all()):
        return "FALSE: there is no law"
    return v, weights / weights.sum()


@lru_cache(4096)
def about(problem: str, epsilon: Fraction) -> tuple[Any, Any] | str:
    """delta(eps) roughly."""
    from scipy.special import log_ndtr

    data, law = json.loads(problem), tabulated(problem)
    assert not isinstance(law, str)
    v, weights = law
    t, e = float(Fraction(data["sensitivity"]) / Fraction(data["scale"])) / v, float(epsilon)
    h = np.exp(log_ndtr(t / 2 - e / t)) - np.exp(e + log_ndtr(-t / 2 - e / t))
    value = float((weights * np.clip(np.where(t > 0, h, 0), 0, 1)).sum())
    return mpmath.mpf(value * (1 - ROUGHLY) - NOTHING), mpmath.mpf(value * (1 + ROUGHLY) + NOTHING)
