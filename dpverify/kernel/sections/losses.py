"""Measures of the privacy loss on a grid, in whole multiples of a unit, and their exact products.

For a pair of laws h(a) is the integral of (p - a q)_+, a > 0, so that delta(eps) = h(e^eps).  A
measure w >= 0 of losses on the grid, and infinity, has h_w(a) = sum of w_k (1 - a e^(-k step))_+ +
w_oo.  It dominates the pair if h <= h_w for every a, and is dominated by it if h >= h_w.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from itertools import pairwise

from ..intervals import D0, D1, ONE, ZERO, Interval, interval
from ..rules import require, rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])
Points = list[tuple[Interval, Interval]]


class Grid:
    """Losses k step, the unit 10^-digits of their measures, and the largest |k| that is kept."""

    def __init__(self, step: Fraction, digits: int, most: int) -> None:
        self.step, self.digits, self.scale, self.most = step, digits, 10**digits, most
        self.ratio = interval(step).exp()
        self.up, self.down = [ONE], [ONE]

    def at(self, k: int) -> Interval:
        """e^(k step)."""
        powers, factor = (self.up, self.ratio) if k >= 0 else (self.down, self.ratio.inverse())
        while len(powers) <= abs(k):
            n = len(powers)
            powers.append(powers[-1] * factor if n % 64 else interval(self.step * n).exp().power(
                Fraction(1 if k >= 0 else -1)))
        return powers[abs(k)]

    def units(self, x: Interval, above: bool) -> int:
        """A measure in units, rounded up or down, and no less than 0."""
        end, way = (x.hi, ROUND_CEILING) if above else (x.lo, ROUND_FLOOR)
        return max(0, int(end.scaleb(self.digits, EXACT).to_integral_value(way)))


class Losses:
    """A measure: whole units on the losses from `first` on, and at infinity."""

    def __init__(self, first: int, masses: Sequence[int], infinite: int) -> None:
        self.first, self.masses, self.infinite = first, masses, infinite


class Bounds:
    """Upper bounds of h at increasing places, of which the first is 0; by their level eps as well,
    where that is a rational number."""

    def __init__(self, points: Points, levels: dict[Fraction, Interval]) -> None:
        rising = all(a.hi <= b.lo for (a, _), (b, _) in pairwise(points))
        require(rising and points[0][0] is ZERO, "the points are not in increasing order", "steps")
        self.points, self.levels = points, levels

    def chord(self, epsilon: Fraction, a: Interval) -> Decimal:
        """At most h(a), a = e^epsilon: h is convex and falls."""
        if epsilon in self.levels:
            return self.levels[epsilon].hi
        low, high = 0, len(self.points)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.points[middle][0].hi <= a.lo else (low, middle)
        (x, u) = self.points[low]
        if high == len(self.points) or not a.hi <= self.points[high][0].lo:
            return u.hi
        (y, v) = self.points[high]
        part = (a - x) * (y - x).inverse()
        return (u * (ONE - part) + v * part).hi


@rule("K174")
def dominating(grid: Grid, bounds: Bounds, reach: int) -> Losses:
    """A dominating measure, from bounds of h.

    Lemma.  h is convex, falls, and is 1 at 0, so that it lies below the chord between two bounds.
    Let u_k be such a bound at a_k = e^(k step), |k| <= n, u = 1 at 0 and u = u_n from a_n on, and
    s_k the slope of the chord from a_k.  Then h_w is this function for w_k = a_k (s_k - s_(k-1))
    and w_oo = u_n, whatever the signs, and is no smaller where each w is rounded up, and up to 0.
    """
    knots = range(-reach, reach + 1)
    places = [ZERO, *map(grid.at, knots)]
    values = [D1, *(min(D1, bounds.chord(k * grid.step, grid.at(k))) for k in knots)]
    levels = [Interval(u, u) for u in values]
    slopes = [(v - u) * (b - a).inverse()
              for (a, b), (u, v) in zip(pairwise(places), pairwise(levels))]
    slopes.append(ZERO)
    masses = [grid.units(a * (after - before), True)
              for a, (before, after) in zip(places[1:], pairwise(slopes))]
    return Losses(-reach, masses, grid.units(levels[-1], True))


@rule("K175")
def dominated(grid: Grid, known: list[tuple[Interval, Interval]], masses: Sequence[int],
              atom: Fraction = Fraction(0)) -> Losses:
    """A measure that a pair dominates, from bounds of h at a_k = e^(k step), |k| <= n, and of the
    atom at infinity.

    Lemma.  h_w is straight between neighbouring a_k, w_oo from a_n on, and at most 1 - a + a c up
    to a_-n, c being the atom, as two values show.  h is at least c, and w_oo at most that; both
    orders of the pair are alike, so that h(a) = 1 - a + a h(1/a) is at least 1 - a + a c; and h is
    convex: between a_k and a_(k+1) it is at least the lines through the bounds at a_(k-1), a_k and
    at a_(k+1), a_(k+2); on (a_(n-1), a_n) at least h(a_n).  So h_w <= h between a_k and a_(k+1) if
    h_w is at most the first line at a_k and in the middle, and at most the second there and at
    a_(k+1); or if it is at most h(a_(k+1)) at a_k.
    """
    n = len(known) // 2
    fits = len(known) == len(masses) == 2 * n + 1 and n > 0
    require(fits, "the measure does not match the points", "steps")
    require(all(m >= 0 for m in masses), "a measure is negative", "steps")
    places = [grid.at(k) for k in range(-n, n + 1)]
    infinite = grid.units(interval(atom), False)
    values, above, tilt = [ZERO] * len(masses), infinite, ZERO
    unit = interval(Fraction(1, grid.scale))
    for i in range(2 * n, -1, -1):
        values[i] = (interval(above) - places[i] * tilt) * unit
        above, tilt = above + masses[i], tilt + grid.at(n - i) * masses[i]
    rest = ONE - interval(atom)
    begins, ends = values[0].hi <= (ONE - places[0] * rest).lo, values[-1].hi <= known[-1][0].lo
    right = above <= grid.scale and begins and ends
    require(right, "the measure is not shown to be dominated up to the first loss")
    for i in range(2 * n):
        a, b = places[i], places[i + 1]
        middle, level = (a + b) * Fraction(1, 2), (values[i] + values[i + 1]) * Fraction(1, 2)
        left = (line(known[i - 1], known[i], places[i - 1], a, middle) if i else
                ONE - middle * rest)
        last = i == 2 * n - 1
        other = (known[i + 1][0] if last else
                 line(known[i + 2], known[i + 1], places[i + 2], b, middle))
        holds = values[i].hi <= known[i][0].lo and values[i + 1].hi <= known[i + 1][0].lo
        flat = values[i].hi <= known[i + 1][0].lo
        holds = flat or (holds and level.hi <= left.lo and level.hi <= other.lo)
        require(holds, "the measure is not shown to be dominated")
    return Losses(-n, masses, infinite)


def line(far: tuple[Interval, Interval], near: tuple[Interval, Interval], x: Interval, a: Interval,
         at: Interval) -> Interval:
    """At least h beyond `a`, as seen from x, on the line through h(x) and h(a)."""
    part = (at - a) * (a - x).inverse()
    return Interval(near[0].lo, near[0].lo) * (part + 1) - Interval(far[1].hi, far[1].hi) * part


@rule("K176")
def product(grid: Grid, v: Losses, w: Losses, above: bool) -> Losses:
    """The measure of two releases: a convolution of whole numbers.

    Lemma.  If v and w dominate two pairs, the second for every outcome of the first, then the
    integral of (p1 p2 - a q1 q2)_+ is that of p1 h_2(a q1/p1), at most the sum of w_j
    h_1(a e^-e_j), at most h of the convolution of v and w; if both are dominated, at least.
    Rounding up, and moving mass to larger losses, makes h_w larger; down, smaller.  One product of
    long integers has the coefficients of a product of polynomials in blocks of digits that none
    overflows.
    """
    found = multiply(v.masses, w.masses)
    most, first = grid.most, v.first + w.first
    whole = (sum(v.masses) + v.infinite) * (sum(w.masses) + w.infinite)
    infinite = whole - sum(found)
    low, high = max(0, -most - first), max(0, min(len(found), most + 1 - first))
    kept = found[low:high] or [0]
    if above:
        infinite += sum(found[high:])
        kept[0] += sum(found[:low])
    elif high:
        kept[-1] += sum(found[high:])
    masses = [-(-m // grid.scale) if above else m // grid.scale for m in kept]
    left_over = -(-infinite // grid.scale) if above else infinite // grid.scale
    return Losses(first + low, masses, left_over)


def multiply(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The coefficients of a product of polynomials with non-negative whole coefficients."""
    width = len(str(max(a) * max(b) * min(len(a), len(b))))
    packed = (Decimal("".join(f"{x:0{width}d}" for x in xs)) for xs in (a, b))
    size = len(a) + len(b) - 1
    text = str(EXACT.multiply(*packed)).zfill(size * width)
    return [int(text[i * width : (i + 1) * width]) for i in range(size)]


def power(grid: Grid, w: Losses, times: int, above: bool) -> Losses:
    """The measure of a release made so many times."""
    result: Losses | None = None
    while True:
        if times % 2:
            result = w if result is None else product(grid, result, w, above)
        times //= 2
        if not times:
            assert result is not None
            return result
        w = product(grid, w, w, above)


@rule("K177")
def divergence(grid: Grid, w: Losses, epsilon: Fraction) -> Interval:
    """h_w(e^eps).

    Lemma.  It is w_oo and the sum of w_k (1 - e^(eps - k step)) over the k with k step > eps.
    """
    first = max(w.first, epsilon // grid.step + 1)
    total, weighted = 0, ZERO
    ratio = grid.ratio.inverse()
    for k in range(w.first + len(w.masses) - 1, first - 1, -1):
        mass = w.masses[k - w.first]
        total, weighted = total + mass, weighted * ratio + mass
    gain = interval(total) - interval(epsilon - first * grid.step).exp() * weighted
    found = (gain + w.infinite) * Fraction(1, grid.scale)
    return Interval(max(D0, found.lo), max(D0, found.hi))
