"""Losses without a bound: moments under p, and with them what lies beyond the end of a profile.

T is at least log f(0+), G = T - log f >= 0, and phi(r) = g(r + s) - g(r), which at |x| = r is at
least the loss.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import ZERO, Interval, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record, whole
from ..tree import power
from .charts import Problem
from .fields import points
from .hypotheses import Proof
from .measures import HALF
from .models import Germ
from .panels import Noise, mass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_BOUNDS = 60


class Bound:
    """log E e^(k l) <= k a + (k c)^2/(4 t) + m for every k > 0; `k` is the one for the profile's
    end."""

    def __init__(self, a: Fraction, c: Fraction, t: Fraction, k: Fraction, m: Interval) -> None:
        self.a, self.c, self.t, self.k, self.m = a, c, t, k, m

    def log_moment(self, k: Fraction) -> Interval:
        return self.m + (k * self.a + (k * self.c) ** 2 / (4 * self.t))


class Tail:
    """What several bounds say beyond the last point of a profile; the least holds."""

    def __init__(self, bounds: list[Bound], last: Fraction) -> None:
        self.bounds, self.last = bounds, last

    def moment(self, order: Fraction) -> Interval:
        """The integral of h(a) (a^(L - 2) + a^(-L - 1)) over a > e^eps, eps being the last point's
        (K247)."""
        found = []
        for b in self.bounds:
            if b.k > order - 1:
                rates = (b.k - order + 1, b.k + order)
                found += [sum(((b.log_moment(b.k) - rate * self.last).exp() * (1 / rate)
                               for rate in rates), ZERO).hi]
        require(bool(found), "no bound of the losses reaches an order")
        return Interval(ZERO.lo, min(found))

    @rule("K248")
    def divergence(self, order: Fraction) -> Interval:
        """D_L, L > 1, from a moment of the loss.

        Lemma.  It is log E e^(k l)/k for k = L - 1, at most (k a + (k c)^2/(4 t) + m)/k for every
        bound, m being log E e^(t G).
        """
        k = order - 1
        return Interval(ZERO.lo, min((b.log_moment(k) * (1 / k)).hi for b in self.bounds))

    @rule("K249")
    def share(self, order: Fraction) -> Interval:
        """D_L/L, for this and all larger orders.

        Lemma.  With k = L - 1 it is at most (k a + (k c)^2/(4 t) + m)/(k (k + 1)), which is at most
        a/(k + 1) + c^2/(4 t) + m/(k (k + 1)), and for a, m >= 0 that falls with k, but for
        c^2/(4 t).
        """
        k, found = order - 1, []
        for b in self.bounds:
            m = Interval(ZERO.lo, max(ZERO.hi, b.m.hi))
            found.append((m * (1 / (k * (k + 1))) + b.a / (k + 1) + b.c**2 / (4 * b.t)).hi)
        return Interval(ZERO.lo, min(found))


@rule("K247")
def tail(proof: Proof, last: Fraction, given: Any) -> Tail:
    """Bounds of all moments of the loss.

    Lemma.  If phi <= a + c sqrt(G) for every r > 0, then k phi <= k a + (k c)^2/(4 t) + t G for
    0 < t, and E e^(t G) = e^(t T) times the integral of r^(d-1) f^(1 - t), over Z.  On a box phi
    and G are enclosed; up to the first mark phi is at most T + g just beyond that mark and the
    shift, as g does not fall; beyond the last it is at most c sqrt(G), and a >= 0.
    h(e^x) <= P(l > x) <= E e^(k l) e^(-k x), so for k > L - 1 the integral of h(a)
    (a^(L - 2) + a^(-L - 1)) over a > e^eps is at most E e^(k l)
    (e^((L - 1 - k) eps)/(k - L + 1) + e^(-(L + k) eps)/(L + k)).  The f is the one of the claim,
    and not one cut short (K228) or patched (K544), whose losses are others.
    """
    step = record(given, "measures.tail", {"top", "marks", "bounds", "masses"})
    same = not (proof.steps.has("cut") or proof.steps.has("patches"))
    require(same, "moments of the losses of a cut f say nothing of f")
    p, top = proof.problem, rational(step["top"], "tail.top")
    marks = points(step["marks"], "tail.marks")
    rising = len(marks) > 1 and marks[0] > 0 and all(x < y for x, y in pairwise(marks))
    require(rising, "the marks of a tail do not rise", "steps")
    require(p.near_zero().u.span().hi <= interval(top).lo, "the top is not shown above log f(0+)")
    s, first = p.delta, marks[0] + p.delta
    losses = [((interval(top) - p.on_box(first, first + first / 2**20).u).hi, ZERO.lo)]
    for a, b in pairwise(marks):
        rise = max(ZERO.lo, (interval(top) - p.on_box(a, b).u).lo)
        losses.append((p.loss(a, b, s, True).hi, Interval(rise, rise).power(HALF).lo))
    germ = Germ(marks[-1], p.infinity.order)
    far = p.far_shift(germ, s)
    ratio = (far * far * (-p.far(germ).u + top).inverse()).span()
    masses = heights(proof, step["masses"])
    listed = step["bounds"]
    short = isinstance(listed, list) and 0 < len(listed) <= MOST_BOUNDS
    require(short, "the bounds are not a short list", "format")
    found = []
    for entry in listed:
        record(entry, "tail.bound", {"a", "c", "t", "k"})
        a, c, t, k = (rational(entry[name], f"tail.{name}") for name in ("a", "c", "t", "k"))
        right = a >= 0 and c > 0 and k > 0 and t in masses
        require(right, "a bound has no mass, or a sign that is not right", "steps")
        require(ratio.hi <= interval(c * c).lo, "c is not shown large enough in the tail")
        held = all(loss <= (interval(a) + Interval(root, root) * c).lo for loss, root in losses)
        require(held, "phi is not shown to be at most a + c sqrt(G)")
        found.append(Bound(a, c, t, k, masses[t] + t * top))
    needed = set(masses) == {bound.t for bound in found}
    require(needed, "a mass of a share is given that no bound uses", "steps")
    return Tail(found, last)


def heights(proof: Proof, given: Any) -> dict[Fraction, Interval]:
    """By t, log of the integral of r^(d-1) f^(1 - t) over Z."""
    short = isinstance(given, list) and 1 < len(given) <= MOST_BOUNDS
    require(short, "the masses are not a short list", "format")
    found: dict[Fraction, Interval] = {}
    for entry in given:
        record(entry, "tail.mass", {"t", "order", "marks"})
        t = rational(entry["t"], "tail.t")
        new = 0 <= t < 1 and t not in found
        require(new, "a share is not one in [0, 1), or is there twice", "steps")
        z = mass(noise_of(proof, 1 - t, entry["order"]), entry["marks"])
        require(z.lo > 0, "the integral of a power of w is not shown positive")
        found[t] = z.log()
    require(Fraction(0) in found, "Z is not among the masses", "steps")
    z = found.pop(Fraction(0))
    return {t: x - z for t, x in found.items()}


def noise_of(proof: Proof, share: Fraction, order: Any) -> Noise:
    """w with a power of f."""
    p = proof.problem
    ends = (p.r0, p.zero.order), (p.r1, p.infinity.order)
    of = Problem(power(p.tree, share), p.dimension, p.delta, *ends)
    return Noise(of, 2 * whole(order, "tail.order", 1, 24), Fraction(0))


BROUGHT["what lies beyond a profile's end"] = tail
