"""What lies beyond the end of a profile whose losses have no bound, but grow at most like the root of g.

With G = g - g(0+) >= 0 and phi(r) = g(r + s) - g(r), if phi <= A + c sqrt(G) then for k > 0 and 0 < t < 1, as
k c sqrt(G) <= t G + (k c)^2/(4 t), the losses l under p have
    log E e^(k l) <= k A + (k c)^2/(4 t) + M,    M = log E e^(t G),
and h(e^eps) <= E (1 - e^(eps - l))_+ <= e^(that - k eps).  Several c and t are tried, and the least bound holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb

from dpverify.asymptotics import Germ
from dpverify.enclosures import Undecided, exact, fraction_above
from dpverify.enclosures.nodes import Node
from dpverify.findings import Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile
from dpverify.prover.profile.generator import ORDER
from dpverify.prover.profile.mass import Mass, Part
from dpverify.prover.profile.pieces import ball, total

SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20))
STEEPER = (1, Fraction(3, 2), 2, 3, 4, 6, 9, 13, 20, 30)
REACHES = (14, 10, 7, 18)
SMALLEST, RATIO = Fraction(1, 2**10), Fraction(17, 16)
ROUGH = Fraction(1, 10**6)


@dataclass(frozen=True)
class Bound:
    """phi <= a + c sqrt(G), and m >= log E e^(t G); a and c are rational."""

    a: arb
    c: arb
    t: Fraction
    m: arb
    written: tuple[Fraction, Fraction]

    def log_moment(self, k: arb) -> arb:
        """At least log E e^(k l), k > 0."""
        return k * self.a + (k * self.c) ** 2 / (4 * ball(self.t)) + self.m

    def best(self, epsilon: arb) -> arb:
        """The k for which that is the least above k eps."""
        return (2 * ball(self.t) * (epsilon - self.a) / self.c**2).mid()

    def gap_to_gaussian(self, mu: Fraction, epsilon: Fraction) -> arb | None:
        """By how much log h_mu exceeds the bound of log h at eps, if that gap is shown to rise from there on.

        With x = eps/mu - mu/2 and Mills' ratio m, h_mu is the density at x times m(x) - m(x + mu), which is at least
        mu (1 - z m(z)) for z = x + mu, and so mu/(z^2 + 3).  The gap's slope is not negative at eps, and but for a part
        that falls it is a line that rises.
        """
        e, size = ball(epsilon), ball(mu)
        x, steep = e / size - size / 2, 2 * ball(self.t) / self.c**2
        if not (x > 0 and steep >= 1 / size**2 and e > self.a):
            return None
        slope = steep * (e - self.a) - x / size
        if not slope >= 2 / (size * (x + size)):
            return None
        level = x**2 / 2 + (2 * arb.pi()).log() / 2 - size.log() + ((x + size) ** 2 + 3).log()
        return steep * (e - self.a) ** 2 / 2 - self.m - level


@dataclass(frozen=True)
class Grounds:
    """On what the bounds rest: T, the marks of boxes and of the masses, by the share t."""

    top: Fraction
    marks: tuple[Fraction, ...]
    masses: dict[Fraction, list[Part]]


class Tail:
    """The bounds for one generator."""

    def __init__(self, bounds: list[Bound], grounds: Grounds) -> None:
        self.bounds, self.grounds = bounds, grounds

    def needed(
        self, orders: Sequence[Fraction], mu: Fraction | None, epsilon: Fraction
    ) -> list[tuple[Bound, Fraction]]:
        """Of the bounds, those that are the least for one of the orders, each with a k for the profile's end, and the
        one that shows mu large enough."""
        e = ball(epsilon)
        chosen: dict[tuple[Fraction, Fraction, Fraction, Fraction], tuple[Bound, Fraction]] = {}
        for order in orders:
            reach = 2 ** max(1, math.ceil(math.log2(float(max(order, Fraction(1))))) + 1)
            ks = [(max(_short(Fraction(float(b.best(e).mid()))), Fraction(reach)), b) for b in self.bounds]
            best = [min(ks, key=lambda x: float((x[1].log_moment(ball(x[0])) - ball(x[0]) * e).mid()))]
            if order > 1:
                power = ball(order - 1)
                best.append(min(ks, key=lambda x: float(x[1].log_moment(power).mid())))
                best.append(min(ks, key=lambda x: float((x[1].c ** 2 / (4 * ball(x[1].t))).mid())))
            for k, b in best:
                chosen[(*b.written, b.t, k)] = b, k
        if mu is not None:
            gaps = [(float(gap.mid()), b) for b in self.bounds if (gap := b.gap_to_gaussian(mu, epsilon)) is not None]
            for _, b in sorted(gaps, key=lambda x: x[0])[-1:]:
                chosen.setdefault((*b.written, b.t, Fraction(1)), (b, Fraction(1)))
        return list(chosen.values())

    def step(
        self,
        orders: Sequence[Fraction],
        mu: Fraction | None,
        epsilon: Fraction,
        marks_of: Callable[[Sequence[Part]], list[str]],
    ) -> dict[str, Any]:
        """The step of a certificate that names the bounds needed."""
        bounds = self.needed(orders, mu, epsilon)
        shares = [Fraction(0), *sorted({b.t for b, _ in bounds})]
        return {
            "top": str(self.grounds.top),
            "marks": [str(x) for x in self.grounds.marks],
            "bounds": [{"a": str(b.written[0]), "c": str(b.written[1]), "t": str(b.t), "k": str(k)} for b, k in bounds],
            "masses": [{"t": str(t), "order": 6, "marks": marks_of(self.grounds.masses[t])} for t in shares],
        }

    def moment(self, order: Fraction, epsilon: Fraction) -> arb:
        """At least the integral of h(a) (a^(L-2) + a^(-L-1)) over a > e^eps, L being the order."""
        e, least, found = ball(epsilon), ball(order - 1), arb.pos_inf()
        for bound in self.bounds:
            k = bound.best(e)
            k = k if k > least + 1 else (least.max(arb(0)) + 1).mid()
            parts = (e * (least - k)).exp() / (k - least) + (-e * (ball(order) + k)).exp() / (ball(order) + k)
            found = _least(found, (bound.log_moment(k).exp() * parts).upper())
        return found

    def renyi(self, order: Fraction) -> arb:
        """At least D_L, L > 1."""
        k, found = ball(order - 1), arb.pos_inf()
        for bound in self.bounds:
            found = _least(found, (bound.log_moment(k) / k).upper())
        return found

    def share(self, order: Fraction) -> arb:
        """At least D_L/L for all orders from this one on, which is above 1."""
        k, found = ball(order - 1), arb.pos_inf()
        for b in self.bounds:
            rest = b.a / (k + 1) + b.m.max(arb(0)) / (k * (k + 1))
            found = _least(found, (rest + b.c**2 / (4 * ball(b.t))).upper())
        return found

    def below_gaussian(self, mu: Fraction, epsilon: Fraction) -> bool:
        """Whether h is shown to be at most that of a Gaussian with this mu, from eps on."""
        gaps = [b.gap_to_gaussian(mu, epsilon) for b in self.bounds]
        return any(gap is not None and gap >= 0 for gap in gaps)


def tail(prover: Profile) -> Tail:
    """The bounds for the prover's generator.  Raises Undecided where none are found."""
    problem = prover.problem
    highest = problem.near_zero(Germ(1 / SMALLEST, ORDER)).u.span().high
    if not highest.is_finite():
        raise Undecided(Reason.NOT_FINITE_AT_ZERO())
    written = _above(highest)
    top = ball(written)
    reach, steepest = _reach(problem, top)
    marks = _marks(reach)
    losses = list(_losses(problem, top, marks))
    masses = {Fraction(0): _mass(prover, Fraction(0))}
    heights = []
    for t in SHARES:
        masses[t] = _mass(prover, t)
        sizes = [total(masses[x][0])[k].log() + ball(masses[x][1]) for x, k in ((t, 1), (Fraction(0), 0))]
        heights.append((t, (ball(t) * top + sizes[0] - sizes[1]).upper()))
    found = []
    for factor in STEEPER:
        least = _above(steepest.sqrt() * ball(Fraction(factor)))
        c, a = ball(least), arb(0)
        for loss, root in losses:
            a = a.max((loss - c * root).upper())
        most = _above(a)
        found += [Bound(ball(most), c, t, m, (most, least)) for t, m in heights]
    return Tail(found, Grounds(written, marks, {t: parts for t, (parts, _) in masses.items()}))


def _reach(problem: Problem, top: arb) -> tuple[Fraction, arb]:
    """A radius R, and at least phi^2/G beyond it."""
    for power in REACHES:
        germ = Germ(Fraction(2**power), ORDER)
        try:
            phi = problem.far_loss(germ, exact(problem.delta))
            height = problem.far(germ).u
            ratio = (phi * phi * (height.const(top) - height).inverse()).span().high
        except Undecided:
            continue
        if ratio.is_finite():
            return germ.radius, ratio.max(ball(Fraction(1, 2**40)))
    raise Undecided(Reason.GROWS_TOO_FAST())


def _marks(reach: Fraction) -> tuple[Fraction, ...]:
    """Radii up to R, each a little beyond the one before."""
    marks = [SMALLEST]
    while marks[-1] < reach:
        marks.append(min(reach, _short(marks[-1] * RATIO)))
    return tuple(marks)


def _losses(problem: Problem, top: arb, marks: Sequence[Fraction]) -> Iterator[tuple[arb, arb]]:
    """At least phi and at most sqrt(G) on boxes from 0 to R."""
    s, near = problem.delta, marks[0] + problem.delta
    yield (top - problem.on_box(near, near * (1 + ROUGH)).u.x).upper(), arb(0)
    for a, b in pairwise(marks):
        rise = (top - problem.on_box(a, b).u.x).lower().max(arb(0))
        yield problem.loss(a, b, s).upper(), rise.sqrt().lower()


def _mass(prover: Profile, t: Fraction) -> tuple[list[Part], Fraction]:
    """The parts of the integral of w f^(-t), up to a factor, and the logarithm of that."""
    problem = prover.problem
    of = Problem(Node("pow", problem.node, exact(1 - t)), problem.dimension, problem.delta) if t else problem
    radial = prover.radial(of)
    return Mass(radial, 12, lambda: prover.tick("the tail")).parts(ROUGH), radial.size


def _above(x: arb) -> Fraction:
    """A rational with few digits, a little above."""
    most = fraction_above(x.upper())
    return (
        Fraction(math.ceil(most * 2**24 * (1 + ROUGH)), 2**24)
        if most > 0
        else Fraction(math.ceil(most * 2**24 + 1), 2**24)
    )


def _short(x: Fraction) -> Fraction:
    return Fraction(round(x * 2**20), 2**20)


def _least(a: arb, b: arb) -> arb:
    return b if b < a else a
