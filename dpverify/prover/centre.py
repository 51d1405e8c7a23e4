"""Near the centre: log f on boxes by its model at zero, where terms cancel that enclosures on boxes cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import log, nan

from flint import arb, fmpq

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.asymptotics.germ import power_of_t
from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.ball import hull
from dpverify.enclosures.irrational import Irrational
from dpverify.enclosures.nodes import Node, mul, num, power, walk
from dpverify.findings import Reason

LOW_ORDER, ORDERS, MOST_ORDER = 3, (8, 11, 14, 18), 24
REACHES = (*(Fraction(k, 2) for k in range(8, 1, -1)), *(Fraction(1, 2**k) for k in range(1, 9)))
MOST_WORK = 1_000_000
"""What the checker takes on: nodes times the third power of the order."""
FAR_ENOUGH = Fraction(1, 2)
"""Up to where a series reaches that boxes beyond are small enough for."""
ACCURATE, ROUGH = arb(2) ** (-46), arb(2) ** (-28)
"""How well log f is known at the end of a series; and of one without which boxes beyond its end would be too many."""
PLACE = Fraction(1, 2**10)
WIDER = 2**12
"""How many times as wide enclosures of slopes on a box are, near the centre, for a series to be used."""


class Series:
    """f and its slopes as sums of powers of r on (0, reach]: the models of f(s^2 r^2), s = 2 reach, on (0, 1/2]."""

    def __init__(self, node: Node, reach: Fraction, order: int) -> None:
        self.reach, self.order, self.scale = reach, order, exact(2 * reach)
        r = Model.power_of_t(Germ(Fraction(2), order), -1)
        value = Evaluation(Slope(r, r.const(1))).value(_scaled(node, self.scale))
        monomials = [m for model in (value.u, value.du) for m in model.terms]
        if any(m != power_of_t(m[1]) or isinstance(m[1], Irrational) for m in monomials):
            raise Undecided(Reason.NO_POWERS_AT_CENTRE())
        self.value, self.slopes = value.u, value.du

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log f and its slopes on a box within (0, reach]."""
        ends = arb(exact(a) / self.scale), arb(exact(b) / self.scale)
        value, slopes = _summed(self.value, *ends), _summed(self.slopes, *ends)
        if not value > 0:
            raise Undecided(Reason.NOT_POSITIVE_AT_CENTRE())
        return Slope(Ball(value.log()), Ball(slopes / value / self.scale))

    def at(self, r: arb) -> arb:
        """log f at one radius."""
        value = _summed(self.value, r / self.scale, r / self.scale)
        if not value > 0:
            raise Undecided(Reason.NOT_POSITIVE_AT_CENTRE())
        return value.log()

    def rough(self) -> Callable[[float], float]:
        """r -> log f over floats."""
        terms = [(float(arb(c).mid()), -float(m[1])) for m, c in self.value.terms.items()]
        scale = float(Fraction(int(self.scale.p), int(self.scale.q)))

        def at(r: float) -> float:
            total = sum(c * (r / scale) ** p for c, p in terms)
            return log(total) if total > 0 else nan

        return at


def _scaled(node: Node, s: fmpq) -> Node:
    """The tree with s r in the place of r; Undecided where it may jump."""
    if node.kind == "r":
        return mul(num(s), node)
    if node.kind == "pow" and node.args[0].kind == "r":
        return mul(power(num(s), node.args[1]), node)
    if node.kind in ("piece", "floor"):
        raise Undecided(Reason.MAY_JUMP())
    return Node(node.kind, *(_scaled(a, s) if isinstance(a, Node) else a for a in node.args))


def _summed(model: Model, low: arb, high: arb) -> arb:
    total = arb(0)
    for m, c in model.terms.items():
        p = -exact(m[1])
        ends = [arb(1) if p == 0 else r ** int(p) if p.q == 1 else (r.log() * p).exp() for r in (low, high)]
        total = total + hull(*ends) * c
    return total


def series_of(node: Node) -> Series | None:
    """A series for boxes near the centre, if a divisor vanishes there and enclosures on boxes are of no use."""
    if not any(map(_vanishes, _divisors(node))):
        return None
    series = _reaching(node, REACHES, ORDERS, ACCURATE)
    if series is None or not _needed(node, series, PLACE):
        return None
    small = sum(1 for _ in walk(node)) * MOST_ORDER**3 <= MOST_WORK
    if small and series.reach < FAR_ENOUGH and _needed(node, series, series.reach * Fraction(3, 4)):
        further = [reach for reach in REACHES if series.reach < reach <= FAR_ENOUGH]
        return _reaching(node, further, (MOST_ORDER,), ROUGH) or series
    return series


def _reaching(node: Node, reaches: Sequence[Fraction], orders: Sequence[int], accurate: arb) -> Series | None:
    """The series that reaches furthest of those that are accurate at their ends."""
    for reach in reaches:
        for order in orders:
            try:
                series = Series(node, reach, order)
                if series.at(arb(exact(reach))).rad() < accurate:
                    return series
            except Undecided:
                continue
    return None


def _divisors(node: Node) -> Iterator[Node]:
    return (part.args[0] for part in walk(node) if part.kind == "pow" and part.args[1] < 0)


def _vanishes(node: Node) -> bool:
    if node.kind == "r":
        return True
    try:
        return Evaluation(Model.power_of_t(Germ(1 / PLACE, LOW_ORDER), -1)).value(node).leading()[0] < CONSTANT
    except Undecided:
        return False


def _needed(node: Node, series: Series, place: Fraction) -> bool:
    """Whether enclosures of slopes on a box there are much wider than those of the series."""
    a, b = place, place * Fraction(17, 16)
    try:
        direct, narrow = Evaluation(Slope(Ball.between(a, b), Ball(arb(1)))).log(node)[1], series.on_box(a, b).du.x
    except Undecided:
        return True
    return not direct.du.x.is_finite() or bool(direct.du.x.rad() > WIDER * (narrow.rad() + arb(2) ** (-30)))
