"""Profiles of an f that waves down to 0 again and again: it is cut where little of it is left, and
goes on as a small tail."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, interval
from ..reader import Reader
from ..rules import BROUGHT, require, rule
from ..steps import Steps, named, rational, record, whole
from ..tree import never_negative
from .charts import Problem, Subject, chart
from .models import Model, power_of_t
from .needs import MEETING, bare
from .supports import factorial

HIGHEST = 10**7


class Faint:
    """What of f the tail changes at most: f has no end from which on it is 0, and so no atom."""

    radius = end = None

    def __init__(self, lost: Interval) -> None:
        self.lost = lost


@rule("K545")
def faint(subject: Subject, given: Steps) -> Faint:
    """f, cut where little of it is left: h = f up to R, and c e^-r beyond.

    Lemma.  If 0 <= r^p f <= M beyond R, and p > d, the integral of r^(d-1) |f - h| is at most
    M R^(d-p)/(p - d) + c (d - 1)!.  What the text of f needs, its guards meet (K99).  It is for an
    f that is patched as well (K544), of which measures and moments are refused.
    """
    require(given.has("patches"), "f is cut where little of it is left, and not patched", "steps")
    step, d = record(given.take("faint"), "faint", {"radius", "power", "height"}), subject.dimension
    at, height = (rational(step[name], f"faint.{name}") for name in ("radius", "height"))
    p = whole(step["power"], "faint.power", d + 1, HIGHEST)
    require(height > 0, "no tail goes on where f is cut", "steps")
    for need in map(bare, subject.reader.needs):
        met = named(MEETING, "guard", "no section listed meets what the text needs", "rules")(need)
        require(met, "the text has needs, which its guards do not meet")
    zero, far = (chart(given.take(name), name) for name in ("zero", "infinity"))
    problem = Problem(subject.tree, d, subject.delta, zero, (at, far[1]))
    found = problem.at_infinity(problem.infinity.radius()).value(problem.tree)
    weighed = (found * Model(problem.infinity, {power_of_t(p): 1})).span()
    signed = weighed.lo >= 0 or never_negative(problem.tree)
    require(signed and weighed.finite(), "f is not shown bounded, not negative, where it is cut")
    text = f"Piecewise((({subject.reader.text}), r < {at}), ({height}*exp(-r), True))"
    subject.reader = Reader(text, subject.reader.names)
    subject.tree = subject.reader.tree()
    most = Interval(weighed.hi, weighed.hi)
    left = most * interval(at).power(Fraction(d - p)) * Fraction(1, p - d)
    return Faint(left + factorial(d - 1) * height)


BROUGHT["a cut of f where little is left"] = faint
