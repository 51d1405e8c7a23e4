"""Which sums of the kernel's tree are read about their vertices: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel import Rejected
from dpverify.kernel.sections.vertices import quadratic
from dpverify.kernel.tree import Node, walk


def about_vertices(tree: Node) -> list[int]:
    """What the step 'vertices' says."""
    return [node.number for node in walk(tree) if node.number and _nearly_touches(node)]


def _nearly_touches(node: Node) -> bool:
    if any(part.kind == "add" for a in node.args if isinstance(a, Node) for part in walk(a)):
        return False
    try:
        found = quadratic(node)
    except Rejected:  # a rational function that is too large
        return False
    if found is None:
        return False
    s, q, p = found
    return p > 0 > q and 4 * p * s > q * q
