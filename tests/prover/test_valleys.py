"""Narrow valleys, squares that nearly touch zero and irrational roots: closed forms, and a search by mpmath."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from dpverify import check, verify
from tests.prover.exact import proved

pytestmark = pytest.mark.slow


def steepest(log_f: Callable[[mpmath.mpf], mpmath.mpf], near: str) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """phi_delta where its slope vanishes near a radius, of the g = -log f given."""

    def loss(delta: mpmath.mpf) -> mpmath.mpf:
        def phi(r: mpmath.mpf) -> mpmath.mpf:
            return log_f(r) - log_f(r + delta)

        return phi(mpmath.findroot(lambda r: mpmath.diff(phi, r), mpmath.mpf(near), tol=1e-15))

    return loss


def above_sqrt_2(r: mpmath.mpf) -> mpmath.mpf:
    return -r + mpmath.log((r - mpmath.sqrt(2)) ** 2 + mpmath.mpf(1) / 1000)


VALLEYS = [
    # from the centre to the bottom of the valley: g rises by log((1 + b)/b) and by delta
    ("exp(-r)*((r-1)**2+1/1000000)", lambda d: d + mpmath.log(1000001)),
    ("exp(-r)*sqrt((r-1)**2+1/1000000)", lambda d: d + mpmath.log(1000001) / 2),
    ("exp(-r)*(Abs(r-1)+1/1000)", lambda d: d + mpmath.log(1001)),
    # to about the bottom, from delta before it
    ("exp(-r)*(y-2*sqrt(2)*r+2.001)", steepest(above_sqrt_2, "0.4132")),
    ("1/(1+r)**6*((r-10)**2+1/100)",
     steepest(lambda r: -6 * mpmath.log(1 + r) + mpmath.log((r - 10) ** 2 + mpmath.mpf(1) / 100), "8.99")),
    # the factor r - sqrt(2) of both cancels
    ("exp(-r)*(r-sqrt(2))/(y-2)", lambda d: d + mpmath.log(1 + d / mpmath.sqrt(2))),
]  # fmt: skip


@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(("text", "truth"), VALLEYS, ids=[text for text, _ in VALLEYS])
def test_epsilon_of_valleys(text: str, truth: Callable[[mpmath.mpf], mpmath.mpf]) -> None:
    with mpmath.workdps(40):
        proved(text, "1", truth, "2e-10")


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(y-2*sqrt(2)*r+1999/1000)",
        "exp(-r)*((r-pi)**2-1/1000)",
        "exp(-r)*(1-1.0001*exp(-(r-7.77)**2))",
        "exp(-r)*(log(1+(r-sqrt(5))**2)-1/100000)",
        "exp(-r)*(1-2*exp(-(r-1000)**2))",
        "exp(-r)*(Abs(r-sqrt(2))-10**(-10))",
        "exp(-r)*(Abs(r-1)-10**(-30))",
        "exp(-r)-2*exp(-1000-1000*(r-1000)**2)",
        "Piecewise((-1, (r < 2) & (r > 2-10**(-40))), (exp(-r), True))",
    ],
)
def test_an_interval_on_which_f_is_negative_is_found_however_short(text: str) -> None:
    result = verify(text)
    assert result.verdict == "invalid" and "negative" in result.reason
    assert check(result.certificate or {}).accepted


@pytest.mark.parametrize(
    "text",
    [
        "Piecewise((0, (r > 1) & (r < 1+10**(-14))), (exp(-r), True))",
        "Piecewise((0, (r < 1/3) & (r > 1/3-10**(-30))), (exp(-r), True))",
        "exp(-r)*Max(0, Abs(r-1)-10**(-30))",
    ],
)
def test_an_interval_on_which_f_is_zero_is_found_beside_a_break_however_short(text: str) -> None:
    result = verify(text)
    assert result.verdict == "not_private" and "f is zero beside" in result.reason
    assert check(result.certificate or {}).accepted


def test_a_single_radius_at_which_a_case_is_negative_or_zero_has_no_weight() -> None:
    for value in ("-1", "0"):
        result = verify(f"Piecewise(({value}, (r >= 1) & (r <= 1)), (exp(-r), True))")
        assert result.verdict == "private" and result.epsilon is not None and result.epsilon.upper < 1 + 1e-9


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("exp(-r)*(y-2*sqrt(2)*r+2)", "not_private"),
        ("exp(-r)*(y-sqrt(8)*r+2)**2*(1+r)", "not_private"),
        ("exp(-r)*(r-2*2**(1/4)*sqrt(r)+sqrt(2))", "not_private"),
        ("exp(-r)*(y-2*(sqrt(2)+sqrt(3))*r+5+2*sqrt(6))", "not_private"),
        ("exp(-r)*(3*y-2*sqrt(3)*r+1)", "not_private"),
        ("exp(-r)*(r-sqrt(2))**3", "invalid"),  # negative before sqrt(2)
        ("exp(-r)/(y-2*sqrt(2)*r+2)", "invalid"),  # an infinite integral at sqrt(2)
    ],
)
def test_irrational_roots(text: str, verdict: str) -> None:
    result = verify(text)
    assert result.verdict == verdict, result.reason
    assert check(result.certificate or {}).accepted
