"""F_d(t): the share of the unit sphere of R^d on which the first coordinate is below t.

F_d(t) = 1/2 I_(1 - t^2)((d - 1)/2, 1/2) for -1 <= t <= 0, F_d(-t) = 1 - F_d(t), and
F_d'(t) = c_d (1 - t^2)^((d - 3)/2), c_d = Gamma(d/2) / (sqrt(pi) Gamma((d - 1)/2)).  d >= 2.
"""

from __future__ import annotations

from functools import lru_cache

from flint import arb, arb_poly, arb_series, ctx, fmpq

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


def share_near(t: arb, d: int) -> arb:
    """The same for a small ball, at once where that is as good."""
    if d < LONG and abs(t) < 1 and (known := _by_recurrence(t, d)).rel_accuracy_bits() > ctx.prec // 2:
        return known
    return share(t, d)


def _by_recurrence(t: arb, d: int) -> arb:
    """F_(k+2)(t) = F_k(t) + a_k t (1 - t^2)^((k-1)/2), a_1 = 1/2, a_2 = 1/pi, a_(k+2) = a_k k/(k+1): quicker than
    the beta function, and as good but for small caps, whose share is what is left of larger terms."""
    inside = (1 - t) * (1 + t)
    terms = _recurrence(d, ctx.prec)(inside) * t
    if d % 2:
        return terms + 0.5
    return terms * inside.sqrt() + t.asin() / arb.pi() + 0.5


@lru_cache(maxsize=8)
def _recurrence(d: int, bits: int) -> arb_poly:
    """The sum of a_k x^((k-1)/2) over k < d, in steps of two; of a_k x^((k-2)/2) for even d."""
    k, coefficients = 1 + (d + 1) % 2, list[arb]()
    a = arb(1) / 2 if d % 2 else 1 / arb.pi()
    while k < d:
        coefficients.append(a)
        a = a * k / (k + 1)
        k += 2
    return arb_poly(coefficients)


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
