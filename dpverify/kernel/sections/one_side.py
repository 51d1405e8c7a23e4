"""Where f is one formula on one side of a jump: its limit there; saws and ramps not below 0."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, interval
from ..rules import BROUGHT, require, rule
from ..steps import record
from ..tree import Node, add, minus, mul, never_negative, num, power, same
from .charts import open_box, radii
from .ends import BOUNDED, INTEGRABLE_TAILS
from .evaluation import Evaluation
from .limits import ENDLESS, LIMITS, VANISHING
from .messages import shown
from .models import LINEAR, Model
from .refutations import SIGNS
from .saws import line_of, saw_of, scaled
from .signs import exact_value, sign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .hypotheses import Proof


@rule("K440")
def tends_to_zero_at_end(proof: Proof, step: dict[str, Any]) -> str:
    """f tends to 0 at one end of an open box, and is positive on another.

    Lemma.  On the box f is a tree without jumps (K441).  As r tends to the end c from within, what
    has an exact value at c, made of rational functions without a pole there and of maxima, tends
    to it; what tends to 0 and is positive on the box has powers below 0 that tend to oo; all else
    is as in K362.  If the limit of f is 0, what K43 says follows.
    """
    record(step, "sign", {"kind", "box", "positive", "end"})
    ends = open_box(step["box"], "sign.box")
    require(step["end"] in ("low", "high"), "sign.end is neither low nor high", "steps")
    c = ends[step["end"] == "high"]
    at = Evaluation(radii(*ends), ends)
    limit = AtEnd(at, c).of(Frozen(at).of(proof.problem.tree))
    require(limit.sign() == 0, f"f is not shown to tend to 0 at {shown(c)}")
    proof.problem.on_box(*open_box(step["positive"], "sign.positive"))
    return "zero"


class Frozen:
    """What nodes are on an open box, without their jumps."""

    def __init__(self, at: Evaluation) -> None:
        self.at = at
        self.known: dict[Node, Node] = {}

    def of(self, node: Node) -> Node:
        if node not in self.known:
            self.known[node] = self.renewed(node)
        return self.known[node]

    def renewed(self, node: Node) -> Node:
        if node.kind in ("floor", "piece"):
            return without_jump(self, node)
        parts = [self.of(a) if isinstance(a, Node) else a for a in node.args]
        if all(a is b for a, b in zip(parts, node.args, strict=True)):
            return node
        if node.kind == "pow":
            return power(parts[0], node.args[1])
        joined = {"add": add, "mul": mul}.get(node.kind)
        return joined(*parts) if joined else Node(node.kind, *parts)


@rule("K441")
def without_jump(box: Frozen, node: Node) -> Node:
    """A floor as the number that it is on an open box, a Piecewise as its branch there.

    Lemma.  floor(u) is n almost everywhere on the box if its enclosure is the number n; a Piecewise
    is its first branch of which the condition holds, those before it failing.
    """
    if node.kind == "floor":
        n = box.at.value(node).u
        short = n.lo == n.hi and n.lo.adjusted() < 99
        require(short, "a floor is not one number on the box, or a long one")
        return num(Fraction(n.lo))
    for branch, condition in node.args:
        truth = condition.truth(box.at)
        if truth:
            return box.of(branch)
        require(truth is False, "more than one branch may hold on the box")
    require(False, "no branch of a Piecewise holds on the box")
    return node


@rule("K506")
def still(at: Evaluation, tree: Node) -> Node:
    """f without its jumps on an open box, beside which it may have a pole.

    Lemma.  On the box f is almost everywhere the tree that K441 makes of it.  What K97 and K98 say
    of a pole at a radius of the closed box they say of that tree, and so of the integral of f over
    the box, and of how high f is on it.
    """
    return Frozen(at).of(tree)


class AtEnd:
    """The limits of nodes without jumps as r tends to the end c of a box from within."""

    def __init__(self, at: Evaluation, c: Fraction) -> None:
        self.at, self.c = at, c

    def of(self, node: Node) -> Interval:
        """An interval of limits; ends that are infinite may be limits too."""
        exact = exact_value(node, self.c)
        if exact is not None:
            return interval(exact)
        if node.kind in VANISHING and self.of(node.args[0]).sign() == 0:
            return interval(0)
        if node.kind not in LIMITS:
            found: Interval = self.at.value(node).u
            return found
        inner = [self.of(a) for a in node.args if isinstance(a, Node)]
        falls = node.kind == "pow" and node.args[1] < 0 and inner[0].sign() == 0
        if falls and sign(self.at, node.args[0]) == 1:
            return ENDLESS
        return LIMITS[node.kind](inner, node)


@rule("K442")
def not_negative(node: Node) -> bool:
    """Saws that are not negative, and products and powers of such.

    Lemma.  A sum of multiples c_i floor(u_i), of what cancels with the c_i u_i (K287), and of a
    number b and what is not negative by its form (K5), is at least b - sum c_i theta_i,
    0 <= theta_i < 1, and so at least b less the positive c_i; u - floor(u) is not negative for any
    u, nor c max(u, ...) - c u + b for a line u, c > 0 and b >= 0.  Products and powers of what is
    not negative are not.
    """
    if never_negative(node):
        return True
    if node.kind in ("mul", "pow"):
        return all(not_negative(a) for a in node.args if isinstance(a, Node))
    if node.kind != "add":
        return False
    saw = saw_of(node)
    high = saw.slope == 0 and saw.level >= sum(c for c, _ in saw.teeth if c > 0)
    if high and all(q > 0 and never_negative(other) for q, other in saw.others):
        return True
    return any(map(Fractional(node), node.args)) or any(map(Ramp(node), node.args))


class Fractional:
    """Whether a sum is u - floor(u), the floor being the term asked of."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __call__(self, term: Node) -> bool:
        rest = [other for other in self.node.args if other is not term]
        return same(term, minus(Node("floor", add(*rest))))


class Ramp:
    """Whether a sum is c max(u, ...) - c u + b, the maximum being the term asked of."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __call__(self, term: Node) -> bool:
        c, inner = (term.args[0].args[0], term.args[1]) if scaled(term) else (Fraction(1), term)
        rest = line_of(add(*(other for other in self.node.args if other is not term)))
        if c <= 0 or inner.kind != "max" or rest is None:
            return False
        lines = [line_of(u) for u in inner.args]
        return any(u is not None and rest[0] == -c * u[0] and rest[1] >= -c * u[1] for u in lines)


def tail_by_saws(proof: Proof) -> None:
    """As K48, where K442 shows f not negative."""
    p = proof.problem
    value = p.at_infinity(Model(p.infinity, {LINEAR: 1})).value(p.tree)
    monomial, factor = value.bracket()
    falls = not_negative(p.tree) and factor.hi.is_finite() and monomial[:2] < (0, -p.dimension)
    require(falls, "f(x'x) is not shown integrable in the tail", "K442")


def bounded_by_saws(proof: Proof) -> None:
    """As K49, where K442 shows f not negative."""
    p = proof.problem
    require(not_negative(p.tree), "f is not shown not negative by its saws", "K442")
    for a, b in proof.boxes():
        bounded = p.value_on_box(a, b).finite()
        require(bounded, f"f is not shown bounded on [{shown(a)}, {shown(b)}]", "K442")


BROUGHT["f without its jumps"] = still
SIGNS["side"] = tends_to_zero_at_end
INTEGRABLE_TAILS["saws"] = tail_by_saws
BOUNDED["saws"] = bounded_by_saws
