"""What lies beyond the end of a profile whose losses have no bound, but grow at most like the root of g.

With G = g - g(0+) >= 0 and phi(r) = g(r + s) - g(r), if phi <= A + c sqrt(G) then for k > 0 and 0 < t < 1, as
k c sqrt(G) <= t G + (k c)^2/(4 t), the losses l under p have
    log E e^(k l) <= k A + (k c)^2/(4 t) + M,    M = log E e^(t G),
and h(e^eps) <= E (1 - e^(eps - l))_+ <= e^(that - k eps).  Several c and t are tried, and the least bound holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.asymptotics import Germ
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.lowering import Node
from dpverify.findings import Reason
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile
from dpverify.prover.profile.generator import ORDER, Radial
from dpverify.prover.profile.mass import Mass
from dpverify.prover.profile.pieces import ball, total

SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20))
STEEPER = (1, Fraction(3, 2), 2, 3, 4, 6, 9, 13, 20, 30)
REACHES = (14, 10, 7, 18)
SMALLEST, RATIO = Fraction(1, 2**10), Fraction(17, 16)
ROUGH = Fraction(1, 10**6)


@dataclass(frozen=True)
class Bound:
    """phi <= a + c sqrt(G), and m >= log E e^(t G)."""

    a: arb
    c: arb
    t: Fraction
    m: arb

    def log_moment(self, k: arb) -> arb:
        """At least log E e^(k l), k > 0."""
        return k * self.a + (k * self.c) ** 2 / (4 * ball(self.t)) + self.m

    def best(self, epsilon: arb) -> arb:
        """The k for which that is the least above k eps."""
        return (2 * ball(self.t) * (epsilon - self.a) / self.c**2).mid()


class Tail:
    """The bounds for one generator."""

    def __init__(self, bounds: list[Bound]) -> None:
        self.bounds = bounds

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
        """Whether h is shown to be at most that of a Gaussian with this mu, from eps on.

        With x = eps/mu - mu/2 and Mills' ratio m, h_mu is the density at x times m(x) - m(x + mu), which is at least
        mu (1 - z m(z)) for z = x + mu, and so mu/(z^2 + 3).  The gap of the logarithms is not negative at eps, and
        neither is its slope, but for a part that falls a line that rises.
        """
        e, size = ball(epsilon), ball(mu)
        x = e / size - size / 2
        if not x > 0:
            return False
        level = x**2 / 2 + (2 * arb.pi()).log() / 2 - size.log() + ((x + size) ** 2 + 3).log()
        for b in self.bounds:
            steep = 2 * ball(b.t) / b.c**2
            gap, slope = steep * (e - b.a) ** 2 / 2 - b.m - level, steep * (e - b.a) - x / size
            if gap >= 0 and slope >= 2 / (size * (x + size)) and steep >= 1 / size**2 and e > b.a:
                return True
        return False


def tail(prover: Profile) -> Tail:
    """The bounds for the prover's generator.  Raises Undecided where none are found."""
    problem = prover.problem
    top = problem.near_zero(Germ(1 / SMALLEST, ORDER)).u.span().high
    if not top.is_finite():
        raise Undecided(Reason.NOT_FINITE_AT_ZERO())
    reach, steepest = _reach(problem, top)
    losses = list(_losses(problem, top, reach))
    heights = [(t, _height(prover, t, top)) for t in SHARES]
    found = []
    for factor in STEEPER:
        c = (steepest.sqrt() * ball(Fraction(factor))).upper()
        a = arb(0)
        for loss, root in losses:
            a = a.max((loss - c * root).upper())
        found += [Bound(a, c, t, m) for t, m in heights]
    return Tail(found)


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


def _losses(problem: Problem, top: arb, reach: Fraction) -> Iterator[tuple[arb, arb]]:
    """At least phi and at most sqrt(G) on boxes from 0 to R."""
    s, near = problem.delta, SMALLEST + problem.delta
    yield (top - problem.on_box(near, near * (1 + ROUGH)).u.x).upper(), arb(0)
    marks = [SMALLEST]
    while marks[-1] < reach:
        marks.append(min(reach, _short(marks[-1] * RATIO)))
    for a, b in pairwise(marks):
        rise = (top - problem.log_bounds(a, b)).lower().max(arb(0))
        yield problem.loss(a, b, s).upper(), rise.sqrt().lower()


def _height(prover: Profile, t: Fraction, top: arb) -> arb:
    """At least log E e^(t G) = t top + log of the integral of w f^(-t) over Z."""
    problem = prover.problem
    milder = Problem(Node("pow", problem.node, exact(1 - t)), problem.dimension, problem.delta)
    integrals = []
    for of in (milder, problem):
        radial = Radial(of, prover.breaks)
        sums = total(Mass(radial, 12, lambda: prover.tick("the tail")).parts(ROUGH))
        integrals.append([x.log() + ball(radial.size) for x in sums])
    return (ball(t) * top + integrals[0][1] - integrals[1][0]).upper()


def _short(x: Fraction) -> Fraction:
    return Fraction(round(x * 2**20), 2**20)


def _least(a: arb, b: arb) -> arb:
    return b if b < a else a
