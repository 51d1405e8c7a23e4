"""The atom at infinity of the loss: P(|x - u| > B), where f is 0 from B on, sphere by sphere.

Of the spheres |x| = rho the whole lies there where rho < s - B, and the cap {|x - u| > B} where rho > |s - B|.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.prover.profile.caps import share, share_of
from dpverify.prover.profile.divergence import Accuracy
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball, middle, refined, total
from dpverify.prover.profile.series import Jet, capped

SHORT = Fraction(1, 2**60)


@dataclass(frozen=True)
class Part:
    """What the spheres with a < rho < b add; `known` by Taylor's polynomial, and else by a bound."""

    a: Fraction
    b: Fraction
    value: arb
    cost: arb
    known: bool


@dataclass(frozen=True)
class Atom:
    """lower <= P(q = 0) <= upper, and the panels that show the lower bound."""

    lower: Fraction
    upper: Fraction
    panels: tuple[tuple[Fraction, Fraction], ...] = ()

    def step(self) -> dict[str, list[list[str]]]:
        """The step of a certificate that names them."""
        return {"panels": [[str(a), str(b)] for a, b in self.panels]}


class Spheres:
    """The parts of one atom, f being cut at R, and 0 from B on."""

    def __init__(
        self, radial: RadialWeight, cut: tuple[Fraction, Fraction], order: int, tick: Callable[[], None]
    ) -> None:
        self.radial, self.order, self.tick = radial, order, tick
        self.radius, self.end = cut
        self.s, self.d = radial.shift, radial.dimension
        self.near = abs(self.s - self.end)

    def parts(self, tolerance: Fraction) -> list[Part]:
        """Parts whose sum is known to a relative tolerance; none where the supports are as good as the same."""
        whole, near, end = self.s - self.end, self.near, self.radius
        inside = [self.radius * SHORT, *(min(whole, end) * Fraction(k, 4) for k in (1, 2, 3, 4))] if whole > 0 else []
        across = [near + (end - near) * Fraction(k, 4) for k in range(5)] if near < end else []
        if across and not near:
            across[0] = self.radius * SHORT
        marks = sorted({*inside, *across, *(b for b in self.radial.breaks if min([*inside, *across, end]) < b < end)})
        if marks and marks[0] == self.radius * SHORT:
            marks = [Fraction(0), *marks]
        found = [self.part(a, b) for a, b in pairwise(marks)]
        return refined(found, self.split, lambda low: low * ball(tolerance), self.tick) if found else []

    def part(self, a: Fraction, b: Fraction) -> Part:
        """The spheres about the centre are but bounded."""
        self.tick()
        try:
            value = self._integral(a, b) if a else arb.nan()
            if value.is_finite() and value >= 0:
                return Part(a, b, value, arb(0), True)
        except Undecided:
            pass
        try:
            most = self.radial.bound(a, b) * ball(b - a) * (self._share(b) if b > self.s - self.end else arb(1))
        except Undecided:
            most = arb.pos_inf()
        return Part(a, b, arb(0), most.upper(), False)

    def _share(self, b: Fraction) -> arb:
        """The largest share of the caps: it rises with rho where B > s, and is at most 1."""
        if self.d == 1:
            return arb(1) / 2
        if self.s >= self.end:
            return arb(1)
        rho, s = ball(b), ball(self.s)
        return share((rho * rho + s * s - ball(self.end) ** 2) / (2 * rho * s), self.d).upper()

    def _integral(self, a: Fraction, b: Fraction) -> arb:
        half, s = (b - a) / 2, ball(self.s)
        with capped(self.order):
            r = Jet.linear((a + b) / 2, half)
            w = self.radial.weight(self.radial.jet(r, a, b), r)
            across = b > self.s - self.end
            if across and self.d > 1:
                far = ball(self.end)
                w = w * share_of(((r * r + (s * s - far * far)) / (r * (2 * s))).narrow(), self.d)
            value = w.taylor().integral() * ball(half)
        return value / 2 if across and self.d == 1 else value

    def split(self, part: Part) -> list[Part]:
        m = middle(part.a, part.b)
        return [self.part(part.a, m), self.part(m, part.b)]


def atom(
    radial: RadialWeight,
    cut: tuple[Fraction, Fraction],
    mass: tuple[arb, arb],
    lost: Fraction,
    accuracy: Accuracy,
    tick: Callable[[], None],
) -> Atom:
    """The atom of an f cut at R that is 0 from B on; `mass` bounds Z, and `lost` what the cut leaves out."""
    with precision(accuracy.bits):
        out = ball(lost) * (-ball(radial.size)).exp()
        parts = Spheres(radial, cut, accuracy.order, tick).parts(accuracy.tolerance / 5)
        low, high = total(parts)
        if not mass[0] > out:
            raise Undecided(Reason.NO_CUT())
        lower = fraction_below((low / (mass[1] + out)).lower().max(arb(0)))
        upper = fraction_above(((high + out) / (mass[0] - out)).upper())
        return Atom(lower, min(upper, Fraction(1)), tuple((x.a, x.b) for x in parts if x.known))
