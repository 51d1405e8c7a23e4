"""How kinds of nodes behave as functions of their last argument: tables to which sections add."""

from __future__ import annotations

from functools import lru_cache

from ..tree import Node, minus, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

RISING, FALLING = {"exp", "log"}, set[str]()
"""Kinds that rise, or fall, with their last argument."""
ENTIRE, ANALYTIC, ON_THE_LINE = {"exp"}, {"log"}, set[str]()
"""Kinds that are entire functions, kinds analytic where their last argument is positive, and kinds
analytic where it is real: such a one may jump where that has a pole."""
ROOTS: dict[str, Callable[[Node], Node | None]] = {}
"""By kind: g where the node is |g|^p with p > 0, up to a constant."""
JUMPS: set[str] = set()
"""Kinds that may be discontinuous."""


def factors_of(node: Node) -> tuple[Any, ...]:
    return node.args if node.kind == "mul" else (node,)


@lru_cache(maxsize=1_000)
def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u)."""
    pair = node.kind == "max" and len(node.args) == 2
    return node.args[0] if pair and same(node.args[1], minus(node.args[0])) else None
