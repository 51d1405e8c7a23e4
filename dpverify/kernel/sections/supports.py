"""Profiles of an f that is 0 beyond some radius: f is cut short of it, and goes on as a small
tail."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import D0, ZERO, Interval, interval, product_of
from ..reader import Reader
from ..rules import BROUGHT, require, rule
from ..steps import Steps, named, rational, record
from .charts import Problem, Subject, chart, radii
from .models import LINEAR, Model
from .needs import MEETING, bare
from .support import Parts


class Cut:
    """R, the B from which on f is 0, and what of f is lost at most between."""

    def __init__(self, radius: Fraction, end: Fraction, lost: Interval) -> None:
        self.radius, self.end, self.lost = radius, end, lost


@rule("K228")
def cut(subject: Subject, given: Steps) -> Cut:
    """f, cut short of the radius beyond which it is 0: h = f up to R, and c e^-r beyond.

    Lemma.  If 0 <= f <= M on (R, B) and f is 0 beyond, the integral of r^(d-1) |f - h| is at most
    M B^(d-1) (B - R) + c (d - 1)!.  What the text of f needs, its guards meet (K99).
    """
    step = record(given.take("cut"), "cut", {"radius", "end", "height"})
    at, end, height = (rational(step[name], f"cut.{name}") for name in ("radius", "end", "height"))
    right = 0 < at <= end and height > 0
    require(right, "the cut has no radius before its end, or no tail", "steps")
    for need in map(bare, subject.reader.needs):
        met = named(MEETING, "guard", "no section listed meets what the text needs", "rules")(need)
        require(met, "the text has needs, which its guards do not meet")
    zero, far = (chart(given.take(name), name) for name in ("zero", "infinity"))
    p, d = Problem(subject.tree, subject.dimension, subject.delta, zero, far), subject.dimension
    tail = p.at_infinity(Model(p.infinity, {LINEAR: 1})).value(p.tree)
    nothing = isinstance(tail, Model) and tail.sign() == 0
    beyond = ZERO if end >= p.r1 else on_box(p, end, p.r1)
    gone = nothing and beyond.lo == beyond.hi == 0
    require(gone, "f is not shown to be 0 beyond the end of the cut")
    most = ZERO if at == end else on_box(p, at, end)
    require(most.finite() and most.lo >= 0, "f is not shown bounded, not negative, beyond the cut")
    text = f"Piecewise((({subject.reader.text}), r < {at}), ({height}*exp(-r), True))"
    subject.reader = Reader(text, subject.reader.names)
    subject.tree = subject.reader.tree()
    shell = most * interval(end).power(Fraction(d - 1)) * (end - at)
    return Cut(at, end, shell + factorial(d - 1) * height)


def factorial(n: int) -> Interval:
    """n!, rounded on the way: exactly it has millions of digits, which take minutes to read."""
    return product_of(interval(max(1, k)) for k in range(n + 1))


def on_box(p: Problem, a: Fraction, b: Fraction) -> Interval:
    return Parts(p.at_box(radii(a, b), (a, b))).of(p.tree)


@rule("K229")
def between(found: tuple[Decimal, Decimal], cut: Cut, z: Interval, epsilon: Interval
            ) -> tuple[Decimal, Decimal]:
    """delta(eps) of f from that of h.

    Lemma.  If f and h are densities but for factors, |f - h| has the integral D (as Z is one), and
    h has the profile delta_h by Theorem B, then f has at every shift up to the longest a divergence
    of at most delta_h(eps) + 2 (1 + e^eps) D/Z, Z being that of h, and at the longest one of at
    least delta_h(eps) less as much.
    """
    return widened(found, cut, z, epsilon)


def widened(found: tuple[Decimal, Decimal], cut: Cut, z: Interval, epsilon: Interval
            ) -> tuple[Decimal, Decimal]:
    """Bounds of a divergence, moved apart by 2 (1 + e^eps) D/Z."""
    off = (epsilon.exp() + 1) * cut.lost * z.inverse() * 2
    low, high = Interval(found[0], found[0]) - off, Interval(found[1], found[1]) + off
    return max(D0, low.lo), high.hi


BROUGHT["a cut of f"] = cut
BROUGHT["delta(eps) from that of a cut"] = between
