"""Which logarithms of the kernel's tree are read as functions of a logarithm: those that the prover reads so too."""

from __future__ import annotations

from typing import Any

from dpverify.certificate.pieces import factors
from dpverify.kernel import Rejected
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.models import CONSTANT, Germ
from dpverify.kernel.sections.softplus import as_softplus
from dpverify.kernel.tree import Node
from dpverify.prover.softplus import AT, ORDER


def with_softplus(tree: Node) -> list[int]:
    """What the step 'softplus' says."""
    return [n.number for n in factors(tree) if n.kind == "log" and n.number and _falls_away(n)]


def _falls_away(node: Node) -> bool:
    try:
        found = as_softplus(node)
        if found.kind == "softplus":
            return _falls(found.args[0].args[0], True)
        v = found.args[-1].args[0].args[0].args[0]
        return _falls(v, True) and _falls(node.args[0], False)
    except (Rejected, ArithmeticError):
        return False


def _falls(node: Node, far_out: bool) -> bool:
    far, near = _leading(node, 1), _leading(node, -1)
    if far is None or near is None:
        return False
    falls = node.exponential and far[0][1] > 0 and far[1].hi < 0
    return bool((falls or not far_out) and near[0] <= CONSTANT)


def _leading(node: Node, p: int) -> tuple[Any, Any] | None:
    """The leading power and coefficient of the node's logarithm where r = t^p, from the first radius that does."""
    for at in AT:
        try:
            power, c = Evaluation(Germ(at, ORDER).radius(p)).log(node)[1].leading()
            return power, c
        except Rejected:
            continue
    return None
