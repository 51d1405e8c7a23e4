"""Which logarithms of the kernel's tree are read as functions of a logarithm: those that the prover reads so too."""

from __future__ import annotations

from fractions import Fraction

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
        rest = as_softplus(node).args[0].args[0]
        far, near = (Evaluation(Germ(Fraction(AT), ORDER).radius(p)).log(rest)[1] for p in (1, -1))
        lead, c = far.leading()
        return bool(rest.exponential and lead[1] > 0 and c.hi < 0 and near.leading()[0] <= CONSTANT)
    except (Rejected, ArithmeticError):
        return False
