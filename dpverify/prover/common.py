"""Sums whose terms share a factor, such as exp(-r) + exp(1 - r) cos(r)/9, as that factor times what is left."""

from __future__ import annotations

from dpverify.enclosures.nodes import Node, add, factors_of, kinds, mul, positive_by_form, same
from dpverify.prover.algebra import root_of_r
from dpverify.prover.vertices import replaced


def with_common_factors(node: Node) -> Node:
    """The tree with u (v + w) in the place of u v + u w, where u is positive."""
    return replaced(node, _taken_out)


def _taken_out(node: Node) -> Node | None:
    if node.kind != "add" or root_of_r(node) is not None:
        return None
    rests = [_apart(term) for term in node.args]
    shared = []
    for factor in [f for f in rests[0] if _may_be_taken_out(f)]:
        places = [next((i for i, f in enumerate(rest) if same(f, factor)), None) for rest in rests]
        if None not in places:
            shared.append(factor)
            for rest, i in zip(rests, places, strict=True):
                del rest[i]  # type: ignore[arg-type]
    if not shared:
        return None
    left = add(*(mul(*map(with_common_factors, rest)) for rest in rests))
    return mul(*map(with_common_factors, shared), left)


def _apart(term: Node) -> list[Node]:
    """The factors of a term, e^(u + c) as e^u and e^c where r is in u and not in c."""
    found = []
    for factor in factors_of(term):
        parts = factor.args[0].args if factor.kind == "exp" and factor.args[0].kind == "add" else ()
        still = [part for part in parts if "r" not in kinds(part)]
        moving = [part for part in parts if "r" in kinds(part)]
        found += [Node("exp", add(*moving)), Node("exp", add(*still))] if still and moving else [factor]
    return found


def _may_be_taken_out(factor: Node) -> bool:
    """Whether it is an exponential, or a power of a sum, that is positive by its form."""
    base = factor.args[0] if factor.kind == "pow" else factor
    return base.kind in ("exp", "add") and positive_by_form(base)
