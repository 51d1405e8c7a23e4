"""Zeros that have no weight: of functions that are real-analytic on (0, oo), or rational, and not zero throughout.

The zeros of such a function are isolated, so one radius at which it is proved not to vanish shows
that it vanishes almost nowhere.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq_poly

from dpverify.enclosures import Ball, Evaluation, Undecided, exact
from dpverify.enclosures.nodes import MINUS, Node, absolute_of, add, exact_value
from dpverify.enclosures.special import ANALYTIC, ANALYTIC_WHERE_POSITIVE
from dpverify.findings import Reason
from dpverify.prover.monotone import positive

ENTIRE = ("besseli", "kummer")
"""Of these functions, analytic where their argument is real, those that are so where it has poles too."""
PLACES = tuple(Fraction(p) for p in ("1", "1/3", "5/2", "1/17", "41/7"))
"""Radii at which a function is tried; one that is not zero throughout vanishes at few."""
HIGHEST_DEGREE = 400
"""Of a rational function that is expanded."""
MOST_DEGREE = 10_000
"""Of a rational function that is evaluated exactly."""


def factors(node: Node) -> list[Node]:
    """Nodes that vanish nowhere exactly where the node does not: its factors, bases of powers, u of |u|."""
    if node.kind == "mul":
        return [f for a in node.args for f in factors(a)]
    if node.kind == "pow":
        return factors(node.args[0]) if node.args[1] != 0 else []
    u = absolute_of(node)
    return [node] if u is None else factors(u)


def analytic(node: Node, poles: bool = False) -> bool:
    """Whether the form shows that the node is real-analytic on (0, oo), wherever its parts have values; or, with
    `poles`, beside radii without one that are countably many and closed."""
    kind, args = node.kind, node.args
    if kind in ("num", "pi", "r", "gamma"):
        return True
    if kind in ("add", "mul"):
        return all(analytic(a, poles) for a in args)
    if kind == "pow":
        whole = args[1].q == 1 and (args[1] >= 0 or poles)
        return analytic(args[0], poles and whole) and (whole or positive(args[0]))
    if kind in ("exp", "sin", "cos", "erfc"):
        return analytic(args[0], poles)
    if kind in ANALYTIC:
        return analytic(args[-1], poles and kind in ENTIRE)
    if kind in ("log", "matern", *ANALYTIC_WHERE_POSITIVE):
        return analytic(args[-1]) and positive(args[-1])
    return False


def isolated_zeros(node: Node) -> bool:
    """Whether the node is proved to vanish at single radii only, if anywhere."""
    if node.rational and _degree(node) <= MOST_DEGREE:
        return any(exact_value(node, exact(r)) for r in PLACES)
    if node.kind == "log" and not positive(node.args[0]):
        return all(positive(f) or isolated_zeros(f) for f in factors(add(node.args[0], MINUS)))
    return analytic(node, poles=True) and any(_nonzero_at(node, r) for r in PLACES)


def _nonzero_at(node: Node, r: Fraction) -> bool:
    try:
        return Evaluation(Ball(arb(exact(r)))).log(node)[0] in (1, -1)
    except Undecided:
        return False


def vanishes(node: Node) -> bool:
    """Whether the node is a rational function that is proved to be zero throughout."""
    if not node.rational or _degree(node) > MOST_DEGREE or any(exact_value(node, exact(r)) for r in PLACES):
        return False
    try:
        return _zero(quotient(node)[0])
    except Undecided:
        return False


def _zero(polynomial: fmpq_poly) -> bool:
    return bool(polynomial.degree() < 0)


def _degree(node: Node) -> int:
    """A bound of the degrees of a rational node's numerator and denominator."""
    if node.kind == "pow":
        return int(abs(node.args[1])) * _degree(node.args[0])
    return int(node.kind == "r") + sum(_degree(a) for a in node.args if isinstance(a, Node))


def quotient(node: Node) -> tuple[fmpq_poly, fmpq_poly]:
    """Numerator and denominator of a rational node, not necessarily in lowest terms."""
    kind, args = node.kind, node.args
    one = fmpq_poly([1])
    if kind == "num":
        return fmpq_poly([args[0]]), one
    if kind == "r":
        return fmpq_poly([0, 1]), one
    if kind == "pow":
        (top, bottom), p = quotient(args[0]), int(args[1])
        if p < 0:
            top, bottom = bottom, top
        if abs(p) * max(top.degree(), bottom.degree()) > HIGHEST_DEGREE or abs(p) > HIGHEST_DEGREE or _zero(bottom):
            raise Undecided(Reason.DEGREE_TOO_HIGH())
        return top ** abs(p), bottom ** abs(p)
    total, under = (fmpq_poly([0]), one) if kind == "add" else (one, one)
    for a in args:
        top, bottom = quotient(a)
        if kind == "add":
            total, under = total * bottom + top * under, under * bottom
        else:
            total, under = total * top, under * bottom
        if max(total.degree(), under.degree()) > HIGHEST_DEGREE:
            raise Undecided(Reason.DEGREE_TOO_HIGH())
    return total, under
