"""Prover, kernel and a plain high-precision search agree on generators put together at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

from dpverify import verify

Potential = Callable[[mpmath.mpf], mpmath.mpf]


def piece(rnd: random.Random) -> tuple[str, Potential]:
    """A text, and log f written down independently (1 - tanh and the like without cancellation)."""
    a, b = (Fraction(rnd.choice(["1/2", "1", "2", "5/3", "7"])) for _ in range(2))
    x, y = (mpmath.mpf(q.numerator) / q.denominator for q in (a, b))
    return rnd.choice(
        [
            (f"exp(-({a})*r)", lambda r: -x * r),
            (f"exp(-sqrt({b}+y))", lambda r: -mpmath.sqrt(y + r * r)),
            (f"({b}+y)**(-({a})-1)", lambda r: -(x + 1) * mpmath.log(y + r * r)),
            (f"({b}+r)**(-({a})-2)", lambda r: -(x + 2) * mpmath.log(y + r)),
            (f"exp(-({a})*y)", lambda r: -x * r * r),
            ("exp(-r**(1/3))", lambda r: -mpmath.cbrt(r)),
            (f"1/cosh(({a})*r)", lambda r: -x * r - mpmath.log1p(mpmath.exp(-2 * x * r)) + mpmath.log(2)),
            (f"exp(-log({b}+1+y)**2)", lambda r: -(mpmath.log(y + 1 + r * r) ** 2)),
            (f"exp(-({a})*r)*(1+({b})*r)", lambda r: -x * r + mpmath.log(1 + y * r)),
            (f"exp(-asinh(({a})*r)*3)", lambda r: -3 * mpmath.asinh(x * r)),
            (f"exp(-r*log({b}+1+r))", lambda r: -r * mpmath.log(y + 1 + r)),
            (f"1-tanh(({a})*r)", lambda r: mpmath.log(2) - 2 * x * r - mpmath.log1p(mpmath.exp(-2 * x * r))),
            (f"r**(-({b})/20)*exp(-r)", lambda r: -r - y / 20 * mpmath.log(r)),
            (
                f"Piecewise((2*exp(-({a})*r), r < {b}), (exp(-({a})*r), True))",
                lambda r: -x * r + (mpmath.log(2) if r < y else 0),
            ),
        ]
    )


def generator(seed: int) -> tuple[str, Potential]:
    rnd = random.Random(seed)
    (s, f), (t, g) = piece(rnd), piece(rnd)
    kind = rnd.choice(["one", "sum", "product", "power"])
    if kind == "sum":
        k = Fraction(rnd.choice(["1/10", "1", "20"]))
        lift = mpmath.log(mpmath.mpf(k.numerator) / k.denominator)
        return (
            f"({s})+({k})*({t})",
            lambda r: max(f(r), g(r) + lift) + mpmath.log1p(mpmath.exp(-abs(f(r) - g(r) - lift))),
        )
    if kind == "product":
        return f"({s})*({t})", lambda r: f(r) + g(r)
    if kind == "power":
        return f"({s})**(3/2)", lambda r: f(r) * 3 / 2
    return s, f


@pytest.mark.slow
@pytest.mark.swept(stay=20)
@pytest.mark.parametrize("seed", range(80))
def test_no_point_of_a_plain_search_contradicts_the_verdict(seed: int) -> None:
    text, log_f = generator(seed)
    d, delta = seed % 3 + 1, [Fraction(1, 4), Fraction(1), Fraction(5, 2)][seed % 3]
    result = verify(text, dimension=d, sensitivity=delta, replay=True)
    if result.verdict != "private":
        return
    assert result.epsilon is not None
    with mpmath.workdps(30):
        step = mpmath.mpf(delta.numerator) / delta.denominator
        radii = [mpmath.mpf(10) ** (mpmath.mpf(k) / 12) for k in range(-144, 48)] + [
            mpmath.mpf(k) / 23 for k in range(1, 300)
        ]
        worst = max(abs(log_f(r) - log_f(r + step)) for r in radii)
        high = mpmath.mpf(result.epsilon.upper.numerator) / result.epsilon.upper.denominator
        low = mpmath.mpf(result.epsilon.lower.numerator) / result.epsilon.lower.denominator
        assert worst <= high + mpmath.mpf(10) ** -15, text
        assert low <= worst * mpmath.mpf("1.01") + mpmath.mpf(10) ** -3, text
