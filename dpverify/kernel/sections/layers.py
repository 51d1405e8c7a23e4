"""P - e^eps Q at one shift in two dimensions and more, for an f that may rise: layers on spheres.

Notation as in panels.py, s the shift; L = log f, and S = {x : L(|x|) - L(|x - u|) > eps}.  On the
spheres |x| = rho, a < rho < b, of a panel a certificate cuts the radii r = |x - u| into strips: S'
has all of a strip ("f", or "o" about r = 0) or nothing of it ("e"), or what lies above ("+") or
below ("-") a curve B(rho) inside it.  So S' begins and ends, in r, at edges: curves, ends of
strips, and the least r, |rho - s|.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from ..intervals import D0, D1, UNIT, ZERO, Interval, add_up, hull, interval, meet
from ..rules import brought, require, rule
from ..steps import optional, record
from .fields import points
from .jets import Jet, panel, share, share_of
from .optional import may_use
from .panels import (
    MOST_PANELS, Noise, Spheres, excess, increasing, overshoot, quiet, total_of)
from .theorem_a import bounds_of_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

THIN = Fraction(1, 2**26)
"""As a part of its radius, how thin a strip is about a jump that is not known exactly."""
STATES = {"e": (0, 0), "s": (0, 0), "f": (1, 1), "o": (1, 1), "+": (0, 1), "-": (1, 0)}
"""Whether S' has the points at the lower and at the upper end of a strip."""


class Layer:
    """S' on the spheres of one panel: strips with their words and curves, and with these its edges,
    each with a sign: 1 where S' lies above it, -1 below."""

    def __init__(self, a: Fraction, b: Fraction, s: Fraction, order: int, given: Any) -> None:
        step = record(given, "layer", {"strips", "words", "boundaries"})
        self.a, self.b = a, b
        marks, words = increasing(step["strips"], "strips"), step["words"]
        fits = isinstance(words, str) and len(words) == len(marks) - 1 and set(words) <= set(STATES)
        require(fits, "the words do not match the strips", "steps")
        covered = marks[0] <= max(s - b, a - s, Fraction(0)) and marks[-1] >= b + s
        require(covered, "the strips do not cover the spheres", "steps")
        lists = step["boundaries"]
        curved = sum(word in "+-" for word in words)
        require(isinstance(lists, list) and len(lists) == curved, "not one curve each", "steps")
        curves = [points(c, "boundaries") for c in lists]
        require(all(0 < len(c) <= order for c in curves), "a curve is too long", "steps")
        self.lowest = bool(STATES[words[0]][0])
        self.strips: list[tuple[Fraction, Fraction, str, list[Fraction]]] = []
        self.edges: list[tuple[list[Fraction], int]] = []
        state, left = int(self.lowest), iter(curves)
        for (low, high), word in zip(pairwise(marks), words, strict=True):
            first, last = STATES[word]
            if first != state:
                self.edges.append(([low], first - state))
            curve = next(left) if first != last else []
            if curve:
                self.edges.append((curve, last - first))
            self.strips.append((low, high, word, curve))
            state = last

    def ends(self, side: int) -> list[tuple[Fraction, int]]:
        """The edges at an end of the panel; the least r as 0."""
        found = [(sum((c * side**k for k, c in enumerate(curve)), Fraction(0)), sign)
                 for curve, sign in self.edges]
        return [(Fraction(0), 1), *found] if self.lowest else found


class Layers:
    """The layers of one shift; `smooth` says whether w is integrated from 0 on by its series."""

    def __init__(self, noise: Noise, smooth: bool) -> None:
        self.n, self.named, self.smooth = noise, Spheres(noise), smooth
        self.growth = noise.epsilon.exp()

    @rule("K260")
    def panel(self, x: Layer) -> tuple[Interval, Interval]:
        """What a panel adds to P - e^eps Q on S', joints apart, and what S' costs there.

        Lemma.  By Fubini P(S') is the integral of the sum of sign w F_d(t1) over the edges, by
        Green's theorem Q(S') that of the sum of sign w(B) F_d(t2) B', joints apart.  For the least
        r, |rho - s|, these are w, and 0 for rho < s or w(r) for rho > s; for what is constant
        B' = 0.  All edges lie on the spheres; curves lie in their strips.
        """
        n, half = self.n, (x.b - x.a) / 2
        if not x.lowest and not x.edges:
            here = bounds_of_log(n.p, x.a, x.b)
            return ZERO, self.cost(x, here, n.bound(x.a, x.b), [])
        r = n.radius(x.a, x.b)
        log = n.log(r, (x.a, x.b))
        w = n.weight(log, r)
        whole = w.integral() * half
        value = whole - self.growth * self.least(x) if x.lowest else ZERO
        for curve, sign in x.edges:
            far = panel(n.order, curve)
            for room in (r - far + n.s, far - r + n.s, far + r - n.s):
                require(room.span().lo >= 0, "an edge leaves the spheres")
            part = (w * share_of(self.named.cosine(r, far), n.d)).integral()
            if len(curve) > 1:
                rise = panel(n.order, [c * k / half for k, c in enumerate(curve)][1:])
                q = n.weight(n.log(far), far) * share_of(-self.named.cosine(far, r), n.d) * rise
                part = part - self.growth * q.integral()
            value = value + part * half * sign
        residuals = [self.residual(log, strip) for strip in x.strips if strip[3]]
        here = meet(log.span(), bounds_of_log(n.p, x.a, x.b)) if x.a else log.span()
        return value, self.cost(x, here, meet(whole, n.bound(x.a, x.b)), residuals)

    def residual(self, log: Jet, strip: tuple[Fraction, Fraction, str, list[Fraction]]) -> Interval:
        """L(rho) - L(B) - eps on a panel, for a curve that lies in its strip."""
        n, (low, high, _, curve) = self.n, strip
        far = panel(n.order, curve)
        span = far.span()
        within = interval(low).hi < span.lo and span.hi < interval(high).lo
        require(within, "a curve leaves its strip")
        return (log - n.log(far) - n.epsilon).span()

    def least(self, x: Layer) -> Interval:
        """The integral of w along r = |rho - s| for rho > s."""
        n = self.n
        if x.b <= n.s:
            return ZERO
        require(x.a >= n.s, "a panel reaches across the shift", "steps")
        if x.a > n.s or self.smooth:
            return n.integral(x.a - n.s, x.b - n.s)
        return n.beyond(x.b - n.s, False)

    @rule("K261")
    def cost(self, x: Layer, here: Interval, weight: Interval, residuals: list[Interval]
             ) -> Interval:
        """At most the integral of |p - e^eps q| over the difference of S and S', on a panel.

        Lemma.  A point on the wrong side costs a share of p: at most 1 - e^-y where the loss
        exceeds eps by y, at most e^y - 1 where it falls short by y.  In a strip with a curve L
        falls from S' outside to S' inside, so there y is at most |L(rho) - L(B) - eps|.  For r up
        to some radius it is e^eps times the integral of w up to there at most ("o").  Outside of S'
        nothing is wrong where |L'| <= eps/s on all of a strip and the panel ("s"), as |r - rho| <=
        s.
        """
        n, left, total = self.n, iter(residuals), D0
        for low, high, word, _ in x.strips:
            if word == "o":
                require(not low, "a strip about 0 does not begin there", "steps")
                total = (Interval(total, total) + self.growth * n.beyond(high, False)).hi
                continue
            if word == "s":
                flat = self.flat(min(x.a, low), max(x.b, high))
                require(flat, "log f is not shown to be flat on a strip and its panel")
                continue
            if word in "ef":
                over = here - bounds_of_log(n.p, low, high) - n.epsilon
                wrong = excess(over) if word == "e" else overshoot(over)
            else:
                falls = self.falls(low, high, word)
                require(falls, "log f is not shown to fall into S' across a curve")
                off = next(left)
                wrong = hull(overshoot(off), overshoot(-off))
            if wrong.hi > 0:
                total = (Interval(total, total) + weight * wrong * self.share(x, low, high)).hi
        return Interval(D0, total)

    def flat(self, a: Fraction, b: Fraction) -> bool:
        """Whether |L'| <= eps/s on (a, b)."""
        rate = self.n.p.on_box(a, b).du
        most = max(rate.hi, rate.lo.copy_negate())
        return most <= (self.n.epsilon * (1 / self.n.s)).lo

    def falls(self, low: Fraction, high: Fraction, word: str, depth: int = 3) -> bool:
        """Whether L is shown to fall upward ("+") or downward ("-") on a strip, or on halves of it
        that overlap."""
        slope = self.n.p.on_box(low, high).du
        if slope.hi <= 0 if word == "+" else slope.lo >= 0:
            return True
        middle, more = (low + high) / 2, (high - low) / 16
        halves = (low, middle + more), (middle - more, high)
        return depth > 0 and all(self.falls(*half, word, depth - 1) for half in halves)

    def share(self, x: Layer, low: Fraction, high: Fraction) -> Interval:
        """At most the share of a sphere of the panel that has r between two radii."""
        if not x.a:
            return UNIT
        rho, s = hull(interval(x.a), interval(x.b)), self.n.s
        near, far = (share((rho * rho + (s * s - r * r)) * (rho * (2 * s)).inverse(), self.n.d)
                     for r in (low, high))
        found = Interval(D0, min(D1, max(D0, (near - far).hi)))
        if high - low <= low * THIN and may_use("K304"):
            thin = brought("the share of a thin strip")(self.n.d, x.a, s, low, high)
            found = Interval(D0, min(found.hi, thin.hi))
        return found

    @rule("K262")
    def joint(self, rho: Fraction, left: list[tuple[Fraction, int]],
              right: list[tuple[Fraction, int]], given: Iterator[Any]) -> Interval:
        """What the edges' steps at rho, from one panel to the next, add to Q(S').

        Lemma (Green).  The integral of w(r) F_d(t2) over the r between |rho - s| and rho + s that
        are in S' on the left of rho alone, less that over those in S' on the right alone.
        """
        total = ZERO
        for low, high in apart(rho, self.n.s, left, right):
            total = total + self.named.joint(rho, low, high, next(given, None))
        return total


def apart(rho: Fraction, s: Fraction, left: list[tuple[Fraction, int]],
          right: list[tuple[Fraction, int]]) -> list[tuple[Fraction, Fraction]]:
    """The stretches of r that are in S' on one side of rho alone, downward where on the right."""
    floor, top = abs(rho - s), rho + s
    count, before, found = 0, floor, []
    for at, sign in [*sorted([*left, *((at, -sign) for at, sign in right)]), (top, 0)]:
        at = min(max(at, floor), top)
        if count and before < at:
            found.append((before, at) if count > 0 else (at, before))
        before, count = at, count + sign
    return found


@rule("K263")
def at_shift(noise: Noise, given: Any) -> Interval:
    """Z H(s) between two bounds.

    Lemma.  H(s) is at least P(S') - e^eps Q(S'), for any set S', and at most the integral of
    |p - e^eps q| over the difference of S and S' more: the sum over all panels and joints, what
    they cost, and all of p before the first panel and beyond the last, where S' has nothing; not
    beyond where the step says that S has nothing there either, |L'| being at most eps/s from the
    last radius less s on.
    """
    fields = {"shift", "marks", "layers", "joints"} | optional(given, "quiet")
    step = record(given, "anchor", fields)
    marks, lists, joints = increasing(step["marks"], "marks"), step["layers"], step["joints"]
    fits = isinstance(lists, list) and len(lists) == len(marks) - 1 <= MOST_PANELS
    require(fits and isinstance(joints, list), "the layers do not match the panels", "steps")
    layers = [Layer(a, b, noise.s, noise.order, x)
              for (a, b), x in zip(pairwise(marks), lists, strict=True)]
    named, left = Layers(noise, not marks[0]), iter(joints)
    parts = [named.panel(x) for x in layers]
    silent = quiet(noise, marks[-1], step)
    parts.append((ZERO, ZERO if silent else noise.beyond(marks[-1], True)))
    if marks[0]:
        parts.append((ZERO, noise.beyond(marks[0], False)))
    value, cost = total_of(parts)
    sides = [([], layers[0].ends(-1)), *((x.ends(1), y.ends(-1)) for x, y in pairwise(layers)),
             (layers[-1].ends(1), [])]
    steps = add_up([ZERO, *(named.joint(rho, *ends, left)
                            for rho, ends in zip(marks, sides, strict=True) if rho)])
    require(next(left, None) is None, "a joint is named where the edges are connected", "steps")
    value = value - named.growth * steps
    return Interval(max(D0, value.lo), max(D0, (value + Interval(D0, cost.hi)).hi))
