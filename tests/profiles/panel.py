"""A panel's noise, integrals by mpmath, and what the rules of panels are compared with."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import charts
from dpverify.kernel.sections.panels import Noise

for section in SECTIONS:
    load_section(section)

HALF = Fraction(1, 2)
NEAR, FAR = (Fraction(1, 1024), 6), (Fraction(20), 6)
LAPLACE, DROPS = "exp(-r)", "Piecewise((exp(-r), r < 2), (exp(-r)/4, True))"
Pair = tuple[Interval, Interval]


def noise(text: str = LAPLACE, d: int = 3, epsilon: Fraction = HALF, shift: str = "1", **more: Any) -> Noise:
    problem = charts.Problem(Reader(text, {}).tree(), d, Fraction(shift), NEAR, FAR)
    return Noise(problem, 12, epsilon, **more)


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def holds(found: Interval, value: Any, width: float) -> None:
    with mp.workdps(40):
        assert number(found.lo) - mp.mpf(10) ** -30 <= value <= number(found.hi) + mp.mpf(10) ** -30
        assert number(found.hi) - number(found.lo) <= width


def between(low: Any, high: Any) -> Interval:
    return hull(interval(Fraction(low)), interval(Fraction(high)))


def refused(work: Callable[[], Any], match: str) -> None:
    with pytest.raises(Rejected, match=match or None):
        work()


def integral(value: Callable[[Any], Any], a: Any, b: Any) -> Any:
    return mp.quad(value, [number(a), number(b)])


# Spheres.  In space the share below a height t is (1 + t)/2, and q has the density rho r f(r)/(2 s) in (rho, r).


def cosine(rho: Any, r: Any, s: Any = 1) -> Any:
    return (rho**2 + s**2 - r**2) / (2 * s * rho)


def share(t: Any) -> Any:
    return (1 + max(-1, min(1, t))) / 2


def along(rho: Any, low: Any, high: Any, f: Callable[[Any], Any]) -> Any:
    """The integral of w(r) times the share, of the sphere of radius r about u, that lies within rho of the centre."""
    return mp.quad(lambda r: r * r * f(r) * share(-cosine(r, rho)), [low, high])


def laplace(r: Any) -> Any:
    return mp.exp(-r)


def drops(r: Any) -> Any:
    return mp.exp(-r) / (4 if r > 2 else 1)
