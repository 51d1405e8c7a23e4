"""Renyi divergences and rho by integrals of their own, to as many digits as are asked for."""

from __future__ import annotations

from fractions import Fraction

from dpverify.enclosures import Undecided, fraction_above, precision
from dpverify.findings import Reason
from dpverify.profiles.envelope import BITS, FEW, ORDERS, share_between
from dpverify.profiles.result import Enclosed, outward
from dpverify.profiles.tails import tail
from dpverify.prover.hellinger import Orders, Tilt
from dpverify.prover.profile import Profile

MOST_ORDERS = 90
ROUGH = Fraction(1, 1000)


class Divergences:
    """D_L of one release whose f does not rise; no loss exceeds `pure` where that is known."""

    def __init__(self, prover: Profile, tolerance: Fraction) -> None:
        self.prover, self.tolerance, self.orders = prover, tolerance, Orders(prover)
        self.pure = None if prover.pure is None else prover.pure[1]
        self._known: dict[Fraction, Enclosed] = {}

    def renyi(self, order: Fraction) -> Enclosed:
        """D_L, L > 0; at L = 1 the Kullback-Leibler divergence."""
        if order not in self._known:
            low, high = self.orders.renyi(order, self.tolerance * 9 / 10)
            low, high = max(Fraction(0), low), high if self.pure is None else min(high, self.pure)
            self._known[order] = outward(Enclosed(low, high), self.tolerance)
        return self._known[order]

    def zcdp(self) -> Enclosed:
        """rho, the supremum of D_L/L over L > 1, by halving ranges of L."""
        first = self.renyi(Fraction(1))
        best = first.lower
        if not best:
            raise Undecided(Reason.DIVERGENCE_NEAR_ZERO())
        end, reached, highest = self._last(best)
        ranges = [(Fraction(1), max(Fraction(2), end))]
        best, highest = max(best, reached), max(first.upper, highest)
        while ranges:
            a, b = ranges.pop()
            best = max(best, *(self.renyi(x).lower / x for x in (a, b)))
            most = self._between(a, b)
            if most <= best * (1 + self.tolerance) or b - a < a / 2**40 or len(self._known) > MOST_ORDERS:
                highest = max(highest, most)
                continue
            middle = 1 + (b - 1) / 8 if a == 1 else (a + b) / 2
            ranges += [(middle, b), (a, middle)]
        return outward(Enclosed(best, max(best, highest)), self.tolerance)

    def _last(self, best: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """An L; a value of D_L/L that is reached; and at least D_L/L for all orders from L on."""
        if self.pure is not None:
            return self.pure / best, best, best
        beyond = tail(self.prover)
        with precision(BITS):
            shares = {order: fraction_above(beyond.share(order)) for order in ORDERS}
        reached = max(best, *(self.renyi(x).lower / x for x in FEW))
        small = [order for order, most in shares.items() if most <= reached]
        return (small[0], reached, reached) if small else (ORDERS[-1], reached, shares[ORDERS[-1]])

    def _between(self, a: Fraction, b: Fraction) -> Fraction:
        """At least D_L/L for a <= L <= b; at 1 by the variance of the loss as well."""
        first, last = self.renyi(a).upper, self.renyi(b).upper
        most = share_between((a, first), (b, last), self.pure)
        return min(most, self._beside_one(b)) if a == 1 else most

    def _beside_one(self, b: Fraction) -> Fraction:
        """With K(k) = k D_(k+1) = log E e^(k l) under p, K'' is the variance of l where p has been tilted by e^(k l).

        For k <= h = b - 1 it is at most V, the larger of the means of (l - c)^2 and (l - c)^2 e^(h l), as K >= 0 and
        e^(k l) lies below a chord.  So D_(k+1) <= D_1 + k V/2, and D_(k+1)/(k + 1) at most what that is at an end.
        """
        first, h = self.renyi(Fraction(1)), b - 1
        centre = Fraction(round((first.lower + first.upper) * 2**19), 2**20)
        tilts = Tilt(Fraction(1), 2, centre), Tilt(b, 2, centre)
        try:
            most = max(self.orders.moment(tilt, ROUGH)[1] for tilt in tilts)
        except Undecided:
            return self.renyi(b).upper
        return max(first.upper, (first.upper + h * most / 2) / b)
