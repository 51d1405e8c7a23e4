"""The needs of the text that its form does not meet: each by the rule that its step names."""

from __future__ import annotations

from ..reader import Need
from ..rules import BROUGHT, require
from ..steps import rational, record
from ..tree import Node
from .hypotheses import Proof
from .shapes import absolute_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MEETING: dict[str, Callable[[Need], bool]] = {}
"""Ways to meet a need by its form alone, by the word that names them."""
PROVING: dict[str, Callable[..., None]] = {}
"""Ways that evaluate nodes: needs on all "charts", or one by a "radius"."""


def proving(way: str) -> Callable[..., None]:
    require(way in PROVING, f"a need is met by {way}, which no section listed brings", "rules")
    return PROVING[way]


def bare(need: Need) -> Need:
    """A need as one for a simpler node not to be 0: |u|, even and fractional powers are never
    negative where they have a value, so positive where they are not 0; and powers are 0 where their
    base is alone."""
    node, kind = need.node, need.kind
    while kind in ("positive", "nonzero") and isinstance(node, Node):
        inner = absolute_of(node)
        if node.kind == "pow":
            p = node.args[1]
            never = p.denominator > 1 or p % 2 == 0
            inner = node.args[0] if never or kind == "nonzero" else None
        if inner is None:
            break
        node, kind = inner, "nonzero"
    return need if node is need.node else Need(kind, node, need.guard)


def met(proof: Proof, needs: list[Need]) -> None:
    """Each need, made bare: on every chart (K6), as a divisor with isolated zeros, at one radius of
    which it is not 0 (K8), or without charts."""
    given = proof.steps.take("defined")
    listed = isinstance(given, list) and len(given) == len(needs)
    require(listed, "the step 'defined' does not match the needs of the text", "steps")
    everywhere = []
    for step, need in zip(given, map(bare, needs), strict=True):
        at = record(step, "defined", {"at"})["at"]
        if at is None:
            everywhere.append(need)
        elif isinstance(at, str) and at in MEETING:
            require(MEETING[at](need), "an operation of the text is not shown to have a value")
        else:
            radius = rational(at, "defined.at")
            require(radius > 0, "defined.at is not a positive radius", "steps")
            proving("radius")(proof.problem, radius, need)
    if everywhere:
        proving("charts")(proof, everywhere)


BROUGHT["a way to meet the needs of the text"] = met
