"""Compact support, poles, algebra and cancellation: verdicts known from elementary calculus, epsilons by mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import pytest

from dpverify import check, verify

SUPPORT = [
    ("Piecewise((1-y, y<1), (0, True))", 1, "f is zero beyond r = 1 and the shifted law is not"),
    ("Piecewise(((1-y)**3, y<1), (0, True))", 2, "f is zero beyond r = 1 and"),
    ("Piecewise((1, y<1), (0, True))", 3, "f is zero beyond r = 1 and"),
    ("Piecewise((exp(-r), r<2), (0, True))", 1, "f is zero beyond r = 2 and"),
    ("Piecewise((1-r, r<=1), (0, True))", 1, "f is zero beyond r = 1 and"),
    ("Piecewise((sqrt(1-y), y<1), (0, True))", 1, "f is zero beyond r = 1 and"),
    ("Piecewise(((1-y)**(-1/2), y<1), (0, True))", 2, "f is zero beyond r = 1 and"),
    ("Piecewise((1/sqrt(2-y), y<2), (0, True))", 1, "f is zero beyond r = 1.41421 and"),
    ("Piecewise((exp(-1/(1-y)), y<1), (0, True))", 1, "f is zero beyond r = 1 and"),
    ("Piecewise((cos(pi*r/2), r<1), (0, True))", 1, "f is zero beyond r = 1 and"),
    ("Piecewise(((1-y/10**6)**2, y<10**6), (0, True))", 1, "f is zero beyond r = 1000 and"),
    ("Max(0, 3-y)**2", 1, "f is zero beyond r = 1.73205 and"),
    ("Max(0, 1-Abs(r-3))", 1, "f is zero below r = 2 and"),
    ("Piecewise((0, r<1), (exp(-r), True))", 1, "f is zero below r = 1 and"),
    ("Piecewise((exp(-r), r<1), (0, r<2), (exp(-r), True))", 1, "f is zero between r = 1 and r = 2 and"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "dimension", "why"), SUPPORT, ids=[case[0] for case in SUPPORT])
def test_a_support_that_a_shift_leaves_is_private_for_no_epsilon(text: str, dimension: int, why: str) -> None:
    result = verify(text, dimension=dimension)
    assert result.verdict == "not_private" and why in result.reason
    assert check(result.certificate or {}).accepted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Piecewise((1/(1-y), y<1), (0, True))", "invalid"),  # 1/(1-r) has an infinite integral
        ("Piecewise((1/(2-y), y<2), (0, True))", "invalid"),
        ("Piecewise((0, y<10), ((y-10)**(-1)*exp(-2*r), True))", "invalid"),
        ("Piecewise((0, y<2), ((y-2)**(-1/3)*exp(-r), True))", "not_private"),
        ("Max(0, 3/2-r)**(3/2)*exp(-r)", "not_private"),
        ("Piecewise((2-y, y<2), (0, y>=2))", "not_private"),
        ("Piecewise((exp(-r), not (y < 2 or y > 5)), (exp(-2*r), y < 2))", "invalid"),  # no value beyond sqrt(5)
        ("Piecewise((1-2*y, y<1), (0, True))", "invalid"),  # negative beyond 1/sqrt(2)
        ("(1-2*r+y)*exp(-r)", "not_private"),
        ("1/(y**2-2*y+1)", "invalid"),
        ("exp(-r)/(1-2*r+y)", "invalid"),
        ("(y**2-4*y+4)/(1+y)*exp(-r)", "not_private"),
        ("(1-2*sqrt(r)+r)*exp(-r)", "not_private"),
        ("sqrt(y**2-2*y+1)*exp(-r)", "not_private"),
        ("(y**2-2*y+1)**(-1/4)*exp(-r)", "not_private"),  # |y-1|^(-1/2): integrable, and unbounded
        ("(y**2-2*y+1)**(-1/2)*exp(-r)", "invalid"),
        ("Abs(2-y)**(-1/3)*exp(-r)", "not_private"),
        ("(r-1)*(r-1.0000001)*exp(-r)", "invalid"),
        ("(1-3*r+3*y-r**3)*exp(-r)", "invalid"),
        ("exp(-r)*(r**4-6*r**3+13*y-12*r+4)", "not_private"),  # (r-1)^2 (r-2)^2
    ],
)
def test_exact_zeros_and_poles(text: str, verdict: str) -> None:
    result = verify(text)
    assert result.verdict == verdict, result.reason
    assert check(result.certificate or {}).accepted


def largest(f: Callable[[Any], Any], low: float, high: float, n: int = 4000) -> Any:
    """The largest |log f(r^2) - log f((r + 1)^2)| on a grid, refined by golden section."""
    with mpmath.workdps(40):
        loss = lambda r: abs(mpmath.log(f(r * r)) - mpmath.log(f((r + 1) ** 2)))  # noqa: E731
        step = mpmath.mpf(high - low) / n
        best = max((low + step * k for k in range(1, n)), key=loss)
        a, b = best - step, best + step
        for _ in range(80):
            c, d = b - (b - a) * 0.618, a + (b - a) * 0.618
            a, b = (a, d) if loss(c) > loss(d) else (c, b)
        return loss((a + b) / 2)


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("text", "dimension", "f"),
    [
        ("(1-(1+y/2)*exp(-y/2))/y**2", 2, lambda y: (1 - (1 + y / 2) * mpmath.exp(-y / 2)) / y**2),
        ("(1-exp(-y/2))/y", 1, lambda y: (1 - mpmath.exp(-y / 2)) / y),
        ("(1-(1+y/2+y**2/8)*exp(-y/2))/y**3", 4, lambda y: (1 - (1 + y / 2 + y**2 / 8) * mpmath.exp(-y / 2)) / y**3),
        ("(r-sin(r))/r**3*exp(-r)", 1,
         lambda y: (mpmath.sqrt(y) - mpmath.sin(mpmath.sqrt(y))) / y**1.5 * mpmath.exp(-mpmath.sqrt(y))),
    ],
    ids=["slash-2", "slash-1", "slash-4", "sine"],
)  # fmt: skip
def test_what_cancels_at_the_centre(text: str, dimension: int, f: Callable[[Any], Any]) -> None:
    result = verify(text, dimension=dimension)
    assert result.verdict == "private" and result.epsilon is not None
    top = largest(f, 0.01, 20)
    assert abs(mpmath.mpf(result.epsilon.decimal) - top) < 1e-9
    assert check(result.certificate or {}).accepted


@pytest.mark.parametrize(
    ("text", "epsilon"),
    [
        ("exp(-r)*(1+y)", 1),  # g' = 1 - 2r/(1+y) rises to 1, and the loss to its limit delta
        ("(1-r)/(1-y)*exp(-r)", 1 + mpmath.log(2)),  # exp(-r)/(1+r): g is concave, so the loss is largest at 0
        ("exp(-r)*(1/(r-1)-2/(y-1))", 1 + mpmath.log(2)),  # the same
    ],
)
def test_flat_places_and_what_cancels_exactly(text: str, epsilon: Any) -> None:
    result = verify(text)
    assert result.verdict == "private" and result.epsilon is not None, result.reason
    assert result.theorem == "Theorem 3"
    assert abs(mpmath.mpf(result.epsilon.decimal) - epsilon) < 1e-10
