"""The inverse tangent, and its complement."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball
from dpverify.enclosures.special.base import Special, at_ends, order_of, remainder


class Arctangent(Special):
    """atan, which rises; for x > 0 it is pi/2 - atan(1/x).

    atan(w) is the sum of (-1)^k w^(2k+1)/(2k+1) over k < n, plus something between 0 and the next term,
    for every real w: 1/(1+t^2) is the geometric sum plus (-t^2)^n/(1+t^2).
    """

    zeros = (0,)

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, lambda t: t.atan())

    def slope(self, x: Ball) -> Ball:
        return (x * x + 1).inverse() if x.x.rad().is_zero() or not x.x.contains(0) else self._wide_slope(x)

    def _wide_slope(self, x: Ball) -> Ball:
        least = 1 / (1 + x.x.abs_upper() ** 2)
        return Ball(least.union(arb(1)))

    def value_of_model(self, x: Any) -> Any:
        if x.grows():
            turn = arb.pi() / 2
            return -self.series(x.inverse()) + (turn if x.leading()[1] > 0 else -turn)
        limit = x.limit()
        if isinstance(limit, fmpq) and limit == 0:
            return self.series(x)
        return super().value_of_model(x)

    def slope_of_model(self, x: Any) -> Any:
        return (x * x + 1).inverse()

    def series(self, w: Any) -> Any:
        n = order_of(w) // 2 + 1
        coefficients = [fmpq((-1) ** k, 2 * k + 1) for k in range(n + 1)]
        total, square = remainder(w) * coefficients[n], w * w
        for a in reversed(coefficients[:n]):
            total = total * square + a
        return w * total

    def increment(self, u: Any, du: Any) -> Any | None:
        """atan(u + du) - atan(u) = atan(du/(1 + u (u + du))), where 1 + u (u + du) > 0."""
        below = u * (u + du) + 1
        return None if below.sign() != 1 else (du * below.inverse()).apply(self)


class Complement(Special):
    """pi/2 - atan, which is positive and falls; for x > 0 it is atan(1/x), which keeps its digits far out."""

    def value(self, x: Ball) -> Ball:
        return at_ends(x.x, lambda t: (1 / t).atan() if t > 1 else arb.pi() / 2 - t.atan())

    def slope(self, x: Ball) -> Ball:
        return -ARCTANGENT.slope(x)

    def value_of_model(self, x: Any) -> Any:
        if x.grows():
            return ARCTANGENT.series(x.inverse()) + (fmpq(0) if x.leading()[1] > 0 else arb.pi())
        limit = x.limit()
        if isinstance(limit, fmpq) and limit == 0:
            return -ARCTANGENT.series(x) + arb.pi() / 2
        return super().value_of_model(x)

    def slope_of_model(self, x: Any) -> Any:
        return -ARCTANGENT.slope_of_model(x)

    def increment(self, u: Any, du: Any) -> Any | None:
        steps = ARCTANGENT.increment(u, du)
        return None if steps is None else -steps


ARCTANGENT = Arctangent()
