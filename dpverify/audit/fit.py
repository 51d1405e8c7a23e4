"""Whether samples have the law that they are thought to have: radius, direction, and the two together.

Around its centre elliptical noise, whitened, is R U: U uniform on the sphere and independent of R.
Each statement is compared by the greatest distance of two distribution functions, and Massart's bound
(1990), P(distance > e) <= 2 exp(-2 n e^2), holds at every sample size. That samples are not rejected
does not show that they have the law.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpverify.audit.built_in import BuiltIn
from dpverify.audit.outcomes import Array, Outcomes
from dpverify.audit.seeds import stream

MOST, DRAWS = 100_000, 1_000_000
NUMBERS = 1 << 22
"""Numbers in memory at a time, about."""
OBLIQUE = 8
"""Directions that are looked at beside the axes."""
ROUNDING = 1e-6
"""How far rounding of outputs or of a distribution function may move a distance."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`rejected` where some distance is too large for the error probability; `worst` is the clearest of them.

    `chance` bounds the probability, corrected for all statements, that samples of the law lie as far off.
    """

    rejected: bool
    worst: str
    distance: float
    chance: float


def fit_of(model: BuiltIn, samples: tuple[Outcomes, Outcomes], alpha: float) -> Fit:
    """The samples of P and Q against the noise of the model around 0 and around its shift."""
    found = []
    for name, x, centre in zip("PQ", samples, (0 * model.shift, model.shift), strict=True):
        if not x.finite.all():
            return Fit(True, f"{name}: outputs are not finite numbers", 1.0, 0.0)
        z = _whitened(model, x.numbers[:MOST] - centre)
        found += [(f"{name}: {what}", distance, chance) for what, distance, chance in _statements(model, z)]
    what, distance, chance = min(found, key=lambda each: each[2])
    corrected = min(1.0, chance * len(found))
    return Fit(corrected <= alpha, what, distance, corrected)


def _statements(model: BuiltIn, z: Array) -> Iterator[tuple[str, float, float]]:
    radius = np.sqrt(np.einsum("ij,ij->i", z, z))
    expected = _radii(model)
    distance = _two_samples(radius, expected)
    yield "the radius", distance, _chance(distance, len(radius), len(expected))
    kept = radius > 0
    units, far = z[kept] / radius[kept, None], radius[kept] > np.median(expected)
    for place, rows in (("near the centre", ~far), ("far out", far)):
        if rows.any():
            for text, distance in _directions(units[rows]):
                yield f"the direction {place}, along {text}", distance, _chance(distance, int(rows.sum()))


def _whitened(model: BuiltIn, centred: Array) -> Array:
    factor = model.noise.factor
    spherical = centred if factor is None else np.linalg.solve(factor, centred.T).T
    return np.asarray(spherical / model.noise.scale)


def _radii(model: BuiltIn) -> Array:
    """Radii of the law, drawn apart from any audit, sorted."""
    lots, rows = [], max(64, min(1 << 14, NUMBERS // model.dimension))
    draws = min(DRAWS, max(1 << 12, 8 * NUMBERS // model.dimension))
    for lot in range(max(1, draws // rows)):
        z = _whitened(model, model.noise.draw(rows, stream(0, "radii", lot)))
        lots.append(np.sqrt(np.einsum("ij,ij->i", z, z)))
    return np.sort(np.concatenate(lots))


def _directions(units: Array) -> Iterator[tuple[str, float]]:
    """Each axis and some oblique directions, with the distance from the projection of the uniform law."""
    d = units.shape[1]
    if d == 1:
        yield "the line", abs(float(np.mean(units > 0)) - 0.5)
        return
    oblique = stream(0, "radii", 1 << 20).standard_normal((OBLIQUE, d))
    axes = np.eye(d)[:16]
    names = [f"axis {i + 1}" for i in range(len(axes))] + ["an oblique direction"] * OBLIQUE
    for name, v in zip(names, np.concatenate([axes, oblique]), strict=True):
        along = np.sort(np.clip(units @ (v / np.linalg.norm(v)), -1, 1))
        square_below = special.betainc(0.5, (d - 1) / 2, along**2)
        yield name, _one_sample(along, 0.5 + 0.5 * np.sign(along) * square_below)


def _one_sample(x: Array, cdf: NDArray[np.float64]) -> float:
    n = len(x)
    steps = np.arange(n + 1) / n
    return float(max(np.max(cdf - steps[:-1]), np.max(steps[1:] - cdf)))


def _two_samples(x: Array, y: Array) -> float:
    from scipy import stats

    return float(stats.ks_2samp(x, y, method="asymp").statistic)


def _chance(distance: float, n: int, m: int | None = None) -> float:
    """Massart's bound; for two samples of one law their two distances from it are shared out evenly in precision."""
    distance = max(0.0, distance - ROUNDING)
    if m is None:
        return min(1.0, 2 * exp(-2 * n * distance**2))
    part = sqrt(m) / (sqrt(n) + sqrt(m))
    return min(1.0, 4 * exp(-2 * n * (distance * part) ** 2))
