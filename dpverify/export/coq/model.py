"""The library's models at infinity and at zero, foreseen: sums of terms for expressions; at zero t = 1/r.

Nothing here is part of the proof: Coq computes it all again.
"""

from __future__ import annotations

from fractions import Fraction

from dpverify.export.coq.enclosure import Unknown
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.interval import PI
from dpverify.export.coq.series import Series
from dpverify.export.coq.terms import Terms, add, constant, inverse, multiply, negative, root, unit


class End(Series):
    """The half-line [T, oo), in which models are computed to an order."""

    def __init__(self, start: int, order: int) -> None:
        super().__init__(start, order)
        self.known: dict[tuple[bool, Expr], Terms | None] = {}

    def infinity(self, e: Expr) -> Terms:
        """e as r -> oo; raises Unknown."""
        return self._model(e, False)

    def zero(self, e: Expr) -> Terms:
        """e as r = 1/t -> 0; raises Unknown."""
        return self._model(e, True)

    def _model(self, e: Expr, zero: bool) -> Terms:
        key = (zero, e)
        if key not in self.known:
            try:
                self.known[key] = self._rule(e, zero)
            except (Unknown, ArithmeticError):
                self.known[key] = None
        found = self.known[key]
        if found is None:
            raise Unknown
        return found

    def _rule(self, e: Expr, zero: bool) -> Terms:
        a = [self._model(part, zero) for part in e.parts]
        match e.kind:
            case "Var":
                return [(unit(0, Fraction(-1 if zero else 1)), Fraction(1))]
            case "Int" | "Rat":
                return constant(Fraction(*e.args))
            case "Pi":
                return constant(PI)
            case "Add":
                return self.truncated(add(a[0], a[1]))
            case "Sub":
                return self.truncated(add(a[0], negative(a[1])))
            case "Mul":
                return self.truncated(multiply(a[0], a[1]))
            case "Opp":
                return negative(a[0])
            case "Inv":
                return self.power(a[0], Fraction(-1), inverse)
            case "Nat":
                return self.whole_power(a[0], e.args[1])
            case "Pow":
                p = Fraction(e.args[1], e.args[2])
                return self.power(a[0], p, lambda c: root(c, p))
            case "Sqrt":
                return self.power(a[0], Fraction(1, 2), lambda c: root(c, Fraction(1, 2)))
            case "Exp":
                return self.exp(a[0])
            case "Ln":
                return self.log(a[0])
            case "Ln1p":
                return self.log(self.one_and(a[0]))
            case "Soft":
                return self.softplus(a[0])
            case "Logi":
                return self.logistic(a[0])
            case "Sin" | "Cos":
                return self.wave(a[0], ("Sin", "Cos").index(e.kind))
            case "Max" | "Floor" | "Less":
                raise Unknown
        raise AssertionError(e.kind)
