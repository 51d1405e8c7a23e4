"""What f does not exceed in the tail, part by part: where waves leave its own value without a bound that falls."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.phased import WAVES
from dpverify.enclosures import Evaluation, Undecided
from dpverify.enclosures.nodes import MINUS, Node, walk
from dpverify.enclosures.nodes import add as plus
from dpverify.enclosures.nodes import mul as times
from dpverify.findings import Part, Reason
from dpverify.prover.monotone import nonnegative
from dpverify.prover.problem import Problem


def dominated(problem: Problem, germ: Germ) -> bool:
    """Whether 0 <= f <= g, g no more than C t^-n for some n > d on the germ."""
    try:
        monomial, factor = _majorant(Evaluation(Model.power_of_t(germ, 1)), problem.node).bracket()
    except Undecided:
        return False
    return bool(factor.high.is_finite()) and monomial[:2] < (0, -problem.dimension)


def _majorant(at: Evaluation, node: Node) -> Any:
    kind, args = node.kind, node.args
    if kind == "exp":
        terms = args[0].args if args[0].kind == "add" else (args[0],)
        kept = [u for u in terms if not (_swings(u) and _never_below_0(times(MINUS, u)))]
        return reduce(add, map(at.value, kept), at.r.const(0)).exp()
    if kind in ("add", "mul") and all(_nonnegative(at, a) for a in args):
        return reduce(add if kind == "add" else mul, (_majorant(at, a) for a in args))
    if kind == "pow" and args[1] > 0 and _nonnegative(at, args[0]):
        return _majorant(at, args[0]).power(args[1])
    if not _nonnegative(at, node):
        raise Undecided(Reason.NO_SIGN(what=Part.FACTOR))
    return at.value(node)


def _nonnegative(at: Evaluation, node: Node) -> bool:
    return _never_below_0(node) or bool(at.value(node).bracket()[1].low >= 0)


def _never_below_0(node: Node) -> bool:
    if node.kind == "mul":
        return all(map(_never_below_0, node.args))
    return nonnegative(plus(node.args[0], MINUS)) if node.kind == "log" else nonnegative(node, logs=False)


def _swings(node: Node) -> bool:
    return any(part.kind in WAVES for part in walk(node))
