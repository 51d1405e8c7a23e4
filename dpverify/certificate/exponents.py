"""Which exponentials of the kernel's tree are read as powers: those that the prover reads so too."""

from __future__ import annotations

from dpverify.kernel.sections.exponents import logarithms_of
from dpverify.kernel.tree import Node, walk


def of_logarithms(tree: Node) -> list[int]:
    """What the step 'exponents' says: a factor of f, whose logarithm log f is made of, stays as it is."""
    factors = set(map(id, _factors(tree)))
    return [n.number for n in walk(tree) if n.number and id(n) not in factors and logarithms_of(n) is not None]


def _factors(node: Node) -> list[Node]:
    """The factors of f, and those of which they are powers."""
    if node.kind in ("mul", "pow"):
        return [factor for a in node.args if isinstance(a, Node) for factor in _factors(a)]
    return [node]
