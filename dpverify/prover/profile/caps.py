"""F_d(t): the share of the unit sphere of R^d on which the first coordinate is below t.

F_d(t) = 1/2 I_(1 - t^2)((d - 1)/2, 1/2) for -1 <= t <= 0, F_d(-t) = 1 - F_d(t), and
F_d'(t) = c_d (1 - t^2)^((d - 3)/2), c_d = Gamma(d/2) / (sqrt(pi) Gamma((d - 1)/2)).  d >= 2.
"""

from __future__ import annotations

from functools import lru_cache

from flint import arb, arb_poly, arb_series, ctx, fmpq

from dpverify.enclosures import precision
from dpverify.prover.profile.series import Jet

HIGH = 11
"""From this dimension on powers are taken by their logarithms."""

LONG = 200
"""From this dimension on a power series of F_d is quicker than its recurrence."""

TERMS, CANCELLED = 96, 56
"""How many terms the series have at least, and how many bits may cancel in the sum of one."""


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
    known = _quickly(t, d)
    if known is not None:
        return known
    half = ((1 - t) * (1 + t)).beta_lower(arb(fmpq(d - 1, 2)), arb(fmpq(1, 2)), regularized=1) / 2
    return half if t <= 0 else 1 - half


def share_near(t: arb, d: int) -> arb:
    """The same for a small ball, at once where that is as good."""
    known = _quickly(t, d) if abs(t) < 1 else None
    return share(t, d) if known is None else known


def _quickly(t: arb, d: int) -> arb | None:
    """Without the beta function, to at least half of the digits; None where that is not so good."""
    for found in (_by_recurrence,) if d < LONG else (_by_series, _of_a_small_cap):
        known = found(t, d)
        if known.rel_accuracy_bits() > ctx.prec // 2:
            return known
    return None


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


def _by_series(t: arb, d: int) -> arb:
    """F_d(t) = 1/2 + c_d t (1 - t^2)^((d-1)/2) sum_n (d/2)_n/(3/2)_n t^(2n), by Euler's transformation of the binomial
    series: its terms are positive, and from the Nth on each is at most t^2 (d/2 + N)/(3/2 + N) times the one before."""
    with precision(ctx.prec + CANCELLED):
        square, (terms, first) = t * t, _series(d, TERMS + ctx.prec // 2, ctx.prec)
        n = terms.length()
        ratio = square * (d + 2 * n) / (3 + 2 * n)
        if not ratio < 1:
            return arb.nan()
        left = (first * square**n / (1 - ratio)).upper()
        inside = (1 - t) * (1 + t)
        power = inside ** ((d - 1) // 2) * (1 if d % 2 else inside.sqrt())
        return (terms(square) + arb(0).union(left)) * power * density(d) * t + 0.5


@lru_cache(maxsize=4)
def _series(d: int, terms: int, bits: int) -> tuple[arb_poly, arb]:
    """The terms of that sum, less the powers of t, and the first that is left out."""
    a, coefficients = arb(1), list[arb]()
    for n in range(terms):
        coefficients.append(a)
        a = a * (d + 2 * n) / (3 + 2 * n)
    return arb_poly(coefficients), a


def _of_a_small_cap(t: arb, d: int) -> arb:
    """F_d(-t) = c_d (1 - t^2)^((d-1)/2) / ((d - 1) t) E[1/(1 + y U)], y = (1 - t^2)/t^2, U of the law Beta(1/2, d/2):
    partial sums of E[(-y U)^n] = (-y)^n (1/2)_n/((d+1)/2)_n lie on either side by turns."""
    inside = (1 - t) * (1 + t)
    y, term, total, close = inside / (t * t), arb(1), arb(0), arb(2) ** -ctx.prec
    if not t < 0 or not y < d:
        return arb.nan()
    for n in range(TERMS):
        after = -term * y * (2 * n + 1) / (d + 1 + 2 * n)
        if not abs(after) < abs(term) or abs(after) < close:
            break
        total, term = total + term, after
    power = inside ** ((d - 1) // 2) * (1 if d % 2 else inside.sqrt())
    return total.union(total + term) * power * density(d) / ((1 - d) * t)


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
