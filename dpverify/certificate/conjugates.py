"""Which differences of the kernel's tree are read as quotients: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel import Rejected
from dpverify.kernel.sections.conjugates import difference, remainder
from dpverify.kernel.tree import Node, walk


def differences(tree: Node) -> list[int]:
    """What the step 'conjugates' says."""
    return [node.number for node in walk(tree) if node.number and _nearly_cancels(node)]


def _nearly_cancels(node: Node) -> bool:
    pair = difference(node)
    try:
        return pair is not None and remainder(*pair) is not None
    except Rejected:  # a rational function that is too large
        return False
