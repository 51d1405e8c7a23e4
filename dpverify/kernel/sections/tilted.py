"""Integrals against a mixing law: E[V^-d V^-2k exp(-s^2/(2 V^2))] at single radii s, for k = 0, 1,
2.

p is a density of V > 0, read as a function of the radius, which stands for v.  In t = 1/(2 v^2) the
integral of v^-d p(v) dv is that of q(t) = v^(3-d) p(v) dt, and the Gaussian's factor is e^(-s^2 t).
So q is expanded once, on panels, and every radius meets the same expansions.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise

from ..intervals import D0, D1, DOWN, INF, TWO, UP, ZERO, Interval, add_up, interval
from ..rules import BROUGHT, require, rule
from ..steps import named, record, whole
from .charts import Problem
from .fields import points
from .jets import Jet, Series, dot, panel
from .messages import shown
from .models import Germ, Model, power_of_t
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Triple = tuple[Interval, Interval, Interval]

MOST_PANELS, MOST_WORK, MOST_SIZE = 2_000, 100_000, 20_000_000
STEEPEST, FURTHER = 80, 10


class Panel:
    """q on the t of a < v < b: its Taylor polynomial about the middle t = c, in x = (t - c)/h, and
    the coefficient of x^n, which makes it exact."""

    def __init__(self, a: Fraction, b: Fraction, terms: list[Interval]) -> None:
        low, high = 1 / (2 * b * b), 1 / (2 * a * a)
        self.low, self.c, self.h = interval(low), (low + high) / 2, (high - low) / 2
        self.terms, self.rest = terms[:-1], terms[-1]

    def integrals(self, y: Interval) -> Triple:
        """Those of t^k e^(-y t) q(t), k = 0, 1, 2."""
        m = moments(y * self.h, len(self.terms) + 2)
        c, h = self.c, self.h
        first, second, third = (dot(self.terms, m[k:]) for k in range(3))
        last = m[len(self.terms):]
        factor = (-(y * self.low)).exp() * h
        return (factor * (first + self.rest * last[0]),
                factor * (first * c + second * h + self.rest * (last[0] * c + last[1] * h)),
                factor * (first * (c * c) + second * (2 * c * h) + third * (h * h) + self.rest * (
                    last[0] * (c * c) + last[1] * (2 * c * h) + last[2] * (h * h))))


@rule("K201")
def moments(beta: Interval, most: int) -> list[Interval]:
    """The integrals m_j of x^j e^(-beta (1 + x)) over [-1, 1], j = 0 to `most`.

    Lemma.  By parts j m_(j-1) = beta m_j + e^(-2 beta) - (-1)^j; and for an even N, from which one
    begins, m_N lies between 0 and 2/(N + 1).
    """
    require(beta.lo >= 0 and beta.hi <= STEEPEST, "a panel is too wide for its radius")
    start = (most + FURTHER + 3 * int(beta.hi)) // 2 * 2
    end, m = (beta * -2).exp(), Interval(D0, UP.divide(TWO, Decimal(start + 1)))
    edges, found = (end - 1, end + 1), [m]
    for j in range(start, 0, -1):
        low = DOWN.fma(beta.lo if m.lo > 0 else beta.hi, m.lo, edges[j % 2].lo)
        high = UP.fma(beta.hi if m.hi > 0 else beta.lo, m.hi, edges[j % 2].hi)
        m = Interval(DOWN.divide(low, Decimal(j)), UP.divide(high, Decimal(j)))
        found.append(m)
    return found[: -most - 2 : -1]


@rule("K200")
def expansion(p: Problem, order: int, a: Fraction, b: Fraction) -> Panel:
    """q on a panel, where p is not negative.

    Lemma.  With v = (2 t)^(-1/2), q(t) = v^(3 - d) p(v) is made of series in t (K150) and so is
    a polynomial with one more coefficient (K151); p is not negative there by the range of q, or
    by that of p on the box (a, b).
    """
    low, high = 1 / (2 * b * b), 1 / (2 * a * a)
    t = panel(order, ((low + high) / 2, (high - low) / 2))
    v = t.of(lambda u: (u * 2).power(Fraction(-1, 2))).narrow()
    values = [p.at_box(u, e).value(p.tree) for u, e in (
        (v.middle, None), (v.whole, (a, b)))]
    smooth = [x for x in values if isinstance(x, Series) and all(c.finite() for c in x.c)]
    require(len(smooth) == 2, "p is not shown smooth on a panel", "K151")
    power = Fraction(p.dimension - 3, 2)
    q = (Jet(*smooth) * t.of(lambda u: (u * 2).power(power))).narrow()
    known = q.span().lo >= 0 or p.value_on_box(a, b).lo >= 0
    require(known, f"p is not shown to be nowhere negative on [{shown(a)}, {shown(b)}]")
    return Panel(a, b, q.terms())


def at_end(p: Problem, at: Fraction, side: str) -> Model:
    """v < at, or v > at, as a model."""
    if side == "infinity":
        return Model(Germ(at, p.infinity.order), {power_of_t(1): 1})
    return Model(Germ(1 / at, p.zero.order), {power_of_t(-1): 1})


@rule("K202")
def beyond(p: Problem, at: Fraction, side: str) -> Triple:
    """The integrals of t^k v^-d p(v) over v < a, or over v > b, for k = 0, 1, 2.

    Lemma.  If v (log p)' lies in [m, M] there, p lies between p(a) (v/a)^m and p(a) (v/a)^M, and
    the integral of v^-n p, n = d + 2k, between a^(1-n) p(a)/|1 - n + m| and the same with M,
    where 1 - n + m > 0 at the centre and 1 - n + M < 0 in the tail.  Where it is not, nothing
    is said of it.
    """
    v, outward = at_end(p, at, side), side == "infinity"
    chart = p.at_infinity if outward else p.at_zero
    rate = (p.log_f(chart(Slope(v, v.const(1)))).du * v).span()
    size = p.log_f(p.at_box(interval(at))).exp()
    found = []
    for k in range(3):
        n = p.dimension + 2 * k
        speed = -(rate + (1 - n)) if outward else rate + (1 - n)
        bound = Interval(D0, INF)
        if speed.lo > 0:
            least = Interval(speed.hi, speed.hi).inverse() if speed.hi.is_finite() else ZERO
            most = Interval(speed.lo, speed.lo).inverse()
            bound = size * interval(at).power(Fraction(1 - n)) * Interval(least.lo, most.hi)
        found.append(bound * Fraction(1, 2**k))
    require(found[0].finite(), f"v^-d p is not shown integrable towards {side}")
    return found[0], found[1], found[2]


@rule("K203")
def nothing(p: Problem, at: Fraction, side: str) -> Triple:
    """p is 0 for v < a, or for v > b.

    Lemma.  A model without terms is 0 throughout.
    """
    v, outward = at_end(p, at, side), side == "infinity"
    value = (p.at_infinity if outward else p.at_zero)(v).value(p.tree)
    zero = isinstance(value, Model) and value.sign() == 0
    require(zero, f"the mixing density is not shown to be 0 towards {side}")
    return ZERO, ZERO, ZERO


BROUGHT["a law that is 0 at an end"] = nothing


class Law:
    """A mixing density on its panels, with bounds of what lies beyond them.

    `below[i]` and `above[i]` are the integrals of t^k q over v < marks[i] and over v > marks[i].
    """

    def __init__(self, marks: list[Fraction], panels: list[Panel],
                 ends: tuple[Triple, Triple]) -> None:
        self.marks, self.panels, self.work = marks, panels, 0
        masses = [x.integrals(ZERO) for x in panels]
        self.below = list(accumulate(masses, plus, initial=ends[0]))
        self.above = list(accumulate(masses[::-1], plus, initial=ends[1]))[::-1]

    @rule("K204")
    def at(self, s: Fraction, first: int, last: int, beyond: bool = True) -> Triple:
        """The integrals of t^k e^(-s^2 t) q(t), k = 0, 1, 2: over v > 0, or over v > marks[first].

        Lemma.  They are the sums of those over the panels from `first` to `last`, and of what lies
        beyond: for larger v, t < T, e^(-s^2 t) lies between e^(-s^2 T) and 1; for smaller v, t > T,
        t^k e^(-s^2 t) is at most T^k e^(-s^2 T) where s^2 T >= k, and e^(-s^2 T) t^k anyway.
        """
        within = 0 <= first < last <= len(self.panels)
        require(within, "a window names panels that there are not", "steps")
        self.work += last - first
        require(self.work <= MOST_WORK, "there are too many integrals", "limits")
        y = interval(s * s)
        parts = [x.integrals(y) for x in self.panels[first:last]]
        far = (-(y * (1 / (2 * self.marks[last] ** 2)))).exp()
        parts.append(times(self.above[last], Interval(far.lo, D1)))
        if beyond:
            parts.append(self.inside(s, first))
        a, b, c = (add_up(part[k] for part in parts) for k in range(3))
        return a, b, c

    def inside(self, s: Fraction, first: int) -> Triple:
        """What lies at v < marks[first]."""
        top = 1 / (2 * self.marks[first] ** 2)
        decay = (-interval(s * s * top)).exp()
        found = []
        for k, integral in enumerate(self.below[first]):
            height = self.below[first][0] * top**k if s * s * top >= k else integral
            found.append(Interval(D0, (height * decay).hi) if s else integral)
        return found[0], found[1], found[2]


def law(p: Problem, given: Any) -> Law:
    """The law on the panels that a certificate names."""
    step = record(given, "law", {"order", "marks", "ends"})
    words = record(step["ends"], "law.ends", set(ENDS))
    bounds = [named(AT_END, words[side], "law.ends names no rule") for side in ENDS]
    marks, order = points(step["marks"], "law.marks"), 2 * whole(step["order"], "law.order", 1, 24)
    rising = 2 <= len(marks) <= MOST_PANELS and all(a < b for a, b in pairwise(marks))
    require(rising and marks[0] > 0, "law.marks is not a list of increasing scales", "steps")
    size = p.tree.size * len(marks) * order**2
    require(size <= MOST_SIZE, "there are too many panels for so large a density", "limits")
    panels = [expansion(p, order, a, b) for a, b in pairwise(marks)]
    outer = zip(bounds, (marks[0], marks[-1]), ENDS, strict=True)
    low, high = (bound(p, at, side) for bound, at, side in outer)
    return Law(marks, panels, (low, high))


ENDS, AT_END = ("zero", "infinity"), {"power": beyond, "nothing": nothing}


def plus(a: Triple, b: Triple) -> Triple:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def times(a: Triple, factor: Interval) -> Triple:
    return a[0] * factor, a[1] * factor, a[2] * factor
