"""The radial potential g = -log f_d of a mixture, its slope, and the loss, at single radii.

g'(r) = r m(r) with m(r) = E_r[V^-2], the mean under the law of V tilted by v^(-d) exp(-r^2/(2 v^2)).
Its derivative m'(r) = -r Var_r(V^-2) is never positive, so m falls: values at the ends of an interval
bound g' on all of it. Hence f_d falls, and falls strictly, for every mixing law.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, exact
from dpverify.mixtures.quadrature import Quadrature


class Potential:
    """g and m, each computed once per radius. `finite[k]` says whether E[V^(-d-k)] is finite, k = 0, 2."""

    def __init__(self, quadrature: Quadrature, delta: Fraction) -> None:
        self.quadrature, self.delta = quadrature, delta
        dimension = quadrature.dimension
        self.finite = {k: quadrature.zero.converges(-dimension - k) for k in (0, 2)}
        self._integrals: dict[tuple[Fraction, int], arb] = {}

    def integral(self, r: Fraction, k: int) -> arb:
        if (r, k) not in self._integrals:
            value = self.quadrature.integral(r, k)
            if not value > 0:
                raise Undecided(f"the integral for f_d at r = {float(r):.6g} is not proved positive")
            self._integrals[r, k] = value
        return self._integrals[r, k]

    def mean(self, r: Fraction) -> arb:
        """m(r) = E_r[V^-2]; infinite at 0 where E[V^(-d-2)] is."""
        if r == 0:
            if not self.finite[2]:
                return arb.pos_inf()
            try:
                return self.integral(r, 2) / self.integral(r, 0)
            except Undecided:
                return arb.pos_inf()  # as a bound from above
        return self.integral(r, 2) / self.integral(r, 0)

    def rise(self, r: Fraction, s: Fraction) -> arb:
        """g(s) - g(r)."""
        return (self.integral(r, 0) / self.integral(s, 0)).log()

    def loss(self, r: Fraction) -> arb:
        """phi(r) = g(r + delta) - g(r)."""
        return self.rise(r, r + self.delta)

    def loss_slopes(self, a: Fraction, b: Fraction) -> tuple[arb, arb]:
        """Bounds of phi'(r) = (r + delta) m(r + delta) - r m(r) over a <= r <= b, from below and above."""
        low_a, low_b = exact(a), exact(b)
        ahead_a, ahead_b = exact(a + self.delta), exact(b + self.delta)
        falls = self.mean(a) * low_b
        least = self.mean(b + self.delta) * ahead_a - falls
        most = self.mean(a + self.delta) * ahead_b - self.mean(b) * low_a
        return least.lower() if least.is_finite() else arb.neg_inf(), most.upper()
