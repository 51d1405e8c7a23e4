"""delta(eps) by methods that share nothing with the prover: closed forms, and mpmath's quadrature over spheres.

For a potential g with a known inverse the set S where the loss g(|x - u|) - g(|x|) exceeds eps is a cap of every
sphere |x| = r, beyond |x - u| = g^-1(g(r) + eps), and of every sphere |x - u| = r, within |x| = g^-1(g(r) - eps).
So P(S) and Q(S) are integrals over r each, with no boundary to be followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import mpmath as mp

Function = Callable[[mp.mpf], mp.mpf]
FINE = (mp.mpf(2) ** -60, *(mp.mpf(k) / 16 for k in range(1, 200)))
FAR = tuple(mp.mpf(12) * 2**k for k in range(1, 20))


@dataclass(frozen=True)
class Value:
    """delta, and how far it may lie off by what the quadrature says of itself."""

    delta: mp.mpf
    error: mp.mpf


def gaussian(e: mp.mpf, s: mp.mpf) -> Value:
    """Balle and Wang (2018), Theorem 8, in any dimension."""
    delta = mp.ncdf(s / 2 - e / s) - mp.exp(e) * mp.ncdf(-s / 2 - e / s)
    return Value(delta, delta * mp.mpf("1e-40"))


@dataclass(frozen=True)
class Spheres:
    """Noise of the potential g in R^d; `reach` is where its mass ends, infinity included."""

    d: int
    potential: Function
    inverse: Function
    reach: mp.mpf

    def __call__(self, e: mp.mpf, s: mp.mpf) -> Value:
        g, inverse, lowest = self.potential, self.inverse, self.potential(mp.mpf(0))

        def above(r: mp.mpf) -> mp.mpf:
            b = inverse(g(r) + e)
            return share((r * r + s * s - b * b) / (2 * r * s), self.d)

        def below(r: mp.mpf) -> mp.mpf:
            if g(r) - e <= lowest:
                return mp.mpf(0)
            a = inverse(g(r) - e)
            return share((a * a - r * r - s * s) / (2 * r * s), self.d)

        first = roots(lambda r: g(r + s) - g(r) - e, s)
        whole = roots(lambda r: g(abs(s - r)) - g(r) - e, s)
        near = {*first, *whole}
        far = {inverse(lowest + e), *(r + s for r in first), *(abs(s - r) for r in whole)}
        mass = self._integral(lambda r: mp.mpf(1), set())
        p, q = self._integral(above, near), self._integral(below, far)
        delta = (p.delta - mp.exp(e) * q.delta) / mass.delta
        error = (p.error + mp.exp(e) * q.error + delta * mass.error) / mass.delta
        return Value(delta, error)

    def _integral(self, part: Function, cuts: set[mp.mpf]) -> Value:
        """Of the share `part` of every sphere, cut where it is not smooth."""
        total = error = mp.mpf(0)
        middle = [mp.mpf(self.d) * 2**k for k in range(4)]
        for a, b in pairwise(sorted({mp.mpf(0), *cuts, *middle, self.reach})):
            value, off = mp.quad(lambda r: part(r) * mp.exp(-self.potential(r)) * r ** (self.d - 1), [a, b], error=True)
            total, error = total + value, error + off
        return Value(total, error)


def share(t: mp.mpf, d: int) -> mp.mpf:
    """The share of the unit sphere of R^d on which the first coordinate is below t, from its elementary integral."""
    if abs(t) >= 1:
        return mp.mpf(t > 0)
    if d == 1:
        return mp.mpf(1) / 2
    square = 1 - t * t
    cosine = mp.sqrt(square)
    n, total, power = (1, t, square) if d % 2 else (0, mp.asin(t), cosine)
    while n < d - 2:  # total is the integral of cos^n from 0 to asin t, power is cos^(n + 1)
        n, total, power = n + 2, (power * t + (n + 1) * total) / (n + 2), power * square
    return mp.mpf(1) / 2 + total * mp.gamma(mp.mpf(d) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d - 1) / 2))


def roots(h: Function, s: mp.mpf) -> list[mp.mpf]:
    """Where h changes its sign, looked for on a grid of radii."""
    places = [x * s for x in (*FINE, *FAR)]
    positive = [h(x) > 0 for x in places]
    pairs = zip(pairwise(places), pairwise(positive), strict=True)
    return [_root(h, a, b, rising=last) for (a, b), (before, last) in pairs if before != last]


def _root(h: Function, a: mp.mpf, b: mp.mpf, rising: bool) -> mp.mpf:
    for _ in range(mp.mp.prec + 8):
        m = (a + b) / 2
        a, b = (a, m) if (h(m) > 0) == rising else (m, b)
    return a


def laplace(d: int) -> Spheres:
    """g(r) = r."""
    return Spheres(d, lambda r: r, lambda y: y, mp.mpf(8 * d + 150))


def student_t(d: int, nu: int) -> Spheres:
    """g(r) = (nu + d)/2 log(1 + r^2/nu)."""
    k = mp.mpf(nu + d) / 2
    return Spheres(d, lambda r: k * mp.log1p(r * r / nu), lambda y: mp.sqrt(nu * mp.expm1(y / k)), mp.inf)


def logistic(d: int) -> Spheres:
    """g(r) = 2 log cosh(r/2)."""
    return Spheres(d, lambda r: 2 * mp.log(mp.cosh(r / 2)), lambda y: 2 * mp.acosh(mp.exp(y / 2)), mp.mpf(8 * d + 150))
