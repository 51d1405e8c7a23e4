"""An f that is 0 throughout, which no density is proportional to."""

from __future__ import annotations

from ..rules import require, rule
from ..tree import Node, num
from .algebra import each_renewed, quotient, root_of_r
from .charts import REWRITINGS
from .messages import shown
from .models import LINEAR, Model, power_of_t
from .refutations import SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .hypotheses import Proof


@rule("K360")
def zero_throughout(proof: Proof, step: dict[str, Any]) -> str:
    """f is 0 at almost every radius, so no density.

    Lemma.  f = 0 on (0, r0], on each box and on [R, oo), as enclosed there: its integral is 0, and
    no multiple of it has the integral 1.
    """
    require(set(step) == {"kind"}, "sign says more than that f is 0", "format")
    p = proof.problem
    near = p.at_zero(Model(p.zero, {power_of_t(-1): 1})).value(p.tree).bracket()[1]
    far = p.at_infinity(Model(p.infinity, {LINEAR: 1})).value(p.tree).bracket()[1]
    require(near.sign() == far.sign() == 0, "f is not shown to be 0 at both ends")
    for a, b in proof.boxes():
        nothing = p.value_on_box(a, b).sign() == 0
        require(nothing, f"f is not shown to be 0 on [{shown(a)}, {shown(b)}]")
    return "none"


@rule("K361")
def nought(node: Node) -> Node:
    """A sum that is 0 by algebra, as 0.

    Lemma.  If a rational function of a root of r is N/D and N is the polynomial 0, the function is
    0 wherever it has a value.
    """
    q = root_of_r(node) if node.kind == "add" else None
    require(q is not None, "a node is no sum that is a rational function")
    assert q is not None
    require(not quotient(node, q)[0], "a sum is not 0 by algebra")
    return num(0)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with 0 for the sums of these numbers."""
    return each_renewed(tree, given, "noughts", nought)


SIGNS["nothing"] = zero_throughout
REWRITINGS["noughts"] = rewritten
