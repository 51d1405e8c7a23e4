"""What f does not exceed in the tail, part by part: where waves leave its own value without a
bound that falls."""

from __future__ import annotations

from ..intervals import add_up, product_of
from ..rules import require, rule
from ..tree import Node, add, minus, never_negative, num, walk
from .ends import INTEGRABLE_TAILS
from .evaluation import Evaluation
from .hypotheses import Proof
from .steady import WAVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K513")
def majorant(at: Evaluation, node: Node) -> Any:
    """A function that a part of f, which is not negative, does not exceed.

    Lemma.  Not to be negative is shown by the value or by the form (K5), which products of such
    and logarithms of 1 and more have.  Sums, products and powers with p > 0 of parts that are not
    negative do not exceed those of functions that these do not exceed; and e^u does not exceed e^v,
    where u is v and terms that are the negatives of what by its form is not: those with a wave are
    left out.  Any other part is its value.
    """
    kind, args = node.kind, node.args
    if kind == "exp":
        terms = args[0].args if args[0].kind == "add" else (args[0],)
        kept = [u for u in terms if not (swings(u) and never_below_0(minus(u)))]
        return add_up([at.r.const(0), *map(at.value, kept)]).exp()
    if kind in ("add", "mul") and all(not_negative(at, a) for a in args):
        return (add_up if kind == "add" else product_of)(majorant(at, a) for a in args)
    if kind == "pow" and args[1] > 0 and not_negative(at, args[0]):
        return majorant(at, args[0]).power(args[1])
    require(not_negative(at, node), "a part of f is not shown not to be negative in the tail")
    return at.value(node)


def not_negative(at: Evaluation, node: Node) -> bool:
    return never_below_0(node) or at.value(node).bracket()[1].lo >= 0


def never_below_0(node: Node) -> bool:
    if node.kind == "mul":
        return all(map(never_below_0, node.args))
    if node.kind == "log":
        return never_negative(add(node.args[0], num(-1)))
    return never_negative(node)


def swings(node: Node) -> bool:
    return any(part.kind in WAVES for part in walk(node))


@rule("K514")
def tail_by_parts(proof: Proof) -> None:
    """f is integrable in the tail, by what it does not exceed.

    Lemma.  0 <= f <= g (K513), and g <= C t^-n on [R, oo) for some n > d.
    """
    p = proof.problem
    monomial, factor = majorant(p.at_infinity(p.infinity.radius()), p.tree).bracket()
    falls = factor.hi.is_finite() and monomial[:2] < (0, -p.dimension)
    require(falls, "f(x'x) is not shown integrable in the tail, part by part")


INTEGRABLE_TAILS["parts"] = tail_by_parts
