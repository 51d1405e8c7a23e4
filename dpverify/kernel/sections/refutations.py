"""Refutations: a hypothesis that fails, and what follows for the claim."""

from __future__ import annotations

from ..intervals import interval
from ..rules import require, rule
from ..steps import named, record, whole
from ..tree import Node, mul, never_negative, num
from .charts import open_box, radii
from .ends import BOUNDED, INTEGRABLE_TAILS, integral
from .epsilon import VERDICTS
from .evaluation import Evaluation
from .hypotheses import REFUTED, Proof
from .messages import shown
from .models import CONSTANT, LINEAR, Model
from .shapes import ROOTS, absolute_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DIVERGING: dict[str, Callable[[Proof, Any], None]] = {}
UNBOUNDED: dict[str, Callable[[Proof, Any], None]] = {}
"""Other places at which the integral diverges, by the field that names them, and other ways to show
the loss unbounded, by the step that does."""


def refute_positive(proof: Proof) -> str:
    """'none' where f is no density, 'zero' where it vanishes, positive elsewhere."""
    return proof.problem.once("sign", lambda: sign_refuted(proof))


def sign_refuted(proof: Proof) -> str:
    step = proof.steps.take("sign")
    kind = step.get("kind") if isinstance(step, dict) else None
    return named(SIGNS, kind, "the step 'sign' names no rule")(proof, step)


@rule("K40")
def negative(proof: Proof, step: dict[str, Any]) -> str:
    """f is negative on an open box, so no density.

    Lemma.  The sign of f there is enclosed, as a value or, where f is too small for one, through
    the signs of its factors.
    """
    record(step, "sign", {"kind", "box", "by"})
    a, b = open_box(step["box"], "sign.box")
    if step["by"] == "factors":
        below = proof.problem.at_box(radii(a, b), (a, b)).log(proof.problem.tree)[0] == -1
    else:
        require(step["by"] == "value", "sign.by names no rule", "steps")
        below = proof.problem.value_on_box(a, b).hi < 0
    require(below, f"f is not shown negative on [{shown(a)}, {shown(b)}]")
    return "none"


@rule("K41")
def vanishes(proof: Proof, step: dict[str, Any]) -> str:
    """f is 0 on an open box and positive on another.

    Lemma.  The radii where f = 0 and where f > 0 have positive measure and fill the half-line, so
    some of each lie within delta, and one shift turns an event of probability 0 into one of
    positive probability.
    """
    record(step, "sign", {"kind", "box", "positive"})
    a, b = open_box(step["box"], "sign.box")
    nothing = proof.problem.value_on_box(a, b).sign() == 0
    require(nothing, f"f is not shown to vanish on [{shown(a)}, {shown(b)}]")
    proof.problem.on_box(*open_box(step["positive"], "sign.positive"))
    return "zero"


@rule("K42")
def vanishes_at_centre(proof: Proof, step: dict[str, Any]) -> str:
    """f(0+) = 0 while f > 0 elsewhere.

    Lemma.  The model of log f at zero tends to minus infinity; so f is as small as one likes near
    the centre.  If |g(s) - g(t)| <= epsilon wherever |s - t| <= delta, k such steps would bound g
    near the centre by k epsilon more than its value at a radius that they reach.
    """
    record(step, "sign", {"kind"})
    lead, c = proof.problem.near_zero().u.leading()
    require(lead > CONSTANT and c.hi < 0, "f is not shown to vanish at the centre")
    return "zero"


@rule("K43")
def touches(proof: Proof, step: dict[str, Any]) -> str:
    """f tends to 0 at a radius in an open box, and is positive on another.

    Lemma.  A continuous g changes its sign in the box (finite slopes show it continuous; a finite
    value does not, nor does a text without jumps, since poles may be cut off), |g|^p is a factor
    of f with p > 0, and the other factors are bounded: f tends to 0 where g = 0.  Then k steps
    of length at most delta from there to a box where f >= m > 0 would bound m by e^(k epsilon)
    times values of f as small as one likes.  The factor may be a power of a product of which |g|^p
    is the one named; the factors beside that power are bounded then, and so are those within it.
    """
    inner = {"inner"} & set(step)
    record(step, "sign", {"kind", "box", "positive", "factor"} | inner)
    a, b = open_box(step["box"], "sign.box")
    tree = proof.problem.tree
    factors = list(tree.args) if tree.kind == "mul" else [tree]
    i = whole(step["factor"], "sign.factor", 0, len(factors) - 1)
    factor, beside, within = factors[i], factors[:i] + factors[i + 1 :], []
    if inner:
        product = factor.args[0] if factor.kind == "pow" and factor.args[1] > 0 else factor
        require(product.kind == "mul", "the factor named is no power of a product")
        j = whole(step["inner"], "sign.inner", 0, len(product.args) - 1)
        factor, within = product.args[j], [*product.args[:j], *product.args[j + 1 :]]
    g = root_of(factor)
    require(g is not None, "the factor named is not the power of a modulus")
    assert g is not None
    signs = {Evaluation(interval(r)).value(g).sign() for r in (a, b)}
    slopes = Evaluation(radii(a, b)).value(g).du
    bounded = all(Evaluation(radii(a, b)).value(mul(num(1), *others)).u.finite()
                  for others in (beside, within))
    touched = signs == {1, -1} and slopes.finite() and bounded
    require(touched, f"f is not shown to touch zero on [{shown(a)}, {shown(b)}]")
    proof.problem.on_box(*open_box(step["positive"], "sign.positive"))
    return "zero"


SIGNS = {
    "negative": negative, "vanishes": vanishes, "centre": vanishes_at_centre, "touches": touches}


def root_of(factor: Node) -> Node | None:
    """g where the factor is |g|^p with p > 0, up to a constant."""
    if factor.kind == "pow" and factor.args[1] > 0:
        return root_of(factor.args[0]) or factor.args[0]
    if factor.kind in ROOTS:
        return ROOTS[factor.kind](factor)
    return absolute_of(factor)


@rule("K44")
def rises(proof: Proof) -> None:
    """f is not non-increasing.

    Lemma.  Just after one radius f is proved smaller than just before a larger one.
    """
    a, b = open_box(proof.steps.take("rise"), "rise")
    tiny, p = (b - a) / 10**30, proof.problem
    rise = p.on_box(a, a + tiny).u.hi < p.on_box(b - tiny, b).u.lo
    require(rise, "f is not shown to rise")


@rule("K45")
def pole_at_centre(proof: Proof) -> None:
    """f(0+) = oo.

    Lemma.  The model of log f at zero tends to infinity.  The loss at the centre is then
    unbounded: near it f exceeds every multiple of its values a shift away, which are finite.
    """
    lead, c = proof.problem.near_zero().u.leading()
    require(lead > CONSTANT and c.lo > 0, "f(0+) is not shown infinite")


def diverges(proof: Proof) -> None:
    step = proof.steps.take("integrable")
    for name in DIVERGING:
        if isinstance(step, dict) and name in step:
            DIVERGING[name](proof, record(step, "integrable", {name})[name])
            return
    diverges_at_end(proof)


@rule("K46")
def diverges_at_end(proof: Proof) -> None:
    """The integral of r^(d-1) f(r^2) is infinite.

    Lemma.  It diverges (K23) at the centre, or in the tail on every cell, so on all of them.
    """
    p = proof.problem
    step = record(proof.steps.take("integrable"), "integrable", {"diverges"})
    if step["diverges"] == "centre":
        infinite = integral(p.near_zero().u, -p.dimension) == -1
    else:
        require(step["diverges"] == "tail", "the step 'integrable' names no end", "steps")
        infinite = {integral(p.far(g).u, p.dimension) for g in proof.tail.cells} == {-1}
    require(infinite, "f(x'x) is not shown to have an infinite integral")


@rule("K47")
def tail_ratio_unbounded(proof: Proof) -> None:
    """The tail ratio grows without bound, on an open cell of phases where f oscillates.

    Lemma.  The leading term of the model of phi_delta grows with a positive coefficient.
    """
    lead, c = proof.problem.far_loss(proof.tail.peak).leading()
    require(lead > CONSTANT and c.lo > 0, "the tail ratio is not shown unbounded")


@rule("K48")
def tail_by_values(proof: Proof) -> None:
    """f is integrable in the tail, where it may vanish.

    Lemma.  0 <= f <= C t^-n on [R, oo) for some n > d, or f = 0 there; that f is not negative is
    shown by its value or by its form.
    """
    p = proof.problem
    value = p.at_infinity(Model(p.infinity, {LINEAR: 1})).value(p.tree)
    monomial, factor = value.bracket()
    bounded = (factor.lo >= 0 or never_negative(p.tree)) and factor.hi.is_finite()
    falls = factor.sign() == 0 or (bounded and monomial[:2] < (0, -p.dimension))
    require(falls, "f(x'x) is not shown integrable in the tail")


@rule("K49")
def bounded_by_values(proof: Proof) -> None:
    """f is bounded and not negative on each box, where it may vanish.

    Lemma.  Its value is enclosed between finite bounds, and is not negative by its form, or since
    the lower bound is not.
    """
    p = proof.problem
    formed = never_negative(p.tree)
    for a, b in proof.boxes():
        value = p.value_on_box(a, b)
        bounded = (formed or value.lo >= 0) and value.finite()
        require(bounded, f"f is not shown bounded, not negative, on [{shown(a)}, {shown(b)}]")


def not_private(statuses: dict[str, str], proof: Proof) -> None:
    """No epsilon: f is a density, and vanishes somewhere, or its loss is unbounded."""
    density = statuses["integrable"] == "proved"
    require(density, "a claim about privacy needs an integrable density", "claim")
    for name, shows in UNBOUNDED.items():
        if proof.steps.has(name):
            shows(proof, proof.steps.take(name))
            return
    if statuses["positive"] == "refuted":
        require(refute_positive(proof) == "zero", "f is no density by its sign", "claim")
        return
    require(statuses["positive"] == "proved", "a claim about privacy needs positivity", "claim")
    unbounded = "refuted" in (statuses["finite_at_zero"], statuses["tail_ratio_bounded"])
    require(unbounded, "nothing shows the loss unbounded", "claim")


def invalid(statuses: dict[str, str], proof: Proof) -> None:
    """f is no density generator: it is negative somewhere, or its integral is 0 or infinite."""
    below = statuses["positive"] == "refuted" and refute_positive(proof) == "none"
    shown_so = below or statuses["integrable"] == "refuted"
    require(shown_so, "no hypothesis of a density is refuted", "claim")


REFUTED.update({
    "positive": refute_positive, "decreasing": rises, "finite_at_zero": pole_at_centre,
    "integrable": diverges, "tail_ratio_bounded": tail_ratio_unbounded})
VERDICTS.update({"not_private": not_private, "invalid": invalid})
INTEGRABLE_TAILS["values"] = tail_by_values
BOUNDED["values"] = bounded_by_values
