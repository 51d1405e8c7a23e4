"""dpverify's own noise as a source of outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from dpverify.audit.outcomes import Outcomes
from dpverify.audit.seeds import stream
from dpverify.audit.sources import MOST_NUMBERS, Array, Drawn, Which, block_rows
from dpverify.sampling import EllipticalNoise

IDEAL_DRAWS = 50_000
"""Draws on which an event is chosen where the law is known."""


@dataclass(frozen=True)
class BuiltIn(Drawn):
    """dpverify's own sampler of elliptical noise around 0 and around `shift`.

    Its law is known, so that the event is chosen on separate draws and every sample is audited.
    """

    noise: EllipticalNoise
    shift: Array

    @property
    def dimension(self) -> int:
        return self.noise.dimension

    @property
    def text(self) -> str:
        return f"noise {self.noise.generator.text} in dimension {self.dimension}"

    def _draw(self, which: Which, size: int, rng: np.random.Generator) -> Array:
        x = self.noise.draw(size, rng)
        if which == "Q":
            for axis in np.flatnonzero(self.shift):
                x[:, axis] += self.shift[axis]
        return x

    def ideal(self) -> Iterator[Array]:
        """Draws of P that are no part of any audit, the same for every seed, in blocks."""
        rows = block_rows(self.dimension)
        draws = min(IDEAL_DRAWS, max(IDEAL_DRAWS // 10, MOST_NUMBERS // self.dimension))
        return (self._draw("P", rows, stream(0, "ideal", lot)) for lot in range(ceil(draws / rows)))

    def blocks(self, which: Which, index: int, count: int, seed: int) -> Iterator[Outcomes]:
        rng = stream(seed, "audit", index, "PQ".index(which))
        rows = block_rows(self.dimension)
        for start in range(0, count, rows):
            stop = min(start + rows, count)
            yield Outcomes(self._draw(which, stop - start, rng))

    def identity(self) -> dict[str, Any]:
        noise = self.noise
        return {
            "generator": noise.generator.text,
            "dimension": noise.dimension,
            "parameters": {name: str(value) for name, value in noise.generator.parameters.items()},
            "scale": repr(noise.scale),
            "shift": [repr(v) for v in self.shift.tolist()],
            "factor": None if noise.factor is None else noise.factor.tolist(),
            "samples": self.samples,
        }
