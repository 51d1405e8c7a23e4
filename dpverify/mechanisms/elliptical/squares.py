"""Mean squares of radii and of mixing laws, in floats: how large noise is, not how private."""

from __future__ import annotations

from math import inf

import numpy as np

from dpverify.language.expression import Expression
from dpverify.mixtures import Mixing
from dpverify.mixtures.constants import value
from dpverify.mixtures.law import Atoms
from dpverify.sampling.density import log_density

FURTHEST, POINTS, NEGLIGIBLE = 300.0, 200_001, -25.0


def mean_square(expression: Expression, dimension: int) -> float:
    """E R^2 for a radius with density proportional to r^(d-1) f(r^2): infinite where the tail is too heavy."""
    s = np.linspace(-FURTHEST, FURTHEST, POINTS)  # log r, in which the integrand is smooth
    mass = log_density(expression)(np.exp(2 * s)) + dimension * s
    square = mass + 2 * s
    top = np.nanmax(square)
    if square[-1] > top + NEGLIGIBLE:
        return inf
    over, under = (float(np.nansum(np.exp(x - np.nanmax(x)))) for x in (square, mass))
    return over / under * float(np.exp(top - np.nanmax(mass)))


def mean_square_of(mixing: Mixing | None) -> float:
    """E V^2; 1 for a Gaussian process."""
    if mixing is None:
        return 1.0
    if isinstance(mixing.law, Atoms):
        weights, values = (np.array([float(value(pair[i])) for pair in mixing.law.pairs]) for i in (0, 1))
        return float(weights @ values**2 / weights.sum())
    return mean_square(mixing.law.expression, 1)
