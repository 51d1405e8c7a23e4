"""The profile of a Gaussian, by its closed form."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import D0, Interval, interval
from ..rules import BROUGHT, require, rule
from ..tree import Node
from .charts import Problem
from .erfc import log_erfc

HALF = Fraction(1, 2)


def rate(node: Node) -> Fraction | None:
    """k where the node is a constant times exp(-k r^2), by its form; None for any other."""
    if node.kind == "mul":
        rates = [rate(part) for part in node.args]
        return None if None in rates else sum((k for k in rates if k is not None), Fraction(0))
    if node.kind in ("num", "pi") or (node.kind == "pow" and node.args[0].kind in ("num", "pi")):
        return Fraction(0)
    exponent = node.args[0] if node.kind == "exp" else None
    if exponent is None or exponent.kind != "mul" or len(exponent.args) != 2:
        return None
    factor, square = exponent.args
    right = factor.kind == "num" and square.kind == "pow" and square.args[0].kind == "r"
    return -factor.args[0] if right and square.args[1] == 2 else None


@rule("K163")
def normal(p: Problem, epsilon: Interval) -> tuple[Decimal, Decimal]:
    """delta(eps) of a Gaussian.

    Lemma (Balle and Wang 2018, Theorem 8).  If f(y) = c e^(-k y), k > 0, then in every dimension,
    with t = s sqrt(2k), delta(eps) = Phi(t/2 - eps/t) - e^eps Phi(-t/2 - eps/t), and Phi(-x) =
    erfc(x/sqrt(2))/2.
    """
    k = rate(p.tree)
    require(k is not None and k > 0, "f is not seen to be a Gaussian")
    t = interval(p.delta * p.delta * 2 * (k or 0)).power(HALF)
    root, level = interval(2).power(HALF).inverse(), epsilon * t.inverse()
    near, far = (log_erfc((level + t * part) * root) for part in (-HALF, HALF))
    found = (near.exp() - (epsilon + far).exp()) * HALF
    return max(D0, found.lo), max(D0, found.hi)


BROUGHT["the profile of a Gaussian"] = normal
