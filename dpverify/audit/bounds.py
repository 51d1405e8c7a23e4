"""Lower confidence bounds on epsilon from how often one event, fixed beforehand, was seen.

Write p and q for the event's probabilities under the two outputs. (epsilon, delta)-privacy says
p <= e^epsilon q + delta, so a lower bound of log((p - delta)/q) is one of epsilon. Two ways, both exact
for every sample size (no limit theorem):

*paired*: Clopper-Pearson bounds p >= a at level share * alpha and q <= b at level (1 - share) * alpha;
by the union bound log((a - delta)/b) holds at level alpha, whatever the dependence between the samples.

*unconditional*: one bound of the ratio for fixed numbers of draws (`unconditional`). It spends the whole of alpha
on one quantity, and is the tighter of the two unless p is near 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpverify.audit.unconditional import expected, lower_bound

Array = NDArray[np.float64]
Method = Literal["paired", "unconditional"]
SLACK = 1e-9
"""What every bound is lowered by, for the rounding of the special functions."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Draws from the first and the second output, and how many of each fell into the event."""

    first: int = 0
    first_in: int = 0
    second: int = 0
    second_in: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.first + other.first,
            self.first_in + other.first_in,
            self.second + other.second,
            self.second_in + other.second_in,
        )


@dataclass(frozen=True, slots=True)
class Procedure:
    """How a bound is computed, fixed before the samples are seen.

    `share` is the part of alpha spent on p where the method is paired; `scale` orders the outcomes where it is
    unconditional.
    """

    method: Method
    share: float = 0.5
    scale: float = 1.0


def clopper_pearson_lower(successes: float, trials: float, alpha: float) -> float:
    """The a such that Binomial(trials, a) reaches `successes` with probability alpha; 0 for no success."""
    if successes <= 0:
        return 0.0
    return float(special.betaincinv(successes, trials - successes + 1, alpha))


def clopper_pearson_upper(successes: float, trials: float, alpha: float) -> float:
    """The b such that Binomial(trials, b) stays at or below `successes` with probability alpha; 1 for no failure."""
    if successes >= trials:
        return 1.0
    return float(special.betainccinv(successes + 1, trials - successes, alpha))


def epsilon_lower_bound(counts: Counts, procedure: Procedure, alpha: float, delta: float = 0.0) -> float:
    """A lower bound on epsilon that is too large with probability at most alpha; never below 0."""
    if procedure.method == "unconditional":
        draws, inside = (counts.first, counts.second), (counts.first_in, counts.second_in)
        return _at_least_zero(lower_bound(draws, inside, procedure.scale, alpha, delta))
    return _at_least_zero(
        _paired(
            (counts.first_in, counts.first),
            (counts.second_in, counts.second),
            (procedure.share * alpha, (1 - procedure.share) * alpha),
            delta,
        )
    )


def likely_bound(counts: Counts, procedure: Procedure, alpha: float, delta: float) -> float:
    """About `epsilon_lower_bound`, cheaply: to tell which of many tests shows most."""
    if procedure.method == "unconditional":
        draws, inside = (counts.first, counts.second), (counts.first_in, counts.second_in)
        return expected(draws, inside, procedure.scale, alpha, delta)
    return epsilon_lower_bound(counts, procedure, alpha, delta)


def _at_least_zero(epsilon: float) -> float:
    return max(0.0, epsilon - SLACK)


def _paired(
    first: tuple[float, float], second: tuple[float, float], levels: tuple[float, float], delta: float
) -> float:
    p = clopper_pearson_lower(*first, levels[0])
    q = clopper_pearson_upper(*second, levels[1])
    return log((p - delta) / q) if p > delta else -inf


SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What an event is chosen for: samples of P and Q, alpha and delta."""

    draws: tuple[float, float]
    alpha: float
    delta: float


def best_procedure(p: float, q: float, draws: tuple[float, float], stakes: Stakes) -> tuple[float, Procedure]:
    """The procedure whose bound is largest where p and q are as guessed, and about that bound.

    Args:
        p, q: guesses at the event's probabilities.
        draws: samples of each output, in the order of the event's direction.
        stakes: the audit to come.
    """
    first, second = draws
    found = [
        (_paired((first * p, first), (second * q, second), (s * stakes.alpha, (1 - s) * stakes.alpha), stakes.delta), s)
        for s in SHARES
    ]
    paired, share = max(found)
    scale = _scale(p, q, draws, stakes.delta)
    unconditional = expected(draws, (first * p, second * q), scale, stakes.alpha, stakes.delta)
    if paired > unconditional or (p > CERTAIN and paired > NEARLY * unconditional):
        return paired, Procedure("paired", share)
    return unconditional, Procedure("unconditional", scale=scale)


CERTAIN, NEARLY = 0.99, 0.8
"""Above such a p two bounds lose little, and what is expected of one bound is too much."""
SCALES = 0.05, 20.0
"""What `scale` is kept between."""


def _scale(p: float, q: float, draws: tuple[float, float], delta: float) -> float:
    """The variance of log((k/n - delta)/(j/m)) of Poisson counts, in those of binomial ones."""
    first, second = draws
    if p <= delta:
        return 1.0
    q = max(q, 1 / second)
    poisson = 1 / (first * (p - delta)) + 1 / (second * q)
    binomial = p * (1 - p) / (first * (p - delta) ** 2) + (1 - q) / (second * q)
    return min(max(poisson / max(binomial, poisson / SCALES[1]), SCALES[0]), SCALES[1])


def rough_bounds(p: Array, q: Array, draws: tuple[float, float], alpha: float, delta: float) -> Array:
    """Roughly the bound to expect where p and q are as guessed, to rank many events by: not a bound itself."""
    first, second = draws
    z = float(special.ndtri(1 - alpha))
    excess = p - delta
    with np.errstate(all="ignore"):
        spread = np.sqrt(p * (1 - p) / (first * excess**2) + (1 - q) / (second * q + 1))
        return np.where(excess > 0, np.log(excess / (q + 1 / second)) - z * spread, -inf)
