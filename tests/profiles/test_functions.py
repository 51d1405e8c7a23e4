"""Generators with special functions: delta(eps) against mpmath's quadrature, with certificates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import pytest

import dpverify
from dpverify import kernel

THIRD = mp.mpf(1) / 3
CASES: dict[str, Callable[[mp.mpf], mp.mpf]] = {
    "1/cosh(r)**2": lambda r: mp.sech(r) ** 2,
    "(1+r)**(-4)*exp(-atan(r))": lambda r: (1 + r) ** -4 * mp.exp(-mp.atan(r)),
    "exp(-4*lambertw(r))": lambda r: mp.exp(-4 * mp.lambertw(r).real),
    "erfc(r)": lambda r: mp.erfc(r),
    "besselk(1/3, 1+r)": lambda r: mp.besselk(THIRD, 1 + r),
    "exp(-2*r-cos(3*r)/4)": lambda r: mp.exp(-2 * r - mp.cos(3 * r) / 4),
    "log1p(exp(-5*r))": lambda r: mp.log1p(mp.exp(-5 * r)),
    "log1p(exp(-(5*r*log1p(r)/(1+log1p(r)))))": lambda r: mp.log1p(mp.exp(-5 * r * mp.log1p(r) / (1 + mp.log1p(r)))),
    "(sqrt(1+y)-r)*(1+y)**(-2)": lambda r: (1 + r * r) ** -2 / (mp.sqrt(1 + r * r) + r),
    "exp(-r)*(log(2+r)-log(1+r))": lambda r: mp.exp(-r) * mp.log1p(1 / (1 + r)),
    "100*exp(-y)+(1+y)**(-2)": lambda r: 100 * mp.exp(-r * r) + (1 + r * r) ** -2,
}


LONG = (
    *("100*exp(-y)+(1+y)**(-2)", "besselk(1/3, 1+r)", "exp(-4*lambertw(r))", "erfc(r)"),
    "log1p(exp(-(5*r*log1p(r)/(1+log1p(r)))))",
)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.campaign] * (text in LONG)) for text in CASES], ids=str
)
def test_against_quadrature(text: str) -> None:
    f, epsilon = CASES[text], "1/7"
    found = dpverify.profile(text, epsilon=epsilon, certificate=True)
    assert found.verdict == "proved" and found.certificate is not None and not found.assumptions
    assert dpverify.check(found.certificate).accepted
    with mp.workdps(30):
        level = mp.mpf(1) / 7
        cuts = [x for k in range(-240, 2) for x in _changes(f, level, mp.mpf(k) / 4)]
        places = sorted({mp.mpf(x) for x in (-mp.inf, -20, -5, -1, 0, 0.5, *cuts)})
        gain = mp.quad(lambda x: max(mp.mpf(0), f(abs(x)) - mp.exp(level) * f(abs(x - 1))), places)
        whole = 2 * mp.quad(f, [0, 1, 3, 10, 40, mp.inf])
        value = gain / whole
    (point,) = found.points
    assert isinstance(point.delta, dpverify.profiles.Enclosed)
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (point.delta.lower, point.delta.upper))
    assert low - mp.mpf("1e-9") * value <= value <= high + mp.mpf("1e-9") * value
    assert high - low <= high / 10**8


def _changes(f: Callable[[mp.mpf], mp.mpf], level: mp.mpf, x: mp.mpf) -> list[mp.mpf]:
    """Where the loss crosses the level between x and x + 1/4."""

    def loss(at: mp.mpf) -> mp.mpf:
        return mp.log(f(abs(at))) - mp.log(f(abs(at - 1))) - level

    low, high = x, x + mp.mpf(1) / 4
    if loss(low) * loss(high) >= 0:
        return []
    rising = loss(high) > 0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if (loss(middle) > 0) == rising else (middle, high)
    return [low]


def test_a_series_of_an_unknown_function_is_refused() -> None:
    """The kernel knows no power series of loggamma, and says so."""
    kernel.certificate.load_section("incomplete_gamma")
    kernel.certificate.load_section("jets")
    from dpverify.kernel.sections.jets import panel
    from dpverify.kernel.sections.smooth import Smooth

    jet = panel(4, (Fraction(2), Fraction(1, 8)))
    with pytest.raises(kernel.Rejected, match="no power series"):
        Smooth().of(jet.whole)
