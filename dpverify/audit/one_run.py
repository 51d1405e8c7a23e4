"""Audits of a single run: many canaries, each put in by the toss of a fair coin, and guesses which ones were.

Of m canaries r are guessed, from scores that the run's output gave, without looking at the coins; v guesses are
right. Under (epsilon, delta)-privacy with respect to one canary (Steinke, Nasr and Jagielski 2023, Theorem 5.2)

    P(v or more) <= beta + 2 m delta max_i P(v > W >= v - i)/i,   beta = P(W >= v),

W binomial with r trials of success e^epsilon/(1 + e^epsilon), i from 1 to m. A second bound, by the whole trade-off
curve (`guessing`), holds of the same number, and whichever is the smaller counts; it also serves mu of Gaussian
privacy, and all points of a certified profile together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, nextafter
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from dpverify.audit.bounds import SLACK
from dpverify.audit.campaign import Number
from dpverify.audit.curves import Certified
from dpverify.audit.exactly import exact_number
from dpverify.audit.guessing import (
    Least,
    approximate,
    by_points,
    gaussian,
    largest_refuted,
    so_many_are_rare,
)
from dpverify.audit.scores import Array
from dpverify.audit.seeds import fresh_seed, stream
from dpverify.errors import InputError
from dpverify.shown import Shown

FEWEST = 10
SHARES_GUESSED = (1 / 64, 1 / 16, 1 / 4, 1.0)
"""The parts of the canaries that are guessed where nobody says how many; they share the error probability."""
HIGHEST, STEP = 30.0, 0.01
UNFAIR = 6.0
"""Standard deviations from one half that no fair coins are believed to lie."""


@dataclass(frozen=True)
class OneRunReport(Shown):
    """epsilon >= epsilon_lower with the stated confidence: of `guesses` about the canaries `correct` were right.

    `mu_lower`, where it was asked for, bounds mu of Gaussian privacy; `contradicted` says whether the run contradicts
    the `certified` points, None where there are none. All hold together with the stated confidence.
    """

    epsilon_lower: float
    canaries: int
    guesses: int
    correct: int
    claim: Fraction | None
    delta: Fraction
    confidence: float
    seed: int
    mu_lower: float | None = None
    certified: tuple[Certified, ...] = ()
    contradicted: bool | None = None

    @property
    def verdict(self) -> Literal["violated", "consistent", "inconclusive", "no_claim"]:
        """What the run says of the claim: "violated" where the bound exceeds it, or a curve is contradicted."""
        if self.contradicted:
            return "violated"
        if self.claim is None:
            return "no_claim" if self.contradicted is None else "consistent"
        if Fraction(self.epsilon_lower) > self.claim:
            return "violated"
        return "consistent" if self.epsilon_lower > 0 else "inconclusive"

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "verdict": self.verdict,
            "epsilon_lower": self.epsilon_lower,
            "canaries": self.canaries,
            "guesses": self.guesses,
            "correct": self.correct,
            "claim_exact": None if self.claim is None else str(self.claim),
            "delta_exact": str(self.delta),
            "confidence": self.confidence,
            **({} if self.mu_lower is None else {"mu_lower": self.mu_lower}),
            **({} if self.contradicted is None else {"certified_curve_contradicted": self.contradicted}),
            "seed": self.seed,
        }


def one_run_chance(canaries: int, guesses: int, correct: int, epsilon: float, delta: float) -> float:
    """A bound on the probability of so many right guesses under (epsilon, delta)-privacy: Theorem 5.2."""
    from scipy import stats

    success = float(special.expit(epsilon))
    beta = float(stats.binom.sf(correct - 1, guesses, success))
    if delta == 0:
        return beta
    back = np.arange(1, correct + 1)  # from correct on the probability is the same, and i larger
    between = stats.binom.sf(correct - back - 1, guesses, success) - beta
    return min(1.0, beta + 2 * canaries * delta * float(np.max(between / back, initial=0.0)))


def one_run_bound(canaries: int, guesses: int, correct: int, alpha: float, delta: float = 0.0) -> float:
    """A lower bound on epsilon that is too large with probability at most alpha.

    Each epsilon from 0 on is refuted in its turn until one is not: for the true one that is a single test. Both bounds
    refute from some number of right guesses on, so that the smaller of the two numbers is what has to be rare.
    """
    epsilon = 0.0
    while epsilon < HIGHEST and one_run_chance(canaries, guesses, correct, epsilon, delta) <= alpha:
        epsilon += STEP

    def refuted(least: Least) -> bool:
        return so_many_are_rare(least, canaries, guesses, correct, alpha)

    found = largest_refuted(lambda e: approximate(e, delta), STEP, HIGHEST, refuted)
    return max(0.0, max(epsilon - STEP, found) - SLACK)


def one_run_mu(canaries: int, guesses: int, correct: int, alpha: float) -> float:
    """A lower bound on mu of Gaussian privacy that is too large with probability at most alpha."""

    def refuted(least: Least) -> bool:
        return so_many_are_rare(least, canaries, guesses, correct, alpha)

    return max(0.0, largest_refuted(gaussian, STEP, HIGHEST, refuted) - SLACK)


def audit_one_run(
    scores: ArrayLike,
    included: ArrayLike,
    *,
    claim: Number | None = None,
    delta: Number = 0,
    confidence: Number = 0.99,
    guesses: int | None = None,
    mu: bool = False,
    certified: Sequence[Certified] = (),
    seed: int | None = None,
) -> OneRunReport:
    """A lower bound on epsilon from one run, and on mu; and whether it contradicts a certified curve.

    Args:
        scores: m numbers, one a canary, from the run's output alone: the larger, the likelier it was put in.
        included: m truth values: whether it was, each by the toss of a fair coin of its own.
        claim, delta, confidence: as in `audit`.
        guesses: how many canaries to guess, half of them those with the largest scores and half those with the
            smallest; settled before the coins are looked at. None tries several numbers, which share the
            error probability.
        mu: also bound mu of Gaussian privacy; it shares the error probability.
        certified: points of a certified profile (`curves.certified_by`), for one canary more or less; likewise.
        seed: of the order among equal scores, which must not hang on the coins.

    Raises InputError for arrays and settings that cannot be used, and for coins that were not fair.
    """
    at, sure = exact_number(delta, "delta"), float(exact_number(confidence, "the confidence"))
    claimed = None if claim is None else exact_number(claim, "the claim")
    if not 0.5 <= sure < 1 or not 0 <= at < 1:
        raise InputError("the confidence must be at least 0.5 and below 1, and delta at least 0 and below 1")
    values, coins = _canaries(scores, included)
    m, chosen = len(values), fresh_seed() if seed is None else seed
    if guesses is not None and not 1 <= guesses <= m:
        raise InputError(f"guesses: {guesses} of {m} canaries cannot be guessed")
    order = np.lexsort((stream(chosen, "rows", 0).permutation(m), values))
    numbers = sorted({ceil(share * m) for share in SHARES_GUESSED}) if guesses is None else [guesses]
    delta_up = nextafter(float(at), 1.0) if at else 0.0
    level = (1 - sure) / len(numbers) / (1 + mu + bool(certified))
    curve = by_points([(nextafter(float(c.epsilon), 99), nextafter(float(c.delta), 1)) for c in certified])
    found, mus, contradicted = [], [], False
    for r in numbers:
        low, high = order[: r // 2], order[m - (r - r // 2) :]
        correct = int(np.count_nonzero(~coins[low]) + np.count_nonzero(coins[high]))
        found.append((one_run_bound(m, r, correct, level, delta_up), r, correct))
        mus += [one_run_mu(m, r, correct, level)] if mu else []
        contradicted |= bool(certified) and so_many_are_rare(curve, m, r, correct, level)
    bound, r, correct = max(found)
    return OneRunReport(
        bound,
        m,
        r,
        correct,
        claimed,
        at,
        sure,
        chosen,
        max(mus) if mus else None,
        tuple(certified),
        contradicted if certified else None,
    )


def _canaries(scores: ArrayLike, included: ArrayLike) -> tuple[Array, Any]:
    try:
        values, coins = np.asarray(scores, dtype=np.float64), np.asarray(included, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("scores are numbers, and included are truth values") from None
    if values.ndim != 1 or values.shape != coins.shape or len(values) < FEWEST:
        raise InputError(f"scores and included are as many, at least {FEWEST}; not {values.shape} and {coins.shape}")
    if np.isnan(values).any() or not np.isin(coins, (0, 1)).all():
        raise InputError("scores hold NaN, or included are not all true (1) or false (0)")
    if abs(2 * coins.mean() - 1) * np.sqrt(len(coins)) > UNFAIR:
        raise InputError(f"{int(coins.sum())} of {len(coins)} canaries were put in: that is no toss of fair coins")
    return values, coins == 1
