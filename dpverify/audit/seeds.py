"""Independent streams of random numbers, one for each purpose and chunk, from one seed."""

from __future__ import annotations

from typing import Literal

import numpy as np

Purpose = Literal["ideal", "pilot", "audit", "rows", "shape", "radii"]
PURPOSES: tuple[Purpose, ...] = ("ideal", "pilot", "audit", "rows", "shape", "radii")


def stream(seed: int, purpose: Purpose, *place: int) -> np.random.Generator:
    """The stream for a purpose and a place; different ones are independent, the same one is the same."""
    key = (PURPOSES.index(purpose), *place)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def fresh_seed() -> int:
    """A seed nobody chose, short enough to be typed."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(12))
