"""Parameters and scale under which a family's generator might be the one that was typed: floats, proof of nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from dpverify.generators.catalogue.family import Family
from dpverify.language import Expression, parse, substitute
from dpverify.sampling.density import log_density

RADII = np.array([0.07, 0.19, 0.37, 0.61, 0.93, 1.31, 1.83, 2.47, 3.41, 4.73, 6.61])
STARTS = (1.0, 0.3, 3.0)
LARGEST = 20
"""Size of a scale's logarithm."""
CLOSE = 1e-7
DENOMINATORS = (1, 12, 1000)


def logarithms(expression: Expression) -> Any:
    """log f at the radii, about."""
    return log_density(expression)(RADII**2)


def candidates(family: Family, dimension: int, typed: Any) -> Iterator[tuple[dict[str, Fraction], float]]:
    """Parameters, and the scale s with f(y) about family(y/s^2): first at scale 1, then at any."""
    names = [p.name for p in family.parameters]
    defaults = [float(p.default) if p.default is not None else 2.0 for p in family.parameters]
    named: dict[str, float] = {}
    log = log_density(substitute(parse(family.text), {"d": Fraction(dimension)}), named)

    def misfit(values: Any, free: bool) -> Any:
        scale = float(np.exp(np.clip(values[-1], -LARGEST, LARGEST))) if free else 1.0
        named.update(zip(names, map(float, values), strict=False))
        gaps = log((RADII / scale) ** 2) - typed
        gaps = gaps - gaps[0]
        return np.where(np.isfinite(gaps), gaps, 1e3)

    for free in (False, True):
        for start in STARTS if names or free else STARTS[:1]:
            values = _fit(partial(misfit, free=free), [x * start for x in defaults], free, start)
            if values is not None:
                scale = math.exp(min(max(values[-1], -LARGEST), LARGEST)) if free else 1.0
                for bound in _rationals(dict(zip(names, values, strict=False))):
                    yield bound, scale
                break


def _fit(misfit: Callable[[Any], Any], first: list[float], free: bool, start: float) -> list[float] | None:
    values = [*first, math.log(start)] if free else first
    if not values:
        return [] if np.max(np.abs(misfit([]))) < CLOSE else None
    with np.errstate(all="ignore"):
        found = optimize.least_squares(misfit, values, method="lm", xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=90)
    return [float(x) for x in found.x] if np.max(np.abs(found.fun)) < CLOSE else None


def _rationals(values: Mapping[str, float]) -> Iterator[dict[str, Fraction]]:
    for most in DENOMINATORS if values else DENOMINATORS[:1]:
        found = {name: Fraction(x).limit_denominator(most) for name, x in values.items()}
        if all(abs(float(found[name]) - x) < 1e-5 * (1 + abs(x)) for name, x in values.items()):
            yield found


def scales(scale: float) -> Iterator[Fraction]:
    """Rationals q with sqrt(q) about the scale."""
    for most in DENOMINATORS:
        for q in (Fraction(scale).limit_denominator(most) ** 2, Fraction(scale**2).limit_denominator(most)):
            if q > 0 and abs(math.sqrt(q) - scale) < 1e-5 * scale:
                yield q
