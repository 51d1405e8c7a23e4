"""Whether the outputs of the two inputs were drawn with one seed."""

from __future__ import annotations

import numpy as np

from dpverify.audit.outcomes import Outcomes
from dpverify.audit.sources import Array
from dpverify.errors import InputError


def refuse_shared_noise(p: Outcomes, q: Outcomes) -> None:
    """Rows of P and Q that differ by one vector were drawn with one seed: no bound holds for such samples."""
    rows = min(len(p), len(q), 10_000)
    both = np.flatnonzero(p.finite[:rows] & q.finite[:rows])
    if len(both) < 20:
        return
    x, y = p.numbers[both], q.numbers[both]
    if _share_of_commonest(x - y) > 0.9 and _share_of_commonest(x - np.roll(y, 1, axis=0)) < 0.5:
        raise InputError("P and Q share their noise: row by row they differ by one vector, so a seed was used twice")


def _share_of_commonest(differences: Array) -> float:
    middle = np.median(differences, axis=0)
    near = np.abs(differences - middle) <= 1e-9 * (np.abs(differences).max() + np.abs(middle))
    return float(near.all(axis=1).mean())
