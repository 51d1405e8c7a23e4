"""epsilon of waves by the slopes of g, at shifts so short that nothing else counts; and by slopes where nothing else is
found: beside one-sided derivatives, largest values over a torus, and plain searches."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpverify import check, verify
from dpverify.results import Result

TINY = Fraction(1, 10**6)


def proved(text: str, low: float, high: float, slack: float, **arguments: object) -> Result:
    """A proof whose enclosure meets what is known of epsilon, and is not wider than by `slack`."""
    result = verify(text, **arguments)  # type: ignore[arg-type]
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    lower, upper = float(result.epsilon.lower), float(result.epsilon.upper)
    assert lower <= high * (1 + 1e-12) and low <= upper * (1 + 1e-12)
    assert upper <= high * (1 + slack)
    assert result.certificate is not None and check(result.certificate).accepted
    return result


@pytest.mark.slow
def test_kinks_of_a_wave_at_a_short_shift() -> None:
    """|cos(5 r)| falls to 0 at 3 pi/10 with slope 5; (1 + y)^-(11/2) falls the fastest near r = 1: the slope of g is at
    most the larger of both sums over the kinks, and a shift that ends at the kink loses no less."""
    mpmath.mp.dps = 40
    kink, delta = 3 * mpmath.pi / 10, mpmath.mpf(1) / 10**6

    def g(r: mpmath.mpf) -> mpmath.mpf:
        return -mpmath.log(1 + abs(mpmath.cos(5 * r))) + mpmath.mpf(11) / 2 * mpmath.log(1 + r * r)

    radii = np.linspace(1e-3, 60, 2_000_000)
    waves, falls = 5 * np.abs(np.sin(5 * radii)) / (1 + np.abs(np.cos(5 * radii))), 11 * radii / (1 + radii**2)
    steepest = float(np.max(waves + falls))
    low, high = float(g(kink) - g(kink - delta)), float((5 + 11 * kink / (1 + kink**2)) * delta)
    assert steepest * 1e-6 <= high * (1 + 1e-4)
    proved(
        "(1+Abs(cos(5*r)))*(1+y)**(-(d+4)/2)",
        low,
        high * (1 + 1e-4),
        0.02,
        dimension=7,
        sensitivity=TINY,
        tolerance="1/100",
    )


@pytest.mark.slow
@pytest.mark.parametrize(("first", "size"), [("sin(r)", 1), ("sin(2*r)", 2)])
def test_two_waves_at_a_short_shift(first: str, size: int) -> None:
    """The slope of g comes near every value of 1 - (k cos a + sqrt(2)/3 cos b)/(2 + sin a + sin(b)/3)."""
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, 2001), np.linspace(0, 2 * np.pi, 2001))
    slopes = 1 - (size * np.cos(a) + np.sqrt(2) / 3 * np.cos(b)) / (2 + np.sin(a) + np.sin(b) / 3)
    steepest = float(np.max(np.abs(slopes))) * 1e-6
    proved(
        f"exp(-r)*(2+{first}+sin(sqrt(2)*r)/3)",
        steepest,
        steepest * (1 + 1e-5),
        0.06,
        sensitivity=TINY,
        tolerance="1/20",
    )


def searched(g: np.ufunc | object, delta: float, radii: np.ndarray, shifts: int) -> float:
    """The largest |g(r + h) - g(r)| on a grid."""
    here = g(radii)  # type: ignore[operator]
    return max(float(np.max(np.abs(g(radii + h) - here))) for h in np.linspace(0, delta, shifts + 1)[1:])  # type: ignore[operator]


@pytest.mark.campaign
def test_waves_beside_kinks_of_another_frequency() -> None:
    """(1 + 5 r + cos(3 r/4)/4)^-9 (1 + |cos 2 r|), d = 4: the loss is largest from the centre on."""

    def g(r: np.ndarray) -> np.ndarray:
        return 9 * np.log(1 + 5 * r + np.cos(0.75 * r) / 4) - np.log(1 + np.abs(np.cos(2 * r)))

    known = searched(g, 1e-3, np.concatenate([np.linspace(0, 1e-2, 10001), np.linspace(0, 60, 200_001)]), 8)
    proved(
        "(1+5*r+cos((3/4)*r)/4)**(-d-5)*(1+Abs(cos(2*r)))",
        known,
        known * (1 + 1e-6),
        0.06,
        dimension=4,
        sensitivity=Fraction(1, 1000),
        timeout=60,
    )
