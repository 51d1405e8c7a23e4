"""Measures of privacy that follow from a profile which is known at many eps.

h(a) = delta(log a), a >= 1, is convex and falls, and h(1/a) = (a - 1 + h(a))/a, as both orders of
the pair of an even density are alike.  Above h runs the chord of two neighbouring points, below it
the line through two points, beyond the second of them, where the first counts from above and the
second from below.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ..intervals import ONE, ZERO, Interval, add_up, interval
from ..rules import BROUGHT, brought, require, rule
from ..steps import rational, record
from .erfc import log_erfc
from .fields import ends
from .hypotheses import Proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF, MOST, MOST_ORDER, MOST_WORK = Fraction(1, 2), 100, Fraction(1000), 200_000
"""Measures, the largest order, and how many points are taken for all orders together."""
RENYI, ERROR, MU, RHO = NAMES = ("Renyi divergence", "type II error", "Gaussian mu", "zCDP rho")


class Line:
    """c + m a between a = e^low and a = e^high."""

    def __init__(self, low: Fraction, high: Fraction, p: tuple[Interval, Interval],
                 q: tuple[Interval, Interval]) -> None:
        self.low, self.high = low, high
        self.m = (q[1] - p[1]) * (q[0] - p[0]).inverse()
        self.c = p[1] - self.m * p[0]

    def at(self, level: Fraction) -> Interval:
        return self.c + self.m * interval(level).exp()

    def moment(self, powers: Powers) -> Interval:
        """The integral of (c + m a) (a^(L - 2) + a^(-L - 1)) over the line, L being the powers'
        order."""
        near, far = powers.at(self.low), powers.at(self.high)
        width = self.high - self.low
        low, middle, high, last = (powers.integral(k, near, far, width) for k in range(4))
        return self.c * (low + middle) + self.m * (high + last)


class Powers:
    """Antiderivatives of a^(L - 2), a^(-L - 1), a^(L - 1) and a^-L at a = e^level, but for their
    factors."""

    def __init__(self, order: Fraction) -> None:
        self.order, self.known = order, dict[Fraction, tuple[Interval, ...]]()
        self.factors = (order - 1, -order, order, 1 - order)

    def at(self, level: Fraction) -> tuple[Interval, ...]:
        if level not in self.known:
            a, power = interval(level).exp(), interval(level * (self.order - 1)).exp()
            higher = power * a
            self.known[level] = (power, higher.inverse(), higher, power.inverse())
        return self.known[level]

    def integral(self, k: int, near: tuple[Interval, ...], far: tuple[Interval, ...],
                 length: Fraction) -> Interval:
        """Of a^-1 it is the difference of the levels."""
        s = self.factors[k]
        return interval(length) if s == 0 else (far[k] - near[k]) * (1 / s)


class Profile:
    """The lines above and below h, from points whose bounds of delta are proved; h is never below
    the atom."""

    def __init__(self, points: Any, atom: Fraction = Fraction(0)) -> None:
        known = [(rational(p["epsilon"], "epsilon"), *ends(p["delta"], "delta")) for p in points]
        rising = len(known) > 2 and known[0][0] == 0 and all(
            p[0] < q[0] for p, q in pairwise(known))
        require(rising, "the points of the profile do not rise from epsilon = 0 on", "claim")
        self.ended, self.atom = known[-1][2] == 0, interval(atom)
        self.tail: Any = None
        self.work = 0
        self.levels = [e for e, _, _ in known]
        self.places = [interval(e).exp() for e in self.levels]
        self.low = [interval(low) for _, low, _ in known]
        self.high = [interval(high) for _, _, high in known]
        above = list(zip(self.places, self.high, strict=True))
        cells = list(pairwise(self.levels))
        self.above = [Line(*cell, *two) for cell, two in zip(cells, pairwise(above), strict=True)]
        before = [self.mirrored(1), *above]
        beyond = [*above[1:], (self.places[-1] + 1, self.high[-1])]
        self.below = []
        for k, (low, high) in enumerate(cells):
            middle = (low + high) / 2
            here, ahead = (self.places[k], self.low[k]), (self.places[k + 1], self.low[k + 1])
            self.below += [Line(low, middle, before[k], here),
                           Line(middle, high, ahead, beyond[k + 1])]

    def needs_end(self) -> None:
        require(self.ended, "the profile does not end at a delta of 0", "claim")

    def mirrored(self, k: int) -> tuple[Interval, Interval]:
        """1/a_k, and an upper bound of h there."""
        inverse = self.places[k].inverse()
        return inverse, ONE - inverse + self.high[k] * inverse


@rule("K230")
def renyi(h: Profile, order: Fraction) -> Interval:
    """The Renyi divergence of an order L > 0.

    Lemma (Sason and Verdu 2016).  e^((L - 1) D_L) = 1 + L (L - 1) I, and D_1 = I, I being the
    integral of h(a) (a^(L - 2) + a^(-L - 1)) over a > 1: at most that of the lines above h, as h is
    0 from its last point on, and at least that of those lines below it that are not negative.
    Where h is not 0 from there on, it lies between the atom and its bound at the last point a, and
    for L < 1 the integral of a^(L - 2) + a^(-L - 1) beyond is a^(L - 1)/(1 - L) + a^-L/L; or K247
    bounds that of h.
    """
    require(0 < order <= MOST_ORDER, "an order of a divergence is not positive, or too large")
    h.work += len(h.levels)
    require(h.work <= MOST_WORK, "there are too many orders for so many points", "limits")
    rest, powers, more = ZERO, Powers(order), ZERO
    if h.tail is not None:
        more = h.tail.moment(order)
    elif not h.ended:
        require(order < 1, "the profile does not end at a delta of 0", "claim")
        beyond = zip(powers.factors[:2], powers.at(h.levels[-1]))
        rest = add_up(power * (-1 / s) for s, power in beyond)
    found = []
    below = [x for x in h.below if x.at(x.low).lo >= 0 and x.at(x.high).lo >= 0]
    for lines, last in ((below, h.atom), (h.above, h.high[-1])):
        integral = add_up([rest * last, more, *(x.moment(powers) for x in lines)])
        if order != 1:
            inside = integral * (order * (order - 1)) + 1
            require(inside.lo > 0, "the profile is too coarse for an order")
            integral = inside.log() * (1 / (order - 1))
        found.append(integral)
    if h.tail is not None and order > 1:
        return Interval(found[0].lo, min(found[1].hi, h.tail.divergence(order).hi))
    return Interval(found[0].lo, found[1].hi)


@rule("K231")
def trade_off(h: Profile, x: Fraction) -> Interval:
    """The least type II error of a test with the type I error x, 0 < x < 1.

    Lemma (Dong, Roth and Su 2022).  It is the supremum of 1 - h(a) - a x over a > 0.  A point
    bounds it from below, for a and for 1/a; from above do the ends of every line below h, since
    1 - h(a) - a x and (1 - x - h(a))/a, its value at 1/a, are with the line in h's place monotone
    in a; beyond the last point they are at most 1 - c - a x and (1 - c - x)/a, or 0, c being the
    atom.
    """
    require(0 < x < 1, "a type I error does not lie between 0 and 1")
    both = list(zip(h.places, h.high, strict=True))
    both += [h.mirrored(k) for k in range(1, len(h.places))]
    low = max((ONE - u - a * x).lo for a, u in both)
    last = h.places[-1]
    tops = [ZERO, ONE - h.atom - last * x, last.inverse() * (ONE - h.atom - x)]
    for line in h.below:
        for level in (line.low, line.high):
            a, value = interval(level).exp(), line.at(level)
            tops += [ONE - value - a * x, (ONE - value - x) * a.inverse()]
    return Interval(low, max(top.hi for top in tops))


def gaussian(mu: Fraction, epsilon: Interval) -> tuple[Interval, Interval]:
    """h_mu at e^eps, by K163's formula, and minus its slope there, Phi(-mu/2 - eps/mu)."""
    root = interval(2).power(HALF).inverse()
    near, far = (log_erfc((epsilon * (1 / mu) + mu * part) * root) for part in (-HALF, HALF))
    return (near.exp() - (epsilon + far).exp()) * HALF, far.exp() * HALF


@rule("K232")
def gaussian_mu(h: Profile, low: Fraction, high: Fraction) -> None:
    """The least mu for which a Gaussian with Delta/sigma = mu is no more private lies between two.

    Lemma (Dong, Roth and Su 2022).  h_mu rises with mu and is convex in a; so mu is at most one for
    which every line above h is at both ends at most the tangent of h_mu in its middle, and at least
    one for which h_mu is below a bound of h from below at some point.  Beyond the last point h is
    0, or at most h_mu by K279.
    """
    require(low >= 0 and high > 0, "a mu is negative")
    if h.tail is None:
        h.needs_end()
    else:
        brought("a tail below a Gaussian's")(h.tail, high)
    for line in h.above:
        middle = (line.low + line.high) / 2
        height, fall = gaussian(high, interval(middle))
        centre = interval(middle).exp()
        for level in (line.low, line.high):
            tangent = height - fall * (interval(level).exp() - centre)
            require(line.at(level).hi <= tangent.lo, "mu is not shown large enough")
    reached = low == 0 or any(gaussian(low, interval(e))[0].hi <= d.lo
                              for e, d in zip(h.levels, h.low, strict=True))
    require(reached, "mu is not shown to be no smaller")


def measures(claim: Any, proof: Proof) -> None:
    """Each measure claimed lies between its bounds: from the points, or by a way that the step
    names."""
    given, steps = claim["measures"], proof.steps
    step = steps.take("measures") if steps.has("measures") else {}
    short = isinstance(given, list) and 0 < len(given) <= MOST and isinstance(step, dict)
    require(short, "measures is not a short list", "format")
    for measure in given:
        record(measure, "measure", {"name", "at", "value"})
        require(measure["name"] in NAMES, "the name of a measure is unknown", "claim")
        placed = (measure["at"] is None) == (measure["name"] in (MU, RHO))
        require(placed, "a mu, or a rho, is at no place", "format")
    if "normal" in step:
        brought("the measures of a Gaussian")(proof.problem, given, step)
        return
    record(step, "measures", {"orders", "tail", "integrals"} & set(step))
    known = by_integrals(proof, step, given) if "integrals" in step else {}
    others = [m for m in given if m["name"] != RENYI or m["at"] not in known]
    for measure in given:
        if measure not in others:
            inside(ends(measure["value"], "value"), known[measure["at"]], "K559")
    names = {measure["name"] for measure in others}
    told = "tail" not in step or not names.isdisjoint({RENYI, RHO, MU})
    asked = told and ("orders" in step) == (RHO in names)
    require(asked and (bool(step) or not steps.has("measures")),
            "measures has a step that no claim needs, or lacks one", "steps")
    if not others:
        require("tail" not in step, "measures has a step that no claim needs", "steps")
        return
    h = Profile(claim["points"], Fraction(claim.get("infinite", 0)))
    if "tail" in step:
        h.tail = brought("what lies beyond a profile's end")(proof, h.levels[-1], step["tail"])
    for measure in others:
        low, high = ends(measure["value"], "value")
        if measure["name"] == MU:
            gaussian_mu(h, low, high)
            continue
        if measure["name"] == RHO:
            found, number = brought("rho from a profile")(h, step.get("orders")), "K246"
        elif measure["name"] == RENYI:
            found, number = renyi(h, rational(measure["at"], "at")), "K230"
        else:
            found, number = trade_off(h, rational(measure["at"], "at")), "K231"
        inside((low, high), found, number)


def by_integrals(proof: Proof, step: Any, given: Any) -> dict[str, Interval]:
    """D_L of the orders that have an integral of their own, each of them claimed."""
    listed = step["integrals"]
    short = isinstance(listed, list) and 0 < len(listed) <= MOST
    require(short, "the integrals are not a short list", "format")
    same = not (proof.steps.has("cut") or proof.steps.has("patches"))
    require(same, "the divergence of a cut f says nothing of f", "steps")
    known = dict(brought("a divergence by its own integral")(proof, x) for x in listed)
    claimed = {m["at"] for m in given if m["name"] == RENYI}
    require(len(known) == len(listed) and set(known) <= claimed,
            "an order has two integrals, or one that no claim needs", "steps")
    return known


def inside(claimed: tuple[Fraction, Fraction], found: Interval, number: str) -> None:
    """What is found lies between the bounds claimed; no measure is negative."""
    low, high = claimed
    holds = (low == 0 or interval(low).hi <= found.lo) and found.hi <= interval(high).lo
    require(holds, "a measure is not shown between its bounds", number)


BROUGHT["measures from a profile"] = measures
