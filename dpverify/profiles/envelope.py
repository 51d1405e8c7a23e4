"""h(a) = delta(log a) of a whole profile, between two functions that are straight by pieces, and what follows from it.

h is convex and falls, and h(1/a) = (a - 1 + h(a)) / a, since both orders of the pair are alike.  Above it runs the line
through neighbouring points; below it, on either half of a cell, the line through the two points beside it.

Renyi divergence   exp((L - 1) D_L) = 1 + L (L - 1) integral over a > 1 of h(a) (a^(L-2) + a^(-L-1))
trade-off          T(x) = sup over a > 0 of 1 - h(a) - a x
Gaussian mu        the least mu with h <= h_mu for all a >= 1
zCDP rho           sup over L > 1 of D_L / L
Sources: Sason and Verdu (2016) for the first, Dong, Roth and Su (2022) for the second and third, Bun and Steinke (2016)
for the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below, precision
from dpverify.findings import Part, Reason
from dpverify.profiles.result import Enclosed
from dpverify.profiles.tails import Tail

BITS = 250
NARROW = Fraction(1, 2000)
MOST_ROUNDS = 20_000
ORDERS = tuple(Fraction(2) ** k for k in range(1, 11))
FEW = tuple(map(Fraction, ("5/4", "3/2", "2", "3", "4")))
NO_BOUND = "the loss has no bound that is proved, and nothing is known of it beyond the profile's end"


@dataclass(frozen=True)
class Piece:
    """A line c + m a on (a, b)."""

    a: arb
    b: arb
    c: arb
    m: arb

    @classmethod
    def through(cls, ends: tuple[arb, arb], first: tuple[arb, arb], second: tuple[arb, arb]) -> Piece:
        m = (second[1] - first[1]) / (second[0] - first[0])
        return cls(*ends, first[1] - m * first[0], m)

    def at(self, a: arb) -> arb:
        return self.c + self.m * a


class Envelope:
    """The pieces above and below, from points at eps = 0, step, ...; `pure` bounds all losses where that is known, and
    else `tail` what lies beyond the last point, or `atom` is how much of the loss at least is infinite."""

    def __init__(
        self,
        points: Sequence[tuple[Fraction, Enclosed]],
        pure: Fraction | None,
        tail: Tail | None = None,
        atom: Fraction | None = None,
    ) -> None:
        with precision(BITS):
            self._atom, self.atom = atom, None if atom is None else ball(atom)
            self.orders: tuple[Fraction, ...] = ()
            self.levels = [e for e, _ in points]
            self.places = [ball(e).exp() for e in self.levels]
            self.low = [ball(d.lower) for _, d in points]
            self.high = [ball(d.upper) for _, d in points]
            self.points, self.tail, self.worst = list(points), tail, 0
            self.pure, self.ended = pure, points[-1][1].upper == 0
            self.above = [
                Piece.through((a, b), (a, u), (b, v))
                for (a, b), (u, v) in zip(pairwise(self.places), pairwise(self.high), strict=True)
            ]
            self.below = self._below(self.places, self.low, self.high, self._mirrored(1))

    def with_points(self, points: Sequence[tuple[Fraction, Enclosed]]) -> Envelope:
        """The same from other points."""
        return Envelope(points, self.pure, self.tail, self._atom)

    def around_worst(self) -> list[Fraction]:
        """The middles of that cell and of those beside it."""
        cells = list(pairwise(self.levels))[max(0, self.worst - 1) : self.worst + 2]
        return [(a + b) / 2 for a, b in cells]

    def _mirrored(self, k: int) -> tuple[arb, arb]:
        """1/a_k, and the upper bound of h there."""
        a = self.places[k]
        return 1 / a, 1 - 1 / a + self.high[k] / a

    def _below(
        self, places: Sequence[arb], low: Sequence[arb], high: Sequence[arb], before: tuple[arb, arb]
    ) -> list[Piece]:
        pieces = []
        n = len(places) - 1
        for k in range(n):
            a, b = places[k], places[k + 1]
            middle = (a + b) / 2
            left = (places[k - 1], high[k - 1]) if k else before
            pieces.append(Piece.through((a, middle), left, (a, low[k])))
            if k + 2 <= n:
                pieces.append(Piece.through((middle, b), (b, low[k + 1]), (places[k + 2], high[k + 2])))
            else:
                pieces.append(Piece(middle, b, low[k + 1], arb(0)))
        return pieces

    def _tail(self) -> Piece | None:
        """Above h beyond the last point; None where h is 0 there."""
        if self.ended:
            return None
        if self.pure is None:
            raise Undecided(Reason.LOSS_UNKNOWN_BEYOND())
        end = ball(self.pure).exp()
        return Piece(self.places[-1], end, self.high[-1], arb(0)) if end > self.places[-1] else None

    # Renyi

    def renyi(self, order: Fraction) -> Enclosed:
        """D_L, L > 0; at L = 1 the Kullback-Leibler divergence."""
        with precision(BITS):
            low = sum((_moment(p, order, True) for p in self.below), self._rest(order, self.atom))
            high = sum((_moment(p, order, False) for p in self.above), arb(0)) + self._beyond(order)
            least, most = (_divergence(x.max(arb(0)), order) for x in (low, high))
            if self.tail is not None and order > 1:
                most = min(most.upper(), self.tail.renyi(order))
            if not most.is_finite():
                raise Undecided(Reason.RENYI_NOT_FINITE(order=order))
            return Enclosed(max(Fraction(0), fraction_below(least)), fraction_above(most))

    def _rest(self, order: Fraction, height: arb | None) -> arb:
        """The part of the integral beyond the last point, were h constant there, for L < 1; 0 for no height."""
        if height is None:
            return arb(0)
        a, power = self.places[-1], ball(order)
        return height * (a ** (power - 1) / (1 - power) + a ** (-power) / power)

    def _beyond(self, order: Fraction) -> arb:
        """At least the part of the integral beyond the last point."""
        if self.atom is not None:
            return self._rest(order, self.high[-1])
        if self.tail is not None:
            return self.tail.moment(order, self.levels[-1])
        tail = self._tail()
        return _moment(tail, order, False) if tail else arb(0)

    def zcdp(self, near: tuple[Enclosed, Fraction] | None = None) -> Enclosed:
        """rho, by halving ranges of L: D_L rises with L, and is at most the pure epsilon; else by the tail's bound of
        D_L/L for all large L.  The ends of the ranges are kept as `orders`.  Where D_1 and an order are given, up to
        which D_L/L is at most D_1, ranges begin there."""
        first, start = near or (self.renyi(Fraction(1)), Fraction(1))
        found, best = {Fraction(1): first}, first.lower
        if not best:
            raise Undecided(Reason.DIVERGENCE_NEAR_ZERO())
        end, highest = self._last_order(best)
        ranges = [(start, max(2 * start, end))]
        for _ in range(MOST_ROUNDS):
            if not ranges:
                self.orders = tuple(sorted(found))
                return Enclosed(best, highest)
            a, b = ranges.pop()
            for x in (a, b):
                if x not in found:
                    found[x] = self.renyi(x)
                best = max(best, found[x].lower / x)
            most = share_between((a, found[a].upper), (b, found[b].upper), self.pure)
            vague = found[b].upper / b > best * (1 + NARROW)  # known no better at b itself
            if most <= best * (1 + NARROW) or b - a < a / (16 if vague else 2**20):
                highest = max(highest, most)
                continue
            ranges += [(a, (a + b) / 2), ((a + b) / 2, b)]
        raise Undecided(Reason.NOT_ENCLOSED(what=Part.RHO))

    def _last_order(self, best: Fraction) -> tuple[Fraction, Fraction]:
        """An L, and at least D_L/L for all orders from there on, near a value that it has anyway if possible."""
        if self.pure is not None:
            return Fraction(int(self.pure / best) + 1), best
        if self.tail is None:
            raise Undecided(Reason.LOSS_UNKNOWN_BEYOND())
        with precision(BITS):
            shares = {order: fraction_above(self.tail.share(order)) for order in ORDERS}
        reached = max(best, *(self.renyi(x).lower / x for x in FEW))
        small = [order for order, most in shares.items() if most <= reached]
        order = small[0] if small else ORDERS[-1]
        return order, max(best, shares[order])

    # Trade-off

    def tradeoff(self, x: Fraction) -> Enclosed:
        """T(x): the least type II error of a test with type I error x, 0 < x < 1, between neighbours.  The cell of the
        points on which the upper bound rests is kept as `worst`."""
        with precision(BITS):
            level, zero = ball(x), arb(0)
            both = [(a, u) for a, u in zip(self.places, self.high, strict=True)]
            both += [self._mirrored(k) for k in range(1, len(self.places))]
            low = max((fraction_below(1 - u - a * level) for a, u in both), default=Fraction(0))
            most = 1 - (self.atom or zero)
            high = (most - self.places[-1] * level).max((most - level) / self.places[-1])
            self.worst = len(self.places) - 2
            for k, p in enumerate(self.below):
                for a in (p.a, p.b):
                    h = p.at(a)
                    most = (1 - h - a * level).max(1 - (a - 1 + h) / a - level / a)  # the other side, a -> 1/a
                    if most > high:
                        self.worst = k // 2
                    high = high.max(most)
            return Enclosed(max(low, Fraction(0)), min(1 - x, fraction_above(high.max(zero))))

    # Gaussian mu

    def gdp(self, close: Fraction = Fraction(1, 10**7)) -> Enclosed:
        """The least mu for which it is as private as a Gaussian with Delta/sigma = mu, as close as the points allow."""
        with precision(BITS):
            tail = None if self.tail is not None else self._tail()
            pieces = [*self.above, *([tail] if tail else [])]
            low = high = Fraction(1, 2**20)
            while not self._within(pieces, high):
                low, high = high, high * 2
                if high > 2**20:
                    raise Undecided(Reason.NO_MU())
            while high - low > high * close:
                middle = _short((low + high) / 2)
                low, high = (low, middle) if self._within(pieces, middle) else (middle, high)
            return Enclosed(self._reached(high, close / 10), high)

    def _within(self, pieces: Sequence[Piece], mu: Fraction) -> bool:
        beyond = self.tail is None or self.tail.below_gaussian(mu, self.levels[-1])
        above = _above_gaussian(pieces, mu)
        self.worst = self.worst if above is None else min(above, len(self.above) - 1)
        return beyond and above is None

    def _reached(self, high: Fraction, close: Fraction) -> Fraction:
        """A mu that is too small, by one of the points."""
        low = Fraction(0)
        while high - low > high * close:
            middle = _short((low + high) / 2)
            m = ball(middle)
            if any(_gaussian(m, ball(e))[0] < d for e, d in zip(self.levels, self.low, strict=True)):
                low = middle
            else:
                high = middle
        return low


def share_between(first: tuple[Fraction, Fraction], last: tuple[Fraction, Fraction], pure: Fraction | None) -> Fraction:
    """At least D_L/L between two orders with bounds of D_L: by D_L <= D_b, and as k D_(k+1) is convex in k = L - 1.

    So it is at most p + q k there, and D_L/L at most (p + q k)/(k (k + 1)), which for p < 0 rises up to its
    largest value, at the positive root of q k^2 + 2 p k + p, and falls from there.
    """
    (a, here), (b, there) = first, last
    least = (there if pure is None else min(there, pure)) / a
    low, high = a - 1, b - 1
    if low == 0 or there <= 0:
        return least
    q = (high * there - low * here) / (high - low)
    p = low * here - low * q
    if p >= 0 or q <= 0:
        return least
    with precision(BITS):
        turn = ((ball(p) ** 2 - ball(p * q)).sqrt() - ball(p)) / ball(q)
        k = ball(low) if turn < ball(low) else ball(high) if turn > ball(high) else turn
        return min(least, fraction_above((ball(p) + ball(q) * k) / (k * (k + 1))))


def ball(x: Fraction) -> arb:
    """A rational as a ball."""
    return arb(exact(x))


def _moment(p: Piece, order: Fraction, lower: bool) -> arb:
    """The integral of (c + m a)_+ (a^(L-2) + a^(-L-1)) over the piece, where lower; else of c + m a."""
    if lower and not (p.at(p.a) >= 0 and p.at(p.b) >= 0):
        return arb(0)
    total = arb(0)
    for factor, extra in ((p.c, 0), (p.m, 1)):
        for s in (order - 2 + extra, -order - 1 + extra):
            total = total + factor * _power(p.a, p.b, s)
    return total


def _power(a: arb, b: arb, s: Fraction) -> arb:
    if s == -1:
        return (b / a).log()
    return (b ** ball(s + 1) - a ** ball(s + 1)) / ball(s + 1)


def _divergence(moment: arb, order: Fraction) -> arb:
    if order == 1:
        return moment
    inside = 1 + ball(order * (order - 1)) * moment
    if not inside > 0:
        return arb.pos_inf()
    return inside.log() / ball(order - 1)


def _gaussian(mu: arb, epsilon: arb) -> tuple[arb, arb]:
    """h_mu, and -h_mu' = Q(S), at a = e^eps."""
    near, far = ((epsilon / mu + part * mu / 2) / arb(2).sqrt() for part in (-1, 1))
    beyond = far.erfc() / 2
    return near.erfc() / 2 - epsilon.exp() * beyond, beyond


def _above_gaussian(pieces: Sequence[Piece], mu: Fraction) -> int | None:
    """The first piece that is not shown to lie below the tangent of h_mu in its middle, and so below h_mu, which is
    convex; None where all do."""
    m = ball(mu)
    for k, p in enumerate(pieces):
        centre = (p.a * p.b).sqrt()
        height, fall = _gaussian(m, centre.log())
        if not all(height - fall * (end - centre) >= p.at(end) for end in (p.a, p.b)):
            return k
    return None


def _short(x: Fraction) -> Fraction:
    bits = 60 - (x.numerator.bit_length() - x.denominator.bit_length())
    return Fraction(round(x * 2**bits), 2**bits) if bits > 0 else x
