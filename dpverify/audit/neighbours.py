"""Neighbouring inputs to audit a mechanism with: patterns of lists of answers, and a search among candidates.

The search spends samples of its own on each pair and hands back the most telling one; the audit then draws
anew, so that nothing has to be corrected for however many pairs were tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dpverify.audit.campaign import Number, audit
from dpverify.audit.seeds import fresh_seed
from dpverify.audit.sources import Mechanism, Sampler
from dpverify.errors import InputError

CONFIDENCE = 0.9
"""Of the bounds that pairs are compared by; they are no bounds of the audit."""


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
    pairs: Iterable[tuple[Any, Any]],
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
    found = []
    for at, pair in enumerate(pairs):
        source = Mechanism(each, function, neighbours=pair)
        report = audit(source, delta=delta, confidence=CONFIDENCE, seed=_apart(chosen, at), leaks=False)
        found.append((report.epsilon_lower, at, source))
    if not found:
        raise InputError("no pair of inputs to search among")
    return replace(max(found, key=lambda each: (each[0], -each[1]))[2], samples=samples)


def _apart(seed: int, at: int) -> int:
    """A seed that no audit is given by hand: beyond 2^64, another one for each pair."""
    return (1 << 64) + (seed << 32) + at
