"""Special functions with shifts short beside their scale, and maxima of them: against a plain search by mpmath."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import verify
from tests.kernel.plain import number

W: Callable[[Any], Any] = lambda x: mpmath.lambertw(x).real  # noqa: E731
CASES: list[tuple[str, int, str, Callable[[Any], Any]]] = [
    ("exp(-(r-lambertw(2*r)/3))", 1, "1", lambda r: r - W(2 * r) / 3),
    ("exp(-lambertw(3*r)-r)", 2, "1/1000000", lambda r: W(3 * r) + r),
    ("exp(-r)*erfc(r/(2+r))", 3, "1/1000", lambda r: r - mpmath.log(mpmath.erfc(r / (2 + r)))),
    (
        "gammaincc(5/2,3*r)*exp(-r/2)",
        2,
        "1/1000",
        lambda r: r / 2 - mpmath.log(mpmath.gammainc(2.5, 3 * r, mpmath.inf, regularized=True)),
    ),
    ("exp(-r)*gamma(1+1/(1+2*r))", 4, "1/1000", lambda r: r - mpmath.loggamma(1 + 1 / (1 + 2 * r))),
    ("exp(-3*r)*besseli(1/2,r)/sqrt(r)", 1, "1/1000", lambda r: 3 * r - mpmath.log(mpmath.sinh(r) / r)),
    ("exp(-Max(3*r,r*erf(2*r)))", 2, "1", lambda r: max(3 * r, r * mpmath.erf(2 * r))),
    (
        "exp(-(expm1(log1p(20*r)/2))-tanh(r*erf((2/7)*r)))",
        5,
        "1000000",
        lambda r: mpmath.sqrt(1 + 20 * r) - 1 + mpmath.tanh(r * mpmath.erf(2 * r / 7)),
    ),
]
RADII = [Fraction(1, 10**9), *(Fraction(k, 40) * (1 + Fraction(k, 8)) for k in range(1, 80)), Fraction(10**4)]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "d", "shift", "potential"), CASES)
def test_epsilon_is_the_largest_loss_that_a_search_finds(
    text: str, d: int, shift: str, potential: Callable[[Any], Any]
) -> None:
    result = verify(text, dimension=d, sensitivity=shift)
    assert result.verdict == "private", result.reason
    assert result.epsilon is not None and result.certificate is not None
    with mpmath.workdps(40):
        h = number(Fraction(shift))
        found = max(abs(potential(number(r) + h) - potential(number(r))) for r in RADII)
        assert found <= number(result.epsilon.upper) + mpmath.mpf(10) ** -38 * found  # as exact as forty digits are
        assert number(result.epsilon.lower) <= found * (1 + mpmath.mpf("1e-3"))
