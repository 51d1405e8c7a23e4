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


class Outline:
    """log p on the grid, and the integrands v^(-d-k) exp(-s^2/(2 v^2)) p(v) dv/d log v there."""

    def __init__(self, quadrature: Quadrature) -> None:
        self.d = quadrature.dimension
        count = int((LAST - FIRST) / STEP)
        points = [FIRST + i * STEP for i in range(count + 1)]
        known = [(x, quadrature.log_density(x)) for x in points]
        self.points = [(x, p + (1 - self.d) * x, math.exp(-2 * x)) for x, p in known if math.isfinite(p)]
        self._logs: dict[float, tuple[float, float]] = {}
        self._table: list[tuple[float, float]] = []

    def logs(self, s: float) -> list[tuple[float, float]]:
        """log v and the logarithm of the integrand with k = 0."""
        half = s * s / 2
        return [(x, p - half * t) for x, p, t in self.points]

    def log_f_and_mean(self, s: float) -> tuple[float, float]:
        """log f(s^2) and m(s) = E_s[V^-2]."""
        if s not in self._logs:
            logs = self.logs(s)
            peak = max(u for _, u in logs)
            weights = [(x, math.exp(u - peak)) for x, u in logs if u > peak - 700]
            total = sum(w for _, w in weights)
            mean = sum(w * math.exp(-2 * x) for x, w in weights if x > -300) / total
            self._logs[s] = math.log(total * STEP) + peak, mean
        return self._logs[s]

    def radius_of(self, mean: float, most: float) -> float:
        """Among 0 and most 2^(-j/2) the s with m(s) nearest to the value from above."""
        if not self._table:
            radii = [0.0, *(most * 2 ** (-j / 2) for j in range(60, -1, -1))]
            self._table = [(self.log_f_and_mean(s)[1], s) for s in radii]
        return next((s for m, s in reversed(self._table) if m >= mean), 0.0)

    def span(self, s: float, lives: float = LIVES) -> tuple[float, float]:
        """Where log v is at s, but for shares below e^-lives of f, and larger ones of E_s[V^-4]."""
        logs = self.logs(s)
        peak = max(u for _, u in logs)
        alive = [x for x, u in logs if u > peak - lives]
        fourth = [(x, u - 4 * x) for x, u in logs]
        peak = max(u for _, u in fourth)
        low = min(alive[0], next(x for x, u in fourth if u > peak - LIVES / 2)) if s else alive[0]
        return low - STEP, alive[-1] + STEP


def dyadic(x: float, bits: int = 3) -> Fraction:
    """e^x, roughly: a short rational with few binary digits."""
    exponent = math.floor(x / math.log(2))
    scaled = round(math.exp(x - exponent * math.log(2)) * 2**bits)
    return Fraction(scaled, 2**bits) * Fraction(2) ** exponent
