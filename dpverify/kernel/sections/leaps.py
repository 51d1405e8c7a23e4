"""An f that may rise and jumps, where the shifts are covered: jumps on spheres, f patched about a
jump that is not rational, and cut far out.

Notation as in shifts.py and turning.py.  F1 is F, but for F(a-) on each patch (a, j], j a jump, and
0 beyond the end where f is cut; slopes of H are those of H1, the same for F1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import ANY, D0, D1, ONE, UNIT, ZERO, Interval, hull, interval, meet
from ..rules import BROUGHT, require, rule
from .fields import points
from .jets import share
from .panels import MOST_PANELS, Noise
from .slopes import Slope
from .theorem_a import bounds_of_log
from .turning import Means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TINY = Fraction(1, 10**30)


class Leaps:
    """F1: the jumps j, each with the a at which its patch begins, j itself where there is none."""

    def __init__(self, noise: Noise, step: Any) -> None:
        self.n, self.p = noise, noise.p
        self.jumps = points(step.get("jumps", []), "jumps")
        given = step.get("patches", [])
        require(isinstance(given, list), "patches is not a list", "format")
        pairs = [points(x, "patches") for x in given]
        require(all(len(x) == 2 for x in pairs), "a patch is not a pair", "format")
        self.patches = [(x[0], x[1]) for x in pairs]
        ends = [x for patch in self.patches for x in patch]
        rising = all(a < b for a, b in pairwise([Fraction(0), *self.jumps]))
        apart = all(a < b for a, b in pairwise([Fraction(0), *ends]))
        require(rising and len(self.jumps) <= MOST_PANELS, "jumps do not rise", "steps")
        fits = apart and {j for _, j in self.patches} <= set(self.jumps)
        fits = fits and not any(a <= j < b for a, b in self.patches for j in self.jumps)
        require(fits, "the patches are not apart, each up to its jump", "steps")
        self.starts = {j: a for a, j in self.patches}
        self.sides = {*self.jumps, *ends}

    def below(self, j: Fraction) -> Interval:
        """F1 just below a jump."""
        a = self.starts.get(j, j)
        return self.p.on_box(a * (1 - TINY), a).u.exp()

    def above(self, j: Fraction) -> Interval:
        return self.p.on_box(j, j * (1 + TINY)).u.exp()

    def within(self, a: Fraction, b: Fraction) -> bool:
        """Whether a row lies in a patch, where F1 does not change."""
        return any(low <= a and b <= high for low, high in self.patches)

    def on_box(self, a: Fraction, b: Fraction) -> Slope:
        """log F1 on a box, without slopes where a patch reaches into it."""
        first = next((low for low, high in self.patches if low < b and a < high), None)
        if first is None:
            return self.p.on_box(a, b)
        return Slope(self.p.on_box(min(a, first * (1 - TINY)), b).u, ANY)

    def log(self, a: Fraction, b: Fraction) -> Interval:
        found = self.on_box(a, b)
        return bounds_of_log(self.p, a, b) if found.du.finite() else found.u

    @rule("K300")
    def change(self, j: Fraction, logs: list[Interval]) -> tuple[Interval, list[Interval]]:
        """What a jump of F1 at j adds to Z H': for each row of b, with the spans of log F1 on it.

        Lemma (Theorem E in space).  It adds j^(d-1) times the mean of c chi(b) over the directions,
        chi(b) = (F1(j+) - e^eps F1(b))_+ - (F1(j-) - e^eps F1(b))_+, b^2 = j^2 - 2 j t c + t^2:
        the jump j^(d-1) (F1(j+) - F1(j-)) times the mean of c theta(b), where theta, of either
        sign of the jump, is the share of the heights between both that lie above e^eps F1(b).
        """
        before, after = self.below(j), self.above(j)
        jump = (after - before) * interval(j).power(Fraction(self.n.d - 1))
        low, high = (before, after) if after.lo > before.hi else (after, before)
        known = high.lo > low.hi
        if not known:
            low = high = hull(before, after)

        def part_above(log: Interval) -> Interval:
            there = (log + self.n.epsilon).exp()
            if there.hi <= low.lo:
                return ONE
            if there.lo >= high.hi:
                return ZERO
            if not (known and there.finite()):
                return UNIT
            part = (high - there) * (high - low).inverse()
            return Interval(min(D1, max(D0, part.lo)), min(D1, max(D0, part.hi)))

        return jump, [part_above(log) for log in logs]

    @rule("K301")
    def patched(self) -> Interval:
        """What Z H may change from one shift to another beside Z H1, by all patches.

        Lemma.  Let m be the integral of r^(d-1) |F - F1| over a patch.  As (x)_+ changes by no more
        than x does, Z H and Z H1 differ by at most (1 + e^eps) m at every shift, and so their
        changes by twice that; m is at most j^(d-1) (j - a) times the largest of F on the patch
        and of F(a-).
        """
        total = ZERO
        for a, j in self.patches:
            height = self.on_box(a, j).u.exp() * interval(j).power(Fraction(self.n.d - 1))
            total = total + height * (j - a)
        return Interval(D0, (total * (self.n.epsilon.exp() + 1) * 2).hi)


@rule("K370")
def on_line(noise: Noise, step: Any) -> tuple[Leaps, Interval]:
    """F1 on the line, and what 2 Z H may change from one shift to another beside 2 Z H1.

    Lemma (Theorem E).  Each patch is met on both sides of 0, so that 2 Z H and 2 Z H1 differ by at
    most 2 (1 + e^eps) m at every shift, m as in K301 for d = 1.  F1 has bounded variation: on a
    patch it is F(a-), without a slope; at its j it jumps from F(a-) to F(j+).  What Theorem E says
    of H' and F, it says of H1' and F1.
    """
    found = Leaps(noise, step)
    require(bool(found.patches), "patches are named and there are none", "steps")
    return found, found.patched() * 2


@rule("K302")
def cut_in_space(noise: Noise, end: Fraction) -> Interval:
    """What Z H may change from one shift to another beside Z H1, by all of F beyond R.

    Lemma.  F1 being F up to R and 0 beyond, Z H lies between Z H1 - e^eps m and Z H1 + m, m the
    integral of r^(d-1) F from R on, as (x + y)_+ <= x_+ + y_+; so changes of Z H are at most those
    of Z H1 and (1 + e^eps) m.  The jump of F1 at R, from F(R-) to 0, adds at most R^(d-1) F(R-)
    M(0) to Z H1' either way, M(0) being the mean of all c > 0.
    """
    return Interval(D0, ((noise.epsilon.exp() + 1) * noise.beyond(end, True)).hi)


def last_jump(noise: Noise, end: Fraction) -> Interval:
    """R^(d-1) F(R-)."""
    height = noise.p.on_box(end * (1 - TINY), end).u.exp()
    return height * interval(end).power(Fraction(noise.d - 1))


@rule("K303")
def mean_of_shares(means: Means, runs: list[tuple[Interval, Interval, Interval]]) -> Interval:
    """The mean of c theta over directions, from the cosines at the two ends of each run of them, on
    which theta lies in [x, y].

    Lemma.  Over a run it is x times the mean of c there (K264), and that of c (theta - x) besides,
    which lies between y - x times the integrals of the negative and of the positive c; as
    0 <= theta <= 1, it is at most M(0) either way.
    """
    total = ZERO
    for near, far, theta in runs:
        least, more = Interval(theta.lo, theta.lo), Interval(theta.hi, theta.hi)
        if theta.lo:
            total = total + (means.moment(far) - means.moment(near)) * least
        if theta.lo < theta.hi:
            total = total + means.part(near, far) * (more - least)
    return meet(total, means.most)


@rule("K304")
def share_of_thin(d: int, a: Fraction, s: Fraction, low: Fraction, high: Fraction) -> Interval:
    """At most the share of a sphere |x| = rho >= a that has |x - u| between two radii.

    Lemma.  There the cosine at the centre runs through an interval of the length
    l = (high^2 - low^2)/(2 rho s) at most.  For d >= 3 its density is c_d at most, c_d as in K152;
    for d = 2 it is even and rises to both ends, so that no interval has more than the one at an
    end, F_2(l - 1).
    """
    length = (high * high - low * low) / (2 * a * s)
    if d == 2:
        found = share(interval(min(length, Fraction(2)) - 1), 2)
    else:
        found = Means(d).whole * (d - 1) * length
    return Interval(D0, min(D1, found.hi))


BROUGHT["the share of a thin strip"] = share_of_thin
BROUGHT["patches on the line"] = on_line
BROUGHT["jumps of f where shifts are covered"] = Leaps
BROUGHT["what is left out of f in space"] = cut_in_space
BROUGHT["the jump where f is cut"] = last_jump
BROUGHT["a mean of shares"] = mean_of_shares
