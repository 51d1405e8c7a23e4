"""Of which sums of the kernel's tree common factors are taken out: of those of which the prover takes them."""

from __future__ import annotations

from dpverify.kernel.sections.algebra import root_of_r
from dpverify.kernel.sections.common import shared
from dpverify.kernel.tree import Node, walk


def sharing(tree: Node) -> list[int]:
    """What the step 'common' says."""
    return [node.number for node in walk(tree) if node.number and node.kind == "add" and _shares(node)]


def _shares(node: Node) -> bool:
    return root_of_r(node) is None and bool(shared(node))
