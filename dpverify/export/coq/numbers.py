"""Numbers that an export proposes: values and integrals of expressions, by Arb; Coq proves what is stated of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import acb, arb, arb_series, fmpq

from dpverify import integration
from dpverify.enclosures.ball import exact
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.generator import NotCovered

BITS = 250


def number(e: Expr, x: acb | Fraction) -> acb:
    """The expression at a number."""
    found: acb = at(e, acb(exact(x)) if isinstance(x, Fraction) else x, acb)
    return found


def series(e: Expr, x: arb_series) -> arb_series:
    """The expression at a power series."""
    found: arb_series = at(e, x, lambda c: arb_series([c]))
    return found


def at(e: Expr, x: Any, constant: Callable[[Any], Any]) -> Any:
    """The expression at an element of a ring of Arb's, of which `constant` makes elements from its numbers."""
    a = [at(part, x, constant) for part in e.parts]
    match e.kind:
        case "Var":
            return x
        case "Int":
            return constant(e.args[0])
        case "Rat":
            return constant(fmpq(*e.args))
        case "Pi":
            return constant(arb.pi())
        case "Add":
            return a[0] + a[1]
        case "Sub":
            return a[0] - a[1]
        case "Mul":
            return a[0] * a[1]
        case "Opp":
            return -a[0]
        case "Inv":
            return 1 / a[0]
        case "Nat":
            return a[0] ** e.args[1]
        case "Pow":
            return (a[0].log() * constant(fmpq(*e.args[1:]))).exp()
        case "Ln":
            return a[0].log()
        case "Ln1p":
            return (1 + a[0]).log()
        case "Soft":
            return (1 + a[0].exp()).log()
        case "Logi":
            return 1 / (1 + (-a[0]).exp())
        case "Sqrt" | "Exp" | "Sin" | "Cos":
            return getattr(a[0], e.kind.lower())()
    raise AssertionError(e.kind)


def about(x: acb) -> Fraction:
    """A fraction near a real number."""
    if not x.is_finite():
        raise NotCovered("floats find no integral of f near its centre, or none of its powers there")
    middle = x.real.mid().fmpq()
    return Fraction(int(middle.p), int(middle.q))


def integral(function: Callable[[acb], acb], low: Fraction, high: Fraction) -> Fraction:
    """About the integral of a function that is analytic there."""
    return about(integration.integral(lambda z, _: function(z), arb(exact(low)), arb(exact(high))))
