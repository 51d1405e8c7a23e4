"""Which event to audit: chosen on a pilot, so that the samples that are counted have no part in it.

What is maximised is the bound to expect, where the pilot's count under the second output is taken for
as large as it may well be: of thousands of events many look better than they are, and rare ones most of
all. A pilot tells the score better than the threshold: a rarer and a more frequent event of the same
score are tested beside the chosen one, and the three share the error probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.bounds import Procedure, Stakes, best_procedure, rough_bounds
from dpverify.audit.events import Direction, Event, Side
from dpverify.audit.outcomes import Outcomes
from dpverify.audit.scores import Array, Score, values_of

Part = Literal["law", "bits"]
"""What an event shows: the law of the outputs, or how floating point represents them."""
Whole = NDArray[np.intp]
THRESHOLDS = 4000
SIDES: tuple[Side, ...] = (">=", "<")
CAUTION, CAUTION_FITTED = 1.0, 2.0
"""Standard deviations, at least, by which a count is taken to be too small; for scores that were fitted, more."""
CERTAIN = 100
"""Samples of a pilot among which no threshold looks best by chance alone."""
LADDER = (0.25, 1.0, 4.0)
"""How frequent the tested events are, in those of the chosen one."""
FEW = 64
"""Thresholds that are few: those of bits, decimals, small counts."""
MIDDLE = 0.5
"""The share of the error probability that goes to the chosen event."""
RESOLUTION = 1e-9
HUGE = 1e300


@dataclass(frozen=True)
class Test:
    """All that is fixed before the counting: the event, how its bound is computed, its share of the error probability.

    The share is of what the tests of one part have together.
    """

    event: Event
    procedure: Procedure
    share: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        p = self.procedure
        return {
            "event": self.event.to_json(),
            "method": p.method,
            "share": repr(p.share),
            "part_of_alpha": repr(self.share),
            "scale": repr(p.scale),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Test:
        """What `to_json` wrote down."""
        procedure = Procedure(data["method"], float(data["share"]), float(data["scale"]))
        return cls(Event.from_json(data["event"]), procedure, float(data["part_of_alpha"]))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event with guesses at its probabilities under the outputs in the order of its direction.

    `beside` are a rarer and a more frequent event of the same score, where there are any.
    """

    event: Event
    p: float
    q: float
    rough: float
    beside: tuple[Candidate, ...] = ()


FINALISTS = 12
"""Candidates whose exact bound is worked out."""


def choose(candidates: Iterable[Candidate], stakes: Stakes, scores: int = 1) -> tuple[Test, ...]:
    """For each of so many scores the test with the largest bound to expect, and those on both sides of its threshold.

    The scores have the error probability in equal parts.
    """
    finalists = sorted(candidates, key=lambda c: -c.rough)[: FINALISTS * scores]
    ranked = sorted(finalists, key=lambda c: -best_procedure(c.p, c.q, _draws(c.event, stakes), stakes)[0])
    best: dict[int, Candidate] = {}
    for candidate in ranked:
        best.setdefault(id(candidate.event.score), candidate)
    chosen = list(best.values())[:scores]
    return tuple(test for c in chosen for test in _ladder_of(c, 1 / len(chosen), stakes))


def _ladder_of(best: Candidate, share: float, stakes: Stakes) -> Iterator[Test]:
    middle = MIDDLE * share if best.beside else share
    yield _test(best, middle, stakes)
    for candidate in best.beside:
        yield _test(candidate, (share - middle) / len(best.beside), stakes)


def _test(candidate: Candidate, share: float, stakes: Stakes) -> Test:
    own = replace(stakes, alpha=share * stakes.alpha)
    _, procedure = best_procedure(candidate.p, candidate.q, _draws(candidate.event, own), own)
    return Test(candidate.event, procedure, share)


def _draws(event: Event, stakes: Stakes) -> tuple[float, float]:
    return stakes.draws if event.direction == "P/Q" else stakes.draws[::-1]


def given(event: Event, p: Array | Outcomes, q: Array | Outcomes, stakes: Stakes) -> Candidate:
    """An event that was fixed before the samples p and q were seen."""
    first, second = (p, q) if event.direction == "P/Q" else (q, p)
    shares = [(np.count_nonzero(event.contains(x)) + 0.5) / (len(x) + 1) for x in (first, second)]
    rough = rough_bounds(np.array(shares[:1]), np.array(shares[1:]), _draws(event, stakes), stakes.alpha, stakes.delta)
    return Candidate(event, shares[0], shares[1], float(rough[0]))


def best_thresholds(score: Score, p: Array | Outcomes, q: Array | Outcomes, stakes: Stakes) -> Iterator[Candidate]:
    """For each direction and side, the threshold with the largest bound to expect.

    The samples p and q must not be those that the score was fitted to.
    """
    caution = _caution(score, len(p), p.shape[1] if isinstance(p, np.ndarray) else p.dimension)
    of_p, of_q = in_order(values_of(score, p)), in_order(values_of(score, q))
    lower, upper = steps(of_p, of_q)
    for side in SIDES:
        thresholds = within(lower, upper, side)
        in_p, in_q = (_inside(values, thresholds, side) for values in (of_p, of_q))
        arranged: tuple[tuple[Direction, tuple[float, float], Whole, Whole, int, int], ...] = (
            ("P/Q", stakes.draws, in_p, in_q, len(p), len(q)),
            ("Q/P", stakes.draws[::-1], in_q, in_p, len(q), len(p)),
        )
        for direction, draws, first, second, first_size, second_size in arranged:
            guess_p = first / first_size
            guess_q = np.minimum(_as_large_as(second, caution) / second_size, 1.0)
            value = rough_bounds(guess_p, guess_q, draws, stakes.alpha, stakes.delta)
            best = int(np.argmax(value))
            found = {
                at: Candidate(
                    Event(score, side, float(thresholds[at]), direction),
                    float(guess_p[at]),
                    float(guess_q[at]),
                    float(value[at]),
                )
                for at in _ladder(first + second, best)
            }
            yield replace(found.pop(best), beside=tuple(found.values()))


def _as_large_as(count: Whole, caution: float) -> Array:
    """The mean of a Poisson count that is so many standard deviations too small (Wilson and Hilferty 1931)."""
    shape = count + 1.0
    return np.asarray(shape * (1 - 1 / (9 * shape) + caution / (3 * np.sqrt(shape))) ** 3)


def _caution(score: Score, samples: int, dimension: int) -> float:
    """Of many thresholds, and of many coordinates, some look best by chance alone: as far as the largest of so many."""
    fitted = score.kind in ("learned", "linear", "distance", "atoms", "lattice")
    many = max(1.0, samples * (1 if fitted else dimension) / CERTAIN)
    return max(CAUTION_FITTED if fitted else CAUTION, sqrt(2 * log(many)))


def _ladder(frequency: Whole, best: int) -> set[int]:
    """The places of the thresholds whose events are about so much rarer, and more frequent, than the best.

    Of few thresholds the next ones: between them are no others.
    """
    if len(frequency) <= FEW:
        return {max(best - 1, 0), best, min(best + 1, len(frequency) - 1)}
    wanted = frequency[best] * np.array(LADDER)
    places = np.argmin(np.abs(np.log((frequency[:, None] + 0.5) / (wanted + 0.5))), axis=0)
    return {best, *places.tolist()}


def choose_ideal(loss: Score, losses: Array, stakes: Stakes) -> Test:
    """The test where `loss` is the exact privacy loss, from its values at draws of P alone.

    Q of an event is the mean under P of exp(-loss) on it: the ratio p/q comes out almost without noise,
    and no caution is needed. Around two centres the laws mirror each other, so one direction is enough.
    """
    values = in_order(losses)
    thresholds = within(*steps(values, values), ">=")
    above = np.searchsorted(values, thresholds, side="left")
    mass = np.append(np.cumsum(np.exp(-values[::-1]))[::-1], 0.0)
    guess_p, guess_q = (len(values) - above) / len(losses), np.minimum(mass[above] / len(losses), 1.0)
    best = int(np.argmax(rough_bounds(guess_p, guess_q, stakes.draws, stakes.alpha, stakes.delta)))
    _, procedure = best_procedure(float(guess_p[best]), float(guess_q[best]), stakes.draws, stakes)
    return Test(Event(loss, ">=", float(thresholds[best]), "P/Q"), procedure)


def _inside(values: Array, thresholds: Array, side: Side) -> Whole:
    """How many of the sorted values lie on that side of each threshold."""
    below = np.searchsorted(values, thresholds, side="left")
    return below if side == "<" else len(values) - below


def in_order(values: Array) -> Array:
    """Without the outputs at which a score has no value, which lie in none of its events; infinity as a number."""
    return np.clip(np.sort(values[~np.isnan(values)]), -HUGE, HUGE)


def steps(of_p: Array, of_q: Array) -> tuple[Array, Array]:
    """Neighbouring values of the score: all of them, or an even choice that is denser towards both tails.

    Values nearer than rounding errors are not told apart. Where a loss is constant in exact arithmetic
    they would make an event of the rounding, which is no loss of the ideal mechanism; the scores that
    look at bits are there to find it.
    """
    values = np.unique(np.concatenate([of_p, of_q]))
    values = values if len(values) else np.zeros(1)
    spread = float(np.median(np.abs(values - np.median(values))))
    gaps = np.flatnonzero(np.diff(values) > RESOLUTION * spread)
    if len(gaps) > THRESHOLDS:
        even = np.linspace(0, len(gaps) - 1, THRESHOLDS // 2).astype(int)
        tails = np.geomspace(1, len(gaps), THRESHOLDS // 4).astype(int) - 1
        gaps = gaps[np.unique(np.concatenate([even, tails, len(gaps) - 1 - tails]))]
    return (values[gaps], values[gaps + 1]) if len(gaps) else (values[:1], values[:1])


def within(lower: Array, upper: Array, side: Side) -> Array:
    """Within each step, and close to the values that the event takes in: those never seen stay out."""
    return lower + (upper - lower) * (0.9 if side == ">=" else 0.1)
