"""One evaluation, many nodes: each keeps its own value."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpverify.enclosures import Ball, Evaluation
from dpverify.enclosures.nodes import num
from dpverify.kernel import tree
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections import evaluation as kernel


def test_nodes_that_are_gone_leave_no_value_behind() -> None:
    """A node made for one comparison may lie where an earlier one lay; a memory by address mixed them up."""
    evaluation = Evaluation(Ball(arb(1)))
    assert all(bool(evaluation.value(num(k)).x == k) for k in range(200))


def test_nor_do_they_in_the_kernel() -> None:
    evaluation = kernel.Evaluation(interval(Fraction(1)))
    values = [evaluation.value(tree.num(k)) for k in range(200)]
    assert all(v.lo <= k <= v.hi for k, v in enumerate(values))
