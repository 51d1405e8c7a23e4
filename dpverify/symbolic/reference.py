"""A reference point: rational values at which questions of sign are answered, and remembered.

A derivation for unbound parameters has to know whether b - a or 2*beta - 1 is positive. It asks
here: what follows from the parameters' own signs needs nothing more; any other answer is the one
at the reference point, and becomes a condition of the derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

DIGITS = 40
TINY = sp.Float(10) ** (-25)


class Undetermined(Exception):
    """A question that this derivation cannot settle."""


class Reference:
    """The values, and the conditions that have been used so far."""

    def __init__(self, values: Mapping[Any, Any], bounds: tuple[Any, Any] | None = None) -> None:
        """`bounds` enclose epsilon at these values, where that is known; only a value between them is of use."""
        self.values = dict(values)
        self.bounds = bounds
        self.conditions: list[Any] = []

    def copy(self) -> Reference:
        """A copy that remembers conditions of its own."""
        other = Reference(self.values, self.bounds)
        other.conditions = list(self.conditions)
        return other

    def hits(self, expression: Any) -> bool:
        """Whether a value may be epsilon at the reference point, by its number. Raises Undetermined."""
        if self.bounds is None:
            return True
        value, (low, high) = self.number(expression), self.bounds
        slack = TINY * (1 + abs(value))
        return bool(low - slack <= value <= high + slack)

    def number(self, expression: Any) -> Any:
        """The value there, to 40 digits: to compare, not to state. Raises Undetermined."""
        try:
            value = sp.S(expression).evalf(DIGITS, subs=self.values)
        except (TypeError, ValueError, ArithmeticError, RecursionError):
            raise Undetermined(f"no number for {expression}") from None
        if value.is_real is False or not value.is_number or value.has(sp.nan, sp.zoo):
            raise Undetermined(f"no real number for {expression}")
        return value

    def sign(self, expression: Any, weak: bool = False) -> int:
        """The sign of an expression without r: structural, or the reference point's and then a condition."""
        expression = sp.factor(sp.S(expression))
        total = 1
        for part in sp.Mul.make_args(expression):
            total *= self._factor_sign(part, weak)
        return total

    def _factor_sign(self, part: Any, weak: bool) -> int:
        if part.is_zero:
            return 0
        if part.is_positive or (part.is_nonnegative and weak):
            return 1
        if part.is_negative or (part.is_nonpositive and weak):
            return -1
        if isinstance(part, sp.Pow) and part.exp.is_integer:
            inner = self._factor_sign(part.base, weak)
            return inner if part.exp.is_odd else abs(inner)
        if isinstance(part, sp.Pow) and part.base.is_positive:
            return 1
        if isinstance(part, sp.log):
            return self.sign(sp.expand(part.args[0] - 1), weak)
        if isinstance(part, sp.Add):
            known = _polynomial_sign(part)
            if known:
                return known
        value = self.number(part)
        if abs(value) < TINY:
            if part.free_symbols:
                self._remember(sp.Eq(part, 0))
            return 0
        if value > 0:
            self._remember(sp.Ge(part, 0) if weak else sp.Gt(part, 0))
            return 1
        self._remember(sp.Le(part, 0) if weak else sp.Lt(part, 0))
        return -1

    def _remember(self, condition: Any) -> None:
        if condition not in (sp.true, sp.false) and condition not in self.conditions:
            self.conditions.append(condition)


def _polynomial_sign(expression: Any) -> int:
    """The sign of a sum of terms that all have the same sign, once it is multiplied out; 0 where they differ."""
    terms = sp.Add.make_args(sp.expand(expression))
    if all(t.is_positive for t in terms):
        return 1
    if all(t.is_negative for t in terms):
        return -1
    return 0
