"""Of which sums of the kernel's tree one exponential is taken out: of those of which the prover takes it."""

from __future__ import annotations

from dpverify.kernel.sections.by_form import direction
from dpverify.kernel.sections.common import constant
from dpverify.kernel.sections.relative import gap, parted
from dpverify.kernel.tree import Node, walk


def with_both_signs(tree: Node) -> list[int]:
    """What the step 'relative' says."""
    return [node.number for node in walk(tree) if node.number and node.kind == "add" and _shortens(node)]


def _shortens(node: Node) -> bool:
    """Whether some exponent becomes shorter beside the first that is of a positive term."""
    parts = [parted(term) for term in node.args]
    first = next((v for v, w in parts if w.positive), None)
    if first is None or node.positive or direction(node) is not None or any(constant(v) for v, _ in parts):
        return False
    return any(0 < _length(gap(v, first)) < _length(v) + _length(first) for v, _ in parts)


def _length(node: Node) -> int:
    nothing = node.kind == "num" and node.args[0] == 0
    return 0 if nothing else len(node.args) if node.kind == "add" else 1
