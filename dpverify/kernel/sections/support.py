"""Where f vanishes on a set, or has a pole at a radius: bounds on it part by part, and its
integral."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..intervals import INF, NEG_INF, ZERO, Interval, add_up, hull, interval, meet, product_of
from ..rules import brought, require, rule
from ..steps import record, whole
from ..tree import Node, minus, mul, never_negative, num, power, same
from .charts import open_box, radii
from .conditions import compared, comparison
from .ends import BOUNDED, CENTRES
from .evaluation import Evaluation
from .hypotheses import Proof
from .messages import shown
from .models import Model, power_of_t
from .refutations import DIVERGING, UNBOUNDED
from .shapes import absolute_of
from .signs import exact_value
from .signs import sign as sign_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ABOVE, BELOW = Interval(ZERO.lo, INF), Interval(NEG_INF, ZERO.hi)


class Parts:
    """Enclosures of nodes at almost every radius of an open box at which the `known` nodes are not
    negative: those of the conditions that lead to a branch."""

    def __init__(self, at: Evaluation, known: tuple[Node, ...] = ()) -> None:
        self.at, self.known = at, known

    @rule("K93")
    def of(self, node: Node) -> Interval:
        """A node part by part, each with its sign.

        Lemma.  A sum, a product, a power, an exponential and a maximum lie in what interval
        arithmetic makes of enclosures of their parts; a Piecewise in the hull of the branches that
        may hold, each enclosed where the conditions before it fail and its own holds, so that what
        they compare has a known sign there.  A polynomial has, besides, the sign that K7 finds, and
        what the form shows not to be negative (K5) is not.
        """
        bounds = self.enclosed(node)
        sign = self.sign(node)
        return bounds if sign is None else meet(bounds, ABOVE if sign >= 0 else BELOW)

    def enclosed(self, node: Node) -> Interval:
        kind, args = node.kind, node.args
        if kind == "piece":
            found = [parts.of(branch) for branch, parts in self.branches(node)]
            return Interval(min(x.lo for x in found), max(x.hi for x in found))
        if kind not in ("add", "mul", "pow", "exp", "max"):
            return between_ends(self.at, node)
        inner = [self.of(a) for a in args if isinstance(a, Node)]
        if kind == "max":
            return Interval(max(x.lo for x in inner), max(x.hi for x in inner))
        if kind == "pow":
            return inner[0].power(args[1])
        if kind == "exp":
            return inner[0].exp()
        total: Interval = (add_up if kind == "add" else product_of)(inner)
        return total

    def sign(self, node: Node) -> int | None:
        if any(same(node, w) for w in self.known):
            return 1
        if any(same(minus(node), w) for w in self.known):
            return -1
        if never_negative(node):
            return 1
        return sign_at(self.at, node) if node.kind == "add" and is_polynomial(node) else None

    def branches(self, node: Node) -> Iterator[tuple[Node, Parts]]:
        """The branches that may hold somewhere on the box, with what is known where they do."""
        known, some = self.known, False
        for branch, condition in node.args:
            truth = condition.truth(self.at)
            if truth is not False:
                some = True
                yield branch, Parts(self.at, (*known, *not_negative(condition, True)))
            if truth:
                return
            known = (*known, *not_negative(condition, False))
        require(some, "no branch of a Piecewise is proved to hold")


def between_ends(at: Evaluation, node: Node) -> Interval:
    """A node's enclosure, and where it is monotone and continuous on the closed box, what lies
    between its values at the ends: these may be exact."""
    bounds: Interval = at.value(node).u
    if at.ends is None:
        return bounds
    slopes = at.elsewhere(radii(*at.ends)).value(node).du
    if not slopes.finite() or slopes.sign() is None:
        return bounds
    low, high = (at.elsewhere(interval(x)).value(node) for x in at.ends)
    return meet(bounds, hull(low, high))


def is_polynomial(node: Node) -> bool:
    if node.kind == "pow":
        return node.args[1] > 0 and node.args[1].denominator == 1 and is_polynomial(node.args[0])
    return node.kind in ("num", "r") or (
        node.kind in ("add", "mul") and all(map(is_polynomial, node.args)))


def not_negative(condition: Any, truth: bool) -> tuple[Node, ...]:
    return tuple(w for w, _ in compared(condition, truth))


def parts_on(proof: Proof, a: Fraction, b: Fraction) -> Parts:
    return Parts(proof.problem.at_box(radii(a, b), (a, b)))


def bounded_by_parts(proof: Proof) -> None:
    """Not negative on each box, and bounded there but where the step 'poles' names a factor."""
    given = proof.steps.take("poles") if proof.steps.has("poles") else []
    require(isinstance(given, list), "the step 'poles' is not a list", "format")
    boxes, poles = proof.boxes(), {}
    for pole in given:
        record(pole, "poles", {"box", "factor"})
        i = whole(pole["box"], "poles.box", 0, len(boxes) - 1)
        require(i not in poles, "a box is named twice in poles", "steps")
        poles[i] = whole(pole["factor"], "poles.factor", 0, 10**6)
    for i, (a, b) in enumerate(boxes):
        parts, tree = parts_on(proof, a, b), proof.problem.tree
        if i in poles:
            weak_pole(parts, tree, poles[i])
        else:
            unbounded = f"f is not shown bounded, not negative, on [{shown(a)}, {shown(b)}]"
            within(parts, tree, unbounded)


@rule("K94")
def within(parts: Parts, node: Node, refusal: str) -> None:
    """f is bounded and not negative on a box, by its parts.

    Lemma.  Its enclosure (K93) has finite ends, the lower one not negative.  So it is integrable
    there, and may vanish.
    """
    value = parts.of(node)
    require(value.finite() and value.lo >= 0, refusal)


@rule("K95")
def weak_pole(parts: Parts, node: Node, factor: int) -> None:
    """f is integrable over a box on which it may have a pole of order below 1.

    Lemma.  f = |g|^p h with -1 < p < 0, not negative, h bounded, and difference quotients of g
    between m and M, both of one sign: then g is one to one, its values fill less than a bounded
    interval, and the integral of |g|^p over the box is at most that of |v|^p dv / min(|m|, |M|)
    over it, which is finite.  Of a Piecewise each branch that may hold is so, or bounded.
    """
    if node.kind == "piece":
        for branch, inner in parts.branches(node):
            if factor_of(branch, factor) is None:
                within(inner, branch, "a branch beside a pole is not shown bounded")
            else:
                weak_pole(inner, branch, factor)
        return
    found = factor_of(node, factor)
    require(found is not None, "poles names no factor that is a negative power")
    assert found is not None
    g, p, rest = found
    require(p > -1, "the pole named is not of an order below 1")
    slopes = parts.at.value(g).du
    steep = slopes.finite() and slopes.sign() in (1, -1)
    require(steep, "the base of a pole is not shown strictly monotone")
    integrable = parts.of(rest).finite() and parts.of(node).lo >= 0
    require(integrable, "f is not shown integrable beside a pole")


def flat(node: Node, p: Fraction = Fraction(1)) -> Iterator[tuple[Node, Fraction]]:
    """Bases and exponents: up to its sign the node is the product of the |base|^exponent."""
    if node.kind == "mul":
        for a in node.args:
            yield from flat(a, p)
    elif node.kind == "pow":
        yield from flat(node.args[0], p * node.args[1])
    else:
        yield node, p


def factor_of(node: Node, factor: int) -> tuple[Node, Fraction, Node] | None:
    """g, p < 0 and h where the node is |g|^p h, up to its sign, |g|^p being the factor named."""
    factors = list(flat(node))
    if factor >= len(factors) or factors[factor][1] >= 0:
        return None
    rest = (power(base, p) for i, (base, p) in enumerate(factors) if i != factor)
    base, p = factors[factor]
    return absolute_of(base) or base, p, mul(num(1), *rest)


@rule("K96")
def centre_by_values(proof: Proof) -> None:
    """f is integrable at the centre, where it may vanish.

    Lemma.  On (0, r0] f is 0, or 0 <= f <= C r^-n for some n < d, and r^(d-1-n) is integrable.
    """
    p = proof.problem
    value = p.at_zero(Model(p.zero, {power_of_t(-1): Fraction(1)})).value(p.tree)
    monomial, factor = value.bracket()
    bounded = factor.lo >= 0 and factor.hi.is_finite() and monomial[:2] < (0, p.dimension)
    require(factor.sign() == 0 or bounded, "f(x'x) is not shown integrable at the centre")


def pole(proof: Proof, step: Any, most: Fraction) -> None:
    """K97 and K98: the factor named is |g|^p, p <= most, and g has a zero in the closed box; where
    two branches may hold there, the first does where g > 0, or where g < 0.  `still` says that f is
    taken without its jumps (K506)."""
    record(step, "pole", {"box", "factor"} | ({"branch", "still"} & set(step)))
    a, b = open_box(step["box"], "pole.box")
    parts, node = parts_on(proof, a, b), proof.problem.tree
    if "still" in step:
        require(step["still"] is True, "pole.still is not true", "format")
        node = brought("f without its jumps")(parts.at, node)
    live = list(parts.branches(node)) if node.kind == "piece" else [(node, parts)]
    branch = whole(step.get("branch", 0), "pole.branch", 0, len(live) - 1)
    condition = first_of(parts, node) if len(live) > 1 else None
    node, parts = live[branch]
    found = factor_of(node, whole(step["factor"], "pole.factor", 0, 10**6))
    require(found is not None, "pole names no factor that is a negative power")
    assert found is not None
    g, p, rest = found
    require(p <= most, "the power of the pole does not suffice")
    slopes = Evaluation(radii(a, b)).value(g).du
    ends = [exact_value(g, x) for x in (a, b)]
    signs = {Evaluation(interval(x)).value(g).sign() for x in (a, b)}
    zero = 0 in ends or signs == {1, -1}
    require(zero and slopes.finite(), "the base is not shown to have a zero on the box")
    halves = len(live) == 2 and signs == {1, -1} and condition is not None and (
        same(condition, g) or same(minus(condition), g))
    require(len(live) == 1 or halves, "more branches may hold beside the pole")
    require(parts.of(rest).lo > 0, "the other factors are not shown positive beside the pole")


def first_of(parts: Parts, node: Node) -> Node | None:
    """w where the first branch that may hold on the box does so just where 0 < w, or 0 <= w."""
    found = comparison(next(c for _, c in node.args if c.truth(parts.at) is not False))
    return found[0][0] if found else None


@rule("K97")
def diverges_at_radius(proof: Proof, step: Any) -> None:
    """The integral of r^(d-1) f(r^2) is infinite at a radius.

    Lemma.  f = |g|^p h on an open box with p <= -1, h above a positive number, and g continuous
    with difference quotients of at most M and a zero c in the closed box: |g(r)| <= M |r - c|, so
    f is at least a positive multiple of |r - c|^p, whose integral over the box is infinite.  Of
    branches the one with the pole is the only one on the box; or one of two, of which the first
    holds just where g > 0, or g < 0 (or 0 there), if g changes its sign on the box.
    """
    pole(proof, step, Fraction(-1))


@rule("K98")
def unbounded_at_radius(proof: Proof, step: Any) -> None:
    """f tends to infinity at a radius, and is bounded on an open box.

    Lemma.  As in K97, with p < 0: f is at least a positive multiple of |r - c|^p beside c.  Were f
    private, k steps of length at most delta from the box named would bound f near c by e^(k
    epsilon) times its bound there.
    """
    record(step, "pole", {"box", "factor", "bounded"} | ({"branch", "still"} & set(step)))
    pole(proof, {k: v for k, v in step.items() if k != "bounded"}, Fraction(0))
    value = parts_on(proof, *open_box(step["bounded"], "pole.bounded")).of(proof.problem.tree)
    require(value.hi.is_finite(), "f is not shown bounded on the box named")


BOUNDED["parts"] = bounded_by_parts
CENTRES["values"] = centre_by_values
DIVERGING["radius"] = diverges_at_radius
UNBOUNDED["pole"] = unbounded_at_radius
