"""Whether an accepted claim about the profile of a mixture in d dimensions is true: by a plain sum over space, of the
mixture's density from a plain sum over log v."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from soundness.mixed import undefined
from soundness.of_path import PROBLEM, tabulated
from soundness.released import points

Claim = Mapping[str, Any]
ROUGHLY, NOTHING = 0.03, 1e-5
"""The error of a plain sum, relative to delta and beside it."""
COUNT, REACH = 900, 24.0
"""How many places each way from the centre, in the logarithm of the distance from it, and how far these reach."""


def explained(claim: Claim) -> str:
    """Why it is true; starts with FALSE or UNKNOWN where it is not known to be."""
    gap = undefined(claim)
    if gap:
        return gap
    problem = json.dumps({field: claim[field] for field in (*PROBLEM, "dimension")}, sort_keys=True)
    if isinstance(law := tabulated(_of_law(problem)), str):
        return law
    return points(claim, lambda epsilon: about(problem, epsilon))


def _of_law(problem: str) -> str:
    return json.dumps({k: v for k, v in json.loads(problem).items() if k != "dimension"}, sort_keys=True)


@lru_cache(256)
def log_density(problem: str) -> tuple[Any, Any]:
    """log r, and the logarithm of the mixture's density there."""
    d, law = json.loads(problem)["dimension"], tabulated(_of_law(problem))
    assert not isinstance(law, str)
    v, weights = (x[:: max(1, len(x) // 2_400)] for x in law)
    kept = weights > 0
    v, log_weight = v[kept], np.log(weights[kept] / weights[kept].sum())
    x = np.linspace(-REACH - 2, REACH + 2, 1_200)
    heights = [
        np.logaddexp.reduce(log_weight - d * np.log(v) - d / 2 * np.log(2 * np.pi) - np.exp(2 * at) / (2 * v * v))
        for at in x
    ]
    return x, np.array(heights)


@lru_cache(4096)
def about(problem: str, epsilon: Fraction) -> tuple[Any, Any] | str:
    """delta(eps) roughly."""
    data, e = json.loads(problem), float(epsilon)
    d, s = data["dimension"], float(Fraction(data["sensitivity"]) / Fraction(data["scale"]))
    known = log_density(problem)
    t = np.linspace(-REACH, REACH, COUNT)
    step, along = t[1] - t[0], np.exp(t)
    value = 0.0
    for side in (-1, 1):
        x = side * along[:, None]
        if d == 1:
            across, weight = np.zeros((1, 1)), along[:, None] * step
        else:
            across = along[None, :]
            area = 2 * np.pi ** ((d - 1) / 2) / float(mpmath.gamma((d - 1) / mpmath.mpf(2)))
            weight = along[:, None] * across ** (d - 1) * area * step * step
        here = np.interp(np.log(np.hypot(x, across)), *known)
        there = np.interp(np.log(np.maximum(np.hypot(x - s, across), 1e-300)), *known)
        share = -np.expm1(np.minimum(e + there - here, 0))
        with np.errstate(under="ignore"):
            value += float((np.exp(np.minimum(here, 700)) * share * weight).sum())
    return mpmath.mpf(value * (1 - ROUGHLY) - NOTHING), mpmath.mpf(value * (1 + ROUGHLY) + NOTHING)
