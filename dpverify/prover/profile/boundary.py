"""The boundary of S = {x : g(|x - u|) > g(|x|) + eps} on the sphere |x| = rho: |x - u| = b(rho).

Found in floats and by Newton's method; nothing here is proved, and nothing needs to be: any set gives a lower bound,
and what it costs is bounded by the residual g(b(rho)) - g(rho) - eps (see `spheres`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_series

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason
from dpverify.prover.profile.generator import RadialWeight, crossing
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import capped

EMPTY, FULL, CAP, JUMP = "e", "f", "c", "s"
NEAR = 2e-15


@dataclass(frozen=True)
class State:
    """What S does on one sphere, by floats: nothing, everything, a cap; and between which breaks its boundary lies."""

    kind: str
    segment: int
    boundary: float


class Boundary:
    """b(rho) for one eps."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, bits: int) -> None:
        self.radial, self.epsilon, self.bits = radial, epsilon, bits
        self.shift, self.level = float(radial.shift), float(epsilon)
        self.edges = [float(b) for b in radial.breaks]
        self.brackets = set(radial.brackets)

    def state(self, rho: float) -> State:
        kind, level = self._sort(rho)
        if kind != CAP:
            return State(kind, 0, rho + self.shift if kind == EMPTY else abs(rho - self.shift))
        g = self._potential
        low, high = abs(rho - self.shift), rho + self.shift
        first, last = bisect_right(self.edges, low), bisect_left(self.edges, high)
        k = bisect_left(range(last), True, first, key=lambda i: g(self.edges[i] * (1 + NEAR)) > level)
        if k < last:
            high = self.edges[k] * (1 - NEAR)
            inside = k > 0 and (self.radial.breaks[k - 1], self.radial.breaks[k]) in self.brackets
            if inside or not g(high) > level:
                return State(JUMP, k, self.edges[k])
        if k > first:
            low = self.edges[k - 1] * (1 + NEAR)
        return State(CAP, k, crossing(low, high, lambda r: g(r) - level))

    def around(self, k: int) -> tuple[Fraction, ...]:
        """The k-th break, or both ends of the bracket that it is an end of, about one that is not known exactly."""
        breaks = self.radial.breaks
        pairs = ((breaks[i], breaks[i + 1]) for i in (k - 1, k) if 0 <= i < len(breaks) - 1)
        return next((pair for pair in pairs if pair in self.brackets), (breaks[k],))

    def kind(self, rho: float) -> str:
        """Nothing, everything or a cap: what the state says at once."""
        return self._sort(rho)[0]

    def _sort(self, rho: float) -> tuple[str, float]:
        g = self._potential
        level = g(rho) + self.level
        kind = EMPTY if not g(rho + self.shift) > level else FULL if g(abs(rho - self.shift)) >= level else CAP
        return kind, level

    def _potential(self, r: float) -> float:
        value = self.radial.rough(r) if r > 0 else self.radial.rough(5e-324)
        return -value if value == value else math.inf

    def segment(self, k: int) -> tuple[Fraction, Fraction | None]:
        """The k-th interval between breaks."""
        breaks = self.radial.breaks
        return (breaks[k - 1] if k else Fraction(0)), (breaks[k] if k < len(breaks) else None)

    def series(
        self, a: Fraction, b: Fraction, around: tuple[Fraction, Fraction], start: float, order: int
    ) -> list[arb]:
        """The Taylor coefficients of b in the variable of the panel (a, b), b running through radii `around`."""
        with capped(order):
            level = self.radial.log(arb_series([ball((a + b) / 2), ball((b - a) / 2)]), a, b)
        return self.at(level - exact(self.epsilon), around, start, order)

    def on_sphere(
        self,
        rho: Fraction,
        within: tuple[Fraction, Fraction],
        around: tuple[Fraction, Fraction],
        start: float,
        bits: int,
    ) -> Fraction:
        """b on one sphere of a panel, written down."""
        with capped(2):
            level = self.radial.log(arb_series([ball(rho)]), *within)[0] - exact(self.epsilon)
            return written([self._root(level, around, start)], bits)[0]

    def at(self, level: arb_series, around: tuple[Fraction, Fraction], start: float, order: int) -> list[arb]:
        """The same, from the coefficients of log f(b) = log f(rho) - eps."""
        with capped(order):
            coefficients = [self._root(level[0], around, start)]
            slope = self.radial.log(arb_series([*coefficients, 1]), *around)[1]
            while len(coefficients) < order:
                coefficients += self._more(coefficients, level, slope, around)[: order - len(coefficients)]
        if not all(c.is_finite() for c in coefficients):
            raise Undecided(Reason.NO_BOUNDARY())
        return coefficients

    def _more(self, known: list[arb], level: arb_series, slope: arb, around: tuple[Fraction, Fraction]) -> list[arb]:
        """The coefficients that follow n known ones, n - 1 of them by Newton's method: L(b) = level, and
        L'(b) = level'/b'.  One, by the slope at the middle, where b' vanishes there."""
        n = len(known)
        steep = n > 2 and abs(known[1]) * 2**20 > known[0]
        more = n - 1 if steep else 1
        with capped(n + more - 1):
            off = level - self.radial.log(arb_series([*known, *[arb(0)] * more]), *around)
        ahead = [off[n + k] for k in range(more)]
        if not steep:
            return [(ahead[0] / slope).mid()]
        with capped(more - 1):
            rate, along = ([k * u[k] for k in range(1, n)] for u in (known, level))
            change = arb_series(ahead) * arb_series(rate) / arb_series(along)
        return [change[k].mid() for k in range(more)]

    def _root(self, level: arb, around: tuple[Fraction, Fraction], start: float) -> arb:
        root = arb(start)
        for _ in range(9):
            log = self.radial.log(arb_series([root, 1]), *around)
            step = ((log[0] - level) / log[1]).mid()
            if not step.is_finite():
                raise Undecided(Reason.NO_BOUNDARY())
            root = (root - step).mid()
            if abs(step) < root * arb(2) ** (-self.bits):
                break
        return root


def written(coefficients: list[arb], bits: int) -> list[Fraction]:
    """The coefficients as dyadic rationals, absolute to `bits` bits of the first."""
    size = coefficients[0].abs_upper()
    exponent = bits - math.frexp(float(size))[1] if 1e-300 < float(size) < 1e300 else bits
    unit = Fraction(2) ** exponent
    result = []
    for c in coefficients:
        whole = (c.mid() * exact(unit) + arb("0.5")).mid().floor().fmpq()
        result.append(Fraction(int(whole.p)) / unit)
    return result
