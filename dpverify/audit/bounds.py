"""Lower confidence bounds on epsilon from how often one event, fixed beforehand, was seen.

Write p and q for the event's probabilities under the two outputs. (epsilon, delta)-privacy says
p <= e^epsilon q + delta, so a lower bound of log((p - delta)/q) is one of epsilon. Two ways, both exact
for every sample size (no limit theorem):

*paired*: Clopper-Pearson bounds p >= a at level share * alpha and q <= b at level (1 - share) * alpha;
by the union bound log((a - delta)/b) holds at level alpha, whatever the dependence between the samples.

*conditional*: let every draw come from the first output with probability w and else from the second,
independently. Given that s draws fell into the event, the number k of those that came from the first
is binomial with s trials and probability w p/(w p + (1-w) q), a function of p/q alone. So one
Clopper-Pearson bound c of that probability gives log(p/q) >= logit(c) - logit(w). It spends the whole of
alpha on one quantity, and is the tighter of the two unless p is near 1.
For delta > 0 let P be the first output and P' = min(P, e^epsilon Q): what P has beyond P' is at most delta,
so that of N draws at most m are of that excess, but for the chance beta = P(Binomial(N, w delta) > m).
Without m of the k draws the bound above, at level alpha - beta, holds: it grows with k.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Method = Literal["paired", "conditional"]
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

    `share` is the part of alpha spent on p where the method is paired; `weight` is w, the probability
    that a draw comes from the first output, where it is conditional, and `spared` is m, the draws that
    delta may account for.
    """

    method: Method
    share: float = 0.5
    weight: float = 0.5
    spared: int = 0


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
    """A lower bound on epsilon that is too large with probability at most alpha; never below 0.

    With the conditional method the draws must have had random origins with probability `procedure.weight`.
    """
    if procedure.method == "conditional":
        left = alpha - excess_chance(counts.first + counts.second, procedure.weight * delta, procedure.spared)
        if left <= 0:
            return 0.0
        return _at_least_zero(
            _conditional(counts.first_in - procedure.spared, counts.second_in, procedure.weight, left)
        )
    return _at_least_zero(
        _paired(
            (counts.first_in, counts.first),
            (counts.second_in, counts.second),
            (procedure.share * alpha, (1 - procedure.share) * alpha),
            delta,
        )
    )


def excess_chance(draws: float, probability: float, spared: int) -> float:
    """P(Binomial(draws, probability) > spared)."""
    if probability <= 0:
        return 0.0
    return float(special.betainc(spared + 1, draws - spared, probability)) if spared < draws else 0.0


def _at_least_zero(epsilon: float) -> float:
    return max(0.0, epsilon - SLACK)


def _conditional(first_in: float, second_in: float, weight: float, alpha: float) -> float:
    if first_in <= 0:
        return 0.0
    c = float(special.betaincinv(first_in, second_in + 1, alpha))
    rest = float(special.betainccinv(second_in + 1, first_in, alpha))  # 1 - c, also where c is near 1
    return log(c / rest) - log(weight / (1 - weight)) if c > 0 else 0.0


def _paired(
    first: tuple[float, float], second: tuple[float, float], levels: tuple[float, float], delta: float
) -> float:
    p = clopper_pearson_lower(*first, levels[0])
    q = clopper_pearson_upper(*second, levels[1])
    return log((p - delta) / q) if p > delta else -inf


EXCESS = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Parts of alpha that may go to the chance of more draws beyond delta than are spared."""
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What an event is chosen for: samples of P and Q, the part that random origins can use, alpha and delta."""

    draws: tuple[float, float]
    usable: float
    alpha: float
    delta: float


def best_procedure(p: float, q: float, draws: tuple[float, float], stakes: Stakes) -> tuple[float, Procedure]:
    """The procedure whose bound is largest where p and q are as guessed, and that bound.

    Args:
        p, q: guesses at the event's probabilities.
        draws: samples of each output, in the order of the event's direction.
        stakes: the audit to come.
    """
    first, second = draws
    alpha, weight = stakes.alpha, first / (first + second)
    found = [
        (_paired((first * p, first), (second * q, second), (s * alpha, (1 - s) * alpha), stakes.delta), s)
        for s in SHARES
    ]
    bound, share = max(found)
    best = bound, Procedure("paired", share)
    total = stakes.usable * (first + second)
    for spared in sorted({_spared(total, weight * stakes.delta, part * alpha) for part in EXCESS}):
        left = alpha - excess_chance(total, weight * stakes.delta, spared)
        conditional = _conditional(stakes.usable * first * p - spared, stakes.usable * second * q, weight, left)
        if conditional >= best[0]:
            best = conditional, Procedure("conditional", weight=weight, spared=spared)
    return best


def _spared(draws: float, probability: float, chance: float) -> int:
    """The least number that a binomial exceeds with no more than this chance."""
    if probability <= 0:
        return 0
    from scipy import stats

    return max(0, int(stats.binom.isf(chance, int(draws) + 1, probability)))


def rough_bounds(p: Array, q: Array, draws: tuple[float, float], alpha: float, delta: float) -> Array:
    """Roughly the bound to expect where p and q are as guessed, to rank many events by: not a bound itself."""
    first, second = draws
    z = float(special.ndtri(1 - alpha))
    excess = p - delta
    with np.errstate(all="ignore"):
        spread = np.sqrt(p / (first * excess**2) + 1 / (second * q + 1))
        return np.where(excess > 0, np.log(excess / (q + 1 / second)) - z * spread, -inf)
