"""What the parts of a text need, as statements about lowered nodes; and why rewriting is then harmless.

**Lemma.** Let every subexpression of a text have a real value at a radius r > 0.  Then the node that
`language.simplify` and `lowering` make of it has that value at r.

*Proof*, by induction over the text; each rewrite keeps the value wherever what it rewrites has one:

    simplify.py
      sums and products are flattened, rationals in them folded    associativity; a factor 0 is kept
      r^a r^b = r^(a+b), (r^a)^b = r^(ab), |r^a| = r^a, u^1 = u    r > 0
      a rational to an integer power is folded                     0^0 and 0^-n are refused
      sqrt(u) = u^(1/2)                                            the definition
      e^u = exp(u), log(exp(u)) = u                                u is real
    sugar.py
      log1p, expm1, acosh, ceil, frac, sign by log, exp, floor, Piecewise   u > -1, u >= 1 for log1p, acosh
      sech, csch, coth, round, Heaviside by cosh, sinh, tanh, floor, Piecewise   u != 0 for csch, coth
    lowering.py
      u/v = u v^-1, -u = (-1) u, u - v = u + (-1) v                v != 0
      a^p b^p and a^p a^q gathered, a^0 = 1 dropped (a sum or pi)  a > 0 by its form
      (u^p)^q = u^(pq)                                             u > 0 by its form; or p and q are integers,
                                                                   and u != 0 where one of them is not positive
      (u v)^p = u^p v^p                                            u, v > 0 by their form
      u^v = exp(v log u), for v not a number                       u > 0
      exp(u)^v = exp(u v)                                          u and v are real
      cos(u)^2 = (1 + cos 2u)/2, sin(u)^2 = (1 - cos 2u)/2         u is real
      sinh, cosh, tanh, asinh, erf through exp, log, erfc          u is real
      |u| = max(u, -u), |u| = u, Min(u, v) = -max(-u, -v)          u > 0 by its form, for the second
      gamma(u) = exp(loggamma(u)), for u not a number              u > 0
      gammainc(a, u) = u^a G(u)/Gamma(a + 1) beside r^-b          u >= 0
      I_p(u) = u^p B(u), I_-n = I_n                                u >= 0, or p whole
      K_p = K_-p, K_(n+1/2) written out, K_p(x) = x^-p (x^p K_p)   x > 0 (DLMF 10.27.3, 10.49.12)
      u < v, u > v, u <= v, u >= v as the sign of a difference     u and v are real

"By its form" means: built from r, pi, exp and positive rationals by sums, products and powers alone.
Where a part has no value a rewrite may drop it (u^0 = 1, exp(log(-1))/exp(log(-1)) = 1), or give it
one ((1/u)^-1 = u at u = 0).  So what was typed is proved to have values on its own: every `Demand`
below is shown to hold at almost every radius.  A demand speaks of the lowered node of u, which is
sound: u's own parts come first, and where they have values the node is u.  Conversely, where a
demand fails on an open box, either that part or one of its own parts has no value there.

Radii at which a demand fails only in isolation have no weight: a density is given almost everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dpverify.enclosures.ball import Undecided
from dpverify.enclosures.lowering import lower, lower_condition
from dpverify.enclosures.nodes import ONE, Node
from dpverify.language import Need

Kind = Literal["nonzero", "nonnegative", "positive", "no pole", "excluded", "unknown"]


@dataclass(frozen=True, slots=True)
class Demand:
    """Where every condition of the guard has its truth value, the node is to be of that kind.

    nonzero, nonnegative, positive    the node's sign
    no pole                           gamma is finite there: a rational that is no pole, or positive
    excluded                          the guard holds nowhere: some branch of a Piecewise holds
    unknown                           the node cannot be enclosed; `why` says what stands in the way
    """

    kind: Kind
    node: Node
    guard: tuple[tuple[tuple[Any, ...], bool], ...]
    need: Need = field(repr=False)
    why: str = ""

    def carrier(self) -> Node:
        """A node in which everything that the demand speaks of occurs, for a search of its breaks."""
        return Node("piece", (self.node, ("true",)), *((ONE, condition) for condition, _ in self.guard))


def demands(needs: Sequence[Need]) -> tuple[Demand, ...]:
    """The demands of a text whose parameters are bound, in the order of its needs; powers that ask nothing left out."""
    conditions: dict[int, tuple[Any, ...]] = {}
    found: list[Demand] = []
    for need in needs:
        kind, node, why = _demanded(need)
        if kind is None:
            continue
        guard = []
        for condition, truth in need.guard:
            if id(condition) not in conditions:
                conditions[id(condition)] = _condition(condition)
            guard.append((conditions[id(condition)], truth))
        found.append(Demand(kind, node, tuple(guard), need, why))
    return tuple(found)


def _condition(condition: Any) -> tuple[Any, ...]:
    try:
        return lower_condition(condition)
    except Undecided:
        return ("unknown",)


def _demanded(need: Need) -> tuple[Kind | None, Node, str]:
    if need.operation == "Piecewise":
        return "excluded", ONE, ""
    try:
        nodes = [lower(a) for a in need.arguments]
    except Undecided as error:
        return "unknown", ONE, str(error)
    if need.operation in ("quotient", "divisor"):
        return "nonzero", nodes[0], ""
    if need.operation == "power":
        return _of_power(nodes[0], nodes[1], as_number=len(nodes) == 2), nodes[0], ""
    if need.operation == "sqrt":
        return "nonnegative", nodes[0], ""
    if need.operation == "gamma":
        return "no pole", nodes[0], ""
    if need.operation == "besseli":
        whole = nodes[0].kind == "num" and nodes[0].args[0].q == 1
        return None if whole else "nonnegative", nodes[1], ""
    return "positive", nodes[-1], ""


def _of_power(base: Node, exponent: Node, as_number: bool) -> Kind | None:
    if not as_number or exponent.kind != "num":
        return None if base.kind == "exp" else "positive"
    p = exponent.args[0]
    if p.q == 1:
        return "nonzero" if p <= 0 else None
    return "nonnegative" if p > 0 else "positive"
