"""Which floors and sums of the kernel's tree are read as pieces: those that the prover reads so too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel.sections.algebra import renewed
from dpverify.kernel.sections.pieces import spread, steps_of_waves
from dpverify.kernel.tree import Node, walk


def in_pieces(tree: Node) -> dict[str, Any] | None:
    """What the step 'pieces' says; None where there is nothing to say."""
    floors = [n.number for n in walk(tree) if n.kind == "floor" and n.number and possible(lambda n=n: _steps(n))]  # type: ignore[misc]
    floors = list(dict.fromkeys(floors))
    for number in floors:
        tree = renewed(tree, number, steps_of_waves)
    sums = [node.number for node in factors(tree) if node.number and spread(node) is not None]
    return {"floors": floors, "sums": sums} if floors or sums else None


def _steps(node: Node) -> bool:
    return steps_of_waves(node) is not None


def factors(node: Node) -> Iterator[Node]:
    """The factors of f, and what powers among them are taken of."""
    if node.kind == "mul":
        for part in node.args:
            yield from factors(part)
    elif node.kind == "pow":
        yield from factors(node.args[0])
    else:
        yield node
