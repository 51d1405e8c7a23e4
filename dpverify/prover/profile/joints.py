"""The steps of a boundary of S' from one panel of spheres to the next: vertical segments in the plane of
(rho, |x - u|), each an integral of w times a cap's share over radii |x - u|, as `spheres` says."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided
from dpverify.prover.profile.brinks import LOWER, UPPER, Brink, beside, nearer
from dpverify.prover.profile.caps import share, share_of
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import Piece, ball, divided, graded, height, parts, tolerable, total, uncertainty
from dpverify.prover.profile.series import Jet, capped

TAYLOR, CRUDE, BALL = "t", "c", "b"
TINY = Fraction(1, 2**24)
"""As which part of the shift a ball is so small that its mean is known to more digits than a checker has of shares."""
NEARER = Fraction(5, 16)
"""Which part of a step is cut off at an end of the sphere."""


@dataclass(frozen=True)
class Step:
    """A vertical step of the boundary at rho, through the radii |x - u| from low to high."""

    rho: Fraction
    low: Fraction
    high: Fraction
    value: arb
    cost: arb
    word: str


class Joints:
    """Steps of one eps, by Taylor polynomials of an order."""

    def __init__(self, radial: RadialWeight, epsilon: Fraction, order: int, tick: Callable[[], None]) -> None:
        self.radial, self.order, self.tick = radial, order, tick
        self.s, self.d, self.level = radial.shift, radial.dimension, ball(epsilon)

    def closer(self, steps: list[Step], allowed: arb) -> list[Step]:
        """Steps that are bounded, known to `allowed`: those that add little stay as they are."""
        little = tolerable([uncertainty(x) for x in steps], allowed / 2)
        steps = [x if uncertainty(x) <= little else self.vertical(x.rho, x.low, x.high) for x in steps]
        return divided(steps, self.split, lambda low: allowed, self.tick) if steps else []

    def vertical(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """-e^eps times the integral of w(r) F(t2) over r from low to high, t2 = (rho^2 - s^2 - r^2) / (2 r s)."""
        if sorted((low, high)) == [self.s - rho, self.s + rho]:
            whole = self._around(rho, low, high)
            if whole.word == BALL and rho < self.s * TINY:
                return whole
            return min(whole, self._along(rho, low, high), key=lambda x: height(uncertainty(x)))
        return self._along(rho, low, high)

    def _around(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """All of the ball about 0 at once, seen from u: rho^d/d times the mean of f there, which is f(s) and some
        rho^2/(2 (d + 2)) (f'' + (d - 1) f'/r)."""
        near, far = sorted((low, high))
        try:
            with capped(self.order):
                f = self.radial.jet(Jet.linear(self.s, rho), near, far).exp()
                bend = f.whole[2] * 2 + f.whole[1] * (self.d - 1) * ball(rho / near).union(ball(rho / far))
                mean = f.middle[0] + bend / (2 * (self.d + 2))
            return self._step(rho, low, high, mean * ball(rho) ** self.d / self.d, BALL)
        except Undecided:
            return self.bounded(rho, low, high)

    def _along(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """Radius by radius."""
        near, far = sorted((low, high))
        m, h = (near + far) / 2, (far - near) / 2
        brink = "" if self.d % 2 else beside(near, far, rho, self.s)
        try:
            with capped(self.order):
                r = Jet.linear(m, h)
                w = self.radial.weight(self.radial.jet(r, near, far), r)
                if not brink:
                    v = (w * share_of(self._height(r, rho), self.d)).taylor()
                    return self._step(rho, low, high, v.integral() * ball(h), TAYLOR)
            beyond = Brink(near, far, rho, self.s, self.d, brink, self.order)
            size = beyond.small(w.taylor())
            size = w.taylor().integral() * ball(h) - size if beyond.begins else size
            return self._step(rho, low, high, size, brink)
        except Undecided:
            return self.bounded(rho, low, high)

    def _height(self, r: Jet, rho: Fraction) -> Jet:
        """t2 along the step."""
        s = ball(self.s)
        if rho == self.s:
            return -(r * (1 / (2 * s)))
        return ((-(r * r) + (ball(rho) ** 2 - s * s)) / (r * (2 * s))).narrow()

    def bounded(self, rho: Fraction, low: Fraction, high: Fraction) -> Step:
        """The same between 0 and the length times the largest w and share: what most steps need."""
        near, far = sorted((low, high))
        s = ball(self.s)
        square = ball(rho) ** 2 - s * s
        top = square - ball(near) ** 2
        divisor = 2 * s * ball(far if top < 0 else near)
        most = share((top / divisor).upper(), self.d) if divisor > 0 else arb(1)  # as the checker bounds it
        size = arb(0).union((self._most(near, far) * most * ball(far - near)).upper())
        return self._step(rho, low, high, size, CRUDE)

    def _step(self, rho: Fraction, low: Fraction, high: Fraction, size: arb, word: str) -> Step:
        sign = 1 if low < high else -1
        return Step(rho, low, high, -sign * self.level.exp() * size, arb(0), word)

    def _most(self, a: Fraction, b: Fraction) -> arb:
        """An upper bound of w on (a, b); infinite where none is known."""
        try:
            return self.radial.bound(a, b)
        except Undecided:
            return arb.pos_inf()

    def split(self, step: Step, excess: float) -> list[Step]:
        """Parts of a step that is so many times as unknown as it may be: cut at a break where there is one, else nearer
        to an end of the sphere, where a cap's share is like a root, or the farther from such an end the longer."""
        near, far = sorted((step.low, step.high))
        cuts = self._cuts(step.rho, near, far, step.word, excess)
        marks = [step.low, *cuts, step.high] if step.low < step.high else [step.low, *reversed(cuts), step.high]
        return [self.vertical(step.rho, a, b) for a, b in pairwise(marks)]

    def _cuts(self, rho: Fraction, near: Fraction, far: Fraction, word: str, excess: float) -> list[Fraction]:
        breaks = self.radial.breaks
        k = bisect_right(breaks, near)
        if k < len(breaks) and breaks[k] < far:
            return [breaks[k]]
        if word in (LOWER, UPPER):
            return [nearer(near, far, word, excess, self.order)]
        less = (far - near) * NEARER
        first, last = abs(rho - self.s), rho + self.s
        if near == first or far == last:
            return [near + less if near == first else far - less]
        if self.d % 2 or word == CRUDE:
            return [(near + far) / 2]
        pole = first if near - first < last - far else last
        return graded(near, far, parts(excess, self.order), pole)[1:-1]


def sums(panels: Sequence[Piece], steps: list[Step]) -> tuple[arb, arb]:
    """The lower and the upper bound that panels and steps add up to."""
    low, high = total(panels)
    for step in steps:
        low, high = low + step.value, high + step.value
    return low, high
