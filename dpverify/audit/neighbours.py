"""Neighbouring inputs to audit a mechanism with: patterns of answers, directions, a search among them, a climb.

Search and climb spend samples of their own on each pair and hand back the most telling one; the audit then draws
anew, so that nothing has to be corrected for however many pairs were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.callables import Sampler
from dpverify.audit.campaign import Number, audit
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.seeds import fresh_seed
from dpverify.errors import InputError

CONFIDENCE = 0.9
"""Of the bounds that pairs are compared by; they are no bounds of the audit."""
Pair = tuple[Any, Any]
Change = Callable[[Pair, np.random.Generator], Pair]
INWARD = 1 - 1e-12
"""By how much vectors are kept nearer together than asked, for the rounding of floats."""


def patterns(length: int, step: float = 1.0) -> list[tuple[list[float], list[float]]]:
    """Pairs of `length` answers that differ by `step` at most in each (Ding and others 2018, StatDP, Table 2)."""
    if length < 1:
        raise InputError(f"patterns of {length} answers: at least one is needed")
    half = length // 2
    changes = {
        "one above": [1.0] + [0.0] * (length - 1),
        "one below": [-1.0] + [0.0] * (length - 1),
        "one above, the rest below": [1.0] + [-1.0] * (length - 1),
        "one below, the rest above": [-1.0] + [1.0] * (length - 1),
        "half and half": [1.0] * half + [-1.0] * (length - half),
        "all above": [1.0] * length,
        "in turns": [1.0 if at % 2 else -1.0 for at in range(length)],
    }
    found = []
    for change in changes.values():
        pair = [1.0] * length, [1.0 + step * c for c in change]
        if pair not in found:
            found.append(pair)
    return found


def search(
    function: str | Sampler,
    pairs: Iterable[Pair],
    *,
    samples: int,
    each: int = 5_000,
    delta: Number = 0,
    seed: int | None = None,
) -> Mechanism:
    """The mechanism with the pair of inputs whose own small audit bounds epsilon highest.

    Args:
        function: a sampler, as for `Mechanism`.
        pairs: candidates, inputs that are neighbours.
        samples: of the mechanism that is returned, to be audited with another seed.
        each: samples a side that the search spends on a pair; no later audit sees them.
        delta, seed: as in `audit`.

    Raises InputError for no pairs, and as `audit` does.
    """
    chosen = fresh_seed() if seed is None else seed
    candidates = list(pairs)
    if not candidates:
        raise InputError("no pair of inputs to search among")
    return Mechanism(samples, function, neighbours=_most_telling(function, candidates, each, delta, chosen, 0))


def directions(dimension: int, distance: float = 1.0, oblique: int = 8) -> list[Pair]:
    """Vectors around 0, with a Euclidean distance: along each axis, the diagonal, and some oblique directions."""
    if dimension < 1:
        raise InputError(f"directions in {dimension} dimensions: at least one is needed")
    many = np.random.default_rng(0).standard_normal((oblique if dimension > 1 else 0, dimension))
    diagonal = [np.ones(dimension)] if dimension > 1 else []
    return [(np.zeros(dimension), _of_length(v, distance, 2)) for v in (*np.eye(dimension), *diagonal, *many)]


def moved(distance: float = 1.0, norm: float = 2, step: float = 0.5) -> Change:
    """A change for `climb`: vectors at this distance stay so, their place and their direction change at random.

    `norm` is 1, 2 or numpy.inf; the change has about the length `step`.
    """

    def change(pair: Pair, rng: np.random.Generator) -> Pair:
        first, second = (np.asarray(vector, dtype=np.float64) for vector in pair)
        here, turn = (step * rng.standard_normal(first.shape) / first.size**0.5 for _ in range(2))
        return first + here, first + here + _of_length(second - first + distance * turn, distance, norm)

    return change


def climb(
    function: str | Sampler,
    pair: Pair,
    change: Change,
    *,
    samples: int,
    rounds: int = 8,
    width: int = 8,
    each: int = 2_000,
    delta: Number = 0,
    seed: int | None = None,
) -> Mechanism:
    """The mechanism with the pair at which a walk uphill ends.

    In each round the best pair so far competes anew with `width` changes of it, all on fresh samples.

    Args:
        function, samples, delta, seed: as in `search`.
        pair: where the walk starts.
        change: called as change(pair, rng), returns another pair of neighbours.
        each: samples a side that are spent on a pair in a round.

    Raises InputError as `audit` does.
    """
    chosen, best = fresh_seed() if seed is None else seed, pair
    for at in range(rounds):
        rng = np.random.default_rng([chosen, at])
        pairs = [best, *(change(best, rng) for _ in range(width))]
        best = _most_telling(function, pairs, each, delta, chosen, at * (width + 1))
    return Mechanism(samples, function, neighbours=best)


def _most_telling(
    function: str | Sampler, pairs: Sequence[Pair], each: int, delta: Number, seed: int, before: int
) -> Pair:
    """The first of the pairs with the highest bound; `before` is how many audits the search has made already."""
    bounds = []
    for at, pair in enumerate(pairs, start=before):
        source = Mechanism(each, function, neighbours=pair)
        report = audit(source, delta=delta, confidence=CONFIDENCE, seed=_apart(seed, at), leaks=False)
        bounds.append(report.epsilon_lower)
    return pairs[bounds.index(max(bounds))]


def _of_length(vector: NDArray[np.float64], length: float, norm: float) -> NDArray[np.float64]:
    return np.asarray(vector * (INWARD * length / np.linalg.norm(vector.ravel(), norm)))


def _apart(seed: int, at: int) -> int:
    """A seed that no audit is given by hand: beyond 2^64, another one for each pair."""
    return (1 << 64) + (seed << 32) + at
