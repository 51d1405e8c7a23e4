"""Panels of spheres of any length by Gauss's nodes, where the boundary of S is the true one and costs nothing.

With b(rho) where the loss is eps, g(b) = g(rho) + eps, P(S) - e^eps Q(S) on caps (see `spheres`) is the integral of
  f(rho) (rho^(d-1) F_d(t1) - b^(d-1) b' F_d(t2)),    b' = (log f)'(rho) / (log f)'(b).

b on a complex ball Z about a real c, X being r, log r or r^2: where X(b(c)) + (log f(z) - log f(c)) / (d log f/d X)(B),
z in Z, lies inside of B, a rectangle about X(b(c)), then for each z in Z there is one root in B, and it is simple
(Newton's operator on a convex set), so that it is analytic in z; at real z it is real, B being its own conjugate, and
it is b(z), which it is at c: where the two parted the root would be no simple one.  Where f has r once b^p may be an
affine function of rho^p by the form of f, and needs none of this.  What is known at c, and of slopes on all of Z, is
known on Z by the mean value theorem, Z being convex.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import acb, arb, ctx

from dpverify.enclosures import Undecided, fraction_below
from dpverify.findings import Part, Place, Reason
from dpverify.prover.profile.boundary import EMPTY, FULL, Boundary
from dpverify.prover.profile.by_nodes import UNKNOWN, ByNodes, Path, by_gauss, centre, root_of
from dpverify.prover.profile.caps import density, share, share_near
from dpverify.prover.profile.carried import Affine, carried
from dpverify.prover.profile.duals import LOG, SQUARE, R, inverse
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.pieces import ball

SLIM, WIDER, DEEPEST = 2.0**-44, (1.25, 1.75, 2.5), 40
NEWTON, CLOSE = 5, 2.0**-26
"""How often Newton's method is tried, and from which step on the next is as short as balls about roots."""
FEW = ((0.1127016654, 5 / 18), (0.5, 8 / 18), (0.8872983346, 5 / 18))
"""Gauss's rule with three nodes on (0, 1)."""
LARGEST, NOTHING = 700.0, arb(0)
Radii = tuple[Fraction, Fraction]
Boundaries = tuple[Any, Any, Any, Any, Any]
"""On a ball: b, how far it is beyond rho, its slope by rho, that of log f, and of log f + (d - 1) log b."""
Poles = tuple[Any, Any]


class CapsByNodes(ByNodes):
    """The same with the boundary at one eps."""

    def __init__(self, radial: RadialWeight, boundary: Boundary, epsilon: Fraction) -> None:
        super().__init__(radial)
        self.boundary, self.level = boundary, ball(epsilon)
        self.d, self.s = radial.dimension, ball(radial.shift)

    def carried(self, a: Fraction, b: Fraction, around: Radii) -> Affine | None:
        """b^p as an affine function of rho^p, p = 1 or 2, where f on both panels has r once."""
        near, far = self.radial.smooth(a, b), self.radial.smooth(*around)
        found = carried(near, (-self.level).exp()) if near is far else None
        return found if found and found.power in (1, 2) and found.factor > 0 else None

    def caps(
        self, a: Fraction, b: Fraction, around: Radii, error: arb, part: float = 0
    ) -> tuple[arb, tuple[Fraction, Fraction]]:
        """P(S) - e^eps Q(S) on spheres with a < rho < b that S meets in caps, b running through radii `around`, and
        where about it begins and ends: what it is off there is counted."""
        panel = Caps(self, a, b, around)
        ends = panel.ends(a, b, around)

        def height(z: acb, analytic: bool) -> acb:
            point, wide = centre(z, a, b)
            if point is None:
                return UNKNOWN
            return acb(panel.at(point)) if wide is None else panel.about(z, point, wide)

        value = by_gauss(height, a, b, error, part)
        for rho, end in zip((a, b), ends, strict=True):
            value = value + arb(0, panel.beside(ball(rho), end))
        return value, (fraction_below(ends[0].mid()), fraction_below(ends[1].mid()))

    def about(self, marks: Sequence[Fraction]) -> arb:
        """About P(S) - e^eps Q(S) over panels, by floats, but for what may be too small for them: what it may be
        unknown by is a part of that."""
        total = NOTHING
        for a, b in pairwise(map(float, marks)):
            for x, part in FEW:
                total = (total + self._height(a + (b - a) * x) * (b - a) * part).mid()
        return total

    def _height(self, rho: float) -> arb:
        state, step = self.boundary.state(rho), rho * 1e-6
        if state.kind == EMPTY:
            return NOTHING
        whole = arb(self.radial.rough_weight(rho)).exp()
        if state.kind == FULL:
            return whole
        b, s, rough = state.boundary, float(self.radial.shift), self.radial.rough
        t1, t2 = (x / (2 * s) for x in ((rho * rho + s * s - b * b) / rho, (rho * rho - s * s - b * b) / b))
        near, far = (float(share_near(arb(t), self.d)) for t in (t1, t2))
        slopes = [(rough(r + step) - rough(r - step)) for r in (rho, b)]
        grown = math.exp(min(self.n * math.log(b / rho), LARGEST))
        return whole * (near - grown * slopes[0] / (slopes[1] or 1.0) * far)


class Caps:
    """The integrand on one panel; `near` and `far` are log f at rho and at b."""

    def __init__(self, whole: CapsByNodes, a: Fraction, b: Fraction, around: Radii) -> None:
        self.whole, self.near, self.far = whole, whole.log(a, b), whole.log(*around)
        self.known = whole.carried(a, b, around)
        self.by = int(self.known.power) if self.known else whole.straightest(a, b)
        self.logs = whole.log(a, b, self.by), whole.log(*around, self.by)
        self.level, self.s, self.d, self.n = whole.level, whole.s, whole.d, whole.d - 1
        self.share = density(self.d)
        self._last: tuple[arb, arb] | None = None
        self.close = arb(2) ** (-(ctx.prec * 2) // 3)

    def root(self, rho: arb, target: arb) -> arb:
        """b where log f(b) is the target, log f(rho) less eps."""
        if self.known is not None:
            return self._explicit(rho)
        root = self._near(rho, target)
        reach = root * SLIM
        for _ in range(6):
            box = arb(root.mid(), reach)
            off, slope = self.far(root)[0] - target, self.far(box)[1]
            found = root - off / slope
            if not box.contains_interior(found):
                reach = abs(found - root).upper() * 2 + reach
            elif found.rad() < root * self.close:
                self._last = rho.mid(), found.mid()
                return found
            else:
                root, reach = found.mid(), found.rad() * 2
        raise Undecided(Reason.NO_BOUNDARY())

    def _near(self, rho: arb, target: arb) -> arb:
        """About b, from the last one by Newton's method, or by floats."""
        if self._last is not None:
            former, root = self._last
            root = root + (rho.mid() - former) * (self.near(former)[1] / self.far(root)[1]).mid()
            for _ in range(NEWTON):
                log, slope = self.far(root)
                step = ((log - target) / slope).mid()
                if not step.is_finite() or not abs(step) < root / 4:
                    break
                root = (root - step).mid()
                if abs(step) < root * CLOSE:
                    return root
        return arb(self.whole.boundary.state(float(rho.mid())).boundary)

    def _explicit(self, rho: arb) -> arb:
        p, factor, constant = self.known or (1, arb(1), arb(0))
        if p == 1:
            return rho * factor + constant
        return (rho * rho * factor + constant).sqrt()

    def ends(self, a: Fraction, b: Fraction, around: Radii) -> tuple[arb, arb]:
        """b at both ends, where it is shown that it runs through radii `around`, and on the spheres: b >= s - rho, as
        it is at the first, since b rises, and b <= rho + s."""
        first, last = ball(a), ball(b)
        low, high = (self.root(x, self.near(x)[0] - self.level) for x in (first, last))
        if not (low >= ball(around[0]) and high <= ball(around[1]) and low >= self.s - first):
            raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SPHERE))
        self._room(first, last, low, high, DEEPEST)
        return low, high

    def beside(self, rho: arb, b: arb) -> arb:
        """At most e^eps times the integral of w F_d(t2) over what is not known of an end b of the boundary."""
        weight = (self.far(b)[0] + self.level).exp() * b**self.n * share(self._cosines(rho, b)[1], self.d)
        return (weight * b.rad() * 2).abs_upper()

    def _room(self, a: arb, b: arb, first: arb, last: arb, depth: int) -> None:
        if a + self.s >= last:
            return
        wide = a.union(b)
        if a + self.s >= first:
            rise = self.near(wide)[1] / self.far(first.union(last))[1]
            if a + self.s >= first + (rise - 1) * arb(0).union(b - a):
                return
        if not depth or not a + self.s >= first:
            raise Undecided(Reason.LEAVES(what=Part.BOUNDARY, where=Place.SPHERE))
        m = ((a + b) / 2).mid()
        middle = self.root(m, self.near(m)[0] - self.level)
        self._room(a, m, first, middle, depth - 1)
        self._room(m, b, middle, last, depth - 1)

    def at(self, rho: arb) -> arb:
        """The integrand at a radius."""
        log, slope = self.near(rho)
        b = self.root(rho, log - self.level)
        if self.known is None:
            rise = slope / self.far(b)[1]
        else:
            rise = self.known.factor if self.known.power == 1 else self.known.factor * rho / b
        t1, t2 = self._cosines(rho, b)
        near, far = rho**self.n * share_near(t1, self.d), b**self.n * rise * share_near(t2, self.d)
        return log.exp() * (near - far)

    def _cosines(self, rho: arb, b: arb) -> tuple[arb, arb]:
        s, square = self.s, rho * rho - b * b
        return (square + s * s) / (rho * s * 2), (square - s * s) / (b * s * 2)

    def about(self, z: acb, rho: arb, off: acb) -> acb:
        """The integrand on a complex ball, rho being its middle and `off` what the ball is away from there."""
        log, n = self.near(rho)[0], self.n
        b = self.root(rho, log - self.level)
        path = Path(z, rho, off, self.by)
        found = {R: self._evenly, SQUARE: self._by_squares, LOG: self._in_octaves}[self.by](path, rho, b)
        if found is None:
            return UNKNOWN
        root, excess, rise, slope, grown = found
        poles = self._from_poles(rho, b, b - rho), self._from_poles(z, root, excess)
        part1, part2 = (self._share(*x) for x in zip(*poles, self._cosines(rho, b), strict=True))
        near, far = path.integral(path.with_power(slope, n)), path.integral(grown)
        return (near.exp() * part1 * rho**n - far.exp() * part2 * rise * b**n) * log.exp()

    def _from_poles(self, rho: Any, b: Any, excess: Any) -> tuple[Poles, Poles]:
        """1 + t and 1 - t, for t1 and t2: as products, b being rho and an excess, they are well known near 0."""
        s = self.s
        below, above, first, last = s - excess, s + excess, inverse(rho) / 2, inverse(b) / 2
        near = below / s * (above * first + 1), above / s * (1 - below * first)
        return near, (below / s * (1 - above * last), above / s * (below * last + 1))

    def _evenly(self, path: Path, rho: arb, b: arb) -> Boundaries | None:
        near, far = self.logs
        z, slope, n = path.z, near(path.z)[1], self.n
        if self.known is not None:
            _, rise, constant = self.known
            root, excess = z * rise + constant, z * (rise - 1) + constant
            return root, excess, rise, slope, slope + rise * inverse(root) * n
        found = self._moves(path.integral(slope), far(b)[1], lambda x: b.mid() + x, b.rad())
        if found is None:
            return None
        root, rise = b + found[0], slope * inverse(found[1])
        return root, (b - rho) + path.integral(rise - 1), rise, slope, slope + rise * inverse(root) * n

    def _by_squares(self, path: Path, rho: arb, b: arb) -> Boundaries | None:
        near, far = self.logs
        z, slope, n, square = path.z, near(path.z)[1], self.n, (b * b).mid()
        if self.known is not None:
            _, rate, constant = self.known
            squared, apart = z * z * rate + constant, z * z * (rate - 1) + constant
        else:
            found = self._moves(path.integral(slope), far(b)[1], lambda x: root_of(square + x), (b * b).rad())
            if found is None:
                return None
            rate = slope * inverse(found[1])
            squared, apart = b * b + found[0], (b * b - rho * rho) + path.integral(rate - 1)
        root = root_of(squared)
        rise = rate * z * inverse(root)
        return root, apart * inverse(root + z), rise, slope, slope + rate * inverse(squared) * n / 2

    def _in_octaves(self, path: Path, rho: arb, b: arb) -> Boundaries | None:
        near, far = self.logs
        slope, n = near(path.z)[1], self.n
        found = self._moves(path.integral(slope), far(b)[1], lambda x: b.mid() * x.exp(), b.rad() / b * 2)
        if found is None:
            return None
        rate = slope * inverse(found[1])
        ratio = b / rho * path.integral(rate - 1).exp()
        return b * found[0].exp(), path.z * (ratio - 1), ratio * rate, slope, slope + rate * n

    def _moves(self, change: acb, slope: arb, moved: Callable[[acb], acb], little: arb) -> tuple[acb, acb] | None:
        """How far X(b) moves while log f(rho) changes by `change`, and the slopes of log f by X there; `moved` is the
        middle b moved by so much, and `little` how far b may be off there."""
        first = change / slope
        if not first.is_finite():
            return None
        sides = [x.abs_upper() for x in (first.real, first.imag)]
        for part in WIDER:
            box = acb(*(arb(0, (x * part + max(sides) / 16 * part + little * 2).upper()) for x in sides))
            slopes = self.logs[1](moved(box))[1]
            found = change * inverse(slopes)
            if not found.is_finite():
                return None
            if box.contains_interior(found + arb(0, little.upper())):
                return found, slopes
        return None

    def _share(self, middle: Poles, poles: Poles, t: arb) -> acb:
        """F_d on a ball about t, by its slope c_d (1 - t^2)^((d - 3)/2) on a rectangle about all t."""
        k = int(middle[1] < middle[0])
        box, p = poles[k].union(acb(middle[k])), self.d - 3
        inside = box * (2 - box)
        slope = inside ** (p // 2) * root_of(inside) if p % 2 else inside ** (p // 2)
        off = box - middle[k]
        return share_near(t, self.d) + slope * (-off if k else off) * self.share
