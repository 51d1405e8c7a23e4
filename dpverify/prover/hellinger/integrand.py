"""p^L q^(1-L) (log(p/q) - c)^j at a pair of radii, on real points and bounded on complex balls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason
from dpverify.prover.profile.duals import Dual, logarithm, shifted
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball


@dataclass(frozen=True)
class Tilt:
    """The order L, and the factor (log(p/q) - c)^j beside p^L q^(1-L)."""

    order: Fraction
    power: int = 0
    centre: Fraction = Fraction(0)

    def factor(self, loss: Any) -> Any:
        """(l - c)^j, for balls whose sign is not known, too."""
        product, base = loss * 0 + 1, loss - ball(self.centre)
        for _ in range(self.power):
            product = product * base
        return product

    def spread(self, k: Fraction) -> arb:
        """C with |l - c|^j <= C (e^(k l) + e^(-k l)), for 0 < k <= j: since |l - c| <= (1 + |c|) e^(k |l|/j) j/k."""
        factor = ball((1 + abs(self.centre)) * self.power / k)
        return factor**self.power

    @property
    def weights(self) -> tuple[arb, arb]:
        """L and 1 - L."""
        return ball(self.order), ball(1 - self.order)


def with_octaves(marks: set[Fraction], ends: tuple[Fraction, Fraction], start: Fraction, most: int) -> list[Fraction]:
    """Marks between two ends, these among them, and radii that double from a start on.  Raises Undecided where they
    are too many."""
    low, high = ends
    found = {*marks, *ends}
    while start < high:
        found.add(start)
        start *= 2
    kept = sorted(m for m in found if low <= m <= high)
    if len(kept) > most:
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
    return kept


class Logarithms:
    """log f, less `size`, by the cases that hold between two breaks."""

    def __init__(self, radial: RadialWeight) -> None:
        self.radial, self.size = radial, arb(exact(radial.size))
        self._kept: dict[tuple[Fraction, Fraction], Dual] = {}

    def between(self, a: Fraction, b: Fraction) -> Dual:
        """On (a, b), in which no case changes.  Raises Undecided where one may."""
        key = (a, b) if self.radial.branches else (Fraction(0), Fraction(0))
        if key not in self._kept:
            self._kept[key] = shifted(logarithm(self.radial.smooth(a, b)), self.size)
        return self._kept[key]

    def around(self, a: Fraction, b: Fraction) -> Dual:
        """The same on (a, b), by the breaks beside it."""
        low = max((k for k in self.radial.breaks if k <= a), default=Fraction(0))
        return self.between(low, min((k for k in self.radial.breaks if k >= b), default=2 * b))

    def beside_break(self, a: Fraction, b: Fraction) -> bool:
        """Whether (a, b) lies between two radii about a break that is not known exactly."""
        return any(low <= a and b <= high for low, high in self.radial.brackets)

    def analytic_at_centre(self, radius: Fraction) -> bool:
        """Whether log f is shown to be analytic about 0, as a function of the radius."""
        part = ball(radius) / 8
        try:
            value, slope = self.between(Fraction(0), radius)(acb(arb(0, part), arb(0, part)))
        except Undecided:
            return False
        return bool(value.is_finite() and acb(slope).is_finite())


class Pair:
    """The integrand where |x| and |x - u| run between two breaks each."""

    def __init__(self, here: Dual, there: Dual, tilt: Tilt) -> None:
        self.here, self.there, self.tilt = here, there, tilt
        self.first, self.second = tilt.weights

    def at(self, r: arb, b: arb) -> arb:
        """Its value at real radii."""
        u, v = self.here(r)[0], self.there(b)[0]
        value = (self.first * u + self.second * v).exp()
        return value * self.tilt.factor(u - v) if self.tilt.power else value

    def on(self, radii: tuple[acb, acb], middles: tuple[arb, arb], ways: list[tuple[acb, int, int]]) -> acb:
        """Its value on complex balls about middles, which it reaches along ways: each a distance from the middle, and
        how the two radii change by it.  Not finite where it is not known to be analytic."""
        (u, _), (v, _) = self.here(middles[0]), self.there(middles[1])
        slope, other = self.here(radii[0])[1], self.there(radii[1])[1]
        total, loss = acb(self.first * u + self.second * v), acb(u - v)
        for off, k, n in ways:
            total += off * (slope * self.first * k + other * self.second * n)
            loss += off * (slope * k - other * n)
        value = total.exp()
        return value * self.tilt.factor(loss) if self.tilt.power else value
