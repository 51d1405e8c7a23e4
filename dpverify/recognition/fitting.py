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
WITHIN = RADII / 6.8
"""The radii within a bounded support, over the radius at which it ends."""
STARTS = (1.0, 0.3, 3.0)
LARGEST = 20
"""Size of a scale's logarithm."""
CLOSE = 1e-7
Log = Callable[[Any], Any]
DENOMINATORS = (1, 12, 1000)


def logarithms(expression: Expression) -> Log:
    """log f, about, of arrays of y."""
    return log_density(expression)


def support(log: Log) -> float:
    """About the radius from which on f is 0; infinity where there is none."""
    radii = np.geomspace(1e-6, 1e6, 600)
    positive = np.flatnonzero(log(radii**2) > -np.inf)
    if not len(positive) or positive[-1] == len(radii) - 1:
        return math.inf
    low, high = (float(radii[positive[-1] + k]) for k in (0, 1))
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if log(np.array([middle**2]))[0] > -np.inf else (low, middle)
    return high


def candidates(family: Family, dimension: int, typed: Log, ends: float) -> Iterator[tuple[dict[str, Fraction], float]]:
    """Parameters, and the scale s with f(y) about family(y/s^2): first at scale 1, then at any; of a family with a
    bounded support at the scale that the radius says at which f `ends`."""
    names = [p.name for p in family.parameters]
    defaults = [float(p.default) if p.default is not None else 2.0 for p in family.parameters]
    named = dict(zip(names, defaults, strict=True))
    log = log_density(substitute(parse(family.text), {"d": Fraction(dimension)}), named)
    own = support(log)
    whole = math.isinf(own)
    if math.isinf(ends) and not whole:
        return
    radii = RADII if whole else WITHIN * ends
    of_typed = typed(radii**2)

    def misfit(values: Any, free: bool) -> Any:
        scale = 1.0 if whole else ends / own
        if free:
            scale = float(np.exp(np.clip(values[-1], -LARGEST, LARGEST)))
        named.update(zip(names, map(float, values), strict=False))
        with np.errstate(invalid="ignore"):
            gaps = log((radii / scale) ** 2) - of_typed
            gaps = gaps - gaps[0]
        return np.where(np.isfinite(gaps), gaps, 1e3)

    for free in (False, True) if whole else (False,):
        for start in STARTS if names or free else STARTS[:1]:
            values = _fit(partial(misfit, free=free), [x * start for x in defaults], free, start)
            if values is not None:
                scale = math.exp(min(max(values[-1], -LARGEST), LARGEST)) if free else 1.0 if whole else ends / own
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
