"""Sums whose terms share factors, such as exp(-r) + exp(1 - r) cos(r)/9."""

from __future__ import annotations

from ..rules import require, rule
from ..tree import Node, add, mul, same, walk
from .algebra import each_renewed
from .charts import REWRITINGS
from .shapes import factors_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K380")
def taken_out(node: Node) -> Node:
    """A sum with the factors that its terms share taken out of it.

    Lemma.  u v_1 + ... + u v_n = u (v_1 + ... + v_n) wherever u and every v_i have a value, and
    e^(v + c) = e^v e^c.
    """
    found = shared(node) if node.kind == "add" else []
    require(bool(found), "a node is no sum whose terms share an exponential or a power of a sum")
    rest = add(*(without(term, found) for term in node.args))
    rest.number = rest.number or node.number
    return mul(*found, rest)


def shared(node: Node) -> list[Node]:
    """The exponentials and the powers of sums, positive by their form, that are factors of all
    terms."""
    found: list[Node] = []
    for factor in filter(leaves, apart(node.args[0])):
        more = [*found, factor]
        if all(missing(term, more) == [] for term in node.args):
            found = more
    return found


def apart(term: Node) -> list[Node]:
    """The factors of a term, e^(v + c) as e^v and e^c where r is in v and not in c."""
    found = []
    for factor in factors_of(term):
        parts = factor.args[0].args if factor.kind == "exp" and factor.args[0].kind == "add" else ()
        still = [part for part in parts if constant(part)]
        moving = [part for part in parts if not constant(part)]
        both = still and moving
        found += [Node("exp", add(*moving)), Node("exp", add(*still))] if both else [factor]
    return found


def constant(node: Node) -> bool:
    return all(part.kind != "r" for part in walk(node))


def leaves(factor: Node) -> bool:
    """Whether a factor is one that is taken out."""
    base = factor.args[0] if factor.kind == "pow" else factor
    return base.kind in ("exp", "add") and base.positive


def missing(term: Node, factors: list[Node]) -> list[Node]:
    """Those of the factors that a term has not."""
    rest, found = apart(term), []
    for factor in factors:
        place = next((i for i, f in enumerate(rest) if same(f, factor)), None)
        if place is None:
            found.append(factor)
        else:
            del rest[place]
    return found


def without(term: Node, factors: list[Node]) -> Node:
    """What is left of a term once each of the factors is taken out of it once."""
    rest = apart(term)
    for factor in factors:
        del rest[next(i for i, f in enumerate(rest) if same(f, factor))]
    return mul(*rest)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with what the sums of these numbers share taken out."""
    return each_renewed(tree, given, "common", taken_out)


REWRITINGS["common"] = rewritten
