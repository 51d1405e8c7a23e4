"""Space, d = 3, for a profile's export: curves near the boundary of S = {p > e^eps q}, and where they begin and end.

At the radius r = |x| the distances t = |x - u| lie between |r - s| and r + s, and those in S beyond a boundary b(r).
Where it lies before |r - s| all of the sphere is in S, where it lies beyond r + s nothing is. Between, a polynomial M
is found a little above the boundary. Numbers are found about; where M lies is tried out as Coq will do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, cos, floor, log2, pi

from dpverify.export.coq.enclosure import enclose, hull_of
from dpverify.export.coq.expression import VAR, Expr, derivative, substitute
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.interval import interval
from dpverify.export.coq.line import ABOVE, BELOW, Line, Piece, Side
from dpverify.export.coq.numbers import about, integral, number
from dpverify.export.coq.plan import Plan, delta_of
from dpverify.export.coq.sums import above

WHOLE, NONE, OVER, CURVE = "whole", "none", "over", "curve"
SLIM, SLENDER = 22, 18
"""2^-SLIM is apart at each side of a radius where the boundary leaves the spheres, 2^-SLENDER where it enters."""
GRADES = (5, 11)
"""Before the boundary leaves the spheres curves are cut 2^-k from there, since they have to keep within."""
DEGREES = (1, 2, 3, 4, 5, 6, 8)
HALF = Expr("Rat", (1, 2))
COARSEST, MOST_PIECES = Fraction(1, 2**8), 60


@dataclass(frozen=True, slots=True)
class Curve:
    """M and its slope; M - width lies on the other side of the boundary, or is nearer than any point.

    At M the loss is at most the level.
    """

    value: Expr
    width: Fraction
    level: Fraction
    near: bool = False

    @property
    def slope(self) -> Expr:
        return derivative(self.value)


@dataclass(frozen=True, slots=True)
class Part:
    """Radii from start to end, in units, of one kind; `over` has a level that the largest loss keeps to."""

    start: int
    end: int
    kind: str
    fuel: int
    curve: Curve | None = None
    level: Fraction = Fraction(0)


class Space:
    """The parts of all radii up to one, for one eps; budget is what curves may cost together."""

    def __init__(self, plan: Plan, line: Line, near: int, epsilon: Fraction, budget: Fraction) -> None:
        self.plan, self.line, self.unit, self.epsilon, self.budget = plan, line, line.unit, epsilon, budget / 16
        self.shift, self.centre = plan.delta, Expr("Rat", (1, 2**near))
        self.far, self.near = (Side(plan, self.unit, right, epsilon) for right in (False, True))
        self.level = Expr("Exp", (Expr("Rat", (epsilon.numerator, epsilon.denominator)),))
        self.growth = number(self.level, Fraction(0))

    # ---- where the parts are

    def parts(self, radius: int) -> list[Part]:
        """The parts from 0 to the radius."""
        found: list[Part] = []
        for start, end, kind in self.outline(radius):
            found += self.curves(start, end) if kind == CURVE else [self.part(start, end, kind)]
        if len(found) > MOST_PIECES:
            raise NotCovered("the boundary needs too many pieces")
        return found

    def outline(self, radius: int) -> Iterator[tuple[int, int, str]]:
        """Start, end and kind: stretches between the marks, and thin ones where the kind changes."""
        marks = self.line.marks(Fraction(radius))
        half = int(self.shift * self.unit / 2)
        inner = [*(m for m in marks if m < half), half]
        scale = int(min(self.shift, Fraction(1)) * self.unit)
        thin = [(n, scale >> SLIM, OVER) for n in self.far.crossings(marks)]
        thin += [(n, scale >> SLENDER, "near") for n in self.near.crossings(inner)]
        start = 0
        for middle, width, kind in [*sorted(thin), (marks[-1], 0, "")]:
            end = max(start, middle - width)
            grades = [middle - (scale >> k) for k in GRADES] if kind == OVER else []
            before = [n for n, _, k in thin if k == OVER and n < start]
            grades += [n + (scale >> k) for n in before[-1:] for k in GRADES]
            cuts = sorted({start, end, *(m for m in [*marks, half, *grades] if start < m < end)})
            for a, b in pairwise(cuts):
                yield a, b, self.state((a + b) // 2)
            start = min(middle + width, marks[-1])
            if end < start:
                yield end, start, kind

    def state(self, n: int) -> str:
        """What the sphere of a radius has of S."""
        if 2 * n < self.shift * self.unit and self.near.above(n):
            return WHOLE
        return CURVE if self.far.above(n) else NONE

    def part(self, start: int, end: int, kind: str) -> Part:
        if kind == "near":
            return self.slender(start, end)
        if kind == WHOLE:
            return Part(start, end, kind, self.near.fuel(Piece(start, end, ABOVE)))
        level = self.epsilon
        if kind == OVER:
            losses = [about(number(self.far.loss, Fraction(max(n, 1), self.unit))) for n in (start, end)]
            level = self.raised(max(losses) - self.epsilon)
        return Part(
            start, end, kind, Side(self.plan, self.unit, False, level).fuel(Piece(start, end, BELOW)), None, level
        )

    def raised(self, excess: Fraction) -> Fraction:
        """A short number above eps by at least twice the excess."""
        return self.epsilon + above(2 * excess, excess / 4)

    # ---- curves

    def slender(self, start: int, end: int) -> Part:
        """Where the boundary begins to cut the spheres: a number a little beyond it."""
        low, high = Fraction(start, self.unit), Fraction(end, self.unit)
        nearest, farthest = self.shift - high, max(self.shift - low, self.boundary(low), self.boundary(high))
        value = above(farthest + (farthest - nearest), (farthest - nearest) / 4)
        width = above(value - nearest + (high - low), (high - low) / 4)
        m = Expr("Rat", (value.numerator, value.denominator))
        return self.along(start, end, m, width, near=True)

    def curves(self, start: int, end: int) -> list[Part]:
        """One curve, or several where no polynomial comes near enough."""
        a, b = Fraction(start, self.unit), Fraction(end, self.unit)
        margin = self.margin(a, b)
        for degree in DEGREES:
            fit = self.fit(a, b, degree, margin)
            if fit is not None:
                return [self.along(start, end, fit, 2 * margin)]
        if (end - start) * 2**12 < self.unit:
            raise NotCovered("no polynomial comes near enough to the boundary")
        middle = (start + end) // 2
        return self.curves(start, middle) + self.curves(middle, end)

    def along(self, start: int, end: int, m: Expr, width: Fraction, near: bool = False) -> Part:
        a, b = Fraction(start, self.unit), Fraction(end, self.unit)
        loss = Expr("Sub", (substitute(self.plan.whole.value, m), self.plan.whole.value))
        excess = max(about(number(loss, a + (b - a) * k / 8)) for k in range(9)) - self.epsilon
        curve = Curve(m, width, self.raised(excess), near)
        return Part(start, end, CURVE, self.fuel(a, b, curve), curve)

    def boundary(self, r: Fraction) -> Fraction:
        """About b(r): where the loss is eps, by Newton's steps that keep between two bounds."""
        level = about(number(self.plan.whole.value, r)) + self.epsilon
        low, high = r, r + 2 * self.shift
        t = r + self.shift / 2
        for _ in range(200):
            gap = about(number(self.plan.whole.value, t)) - level
            low, high = (low, t) if gap > 0 else (t, high)
            slope = about(number(self.plan.whole.slope, t))
            last, t = t, t - gap / slope if slope > 0 else t
            if not low < t < high:
                t = (low + high) / 2
            t = Fraction(round(t * 2**160), 2**160)
            if abs(t - last) * 2**120 < 1:
                break
        return t

    def margin(self, a: Fraction, b: Fraction) -> Fraction:
        """How far above the boundary the curve may lie."""
        gaps = [r + self.shift - self.boundary(r) for r in (a, (a + b) / 2, b)]
        slope = max(about(number(self.plan.whole.slope, r)) for r in (a, b, b + self.shift))
        rate = (b - a) * b * (b + self.shift) * self.line.density(a) * 4 * slope
        most = min(min(gaps) / 4, COARSEST * min(self.shift, Fraction(1)))
        if most <= 0:
            raise NotCovered("the boundary leaves the spheres where it was not expected")
        by_cost = Fraction((self.budget / rate) ** 0.5) if rate > 0 else most
        return Fraction(2) ** floor(log2(min(most, by_cost)))

    def fit(self, a: Fraction, b: Fraction, degree: int, margin: Fraction) -> Expr | None:
        """A polynomial that is above the boundary by the margin, a quarter of it more or less."""
        half, bits = (b - a) / 2, 4 - floor(log2((b - a) / 2))
        middle = Fraction(round((a + half) * 2**bits), 2**bits)
        nodes = [a + half * (1 + Fraction(x)) for x in chebyshev(degree + 1)]
        steps = [x - middle for x in nodes]
        exact = interpolation(steps, [self.boundary(x) for x in nodes])
        fine = 6 - floor(log2(margin))
        width = max(abs(a - middle), abs(b - middle))
        coefficients = []
        for k, c in enumerate(exact):
            unit = Fraction(2) ** (fine + ceil(k * log2(width)))
            coefficients.append(Fraction(round(c * unit)) / unit)
        tried = [a, b, *((x + y) / 2 for x, y in pairwise(nodes))]
        errors = [abs(polynomial(coefficients, x - middle) - self.boundary(x)) for x in tried]
        if max(errors) > margin / 4:
            return None
        coefficients[0] += margin
        return powers(coefficients, middle)

    # ---- what Coq will test

    def fuel(self, a: Fraction, b: Fraction, curve: Curve) -> int:
        """`curve_ok`: how often the radii are halved until it is seen that the curve lies among the points."""
        m, s = curve.value, delta_of(self.shift)
        w = Expr("Rat", (curve.width.numerator, curve.width.denominator))
        conditions = [
            Expr("Sub", (m, Expr("Sub", (s, VAR)))),
            Expr("Sub", (m, Expr("Sub", (VAR, s)))),
            Expr("Sub", (Expr("Add", (VAR, s)), m)),
            Expr("Sub", (Expr("Sub", (m, w)), self.centre)),
            *([Expr("Sub", (Expr("Add", (w, Expr("Sub", (s, VAR)))), m))] if curve.near else []),
        ]

        def shown(e: Expr, a: Fraction, b: Fraction) -> bool:
            box, middle = hull_of(a, b), interval((a + b) / 2)
            if enclose(e, box).lo >= 0:
                return True
            return (enclose(e, middle) + enclose(derivative(e), box) * (box - middle)).lo >= 0

        tests = [self.plan.defined, *(lambda a, b, e=e: shown(e, a, b) for e in conditions)]
        return self.plan.halve([(a, b)], *tests) + 1

    # ---- numbers

    def curve_of(self, part: Part) -> Expr:
        """The part's curve, where there is no other the near or the far side of the spheres."""
        if part.curve is not None:
            return part.curve.value
        return (self.near if part.kind == WHOLE else self.far).across

    def along_of(self, part: Part) -> Expr:
        """`along_of`: what is integrated along a part's curve."""
        f, m = self.plan.generator, self.curve_of(part)
        slope = Expr("Int", (-1,)) if part.curve is None else part.curve.slope
        there = self.far.across
        squares = product(HALF, Expr("Sub", (Expr("Nat", (there, 2)), Expr("Nat", (m, 2)))))
        moved = Expr("Sub", (product(there, substitute(f, there)), product(product(m, slope), substitute(f, m))))
        weight = product(self.level, product(HALF, Expr("Nat", (VAR, 2))))
        return Expr("Add", (product(product(VAR, f), squares), product(weight, moved)))

    def step_of(self, last: Part, part: Part, n: int) -> Expr:
        """`step_of`: a step from one curve to the next, at an end in units, as an integral over [0, 1]."""
        r = Expr("Rat", (n, self.unit))
        t, u = (substitute(self.curve_of(p), r) for p in (last, part))
        way = Expr("Sub", (u, t))
        moment = substitute(product(VAR, self.plan.generator), Expr("Add", (t, product(way, VAR))))
        return product(Expr("Opp", (product(self.level, product(HALF, Expr("Nat", (r, 2)))),)), product(way, moment))

    def integral(self, part: Part) -> Fraction:
        """About the integral along a part's curve."""
        along = self.along_of(part)
        return integral(lambda r: number(along, r), Fraction(part.start, self.unit), Fraction(part.end, self.unit))

    def cost(self, part: Part) -> Fraction:
        """What a curve costs, or what may lie over the top."""
        a, b = Fraction(part.start, self.unit), Fraction(part.end, self.unit)
        if part.curve is None:
            return (b - a) * b**2 * 2 * self.shift * (part.level - self.epsilon) * self.line.density(a)
        excess = part.curve.level - self.epsilon
        return (b - a) * b * part.curve.width * (b + self.shift) * excess * self.line.density(a)

    def step(self, r: Fraction, t: Fraction, u: Fraction) -> Fraction:
        """About what a step from t to u adds."""
        moment = integral(lambda x: x * number(self.plan.generator, x), t, u)
        return -about(self.growth) * r**2 / 2 * moment

    def distance(self, part: Part, n: int) -> Fraction:
        """Where the part's curve is at an end."""
        r = Fraction(n, self.unit)
        if part.curve is not None:
            return about(number(part.curve.value, r))
        return self.shift - r if part.kind == WHOLE else r + self.shift


def product(a: Expr, b: Expr) -> Expr:
    """a b."""
    return Expr("Mul", (a, b))


def chebyshev(n: int) -> list[float]:
    """The n nodes of [-1, 1], in their order."""
    return [-cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]


def interpolation(xs: list[Fraction], ys: list[Fraction]) -> list[Fraction]:
    """The coefficients of the polynomial through the points, by Newton's divided differences."""
    table = list(ys)
    for k in range(1, len(xs)):
        for i in range(len(xs) - 1, k - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (xs[i] - xs[i - k])
    result = [Fraction(0)] * len(xs)
    for x, c in zip(reversed(xs), reversed(table), strict=True):
        result = [c - x * result[0], *(result[i - 1] - x * result[i] for i in range(1, len(xs)))]
    return result


def polynomial(coefficients: list[Fraction], x: Fraction) -> Fraction:
    """Its value."""
    result = Fraction(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def powers(coefficients: list[Fraction], middle: Fraction) -> Expr:
    """The polynomial in r - middle as an expression: a sum of powers, whose derivatives are as short."""
    result, *others = [Expr("Rat", (c.numerator, c.denominator)) for c in coefficients]
    step = Expr("Sub", (VAR, Expr("Rat", (middle.numerator, middle.denominator))))
    for k, c in enumerate(others, 1):
        result = Expr("Add", (result, Expr("Mul", (c, step if k == 1 else Expr("Nat", (step, k))))))
    return result
