"""The radial potential g = -log f_d of a mixture, its slope, and the loss, at single radii.

g'(r) = r m(r) with m(r) = E_r[V^-2], the mean under the law of V tilted by v^(-d) exp(-r^2/(2 v^2)).
Its derivative m'(r) = -r Var_r(V^-2) is never positive, so m falls: values at the ends of an interval
bound g' on all of it. Hence f_d falls, and falls strictly, for every mixing law.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason
from dpverify.mixtures.quadrature import Quadrature


class MixedPotential:
    """g and m, each computed once per radius. `finite[k]` says whether E[V^(-d-k)] is finite, k = 0, 2."""

    def __init__(self, quadrature: Quadrature, delta: Fraction) -> None:
        self.quadrature, self.delta = quadrature, delta
        dimension = quadrature.dimension
        self.finite = {k: quadrature.zero.converges(-dimension - k) for k in (0, 2)}
        self._integrals: dict[tuple[Fraction, int], arb] = {}

    def integral(self, r: Fraction, k: int) -> arb:
        """E[V^(-d-k) exp(-r^2/(2 V^2))], proved positive; raises Undecided."""
        if (r, k) not in self._integrals:
            value = self.quadrature.integral(r, k)
            if not value > 0:
                raise Undecided(Reason.F_NOT_POSITIVE_AT(at=r))
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
        """Bounds, from below and above, of phi' over a <= r <= b.

        As a difference, phi'(r) = (r + delta) m(r + delta) - r m(r); and, the narrower where delta is
        small beside b - a, as delta times a value of g'' = m - r^2 Var_r(V^-2) between a and b + delta.
        """
        if a and self.delta < b - a:
            return self._slopes_by_curvature(a, b)
        ahead_a, ahead_b = exact(a + self.delta), exact(b + self.delta)
        least = self.mean(b + self.delta) * ahead_a - self.mean(a) * exact(b)
        most = self.mean(a + self.delta) * ahead_b - self.mean(b) * exact(a)
        return least.lower() if least.is_finite() else arb.neg_inf(), most.upper()

    def _slopes_by_curvature(self, a: Fraction, b: Fraction) -> tuple[arb, arb]:
        end, delta = b + self.delta, exact(self.delta)
        steepest, flattest = self.mean(a), self.mean(end)
        fourth = [self.integral(r, 4) / self.integral(r, 0) for r in (a, end)]  # E_r[V^-4], which falls, as m does
        widest = fourth[0] - flattest * flattest
        narrowest = (fourth[1] - steepest * steepest).max(arb(0))
        least = flattest - widest * exact(end * end)
        most = steepest - narrowest * exact(a * a)
        return (least * delta).lower(), (most * delta).upper()
