"""Which products and powers of the kernel's trees are read without what cancels: the prover's trees are without it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.sections.absent import cancelled, gathered, rewritten
from dpverify.kernel.sections.algebra import MOST_RENEWED
from dpverify.kernel.sections.unreached import chosen, reached
from dpverify.kernel.tree import Node, walk

LEFT_OF = {"pow": cancelled, "mul": cancelled, "max": reached, "piece": chosen}
"""What is left of a node, by its kind."""


def absent(trees: Any) -> list[int]:
    """What the step 'absent' says: wholes before parts, since what a number replaces is no longer named."""
    found: list[int] = []
    left = _without_one(trees)
    while left and len(found) < MOST_RENEWED:
        found.append(left[0])
        left = _without_one(left[1])
    return found


def _without_one(trees: Any) -> tuple[int, Any] | None:
    """The number of a node in which something cancels, and the trees with what is left of it."""
    for node in reversed(walk(trees)):
        if node.number and node.kind in LEFT_OF and not _constant(node):
            with suppress(Rejected):
                LEFT_OF[node.kind](node)  # which looks at the node alone
                return node.number, rewritten(trees, [node.number])
    return None


def _constant(node: Node) -> bool:
    """Whether what cancels in a node is of numbers alone, whose product is as good as their power."""
    if node.kind not in ("pow", "mul"):
        return False
    varying = [a for a in node.args if isinstance(a, Node) and any(part.kind == "r" for part in walk(a))]
    nothing = node.kind == "pow" or any(a.kind == "num" and not a.args[0] for a in node.args if isinstance(a, Node))
    return not nothing and len(gathered(tuple(varying))) == len(varying)
