"""Lambert's W: the solution w >= -1 of w e^w = x, for x >= -1/e."""

from __future__ import annotations

from typing import Any

from flint import arb

from dpverify.enclosures.ball import Ball, Undecided
from dpverify.enclosures.special.base import Special, accurately, at_ends
from dpverify.findings import Part, Reason

STEEPEST = arb("1.2")


class Lambert(Special):
    """W, which rises and is concave: W' = 1/(x + e^W)."""

    zeros = (0,)
    rises_from = 0

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, self._at)

    def _at(self, x: arb) -> arb:
        return x if x.is_zero() else accurately(x.lambertw)

    def slope(self, x: Ball) -> Ball:
        return at_ends(x.x, self._slope_at)

    def _slope_at(self, x: arb) -> arb:
        below = x + self._at(x).exp()
        if not below > 0:
            raise Undecided(Reason.OF_BRANCH_POINT(what=Part.LAMBERTW))
        return 1 / below

    def bend(self, x: Ball) -> Ball:
        """W'' = -W'^2 (1 + e^W W')."""
        slope = self.slope(x)
        return -(slope * slope * (self.value(x).exp() * slope + 1))

    def value_of_model(self, x: Any) -> Any:
        return self._far(x) if x.grows() and x.leading()[1] > 0 else super().value_of_model(x)

    def _far(self, x: Any) -> Any:
        """W = L - l + theta l/L with L = log x, l = log L and 0 <= theta <= 1.2, where L >= 1.

        W = L - log W with 0 <= log W <= l, so W = L - l - log(1 - v) with v = log(W)/L; and
        v = t/(t + e^t) at t = log W, which is at most 1/(1 + e) < 0.27, so that -log(1 - v) <= 1.2 v.
        """
        log = x.log()
        if not log.span().low >= 1:
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.LAMBERTW))
        second = log.log()
        return log - second + second * log.inverse() * (STEEPEST / 2 + arb(0, 1) * (STEEPEST / 2))

    def increment(self, u: Any, du: Any) -> Any | None:
        """W(u + du) - W(u) = log(1 + du/u) x/(1 + x), x between both, where u grows and du is no small part of it."""
        from dpverify.enclosures.pairs import Slope

        if isinstance(u, (Ball, Slope)) or not u.grows() or du.leading()[0] < u.leading()[0]:
            return None
        here, there = (w * (w + 1).inverse() for w in map(self._far, (u, u + du)))
        return (du * u.inverse() + 1).log() * here.hull(there)

    def large_slope(self, x: Any) -> Any:
        w = self._far(x)
        return w * (x * (w + 1)).inverse()
