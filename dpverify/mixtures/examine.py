"""What holds for a mixing law in every dimension at once: is it one, which moments are finite, how does it end.

E[V^-d] is f_d(0) up to a factor, by monotone convergence, so it is finite exactly when f_d has no pole.
It grows from finite to infinite once as d grows, at the dimension where the family stops being private.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.lowering import lower
from dpverify.enclosures.nodes import Node, exact_value
from dpverify.findings import Finding, Why
from dpverify.mixtures import ends
from dpverify.mixtures.ends import End
from dpverify.mixtures.law import Atoms, Density, Mixing
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import Box, boxes_of, cover, octaves
from dpverify.prover.defined import Definedness
from dpverify.prover.monotone import nonnegative
from dpverify.results import Hypothesis

MOST_BOXES = 20_000
OPEN = Why.NOT_EXAMINED()
HAS_VALUES = Hypothesis("proved", Why.LAW_HAS_VALUES())


@dataclass(frozen=True, slots=True)
class Examined:
    """A mixing law's facts; `None` is undecided, and `failure` says which step came first.

    `defined` says whether every part of its text has a value, `defect` why it is no mixing law. `tail`
    is "too light" (private in no dimension, `why` saying which way) or "steady" (the tail bound applies).
    `stops` is the least d with E[V^-d] infinite, None where there is none or it is not settled, which
    `moments` tells apart.
    """

    defined: Hypothesis = HAS_VALUES
    node: Node | None = None
    zero: End | None = None
    infinity: End | None = None
    defect: Finding | None = None
    valid: bool = False
    tail: str | None = None
    why: Finding = OPEN
    moments: bool = False
    stops: int | None = None
    failure: Finding | None = None

    def moment_finite(self, dimension: int) -> bool | None:
        """Whether E[V^-d] is finite."""
        if self.moments:
            return self.stops is None or dimension < self.stops
        try:
            return None if self.zero is None else self.zero.converges(-dimension)
        except Undecided:
            return None

    def private_for(self) -> str:
        """The dimensions in which the family is private, in words."""
        if self.defect is not None:
            return f"not a mixing law: {self.defect}"
        if not self.valid:
            return f"undecided: {self.failure}"
        if self.tail == "too light":
            return f"no dimension: {self.why}"
        if not self.moments or self.tail is None:
            return f"undecided: {self.failure}"
        if self.stops is None:
            return "every dimension: E[V^-d] is always finite"
        return f"d < {self.stops}" if self.stops > 1 else "no dimension: E[1/V] is infinite"


def examine(mixing: Mixing, tick: Callable[[], None]) -> Examined:
    """Decide all of this as far as rigorous arithmetic carries."""
    if isinstance(mixing.law, Atoms):
        return Examined(valid=True, tail="too light", why=Why.V_BOUNDED(), moments=True)
    defined = _defined(mixing.law, tick)
    if defined.status == "refuted":
        return Examined(defined=defined, defect=defined.because)
    if defined.status == "undecided":
        return Examined(defined=defined, failure=defined.because)
    try:
        node = lower(mixing.law.expression)
    except Undecided as error:
        return Examined(failure=Why.MIXING_NOT_ENCLOSED(failure=error.finding))
    found = Examined(node=node)
    for at_zero in (True, False):
        try:
            end = ends.find(node, at_zero)
            found = replace(found, zero=end) if at_zero else replace(found, infinity=end)
            if end.sign < 0:
                return replace(found, defect=Why.MIXING_NEGATIVE_AT_END(end=_name(at_zero)))
            if not end.converges(0):
                return replace(found, defect=Why.MIXING_DIVERGES(end=_name(at_zero)))
        except Undecided as error:
            found = _failed(found, error.finding)
    found = _between(found, node, tick)
    return found if found.defect is not None else _moments(_tail(found))


def _defined(law: Density, tick: Callable[[], None]) -> Hypothesis:
    """Whether every part of the density's text has a value at almost every v."""
    definedness = Definedness(law.needs)
    try:
        at = definedness.refutation(tick) or definedness.settle(tick)
    except Undecided as error:
        return Hypothesis("undecided", error.finding)
    return HAS_VALUES if at is None else Hypothesis("refuted", definedness.complaint(at, "v"))


def _name(at_zero: bool) -> str:
    return "0" if at_zero else "oo"


def _failed(found: Examined, failure: Finding) -> Examined:
    return replace(found, failure=found.failure or failure)


def _tail(found: Examined) -> Examined:
    if found.infinity is None:
        return found
    try:
        if found.infinity.lighter_than_gaussian():
            why = Why.V_BOUNDED if found.infinity.log is None else Why.LOG_P_FALLS
            return replace(found, tail="too light", why=why())
        if found.infinity.steady():
            return replace(found, tail="steady")
    except Undecided as error:
        return _failed(found, Why.MIXING_TAIL_OPEN(failure=error.finding))
    return _failed(found, Why.MIXING_FALLS_UNSTEADILY())


def _moments(found: Examined) -> Examined:
    if found.zero is None:
        return found
    try:
        return replace(found, stops=found.zero.first_divergent(), moments=True)
    except Undecided as error:
        return _failed(found, Why.MOMENT_OPEN(failure=error.finding))


def _between(found: Examined, node: Node, tick: Callable[[], None]) -> Examined:
    """p between the two ends: negative somewhere, or bounded, nowhere negative, and somewhere positive."""
    low = 1 / found.zero.radius if found.zero else Fraction(1, 2**10)
    high = found.infinity.radius if found.infinity else Fraction(2**10)
    points = octaves(low, high, breaks(node, low, high))
    positive = any(end is not None and end.sign > 0 for end in (found.zero, found.infinity))
    for a, b in boxes_of(points):
        for r in (a + (b - a) * Fraction(k, 8) for k in range(1, 8)):
            try:
                value = _on_box(node, (r, r + r / 2**60)).u.x
            except Undecided:
                continue
            if value < 0:
                return replace(found, defect=Why.MIXING_NEGATIVE(at=r))
            positive = positive or bool(value > 0)
    known = nonnegative(node)
    nowhere = True

    def holds(box: Box) -> bool:
        nonlocal nowhere
        p = _on_box(node, box)
        nowhere = nowhere and bool(p.u.x.is_zero())
        return bool(p.u.x.is_finite()) and (known or _not_negative(node, box, p))

    try:
        cover(boxes_of(points), holds, MOST_BOXES, tick)
    except Undecided as error:
        return _failed(found, Why.MIXING_SIGN_OPEN(failure=error.finding))
    if found.zero is None or found.infinity is None:
        return found
    if not positive:
        if nowhere:
            return replace(found, defect=Why.MIXING_ZERO())
        return _failed(found, Why.MIXING_NOWHERE_POSITIVE())
    return replace(found, valid=True)


def _on_box(node: Node, box: Box) -> Slope:
    """p and its slopes on the open box."""
    edges = Edges((exact(box[0]), exact(box[1])), fmpq(0))
    return Evaluation(Slope(Ball.between(*box), Ball(arb(1))), edges).value(node)  # type: ignore[no-any-return]


def _not_negative(node: Node, box: Box, p: Slope) -> bool:
    """p >= 0 on the open box: by its values, because it is monotone and not negative at the lower end, or by parts."""
    if p.u.x >= 0:
        return True
    if p.du.x >= 0 or p.du.x <= 0:
        end = box[0] if p.du.x >= 0 else box[1]
        edges = Edges((exact(box[0]), exact(box[1])), fmpq(0))
        if Evaluation(Slope(Ball(arb(exact(end))), Ball(arb(1))), edges).value(node).u.x >= 0:
            return True
    return _by_parts(node, box)


def _by_parts(node: Node, box: Box) -> bool:
    """What is rational is evaluated exactly at the ends, where a factor such as 5/3 - v may just vanish."""
    if node.kind in ("mul", "add"):
        if all(_by_parts(part, box) for part in node.args):
            return True
    elif node.kind == "max":
        return any(_by_parts(part, box) for part in node.args)
    elif node.kind == "piece":
        return all(_by_parts(value, box) for value, _ in node.args)
    try:
        part = _on_box(node, box)
    except Undecided:
        return False
    if part.u.x >= 0:
        return True
    if not node.rational or not (part.du.x >= 0 or part.du.x <= 0):
        return False
    ends = [exact_value(node, exact(end)) for end in box]
    return all(end is not None and end >= 0 for end in ends)
