"""gamma of a rational number."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from ..intervals import ONE, Interval, add_up, interval, product_of
from ..reader import FUNCTIONS, MET, Function
from ..rules import require, rule
from ..tree import Node
from .constants import PI
from .evaluation import VALUES

HALF = Fraction(1, 2)


@cache
def bernoulli(n: int) -> Fraction:
    return -add_up(comb(n + 1, k) * bernoulli(k) for k in range(n)) / (n + 1) if n else Fraction(1)


@rule("K80")
def gamma(x: Fraction) -> Interval:
    """Gamma of a rational that is no pole.

    Lemma.  Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)), and at z = x + n > 39 log Gamma
    is Stirling's series, its error below the first term left out.
    """
    require(x > 0 or x.denominator > 1, "gamma has a pole there")
    require(-1000 <= x <= 10**6, "the argument of gamma is too large", "limits")
    top, steps = 26, max(0, 40 - int(x))
    lift = product_of([interval(x + k) for k in range(steps)] or [ONE])
    z = interval(x + steps)

    def term(k: int) -> Interval:
        return z.power(Fraction(1 - 2 * k)) * (bernoulli(2 * k) / (2 * k * (2 * k - 1)))

    last = term(top)
    size = max(last.hi, last.lo.copy_negate())
    tail = add_up(term(k) for k in range(1, top)) + Interval(size.copy_negate(), size)
    log = (z - HALF) * z.log() - z + (PI * 2).log() * HALF + tail
    return log.exp() * lift.inverse()


@rule("K92")
def read_gamma(u: Node) -> Node:
    """gamma as it is read.

    Definition.  Of a rational number, gamma has no value (K9) at 0, -1, -2, ... alone; of a
    variable it is read by the section loggamma.
    """
    require(u.kind == "num", "the argument of gamma is not a rational number")
    return Node("gamma", u)


def no_pole(node: Node) -> bool:
    """Whether a number is no pole of gamma; of what is no number, whether it is positive."""
    return node.positive or (node.kind == "num" and node.args[0].denominator > 1)


FUNCTIONS.update({"gamma": Function(read_gamma, needs="no pole")})
MET["no pole"] = no_pole
VALUES["gamma"] = lambda at, node: at.r.const(gamma(node.args[0].args[0]))
