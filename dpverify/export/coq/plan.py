"""Choosing what the library's check needs: two radii, how finely to cut between them, and a witness.

The choice is tried out with intervals of our own first, so that an export is written only where Coq
will accept it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from dpverify.export.coq.enclosure import Unknown, enclose, hull_of
from dpverify.export.coq.expression import VAR, Expr, combine, derivative, integer, ln, logarithm, sides, substitute
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.interval import Interval, Undefined, interval
from dpverify.export.coq.model import End
from dpverify.export.coq.terms import Terms, negative

NEAR = (5, 8, 16, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
FAR = (5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256)
ORDERS = (3, 6)
MAX_BOXES, MAX_DEPTH = 6_000, 60


@dataclass(frozen=True, slots=True)
class Charts:
    """(0, 2^-near] by a model at zero, boxes to 2^far, a model at infinity beyond; the orders of the models."""

    near: int
    near_order: int
    split_zero: bool
    far: int
    far_order: int
    fuel: int = 0


@dataclass(frozen=True, slots=True)
class Mass:
    """An end at which r^d f(r^2), times some logarithms more, stays above a positive number."""

    exponent: int
    order: int
    logarithms: int
    split: bool
    centre: bool


class Potential:
    """g = -log f(r^2) as Coq will write it, with `split` in one of its two ways."""

    def __init__(self, generator: Expr, split: bool, delta: Fraction) -> None:
        log = logarithm(split, generator)
        self.value = combine(Expr("Opp", (log,)))
        self.slope = derivative(self.value)
        self.bend = derivative(self.slope)
        self.steps = [self.value, log, *sides(split, generator)]
        self.ahead = substitute(self.value, Expr("Add", (VAR, delta_of(delta))))


def delta_of(delta: Fraction) -> Expr:
    """delta as a quotient, even where it is whole."""
    return Expr("Rat", (delta.numerator, delta.denominator))


def vanishing_factors(e: Expr) -> Iterator[Expr]:
    """`vanishes_with`: the parts of e with which e vanishes."""
    yield e
    if e.kind in ("Mul", "Opp", "Sqrt", "Nat") or (e.kind == "Pow" and e.args[1] > 0):
        for part in e.parts:
            yield from vanishing_factors(part)


def within(x: Interval, bound: Fraction) -> bool:
    """Whether |x| is at most the bound."""
    return (x - bound).hi <= 0 and (x + bound).lo >= 0


def halved(test: Callable[[Fraction, Fraction], bool], a: Fraction, b: Fraction, fuel: int) -> bool:
    """Whether the test holds on [a, b], or on all parts after at most `fuel` halvings."""
    if Plan.holds(test, a, b):
        return True
    middle = (a + b) / 2
    return fuel > 0 and halved(test, a, middle, fuel - 1) and halved(test, middle, b, fuel - 1)


class Plan:
    """The search for charts and a witness for one generator."""

    def __init__(self, generator: Expr, delta: Fraction) -> None:
        self.generator, self.delta = generator, delta
        self.potential = {split: Potential(generator, split, delta) for split in (False, True)}
        self.whole = self.potential[True]
        self.phi = {s: Expr("Sub", (self.whole.ahead, p.value)) for s, p in self.potential.items()}
        self.dphi = derivative(self.phi[True])
        self.ends: dict[tuple[int, int], End] = {}

    def end(self, exponent: int, order: int) -> End:
        key = exponent, order
        if key not in self.ends:
            self.ends[key] = End(2**exponent, order)
        return self.ends[key]

    # ---- the two ends

    def at_infinity(self, accept: Callable[[End, Terms], bool], what: str) -> tuple[int, int]:
        """The least exponent, and an order, from which on the slope's model does what is asked."""
        for far, order in itertools.product(FAR, ORDERS):
            end = self.end(far, order)
            try:
                for step in self.whole.steps:
                    end.infinity(step)
                if accept(end, end.infinity(self.whole.slope)):
                    return far, order
            except Unknown:
                continue
        raise NotCovered(f"no model of the library at infinity shows that {what}")

    def at_zero(self, accept: Callable[[End, Potential, bool], bool], what: str) -> tuple[int, int, bool]:
        for near, order in itertools.product(NEAR, ORDERS):
            if Fraction(1, 2**near) > self.delta:
                continue
            end = self.end(near, order)
            for split in (False, True):
                try:
                    for step in self.potential[split].steps:
                        end.zero(step)
                    if accept(end, self.potential[split], split):
                        return near, order, split
                except Unknown:
                    continue
        raise NotCovered(f"no model of the library at zero shows that {what}")

    # ---- between

    def between(self, charts: Charts, *tests: Callable[[Fraction, Fraction], bool]) -> Charts:
        """The charts with fuel for the boxes on which every test holds."""
        fuel = self.halve(self.cuts(charts), *tests) + 3
        return replace(charts, fuel=fuel)

    def halve(self, boxes: Iterable[tuple[Fraction, Fraction]], *tests: Callable[[Fraction, Fraction], bool]) -> int:
        """How often boxes are halved until every test holds on all."""
        depth, count = 0, 0
        for a, b in boxes:
            stack = [(a, b, 0, tests)]
            while stack:
                a, b, level, left = stack.pop()
                failed = tuple(test for test in left if not self.holds(test, a, b))
                count, depth = count + 1, max(depth, level)
                if not failed:
                    continue
                if level == MAX_DEPTH or count > MAX_BOXES:
                    raise NotCovered(f"between the two ends the library's intervals need more than {MAX_BOXES} boxes")
                middle = (a + b) / 2
                stack += [(a, middle, level + 1, failed), (middle, b, level + 1, failed)]
        return depth

    @staticmethod
    def holds(test: Callable[[Fraction, Fraction], bool], a: Fraction, b: Fraction) -> bool:
        try:
            return test(a, b)
        except (Unknown, Undefined):
            return False

    @staticmethod
    def cuts(charts: Charts) -> Iterator[tuple[Fraction, Fraction]]:
        for k in range(-charts.near, charts.far):
            yield Fraction(2) ** k, Fraction(2) ** (k + 1)

    def defined(self, a: Fraction, b: Fraction) -> bool:
        box = hull_of(a, b)
        return all(enclose(step, box) is not None for step in self.whole.steps)

    def falls(self, a: Fraction, b: Fraction) -> bool:
        """`falls_test`: by the slope, or by its mean value form."""
        box, middle = hull_of(a, b), interval((a + b) / 2)
        if self.holds(lambda a, b: enclose(self.whole.slope, hull_of(a, b)).lo >= 0, a, b):
            return True
        return (enclose(self.whole.slope, middle) + enclose(self.whole.bend, box) * (box - middle)).lo >= 0

    def bounded(self, upper: Fraction) -> Callable[[Fraction, Fraction], bool]:
        delta = interval(self.delta)

        def test(a: Fraction, b: Fraction) -> bool:
            try:
                if (enclose(self.whole.slope, hull_of(a, b + self.delta)) * delta - upper).hi <= 0:
                    return True
            except Unknown:
                pass
            return (self.longest(a, b) - upper).hi <= 0

        return test

    # ---- the verdicts

    def private(self, upper: Fraction) -> Charts:
        def near_zero(end: End, p: Potential, split: bool) -> bool:
            return end.nonnegative(end.zero(p.slope)) and end.at_most(Fraction(1), upper, end.zero(self.phi[split]))

        def near_infinity(end: End, slope: Terms) -> bool:
            return end.nonnegative(slope) and end.at_most(self.delta, upper, slope)

        near = self.at_zero(near_zero, "f is non-increasing and its loss within the bound")
        far = self.at_infinity(near_infinity, "f is non-increasing and its loss within the bound")
        return self.between(Charts(*near, *far), self.defined, self.falls, self.bounded(upper))

    def falling(self) -> Charts:
        """Charts for f that is positive and non-increasing."""
        near = self.at_zero(lambda end, p, _: end.nonnegative(end.zero(p.slope)), "f is non-increasing")
        far = self.at_infinity(lambda end, slope: end.nonnegative(slope), "f is non-increasing")
        return self.between(Charts(*near, *far), self.defined, self.falls)

    def modulus(self, upper: Fraction) -> tuple[Charts, list[int]]:
        """Charts for Theorem A's bound, and where to cut (0, delta] ahead of the centre, in units of 2^-near."""
        ahead: list[int] = []

        def near_zero(end: End, p: Potential, _: bool) -> bool:
            span = end.span(end.zero(p.value))
            if span is None or not within(span - span, upper):
                return False
            last = -((-self.delta * end.start) // 1) + 1
            ahead[:] = [*(2**k for k in range(1, last.bit_length()) if 2**k < last), last]
            cuts = [Fraction(n, end.start) for n in (1, *ahead)]
            try:
                self.halve(itertools.pairwise(cuts), lambda a, b: within(self.value(a, b) - span, upper))
            except NotCovered:
                return False
            return True

        def near_infinity(end: End, slope: Terms) -> bool:
            return end.at_most(self.delta, upper, slope) and end.at_most(self.delta, upper, negative(slope))

        near = self.at_zero(near_zero, "its loss is within the bound")
        far = self.at_infinity(near_infinity, "its loss is within the bound")
        return self.between(Charts(*near, *far), self.defined, self.within_shifts(upper)), ahead

    def value(self, a: Fraction, b: Fraction) -> Interval:
        return enclose(self.whole.value, hull_of(a, b))

    def within_shifts(self, upper: Fraction) -> Callable[[Fraction, Fraction], bool]:
        """`middle_test`: the loss on a box for every shift, by its slope or by boxes of shifts."""
        delta = self.delta

        def steep(a: Fraction, b: Fraction) -> bool:
            return within(enclose(self.whole.slope, hull_of(a, b + delta)) * delta, upper)

        def shift(a: Fraction, b: Fraction, h: Fraction, k: Fraction) -> bool:
            box = hull_of(a, b)
            loss = enclose(self.whole.value, box + hull_of(h, k)) - enclose(self.whole.value, box)
            if within(loss, upper):
                return True
            rest = enclose(self.whole.slope, hull_of(box + h, box + delta))
            longest = self.longest(a, b)
            if (loss - upper).hi <= 0:
                return rest.hi <= 0 and (longest + upper).lo >= 0
            return (loss + upper).lo >= 0 and rest.lo >= 0 and (longest - upper).hi <= 0

        def test(a: Fraction, b: Fraction) -> bool:
            return self.holds(steep, a, b) or halved(lambda h, k: shift(a, b, h, k), Fraction(0), delta, 4)

        return test

    def longest(self, a: Fraction, b: Fraction) -> Interval:
        box, middle = hull_of(a, b), interval((a + b) / 2)
        return enclose(self.phi[True], middle) + enclose(self.dphi, box) * (box - middle)

    def witness(self, charts: Charts, lower: Fraction, points: list[Fraction]) -> tuple[str, Fraction | None]:
        """Where the loss comes up to the lower bound: a point, or an end."""
        ends = [Fraction(1, 2**charts.near), *(Fraction(2) ** k for k in range(4, charts.far + 60, 4))]
        for point in points + ends:
            if point * 2**charts.near >= 1 and self.holds(self.reaches(lower), point, point):
                return "point", point
        try:
            end = self.end(charts.far, charts.far_order)
            if end.limit_at_least(self.delta, lower, end.infinity(self.whole.slope)):
                return "infinity", None
        except Unknown:
            pass
        try:
            end = self.end(charts.near, charts.near_order)
            if end.limit_at_least(Fraction(1), lower, end.zero(self.phi[charts.split_zero])):
                return "zero", None
        except Unknown:
            pass
        raise NotCovered("the library's intervals do not bring the loss up to the lower bound")

    def two_radii(self, lower: Fraction, radius: Fraction, shift: Fraction) -> tuple[Fraction, Fraction]:
        """`between_two`: s and t within delta with f(t^2) <= e^-lower f(s^2), either of them the longer one."""
        for s, t in ((radius, radius + shift), (radius + shift, radius)):

            def reaches(s: Fraction, t: Fraction) -> bool:
                loss = enclose(self.whole.value, interval(t)) - enclose(self.whole.value, interval(s))
                return self.defined(s, s) and self.defined(t, t) and (loss - lower).lo >= 0

            if s > 0 and t > 0 and self.holds(reaches, s, t):
                return s, t
        raise NotCovered("the library's intervals do not bring the loss up to the lower bound")

    def reaches(self, lower: Fraction) -> Callable[[Fraction, Fraction], bool]:
        return lambda a, _: (enclose(self.phi[True], interval(a)) - lower).lo >= 0

    def unbounded(self, where: str) -> Charts:
        """Charts for f with an unbounded loss: in the tail, at a pole, or at a zero of f at its centre."""

        def near_zero(end: End, p: Potential, _: bool) -> bool:
            if where == "tail":
                return True
            model = end.zero(p.value)
            return end.grows(negative(model) if where == "pole" else model)

        def near_infinity(end: End, slope: Terms) -> bool:
            return where != "tail" or end.grows(slope)

        positive = "f is positive"
        near = self.at_zero(near_zero, {"pole": "f has a pole", "zero": "f vanishes"}.get(where, positive))
        far = self.at_infinity(near_infinity, "the loss grows without bound" if where == "tail" else positive)
        return self.between(Charts(*near, *far), self.defined)

    # ---- no density

    def negative(self, box: tuple[Fraction, Fraction]) -> Fraction:
        """A short number in the box at which f < 0."""
        middle = (box[0] + box[1]) / 2
        for bits in (8, 24, 60):
            point = Fraction(round(middle * 2**bits), 2**bits)
            if point > 0 and self.holds(lambda a, _: enclose(self.generator, interval(a)).hi < 0, point, point):
                return point
        raise NotCovered("the library's intervals do not show f < 0 at the checker's point")

    def touches(self, box: tuple[Fraction, Fraction]) -> tuple[Expr, int, int, int, int]:
        """`touches`: a factor, the radii between which its sign changes and one at which f > 0, and their unit."""
        unit = 2**60
        low, high = (box[0] * unit).__floor__(), (box[1] * unit).__ceil__()
        reach = int(min(self.delta, (box[0] + box[1]) / 4) * unit) - (high - low)
        others = [middle + sign * reach // part for middle in (low,) for part in (1, 2, 7) for sign in (1, -1)]

        def value(e: Expr, a: int, b: int) -> Interval:
            return enclose(e, hull_of(Fraction(a, unit), Fraction(b, unit)))

        def changes(factor: Expr) -> bool:
            value(factor, low, high)
            return (value(factor, low, low) * value(factor, high, high)).hi < 0

        def is_positive(s: int) -> bool:
            near = (high - s) <= self.delta * unit and (s - low) <= self.delta * unit
            return s > 0 and near and value(self.generator, s, s).lo > 0

        for factor in vanishing_factors(self.generator):
            if low > 0 and self.holds(lambda *_, e=factor: changes(e), box[0], box[1]):
                for s in others:
                    if self.holds(lambda *_, s=s: is_positive(s), box[0], box[1]):
                        return factor, low, high, s, unit
        raise NotCovered(
            "the library does not show that f vanishes within the sensitivity of a radius where it does not"
        )

    def mass(self, dimension: int, split: bool, centre: bool, logarithms: int) -> Expr:
        """`mass`: the logarithm of r^d f(r^2), and of so many logarithms more."""
        log: Expr = Expr("Opp", (ln(VAR),)) if centre else ln(VAR)
        result = Expr("Add", (logarithm(split, self.generator), Expr("Mul", (integer(dimension), ln(VAR)))))
        for _ in range(logarithms):
            log = ln(log)
            result = Expr("Add", (result, log))
        return result

    def heavy(self, dimension: int) -> Mass:
        """The end at which the integral of f is infinite."""
        for centre in (False, True):
            for split in (False, True) if centre else (True,):
                steps = [logarithm(split, self.generator), *sides(split, self.generator)]
                for logarithms in range(2 if centre else 3):
                    mass = self.mass(dimension, split, centre, logarithms)
                    for exponent, order in itertools.product(NEAR if centre else FAR, ORDERS):
                        end = self.end(exponent, order)
                        model = end.zero if centre else end.infinity
                        try:
                            for step in steps:
                                model(step)
                            if end.bounded_below(model(mass)):
                                return Mass(exponent, order, logarithms, split, centre)
                        except Unknown:
                            continue
        raise NotCovered("no model of the library shows the integral of f infinite")
