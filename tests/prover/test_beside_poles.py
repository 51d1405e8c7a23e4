"""Poles within functions that stay bounded beside them: f has no value at one radius, and may jump there or swing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import atan, cos, exp, inf, log, pi, tanh

import pytest
from flint import arb, fmpq

from dpverify import check, verify
from dpverify.enclosures import Undecided
from dpverify.enclosures.lowering import lower
from dpverify.language.parser import parse
from dpverify.prover.beside_poles import _power, _product, log_beside_poles, poles_within

# epsilon by hand where it is taken beside the pole, f there being its limit from a side
JUMPING: list[tuple[str, float]] = [
    ("exp(-r)*(3+atan(1/(r-2)))", 1 + log((3 - pi / 4) / (3 - pi / 2))),  # r = 1, and just before 2
    ("exp(-r)*exp(atan(1/(r-1)))", pi),  # the jump itself
    ("exp(-r)*(2+exp(-1/(r-1)**2))", 1 + log((2 + exp(-1)) / 2)),  # r = 0, and 1
    ("exp(-r)*(1+1/(1+1/(r-1)**2))", 1 + log(3 / 2)),
    ("exp(-r)*(2+cos(1/(r-1)))", 1 + log(2 + cos(1))),  # r near 0, and near 1 where cos is -1 again and again
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "epsilon"), JUMPING)
def test_epsilon_beside_a_pole_of_a_part(text: str, epsilon: float) -> None:
    result = verify(text, dimension=1, tolerance="1/1000")
    assert result.verdict == "private"
    assert result.epsilon is not None
    assert float(result.epsilon.lower) <= epsilon + 1e-9 <= float(result.epsilon.upper) + 2e-9
    assert result.epsilon.upper - result.epsilon.lower < Fraction(1, 200)
    assert result.certificate is not None and check(result.certificate).accepted


@pytest.mark.slow
def test_beside_a_pole_f_may_vanish_or_be_without_bound() -> None:
    assert verify("exp(-r)*exp(-exp(1/(r-1)))", dimension=1).verdict == "not_private"
    assert verify("exp(-r)*exp(-1/(r-1)**2)", dimension=1).verdict == "not_private"
    assert verify("exp(-r)*exp(1/(r-1))", dimension=1).verdict != "private"


BESIDE: list[tuple[str, str, str, Callable[[float], float]]] = [
    ("exp(-r)*(3+tanh(1/(r-2)))", "2", "17/8", lambda r: 3 + tanh(1 / (r - 2))),
    ("exp(-r)*(3+tanh(1/(r-2)))", "15/8", "2", lambda r: 3 + tanh(1 / (r - 2))),
    ("exp(-r)*(3+atan(1/(r-2)**3))", "15/8", "2", lambda r: 3 + atan(1 / (r - 2) ** 3)),
    ("exp(-r)*(3+atan(1/(r-2)**2))", "15/8", "17/8", lambda r: 3 + atan(1 / (r - 2) ** 2)),
    ("exp(-r)*log(2+exp(-1/Abs(r-2)))", "2", "17/8", lambda r: log(2 + exp(-1 / abs(r - 2)))),
    ("exp(-r)*(1+1/(1+1/(r-2)**2))", "2", "17/8", lambda r: 1 + 1 / (1 + 1 / (r - 2) ** 2)),
]


@pytest.mark.parametrize(("text", "a", "b", "factor"), BESIDE)
def test_log_f_on_a_box_that_ends_at_a_pole(text: str, a: str, b: str, factor: Callable[[float], float]) -> None:
    low, high = Fraction(a), Fraction(b)
    bounds = log_beside_poles(lower(parse(text)), low, high)
    assert bounds.u.x.is_finite() and bounds.u.x.rad() < 1
    assert not bounds.du.x.is_finite()
    for share in (0.001, 0.25, 0.51, 0.75, 0.999):
        r = float(low) + (float(high) - float(low)) * share
        assert bounds.u.x.lower() <= log(factor(r)) - r + 1e-12
        assert bounds.u.x.upper() >= log(factor(r)) - r - 1e-12


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        ("exp(-r)*(3+atan(1/(r-2)))", "15/8", "17/8"),  # on both sides
        ("exp(-r)*exp(1/(r-2))", "2", "17/8"),
        ("exp(-r)*exp(1/(r-2))", "15/8", "2"),  # falls to 0
        ("exp(-r)*(1+tanh(1/(r-2)))", "15/8", "2"),
        ("exp(-r)*log(exp(1/(r-2)))", "15/8", "2"),
        ("exp(-r)*(3+floor(1/(r-2)))", "2", "17/8"),
    ],
)
def test_where_nothing_bounds_f_from_both_sides(text: str, a: str, b: str) -> None:
    with pytest.raises(Undecided):
        log_beside_poles(lower(parse(text)), Fraction(a), Fraction(b))


def test_products_and_powers_with_infinite_ends() -> None:
    assert _product(inf, arb(-2)) == -inf
    zero = _product(-inf, arb(0))
    assert isinstance(zero, arb) and zero.is_zero()
    low, high = _power(arb(0), arb(2), fmpq(-1))
    assert isinstance(low, arb) and low.overlaps(arb(1) / 2) and high == inf
    low, high = _power(arb(-2), arb(0), fmpq(-3))
    assert low == -inf and isinstance(high, arb) and high.overlaps(arb(-1) / 8)
    low, high = _power(arb(-2), arb(1), fmpq(-2))
    assert isinstance(low, arb) and low.overlaps(arb(1) / 4) and high == inf
    with pytest.raises(Undecided):
        _power(arb(-2), arb(1), fmpq(-1))
    with pytest.raises(Undecided):
        _power(arb(-2), arb(1), fmpq(1, 2))


def test_a_pole_counts_within_what_may_be_bounded_beside_it() -> None:
    assert [len(list(poles_within(lower(parse(text))))) for text in ("atan(1/(r-2))", "1/(r-2)", "atan(1/(r+2))")] == [
        1,
        0,
        0,
    ]
