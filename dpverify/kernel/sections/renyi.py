"""Renyi divergences by an integral of their own, on cells of radii and directions.

Notation as in panels.py.  For a non-increasing f, D_L is log(I/Z)/(L - 1), I being the integral of
r^(d-1) f(r)^L A(r) over r > 0 and A(r) the mean of f(b)^(1 - L) over the directions c,
b^2 = r^2 - 2 r s c + s^2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isqrt

from ..intervals import ANY, D0, UNIT, Interval, add_up, hull, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record, whole
from .directions import moments, powers
from .fields import points
from .hypotheses import Proof
from .jets import HALF, SIGNED, Jet, Series, panel
from .measures import MOST_ORDER
from .models import Germ, Model, power_of_t
from .moments import noise_of
from .panels import Noise, increasing, mass
from .slopes import Slope
from .theorem_a import bounds_of_log
from .units import mean_of_powers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box

MOST_WORK, FINE = 12_000_000, 2**64
"""Cells, times the cube of their order; and how finely roots are taken."""
FIELDS = {"at", "order", "mass", "marks", "directions", "sets"}


class Root(Series):
    """r, given r^2 as a series: its powers are those of r^2, and its own series, which there is
    where r^2 is positive, is found when it is asked for."""

    __slots__ = ("own", "z")

    def __init__(self, z: Series) -> None:
        self.z, self.square, self.raised, self.found = z, None, None, None
        self.own: tuple[Interval, ...] | None = None

    @property
    def c(self) -> tuple[Interval, ...]:  # type: ignore[override]
        self.own = self.own or self.z.power(HALF).c
        return self.own

    @property
    def u(self) -> Interval:
        return self.c[0] if self.z.c[0].lo > 0 else ANY

    def power(self, p: Fraction) -> Series:
        return self if p == 1 else self.z.power(p / 2)


class Weight:
    """r^(d-1) f^L on a panel of radii, times half its width, as a function of x in [-1, 1]."""

    def __init__(self, w: Jet) -> None:
        self.w, self.all = w, positive(w.integral())
        self.known: list[Interval] = []

    def powers(self, count: int) -> list[Interval]:
        """The integrals of w x^l for l < count."""
        if len(self.known) < count:
            self.known = powers(self.w, count)
        return self.known[:count]


class Cells:
    """K554, K555: I on cells a < r < b, low < c < high."""

    def __init__(self, noise: Noise, order: Fraction) -> None:
        self.n, self.order, self.s, self.d = noise, order, noise.s, noise.d

    def weight(self, box: Box) -> Weight:
        r = self.n.radius(*box)
        w = self.n.weight(self.n.log(r, box) * self.order, r)
        return Weight(w * ((box[1] - box[0]) / 2))

    def from_square(self, centre: Fraction, reach: Fraction) -> Jet:
        """f^(1 - L) along z = b^2."""
        z, p = panel(self.n.order, (centre, reach)), self.n.p
        whole, middle = (p.log_f(p.at_box(Root(x))) for x in (z.whole, z.middle))
        known = isinstance(whole, Series) and isinstance(middle, Series)
        smooth = known and all(x.finite() for x in whole.c)
        require(smooth, "log f is not shown smooth on a cell", "K151")
        return self.across(Jet(middle, whole).narrow())

    def across(self, log: Any) -> Any:
        """f(b)^(1 - L), given log f(b) on a cell."""
        return (log * (1 - self.order)).exp()

    def own(self, w: Weight, box: Box) -> list[Interval]:
        """What a panel of radii adds whatever b is."""
        return []

    @rule("K553")
    def on_line(self, w: Weight, box: Box, side: int) -> Interval:
        """A cell on the line.

        Lemma.  There b is r + s on the left, and |r - s| on the right.
        """
        (a, b), s = box, self.s
        require(side < 0 or b <= s or a >= s, "a panel reaches across the shift", "steps")
        ends = (a + s, b + s) if side < 0 else (s - b, s - a) if b <= s else (a - s, b - s)
        middle, half = (a + b) / 2 - side * s, (b - a) / 2
        there = panel(self.n.order, (abs(middle), half if middle > 0 else -half))
        return (w.w * self.across(self.n.log(there, ends))).integral() * HALF

    @rule("K554")
    def in_space(self, w: Weight, box: Box, directions: Box) -> Interval:
        """A cell in space, by Taylor's polynomial of f^(1 - L) in z = b^2.

        Lemma.  With r = m + h x, c = g + k t and z_0 = m^2 + s^2 - 2 s m g the difference z - z_0
        is H (P(x) - Q(x) t), where H P = h x (2 (m - s g) + h x) and H Q = 2 s k (m + h x), and at
        most H, the sum of all these coefficients.  So f(b)^(1 - L) is the sum of g_n (P - Q t)^n
        for n < N, and g_N in [0, 1] times one of the coefficients about a point of
        [z_0 - H, z_0 + H], N being even (K151).  The sum's mean over t follows from the moments of
        t (K556, K561), and is a polynomial in x.
        """
        (a, b), (low, high), s = box, directions, self.s
        m, h, g, k = (a + b) / 2, (b - a) / 2, (low + high) / 2, (high - low) / 2
        slope, bend, mean, tilt = 2 * h * (m - s * g), h * h, 2 * s * k * m, 2 * s * k * h
        reach, centre = abs(slope) + bend + mean + tilt, m * m + s * s - 2 * s * m * g
        *known, last = self.from_square(centre, reach).terms()
        t = self.moments(directions)
        p, q = (slope / reach, bend / reach), (mean / reach, tilt / reach)
        sums, error, unit = mean_of_powers(known, p, q, t[:len(known)])
        found = add_up(interval(x) * y for x, y in zip(sums, w.powers(len(sums))))
        return (found + w.all * SIGNED * error) * unit + last * UNIT * w.all * t[0]

    def moments(self, directions: Box) -> list[Interval]:
        """Those of cells are alike on many panels."""
        found: list[Interval] = self.n.p.once(
            ("moments", self.n.order, directions),
            lambda: moments(self.d, *directions, self.n.order))
        return found

    @rule("K555")
    def bounded(self, w: Weight, box: Box, directions: Box, share: Interval) -> Interval:
        """A cell by bounds of f^(1 - L).

        Lemma.  On a cell b^2 is convex in r and falls with c: it is largest at an end of r, for the
        least c, and smallest, for the largest c, at the r of the cell nearest to s c.
        """
        (low, high), s = directions, self.s

        def square(r: Fraction, c: Fraction) -> Fraction:
            return r * r + s * s - 2 * r * s * c

        nearest = min(max(box[0], s * high), box[1])
        least, most = square(nearest, high), max(square(r, low) for r in box)
        ends = root(least, False), root(most, True)
        log = bounds_of_log(self.n.p, *ends) if ends[0] else self.n.p.on_box(*ends).u
        return self.across(log) * w.all * share


def positive(x: Interval) -> Interval:
    return Interval(max(D0, x.lo), max(D0, x.hi))


def root(x: Fraction, above: bool) -> Fraction:
    """A rational beside the root of x, on that side."""
    found = isqrt(x.numerator * FINE**2 // x.denominator)
    return Fraction(found + 1 if above else found, FINE)


@rule("K557")
def beyond(noise: Noise, order: Fraction, radius: Fraction) -> Interval:
    """I beyond R.

    Lemma.  For L > 1 f(b)^(1 - L) is at most f(r + s)^(1 - L), as f does not rise.  If r times the
    slope of L g(r) + (1 - L) g(r + s), g = log f, is at most m < -d from R on, what is left is at
    most R^d f(R)^L f(R + s)^(1 - L)/(-d - m), as in K153.  For L < 1 p^L q^(1 - L) is at most
    L p + (1 - L) q, and q beyond R at most p beyond R - s.
    """
    p, s = noise.p, noise.s
    require(radius > s, "the shift reaches beyond the last panel", "steps")
    if order < 1:
        return Interval(D0, noise.beyond(radius - s, True).hi)
    r = Model(Germ(radius, p.infinity.order), {power_of_t(1): 1})
    here, there = (p.log_f(p.at_infinity(Slope(x, r.const(1)))).du for x in (r, r + s))
    rate = ((here * order + there * (1 - order)) * r).span() + noise.d
    require(rate.hi < 0, "what is left beyond the last panel is not shown to have an integral")
    near, far = (p.at_radius(interval(x)) for x in (radius, radius + s))
    most = (near * order + far * (1 - order)).exp() * interval(radius).power(Fraction(noise.d))
    least = -Interval(rate.hi, rate.hi)
    return Interval(D0, (most * least.inverse()).hi)


@rule("K558")
def centre(proof: Proof, cells: Cells, order: Fraction, half: Any, radius: Fraction) -> Interval:
    """I where |x| < R < s.

    Lemma.  There b lies between s - R and s + R, f(b)^(1 - L) between its values at these, and the
    integral of r^(d-1) f^L is that of w with f^L in the place of f (K153).
    """
    s = cells.s
    require(radius < s, "the centre reaches as far as the shift", "steps")
    heights = [cells.n.p.at_radius(interval(x)) * (1 - order) for x in (s - radius, s + radius)]
    return noise_of(proof, order, half).by_powers(radius, False) * hull(*heights).exp()


@rule("K559")
def divergence(proof: Proof, given: Any) -> tuple[str, Interval]:
    """The Renyi divergence of an order L, not 1, by its integral.

    Lemma.  I is the sum over the cells, of which every panel of radii has its own, over what is
    within the first mark, and beyond the last.  For non-increasing f D_L does not fall as the
    shift grows, since no divergence of K161 does; I is at most Z where L < 1, and D_L not negative.
    """
    p, step = proof.problem, record(given, "renyi", FIELDS)
    order, half = rational(step["at"], "renyi.at"), step["order"]
    require(0 < order <= MOST_ORDER and order != 1, "an order is not positive, too large, or 1")
    noise = Noise(p, 2 * whole(half, "renyi.order", 1, 24), Fraction(0))
    cells = Cells(noise, order)
    parts, marks = of_rows(cells, step), points(step["marks"], "renyi.marks")
    parts.append(beyond(noise, order, marks[-1]))
    if marks[0]:
        parts.append(centre(proof, cells, order, half, marks[0]))
    z = mass(noise, step["mass"])
    require(z.lo > 0, "the integral of w is not shown positive", "K154")
    return step["at"], from_integral(order, add_up(parts), z)


def of_rows(cells: Cells, step: Any) -> list[Interval]:
    """Each cell of each panel of radii."""
    rows = list(pairwise(increasing(step["marks"], "renyi.marks")))
    directions, sets = step["directions"], step["sets"]
    fits = all(isinstance(x, list) and len(x) == len(rows) for x in (directions, sets))
    require(fits, "the directions do not match the panels", "steps")
    work = sum(len(x) if isinstance(x, str) else 1 for x in sets)
    few = work * cells.n.order**3 <= MOST_WORK
    require(few, "the cells are too many for such an order", "limits")
    parts = list[Interval]()
    for row, cuts, words in zip(rows, directions, sets, strict=True):
        inner = points(cuts, "directions")
        parts += panel_of(cells, row, [Fraction(-1), *inner, Fraction(1)], words)
    return parts


def from_integral(order: Fraction, found: Interval, z: Interval) -> Interval:
    """D_L from I and Z."""
    share = positive(found) * z.inverse()
    require(share.lo > 0, "the integral of an order is not shown positive")
    return positive(share.log() * (1 / (order - 1)))


def panel_of(cells: Cells, row: Box, cuts: list[Fraction], words: Any) -> list[Interval]:
    """I on each cell of a panel of radii, by its letter."""
    w, line = cells.weight(row), cells.d == 1
    count = 2 if line else len(cuts) - 1
    rising = all(a < b for a, b in pairwise(cuts)) and not (line and len(cuts) > 2)
    fits = rising and isinstance(words, str) and len(words) == count and set(words) <= set("bs")
    require(fits, "the directions of a panel do not rise from -1 to 1, with a letter each", "steps")
    found = cells.own(w, row)
    for k, word in enumerate(words):
        box = (Fraction(2 * k - 1),) * 2 if line else (cuts[k], cuts[k + 1])
        if word == "b":
            share = interval(HALF) if line else cells.moments(box)[0]
            found.append(cells.bounded(w, row, box, share))
        else:
            found.append(cells.on_line(w, row, 2 * k - 1) if line else cells.in_space(w, row, box))
    return found


BROUGHT["a divergence by its own integral"] = divergence
