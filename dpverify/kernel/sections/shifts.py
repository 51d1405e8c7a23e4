"""Profiles of an f that may rise: the worst of all shifts, by Theorem E; slopes in one dimension.

H(t) is the integral of (p(x) - e^eps p(x - t))_+, F(r) = f(r^2), L = log F, Z the integral of F
over r > 0, so that p(x) = F(|x|)/(2 Z).  delta(eps) is the supremum of H over 0 < t <= delta.  A
certificate names some shifts, about the worst, with stretches that enclose H there, and cells of
shifts that carry these bounds to all others by slopes of H.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ..intervals import D0, INF, ZERO, Interval, hull, interval, meet
from ..rules import brought, require, rule
from ..steps import optional, rational, record
from .fields import points
from .hypotheses import Proof
from .jets import SIGNED
from .models import Germ, Model, power_of_t
from .panels import (
    MOST_PANELS, Noise, either, excess, increasing, outside, overshoot, quiet, total_of)
from .profiles import WAYS
from .slopes import Slope
from .theorem_a import at_most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .charts import Box, Problem

FAR, MARGIN, TINY = 4, Fraction(1, 2**10), Fraction(1, 10**30)
FIELDS = {"anchors", "shifts", "cells"}
ANCHOR = {"shift", "left", "left_sets", "right", "right_sets"}
MOST_ANCHORS = 100


@rule("K233")
def anywhere(noise: Noise, side: int, a: Fraction, b: Fraction, word: str
             ) -> tuple[Interval, Interval]:
    """The points x = side rho, a < rho < b, in S' ("f") or not ("e", or "s" by series), for any f.

    Lemma.  |x - t| is rho + t on the left and |t - rho| on the right.  A point on the wrong side
    costs a share of p: at most 1 - e^-x where the loss exceeds eps by x, at most e^x - 1 where it
    falls short by x; and no point outside S' costs more than p.
    """
    n, t, middle, half = noise, noise.s, (a + b) / 2, (b - a) / 2
    if word == "u":
        return ZERO, n.bound(a, b)
    if word == "e" and side < 0:
        return ZERO, n.bound(a, b) * excess(n.p.loss(a, b, t) - n.epsilon)
    require(side < 0 or b <= t or a >= t, "a stretch reaches across the shift", "steps")
    ends = (a + t, b + t) if side < 0 else (t - b, t - a) if b <= t else (a - t, b - t)
    across = (t - middle, -half) if side > 0 and b <= t else (middle - side * t, half)
    here, there, loss, most = n.both((a, b), across, ends)
    if word in "es":
        return ZERO, n.bound(a, b) * excess(loss - n.epsilon)
    gain = (here - there * n.growth) * half
    return gain, Interval(D0, most.hi) * (2 * half) * overshoot(loss - n.epsilon)


def at_shift(noise: Noise, given: Any) -> Interval:
    """2 Z H at the noise's shift."""
    record(given, "anchor", ANCHOR)
    left, right = increasing(given["left"], "left"), increasing(given["right"], "right")
    same = left[0] == right[0] and left[-1] == right[-1] > noise.s
    require(same, "the stretches do not cover the line", "steps")
    parts = [outside(noise, left[-1]), (ZERO, noise.beyond(right[-1], True))]
    if left[0]:
        parts.append((ZERO, noise.beyond(left[0], False) * 2))
    for side, marks, sets in ((-1, left, given["left_sets"]), (1, right, given["right_sets"])):
        fits = isinstance(sets, str) and len(sets) == len(marks) - 1 and set(sets) <= set("efsuvw")
        require(fits, "the sets do not match the stretches", "steps")
        parts += [either(noise, side, a, b, word, anywhere)
                  for (a, b), word in zip(pairwise(marks), sets, strict=True)]
    value, cost = total_of(parts)
    return Interval(max(D0, value.lo), (value + Interval(D0, max(D0, cost.hi))).hi)


@rule("K234")
def gain(p: Problem, side: int, piece: Box, shifts: Box, f: Any = None) -> Interval:
    """L(|r + side t|) - L(r) for every r of an open piece and every t of a cell.

    Lemma.  It lies in the difference of the spans of L; in its value at the middles of both plus
    what slopes of L add, (c L'(there) - L'(here)) (r - m) + L'(there) (t - t_m), where |r + side t|
    has the slope c = 1 or -1 in r; and in the slopes of L between here and there, times side t.
    """
    (a, b), (low, high), f = piece, shifts, f or p
    mirrored = side < 0 and b <= low
    if side < 0 and not mirrored and a < high:
        return f.on_box(Fraction(0), max(b - low, high - a)).u - f.on_box(a, b).u  # type: ignore[no-any-return]
    behind = (low - b, high - a) if mirrored else (a - high, b - low)
    around = (a + low, b + high) if side > 0 else behind
    here, there = f.on_box(a, b), f.on_box(*around)
    direct: Interval = there.u - here.u
    if a >= FAR * high:
        between = f.on_box(min(a, around[0]), max(b, around[1])).du
        other = between * hull(interval(low), interval(high)) * side
    else:
        m, t = (a + b) / 2, (low + high) / 2
        along = (there.du * (-1 if mirrored else 1) - here.du) * ((b - a) / 2) * SIGNED
        across = there.du * ((high - low) / 2) * SIGNED
        other = at_radius(p, abs(m + side * t)) - at_radius(p, m) + along + across
    return meet(direct, other) if other.finite() else direct


def at_radius(p: Problem, r: Fraction) -> Interval:
    found: Interval = p.lately(r, lambda: p.at_radius(interval(r)))
    return found


class Slopes:
    """How H changes with the shift, on cells of shifts; of F1 where that is F but on patches."""

    def __init__(self, noise: Noise, jumps: list[Fraction], end: Fraction | None = None,
                 patched: Any = None) -> None:
        self.n, self.p, self.jumps, self.end = noise, noise.p, jumps, end
        self.patched, self.f = patched, patched or noise.p
        self.starts = patched.sides - set(jumps) if patched else set[Fraction]()
        self.sides = {*jumps, end, *self.starts}
        self.growth = noise.epsilon.exp()

    def height(self, r: Fraction, above: bool | None = None) -> Interval:
        """F at a radius; where it may jump just above or just below."""
        if self.patched and above is not None and r in self.patched.sides:
            known = self.patched.above if above and r not in self.starts else self.patched.below
            return known(r)  # type: ignore[no-any-return]
        if r == 0 or (above is not None and r in self.sides):
            near = TINY if r == 0 else r * TINY
            box = (r, r + near) if above or r == 0 else (r - near, r)
            return self.p.on_box(*box).u.exp()
        return self.p.at_radius(interval(r)).exp()

    def change(self, a: Fraction, b: Fraction) -> Interval:
        """F' on a piece and a little beyond it, but not across a jump that is named."""
        if self.patched and self.patched.within(a, b):
            return ZERO
        reach, sides = (b - a) * MARGIN, [j for j in self.sides if j is not None]
        near = max((j for j in sides if j < a), default=Fraction(0))
        far = min((j for j in sides if j > b), default=b + 2 * reach)
        low = a if a in self.sides else max(a - reach, (a + near) / 2)
        on = self.f.on_box(low, b if b in self.sides else min(b + reach, (b + far) / 2))
        slope: Interval = on.du * on.u.exp()
        require(slope.finite(), "f is not shown continuous on a piece")
        return slope

    @rule("K235")
    def on_cell(self, shifts: Box, given: Any) -> Interval:
        """2 Z H' on a cell of shifts.

        Lemma (Theorem E).  It is e^eps times the integral of F' over the radii r at which the loss
        from r to r + t exceeds eps, less that over those at which the loss from r to |r - t| does,
        and what jumps add.  Pieces that are in both sets or in neither add nothing, whatever F is
        within them, but where the letters change, and at both ends, F has to be continuous; where
        it has bounded slopes F' integrates to its change, and is bounded where a letter is open.
        """
        step = record(given, "cells", {"marks", "ahead", "back"} | optional(given, "quiet"))
        marks, words = increasing(step["marks"], "cells.marks"), (step["ahead"], step["back"])
        fits = all(isinstance(w, str) and len(w) == len(marks) - 1 and set(w) <= set("efu")
                   for w in words)
        inside = set(self.jumps) <= set(marks[1:-1])
        require(fits and inside, "the letters or the jumps do not match the pieces", "steps")
        if self.end is not None:
            within = marks[-1] == self.end >= shifts[1]
            require(within, "the pieces do not end where f is cut", "steps")
        total, run, before = ZERO, None, None if marks[0] else (words[0][0], words[1][0])
        for piece, letters in zip(pairwise(marks), zip(*words, strict=True), strict=True):
            low = high = 0
            for side, word in zip((1, -1), letters, strict=True):
                if word != "u":
                    over = gain(self.p, side, piece, shifts, self.f) - self.n.epsilon
                    shown = over.lo > 0 if word == "f" else over.hi <= 0
                    if word == "f" and side > 0 and self.end is not None:
                        shown = shown and piece[1] + shifts[1] <= self.end
                    require(shown, "a piece is not shown on the side of its letter")
                low += side if word == "f" else min(side, 0) if word == "u" else 0
                high += side if word == "f" else max(side, 0) if word == "u" else 0
            a, b = piece
            ended = (run is not None and (run[0], run[0]) != (low, high)) or a in self.jumps
            if run is not None and ended:
                total, run = total + self.rise(*run, a), None
            alike, before = letters == before and b < marks[-1], letters
            if low == high == 0 and alike:
                continue
            slope = self.change(a, b)
            if low < high:
                total = total + slope * (b - a) * Interval(Decimal(low), Decimal(high))
            elif low and run is None:
                run = (low, a)
        if run is not None:
            total = total + self.rise(*run, marks[-1])
        last = self.beyond(marks[-1], step) if self.end is None else self.height(self.end, False)
        total = total + (last + self.centre(marks[0])) * SIGNED
        total = total * self.growth
        for j in self.jumps:
            total = total + self.jump(j, shifts)
        return total

    def rise(self, count: int, a: Fraction, b: Fraction) -> Interval:
        return (self.height(b, False) - self.height(a, True)) * count

    @rule("K236")
    def jump(self, j: Fraction, shifts: Box) -> Interval:
        """What a jump of F at j adds to 2 Z H' on a cell of shifts.

        Lemma (Theorem E).  psi(F(j + t)) - psi(F(|j - t|)),
        psi(A) = (A - e^eps F(j-))_+ - (A - e^eps F(j+))_+; F there lies in the hull of its spans
        between jumps.  psi is monotone, and constant where A is at least both.
        """
        before, after = (self.height(j, above) * self.growth for above in (False, True))
        total = ZERO
        for side in (1, -1):
            low, high = sorted(abs(j + side * t) for t in shifts)
            if side < 0 and shifts[0] < j < shifts[1]:
                low = Fraction(0)
            spans = [ZERO] if self.end is not None and high > self.end else []
            high = high if self.end is None else min(high, self.end)
            inner = (x for x in {*self.jumps, *self.starts} if low < x < high)
            marks = [low, *sorted(inner), high]
            if low < high:
                spans += [self.heights(a, b) for a, b in pairwise(marks)]
            most = max(before.hi, after.hi)
            ends = (min(most, min(x.lo for x in spans)), min(most, max(x.hi for x in spans)))
            at = (Interval(x, x) for x in ends)
            total = total + hull(*(positive(x - before) - positive(x - after) for x in at)) * side
        return total

    def heights(self, a: Fraction, b: Fraction) -> Interval:
        """F on a box; beside the centre by its model there, as it may tend to 0 or to oo."""
        if a:
            return self.f.on_box(a, b).u.exp()
        start = min(b, self.p.r0)
        r = Model(Germ(1 / start, self.p.zero.order), {power_of_t(-1): 1})
        near = self.p.log_f(self.p.at_zero(Slope(r, r.const(1)))).u.span().exp()
        return hull(near, self.heights(start, b)) if start < b else near

    @rule("K237")
    def centre(self, start: Fraction) -> Interval:
        """At most the variation of F on (0, start].

        Lemma.  If L' has one sign there, F is monotone, and its variation is at most what its
        largest value there exceeds its least by, if that is known, 0 being less; where F rises,
        F(start) is the largest.
        """
        if not start:
            return ZERO
        germ = Germ(1 / start, self.p.zero.order)
        r = Model(germ, {power_of_t(-1): 1})
        log = self.p.log_f(self.p.at_zero(Slope(r, r.const(1))))
        rate, all_heights = (log.du * r).span(), log.u.span().exp()
        require(rate.lo >= 0 or rate.hi <= 0, "f is not shown to be monotone at the centre")
        most = self.height(start) if rate.lo >= 0 else all_heights
        require(most.finite(), "f is not shown bounded at the centre")
        return Interval(D0, max(D0, (most - all_heights).hi))

    @rule("K238")
    def beyond(self, end: Fraction, given: Any = ()) -> Interval:
        """At most the variation of F on those r of [R, oo) from which a loss exceeds eps.

        Lemma.  Where F falls it is F(R) at most; elsewhere the largest |L'| times the integral of
        F.  It is 0 where the step says that no loss from there on exceeds eps, |L'| being at most
        eps/delta from R - delta on.
        """
        if quiet(self.n, end, given):
            return ZERO
        rate = self.p.far(Germ(end, self.p.infinity.order)).du.span()
        if rate.hi <= 0:
            return Interval(D0, self.height(end).hi)
        most = max(rate.hi, rate.lo.copy_negate())
        require(most.is_finite(), "the slopes of log f are not shown bounded in the tail")
        return Interval(D0, (Interval(most, most) * self.n.beyond(end, True)).hi)


@rule("K292")
def left_out(noise: Noise, end: Fraction) -> Interval:
    """What 2 Z H may change from one shift to another by all of F beyond R.

    Lemma.  Let F1 be F up to R and 0 beyond, and H1 the same for F1.  As (x + y)_+ <= x_+ + y_+,
    2 Z H lies between 2 Z H1 - 2 e^eps m and 2 Z H1 + 2 m, m being the integral of F from R on.
    So where slopes of H1 carry a bound, that of H needs 2 (1 + e^eps) m besides.  H1 changes as
    Theorem E says of F1, which jumps from F(R-) to 0 at R: what that adds to 2 Z H1' is at most
    e^eps F(R-) either way, and no radius beyond R is in a set.
    """
    return Interval(D0, ((noise.epsilon.exp() + 1) * noise.beyond(end, True) * 2).hi)


def positive(x: Interval) -> Interval:
    return Interval(max(D0, x.lo), max(D0, x.hi))


@rule("K239")
def worst(proof: Proof, noise: Noise, z: Interval, step: Any) -> tuple[Decimal, Decimal]:
    """delta(eps) between two bounds, for any f.

    Lemma (Theorem E).  delta(eps) is the supremum of H over 0 < t <= delta, where all these
    distances occur: at least H at each shift named, and on a cell at most that and what slopes of H
    add on the way there, cell by cell.  It is 0 where eps is at least the pure epsilon (Theorem A),
    and at most 1 - e^-x where that exceeds eps by x at most.
    """
    if step == "pure":
        return D0, D0
    if isinstance(step, dict) and set(step) == {"pure"}:
        bound = rational(step["pure"], "pure")
        at_most(proof, bound)
        return D0, excess(interval(bound) - noise.epsilon).hi
    space = noise.d > 1
    optional = {"end", "jumps", "patches"} if space else {"end", "patches"}
    more = optional & set(step) if isinstance(step, dict) else set()
    record(step, "profile.points", FIELDS | {"grids" if space else "jumps"} | more)
    at, slopes, out = (brought("shifts in space") if space else on_line)(noise, step)
    marks, cells, anchors = increasing(step["shifts"], "shifts"), step["cells"], step["anchors"]
    covers = marks[0] == 0 and marks[-1] == noise.p.delta and isinstance(cells, list)
    covers = covers and len(cells) == len(marks) - 1
    require(covers, "the cells do not cover the shifts", "steps")
    some = isinstance(anchors, list) and 0 < len(anchors) <= MOST_ANCHORS
    require(some, "anchors is not a short list", "steps")
    known = {}
    for given in anchors:
        require(isinstance(given, dict) and "shift" in given, "an anchor has no shift", "format")
        noise.s = rational(given["shift"], "shift")
        require(noise.s in marks[1:], "H is enclosed at a shift at which no cells meet", "steps")
        known[marks.index(noise.s)] = at(noise, given)
    noise.s = noise.p.delta
    rates = [slopes(*cell) for cell in zip(pairwise(marks), cells, strict=True)]
    top = highest(known, list(zip(rates, (b - a for a, b in pairwise(marks)), strict=True)))
    top = (Interval(top, top) + out).hi
    share = z.inverse() * Fraction(1, 1 if space else 2)
    for k, found in known.items():
        noise.p.known["H", noise.level, marks[k]] = found * share
    least = max(found.lo for found in known.values())
    return (Interval(least, least) * share).lo, (Interval(top, top) * share).hi


def on_line(noise: Noise, step: Any) -> tuple[Any, Any, Interval]:
    """2 Z H at a shift, and 2 Z H' on a cell of shifts; and what is left out of f there."""
    jumps = points(step["jumps"], "jumps")
    require(len(jumps) <= MOST_PANELS and jumps == sorted(set(jumps)), "jumps do not rise", "steps")
    end = rational(step["end"], "end") if "end" in step else None
    cells = step.get("cells")
    silent = isinstance(cells, list) and any(optional(cell, "quiet") for cell in cells)
    require(end is None or not silent, "an end is said to be silent though f is cut there", "steps")
    out = ZERO if end is None else left_out(noise, end)
    if "patches" not in step:
        return at_shift, Slopes(noise, jumps, end).on_cell, out
    patched, more = brought("patches on the line")(noise, step)
    return at_shift, Slopes(noise, jumps, end, patched).on_cell, out + more


def highest(known: dict[int, Interval], cells: list[tuple[Interval, Fraction]]) -> Decimal:
    """At most 2 Z H on all cells: on each the least of what is carried there from the shifts
    known."""
    tops = [INF] * len(cells)
    for at, found in known.items():
        for side, order in ((1, range(at, len(cells))), (-1, range(at - 1, -1, -1))):
            bound = found.hi
            for k in order:
                rate, width = cells[k]
                after = (Interval(bound, bound) + rate * side * width).hi
                tops[k] = min(tops[k], max(bound, after))
                bound = after
    return max(D0, *tops)


WAYS["Theorem E"] = (("positive", "integrable"), "Theorem A", worst)
