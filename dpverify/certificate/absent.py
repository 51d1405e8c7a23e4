"""Which products and powers of the kernel's tree are read without what cancels: the prover's tree is without it."""

from __future__ import annotations

from collections.abc import Iterator

from dpverify.certificate.possible import possible
from dpverify.kernel.sections.absent import cancelled, gathered, rewritten
from dpverify.kernel.sections.algebra import MOST_RENEWED
from dpverify.kernel.tree import Node, walk


def absent(tree: Node) -> list[int]:
    """What the step 'absent' says: wholes before parts, since what a number replaces is no longer named."""
    found: list[int] = []
    while len(found) < MOST_RENEWED and (number := next(_cancelling(tree), 0)):
        found.append(number)
        tree = rewritten(tree, [number])
    return found


def _cancelling(tree: Node) -> Iterator[int]:
    for node in reversed(walk(tree)):
        if node.number and not _constant(node) and possible(lambda node=node: bool(cancelled(node))):  # type: ignore[misc]
            yield node.number


def _constant(node: Node) -> bool:
    """Whether what cancels in a node is of numbers alone, whose product is as good as their power."""
    varying = [a for a in node.args if isinstance(a, Node) and any(part.kind == "r" for part in walk(a))]
    nothing = node.kind == "pow" or any(a.kind == "num" and not a.args[0] for a in node.args if isinstance(a, Node))
    return not nothing and len(gathered(tuple(varying))) == len(varying)
