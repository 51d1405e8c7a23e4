"""Profiles of an f that touches 0: on a short patch about each zero it is replaced by a number."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import ZERO, Interval, interval
from ..reader import Reader
from ..rules import BROUGHT, require, rule
from ..steps import Steps, named, rational, record
from .charts import Problem, Subject, chart, open_box
from .needs import MEETING, bare
from .supports import on_box

MOST_PATCHES = 100


class Patched:
    """What of f the patches change at most: f has no end from which on it is 0, and so no atom."""

    radius = end = None

    def __init__(self, lost: Interval) -> None:
        self.lost = lost


@rule("K544")
def patched(subject: Subject, given: Steps) -> Patched:
    """h, which is a number c > 0 on each of some open intervals, the patches, and f elsewhere.

    Lemma.  If 0 <= f <= M on a patch (a, b), the integral of r^(d-1) |f - h| over it is at most
    max(M, c) b^(d-1) (b - a), and no two patches overlap; elsewhere |f - h| = 0, so that f is not
    negative where h is positive.  What the text of f needs, its guards meet (K99).
    """
    listed = given.take("patches")
    fits = isinstance(listed, list) and 0 < len(listed) <= MOST_PATCHES
    require(fits, "the patches are not a short list", "format")
    for need in map(bare, subject.reader.needs):
        met = named(MEETING, "guard", "no section listed meets what the text needs", "rules")(need)
        require(met, "the text has needs, which its guards do not meet")
    zero, far = (chart(given.take(name), name) for name in ("zero", "infinity"))
    p, d = Problem(subject.tree, subject.dimension, subject.delta, zero, far), subject.dimension
    end, lost, branches = Fraction(0), ZERO, ""
    for step in listed:
        record(step, "patch", {"box", "height"})
        (a, b), c = open_box(step["box"], "patch.box"), rational(step["height"], "patch.height")
        require(end <= a and c > 0, "patches overlap, or one is not positive", "steps")
        found = on_box(p, a, b)
        bounded = found.finite() and found.lo >= 0
        require(bounded, "f is not shown bounded, not negative, on a patch")
        most = max(found.hi, interval(c).hi)
        lost = lost + Interval(most, most) * interval(b).power(Fraction(d - 1)) * (b - a)
        branches += f"({c}, (r > {a}) & (r < {b})), "
        end = b
    subject.reader = Reader(f"Piecewise({branches}(({subject.reader.text}), True))",
                            subject.reader.names)
    subject.tree = subject.reader.tree()
    return Patched(lost)


BROUGHT["patches of f"] = patched
