"""What the library's interval arithmetic will find, foreseen with intervals of our own.

Nothing here is part of the proof: Coq computes it all again.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpverify.export.coq.expression import Expr
from dpverify.export.coq.interval import ONE, PI, Coefficient, Interval, Undefined, hull, interval

FAR_APART = 2**20
"""Coq adds 1 and e^x exactly before it rounds, in as many bits as x has size: beyond this it would take too long."""


class Unknown(Exception):
    """The library's interval or model would be "unknown"."""


def hull_of(*values: Coefficient) -> Interval:
    """The least interval around all of them."""
    result = interval(values[0])
    for value in values[1:]:
        result = hull(result, interval(value))
    return result


def positive(x: Interval) -> bool:
    """Whether all of the interval lies above 0."""
    return x.lo > 0


def inverse(x: Interval) -> Interval:
    """1/x; raises Unknown where x may be 0."""
    if not (x.lo > 0 or x.hi < 0):
        raise Unknown
    return x.inverse()


def logarithm(x: Interval) -> Interval:
    """log x; raises Unknown where x may not be positive."""
    if not x.lo > 0:
        raise Unknown
    return x.log()


def power(x: Interval, p: Fraction) -> Interval:
    """x^p of a positive x."""
    return (logarithm(x) * p).exp()


def natural_power(x: Interval, n: int) -> Interval:
    """x^n, by the logarithm where n is large and x positive."""
    return x.power(n) if n <= 64 or x.lo < 0 else (x.log() * Fraction(n)).exp()


def enclose(e: Expr, x: Interval) -> Interval:
    """`iev`: an enclosure of e over the interval x; raises Unknown."""
    try:
        result = _enclose(e, x, {})
    except ArithmeticError:
        raise Unknown from None
    if not (result.lo.is_finite() or result.hi.is_finite()):
        raise Unknown
    return result


def _enclose(e: Expr, x: Interval, known: dict[Expr, Interval]) -> Interval:
    if e not in known:
        known[e] = _rule(e, x, known)
    return known[e]


def _rule(e: Expr, x: Interval, known: dict[Expr, Interval]) -> Interval:
    a = [_enclose(part, x, known) for part in e.parts]
    if e.kind in ("Exp", "Soft", "Logi") and max(abs(a[0].lo), abs(a[0].hi)) > FAR_APART:
        raise Unknown
    match e.kind:
        case "Var":
            return x
        case "Int" | "Rat":
            return interval(Fraction(*e.args))
        case "Pi":
            return PI
        case "Add":
            return a[0] + a[1]
        case "Sub":
            return a[0] - a[1]
        case "Mul":
            return a[0] * a[1]
        case "Opp":
            return -a[0]
        case "Inv":
            return inverse(a[0])
        case "Nat":
            return natural_power(a[0], e.args[1])
        case "Pow":
            return power(a[0], Fraction(e.args[1], e.args[2]))
        case "Sqrt":
            if not positive(a[0]):
                raise Unknown
            return a[0].sqrt()
        case "Exp":
            return a[0].exp()
        case "Ln":
            return logarithm(a[0])
        case "Ln1p":
            return logarithm(a[0] + ONE)
        case "Soft":
            return (ONE + a[0].exp()).log()
        case "Logi":
            return (ONE + (-a[0]).exp()).inverse()
        case "Sin":
            return a[0].sin()
        case "Cos":
            return a[0].cos()
        case "Max" | "Floor" | "Less":
            raise Unknown
    raise AssertionError(e.kind)


def at_zero(e: Expr) -> Interval:
    """`at_0`: an enclosure of e at 0, where roots and positive powers vanish; raises Unknown."""
    a = [at_zero(part) for part in e.parts]
    if e.kind == "Sqrt":
        return Interval(max(a[0].lo, Decimal(0)), max(a[0].hi, Decimal(0))).sqrt()
    if e.kind == "Pow" and a[0].hi <= 0:
        return interval(0)
    stand_ins = dict(zip(e.parts, a, strict=True))
    return _rule(e, interval(0), stand_ins)


def continuous_at_zero(e: Expr) -> bool:
    """`continuous_at_0`."""
    if not all(map(continuous_at_zero, e.parts)):
        return False
    try:
        value = at_zero(e.parts[0]) if e.parts else interval(0)
    except (Unknown, Undefined):
        return e.kind not in ("Inv", "Pow", "Ln", "Ln1p")
    match e.kind:
        case "Inv":
            return value.lo > 0 or value.hi < 0
        case "Pow":
            return e.args[1] > 0 or positive(value)
        case "Ln":
            return positive(value)
        case "Ln1p":
            return positive(value + ONE)
    return True
