"""An f that is 0 throughout: sums that are 0 by algebra, and a cover of charts and boxes on each of which f is 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Evaluation, Undecided
from dpverify.enclosures.nodes import Node, num
from dpverify.prover.algebra import in_root, root_of_r
from dpverify.prover.analytic import quotient
from dpverify.prover.charts import ORDER, ladder
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.problem import Problem
from dpverify.prover.vertices import replaced

MOST_BOXES = 200
START = Fraction(16)


def without_noughts(node: Node) -> Node:
    """The tree with 0 in the place of each sum that is 0 by algebra."""
    return replaced(node, lambda part: num(0) if _nought(part) else None)


def _nought(node: Node) -> bool:
    q = root_of_r(node) if node.kind == "add" else None
    try:
        return q is not None and quotient(in_root(node, q))[0].degree() < 0
    except Undecided:
        return False


def nothing(
    problem: Problem, breaks: Sequence[Fraction], tick: Callable[[], None]
) -> tuple[Germ, Germ, list[Box]] | None:
    """Charts at zero and at infinity and the boxes between, on all of which f is 0; None where it is not, or not seen
    to be."""
    zero = next(_where_zero(problem, -1), None)
    far = next(_where_zero(problem, 1), None) if zero is not None else None
    if zero is None or far is None:
        return None

    def holds(box: Box) -> bool:
        return bool(problem.value_on_box(*box).is_zero())

    try:
        return zero, far, cover(boxes_of(octaves(1 / zero.radius, far.radius, breaks)), holds, MOST_BOXES, tick)
    except Undecided:
        return None


def _where_zero(problem: Problem, power: int) -> Iterator[Germ]:
    """Charts on which f is 0, r being that power of t."""
    for radius in ladder(START):
        germ = Germ(radius, ORDER)
        try:
            if Evaluation(Model.power_of_t(germ, power)).value(problem.node).bracket()[1].sign() == 0:
                yield germ
        except Undecided:
            continue
