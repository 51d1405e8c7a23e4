"""The panels of a profile: P - e^eps Q on spheres around the centre, or on the two halves of a
line.

Notation as in profiles.py: p is the density, q the same shifted by u, |u| = s = delta; w(r) =
r^(d-1) f(r^2); S = {loss > eps}, and S' the set that the certificate names for each panel.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import (
    D0, D1, INF, NEG_INF, UP, ZERO, Interval, add_up, hull, interval, meet)
from ..rules import brought, require, rule
from ..steps import rational, record, whole
from .charts import Problem
from .fields import points
from .jets import SIGNED, Jet, Series, panel, share, share_of
from .models import Germ, Model, power_of_t
from .optional import may_use
from .slopes import Slope
from .theorem_a import bounds_of_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .charts import Box

MOST_PANELS, BESIDE = 5_000, "lu"
TAILS = {"steps": "a tail that falls by steps", "power": "a tail below a power"}
"""How the tail of w may be bounded but by its slopes, each by a number that the proof names."""
OTHERWISE = {"v": "a stretch by values of f", "w": "a stretch by values of f",
             "o": "a stretch by how far f falls"}
"""What words of stretches say but that the logarithm of f is to be taken here and there."""


class Noise:
    """w, f and the loss of one problem, on panels of one order."""

    def __init__(self, p: Problem, order: int, epsilon: Fraction,
                 tail: tuple[str, Fraction] | None = None) -> None:
        self.p, self.order, self.d, self.s = p, order, p.dimension, p.delta
        self.level, self.epsilon, self.tail = epsilon, interval(epsilon), tail

    def radius(self, a: Fraction, b: Fraction) -> Jet:
        return panel(self.order, ((a + b) / 2, (b - a) / 2))

    def log(self, r: Jet, ends: tuple[Fraction, Fraction] | None = None) -> Jet:
        """log f on a panel; `ends` are those of r where it takes each radius between them once."""
        centre = r.whole.c[0].lo <= 0
        whole, middle = (self.p.on_panel(u, e, centre)
                         for u, e in ((r.whole, ends), (r.middle, None)))
        known = isinstance(whole, Series) and isinstance(middle, Series)
        smooth = known and all(x.finite() for x in whole.c)
        require(smooth, "log f is not shown smooth on a panel", "K151")
        return Jet(middle, whole).narrow()

    @property
    def growth(self) -> Interval:
        """e^eps."""
        return self.p.once(("e", self.level), self.epsilon.exp)  # type: ignore[no-any-return]

    def both(self, box: Box, across: tuple[Fraction, Fraction], around: Box
             ) -> tuple[Interval, Interval, Interval, Interval]:
        """The integrals over x in [-1, 1] of f on a panel and of f across from it, r = m + h x with
        (m, h) `across`, `around` the radii there; the difference of log f, here less there; and f
        here.  Points of a profile share them."""

        def found() -> tuple[Interval, Interval, Interval, Interval]:
            here = self.log(self.radius(*box), box)
            there = self.log(panel(self.order, across), around)
            f = here.exp()
            return f.integral(), there.exp().integral(), (here - there).extent(), f.span()

        return self.p.once(("both", self.order, box, across), found)  # type: ignore[no-any-return]

    def weight(self, log: Jet, r: Jet) -> Jet:
        """e^log r^(d-1); high powers in the exponent, and where log f is bent like log r is others
        too."""
        n, (r0, r1), bent = self.d - 1, r.middle.c[:2], log.middle.c[2]
        much = (bent * bent * r0 * r0 * r0 * r0 * 16).lo > (r1 * r1 * r1 * r1 * (n * n)).hi
        if n < 4 or (n < 10 and not much) or r.whole.c[0].lo <= 0:
            return log.exp() * r.of(lambda u: u.power(Fraction(n)))
        return (log + r.of(Series.log) * n).narrow().exp()

    def bound(self, a: Fraction, b: Fraction) -> Interval:
        """At most the integral of w over (a, b), and at least 0; by K18 too where log f is known by
        its box alone to no better than a factor e of f."""
        log = self.p.on_box(a, b).u
        if a and UP.subtract(log.hi, log.lo) > 1 and may_use("K18"):
            log = bounds_of_log(self.p, a, b)
        height = log.exp() * interval(b).power(Fraction(self.d - 1))
        return Interval(D0, (height * (b - a)).hi)

    def integral(self, a: Fraction, b: Fraction) -> Interval:
        r = self.radius(a, b)
        return self.weight(self.log(r, (a, b)), r).integral() * ((b - a) / 2)

    def at_most(self, a: Fraction, b: Fraction) -> Interval:
        """The integral of w over (a, b), by its bound where Taylor's polynomial does not show it
        positive."""
        found = self.integral(a, b)
        return found if found.lo > 0 else meet(found, self.bound(a, b))

    def valued(self, a: Fraction, b: Fraction) -> Interval:
        """The integral of w over (a, b), by values of f."""
        found: Interval = brought("the integral of w by values of f")(self, a, b)
        return found

    def height(self, x: Fraction, above: bool) -> Interval:
        """log f just above or just below a radius."""
        near = x / 10**30
        return (self.p.on_box(x, x + near) if above else self.p.on_box(x - near, x)).u

    def largest(self, a: Fraction, b: Fraction) -> Interval:
        """The loss where a < |x| < b, for an f that does not rise; unknown where the proof lists no
        rule of it."""
        if not may_use("K278"):
            return Interval(NEG_INF, INF)
        found: Interval = brought("the largest loss on a shell")(self, a, b)
        return found

    def loss(self, a: Fraction, b: Fraction) -> Interval:
        """The same, and if that may exceed eps also by g(r + s) - g(r)."""
        found = self.largest(a, b)
        return found if found.hi <= self.epsilon.lo else meet(found, self.p.loss(a, b, self.s))

    def lost_inside(self, b: Fraction) -> Interval:
        """What it costs to leave out |x| < b, for an f that does not rise."""
        share = excess(self.largest(Fraction(0), b) - self.epsilon) if b else ZERO
        return share * self.beyond(b, False) if share.hi > 0 else ZERO

    def beyond(self, radius: Fraction, outward: bool) -> Interval:
        """The integral of w over [R, oo), or over (0, R]; the tail in another way where the proof
        says so."""
        if outward and self.tail is not None:
            way, number = self.tail
            return brought(TAILS[way])(self, radius, number)
        return self.by_powers(radius, outward)

    @rule("K153")
    def by_powers(self, radius: Fraction, outward: bool) -> Interval:
        """The integral of w over [R, oo), or over (0, R].

        Lemma.  If r (log f)' lies in [m, M] there, f lies between f(R) (r/R)^m and f(R) (r/R)^M,
        and the integral between R w(R)/|d + m| and R w(R)/|d + M|, provided that d + m > 0 at the
        centre, and d + M < 0 in the tail.
        """
        p = self.p
        require(radius > 0, "an end begins at no positive radius", "steps")
        germ = Germ(radius if outward else 1 / radius, (p.infinity if outward else p.zero).order)
        r = Model(germ, {power_of_t(1 if outward else -1): 1})
        at = p.at_infinity if outward else p.at_zero
        rate = (p.log_f(at(Slope(r, r.const(1)))).du * r).span() + self.d
        rate = -rate if outward else rate
        require(rate.lo > 0, "f is not shown bounded by an integrable power at an end")
        whole = p.log_f(p.at_box(interval(radius))).exp()
        whole = whole * interval(radius).power(Fraction(self.d))
        least = Interval(rate.hi, rate.hi).inverse() if rate.hi.is_finite() else ZERO
        return hull(whole * least, whole * Interval(rate.lo, rate.lo).inverse())


@rule("K154")
def mass(noise: Noise, given: Any, bounded: Any = (), values: Any = ()) -> Interval:
    """Z.

    Lemma.  It is the sum of the integrals over panels, none of which is negative, or more than its
    panel's length times a bound of w on it, and of those beyond them.  On panels that are named as
    bounded, on which f may have a kink, that is all that is asked; others may be by values of f.
    """
    marks = increasing(given, "profile.mass")
    last = len(marks) - 2
    ways: dict[int, Any] = {}
    for name, way, places in (("bounded", noise.bound, bounded), ("values", noise.valued, values)):
        named = [whole(k, f"profile.{name}", 0, last) for k in places]
        require(named == sorted(set(named)), f"{name} does not rise", "steps")
        require(ways.keys().isdisjoint(named), f"{name} names a panel that has a way", "steps")
        ways |= dict.fromkeys(named, way)
    inner = noise.beyond(marks[0], False) if marks[0] else ZERO
    middle = [ways.get(k, noise.at_most)(a, b) for k, (a, b) in enumerate(pairwise(marks))]
    return add_up([inner, *middle, noise.beyond(marks[-1], True)])


def tail_named(given: Any) -> tuple[str, Fraction]:
    """The way in which the proof bounds the tail, and its number: alone, the length of steps."""
    if not isinstance(given, dict):
        return "steps", rational(given, "profile.tail")
    record(given, "profile.tail", {"power"})
    return "power", rational(given["power"], "profile.tail.power")


def increasing(given: Any, name: str) -> list[Fraction]:
    marks = points(given, name)
    rising = 2 <= len(marks) <= MOST_PANELS and marks[0] >= 0 and all(
        a < b for a, b in pairwise(marks))
    require(rising, f"{name} is not a list of increasing radii", "steps")
    return marks


def excess(loss: Interval) -> Interval:
    """At most 1 - e^-x for x = loss - eps, which is at most x, and at least 0."""
    return Interval(D0, min(D1, max(D0, loss.hi)))


def overshoot(loss: Interval) -> Interval:
    """e^x - 1, for the largest x by which the loss may fall short of eps."""
    lacking = max(D0, loss.lo.copy_negate())
    return Interval(D0, ((Interval(lacking, lacking).exp() - 1).hi if lacking else D0))


class Spheres:
    """K155-K158: one panel's value of P - e^eps Q on S', without the joints, and its cost."""

    def __init__(self, noise: Noise) -> None:
        self.n = noise

    def rules(self) -> dict[str, Callable[..., tuple[Interval, Interval]]]:
        """What a panel's word says of S' there."""
        beside = {word: self.beside(word) for word in BESIDE}
        return {"e": self.nothing, "f": self.everything, "c": self.cap, "s": self.step, **beside}

    def beside(self, word: str) -> Callable[..., tuple[Interval, Interval]]:
        return lambda a, b, boundary: brought("a step beside a brink")(self.n, a, b, boundary, word)

    def cosine(self, r: Jet, opposite: Jet) -> Jet:
        """(r^2 + s^2 - opposite^2)/(2 s r)."""
        s, under = self.n.s, (r * (2 * self.n.s)).of(Series.inverse)
        return ((r.square() - opposite.square() + s * s) * under).narrow()

    @rule("K155")
    def nothing(self, a: Fraction, b: Fraction, floor: list[Fraction]) -> tuple[Interval, Interval]:
        """S' is empty.

        Lemma.  (p - e^eps q)_+ is at most the share 1 - e^(eps - loss) of p, and the loss at most
        g(rho + s) - g(rho).  If g(B0) <= g(rho) + eps just beyond a, S lies beyond B0; for B0 > s
        the cap beyond it grows with rho.
        """
        n = self.n
        cost = n.bound(a, b) * excess(n.loss(a, b) - n.epsilon)
        if not floor:
            return ZERO, cost
        require(len(floor) == 1 and a > 0, "S is said to lie beyond no radius", "steps")
        (far,) = floor
        below = n.height(far, True).lo >= (n.height(a, True) - n.epsilon).hi
        require(far > n.s and below, "S is not shown to lie beyond the radius named")
        cosine = (b * b + n.s * n.s - far * far) / (2 * b * n.s)
        return ZERO, cost * Interval(D0, share(interval(cosine), n.d).hi)

    @rule("K156")
    def everything(self, a: Fraction, b: Fraction, floor: list[Fraction]
                   ) -> tuple[Interval, Interval]:
        """S' is everything.

        Lemma.  For rho <= s the least loss is g(s - rho) - g(rho), and the boundary r2 = s - rho
        adds nothing to Q(S'); where the loss falls short of eps by x, e^eps q - p is at most the
        share e^x - 1 of p.
        """
        n, s = self.n, self.n.s
        require(b <= s, "everything has a boundary beyond the shift", "steps")
        there = n.log(panel(n.order, (s - (a + b) / 2, (a - b) / 2)), (s - b, s - a))
        least = (n.log(n.radius(a, b), (a, b)) - there - n.epsilon).span()
        value = n.integral(a, b)
        cost = value * overshoot(least)
        if floor:
            cost = cost * brought("the share that S may leave out")(n, a, b, floor)
        return value, cost

    @rule("K157")
    def cap(self, a: Fraction, b: Fraction, boundary: list[Fraction]) -> tuple[Interval, Interval]:
        """S' is {|x - u| > B(rho)}, B a polynomial, S inside S'.

        Lemma.  Let res = g(B) - g(rho) - eps <= 0 throughout.  By Fubini P(S') is the integral of
        w F_d(t1), and by Green's theorem Q(S') that of w(B) F_d(t2) B' along the boundary, joints
        apart; e^eps f(B) = f(rho) e^-res.  On S' less S the loss lies between eps + res and eps.
        """
        n, s, half = self.n, self.n.s, (b - a) / 2
        r, far = n.radius(a, b), panel(n.order, boundary)
        rise = panel(n.order, [c * k / half for k, c in enumerate(boundary)][1:])
        for room in (r - far + s, far - r + s, far + r - s):
            require(room.span().lo >= 0, "the boundary leaves the sphere")
        log = n.log(r, (a, b))
        residual = (log - n.log(far, passed(boundary, rise.span())) - n.epsilon).span()
        require(residual.hi <= 0, "S is not shown to lie in the set named")
        p = (n.weight(log, r) * share_of(self.cosine(r, far), n.d)).integral() * half
        q = n.weight(log, far) * share_of(-self.cosine(far, r), n.d) * rise
        loose, largest = overshoot(residual), q.span()
        most = max(largest.lo.copy_negate(), largest.hi)
        spread = loose * Interval(D0, most) * (2 * half)
        return p - q.integral() * half + spread * SIGNED, loose * p

    @rule("K158")
    def step(self, a: Fraction, b: Fraction, boundary: list[Fraction]) -> tuple[Interval, Interval]:
        """S' is {|x - u| > k}, k constant.

        Lemma.  If g(k-) <= g(rho) + eps + x and g(k+) >= g(rho) + eps - x, the loss differs from
        eps by at most x where S and S' differ.
        """
        n, k = self.n, self.radius_of_step(a, b, boundary)
        r = n.radius(a, b)
        w, half = n.weight(n.log(r, (a, b)), r), (b - a) / 2
        p = (w * share_of(self.cosine_at(r, k), n.d)).integral() * half
        return p, self.lost_by_step(a, b, boundary, w.integral() * half)

    def cosine_at(self, r: Jet, k: Fraction) -> Jet:
        """The cosine for one opposite radius: for the shift itself r/(2 s)."""
        s = self.n.s
        return r * (1 / (2 * s)) if k == s else self.cosine(r, panel(self.n.order, (k,)))

    def radius_of_step(self, a: Fraction, b: Fraction, boundary: list[Fraction]) -> Fraction:
        """The radius beyond which S' lies; of two the step of f is between them (K540)."""
        rising = 1 <= len(boundary) <= 2 and boundary == sorted(set(boundary))
        require(rising, "a step has one radius, or two that rise", "steps")
        k, s = boundary[-1], self.n.s
        inside = max(abs(a - s), abs(b - s)) <= k <= a + s
        require(inside, "the boundary leaves the sphere")
        return k

    def lost_by_step(self, a: Fraction, b: Fraction, boundary: list[Fraction], weight: Interval
                     ) -> Interval:
        """What a step costs on a panel on which w has this integral."""
        n, low, high = self.n, boundary[0], boundary[-1]
        level = n.epsilon - bounds_of_log(n.p, a, b)
        off = hull(level + n.height(low, False), hull(ZERO, -level - n.height(high, True)))
        lost = weight * overshoot(off)
        if low < high:
            lost = lost + brought("a step between two radii")(n, a, b, low, high, weight)
        return lost

    @rule("K159")
    def joint(self, rho: Fraction, low: Fraction, high: Fraction, given: Any) -> Interval:
        """The boundary's vertical step at rho, from one panel to the next.

        Lemma.  It adds the integral of w(r) F_d(t2) over r from low to high to Q(S'), on panels,
        or on the pieces with the word "c" bounded by its largest value.
        """
        n, s = self.n, self.n.s
        step = record(given, "joint", {"cuts", "rules"})
        near, far = sorted((low, high))
        marks = [near, *points(step["cuts"], "joint.cuts"), far]
        fits = all(a < b for a, b in pairwise(marks)) and isinstance(step["rules"], str)
        fits = fits and len(step["rules"]) == len(marks) - 1 and set(step["rules"]) <= set("tclub")
        require(fits, "a joint is not cut into pieces that have rules", "steps")
        total = ZERO
        for (a, b), word in zip(pairwise(marks), step["rules"], strict=True):
            if word == "c":
                r = hull(interval(a), interval(b))
                cosine = (interval(rho * rho - s * s) - r * r) * (r * (2 * s)).inverse()
                total = total + n.bound(a, b) * Interval(D0, share(cosine, n.d).hi)
                continue
            if word in BESIDE:
                total = total + brought("a joint beside a brink")(n, rho, a, b, word)
                continue
            if word == "b":
                total = total + brought("a joint that is a ball")(n, rho, a, b)
                continue
            jet = n.radius(a, b)
            cap = share_of(-self.cosine_at(jet, rho), n.d)
            value = (n.weight(n.log(jet, (a, b)), jet) * cap).integral() * ((b - a) / 2)
            total = total + value
        return total if low < high else -total

    def boundary(self, step: tuple[str, list[Fraction]], rho: Fraction, side: int) -> Fraction:
        """B at an end of a panel."""
        word, coefficients = step
        if word in "ef":
            return rho + self.n.s if word == "e" else abs(rho - self.n.s)
        return value_at(coefficients, side) if word == "c" else coefficients[-1]


def value_at(coefficients: Sequence[Fraction], x: int) -> Fraction:
    """The polynomial's value at x = 1 or x = -1."""
    return sum((c * x**k for k, c in enumerate(coefficients)), Fraction(0))


def passed(boundary: Sequence[Fraction], rise: Interval) -> tuple[Fraction, Fraction] | None:
    """The ends of the radii that B runs through, each of them once; None if its slope may be 0."""
    if rise.sign() not in (1, -1):
        return None
    low, high = sorted(value_at(boundary, x) for x in (-1, 1))
    return low, high


def spheres(noise: Noise, given: Any) -> tuple[Interval, Interval]:
    """The value of all panels and joints, and their cost."""
    step = record(given, "profile.points", {"marks", "sets", "boundaries", "joints"})
    marks, named = increasing(step["marks"], "marks"), Spheres(noise)
    rules = named.rules()
    sets, lists = step["sets"], step["boundaries"]
    fits = isinstance(sets, str) and isinstance(lists, list)
    fits = fits and len(sets) == len(lists) == len(marks) - 1 and set(sets) <= set(rules)
    require(fits, "the sets do not match the panels", "steps")
    pieces = [(word, points(c, "boundaries")) for word, c in zip(sets, lists, strict=True)]
    longest = all(len(c) <= noise.order for _, c in pieces)
    require(longest, "a boundary has too many coefficients", "steps")
    along = zip(pieces, pairwise(marks), strict=True)
    total = [rules[word](a, b, c) for (word, c), (a, b) in along]
    joints = list(step["joints"]) if isinstance(step["joints"], list) else [None]
    pieces = [("e", []), *pieces, ("e", [])] if marks[0] else [*pieces, ("e", [])]
    sums = [total_of(total), outside(noise, marks[-1]), (ZERO, noise.lost_inside(marks[0]))]
    growth = noise.epsilon.exp()
    for rho, (left, right) in zip(marks if marks[0] else marks[1:], pairwise(pieces), strict=True):
        low, high = named.boundary(left, rho, 1), named.boundary(right, rho, -1)
        if low != high:
            require(bool(joints), "a joint of the boundary is left out", "steps")
            sums.append((-growth * named.joint(rho, low, high, joints.pop(0)), ZERO))
    require(not joints, "a joint is named where the boundary is connected", "steps")
    return total_of(sums)


def total_of(parts: list[tuple[Interval, Interval]]) -> tuple[Interval, Interval]:
    return add_up(value for value, _ in parts), add_up(cost for _, cost in parts)


def outside(noise: Noise, far: Fraction) -> tuple[Interval, Interval]:
    """What the spheres beyond the panels cost, where S' is empty: where the tail is bounded by a
    power at most all of it, whatever the loss is there."""
    if noise.tail is not None and noise.tail[0] == "power":
        return ZERO, noise.beyond(far, True)
    germ = Germ(far, noise.p.infinity.order)
    lost = excess(noise.p.far_shift(germ, noise.s).span() - noise.epsilon)
    return ZERO, lost * noise.beyond(far, True) if lost.hi > 0 else ZERO


def quiet(noise: Noise, end: Fraction, given: Any) -> bool:
    """Whether a step says that no loss from beyond R to a radius within s exceeds eps: then it is
    to be shown, by |L'| <= eps/s from R - s on."""
    if "quiet" not in given:
        return False
    rate = noise.p.far(Germ(end - noise.s, noise.p.infinity.order)).du.span()
    most = max(rate.hi, rate.lo.copy_negate())
    shown = given["quiet"] is True and most <= (noise.epsilon * (1 / noise.s)).lo
    require(shown, "a loss from beyond the last radius is not shown to stay below eps")
    return True


@rule("K160")
def stretch(noise: Noise, side: int, a: Fraction, b: Fraction, word: str
            ) -> tuple[Interval, Interval]:
    """The points x = side rho, a < rho < b, of the line: in S' ("f") or not ("e").

    Lemma.  |x - u| is rho + s on the left, and s - rho on the right, where rho < s/2 unless the
    loss is at most 0.  A point on the wrong side costs a share of p: at most 1 - e^-x where the
    loss exceeds eps by x, at most e^x - 1 where it falls short by x; and no point outside S' costs
    more than p, whatever its loss is ("u").
    """
    n, s, middle, half = noise, noise.s, (a + b) / 2, (b - a) / 2
    if word == "u":
        return ZERO, n.bound(a, b)
    if word == "e" and side < 0:
        return ZERO, n.bound(a, b) * excess(n.loss(a, b) - n.epsilon)
    across = (middle + s, half) if side < 0 else (s - middle, -half)
    around = (a + s, b + s) if side < 0 else (s - b, s - a)
    here, there, loss, most = n.both((a, b), across, around)
    if word == "e":
        return ZERO, n.bound(a, b) * excess(loss - n.epsilon)
    gain = (here - there * n.growth) * half
    return gain, Interval(D0, most.hi) * (2 * half) * overshoot(loss - n.epsilon)


def either(noise: Noise, side: int, a: Fraction, b: Fraction, word: str, by_log: Any
           ) -> tuple[Interval, Interval]:
    """A stretch by the logarithm of f, or by its values, or by how far f falls, where its word
    says so."""
    way = brought(OTHERWISE[word]) if word in OTHERWISE else by_log
    found: tuple[Interval, Interval] = way(noise, side, a, b, word)
    return found


def line(noise: Noise, given: Any) -> tuple[Interval, Interval]:
    """Twice the value of all stretches, and their cost: Z counts both sides of the line once."""
    fields = {"left", "left_sets", "right", "right_sets"}
    step = record(given, "profile.points", fields)
    left = increasing(step["left"], "left")
    right = increasing(step["right"], "right")
    covered = right[0] == left[0] and right[-1] == noise.s / 2
    require(covered, "the stretches do not cover the line", "steps")
    parts = [outside(noise, left[-1]), (ZERO, noise.lost_inside(left[0]) * 2)]
    for side, marks, sets in ((-1, left, step["left_sets"]), (1, right, step["right_sets"])):
        fits = isinstance(sets, str) and len(sets) == len(marks) - 1 and set(sets) <= set("efuvwo")
        require(fits, "the sets do not match the stretches", "steps")
        pairs = zip(pairwise(marks), sets, strict=True)
        parts += [either(noise, side, a, b, word, stretch) for (a, b), word in pairs]
    value, cost = total_of(parts)
    return value * Fraction(1, 2), cost * Fraction(1, 2)
