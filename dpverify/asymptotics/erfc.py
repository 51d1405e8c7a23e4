"""Models of log erfc: its argument tends to either infinity, or to a constant.

Large arguments (DLMF 7.12.1, 7.12(i)): erfc(x) = exp(-x^2)/(x sqrt(pi)) (sum of (-1)^k (1/2)_k x^(-2k)
over k < n + theta (-1)^n (1/2)_n x^(-2n)), 0 <= theta <= 1, for every x > 0.  Reason: with s = t/x^2,
x exp(x^2) sqrt(pi) erfc(x) is the integral of exp(-t) (1 + s)^(-1/2) over t > 0, and the binomial
series of (1 + s)^(-1/2) alternates with its remainder below the first term left out.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics.germ import CONSTANT
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.pairs import Shift

UNIT = arb(0.5, 0.5)


def series(x: Any, order: int, theta: Any) -> Any:
    """x exp(x^2) sqrt(pi) erfc(x), which tends to 1."""
    v, term, terms = (x * x).inverse(), fmpq(1), [fmpq(1)]
    for k in range(order):
        term = -term * fmpq(2 * k + 1, 2)
        terms.append(term)
    total = theta * terms.pop()
    for a in reversed(terms):
        total = total * v + a
    return total


def large(x: Any, order: int, theta: Any) -> Any:
    """log erfc(x) as x tends to infinity, over models or over their increments."""
    return -(x * x) + _left(x, order, theta)


def _left(x: Any, order: int, theta: Any) -> Any:
    """log erfc(x) + x^2."""
    return -x.log() + series(x, order, theta).log() - arb.pi().log() / 2


def beside_square(x: Any) -> Any:
    """log erfc(x) + x^2 of a model; None where it does not grow."""
    lead, c = x.leading()
    return _left(x, x.germ.order, x.const(UNIT)) if lead > CONSTANT and c > 0 else None


def slope_beside_square(x: Any) -> Any:
    """Its derivative in x, 2 x (1 - 1/S(x)), S the series."""
    return x * (-series(x, x.germ.order, x.const(UNIT)).inverse() + 1) * 2


def large_shift(x: Shift) -> Any:
    """The same for an increasing x and its increment: the remainder moves by at most its own size."""
    return -(x * x) + shift_beside_square(x)


def shift_beside_square(x: Shift) -> Any:
    """log erfc(x) + x^2 likewise."""
    return _left(x, x.u.germ.order, Shift(x.u.const(UNIT), x.u.const(arb(0, 1))))


def log_erfc(x: Any) -> Any:
    """log erfc of a model."""
    lead, c = x.leading()
    if lead > CONSTANT and c > 0:
        return large(x, x.germ.order, x.const(UNIT))
    if lead > CONSTANT:  # erfc(x) = 2 - erfc(-x)
        log_2 = arb(2).log()
        return (log_erfc(-x) - log_2).softplus(-1) + log_2
    hazard = Ball(x.span().x).erfc_hazard().x
    return x.vanishing() * -hazard + Ball(arb(x.limit())).log_erfc().x


def hazard(x: Any) -> Any:
    """-(log erfc)' of a model."""
    lead, c = x.leading()
    if lead > CONSTANT and c > 0:
        return x * series(x, x.germ.order, x.const(UNIT)).inverse() * 2
    if lead > CONSTANT:
        return (-(x * x) - log_erfc(x)).exp() * (2 / arb.pi().sqrt())
    return x.const(Ball(x.span().x).erfc_hazard().x)
