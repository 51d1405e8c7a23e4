"""A mixture in floating point, on a grid of log v: where its integrals live at a radius, to choose panels by.

Nothing here is trusted.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpverify.mixtures.quadrature import Quadrature

STEP = 1 / 16
FIRST, LAST = -40, 60
LIVES = 32.0  # what is smaller than its peak by this factor's logarithm is left out
DEAD = 60.0  # what is smaller by this one's counts nowhere
FEWEST, FINER = 24, 64  # points alive on a grid, and points of the finer grid that is laid where there are fewer
FINEST = 2.0**-24
Point = tuple[float, float, float]
"""log v, log p + (1 - d) log v, and v^-2."""


class Outline:
    """log p on the grid, and the integrands v^(-d-k) exp(-s^2/(2 v^2)) p(v) dv/d log v there."""

    def __init__(self, quadrature: Quadrature) -> None:
        self.d = quadrature.dimension
        count = int((LAST - FIRST) / STEP)
        self.quadrature = quadrature
        self.points = self._points(FIRST, STEP, count)
        self._grids: dict[float, tuple[list[tuple[float, float]], float]] = {}
        self._logs: dict[float, tuple[float, float]] = {}
        self._table: list[tuple[float, float]] = []
        self._below: list[tuple[float, float, float]] = []

    def _points(self, first: float, step: float, count: int) -> list[Point]:
        known = [(x, self.quadrature.log_density(x)) for x in (first + i * step for i in range(count + 1))]
        return [(x, p + (1 - self.d) * x, math.exp(-2 * x)) for x, p in known if math.isfinite(p)]

    def logs(self, s: float) -> tuple[list[tuple[float, float]], float]:
        """log v and the logarithm of the integrand with k = 0, on a grid as fine as its peak asks for, and its step."""
        if s not in self._grids:
            self._grids[s] = self._grid(s)
        return self._grids[s]

    def _grid(self, s: float) -> tuple[list[tuple[float, float]], float]:
        points, step, half = self.points, STEP, s * s / 2
        while True:
            logs = [(x, p - half * t) for x, p, t in points]
            peak = max(u for _, u in logs)
            alive = [x for x, u in logs if u > peak - DEAD]
            if len(alive) >= FEWEST or step < FINEST:
                return logs, step
            first, last = alive[0] - step, alive[-1] + step
            step = (last - first) / FINER
            points = self._points(first, step, FINER)

    def log_f_and_mean(self, s: float) -> tuple[float, float]:
        """log f(s^2) and m(s) = E_s[V^-2]."""
        if s not in self._logs:
            logs, step = self.logs(s)
            peak = max(u for _, u in logs)
            weights = [(x, math.exp(u - peak)) for x, u in logs if u > peak - 700]
            total = sum(w for _, w in weights)
            mean = sum(w * math.exp(-2 * x) for x, w in weights if x > -300) / total
            self._logs[s] = math.log(total * step) + peak, mean
        return self._logs[s]

    def radius_of(self, mean: float, most: float) -> float:
        """Among 0 and most 2^(-j/2) the s with m(s) nearest to the value from above."""
        if not self._table:
            radii = [0.0, *(most * 2 ** (-j / 2) for j in range(60, -1, -1))]
            self._table = [(self.log_f_and_mean(s)[1], s) for s in radii]
        return next((s for m, s in reversed(self._table) if m >= mean), 0.0)

    def log_moment(self, k: int) -> float:
        """log E[V^(-d-k)], up to the factor of p."""
        logs = [u - k * x for x, u in self.logs(0.0)[0]]
        peak = max(logs)
        return peak + math.log(STEP * sum(math.exp(u - peak) for u in logs))

    def below(self) -> list[tuple[float, float, float]]:
        """log v, the logarithm of the integral of v^-d p below it, and v^-2, on the grid."""
        if not self._below:
            total = -math.inf
            for x, u, t in self.points:
                total = max(total, u) + math.log1p(math.exp(-abs(total - u)))
                self._below.append((x, total + math.log(STEP), t))
        return self._below

    def span(self, s: float, lives: float = LIVES) -> tuple[float, float]:
        """Where log v is at s, but for shares below e^-lives of f, and larger ones of E_s[V^-4].

        Of what lies below, the Gaussian's factor is bounded by its largest value alone.
        """
        logs, step = self.logs(s)
        peak = max(u for _, u in logs)
        alive = [x for x, u in logs if u > peak - lives]
        if not s:
            return alive[0] - step, alive[-1] + step
        fourth = [(x, u - 4 * x) for x, u in logs]
        peak = max(u for _, u in fourth)
        low = min(alive[0], next(x for x, u in fourth if u > peak - LIVES / 2))
        log_f, half = self.log_f_and_mean(s)[0], s * s / 2
        small = [x for x, u, t in self.below() if x < low and u - half * t < log_f - lives]
        return (small[-1] if small else low - step), alive[-1] + step


def dyadic(x: float, bits: int = 3) -> Fraction:
    """e^x, roughly: a short rational with few binary digits."""
    exponent = math.floor(x / math.log(2))
    scaled = round(math.exp(x - exponent * math.log(2)) * 2**bits)
    return Fraction(scaled, 2**bits) * Fraction(2) ** exponent
