"""Where f vanishes on a set or has a pole at a radius: bounds on f part by part, and where to look.

Interval ends are kept apart here, since a ball that should begin at 0 begins a little below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.conditions import compared, comparison
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.nodes import MINUS, Node, absolute_of, exact_value, mul, power, same
from dpverify.findings import Finding, Part, Reason, Why
from dpverify.prover.charts import ORDER
from dpverify.prover.cover import Box, halves
from dpverify.prover.monotone import nonnegative
from dpverify.prover.problem import Problem
from dpverify.prover.zeros import NARROW, narrowed, sign_at

MARGIN = Fraction(1, 2**24)
SHORT = Fraction(1, 10**6)
"""Of an interval whose ends look the same one is told."""
Ends = tuple[arb, arb]


def on(box: Box) -> Evaluation:
    """How values and slopes are evaluated on a box."""
    return Evaluation(Slope(Ball.between(*box), Ball(arb(1))), Edges((exact(box[0]), exact(box[1])), fmpq(0)))


class Parts:
    """Bounds of nodes on an open box, where the `known` nodes are not negative."""

    def __init__(self, at: Evaluation, box: Box, known: tuple[Node, ...] = ()) -> None:
        self.at, self.box, self.known = at, box, known

    def of(self, node: Node) -> Ends:
        low, high = self._enclosed(node)
        sign = self._sign(node)
        if sign is None:
            return low, high
        return (low.max(arb(0)), high) if sign >= 0 else (low, high.min(arb(0)))

    def _enclosed(self, node: Node) -> Ends:
        kind, args = node.kind, node.args
        if kind == "piece":
            found = [parts.of(branch) for branch, parts in self.branches(node)]
            return _least(low for low, _ in found), _most(high for _, high in found)
        if kind == "r":
            return arb(exact(self.box[0])), arb(exact(self.box[1]))
        if kind not in ("add", "mul", "pow", "exp", "max"):
            return self._between_ends(node)
        inner = [self.of(a) for a in args if isinstance(a, Node)]
        if kind == "max":
            return _most(low for low, _ in inner), _most(high for _, high in inner)
        if kind == "pow":
            return _power(inner[0], args[1])
        if kind == "exp":
            return inner[0][0].exp().lower(), inner[0][1].exp().upper()
        total = inner[0]
        for other in inner[1:]:
            total = _plus(total, other) if kind == "add" else _times(total, other)
        return total

    def _between_ends(self, node: Node) -> Ends:
        """A node's bounds, and where it is monotone and continuous its values at the ends."""
        value = self.at.value(node).u.x
        low, high = value.lower(), value.upper()
        slopes = Evaluation(Slope(Ball.between(*self.box), Ball(arb(1)))).value(node).du.x
        if slopes.is_finite() and (slopes > 0 or slopes < 0):
            first, last = (Evaluation(Ball(arb(exact(x)))).value(node).x for x in self.box)
            low, high = low.max(first.min(last).lower()), high.min(first.max(last).upper())
        return low, high

    def _sign(self, node: Node) -> int | None:
        if any(same(node, w) for w in self.known):
            return 1
        if any(same(mul(MINUS, node), w) for w in self.known):
            return -1
        if nonnegative(node):
            return 1
        return self.at.sign(node) if node.kind == "add" and _is_polynomial(node) else None

    def branches(self, node: Node) -> Iterator[tuple[Node, Parts]]:
        """The branches that may hold somewhere on the box, with what is known where they do."""
        known, some = self.known, False
        for branch, condition in node.args:
            truth = self.at.truth(condition)
            if truth is not False:
                some = True
                yield branch, Parts(self.at, self.box, (*known, *_compared(condition, True)))
            if truth:
                return
            known = (*known, *_compared(condition, False))
        if not some:
            raise Undecided(Reason.NO_BRANCH())

    def integrable(self, node: Node) -> bool:
        """Whether f >= 0 is bounded here, or has a pole of order below 1."""
        if node.kind == "piece":
            return all(parts.integrable(branch) for branch, parts in self.branches(node))
        low, high = self.of(node)
        if not low >= 0:
            return False
        return high.is_finite() or any(self._weak(*power) for power in powers(node))

    def _weak(self, g: Node, p: fmpq, rest: Node) -> bool:
        try:
            slopes, above = self.at.value(g).du.x, self.of(rest)[1]
        except Undecided:
            return False
        return bool(p > -1) and bool(slopes > 0 or slopes < 0) and slopes.is_finite() and above.is_finite()


def _is_polynomial(node: Node) -> bool:
    if node.kind == "pow":
        return node.args[1].q == 1 and bool(node.args[1] > 0) and _is_polynomial(node.args[0])
    return node.kind in ("num", "r") or (node.kind in ("add", "mul") and all(map(_is_polynomial, node.args)))


def _compared(condition: tuple[Any, ...], truth: bool) -> tuple[Node, ...]:
    return tuple(w for w, _ in compared(condition, truth))


def _least(ends: Iterator[arb]) -> arb:
    first, *others = ends
    for e in others:
        first = first.min(e)
    return first


def _most(ends: Iterator[arb]) -> arb:
    first, *others = ends
    for e in others:
        first = first.max(e)
    return first


def _plus(a: Ends, b: Ends) -> Ends:
    return (a[0] + b[0]).lower(), (a[1] + b[1]).upper()


def _times(a: Ends, b: Ends) -> Ends:
    products = [arb(0) if x.is_zero() or y.is_zero() else x * y for x in a for y in b]
    return _least(iter(products)).lower(), _most(iter(products)).upper()


def _power(base: Ends, p: fmpq) -> Ends:
    low, high = base
    if p < 0:
        below, above = _power(base, -p)
        if below >= 0:
            return (1 / above).lower(), arb.pos_inf() if below.is_zero() else (1 / below).upper()
        if above <= 0:
            return arb.neg_inf() if above.is_zero() else (1 / above).lower(), (1 / below).upper()
        raise Undecided(Reason.MAY_BE_ZERO())
    if p.q == 1 and (int(p) % 2 or low >= 0):
        n = int(p)
        return (low**n).lower(), (high**n).upper()
    if p.q == 1:
        size = _most(iter((-low, high)))
        least = arb(0) if high >= 0 else -high
        return (least ** int(p)).lower(), (size ** int(p)).upper()
    if not low >= 0:
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.FRACTIONAL_POWER))
    return _root(low, p).lower(), _root(high, p).upper()


def _root(x: arb, p: fmpq) -> arb:
    if x.is_zero() or not x.is_finite():
        return x
    return x.sqrt() if p == fmpq(1, 2) else (x.log() * p).exp()


def _flat(node: Node, p: fmpq) -> Iterator[tuple[Node, fmpq]]:
    """Bases and exponents: up to its sign the node is the product of the |base|^exponent."""
    if node.kind == "mul":
        for a in node.args:
            yield from _flat(a, p)
    elif node.kind == "pow":
        yield from _flat(node.args[0], p * node.args[1])
    else:
        yield node, p


def powers(node: Node) -> Iterator[tuple[Node, fmpq, Node]]:
    """g, p < 0 and h for each way to read the node as |g|^p h, up to its sign."""
    factors = list(_flat(node, fmpq(1)))
    for i, (base, p) in enumerate(factors):
        if p < 0:
            others = factors[:i] + factors[i + 1 :]
            yield absolute_of(base) or base, p, mul(*(power(b, k) for b, k in others))


def integrable(problem: Problem, box: Box) -> bool:
    """Whether f is not negative on the box, and bounded there or beside a pole of order below 1."""
    return Parts(on(box), box).integrable(problem.node)


@dataclass(frozen=True, slots=True)
class Pole:
    """A box that begins, ends or lies around a radius at which f is infinite; whether its integral is; and a box on
    which f is bounded, if it is not; and whether f is taken without its jumps."""

    box: Box
    diverges: bool
    bounded: Box | None = None
    still: bool = False


def pole(problem: Problem, points: Sequence[Fraction], breaks: Sequence[Fraction]) -> Pole | None:
    """A pole of f at a radius among the breaks, or between two of the points."""
    boxes = (*_beside(breaks), *_crossings(problem.node, points))
    return first_pole(problem, points, ((box, problem.node) for box in boxes))


def first_pole(
    problem: Problem, points: Sequence[Fraction], places: Iterable[tuple[Box, Node]], still: bool = False
) -> Pole | None:
    """The first pole on one of the boxes, by what f is there."""
    for box, node in places:
        try:
            found = _pole_on(node, box)
        except Undecided:
            continue
        if found is not None:
            bounded = None if found else next((b for b in _thin(points) if _bounded(problem, b)), None)
            if found or bounded:
                return Pole(box, found, bounded, still)
    return None


def _beside(breaks: Sequence[Fraction]) -> Iterator[Box]:
    for b in breaks:
        yield from ((b - b * NARROW, b), (b, b + b * NARROW))


def _thin(points: Sequence[Fraction]) -> Iterator[Box]:
    return ((r, r + r * NARROW) for r in points)


def _bounded(problem: Problem, box: Box) -> bool:
    try:
        return bool(Parts(on(box), box).of(problem.node)[1].is_finite())
    except Undecided:
        return False


def _bases(node: Node) -> Iterator[Node]:
    for branch in (a[0] for a in node.args) if node.kind == "piece" else (node,):
        yield from (g for g, _, _ in powers(branch))


def _crossings(node: Node, points: Sequence[Fraction]) -> Iterator[Box]:
    """Narrow boxes on which the base of a negative power changes its sign."""
    for g in _bases(node):
        signed = [(r, sign) for r in points if (sign := sign_at(g, r))]
        for (a, before), (b, after) in pairwise(signed):
            box = narrowed(g, a, b, before) if before != after else None
            if box is not None:
                yield box


def _pole_on(node: Node, box: Box) -> bool | None:
    """Whether the integral diverges at a pole on the box; None where there is none."""
    parts = Parts(on(box), box)
    if node.kind != "piece":
        return _strong(node, parts, box, [], alone=True)
    live = list(parts.branches(node))
    first = comparison(next((c for _, c in node.args if parts.at.truth(c) is not False), ("true",)))
    for branch, inner in live if len(live) <= 2 else []:
        found = _strong(branch, inner, box, first, len(live) == 1)
        if found is not None:
            return found
    return None


def _strong(node: Node, parts: Parts, box: Box, first: list[tuple[Node, bool]], alone: bool) -> bool | None:
    for g, p, rest in powers(node):
        ends = [exact_value(g, exact(x)) for x in box] if g.rational else []
        changes = {sign_at(g, x) for x in box} == {1, -1}
        half = any(same(w, g) or same(mul(MINUS, w), g) for w, _ in first)
        zero = (alone and fmpq(0) in ends) or (changes and (alone or half))
        slopes = Evaluation(Slope(Ball.between(*box), Ball(arb(1)))).value(g).du.x
        if zero and slopes.is_finite() and parts.of(rest)[0] > 0:
            return bool(p <= -1)
    return None


def where_zero(problem: Problem, positive: Fraction, vanishing: Fraction) -> Finding:
    """Where f is zero, as far as it is proved, seen from a radius where it is positive and one where it vanishes."""
    edge = _edge(problem, vanishing, positive)
    edge += (vanishing - edge) * MARGIN
    if vanishing > positive and _to_the_end(problem, edge, vanishing):
        return Why.ZERO_BEYOND(at=edge)
    if vanishing < positive and _to_the_centre(problem, edge, vanishing):
        return Why.ZERO_BELOW(at=edge)
    far, step = vanishing, (vanishing - positive) / 8
    while far > 0 and vanishes(problem, (far, far + far * NARROW)):
        far, step = far + step, step * 2
    other = _edge(problem, vanishing, far) if far > 0 else vanishing
    low, high = sorted((edge, other))
    if high - low < SHORT * high or not vanishes_between(problem, low, high):
        return Why.ZERO_BESIDE(at=edge)
    return Why.ZERO_BETWEEN(a=low, b=high)


def _to_the_end(problem: Problem, edge: Fraction, inside: Fraction) -> bool:
    for radius in (inside * 2**k for k in range(1, 12, 2)):
        try:
            if problem.far_value(Germ(max(radius, Fraction(2)), ORDER)).bracket()[1].sign() == 0:
                return vanishes_between(problem, edge, max(radius, Fraction(2)))
        except Undecided:
            continue
    return False


def _to_the_centre(problem: Problem, edge: Fraction, inside: Fraction) -> bool:
    for radius in (max(1 / inside, Fraction(2)) * 2**k for k in range(1, 12, 2)):
        try:
            r = Model.power_of_t(Germ(radius, ORDER), -1)
            if Evaluation(r).value(problem.node).bracket()[1].sign() == 0:
                return vanishes_between(problem, 1 / radius, edge)
        except Undecided:
            continue
    return False


def _edge(problem: Problem, zero: Fraction, other: Fraction) -> Fraction:
    """About where f begins to vanish, between a radius where it does and one where it does not."""
    while abs(zero - other) > NARROW * zero:
        middle = (zero + other) / 2
        if vanishes(problem, (middle, middle + middle * NARROW / 8)):
            zero = middle
        else:
            other = middle
    return zero


def vanishes(problem: Problem, box: Box) -> bool:
    """Whether f is proved to be 0 on the box."""
    try:
        low, high = Parts(on(box), box).of(problem.node)
        return bool(low.is_zero()) and bool(high.is_zero())
    except Undecided:
        return False


def vanishes_between(problem: Problem, a: Fraction, b: Fraction, splits: int = 8) -> bool:
    """Whether f is proved to be 0 on all of (a, b)."""
    return vanishes(problem, (a, b)) or (
        splits > 0 and all(vanishes_between(problem, *half, splits - 1) for half in halves((a, b)))
    )
