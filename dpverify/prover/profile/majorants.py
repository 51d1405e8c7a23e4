"""Coefficients of log(c + a v^2) and (c + a v^2)^p, c and a positive, by what they may be at most.

c + a v^2 = a (i z - v)(-i z - v), z = sqrt(c/a): its zeros are further than rho = sqrt(c/a + v^2) from no v, so that
the coefficients of its logarithm about a point are at most those of -2 log(1 - V/rho), V having the absolute values of
those of v, and those of its power p at most those of (1 - V/rho)^(-2 |p|), times the power itself.  The recurrences of
series over balls forget that terms of two signs cancel, and grow by the power of 1 + sqrt(2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flint import arb, arb_series, ctx, fmpq

from dpverify.enclosures.nodes import Node

WIDE = 2.0**-20


class Squared(NamedTuple):
    """c + a v^2."""

    constant: fmpq
    factor: fmpq
    inner: Node


def squared(node: Node) -> Squared | None:
    """The parts of c + a v^2 where a node is one, c and a being positive numbers."""
    if node.kind != "add" or len(node.args) != 2 or node.args[1].kind != "num":
        return None
    constant, factor, square = node.args[1].args[0], fmpq(1), node.args[0]
    if square.kind == "mul" and len(square.args) == 2 and square.args[0].kind == "num":
        factor, square = square.args[0].args[0], square.args[1]
    right = square.kind == "pow" and square.args[1] == 2 and constant > 0 and factor > 0
    return Squared(constant, factor, square.args[0]) if right else None


def log_within(found: arb_series, parts: Squared, v: arb_series) -> arb_series:
    """log(c + a v^2), each coefficient within what it may be at most."""
    return _within(found, parts, v, lambda rest: rest.log() * -2, arb(1))


def power_within(found: arb_series, parts: Squared, v: arb_series, p: fmpq) -> arb_series:
    """(c + a v^2)^p, likewise."""
    return _within(found, parts, v, lambda rest: (rest.log() * (-2 * abs(arb(p)))).exp(), found[0].abs_upper())


def _within(
    found: arb_series, parts: Squared, v: arb_series, of: Callable[[arb_series], arb_series], size: arb
) -> arb_series:
    n, centre = ctx.cap, v[0]
    if not centre.rad() > WIDE * abs(centre).upper():
        return found
    nearest = (arb(parts.constant) / arb(parts.factor) + centre.abs_lower() ** 2).sqrt().lower()
    most = of(arb_series([arb(1), *(-(v[k].abs_upper() / nearest).upper() for k in range(1, n))]))
    kept = [found[0]]
    for k in range(1, n):
        bound = (most[k] * size).abs_upper()
        kept.append(arb(0, bound) if bound < found[k].rad() or not found[k].is_finite() else found[k])
    return arb_series(kept)
