"""What every special function answers, over balls and over asymptotic models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, ctx, fmpq

from dpverify.enclosures.ball import Ball, Undecided, hull
from dpverify.findings import Part, Reason

UNIT, SIGNED_UNIT = arb(0.5, 0.5), arb(0, 1)
MOST_KEPT = 10_000


class Special:
    """A function F that is smooth where it is defined, and convex or concave there unless it says otherwise."""

    zeros: tuple[int, ...] = ()
    """Whole numbers at which F is 0."""
    rises_from: int | None = None
    """Where F begins to rise without bound, if it does."""
    riccati: tuple[fmpq, ...] = ()
    """a, b, c, e where the slope s of F solves s' = a + b/x + (c + e/x) s - s^2 for x > 0."""
    tilt: tuple[fmpq, fmpq] | None = None
    """p, c where each derivative of x^-p e^(F - c x) is then monotone for x > 0, if they are."""

    def value(self, x: Ball) -> Ball:
        """F over a ball."""
        raise NotImplementedError

    def slope(self, x: Ball) -> Ball:
        """F' over a ball."""
        raise NotImplementedError

    def bend(self, x: Ball) -> Ball | None:
        """F'' over a ball, where it is known."""
        return None

    def large(self, x: Any) -> Any | None:
        """F where x tends to infinity, over models and over their increments; None where the slope is to tell."""
        return None

    def large_slope(self, x: Any) -> Any:
        """F' where the model x tends to infinity."""
        raise NotImplementedError

    def increment(self, u: Any, du: Any) -> Any | None:
        """F(u + du) - F(u) in a form that cancels, over balls, models and their slopes; None where there is none.

        Between two models it is then du times a slope between those at u and at u + du, F' being monotone.
        """
        return None

    def value_of_model(self, x: Any) -> Any:
        """F of a model: where it tends to a constant c, F(c) and the slopes times what vanishes."""
        if x.grows():
            return self._grown(x, self.large)
        limit = x.limit()
        rest = x.vanishing() * self.slope(Ball(x.span().x)).x
        if isinstance(limit, fmpq) and limit in self.zeros:
            return rest
        return rest + self.value(Ball(arb(limit))).x

    def slope_of_model(self, x: Any) -> Any:
        """F' of a model."""
        return self._grown(x, self.large_slope) if x.grows() else x.const(self.slope(Ball(x.span().x)).x)

    def _grown(self, x: Any, rule: Any) -> Any:
        if not x.leading()[1] > 0:
            raise Undecided(Reason.OF_MINUS_INFINITY(what=Part.SPECIAL))
        return rule(x)


def at_ends(x: arb, function: Any) -> Ball:
    """A monotone function of arb numbers over a ball."""
    if x.rad().is_zero():
        return Ball(function(x))
    first, last = function(x.lower()), function(x.upper())
    return Ball(hull(first, last))


def remainder(x: Any) -> Any:
    """Something in [0, 1], over a model or over its increments; its own increments lie in [-1, 1]."""
    from dpverify.enclosures.pairs import Shift

    return Shift(x.u.const(UNIT), x.u.const(SIGNED_UNIT)) if isinstance(x, Shift) else x.const(UNIT)


def increment_of(f: Special, u: Any, du: Any) -> Any:
    """F(u + du) - F(u), by its slopes or as a difference."""
    from dpverify.enclosures.pairs import Shift

    return Shift(u, du).apply(f).du


def order_of(x: Any) -> int:
    """How many terms a model, or the model of a pair, keeps."""
    while not hasattr(x, "germ"):
        x = x.u
    return int(x.germ.order)


def polynomial(v: Any, coefficients: list[Any], theta: Any) -> Any:
    """sum of a_k v^k over all but the last, plus theta times the last."""
    total = theta * coefficients[-1]
    for a in reversed(coefficients[:-1]):
        total = total * v + a
    return total


def at_points(function: Callable[[fmpq, arb], arb]) -> Callable[[fmpq, arb], arb]:
    """A function of an order and a number, kept at the last points, at which series, slopes and values ask for it."""
    known: dict[tuple[Any, ...], arb] = {}

    def found(order: fmpq, x: arb) -> arb:
        if not x.is_exact() or not x.is_finite():
            return function(order, x)
        key = order, x.man_exp(), ctx.prec
        if key not in known:
            if len(known) >= MOST_KEPT:
                known.clear()
            known[key] = function(order, x)
        return known[key]

    return found


def accurately(function: Any) -> arb:
    """A function's value at a point, at the precision at which it is accurate."""
    former = ctx.prec
    try:
        for _ in range(6):
            value: arb = function()
            if value.is_finite() and (value.rel_accuracy_bits() > former // 2 or value.is_exact()):
                return value
            ctx.prec = ctx.prec * 2
    finally:
        ctx.prec = former
    raise Undecided(Reason.CANNOT_BE_ENCLOSED(what=Part.SPECIAL))


def vanishes(x: Any) -> bool:
    """Whether a model tends to zero."""
    if x.grows():
        return False
    limit = x.limit()
    return isinstance(limit, fmpq) and limit == 0
