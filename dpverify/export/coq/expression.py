"""The expressions of the Coq library, `expr`, and what its functions do to them.

Derivatives, linear combinations and logarithms follow `expressions.v` and `logarithms.v` step by
step, so that what is planned here is what Coq computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Expr:
    """A term of Coq's type `expr`: a constructor and its arguments (expressions and integers)."""

    kind: str
    args: tuple[Any, ...] = ()

    @property
    def parts(self) -> list[Expr]:
        return [a for a in self.args if isinstance(a, Expr)]


VAR, PI = Expr("Var"), Expr("Pi")


def integer(n: int) -> Expr:
    return Expr("Int", (n,))


def rational(q: Fraction) -> Expr:
    return integer(q.numerator) if q.denominator == 1 else Expr("Rat", (q.numerator, q.denominator))


ZERO, ONE = integer(0), integer(1)


def add(a: Expr, b: Expr) -> Expr:
    return b if a == ZERO else a if b == ZERO else Expr("Add", (a, b))


def mul(a: Expr, b: Expr) -> Expr:
    if ZERO in (a, b):
        return ZERO
    return b if a == ONE else a if b == ONE else Expr("Mul", (a, b))


def opp(a: Expr) -> Expr:
    if a == ZERO:
        return a
    return a.args[0] if a.kind == "Opp" else Expr("Opp", (a,))


def derivative(e: Expr) -> Expr:
    """`D`: the derivative in the variable."""
    a = e.args
    match e.kind:
        case "Var":
            return ONE
        case "Int" | "Rat" | "Pi":
            return ZERO
        case "Add":
            return add(derivative(a[0]), derivative(a[1]))
        case "Sub":
            return add(derivative(a[0]), opp(derivative(a[1])))
        case "Mul":
            return add(mul(derivative(a[0]), a[1]), mul(a[0], derivative(a[1])))
        case "Opp":
            return opp(derivative(a[0]))
        case "Inv":
            return opp(mul(derivative(a[0]), Expr("Nat", (e, 2))))
        case "Nat":
            power = (ONE, ONE, a[0])[a[1]] if a[1] <= 2 else Expr("Nat", (a[0], a[1] - 1))
            return mul(mul(integer(a[1]), derivative(a[0])), power)
        case "Pow":
            front = mul(Expr("Rat", (a[1], a[2])), derivative(a[0]))
            return mul(front, Expr("Pow", (a[0], a[1] - a[2], a[2])))
        case "Sqrt":
            return mul(derivative(a[0]), Expr("Inv", (Expr("Mul", (integer(2), e)),)))
        case "Exp":
            return mul(derivative(a[0]), e)
        case "Ln":
            return mul(derivative(a[0]), Expr("Inv", (a[0],)))
        case "Ln1p":
            return mul(derivative(a[0]), Expr("Inv", (Expr("Add", (ONE, a[0])),)))
    raise AssertionError(e.kind)


def substitute(e: Expr, v: Expr) -> Expr:
    """`subst`: v in the place of the variable."""
    if e.kind == "Var":
        return v
    return Expr(e.kind, tuple(substitute(a, v) if isinstance(a, Expr) else a for a in e.args))


def combine(e: Expr) -> Expr:
    """`lin`: a linear combination with its equal terms gathered, so that what cancels is gone."""
    terms: dict[Expr, Fraction] = {}

    def collect(q: Fraction, e: Expr) -> None:
        if e.kind in ("Add", "Sub"):
            collect(q, e.args[0])
            collect(q if e.kind == "Add" else -q, e.args[1])
        elif e.kind == "Opp":
            collect(-q, e.args[0])
        elif e.kind in ("Int", "Rat"):
            terms[ONE] = terms.get(ONE, Fraction(0)) + q * Fraction(*e.args)
        elif e.kind == "Mul" and e.args[0].kind in ("Int", "Rat"):
            collect(q * Fraction(*e.args[0].args), e.args[1])
        else:
            terms[e] = terms.get(e, Fraction(0)) + q

    collect(Fraction(1), e)
    result = ZERO
    for term, q in reversed(terms.items()):
        if q:
            scaled = term if q == 1 else opp(term) if q == -1 else mul(rational(q), term)
            result = add(scaled, result)
    return result


def has_exp(e: Expr) -> bool:
    if e.kind in ("Add", "Sub", "Mul", "Opp", "Inv", "Nat", "Pow", "Sqrt"):
        return any(map(has_exp, e.parts))
    return e.kind == "Exp"


def logarithm(split: bool, e: Expr) -> Expr:
    """`lg`: log e, products and powers taken apart, and with `split` sums over their first term."""
    a = e.args
    match e.kind:
        case "Exp":
            return a[0]
        case "Int" if a[0] == 1:
            return ZERO
        case "Mul":
            return Expr("Add", (logarithm(split, a[0]), logarithm(split, a[1])))
        case "Inv":
            return Expr("Opp", (logarithm(split, a[0]),))
        case "Nat":
            return Expr("Mul", (integer(a[1]), logarithm(split, a[0])))
        case "Pow":
            return Expr("Mul", (Expr("Rat", (a[1], a[2])), logarithm(split, a[0])))
        case "Sqrt":
            return Expr("Mul", (Expr("Rat", (1, 2)), logarithm(split, a[0])))
        case "Add" | "Sub" if split and has_exp(e):
            first, second = logarithm(split, a[0]), logarithm(split, a[1])
            small = Expr("Exp", (combine(Expr("Sub", (second, first))),))
            return Expr("Add", (first, Expr("Ln1p", (small if e.kind == "Add" else Expr("Opp", (small,)),))))
        case "Add" if a[0] == ONE:
            return Expr("Ln1p", (a[1],))
    return Expr("Ln", (e,))


def sides(split: bool, e: Expr) -> list[Expr]:
    """`sides`: the logarithms whose existence makes `logarithm` right."""
    a = e.args
    if e.kind == "Mul":
        return sides(split, a[0]) + sides(split, a[1])
    if e.kind in ("Inv", "Nat", "Pow", "Sqrt", "Opp"):
        return sides(split, a[0])
    if e.kind in ("Add", "Sub") and split and has_exp(e):
        return [logarithm(split, a[1]), *sides(split, a[0]), *sides(split, a[1])]
    return []
