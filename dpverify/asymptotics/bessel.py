"""Models of log x^p K_p(x): its argument tends to infinity, to a positive constant, or to zero.

Large arguments (DLMF 10.40.2, 10.40(ii)): K_p(x) = sqrt(pi/(2x)) e^-x (sum of a_k x^-k over k < n
+ theta a_n x^-n), 0 <= theta <= 1, once n >= |p| - 1/2.
Small arguments: K_0(x) lies between log(2/x) - gamma and that plus x^2 (log(1/x) + 1)/2; for p > 0,
x^p K_p(x) decreases from 2^(p-1) Gamma(p), by at most the integral of s^p K_(p-1)(s) over (0, x)
(DLMF 10.29.4, 10.30.2, 10.31.2).
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics.germ import CONSTANT
from dpverify.enclosures.ball import Ball, Undecided
from dpverify.enclosures.pairs import Shift
from dpverify.findings import Part, Reason

UNIT = arb(0.5, 0.5)


def hankel(p: fmpq, v: Any, order: int, theta: Any) -> Any:
    """sum over k < n of a_k(p) v^k, plus theta a_n v^n."""
    n = max(order, int(p.floor()) + 1)
    a = [fmpq(1)]
    for k in range(1, n + 1):
        a.append(a[-1] * (4 * p * p - (2 * k - 1) ** 2) / (8 * k))
    result = theta * a[n]
    for k in range(n - 1, -1, -1):
        result = result * v + a[k]
    return result


def large(p: fmpq, x: Any, order: int, theta: Any) -> Any:
    """log x^p K_p(x) as x tends to infinity, over models or over their increments."""
    series = hankel(p, x.inverse(), order, theta).log()
    return -x + x.log() * (p - fmpq(1, 2)) + series + (arb.pi() / 2).log() / 2


def large_shift(p: fmpq, x: Shift) -> Any:
    """The same for an increasing x and its increment: the remainder moves by at most its own size."""
    theta = Shift(x.u.const(UNIT), x.u.const(arb(0, 1)))
    return large(p, x, x.u.germ.order, theta)


def log_matern(p: fmpq, x: Any) -> Any:
    """log x^p K_p(x) of a model, p >= 0."""
    lead = x.leading()[0]
    if lead > CONSTANT:
        return large(p, x, x.germ.order, x.const(UNIT))
    if lead == CONSTANT:
        ratios = Ball(x.span().x).besselk_ratio(p).x
        return x.vanishing() * -ratios + Ball(arb(x.limit())).log_matern(p).x
    return _small(p, x)


def ratio(p: fmpq, x: Any) -> Any:
    """K_(p-1)(x) / K_p(x) of a model."""
    q = abs(p - 1)
    if not x.grows():
        return (log_matern(q, x) - log_matern(p, x) + x.log() * (p - q)).exp()
    above, below = (hankel(k, x.inverse(), x.germ.order, x.const(UNIT)) for k in (q, p))
    return above * below.inverse()


def _small(p: fmpq, x: Any) -> Any:
    if not (x.span().low >= 0 and x.span().high < 1):
        raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.K_P))
    if p == 0:
        log = x.log()
        rest = x * x * (-log + 1) * arb(0.25, 0.25)
        return (-log + (arb(2).log() - arb.const_euler()) + rest).log()
    if p > 1:
        rest = x * x * (1 / (4 * (p - 1)))
    elif p == 1:
        rest = x * x * (-x.log() + 1) * fmpq(1, 2)
    else:
        rest = x.power(2 * p) * (fmpq(5, 4) / (p * (1 - p)))
    front = (arb.gamma_fmpq(p) * arb(2) ** arb(p - 1)).log()
    return (rest * arb(-0.5, 0.5) + 1).log() + front
