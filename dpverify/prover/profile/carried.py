"""f(b) = e^-eps f(rho) solved for b by the form of f, where that has r once."""

from __future__ import annotations

from typing import NamedTuple

from flint import arb, fmpq

from dpverify.enclosures.nodes import Node
from dpverify.prover.profile.duals import value


class Affine(NamedTuple):
    """b^p = factor rho^p + constant."""

    power: fmpq
    factor: arb
    constant: arb


def carried(node: Node, factor: arb) -> Affine | None:
    """What relates b to rho where node(b) = factor node(rho), the node having r once; None where it is not so."""
    return _carried(node, factor, arb(0))


def _carried(node: Node, factor: arb, constant: arb) -> Affine | None:
    """The same where node(b) = factor node(rho) + constant."""
    kind, args = node.kind, node.args
    if kind == "r":
        return Affine(fmpq(1), factor, constant)
    if kind == "pow":
        p = args[1]
        if args[0].kind == "r" and p > 0:
            return Affine(p, factor, constant)
        return _carried(args[0], (factor.log() / arb(p)).exp(), constant) if constant == 0 else None
    if kind == "exp":
        return _carried(args[0], arb(1), factor.log()) if constant == 0 else None
    if kind not in ("add", "mul"):
        return None
    varying = [a for a in args if a.kind not in ("num", "pi", "gamma")]
    if len(varying) != 1:
        return None
    known = [value(a)(None)[0] for a in args if a is not varying[0]]
    if kind == "add":
        return _carried(varying[0], factor, constant + (factor - 1) * sum(known, arb(0)))
    whole = arb(1)
    for x in known:
        whole = whole * x
    return _carried(varying[0], factor, constant / whole)
