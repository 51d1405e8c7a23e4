"""The order n^e (log n)^p of a quantity, read off at huge n; and the h and m of (4.3) and (4.12)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.theorems.tools.balls import ball


def bandwidth(n: arb, d: int) -> arb:
    """(4.3) with constant one."""
    return (-n.log() / (4 + d)).exp()


def cutoff(n: arb, d: int) -> arb:
    """(4.12) with constant one, not rounded to an integer."""
    return n.log() / bandwidth(n, d)


def order(value: Callable[[arb], arb]) -> tuple[Fraction, Fraction]:
    """e and p of value(n) = C n^e (log n)^p, each rounded to the nearest fraction of denominator 40 at most.

    From n = 10^400, 10^800 and 10^1600, where lower terms of relative size n^(-1/100) no longer show.
    """
    logs = [400 * k * arb(10).log() for k in (1, 2, 4)]
    values = [value(t.exp()).log() for t in logs]
    first, second = ((values[i + 1] - values[i]) / logs[i] for i in (0, 1))
    p = (first - second) * 2 * logs[0] / arb(2).log()
    e = first - p * arb(2).log() / logs[0]
    return _near(e), _near(p)


def _near(x: arb) -> Fraction:
    nearest = Fraction(float(x.mid())).limit_denominator(40)
    if not abs(x - ball(nearest)) < arb("1e-4"):
        raise AssertionError(f"the exponent {x} is no such fraction")
    return nearest


def minimax(d: int) -> tuple[Fraction, Fraction]:
    """The rate of (4.2), as `order` writes it."""
    return Fraction(-4, 4 + d), Fraction(0)
