"""delta(eps) by other ways than the program's: closed forms, and mpmath's quadrature of the density itself."""

from __future__ import annotations

from collections.abc import Callable

import mpmath as mp

DIGITS = 30


def gaussian(epsilon: str, shift: str = "1") -> mp.mpf:
    """Balle and Wang (2018), Theorem 8, in every dimension."""
    with mp.workdps(60):
        e, s = mp.mpf(epsilon), mp.mpf(shift)
        return mp.ncdf(s / 2 - e / s) - mp.exp(e) * mp.ncdf(-s / 2 - e / s)


def laplace(epsilon: str, shift: str = "1") -> mp.mpf:
    """1 - exp((eps - Delta/b)/2), below the pure epsilon."""
    with mp.workdps(60):
        return 1 - mp.exp((mp.mpf(epsilon) - mp.mpf(shift)) / 2)


def on_the_line(f: Callable[[mp.mpf], mp.mpf], epsilon: str, shift: str, ends: tuple[float, ...]) -> mp.mpf:
    """d = 1: the integral of (p - e^eps q)_+ between points that include its zeros."""
    with mp.workdps(DIGITS):
        e, s = mp.mpf(epsilon), mp.mpf(shift)
        whole = 2 * mp.quad(lambda r: f(r), [0, 1, 10, 100, mp.inf])
        part = mp.quad(lambda x: max(0, f(abs(x)) - mp.exp(e) * f(abs(x - s))), ends)
        return part / whole


def in_space(f: Callable[[mp.mpf], mp.mpf], boundary: Callable[[mp.mpf], mp.mpf], epsilon: str, shift: str) -> mp.mpf:
    """d = 3, in bipolar coordinates: the volume element is 2 pi r1 r2 dr1 dr2 / s; S is r2 > boundary(r1)."""
    with mp.workdps(20):
        e, s = mp.mpf(epsilon), mp.mpf(shift)
        whole = 4 * mp.pi * mp.quad(lambda r: r * r * f(r), [0, 1, 3, 10, 40, mp.inf])

        def shell(r: mp.mpf) -> mp.mpf:
            low, high = max(abs(r - s), boundary(r)), r + s
            if low >= high:
                return mp.mpf(0)
            return 2 * mp.pi * r / s * mp.quad(lambda t: t * (f(r) - mp.exp(e) * f(t)), [low, high])

        return mp.quad(shell, [0, s / 8, s / 4, s / 2, s, 2, 4, 8, 16, 30, 60]) / whole
