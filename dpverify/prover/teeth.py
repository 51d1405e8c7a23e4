"""What a saw meets of the needs of a text: not to be negative, or 0."""

from __future__ import annotations

from flint import fmpq

from dpverify.enclosures.nodes import Node
from dpverify.enclosures.saws import line_of, saw
from dpverify.prover.monotone import nonnegative


def meets(kind: str, node: Node) -> bool:
    """Whether b - sum c theta, every theta in [0, 1), and what is not negative beside, is as is needed; u - floor(u)
    alone vanishes at isolated radii."""
    while node.kind == "pow" and kind in ("nonzero", "positive"):
        p = node.args[1]
        if kind == "positive" and p.q == 1 and int(p) % 2:
            break
        node, kind = node.args[0], "nonzero"
    teeth = saw(node)
    if teeth is None or teeth.slope != 0 or not all(q > 0 and nonnegative(u, logs=False) for q, u in teeth.others):
        return False
    falling = [c for c, _ in teeth.teeth if c > 0]
    least = teeth.level - sum(falling, fmpq(0))
    line = line_of(teeth.teeth[0][1].args[0]) if len(teeth.teeth) == 1 else None
    alone = line is not None and line[0] != 0 and teeth.level == 0 and not teeth.others
    if kind in ("positive", "nonzero") and not alone:
        return bool(least > 0) or (bool(least == 0) and bool(falling))
    return kind in ("positive", "nonzero", "nonnegative") and bool(least >= 0)
