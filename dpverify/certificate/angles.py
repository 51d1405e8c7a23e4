"""Which sums of the kernel's tree are read with one inverse tangent for two: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel import Rejected
from dpverify.kernel.sections.angles import difference
from dpverify.kernel.tree import Node, walk


def of_one_angle(tree: Node) -> list[int]:
    """What the step 'angles' says."""
    return [node.number for node in walk(tree) if node.number and _nearly_cancels(node)]


def _nearly_cancels(node: Node) -> bool:
    try:
        return difference(node) is not None
    except Rejected:  # a rational function that is too large
        return False
