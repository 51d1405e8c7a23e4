"""log log(1 + e^t), which is t and what is left of it where e^t is small."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, hull
from dpverify.enclosures.special.base import UNIT, Special, at_ends, increment_of


class Shortfall(Special):
    """k(t) = log(log(1 + e^t) / e^t), which falls from 0, and whose slope falls from 0 to -1.

    With w = e^t, e^(-w/2) <= log(1 + w)/w <= 1, so that -w/2 <= k <= 0; and (1 + w) log(1 + w) <= w + w^2/2, so that
    k' = w/((1 + w) log(1 + w)) - 1 lies between -w/2 and 0 too.
    """

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, lambda t: _softplus(t).log() - t)

    def slope(self, x: Ball) -> Ball:
        return at_ends(x.x, _slope)

    def bend(self, x: Ball) -> Ball:
        """k'' = l (1 - s - l), where l = 1 + k' and s = e^t/(1 + e^t); it lies between -1 and 0."""
        steep, s = self.slope(x).x + 1, at_ends(x.x, lambda t: 1 / (1 + (-t).exp())).x
        found = steep * (1 - s - steep)
        return Ball(hull(found.lower().max(arb(-1)), found.upper().min(arb(0))))

    def value_of_model(self, x: Any) -> Any:
        return _small(x) if _falls_away(x) else super().value_of_model(x)

    def slope_of_model(self, x: Any) -> Any:
        return _small(x) if _falls_away(x) else super().slope_of_model(x)


class LogSoftplus(Special):
    """log log(1 + e^t) = t + k(t): what is exact in t stays exact."""

    def value(self, x: Ball) -> Ball:
        return x + SHORTFALL.value(x)

    def slope(self, x: Ball) -> Ball:
        return SHORTFALL.slope(x) + 1

    def bend(self, x: Ball) -> Ball:
        return SHORTFALL.bend(x)

    def increment(self, u: Any, du: Any) -> Any:
        if hasattr(u, "u") and not isinstance(u.u, Ball):  # slopes of models have a rule of their own
            return None
        return du + increment_of(SHORTFALL, u, du)

    def value_of_model(self, x: Any) -> Any:
        return x + SHORTFALL.value_of_model(x)

    def slope_of_model(self, x: Any) -> Any:
        return SHORTFALL.slope_of_model(x) + 1


SHORTFALL = Shortfall()


def _falls_away(x: Any) -> bool:
    return bool(x.grows() and x.leading()[1] < 0)


def _small(x: Any) -> Any:
    """Something between -e^x/2 and 0."""
    return x.exp() * fmpq(-1, 2) * UNIT


def _softplus(t: arb) -> arb:
    return t + (-t).exp().log1p() if t > 0 else t.exp().log1p()


def _slope(t: arb) -> arb:
    return 1 / ((1 + (-t).exp()) * _softplus(t)) - 1
