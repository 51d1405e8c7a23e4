"""Parts of bounded support beside a tail, as of Tukey's biweight: kinks at which g is steep, against plain searches."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import verify
from tests.kernel.plain import number


def triangle(r: Any) -> Any:
    return -mpmath.log(max(1 - r / 10, 0) * mpmath.exp(-r) + mpmath.exp(-2 * r))


def biweight(r: Any) -> Any:
    return -mpmath.log(max(1 - r * r / 9, 0) ** 2 + mpmath.exp(-3 * r) / 1000)


CASES: list[tuple[str, str, Callable[[Any], Any], Fraction, bool]] = [
    ("Max(1-r/10,0)*exp(-r)+exp(-2*r)", "1", triangle, Fraction(10), True),
    ("Max(1-r/10,0)*exp(-r)+exp(-2*r)", "1/10", triangle, Fraction(10), True),
    ("Max(1-r/10,0)*exp(-r)+exp(-2*r)", "1/1000", triangle, Fraction(10), True),
    ("Max(1-r/10,0)*exp(-r)+exp(-2*r)", "20", triangle, Fraction(29), True),
    ("Max(1-y/9,0)**2+exp(-3*r)/1000", "1", biweight, Fraction(3), False),
    ("Max(1-y/9,0)**2+exp(-3*r)/1000", "1/100", biweight, Fraction(3), False),
]


@pytest.mark.campaign
@pytest.mark.parametrize(("text", "shift", "potential", "near", "there"), CASES)
def test_epsilon_is_the_largest_loss_beside_an_end(
    text: str, shift: str, potential: Callable[[Any], Any], near: Fraction, there: bool
) -> None:
    result = verify(text, dimension=2, sensitivity=shift)
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    low, high = result.epsilon.lower, result.epsilon.upper
    assert high - low <= high / 10**10
    with mpmath.workdps(40):
        delta = number(Fraction(shift))
        loss = lambda c: potential(c) - potential(c - delta) if c >= delta else mpmath.mpf(0)  # noqa: E731
        places = [number(near) + mpmath.mpf(k) / 200 * delta for k in range(-400, 401)]
        best = max(places, key=loss)
        step = delta / 400
        while step > mpmath.mpf(10) ** -20:
            best = max((best - step, best, best + step), key=loss)
            step /= 2
        assert loss(best) <= number(high) and loss(best) >= number(low) * (1 - mpmath.mpf(10) ** -9)
        assert there == (abs(best - number(near)) < 1e-12)
