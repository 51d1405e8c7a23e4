"""The integral of p^L q^(1-L) in two dimensions and more, in the coordinates of ellipses about both centres.

With r and b the distances of a point from 0 and from s e, P = r + b >= s and M = r - b, |M| <= s, the mean over spheres
is one over these, where e = (d - 3)/2 and c_d is the constant of the first coordinate of a uniform point of the sphere:

    integral of F(r)^L F(b)^(1-L) = c_d / (2 s (2s)^(2e)) integral of r b (P^2 - s^2)^e (s^2 - M^2)^e F(r)^L F(b)^(1-L).

Where F changes at k the lines r = k and b = k bound patches, whose sides are straight.  For even d
roots of P - s and s - |M| are made smooth by other coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise
from math import ceil
from typing import Any

from flint import acb, arb, ctx

from dpverify.enclosures import Undecided, exact, fraction_above
from dpverify.findings import Reason
from dpverify.prover.hellinger.ends import Ends
from dpverify.prover.hellinger.integrand import Logarithms, Pair, Tilt, with_octaves
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball, simple

MOST_MARKS, MOST_CELLS = 400, 6000
MOST_NODES = 32
PARTS = 256
"""Among how many cells what is allowed to be unknown is shared."""
ELLIPSES = tuple(map(Fraction, ("16", "7", "4", "5/2", "7/4", "11/8")))
"""Sums of half-axes of the ellipses on which the integrand is bounded, the interval being [-1, 1]."""
UNIT = Fraction(1)
Line = tuple[Fraction, Fraction]
"""M = a + b P."""


class Way:
    """A map t of [0, 1] onto itself; `power` is t^low (1 - t)^high t', smooth for the half-integer powers it is for."""

    def __init__(self, low: Fraction, high: Fraction) -> None:
        self.low, self.high = int(1 + 2 * low), int(1 + 2 * high)

    def at(self, x: Any) -> Any:
        """t at x."""
        return x

    def power(self, x: Any) -> Any:
        return 1


class FromLow(Way):
    """x^2."""

    def at(self, x: Any) -> Any:
        return x * x

    def power(self, x: Any) -> Any:
        return x**self.low * 2


class FromHigh(Way):
    """1 - (1 - x)^2."""

    def at(self, x: Any) -> Any:
        return x * (2 - x)

    def power(self, x: Any) -> Any:
        return (1 - x) ** self.high * 2


class FromBoth(Way):
    """(1 - cos(pi x))/2."""

    def at(self, x: Any) -> Any:
        return (1 - x.cos_pi()) / 2

    def power(self, x: Any) -> Any:
        half = x / 2
        return half.sin_pi() ** self.low * half.cos_pi() ** self.high * arb.pi()


def way(low: Fraction | None, high: Fraction | None) -> Way:
    """The map for powers at these ends, None where there is none."""
    kind = (FromBoth if high is not None else FromLow) if low is not None else Way if high is None else FromHigh
    return kind(low or Fraction(0), high or Fraction(0))


@dataclass(frozen=True)
class Side:
    """A side of a patch: M on it, and whether it is one of the ends -s and s."""

    line: Line
    natural: bool

    def at(self, p: Fraction) -> Fraction:
        return self.line[0] + self.line[1] * p

    def on(self, p: Any) -> Any:
        """The same on a ball."""
        return p * int(self.line[1]) + ball(self.line[0])


class Patch:
    """P between two numbers, M between two sides, and there the integrand, whose weight (P^2 - s^2)^e (s^2 - M^2)^e has
    its roots made smooth by the ways that P and M go."""

    def __init__(
        self, ends: tuple[Fraction, Fraction], sides: tuple[Side, Side], pair: Pair, radial: RadialWeight
    ) -> None:
        self.pair, self.s, self.d = pair, ball(radial.shift), radial.dimension
        self.e = Fraction(self.d - 3, 2)
        self.low, self.length = ball(ends[0]), ball(ends[1] - ends[0])
        self.left, self.right = (ball(side.line[0]) for side in sides)
        self.leftward, self.rightward = (int(side.line[1]) for side in sides)
        self.even = self.d % 2 == 0
        self.free = [side.natural for side in sides]
        self.first = ends[0] == radial.shift
        self._smoothed(ends, sides)

    def _smoothed(self, ends: tuple[Fraction, Fraction], sides: tuple[Side, Side]) -> None:
        """Both ways, and what does not depend on the point; the width between the sides is linear in P."""
        e, self.constant = self.e, self.length
        self.outward = self.across = way(None, None)
        if not self.even:
            return
        self.width_power = 1 + e * sum(self.free)
        first, last = (sides[1].at(q) - sides[0].at(q) for q in ends)
        self.varying = bool(first and last)
        low, high = (e if self.first else None), None
        if self.first:
            self.constant = self.constant * _raised(self.length, e)
        if not first:
            low = (low or Fraction(0)) + self.width_power
        if not last:
            high = self.width_power
        if not self.varying:
            self.constant = self.constant * _raised(ball(first or last), self.width_power)
        self.outward = way(low, high)
        self.across = way(*(e if natural else None for natural in self.free))

    def p(self, x: Any) -> Any:
        return self.low + self.length * self.outward.at(x)

    def sides(self, p: Any) -> tuple[Any, Any]:
        """M on both sides."""
        return p * self.leftward + self.left, p * self.rightward + self.right

    def m(self, p: Any, y: Any) -> Any:
        low, high = self.sides(p)
        return low + (high - low) * self.across.at(y)

    def weight_of_p(self, p: Any, x: Any) -> Any:
        """What of the weight, and of the derivatives of P by x and M by y, depends on P alone."""
        low, high = self.sides(p)
        if not self.even:
            return ((p * p - self.s * self.s) ** int(self.e)) * (high - low) * self.constant
        found = _raised(p + self.s, self.e) * self.constant * self.outward.power(x)
        if not self.first:
            found = found * _raised(p - self.s, self.e)
        return found * _raised(high - low, self.width_power) if self.varying else found

    def weight_of_m(self, m: Any, y: Any) -> Any:
        """And what is left."""
        if not self.even:
            return (self.s * self.s - m * m) ** int(self.e)
        found = self.across.power(y)
        for natural, off in zip(self.free, (self.s + m, self.s - m), strict=True):
            if not natural:
                found = found * _raised(off, self.e)
        return found

    def around(self, x: Any, y: Any, middle: tuple[arb, arb]) -> Any:
        """The integrand on balls of both coordinates, about a point."""
        p0 = self.p(middle[0])
        m0 = self.m(p0, middle[1])
        p = self.p(x)
        m = self.m(p, y)
        r, b = (p + m) / 2, (p - m) / 2
        ways = [((p - p0) / 2, 1, 1), ((m - m0) / 2, 1, -1)]
        found = self.pair.on((r, b), ((p0 + m0) / 2, (p0 - m0) / 2), ways)
        return found * self.weight_of_p(p, x) * self.weight_of_m(m, y) * r * b


@dataclass(frozen=True)
class Cell:
    """A rectangle of a patch, both of whose coordinates run through [0, 1]."""

    patch: Patch
    x: tuple[Fraction, Fraction]
    y: tuple[Fraction, Fraction]

    def halves(self, by_x: bool, by_y: bool) -> Iterator[Cell]:
        xs, ys = (_halved(ends) if halve else [ends] for ends, halve in ((self.x, by_x), (self.y, by_y)))
        return (Cell(self.patch, x, y) for x in xs for y in ys)


class Space:
    """Integrals over space of f(x^2) and f(|x - s e|^2), f divided by e^size, in units of the sphere."""

    def __init__(self, radial: RadialWeight, tick: Callable[[], None]) -> None:
        self.radial, self.s, self.d, self.tick = radial, radial.shift, radial.dimension, tick
        self.ends, self.logs = Ends(radial), Logarithms(radial)
        self.power = Fraction(self.d - 3, 2)

    def integral(self, tilt: Tilt, error: arb) -> arb:
        """The integral, known to about an error; it may be wider.  Raises Undecided where nothing is known."""
        first = max(8 * simple(self.radial.peak, 2), 16 * self.s)
        end, total = self.ends.cut(tilt, error, first, lambda p: ((p - self.s) / 2, (p + self.s) / 2))
        total += self.ends.beside_breaks(tilt)
        return total + self._cells(tilt, end, error / self.unit) * self.unit

    @property
    def unit(self) -> arb:
        """c_d/(2 s (2s)^(2e))."""
        half, s = arb(self.d) / 2, ball(self.s)
        constant = half.gamma() / ((half - arb(1) / 2).gamma() * arb.pi().sqrt())
        return constant / (2 * s * (2 * s) ** (self.d - 3))

    def _patches(self, tilt: Tilt, end: Fraction) -> Iterator[Patch]:
        s = self.s
        kinks = [k for k in self.radial.breaks if 2 * k < end + s]
        marks = {2 * k + x for k in kinks for x in (s, -s)} | {j + k for j in kinks for k in kinks}
        start = max(s, simple(self.radial.peak, 2))
        kept = with_octaves(marks, (s, end), start, MOST_MARKS)
        for a, b in pairwise(kept):
            yield from self._across(tilt, kinks, (a, b))

    def _across(self, tilt: Tilt, kinks: Sequence[Fraction], ends: tuple[Fraction, Fraction]) -> Iterator[Patch]:
        s, (a, b) = self.s, ends
        p = (a + b) / 2
        sides = {Side((x, Fraction(0)), True) for x in (-s, s)}
        for k in kinks:
            sides |= {Side(line, False) for line in ((2 * k, -UNIT), (-2 * k, UNIT))}
        inside = sorted((x for x in sides if -s <= x.at(p) <= s), key=lambda x: (x.at(p), x.natural))
        for left, right in pairwise(inside):
            m = (left.at(p) + right.at(p)) / 2
            if left.at(p) < right.at(p):
                here, there = ((p + x) / 2 for x in (m, -m))
                if self.logs.beside_break(here, here) or self.logs.beside_break(there, there):
                    continue  # counted by itself
                pair = Pair(self.logs.around(here, here), self.logs.around(there, there), tilt)
                yield Patch(ends, (left, right), pair, self.radial)

    def _cells(self, tilt: Tilt, end: Fraction, error: arb) -> arb:
        total, share, seen = arb(0), error / PARTS, 0
        waiting = [Cell(patch, (Fraction(0), UNIT), (Fraction(0), UNIT)) for patch in self._patches(tilt, end)]
        while waiting:
            cell = waiting.pop()
            self.tick()
            seen += 1
            if seen > MOST_CELLS:
                raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
            by_x, by_y = self._nodes(cell, share, 0), self._nodes(cell, share, 1)
            if by_x is not None and by_y is not None:
                total += self._by_gauss(cell, by_x[0], by_y[0]) + arb(0, by_x[1] + by_y[1])
                continue
            bound = self._bound(cell, tilt)
            if bound < share:
                total += arb(0, bound)
                continue
            waiting += cell.halves(by_x is None, by_y is None)
        return total

    def _bound(self, cell: Cell, tilt: Tilt) -> arb:
        """At least what a cell holds, by its values on a box about it; about a centre by spheres."""
        s, patch = ball(self.s), cell.patch
        ps = [patch.p(ball(x)) for x in cell.x]
        corners = [patch.m(p, ball(y)) for p in ps for y in cell.y]
        low, high = reduce(arb.min, corners).lower().max(-s), reduce(arb.max, corners).upper().min(s)
        (p0, p1) = ps[0].lower().max(s), ps[1].upper()
        r1, b1 = ((p1 + high) / 2).upper(), ((p1 - low) / 2).upper()
        middles = (p0 + p1) / 2, (low + high) / 2
        p, m = p0.union(p1), low.union(high)
        ways = [((p - middles[0]) / 2, 1, 1), ((m - middles[1]) / 2, 1, -1)]
        radii = acb((p + m) / 2), acb((p - m) / 2)
        value = patch.pair.on(radii, ((middles[0] + middles[1]) / 2, (middles[0] - middles[1]) / 2), _complex(ways))
        most = abs(value) * r1 * b1 * self._measure((p0, p1), (low, high))
        if most.is_finite():
            return most.upper()
        near = r1.min(b1).upper()
        if not near * 2 < s:
            return arb.pos_inf()
        try:
            return (self.ends.left_out(tilt, fraction_above(near)) / self.unit).upper()
        except Undecided:
            return arb.pos_inf()

    def _measure(self, ps: tuple[arb, arb], ms: tuple[arb, arb]) -> arb:
        """At least the integral of (P^2 - s^2)^e (s^2 - M^2)^e over a box."""
        s, (p0, p1), (low, high) = ball(self.s), ps, ms
        if self.d == 2:
            outward = [((p / s).max(arb(1))).acosh() for p in ps]
            angles = [(m / s).min(arb(1)).max(arb(-1)).asin() for m in ms]
            return (outward[1] - outward[0]) * (angles[1] - angles[0])
        return (p1 * p1 * s * s) ** ball(self.power) * (p1 - p0) * (high - low)

    def _nodes(self, cell: Cell, share: arb, way: int) -> tuple[int, arb] | None:
        """How many of Gauss's nodes serve along x or y, and at least the error of these: (n, error)."""
        best: tuple[int, arb] | None = None
        for size in ELLIPSES:
            most = self._whole(cell, size if way == 0 else 0, size if way == 1 else 0)
            if not most.is_finite():
                continue
            if most == 0:
                return 1, arb(0)
            rho = arb(exact(size))
            count = (4 * most / share / (rho - 1)).log() / rho.log()
            n = max(1, ceil((float(count.upper()) + 1) / 2))
            if n <= MOST_NODES and (best is None or n < best[0]):
                best = n, (4 * most / rho ** (2 * n - 1) / (rho - 1)).upper()
            elif best is not None:
                break
        return best

    def _whole(self, cell: Cell, x: Fraction | int, y: Fraction | int) -> arb:
        """At least the cell's area times the integrand, on ellipses about its sides of such a sum of half-axes; 0 for
        the sides themselves."""
        xs, ys = _ellipse(*cell.x, x), _ellipse(*cell.y, y)
        area = exact((cell.x[1] - cell.x[0]) * (cell.y[1] - cell.y[0]))
        try:
            value = cell.patch.around(xs, ys, tuple(ball(sum(side) / 2) for side in (cell.x, cell.y)))  # type: ignore[arg-type]
        except (ZeroDivisionError, ValueError):
            return arb.pos_inf()
        most = abs(value) * area
        return most.upper() if most.is_finite() else arb.pos_inf()

    def _by_gauss(self, cell: Cell, n: int, m: int) -> arb:
        total, patch = arb(0), cell.patch
        ys = [(y, w, patch.across.at(y)) for y, w in _placed(*cell.y, m)]
        at = patch.pair.at
        for x, v in _placed(*cell.x, n):
            p, across = patch.p(x), arb(0)
            low, high = patch.sides(p)
            width = high - low
            for y, w, t in ys:
                off = low + width * t
                r, b = (p + off) / 2, (p - off) / 2
                across += w * patch.weight_of_m(off, y) * r * b * at(r, b)
            total += v * across * patch.weight_of_p(p, x)
        return total


def _halved(ends: tuple[Fraction, Fraction]) -> list[tuple[Fraction, Fraction]]:
    middle = (ends[0] + ends[1]) / 2
    return [(ends[0], middle), (middle, ends[1])]


def _complex(ways: list[tuple[arb, int, int]]) -> list[tuple[acb, int, int]]:
    return [(acb(off), k, n) for off, k, n in ways]


def _raised(base, power: Fraction):  # type: ignore[no-untyped-def]
    """A half-integer power, analytic right of 0."""
    if power.denominator == 1:
        return base ** int(power)
    root = base.sqrt(analytic=True) if isinstance(base, acb) else base.sqrt()
    return root ** int(2 * power)


def _ellipse(a: Fraction, b: Fraction, size: Fraction | int):  # type: ignore[no-untyped-def]
    """A rectangle about the ellipse with foci a and b; for size 0 about the interval alone."""
    middle, half = ball((a + b) / 2), ball((b - a) / 2)
    if not size:
        return acb(middle + half * arb(0, 1))
    rho = arb(exact(Fraction(size)))
    wide, high = (rho + 1 / rho) / 2, (rho - 1 / rho) / 2
    return acb(middle + half * arb(0, wide.upper()), half * arb(0, high.upper()))


@lru_cache(maxsize=200)
def _rule(n: int, bits: int) -> list[tuple[arb, arb]]:
    return [arb.legendre_p_root(n, k, weight=True) for k in range(n)]


def _placed(a: Fraction, b: Fraction, n: int) -> list[tuple[arb, arb]]:
    middle, half = ball((a + b) / 2), ball((b - a) / 2)
    return [(middle + half * x, half * w) for x, w in _rule(n, ctx.prec)]
