"""Zeros that f only touches: f = |g|^p times the rest, where a continuous g changes its sign.

Precondition: p > 0, the rest is bounded on the box, f >= 0 everywhere and f > 0 on some other box.
Then f(r) -> 0 as r tends to a point c of the box.  Were f epsilon-DP, k steps of length at most delta
from c to the other box would bound f there by e^(k epsilon) times its values near c: by zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.nodes import ONE, Node, absolute_of, add, kinds, mul, num
from dpverify.prover.cover import Box

NARROW = Fraction(1, 2**40)
SPLITS = Fraction(1, 2), Fraction(3, 7)


def root(factor: Node) -> Node | None:
    """g where the factor is |g|^p, or a number and as much of a cosine or sine; None for any other form."""
    if factor.kind == "pow" and factor.args[1] > 0:
        inner = factor.args[0]
        return root(inner) or inner
    if factor.kind == "add" and len(factor.args) == 2:
        return _half_angle(*factor.args)
    return absolute_of(factor)


def _half_angle(wave: Node, number: Node) -> Node | None:
    """a + a cos w = 2 a cos^2(w/2), a - a cos w = 2 a sin^2(w/2), a +- a sin w = a (cos(w/2) +- sin(w/2))^2."""
    size = fmpq(1)
    if wave.kind == "mul" and len(wave.args) == 2 and wave.args[0].kind == "num":
        size, wave = wave.args[0].args[0], wave.args[1]
    if wave.kind not in ("cos", "sin") or number.kind != "num" or number.args[0] != abs(size):
        return None
    half = mul(num(fmpq(1, 2)), wave.args[0])
    cosine, sine = (Node(kind, half, wave.args[1]) for kind in ("cos", "sin"))
    if wave.kind == "sin":
        return add(cosine, mul(num(1 if size > 0 else -1), sine))
    return cosine if size > 0 else sine


def touching(node: Node, points: Sequence[Fraction]) -> Box | None:
    """A small box on which f touches zero, its sign change found between two of the points."""
    for factor, *others in _factors(node):
        g = root(factor)
        if g is None or kinds(g) & {"piece", "floor"}:
            continue
        signed = [(r, sign) for r in points if (sign := sign_at(g, r))]
        for (a, before), (b, after) in pairwise(signed):
            if before == after:
                continue
            box = narrowed(g, a, b, before)
            if box is not None and all(bounded(part, box) for part in (g, *others)):
                return box
    return None


def all_touched(node: Node, points: Sequence[Fraction]) -> list[Box]:
    """Small boxes about all zeros that f touches, in order, as far as sign changes between the points show them."""
    found: set[Box] = set()
    for factor, *_ in _factors(node):
        g = root(factor)
        if g is None or kinds(g) & {"piece", "floor"}:
            continue
        signed = [(r, sign) for r in points if (sign := sign_at(g, r))]
        for (a, before), (b, after) in pairwise(signed):
            if before != after and (box := narrowed(g, a, b, before)) is not None:
                found.add(box)
    return sorted(found)


def _factors(node: Node) -> Iterator[tuple[Node, ...]]:
    """Each factor with the others; each of a power of a product with what is beside the power, and what is within."""
    factors = node.args if node.kind == "mul" else (node,)
    for i, factor in enumerate(factors):
        beside = mul(*factors[:i], *factors[i + 1 :]) if len(factors) > 1 else ONE
        yield factor, beside
        inner = factor.args[0] if factor.kind == "pow" and factor.args[1] > 0 else factor
        for j, part in enumerate(inner.args if inner.kind == "mul" else ()):
            yield part, beside, mul(*inner.args[:j], *inner.args[j + 1 :])


def narrowed(g: Node, a: Fraction, b: Fraction, before: int) -> Box | None:
    """A narrow box at whose ends g has the signs, `before` the first, that it has at a and b."""
    while b - a > NARROW * b:
        middle = next((m for k in SPLITS if sign_at(g, m := a + (b - a) * k)), None)
        if middle is None:
            return None
        a, b = (middle, b) if sign_at(g, middle) == before else (a, middle)
    return a, b


def sign_at(g: Node, r: Fraction) -> int:
    """The sign of g at one radius, 0 where it is not known."""
    try:
        return Evaluation(Ball(arb(exact(r)))).value(g).sign() or 0
    except Undecided:
        return 0


def bounded(node: Node, box: Box) -> bool:
    """Whether a node and its slopes are enclosed on a box."""
    try:
        return bool(Evaluation(Slope(Ball.between(*box), Ball(arb(1)))).value(node).u.x.is_finite())
    except Undecided:
        return False
