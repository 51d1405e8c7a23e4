"""Which sums of the kernel's tree are read as 0: those that the prover reads so too."""

from __future__ import annotations

from dpverify.certificate.possible import possible
from dpverify.kernel.sections.nothing import nought
from dpverify.kernel.tree import Node, walk


def noughts(tree: Node) -> list[int]:
    """What the step 'noughts' says."""
    return [n.number for n in walk(tree) if n.number and possible(lambda n=n: nought(n).kind == "num")]  # type: ignore[misc]
