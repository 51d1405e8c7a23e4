"""log f from the NumPy lowering, against mpmath at 30 digits."""

from __future__ import annotations

from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest

from dpverify.generators import Generator
from dpverify.sampling import log_density
from dpverify.sampling.density import log_besselk

Y = [1e-12, 1e-3, 0.3, 1.0, 2.7, 40.0, 3e3, 1e6]
CASES: list[tuple[str, Callable[[mp.mpf], mp.mpf]]] = [
    ("exp(-sqrt(y))", lambda y: -mp.sqrt(y)),
    ("exp(-y/2)", lambda y: -y / 2),
    ("(1+y/5)**(-7/2)", lambda y: -mp.mpf(7) / 2 * mp.log(1 + y / 5)),
    ("1/cosh(r)", lambda y: -mp.log(mp.cosh(mp.sqrt(y)))),
    ("exp(-y)+exp(-r)/3", lambda y: mp.log(mp.exp(-y) + mp.exp(-mp.sqrt(y)) / 3)),
    ("exp(-r)*(2+sin(r))", lambda y: -mp.sqrt(y) + mp.log(2 + mp.sin(mp.sqrt(y)))),
    ("exp(-sqrt(1+y))*log(3+y)**2", lambda y: -mp.sqrt(1 + y) + 2 * mp.log(mp.log(3 + y))),
    ("besselk(1/3, sqrt(2*y))", lambda y: mp.log(mp.besselk(mp.mpf(1) / 3, mp.sqrt(2 * y)))),
    ("erfc(r)", lambda y: mp.log(mp.erfc(mp.sqrt(y)))),
    ("1/gamma(1+r)", lambda y: -mp.loggamma(1 + mp.sqrt(y))),
    ("exp(-floor(r))", lambda y: -mp.floor(mp.sqrt(y))),
    ("Max(exp(-y), exp(-r)/8)", lambda y: max(-y, -mp.sqrt(y) - mp.log(8))),
    ("Piecewise((1, y < 2), (exp(-r), True))", lambda y: mp.mpf(0) if y < 2 else -mp.sqrt(y)),
    ("(sinh(r)/r)*exp(-3*r)", lambda y: mp.log(mp.sinh(mp.sqrt(y)) / mp.sqrt(y)) - 3 * mp.sqrt(y)),
    ("(3+r)**(-r)", lambda y: -mp.sqrt(y) * mp.log(3 + mp.sqrt(y))),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_log_f_agrees_with_mpmath_far_below_the_smallest_float(text: str, expected: Callable[[mp.mpf], mp.mpf]) -> None:
    found = log_density(Generator(text).expression)(np.array(Y))
    with mp.workdps(30):
        exact = [float(expected(mp.mpf(y))) for y in Y]
    assert min(exact) < -5
    np.testing.assert_allclose(found, exact, rtol=1e-11, atol=1e-11)


def test_zeros_and_negative_values_are_told_apart() -> None:
    f = log_density(Generator("Piecewise((1-y, y < 4), (0, True))").expression)
    found = f(np.array([0.5, 2.0, 9.0]))
    assert found[0] == pytest.approx(np.log(0.5))
    assert np.isnan(found[1])
    assert found[2] == -np.inf


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "x"), [(0.0, 2.0), (2.5, 1e-200), (60.0, 1e-6), (400.0, 3.0), (499.0, 300.0), (3.0, 900.0), (0.0, 1e13)]
)
def test_besselk_beyond_the_largest_float(p: float, x: float) -> None:
    with mp.workdps(40):
        exact = float(mp.log(mp.besselk(p, mp.mpf(x))))
    assert float(log_besselk(np.float64(p), np.float64(x))) == pytest.approx(exact, rel=1e-9)
