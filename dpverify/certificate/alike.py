"""Which sums of the kernel's tree are read with their parts gathered: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel.sections.alike import multiples
from dpverify.kernel.tree import Node, walk


def sums(tree: Node) -> list[int]:
    """What the step 'alike' says."""
    return [node.number for node in walk(tree) if node.number and _gathers(node)]


def _gathers(node: Node) -> bool:
    parts = multiples(node) if node.kind == "add" else []
    return 0 < len(parts) < len(node.args)
