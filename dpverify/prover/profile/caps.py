"""F_d(t): the share of the unit sphere of R^d on which the first coordinate is below t.

F_d(t) = 1/2 I_(1 - t^2)((d - 1)/2, 1/2) for -1 <= t <= 0, F_d(-t) = 1 - F_d(t), and
F_d'(t) = c_d (1 - t^2)^((d - 3)/2), c_d = Gamma(d/2) / (sqrt(pi) Gamma((d - 1)/2)).  d >= 2.
"""

from __future__ import annotations

from functools import lru_cache

from flint import arb, arb_series, ctx, fmpq

from dpverify.prover.profile.series import Jet

HIGH = 11
"""From this dimension on powers are taken by their logarithms."""

LONG = 200
"""From this dimension on the recurrence of F_d is slower than the beta function."""


def share(t: arb, d: int) -> arb:
    """F_d on a ball of t that may reach beyond [-1, 1], where F_d is 0 and 1: it rises, so from the ball's ends."""
    if t.is_exact():
        return _share_at(t, d)
    return _share_at(t.lower(), d).union(_share_at(t.upper(), d))


def _share_at(t: arb, d: int) -> arb:
    if t <= -1:
        return arb(0)
    if t >= 1:
        return arb(1)
    if d < LONG and (known := _by_recurrence(t, d)).rel_accuracy_bits() > ctx.prec // 2:
        return known
    half = ((1 - t) * (1 + t)).beta_lower(arb(fmpq(d - 1, 2)), arb(fmpq(1, 2)), regularized=1) / 2
    return half if t <= 0 else 1 - half


def _by_recurrence(t: arb, d: int) -> arb:
    """F_(k+2)(t) = F_k(t) + a_k t (1 - t^2)^((k-1)/2), a_1 = 1/2, a_2 = 1/pi, a_(k+2) = a_k k/(k+1): quicker than
    the beta function, and as good but for small caps, whose share is what is left of larger terms."""
    inside = (1 - t) * (1 + t)
    if d % 2:
        k, total, term = 1, arb(1) / 2, t / 2
    else:
        k, total, term = 2, arb(1) / 2 + t.asin() / arb.pi(), t * inside.sqrt() / arb.pi()
    while k < d:
        total = total + term
        term = term * inside * k / (k + 1)
        k += 2
    return total


@lru_cache(maxsize=4)
def _density(d: int, bits: int) -> arb:
    return arb.gamma_fmpq(fmpq(d, 2)) / (arb.gamma_fmpq(fmpq(d - 1, 2)) * arb.pi().sqrt())


def density(d: int) -> arb:
    """c_d."""
    return _density(d, ctx.prec)


def share_of(t: Jet, d: int) -> Jet:
    """F_d on a panel; for odd d a polynomial, for even d (and high d) the caps have to be proper parts."""
    inside = (-(t * t) + arb(1)).narrow()
    if d % 2 and (d < HIGH or not inside.whole[0] > 0):
        slope = inside.power((d - 3) // 2)
    else:
        slope = (inside.log() * arb(fmpq(d - 3, 2))).narrow().exp()
    c = density(d)
    return Jet(*((w * u.derivative() * c).integral() + share(u[0], d) for w, u in _pairs(slope, t))).narrow()


def _pairs(a: Jet, b: Jet) -> tuple[tuple[arb_series, arb_series], ...]:
    return (a.middle, b.middle), (a.whole, b.whole)
