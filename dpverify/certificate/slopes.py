"""The power of f by whose slopes epsilon is shown: one that makes their numbers decimals, which are exact."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from dpverify.certificate.possible import possible
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.lipschitz import to_bound, within
from dpverify.kernel.tree import Node, walk

LARGEST = 10**6


def first_power(p: Problem, steepest: Fraction) -> Fraction:
    """1, or the power that makes decimals of f's numbers, if it and not 1 bounds the slopes at both ends; 1 where none
    does."""
    for q in powers(p.tree):
        if possible(lambda q=q: _bounded(p, q, steepest)):  # type: ignore[misc]
            return q
    return Fraction(1)


def _bounded(p: Problem, q: Fraction, steepest: Fraction) -> bool:
    raised = to_bound(p, q)
    ends = raised.near_zero(), raised.far(raised.infinity)
    return all(within(log.du.span(), steepest * q) for log in ends)


def powers(tree: Node) -> list[Fraction]:
    """1, and the least multiple of the denominators of a tree's numbers, less what decimals allow."""
    q = lcm(*(node.args[0].denominator for node in walk(tree) if node.kind == "num"))
    for prime in (2, 5):
        while q % prime == 0:
            q //= prime
    return [Fraction(1), Fraction(q)] if 1 < q <= LARGEST else [Fraction(1)]
