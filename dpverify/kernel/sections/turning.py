"""How H changes with the shift, in two dimensions and more, for an f that may rise.

Notation as in shifts.py, Z the integral of r^(d-1) F.  By Theorem E
  Z H'(t) = integral of rho^(d-1) F'(rho) K_t(rho) d rho,
K_t(rho) being the mean of the cosine c over the directions with L(rho) - L(b) > eps,
b^2 = rho^2 - 2 rho t c + t^2.  Which pairs (rho, b) these are does not depend on t: rows of radii
say it once for all cells of shifts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import groupby, pairwise

from ..intervals import (
    ANY, D0, DOWN, INF, NEG_INF, ONE, UP, ZERO, Interval, hull, interval, meet)
from ..rules import BROUGHT, brought, require, rule
from ..steps import optional, rational, record, whole
from .constants import PI
from .jets import HALF, SIGNED
from .layers import at_shift
from .models import Germ, Model, power_of_t
from .panels import Noise, increasing, quiet
from .slopes import Slope
from .theorem_a import bounds_of_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import Any

    from .charts import Box

MOST_GRIDS, MOST_WORK, MOST_PAIRS = 4, 1_000_000, 5_000_000
MARGIN, TINY = Fraction(1, 2**10), Fraction(1, 10**30)
IN, OUT, OPEN = "f", "e", "u"
LETTERS, SIGNS = {"-": -1, OPEN: 0, "+": 1}, {
    -1: Interval(NEG_INF, D0), 0: ANY, 1: Interval(D0, INF)}


class Panel:
    """Spheres with a < rho < b: the integral of rho^(d-1) F', and runs of radii b with letters; for
    a = b a jump, and shares; and between what K lies by its sign."""

    def __init__(self, a: Fraction, b: Fraction, weight: Interval,
                 runs: list[tuple[Fraction, Fraction, Any]], sign: Interval = ANY) -> None:
        self.a, self.b, self.weight, self.runs, self.sign = a, b, weight, runs, sign
        self.starts, self.ends = [run[0] for run in runs], [run[1] for run in runs]
        self.middle, self.reach = (a + b) / 2, interval((b - a) / 2)
        self.rho = hull(interval(a), interval(b))

    def meeting(self, low: Fraction, high: Fraction) -> list[tuple[Fraction, Fraction, Any]]:
        """The runs with radii between two."""
        return self.runs[bisect_right(self.ends, low):bisect_left(self.starts, high)]


class Shifts:
    """A cell of shifts, with its middle, half its width, and what follows from these."""

    def __init__(self, low: Fraction, high: Fraction) -> None:
        t = hull(interval(low), interval(high))
        self.low, self.high, self.reach = low, high, interval((high - low) / 2)
        self.square, self.inverse = t * t, t.inverse() if low else ANY
        self.middle = interval((low + high) / 2)
        self.of_middle = self.middle * self.middle


class Means:
    """Means of the cosine over a part of the unit sphere of R^d."""

    def __init__(self, d: int) -> None:
        c, k = (interval(HALF), 3) if d % 2 else (PI.inverse(), 2)
        while k < d:
            c, k = c * Fraction(k, k - 1), k + 2
        self.whole, self.power = c * Fraction(1, d - 1), Fraction(d - 1, 2)
        self.most = self.whole * SIGNED

    def height(self, c: Decimal) -> Interval:
        """M at one point."""
        room = ONE - Interval(c, c) * Interval(c, c)
        if room.hi <= 0:
            return ZERO
        return Interval(max(D0, room.lo), room.hi).power(self.power) * self.whole

    def moment(self, c: Interval) -> Interval:
        """M on an interval, which falls with |c|."""
        sizes = c.lo.copy_abs(), c.hi.copy_abs()
        near = D0 if c.lo <= 0 <= c.hi else min(sizes)
        size = Interval(near, max(sizes))
        room = ONE - size * size
        if room.hi <= 0:
            return ZERO
        return Interval(max(D0, room.lo), room.hi).power(self.power) * self.whole

    @rule("K264")
    def over(self, runs: list[tuple[Interval, Interval, str]]) -> Interval:
        """The mean of c over directions, from the cosines at the two ends of each run of them.

        Lemma.  Over those with x < c < y it is M(x) - M(y), M(c) = c_d (1 - c^2)^((d-1)/2)/(d - 1),
        0 beyond [-1, 1], c_d as in K152; over a part of them between the integrals of the negative
        and of the positive c; over any set of directions at most M(0) either way.
        """
        total = ZERO
        for near, far, letter in runs:
            if letter == IN:
                total = total + (self.moment(far) - self.moment(near))
                continue
            total = total + self.part(near, far)
        return meet(total, self.most)

    def part(self, near: Interval, far: Interval) -> Interval:
        """Between the integrals of the negative and of the positive c of a run."""
        low, high = min(far.lo, near.lo), max(far.hi, near.hi)
        ahead = self.height(max(low, D0)) - self.height(max(high, D0))
        left, right = max(high.copy_negate(), D0), max(low.copy_negate(), D0)
        back = self.height(left) - self.height(right)
        return Interval(max(back.hi, D0).copy_negate(), max(ahead.hi, D0))


class Rows:
    """Radii from 0 to beyond all that count, between which log f is bounded, with where F may jump,
    and where it is cut; which of the rows between them are `given`."""

    def __init__(self, noise: Noise, given: Any, sides: set[Fraction], cut: Fraction | None
                 ) -> None:
        more = ("signs",) if cut is not None else ("signs", "quiet")
        self.step = step = record(given, "grid", {"rows", "start", "end"} | optional(given, *more))
        self.p, self.cut, self.sides = noise.p, cut, sides
        rows = increasing(step["rows"], "grid.rows")
        self.start, self.end = (rational(step[x], f"grid.{x}") for x in ("start", "end"))
        fits = self.start in rows and self.end in rows and self.start < self.end
        fits = fits and rows[0] in (0, self.start)
        far = rows[-1]
        fits = fits and (self.end + noise.s <= far if cut is None else self.end == far == cut)
        require(fits, "the rows do not reach as far as the shifts", "steps")
        inside = sides <= set(rows) and all(self.start < x < self.end for x in sides)
        require(inside, "the jumps do not lie between the rows", "steps")
        before = [Fraction(0)] if rows[0] else []
        self.given = range(len(before), len(before) + len(rows) - 1)
        self.radii = [*before, *rows]
        if cut is not None:
            self.sides, self.radii = {*sides, cut}, [*self.radii, self.end + noise.s]

    def signs(self) -> list[int]:
        """Of each row whether F rises, 1, or falls, -1, on it and a little beyond it; else 0."""
        rows = list(pairwise(self.radii))
        if "signs" not in self.step:
            return [0] * len(rows)
        words = self.step["signs"]
        fits = isinstance(words, str) and len(words) == len(rows) and set(words) <= set(LETTERS)
        require(fits, "the signs do not match the rows", "steps")
        shown = all(self.has(word, *row) for word, row in zip(words, rows, strict=True))
        require(shown, "f is not shown to rise or fall on a row as is said")
        return [LETTERS[word] for word in words]

    def has(self, word: str, a: Fraction, b: Fraction) -> bool:
        """Whether F is shown to fall or to rise on a row; where it is cut it falls to 0."""
        if word == OPEN:
            return True
        if a == self.cut:
            return word == "-"
        if {a, b} & self.sides - {self.cut}:
            return False
        slope = self.around(a, b)
        return slope.hi <= 0 if word == "-" else slope.lo >= 0

    def around(self, a: Fraction, b: Fraction) -> Interval:
        """L' on a row and a little beyond it, unless F may jump there."""
        reach, k = (b - a) * MARGIN, bisect_left(self.radii, a)
        low = a if a in self.sides else max(a - min(reach, a / 2), self.radii[max(0, k - 1)])
        beside = b in self.sides or b == self.radii[-1]
        high = b if beside else min(b + reach, self.radii[k + 2])
        found: Interval = self.p.once(("slopes", low, high), lambda: self.p.on_box(low, high).du)
        return found


class Turns:
    """H' on cells of shifts, from rows of radii; with jumps of f and the end where it is cut, where
    the proof names any."""

    def __init__(self, noise: Noise, given: Any, leaps: Any = None, cut: Fraction | None = None
                 ) -> None:
        rows = Rows(noise, given, leaps.sides if leaps else set(), cut)
        self.n, self.p, self.means, self.leaps = noise, noise.p, Means(noise.d), leaps
        self.rows, self.sides, self.around = rows.radii, rows.sides, rows.around
        self.signs = rows.signs()
        log = leaps.log if leaps else lambda a, b: bounds_of_log(self.p, a, b)
        self.logs = [log(a, b) if k in rows.given else ANY
                     for k, (a, b) in enumerate(pairwise(self.rows))]
        first, last = self.rows.index(rows.start), self.rows.index(rows.end)
        pairs = sum(len(self.near(*self.rows[k : k + 2])) for k in range(first, last))
        pairs += sum(len(self.near(j, j)) for j in leaps.jumps) if leaps else 0
        require(pairs <= MOST_PAIRS, "the rows are too many for so long a shift", "limits")
        patched = leaps.within if leaps else lambda a, b: False
        self.panels = [self.panel(k) for k in range(first, last)
                       if not patched(*self.rows[k : k + 2])]
        self.panels += [self.leap(j) for j in leaps.jumps] if leaps else []
        at_end = (brought("the jump where f is cut")(noise, cut) if cut
                  else self.beyond(rows.end, given))
        self.ends = (at_end + self.centre(rows.start)) * self.means.most

    def near(self, a: Fraction, b: Fraction) -> range:
        """The rows of b within the longest shift of a row of rho."""
        low, high = a - self.n.s, b + self.n.s
        return range(max(0, bisect_right(self.rows, low) - 1), bisect_left(self.rows, high))

    def leap(self, j: Fraction) -> Panel:
        """A jump, and for each row of b within the longest shift a share."""
        rows = self.near(j, j)
        jump, shares = self.leaps.change(j, [self.logs[k] for k in rows])
        runs = [(self.rows[k], self.rows[k + 1], share)
                for k, share in zip(rows, shares, strict=True) if share.hi]
        return Panel(j, j, jump, runs)

    @rule("K265")
    def panel(self, k: int) -> Panel:
        """One row of rho, and for each row of b within the longest shift a letter.

        Lemma.  The loss exceeds eps on all of two rows ("f"), or on nothing of them ("e"), if the
        spans of L say so, whatever the shift; of b before the first row nothing is said ("u").
        Where signs are named: if F falls on all rows of b, the loss exceeds eps on those of the
        largest b, of the least c, and K is not positive; if it rises on all, K is not negative.
        """
        a, b, near = self.rows[k], self.rows[k + 1], self.near(*self.rows[k : k + 2])
        over = self.logs[k] - self.n.epsilon
        low, high = over.lo, over.hi
        letters = [IN if low > there.hi else OUT if high <= there.lo else OPEN
                   for there in self.logs[near.start:near.stop]]
        runs, j = list[tuple[Fraction, Fraction, str]](), near.start
        for word, group in groupby(letters):
            first, j = j, j + len(list(group))
            if word != OUT:
                runs.append((self.rows[first], self.rows[j], word))
        signs = set(self.signs[near.start:near.stop])
        sign = SIGNS[signs.pop()] if len(signs) == 1 else ANY
        return Panel(a, b, self.change(a, b), runs, sign)

    @rule("K266")
    def change(self, a: Fraction, b: Fraction) -> Interval:
        """By which factor the integral of rho^(d-1) F' K over a row follows from K.

        Lemma.  Finite slopes of L on the row and a little beyond show F Lipschitz there.  If these
        have one sign on the row, the integral is F(b) - F(a) times a value between the least and
        the largest rho^(d-1) K; else at most b^(d-1) (b - a) times the largest |F'| and the largest
        |K|.
        """
        require(self.around(a, b).finite(), "f is not shown continuous on a row")
        on, n = self.p.on_box(a, b), Fraction(self.n.d - 1)
        if a and (on.du.lo >= 0 or on.du.hi <= 0):
            power = hull(interval(a).power(n), interval(b).power(n))
            change = power * (self.height(b, False) - self.height(a, True))
            return meet(change, SIGNS[1 if on.du.lo >= 0 else -1])
        return on.du * on.u.exp() * interval(b).power(n) * (b - a) * SIGNED

    def height(self, r: Fraction, above: bool = True) -> Interval:
        """F at a positive radius; where it may jump just above or just below."""
        if r in self.sides:
            return self.p.on_box(*((r, r * (1 + TINY)) if above else (r * (1 - TINY), r))).u.exp()
        return self.p.lately(r, lambda: self.p.at_radius(interval(r))).exp()

    @rule("K267")
    def on_cell(self, shifts: Box) -> Interval:
        """Z H' on a cell of shifts.

        Lemma (Theorem E).  It is the sum over rows of rho of the integral of rho^(d-1) F' K_t, and
        what lies before and beyond these adds at most M(0) times the integral of rho^(d-1) |F'|
        there.  On rows of rho and b the cosine (rho^2 + t^2 - b^2)/(2 rho t) at the ends of a run
        lies in its value at the middles of rho and t plus what its slopes in these add.
        """
        total, cell = self.ends, Shifts(*shifts)
        for x in self.panels:
            mean = self.mean(x, cell)
            if mean is not None:
                total = total + x.weight * meet(mean, x.sign)
        return total

    def square(self, b: Fraction) -> Interval:
        return self.p.once(("square", b), lambda: interval(b * b))  # type: ignore[no-any-return]

    def mean(self, x: Panel, t: Shifts) -> Interval | None:
        """K_t on a row of rho; None for 0."""
        floor = max(x.a - t.high, t.low - x.b, Fraction(0))
        runs = x.meeting(floor, x.b + t.high)
        if not runs:
            return None
        if not t.low or not x.a:
            return self.means.most
        one = x.rho.inverse()
        both = one * t.inverse * HALF
        along, across = (both * one * x.reach).hi, (both * t.inverse * t.reach).hi
        squares, middle = x.rho * x.rho - t.square, interval(x.middle)
        ahead, under = middle * middle + t.of_middle, (middle * t.middle * 2).inverse()

        def cosine(b: Fraction) -> Interval:
            square = self.square(b)
            up, down = squares + square, square - squares
            most_up, most_down = (max(x.lo.copy_negate(), x.hi) for x in (up, down))
            moved = UP.fma(most_up, along, UP.multiply(most_down, across))
            at = (ahead - square) * under
            return Interval(DOWN.subtract(at.lo, moved), UP.add(at.hi, moved))

        means = [(cosine(a), cosine(b), word) for a, b, word in runs]
        if x.a == x.b:
            mean: Interval = brought("a mean of shares")(self.means, means)
            return mean
        return self.means.over(means)

    @rule("K268")
    def centre(self, start: Fraction) -> Interval:
        """At most the integral of r^(d-1) |F'| over (0, start].

        Lemma.  If r L' lies in [m, M] there, m + d - 1 > 0, then F(r) <= F(start) (r/start)^m, and
        the integral is at most F(start) start^(d-1) max(|m|, |M|)/(m + d - 1).  If L' >= 0 there, F
        rises, and it is at most F(start) start^(d-1), whatever M is.
        """
        if not start:
            return ZERO
        germ = Germ(1 / start, self.p.zero.order)
        r = Model(germ, {power_of_t(-1): 1})
        rate = (self.p.log_f(self.p.at_zero(Slope(r, r.const(1)))).du * r).span()
        n = Fraction(self.n.d - 1)
        whole = self.height(start) * interval(start).power(n)
        if rate.lo >= 0 and not rate.hi.is_finite():
            return Interval(D0, whole.hi)
        least = Interval(rate.lo, rate.lo) + n
        require(least.lo > 0 and rate.finite(), "f is not shown to vary little at the centre")
        steepest = max(rate.lo.copy_negate(), rate.hi, D0)
        return Interval(D0, (whole * Interval(steepest, steepest) * least.inverse()).hi)

    @rule("K269")
    def beyond(self, end: Fraction, given: Any = ()) -> Interval:
        """At most the integral of r^(d-1) |F'| over the r of [R, oo) from which a loss exceeds eps.

        Lemma.  Where F falls it is at most R^(d-1) F(R) + (d - 1)/R times the integral of w there;
        elsewhere the largest |L'| times that.  It is 0 where the grid says that no loss from there
        on exceeds eps, |L'| being at most eps/delta from R - delta on.
        """
        if quiet(self.n, end, given):
            return ZERO
        rate = self.p.far(Germ(end, self.p.infinity.order)).du.span()
        rest, n = self.n.beyond(end, True), self.n.d - 1
        if rate.hi <= 0:
            first = self.height(end) * interval(end).power(Fraction(n))
            return Interval(D0, (first + rest * (n / end)).hi)
        most = max(rate.hi, rate.lo.copy_negate(), D0)
        require(most.is_finite(), "the slopes of log f are not shown bounded in the tail")
        return Interval(D0, (Interval(most, most) * rest).hi)


def in_space(noise: Noise, step: Any) -> tuple[Any, Any, Interval]:
    """Z H at a shift, and Z H' on a cell of shifts, whose step is the number of its grid; and what
    is left out of f there."""
    given, cells = step["grids"], step["cells"]
    few = isinstance(given, list) and 0 < len(given) <= MOST_GRIDS
    require(few and isinstance(cells, list), "grids or cells is not a short list", "steps")
    jumping = "jumps" in step or "patches" in step
    leaps = brought("jumps of f where shifts are covered")(noise, step) if jumping else None
    cut = rational(step["end"], "end") if "end" in step else None
    grids = [Turns(noise, x, leaps, cut) for x in given]
    work = len(cells) * max(len(x.rows) for x in grids)
    require(work <= MOST_WORK, "the rows are too many for so many cells", "limits")

    def slope(shifts: Box, step: Any) -> Interval:
        return grids[whole(step, "cell", 0, len(grids) - 1)].on_cell(shifts)

    out = leaps.patched() if leaps and leaps.patches else ZERO
    if cut is not None:
        out = out + brought("what is left out of f in space")(noise, cut)
    return at_shift, slope, out


BROUGHT["shifts in space"] = in_space
