"""f in pieces: where Max, floor and comparisons change, and what f is between, as `pieces.v` resolves it.

A difference that decides is to be a x^k + b, with a rational zero: there the pieces meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from dpverify.export.coq.enclosure import Unknown, enclose, hull_of
from dpverify.export.coq.expression import VAR, Expr, derivative
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.interval import Undefined, interval
from dpverify.export.coq.model import End
from dpverify.export.coq.plan import NEAR, ORDERS, Plan, Potential
from dpverify.export.coq.terms import Terms

Binomial = tuple[Fraction, int, Fraction]
"""a, k, b of a x^k + b, k >= 1."""
Resolved = tuple[Expr, bool, bool]
"""An expression without pieces, and whether it is the same at the two ends too."""

UNEVEN = "f changes its formula where the library does not see it: not at a rational radius, by some a r^k + b"
ENDLESS = "f has steps without end, by floor"
MANY_STEPS = 64


def in_pieces(e: Expr) -> bool:
    """Whether a maximum, a floor or a condition is part of it."""
    return e.kind in ("Max", "Floor", "Less") or any(map(in_pieces, e.parts))


def poly(e: Expr) -> Binomial | None:
    """`poly`: e as a x^k + b."""
    if e.kind == "Var":
        return Fraction(1), 1, Fraction(0)
    if e.kind in ("Int", "Rat"):
        return Fraction(0), 1, Fraction(*e.args)
    if e.kind == "Nat" and e.args[0] == VAR and e.args[1] > 0:
        return Fraction(1), e.args[1], Fraction(0)
    if e.kind not in ("Add", "Sub", "Mul", "Opp"):
        return None
    parts = [poly(part) for part in e.parts]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    if e.kind == "Opp":
        return opposite(known[0])
    (a, k, b), (c, j, d) = known if e.kind != "Sub" else (known[0], opposite(known[1]))
    if e.kind == "Mul":
        return (b * c, j, b * d) if not a else (d * a, k, d * b) if not c else None
    return (c, j, b + d) if not a else (a, k, b + d) if not c else (a + c, k, b + d) if k == j else None


def opposite(p: Binomial) -> Binomial:
    """-p."""
    return -p[0], p[1], -p[2]


def at(p: Binomial, x: Fraction) -> Fraction:
    """p(x)."""
    return p[0] * x ** p[1] + p[2]


def difference(e: Expr) -> Binomial:
    """What decides in a Max, a floor or a comparison."""
    p = poly(e.args[0] if e.kind == "Floor" else Expr("Sub", e.args[:2] if e.kind == "Max" else e.args[1:3]))
    if p is None:
        raise NotCovered(UNEVEN)
    return p


@dataclass(frozen=True, slots=True)
class Between:
    """`resolve`, from a radius to another or to infinity."""

    lo: Fraction
    hi: Fraction | None

    def not_positive(self, p: Binomial) -> bool:
        return at(p, self.lo) <= 0 and (p[0] <= 0 if self.hi is None else at(p, self.hi) <= 0)

    def below(self, p: Binomial) -> bool:
        return self.not_positive(p) and (p[0] != 0 or at(p, self.lo) < 0)

    def ends(self, p: Binomial, strict: bool) -> tuple[bool, bool]:
        """Whether p < 0, or p <= 0, at each of the two ends."""
        low, high = at(p, self.lo), None if self.hi is None else at(p, self.hi)
        if strict:
            return low < 0, high is None or high < 0
        return low <= 0, high is None or high <= 0

    def resolve(self, e: Expr) -> Resolved:
        match e.kind:
            case "Max":
                p = difference(e)
                if self.not_positive(p):
                    return self.resolve(e.args[1])
                if self.not_positive(opposite(p)):
                    return self.resolve(e.args[0])
                raise NotCovered(UNEVEN)
            case "Floor":
                return self.step(difference(e))
            case "Less":
                p, strict = difference(e), e.args[0]
                if self.below(p):
                    return self.also(self.ends(p, strict), e.args[3])
                if self.below(opposite(p)):
                    return self.also(self.ends(opposite(p), not strict), e.args[4])
                raise NotCovered(UNEVEN)
        parts = [self.resolve(part) for part in e.parts]
        done = iter(parts)
        args = tuple(next(done)[0] if isinstance(a, Expr) else a for a in e.args)
        return Expr(e.kind, args), all(p[1] for p in parts), all(p[2] for p in parts)

    def also(self, ends: tuple[bool, bool], e: Expr) -> Resolved:
        inner, left, right = self.resolve(e)
        return inner, ends[0] and left, ends[1] and right

    def step(self, p: Binomial) -> Resolved:
        if self.hi is None and p[0]:
            raise NotCovered(ENDLESS)
        z = min(at(p, self.lo).__floor__(), at(p, self.lo if self.hi is None else self.hi).__floor__())
        a, k, b = p
        over = (a, k, b - z - 1)
        if not (self.not_positive((-a, k, z - b)) and self.below(over)):
            raise NotCovered(UNEVEN)
        return (Expr("Int", (z,)), *self.ends(over, True))


def root(p: Binomial) -> Fraction | None:
    """The positive zero, None where there is none; raises NotCovered where it is not rational."""
    a, k, b = p
    if not a or not -b / a > 0:
        return None
    value = -b / a
    parts = [round(n ** (1 / k)) for n in (value.numerator, value.denominator)]
    found = Fraction(parts[0], max(parts[1], 1))
    if at(p, found) != 0:
        raise NotCovered(UNEVEN)
    return found


def breaks(e: Expr) -> set[Fraction]:
    """The radii at which the formula of f may change; of floors, those before the last of the others."""
    polys, floors = set[Binomial](), set[Binomial]()

    def collect(e: Expr) -> None:
        if e.kind in ("Max", "Less"):
            polys.add(difference(e))
        if e.kind == "Floor":
            floors.add(difference(e))
        for part in e.parts:
            collect(part)

    collect(e)
    found = {r for r in map(root, polys) if r is not None}
    last = max(found, default=Fraction(0))
    for a, k, b in floors:
        if a:
            first, final = sorted((at((a, k, b), Fraction(0)), at((a, k, b), last)))
            steps = range(first.__ceil__(), final.__floor__() + 1)
            if len(steps) > MANY_STEPS:
                raise NotCovered(f"f has more than {MANY_STEPS} steps")
            found |= {r for n in steps if (r := root((a, k, b - n))) is not None}
    return found


@dataclass(frozen=True, slots=True)
class Parts:
    """What `parts` holds in the Coq library."""

    near: int
    order: int
    split: bool
    junctions: tuple[Fraction, ...]
    far: int
    far_order: int
    depth: int


class PiecewisePlan:
    """The search for junctions and charts of an f in pieces that falls."""

    def __init__(self, generator: Expr, delta: Fraction, upper: Fraction) -> None:
        self.generator, self.delta, self.upper = generator, delta, upper
        changes = breaks(generator)
        self.changes = sorted(changes | {r - delta for r in changes if r > delta})
        self.tail = Plan(Between(self.changes[-1] if self.changes else Fraction(1), None).resolve(generator)[0], delta)

    def parts(self) -> Parts:
        far, far_order = self.tail.at_infinity(self.far_enough, "f is non-increasing and its loss within the bound")
        first = min([*self.changes, Fraction(1)])
        near, order, split = self.centre(first)
        inner = {Fraction(2) ** k for k in range(1 - near, far)}
        junctions = tuple(sorted(x for x in {*self.changes, *inner} if Fraction(1, 2**near) < x))
        return Parts(near, order, split, junctions, far, far_order, self.depth(near, junctions, far) + 3)

    def far_enough(self, end: End, slope: Terms) -> bool:
        return (
            end.start > 2 * max([*self.changes, Fraction(1)])
            and end.nonnegative(slope)
            and end.at_most(self.delta, self.upper, slope)
        )

    def centre(self, first: Fraction) -> tuple[int, int, bool]:
        e, ahead = self.pair(Fraction(0), first)
        beyond = Potential(ahead, True, self.delta).ahead
        for near, order, split in product(NEAR, ORDERS, (False, True)):
            if Fraction(1, 2**near) >= first:
                continue
            end, p = self.tail.end(near, order), Potential(e, split, self.delta)
            try:
                for step in p.steps:
                    end.zero(step)
                if end.nonnegative(end.zero(p.slope)) and end.at_most(
                    Fraction(1), self.upper, end.zero(Expr("Sub", (beyond, p.value)))
                ):
                    return near, order, split
            except Unknown:
                continue
        raise NotCovered("no model of the library at zero shows that f is non-increasing and its loss within the bound")

    def pair(self, lo: Fraction, hi: Fraction | None) -> tuple[Expr, Expr]:
        """f from lo to hi, and from lo + delta to hi + delta."""
        ahead = Between(lo + self.delta, None if hi is None else hi + self.delta)
        return Between(lo, hi).resolve(self.generator)[0], ahead.resolve(self.generator)[0]

    def spans(self, near: int, junctions: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, Fraction | None]]:
        yield from pairwise((Fraction(1, 2**near), *junctions))
        yield junctions[-1], None

    def loss(self, e: Expr, ahead: Expr) -> Expr:
        return Expr("Sub", (Potential(ahead, True, self.delta).ahead, Potential(e, True, self.delta).value))

    def depth(self, near: int, junctions: tuple[Fraction, ...], far: int) -> int:
        deepest = 0
        bound = Expr("Rat", (self.upper.numerator, self.upper.denominator))
        for lo, hi in self.spans(near, junctions):
            e, ahead = self.pair(lo, hi)
            box = (lo, Fraction(2**far) if hi is None else hi)
            here, there = Potential(e, True, self.delta), Potential(ahead, True, self.delta)
            room = Expr("Sub", (bound, Expr("Sub", (there.ahead, here.value))))
            tests = [defined(here), defined(there, self.delta), at_least_0(here.slope), at_least_0(room)]
            deepest = max(deepest, self.tail.halve([box], *tests))
        self.check_junctions(near, junctions, bound)
        return deepest

    @staticmethod
    def joins(room: Expr, c: Fraction) -> bool:
        return Plan.holds(lambda a, _: enclose(room, interval(a)).lo >= 0, c, c)

    def check_junctions(self, near: int, junctions: tuple[Fraction, ...], bound: Expr) -> None:
        """f falls across each, and where its value there is that of the left, the loss up to the right is within."""
        spans = list(self.spans(near, junctions))
        for (lo, c), (_, hi) in pairwise(spans):
            assert c is not None
            left, _, right_end = Between(lo, c).resolve(self.generator)
            right, left_end, _ = Between(c, hi).resolve(self.generator)
            ahead = self.pair(c, hi)[1]
            room = Expr("Sub", (bound, self.loss(left, ahead)))
            gap = Expr("Sub", (Potential(right, True, self.delta).value, Potential(left, True, self.delta).value))

            def rises(x: Fraction, _: Fraction, gap: Expr = gap) -> bool:
                return enclose(gap, interval(x)).lo >= 0

            joined = (right_end and left_end) or ((right_end or left_end) and Plan.holds(rises, c, c))
            if not joined or not (left_end or self.joins(room, c)):
                raise NotCovered("where its pieces meet, f is not shown to fall with its loss within the bound")

    def witness(self, lower: Fraction, points: list[Fraction]) -> tuple[Fraction, Fraction, Fraction]:
        """A radius at which the loss comes up to the lower bound, and two between which f does not change."""
        nudge = Fraction(1, 2**56)
        around = [x + s for x in self.changes for s in (-nudge, nudge)]
        for point in [*points, *around, *(Fraction(2) ** k for k in range(-8, 48, 2))]:
            if point <= 0 or point in self.changes:
                continue
            lo = max([x for x in self.changes if x < point], default=point / 2)
            hi = min([x for x in self.changes if x > point], default=2 * point)
            here, there = (Potential(e, True, self.delta) for e in self.pair(lo, hi))
            if Plan.holds(self.reaches(here, there, lower), point, point):
                return lo, hi, point
        raise NotCovered("the library's intervals do not bring the loss up to the lower bound")

    def reaches(self, here: Potential, there: Potential, lower: Fraction) -> Callable[[Fraction, Fraction], bool]:
        loss = Expr("Sub", (there.ahead, here.value))

        def test(x: Fraction, _: Fraction) -> bool:
            for p, radius in ((here, x), (there, x + self.delta)):
                for step in p.steps:
                    enclose(step, interval(radius))
            return (enclose(loss, interval(x)) - lower).lo >= 0

        return test


def defined(p: Potential, shift: Fraction = Fraction(0)) -> Callable[[Fraction, Fraction], bool]:
    """`steps_on`: every step has an enclosure on a box, moved by the shift."""
    return lambda a, b: all(enclose(step, hull_of(a + shift, b + shift)) is not None for step in p.steps)


def at_least_0(e: Expr) -> Callable[[Fraction, Fraction], bool]:
    """`at_least_0`: on a box, by its mean value form at need."""
    slope = derivative(e)

    def test(a: Fraction, b: Fraction) -> bool:
        box, middle = hull_of(a, b), interval((a + b) / 2)
        if enclose(e, box).lo >= 0:
            return True
        try:
            return (enclose(e, middle) + enclose(slope, box) * (box - middle)).lo >= 0
        except (Unknown, Undefined):
            return False

    return test
