"""The size of noise that is a Gaussian scale mixture, from the law of V, without f.

X = V Z with Z standard Gaussian in R^d and independent of V. So
  - E ||X||^2 = d E[V^2], infinite where v^2 p(v) is not integrable at infinity;
  - P(||X|| <= m) = E[P(d/2, m^2/(2 V^2))], P(a, w) the regularised lower incomplete gamma function (DLMF 8.2.4), which
    grows with m: m with less than half of the mass lies below the median, one with more lies above.
For a = d/2 it is 1 or erf(sqrt(w)), less exp(-w) times finitely many powers of w (DLMF 8.4.1, 8.4.7, 8.8.5), and
sqrt(w) = m exp(-log v)/sqrt(2) is entire in log v: so the integrand is analytic wherever p is, and Arb integrates it
with a proved error.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import acb, arb, fmpq

from dpverify.calibration.noise import Enclosure, Noise, NoNoise, rational
from dpverify.enclosures import Undecided, exact, precision
from dpverify.findings import Part, Reason
from dpverify.mixtures import Mixing
from dpverify.mixtures.examine import examine
from dpverify.mixtures.quadrature import PRECISION, Quadrature

STEPS = 60
CLOSE = 2.0**-50
HALF = arb(1) / 2
FULL = 64


def noise_of_mixture(mixing: Mixing, dimension: int) -> Noise:
    """Enclose E ||X||^2, infinite where it is, and the median of ||X|| at scale 1; raises NoNoise."""
    with precision(PRECISION):
        try:
            found = examine(mixing, lambda: None)
            if not found.valid or found.node is None or found.zero is None or found.infinity is None:
                raise NoNoise(f"the size of the noise is not enclosed: {found.defect or found.failure}")
            sizes = _Sizes(Quadrature(found.node, found.zero, found.infinity, dimension))
            median = rational(sizes.median())
            if not found.infinity.converges(2):
                return Noise(Enclosure(Fraction(0), None), median)
            return Noise(rational(dimension * sizes.moment(2) / sizes.mass), median)
        except Undecided as error:
            raise NoNoise(f"the size of the noise is not enclosed: {error}") from None


class _Sizes:
    def __init__(self, quadrature: Quadrature) -> None:
        self.quadrature, self.d = quadrature, quadrature.dimension
        self.mass = self.moment(0)

    def moment(self, k: int) -> arb:
        """The integral of v^k p(v)."""
        return self.quadrature.integral(Fraction(0), -self.d - k)

    def below(self, m: Fraction) -> arb:
        """P(||X|| <= m)."""
        log = (arb(exact(m * m)) / 2).log()

        def share(x: acb) -> acb:
            return self._share((log / 2 - x).exp())

        split = Fraction(round(float((log - arb(FULL).log()).mid()) * 32), 64)  # where the share is nearly 1
        missing = (log - 2 * exact(split)).exp().gamma_upper(arb(fmpq(self.d, 2)), 1)
        inner = self.quadrature.integral(Fraction(0), -self.d, high=split) * (1 - arb(0).union(missing))
        return (inner + self.quadrature.weighted(-self.d, split, share)) / self.mass

    def _share(self, u: acb) -> acb:
        """P(d/2, u^2)."""
        w = u * u
        term, total = (1 / arb.pi().sqrt() / u, acb(0)) if self.d % 2 else (acb(1), acb(1))
        for j in range(1, (self.d + 1) // 2):
            term = term * w / (fmpq(j) - fmpq(self.d % 2, 2))
            total = total + term
        return (u.erf() if self.d % 2 else acb(1)) - (-w).exp() * total

    def median(self) -> arb:
        """Where half the mass lies below: found by false position, shown by the mass on either side."""
        m = self._about()
        for bits in range(48, 8, -4):
            left, right = m * (1 - Fraction(1, 2**bits)), m * (1 + Fraction(1, 2**bits))
            if self.below(left) <= HALF and self.below(right) >= HALF:
                return arb(exact(left)).union(arb(exact(right)))
        raise Undecided(Reason.NOT_ENCLOSED(what=Part.MEDIAN))

    def _about(self) -> Fraction:
        """Roughly the median, by the Illinois method in log m."""
        low = high = 0.0
        while (under := self._excess(low)) > 0:
            low -= 1
        while (over := self._excess(high)) < 0:
            high += 1
        for _ in range(STEPS):
            x = (low * over - high * under) / (over - under)
            value = self._excess(x)
            if abs(value) < CLOSE or not low < x < high:
                break
            if value < 0:
                low, under, over = x, value, over / 2
            else:
                high, over, under = x, value, under / 2
        return Fraction(math.exp(x))

    def _excess(self, log_m: float) -> float:
        return float((self.below(Fraction(math.exp(log_m))) - HALF).mid())
