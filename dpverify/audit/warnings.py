"""What makes samples doubtful: outputs that never change, rows that hang together.

A warning takes no part in a bound, whose confidence rests on independent samples.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpverify.audit.outcomes import Array, Outcomes

BEYOND = 6.0
"""Standard deviations beyond which a rank correlation is told: by chance once in 10^8."""
COORDINATES = 16


def warnings_of(p: Outcomes, q: Outcomes) -> tuple[str, ...]:
    """Warnings about samples of P and Q in the order in which they were drawn or are stored."""
    return tuple(_constant("P", p)) + tuple(_constant("Q", q)) + tuple(_dependent(p, q))


def _constant(name: str, x: Outcomes) -> Iterator[str]:
    keys = x.keys
    if len(keys) > 1 and (keys == keys[0]).all():
        yield f"every output of {name} looked at is the same: is there any noise?"
        return
    if x.dimension > 1:
        same = [i + 1 for i in range(min(x.dimension, COORDINATES)) if len(np.unique(x.column(i).keys)) == 1]
        if same:
            yield f"coordinate {same[0]} of {name} never changes: is there noise on it?"
    missing = int(np.isnan(x.numbers).any(axis=1).sum())
    if missing and x.values is None:
        yield f"{missing} of {len(x)} outputs of {name} looked at hold NaN"


def _dependent(p: Outcomes, q: Outcomes) -> Iterator[str]:
    for name, x in (("P", p), ("Q", q)):
        if any(_hang_together(c[:-1], c[1:]) for c in _columns(x)):
            yield f"neighbouring samples of {name} are alike: in random order, or not independent? Then no bound holds"
    rows = min(len(p), len(q))
    pairs = zip(_columns(p[:rows]), _columns(q[:rows]), strict=True)
    if any(_hang_together(a, b) for a, b in pairs):
        yield "samples of P and Q hang together row by row: no bound holds unless they are independent"


def _columns(x: Outcomes) -> list[Array]:
    return [x.numbers[:, i] for i in range(min(x.dimension, COORDINATES))]


def _hang_together(a: Array, b: Array) -> bool:
    from scipy import stats

    kept = np.isfinite(a) & np.isfinite(b)
    a, b = a[kept], b[kept]
    if len(a) < 50 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return False
    return bool(abs(stats.spearmanr(a, b).statistic) * np.sqrt(len(a)) > BEYOND)
