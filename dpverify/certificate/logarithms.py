"""Which differences of logarithms of the kernel's tree are read as one: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel import Rejected
from dpverify.kernel.sections.logarithms import above_a_number, apart, difference
from dpverify.kernel.tree import Node, walk


def of_quotients(tree: Node) -> list[int]:
    """What the step 'logarithms' says."""
    return [node.number for node in walk(tree) if node.number and _nearly_cancels(node)]


def _nearly_cancels(node: Node) -> bool:
    pair = difference(node)
    try:
        return pair is not None and (bool(apart(*pair)) or above_a_number(pair) is not None)
    except Rejected:  # a rational function that is too large
        return False
