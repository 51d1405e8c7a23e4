"""Whether an accepted profile or composition is true, decided without the kernel: by the prover and by plain sums."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import mpmath
import numpy as np

from dpverify import InputError, deadline, profile
from dpverify.profiles import Enclosed
from soundness import raw
from soundness.plain import DIGITS, exact, function

Claim = Mapping[str, Any]
PROBLEM = ("generator", "parameters", "dimension", "sensitivity", "scale")
LIMIT, ROUGHLY, NOTHING = 10, 0.03, 1e-6
"""Seconds of the prover; the error of a plain sum relative to delta, and beside it."""


def explained(claim: Claim, proof: Any, parts_are_true: Any) -> str:
    """Why an accepted claim of a delta is true; starts with FALSE or UNKNOWN where it is not known to be."""
    if claim["kind"] == "composition":
        said = parts_are_true(proof["parts"].values())
        return said or points(claim, lambda epsilon: (composed(times(claim), epsilon),) * 2)
    if claim["kind"] == "releases":
        said = parts_are_true(proof["parts"].values())
        return said or points(claim, lambda epsilon: together(listed(claim, proof), epsilon))
    names = {**{k: Fraction(v) for k, v in claim["parameters"].items()}, "d": Fraction(claim["dimension"])}
    gap = raw.missing(claim["generator"], names)
    if gap is not None:
        return f"FALSE: it has no value about {mpmath.nstr(gap, 8)}"
    problem = json.dumps({field: claim[field] for field in PROBLEM}, sort_keys=True)
    said = points(claim, lambda epsilon: about(problem, epsilon))
    return said if said.startswith(("FALSE", "UNKNOWN")) else points(claim, lambda epsilon: proved(problem, epsilon))


def points(claim: Claim, truth: Any) -> str:
    """Each point and quantile against bounds of delta(eps), or against what keeps them from being known."""
    for point in claim["points"]:
        bounds = truth(Fraction(point["epsilon"]))
        if isinstance(bounds, str):
            return bounds
        low, high = (exact(Fraction(point["delta"][end])) for end in ("lower", "upper"))
        if low > bounds[1] or high < bounds[0]:
            return f"FALSE: delta({point['epsilon']}) lies from {bounds[0]} to {bounds[1]}"
    for quantile in claim["quantiles"]:
        target = exact(Fraction(quantile["delta"]))
        low, high = (Fraction(quantile["epsilon"][end]) for end in ("lower", "upper"))
        at_low, at_high = truth(low), truth(high)
        if isinstance(at_low, str) or isinstance(at_high, str):
            return f"UNKNOWN: {at_low}, {at_high}"
        if at_high[0] > target or (low > 0 and (at_low[1] < target or at_low[1] == 0)):
            return f"FALSE: eps({quantile['delta']}) is not from {low} to {high}"
    return "true bounds of delta and eps"


@lru_cache(4096)
def proved(problem: str, epsilon: Fraction) -> tuple[Any, Any] | str:
    """The prover's bounds of delta(eps)."""
    data = json.loads(problem)
    sizes = {"sensitivity": data["sensitivity"], "scale": data["scale"], "tolerance": "1e-12"}
    used = data["parameters"]
    try:
        with deadline.deadline(LIMIT, of_work=True):
            found = profile(data["generator"], dimension=data["dimension"], epsilon=epsilon, parameters=used, **sizes)
    except InputError as error:
        return f"UNKNOWN: the prover does not read it ({error})"
    except deadline.OutOfTime:
        return "the prover takes too long, and a plain sum agrees"
    if found.verdict == "invalid":
        return "FALSE: there is no density"
    if found.verdict != "proved":
        return "the prover leaves it open, and a plain sum agrees"
    delta = found.points[0].delta
    assert isinstance(delta, Enclosed)
    return exact(delta.lower), exact(delta.upper)


SHIFTS = 16
"""How many shifts are looked at where f rises somewhere."""


@lru_cache(256)
def tabulated(problem: str) -> tuple[Any, Any]:
    """Radii, and log f there."""
    data = json.loads(problem)
    names = {**{k: Fraction(v) for k, v in data["parameters"].items()}, "d": Fraction(data["dimension"])}
    f = function(data["generator"], names)
    shift = float(Fraction(data["sensitivity"]) / Fraction(data["scale"]))
    radii = np.unique(np.concatenate([np.geomspace(1e-9, 1e4, 1200), np.linspace(0, 40, 2001)[1:], [shift, shift / 2]]))
    with mpmath.workdps(DIGITS):
        values = [f(mpmath.mpf(float(r))) for r in radii]
        logs = [float(mpmath.log(v)) if v > 0 else -np.inf if v == 0 else np.nan for v in values]
    return radii, np.array(logs)


@lru_cache(4096)
def about(problem: str, epsilon: Fraction) -> tuple[Any, Any] | str:
    """delta(eps) roughly: the sum over radii and angles of (p - e^eps q)_+, from a table of log f; where f rises
    somewhere the largest of some shifts up to the longest."""
    data = json.loads(problem)
    d, s = data["dimension"], float(Fraction(data["sensitivity"]) / Fraction(data["scale"]))
    radii, logs = tabulated(problem)
    if np.isnan(logs).any():
        return "FALSE: f is negative or has no value"
    rises = (np.diff(logs[np.isfinite(logs)]) > 1e-9).any()
    shifts = s * np.arange(1, SHIFTS + 1) / SHIFTS if rises else np.array([s])
    logs = np.where(np.isfinite(logs), logs, -1e300)
    r = np.unique(np.concatenate([np.geomspace(1e-6, 1e3, 3000), np.linspace(0, 20, 3000)[1:]]))
    log_f = np.interp(r, radii, logs)
    log_w = log_f + (d - 1) * np.log(r)
    w = np.exp(log_w - log_w.max())
    if d == 1:
        cosines, share = np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    else:
        angle = (np.arange(400) + 0.5) * np.pi / 400
        log_share = (d - 2) * np.log(np.sin(angle))
        share = np.exp(log_share - log_share.max())
        cosines, share = np.cos(angle), share / share.sum()
    delta = 0.0
    for t in shifts:
        other = np.sqrt(np.maximum(0, r[:, None] ** 2 + t * t - 2 * t * r[:, None] * cosines))
        excess = float(epsilon) - (log_f[:, None] - np.interp(other, radii, logs))
        gain = (-np.expm1(np.minimum(excess, 0)) * share).sum(axis=1)
        delta = max(delta, float(np.trapezoid(w * gain, r) / np.trapezoid(w, r)))
    return delta * (1 - ROUGHLY) - NOTHING, delta * (1 + ROUGHLY) + NOTHING


Releases = tuple[tuple[str, int, str], ...]
"""Each part's problem, how often it is released, and its sampling, as JSON."""
WIDTH, LONGEST = 1e-3, 60.0
"""The steps of losses in a plain sum, and the largest of them."""


def listed(claim: Claim, proof: Any) -> Releases:
    """What the parts of a composition of profiles are."""
    found = []
    for part in claim["parts"]:
        about = proof["parts"][part["digest"]]["claim"]
        problem = json.dumps({field: about[field] for field in PROBLEM}, sort_keys=True)
        found.append((problem, part["times"], json.dumps(part["sampling"])))
    return tuple(found)


@lru_cache(64)
def together(released: Releases, epsilon: Fraction) -> tuple[Any, Any] | str:
    """delta(eps) of all releases roughly, on the line: laws of the loss on a grid, multiplied by Fourier transforms.

    Of samples of a fixed size no more is known here than that delta is a probability.
    """
    if any(json.loads(problem)["dimension"] != 1 for problem, _, _ in released):
        return "UNKNOWN: parts in several dimensions"
    if any((json.loads(sampling) or {}).get("kind") == "fixed" for _, _, sampling in released):
        return 0.0, 1.0
    grid = np.arange(-round(LONGEST / WIDTH), round(LONGEST / WIDTH)) * WIDTH
    worst = 0.0
    for order in (0, 1):
        product, within = np.array(1.0), 1.0
        for problem, count, sampling in released:
            law = law_of_loss(problem, sampling, order, len(grid))
            product, within = product * np.fft.rfft(np.fft.ifftshift(law)) ** count, within * float(law.sum()) ** count
        masses = np.maximum(np.fft.fftshift(np.fft.irfft(product, len(grid))), 0)
        gain = -np.expm1(np.minimum(float(epsilon) - grid, 0))
        worst = max(worst, float(masses @ gain) + 1 - within)
    return worst * (1 - ROUGHLY) - NOTHING, worst * (1 + ROUGHLY) + NOTHING


@lru_cache(64)
def law_of_loss(problem: str, sampling: str, order: int, size: int) -> Any:
    """The masses of the loss of one release, on the grid; `order` says from which of the two laws it is seen.

    What lies beyond the grid is left out: nearly all of it is lost, however the other losses fall."""
    data, rate = json.loads(problem), float(Fraction((json.loads(sampling) or {"rate": "1"})["rate"]))
    shift = float(Fraction(data["sensitivity"]) / Fraction(data["scale"]))
    radii, logs = tabulated(problem)
    x = np.linspace(-40, 40 + shift, 400_001)
    p, q = (np.exp(np.interp(abs(x - at), radii, np.maximum(logs, -700))) for at in (0.0, shift))
    p, q = p / p.sum(), q / q.sum()
    mixed = rate * p + (1 - rate) * q
    first, second = (mixed, q) if order == 0 else (q, mixed)
    steps = np.rint((np.log(first + 1e-300) - np.log(second + 1e-300)) / WIDTH).astype(int) + size // 2
    return np.bincount(np.maximum(steps, 0), weights=first, minlength=size)[:size]


def times(claim: Claim) -> dict[Fraction, int]:
    found: dict[Fraction, int] = {}
    for part in claim["parts"]:
        epsilon = Fraction(part["epsilon"])
        found[epsilon] = found.get(epsilon, 0) + part["times"]
    return found


def composed(released: Mapping[Fraction, int], epsilon: Fraction) -> Any:
    """delta(eps) of the product of randomised responses, to 40 digits."""
    with mpmath.workdps(DIGITS + 20):
        laws = []
        for e, n in released.items():
            p = 1 / (1 + mpmath.exp(-exact(e)))
            laws.append([(e * (2 * k - n), mpmath.binomial(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)])
        total = mpmath.mpf(0)
        for choice in product(*laws):
            loss = sum((x for x, _ in choice), Fraction(0))
            if loss > epsilon:
                total += -mpmath.expm1(exact(epsilon - loss)) * mpmath.fprod(share for _, share in choice)
        return total
