"""Integrals of w over panels of any length by Gauss's nodes, and losses by their slopes.

Arb bounds the error of Gauss's rule by the integrand on ellipses about panels, and halves these as it needs.  On a
complex ball f is known by its value in the middle and its slopes on all of the ball, which is convex.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import acb, arb, ctx

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason
from dpverify.integration import integral
from dpverify.prover.profile.duals import LOG, SQUARE, Dual, R, inverse, logarithm, shifted
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball

UNKNOWN = acb(arb.nan())
POINT = 2.0**-88
"""How wide beside its middle a ball may be that counts as a point."""
MOST_NODES, MOST_PARTS = 3000, 60


class ByNodes:
    """The integrals of one f, and the losses by a shift."""

    def __init__(self, radial: RadialWeight) -> None:
        self.radial, self.n = radial, radial.dimension - 1
        self.size = arb(exact(radial.size))
        self._logs: dict[tuple[Fraction, Fraction, int], Dual] = {}

    def log(self, a: Fraction, b: Fraction, by: int = R) -> Dual:
        """log f, less `size`, and its slope by r, log r or r^2, by what f is on (a, b)."""
        key = (a, b, by) if self.radial.branches else (Fraction(0), Fraction(0), by)
        if key not in self._logs:
            self._logs[key] = shifted(logarithm(self.radial.smooth(a, b), by), self.size)
        return self._logs[key]

    def straightest(self, a: Fraction, b: Fraction) -> int:
        """By which of r, r^2 and log r the slope of log f is best known on balls."""
        return self._best(a, b, lambda slope, r, by: float((slope.rad() / abs(slope)).mid()))

    def _smoothest(self, a: Fraction, b: Fraction) -> int:
        """By which the slope of log w is."""

        def width(slope: arb, r: arb, by: int) -> float:
            once = 1 if by == LOG else r if by == R else r * r * 2
            return float(((slope + inverse(once) * self.n).rad() * once).mid())

        return self._best(a, b, width) if a else R

    def _best(self, a: Fraction, b: Fraction, width: Callable[[arb, arb, int], float]) -> int:
        middle = ball((a + b) / 2).mid()
        box = arb(middle, middle.min(ball(b - a)) * 3 / 8)
        slopes = {by: self.log(a, b, by)(box)[1] for by in (R, SQUARE, LOG)}
        widths = {by: width(x, box, by) for by, x in slopes.items() if x.is_finite() and x != 0}
        return min(widths, key=lambda by: widths[by], default=R)

    def weight(self, a: Fraction, b: Fraction, error: arb) -> arb:
        """The integral of w over (a, b), known to about an error."""
        log, n, by = self.log(a, b), self.n, self._smoothest(a, b)
        log_by = self.log(a, b, by)

        def height(z: acb, analytic: bool) -> acb:
            point, off = centre(z, a, b)
            if point is None:
                return UNKNOWN
            found = log(point)[0].exp()
            if off is None:
                return acb(found * point**n)
            if z.real.rad() * 2 > z.real.mid():
                return acb((log(z)[1] * off).exp() * z**n * found)
            path = Path(z, point, off, by)
            return acb(path.integral(path.with_power(log_by(z)[1], n)).exp() * point**n * found)

        return by_gauss(height, a, b, error, 0)

    def no_loss(self, a: Fraction, b: Fraction, level: arb) -> bool:
        """Whether log f is shown to fall by at most eps, the level, from every a < r < b to r + s."""
        return self._everywhere(a, b, lambda loss: bool(loss <= level))

    def all_loss(self, a: Fraction, b: Fraction, level: arb) -> bool:
        """Whether it is shown to fall by at least that."""
        return self._everywhere(a, b, lambda loss: bool(loss >= level))

    def _everywhere(self, a: Fraction, b: Fraction, holds: Callable[[arb], bool]) -> bool:
        """Whether something is shown to hold of all losses from r to r + s, by the slopes of these on parts."""
        shift = self.radial.shift
        try:
            near, far, s = self.log(a, b), self.log(a + shift, b + shift), ball(shift)
        except Undecided:
            return False
        parts = [(ball(a), ball(b))]
        for _ in range(MOST_PARTS):
            low, high = parts.pop()
            r, middle = low.union(high), ((low + high) / 2).mid()
            loss, slope = near(middle)[0] - far(middle + s)[0], near(r)[1] - far(r + s)[1]
            if not holds(loss):
                return False
            if not holds(loss + slope * (r - middle)):
                parts += [(low, middle), (middle, high)]
            if not parts:
                return True
        return False

    def all_across(self, a: Fraction, b: Fraction, level: arb) -> bool:
        """Whether log f is shown to fall by at least eps from every a < r < b to s - r, as if from b."""
        s = self.radial.shift
        if not b < s:
            return False
        try:
            fall = self.log(a, b)(ball(b))[0] - self.log(s - b, s - a)(ball(s - b))[0]
        except Undecided:
            return False
        return bool(fall >= level)


class Path:
    """From the middle of a ball to its radii, straight, and along it integrals of what is known by r, log r or r^2."""

    def __init__(self, z: acb, middle: arb, off: acb, by: int) -> None:
        self.by, self.off, self.z = by, off, z
        if by == LOG:
            self.inverse = inverse(z)
            self.way, self.speed = (z / middle).log(analytic=True), self.inverse
        elif by == SQUARE:
            self.way, self.speed = off * (z + middle), z * 2
        else:
            self.way = off

    def integral(self, slope: acb) -> acb:
        """Of what is so large on all of the ball: its middle counts by the way, the rest by r."""
        if self.by == R:
            return slope * self.off
        middle = slope.mid()
        return middle * self.way + (slope - middle) * self.speed * self.off

    def with_power(self, slope: acb, n: int) -> acb:
        """The slope of log f + n log r from that of log f."""
        if self.by == LOG:
            return slope + n
        return slope + (inverse(self.z) * n if self.by == R else inverse(self.z * self.z) * n / 2)


def root_of(x: acb) -> acb:
    """The square root, which Arb knows less well on balls."""
    return (x.log(analytic=True) / 2).exp()


def centre(z: acb, a: Fraction, b: Fraction) -> tuple[arb | None, acb | None]:
    """The middle of a ball, and how far the ball is away from there, if it is not a point."""
    middle = z.real.mid()
    if not ball(a) <= middle <= ball(b):
        return None, None
    if z.imag == 0 and z.real.rad() < middle * POINT:
        return z.real, None
    return middle, z - middle


def by_gauss(
    height: Callable[[acb, bool], acb], a: Fraction, b: Fraction, error: arb, part: float, most: int = MOST_NODES
) -> arb:
    """The integral of a height over (a, b), known to about an error or to that part of itself."""
    if not height(acb(ball((a + b) / 2)), False).is_finite():
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
    found = integral(height, ball(a), ball(b), rel_tol=arb(part), abs_tol=error, eval_limit=most, deg_limit=ctx.prec)
    if not found.is_finite():
        raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())
    return found.real
