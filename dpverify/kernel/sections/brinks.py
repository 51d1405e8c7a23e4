"""Panels that end where a cap begins or ends: there its share is a power of a root."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import UNIT, ZERO, Interval, add_up, hull, interval
from ..rules import BROUGHT, require, rule
from .jets import Jet, Series, density, span_of
from .panels import Noise, Spheres

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LOWER = "l"
"""The word of a panel at whose lower end a cap begins or ends; any other is of its upper end."""


class Brink:
    """The radii from a to b as r = r0 +- L z, 0 <= z <= 1, r0 being their lower or upper end, and
    the spheres with one opposite radius k: t = (r^2 + s^2 - k^2)/(2 s r) is -1 or 1 at r0."""

    def __init__(self, noise: Noise, a: Fraction, b: Fraction, k: Fraction, word: str) -> None:
        self.n, self.a, self.b, self.k = noise, a, b, k
        self.side = 1 if word == LOWER else -1
        start, own = (a, abs(k - noise.s)) if word == LOWER else (b, k + noise.s)
        require(0 < a < b and start == own, "no cap begins or ends where it is said to", "steps")
        self.begins = word == LOWER and k > noise.s
        self.start, self.length = start, b - a

    def share(self) -> tuple[list[Interval], Interval]:
        """H's coefficients in z, the last that of its remainder, for the share z^((d-1)/2) H that
        is 0 at r0, F_d(t) or F_d(-t); and all values of H."""
        d, n = self.n.d, self.n.order
        ends = interval(self.start), hull(interval(self.a), interval(self.b))
        step = interval(self.side * self.length)
        at, each = (self.slope(Series([r, step, *[ZERO] * (n - 1)])) for r in ends)
        parts = [Fraction(2, d - 1 + 2 * j) for j in range(n + 1)]
        known = [c * part for c, part in zip([*at.c[:-1], each.c[-1]], parts, strict=True)]
        return known, each.c[0] * parts[0]

    def slope(self, r: Series) -> Series:
        """c_d E^((d-3)/2) times the slope in z of t, or of -t."""
        s, k, d = self.n.s, self.k, self.n.d
        factors = [r + (s + k)]
        if self.side < 0 or k < s:
            factors.append(r + (s - k))
        if self.side < 0 or k > s:
            factors.append(r + (k - s))
        if self.side > 0:
            factors.append(-r + (k + s))
        power, turn = Fraction(d - 3, 2), self.side if self.begins else -self.side
        first, second, third = (x.power(power) for x in factors)
        along = (r * r + (k * k - s * s)) * r.power(Fraction(1 - d))
        scale = interval(self.length / (4 * s * s)).power(power) * (self.length * turn / (2 * s))
        return first * second * (third * along) * (scale * density(d))

    @rule("K541")
    def small(self, w: Jet) -> Interval:
        """The integral over the radii of w times the share that is 0 at r0.

        Lemma.  4 s^2 r^2 (1 - t^2) = (r + s + k)(r + s - k)(r + k - s)(k + s - r), and at
        r0 = k + s the last is L z, at |k - s| > 0 one of the two before.  So 1 - t^2 = z E, and by
        K152 the share that is 0 at r0 has the slope z^((d-3)/2) G in z, G = c_d E^((d-3)/2) times
        that of t or of -t, and is z^((d-1)/2) H, H being the integral of u^((d-3)/2) G(z u) over u
        in [0, 1]: coefficients of H are those of G, the j-th times 2/(d - 1 + 2 j), and in [0, 1]
        lie between such.  With w a polynomial in z and a remainder as in K151, the products of
        powers are integrated, and the remainders' at most as large as they are.
        """
        (*known, last), values = self.share()
        *terms, rest = w.terms()
        weight = moved([x * self.side ** k for k, x in enumerate(terms)])
        total = [part(self.n.d, i + j) * (x * y)
                 for i, x in enumerate(weight) for j, y in enumerate(known)]
        order = len(known)
        total.append(part(self.n.d, order) * (span_of(terms) * last))
        total.append(part(self.n.d, 0) * (rest * UNIT * values))
        return add_up(total) * self.length


def part(d: int, power: int) -> Interval:
    """The integral of z^((d-1)/2 + power) over [0, 1]."""
    return interval(Fraction(2, d + 1 + 2 * power))


def moved(c: Sequence[Interval]) -> list[Interval]:
    """A polynomial in x = 2 z - 1 as one in z."""
    found: list[Interval] = []
    for x in reversed(c):
        twice = [ZERO, *(y * 2 for y in found)]
        found = [p - q for p, q in zip(twice, [*found, ZERO])]
        found[0] = found[0] + x
    return found


@rule("K542")
def step(noise: Noise, a: Fraction, b: Fraction, boundary: list[Fraction], word: str
         ) -> tuple[Interval, Interval]:
    """S' is {|x - u| > k}, k constant, and its caps begin or end at an end of the panel.

    Lemma.  P is as in K158 the integral of w F_d(t): of K541's share, or of what this leaves of 1.
    """
    named = Spheres(noise)
    brink, w, whole = both(noise, a, b, named.radius_of_step(a, b, boundary), word)
    small = brink.small(w)
    lost = named.lost_by_step(a, b, boundary, whole)
    return small if brink.begins else whole - small, lost


@rule("K543")
def joint(noise: Noise, rho: Fraction, a: Fraction, b: Fraction, word: str) -> Interval:
    """A piece of a joint at rho, up to the largest |x - u| there or from the least on.

    Lemma.  F_d(t2) of K159 is F_d(-t) for K541's t, k being rho: its share, or what this leaves of
    1.
    """
    brink, w, whole = both(noise, a, b, rho, word)
    small = brink.small(w)
    return whole - small if brink.begins else small


def both(noise: Noise, a: Fraction, b: Fraction, k: Fraction, word: str
         ) -> tuple[Brink, Jet, Interval]:
    """The brink of a panel, w there, and its integral."""
    brink, r = Brink(noise, a, b, k, word), noise.radius(a, b)
    w = noise.weight(noise.log(r, (a, b)), r)
    return brink, w, w.integral() * ((b - a) / 2)


BROUGHT["a step beside a brink"] = step
BROUGHT["a joint beside a brink"] = joint
