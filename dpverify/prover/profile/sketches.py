"""What S is on one sphere around x = 0 for an f that may rise, by floats: where to look, and proof of nothing.

The edges of its layers are the radii |x - u| at which log f crosses log f(rho) - eps, found between the radii of a
grid, about each break, and between the radii at which log f turns.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpverify.prover.profile.generator import RadialWeight, crossing

SCAN = 48
AT, JUMP = 1e-12, 1e-9
"""How near to a break an edge is at it, and by how much log f has to jump there."""

End = tuple[float, int, int]
"""Where a layer begins or ends on a sphere, on which side S lies, and on which segment of f."""


@dataclass(frozen=True)
class Sketch:
    """S on one sphere, by floats: whether it begins at the lowest |x - u|; its edges, with sign and segment."""

    lowest: bool
    edges: tuple[End, ...]

    def like(self, other: Sketch) -> bool:
        mine, others = ([x[1:] for x in sketch.edges] for sketch in (self, other))
        return self.lowest == other.lowest and mine == others


class Sketches:
    """S for one eps and one shift, sphere by sphere: `places` are the breaks of f, `turns` where log f turns."""

    def __init__(
        self, radial: RadialWeight, epsilon: Fraction, places: Sequence[float], turns: Sequence[float]
    ) -> None:
        self.radial, self.places, self.turns = radial, places, turns
        self.s, self.epsilon = float(radial.shift), float(epsilon)
        self.brackets = set(radial.brackets)

    def at(self, rho: Fraction) -> Sketch:
        """S on the sphere |x| = rho."""
        log, s, r = self.radial.rough, self.s, float(rho)
        height = log(r) - self.epsilon
        first = abs(r - s)
        both = self.places, self.turns
        breaks, tops = (x[bisect_right(x, first) : bisect_left(x, r + s)] for x in both)
        inner = [y for x in breaks for y in (x * (1 - AT), x * (1 + AT))]
        grid = sorted({*self._grid(first, r + s), *inner, *tops})
        grid = [first * (1 + 1e-12) or s * 1e-12, *grid, (r + s) * (1 - 1e-12)]
        inside = [log(b) < height for b in grid]
        edges = list[End]()
        for (a, b), (p, q) in zip(pairwise(grid), pairwise(inside), strict=True):
            if p != q:
                sign = 1 if q else -1
                root = crossing(a, b, lambda x, to=sign: to * (height - log(x)))  # type: ignore[misc]
                edges.append((root, sign, self._segment(root)))
        return Sketch(inside[0], tuple(edges))

    def _grid(self, first: float, last: float) -> list[float]:
        """Radii between two, at which others look too: where spheres reach around u they are a part of these apart."""
        step = min(last - first, 2 * self.s) / SCAN
        if last - first < 2 * self.s * (1 - AT):
            return [first + step * k for k in range(1, SCAN)]
        return [step * k for k in range(math.floor(first / step) + 1, math.ceil(last / step))]

    def _segment(self, root: float) -> int:
        """Between which breaks an edge lies; -1 - k where it is at the k-th, as f jumps there."""
        places, log = self.places, self.radial.rough
        k = bisect_left(places, root * (1 - 2 * AT))
        if k < len(places) and places[k] <= root * (1 + 2 * AT):
            at = places[k]
            steps = [abs(log(at * (1 + x)) - log(at * (1 - x))) for x in (2 * AT, 4 * AT)]
            if steps[0] > JUMP and steps[1] < 1.5 * steps[0]:
                return -1 - (k + 1 if self._pair(k) else k)
        return bisect_left(places, root)

    def _pair(self, k: int) -> bool:
        """Whether the k-th break and the next are about one that is not known exactly."""
        breaks = self.radial.breaks
        return k + 1 < len(breaks) and (breaks[k], breaks[k + 1]) in self.brackets
