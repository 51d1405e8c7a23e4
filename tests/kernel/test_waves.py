"""Waves over every ring beside mpmath, and what is said of an oscillating tail."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.sections.jets import panel
from dpverify.kernel.sections.models import Germ, power_of_t
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.waves import Phases, cos, falls_on_phases, half_angle, sin, sum_never_negative
from dpverify.kernel.tree import same
from tests.kernel.problems import cell, in_phases, tree


def encloses(x: Interval, truth: mp.mpf, width: float = 1e-30) -> bool:
    low, high = mp.mpf(str(x.lo)), mp.mpf(str(x.hi))
    return bool(low - mp.mpf(10) ** -50 <= truth <= high + mp.mpf(10) ** -50 and high - low < width)


@pytest.mark.parametrize("x", ["6.30855e60", "-6.30855e60", "1.0000001e62", "7.7e64", "3e80"])
def test_waves_of_numbers_with_more_digits_than_pi(x: str) -> None:
    with mp.workdps(200):
        found = cos(Interval(Decimal(x), Decimal(x)))
        assert mp.mpf(str(found.lo)) <= mp.cos(mp.mpf(x)) <= mp.mpf(str(found.hi))


@pytest.mark.parametrize("turns", [False, True])
def test_slopes_and_coefficients_of_waves(turns: bool) -> None:
    with mp.workdps(60):
        unit = mp.pi if turns else mp.mpf(1)
        x = mp.mpf(3) / 7
        at = Slope(interval(Fraction(3, 7)), interval(2))
        assert encloses(sin(at, turns).du, 2 * unit * mp.cos(unit * x))
        assert encloses(cos(at, turns).du, -2 * unit * mp.sin(unit * x))
        line = panel(5, (Fraction(3, 7), Fraction(1, 2))).whole
        for found, function in ((cos(line, turns), mp.cos), (sin(line, turns), mp.sin)):
            for p in (-1, mp.mpf(1) / 3, 1):
                truths = mp.taylor(lambda s, f=function: f(unit * (mp.mpf(3) / 7 + s / 2)), p, 5)
                assert all(encloses(c, truth, 20) for c, truth in zip(found.c, truths, strict=True))


@pytest.mark.parametrize(
    ("text", "u", "turns"),
    [
        ("sin(pi*r)", "r", True),
        ("cos(2*pi*r)", "2*r", True),
        ("cos(pi*r+pi/2)", "r+1/2", True),
        ("cos(r)", "r", False),
        ("cos(pi+r)", "pi+r", False),
    ],
)
def test_waves_of_multiples_of_pi_r_are_kept_in_turns(text: str, u: str, turns: bool) -> None:
    found = tree(text)
    assert found.args[1] is turns
    assert same(found.args[0], tree(u))


@pytest.mark.parametrize(
    ("text", "holds"),
    [("sqrt(2)+1+cos(r)", True), ("2*cos(r)+2", True), ("1+cos(r)+r**2", True), ("sqrt(2)+cos(r)", False)],
)
def test_sums_that_are_not_negative_by_their_form(text: str, holds: bool) -> None:
    assert sum_never_negative(tree(text)) is holds
    assert half_angle(tree("sqrt(2)+1")) is None


TAILS: list[tuple[str, bool, Callable[[float], float], tuple[Fraction, Fraction], Fraction]] = [
    ("exp(-3*r+(r-floor(r))**2)", True, lambda r: 3 * r - (r - math.floor(r)) ** 2, (Fraction(1, 4), Fraction(3, 4)),
     Fraction(1, 8)),
    ("exp(-3*r-cos(r)*sin(2*r)/8)", False, lambda r: 3 * r + math.cos(r) * math.sin(2 * r) / 8,
     (Fraction(-1, 16), Fraction(1, 16)), Fraction(1, 2)),
    ("exp(-3*r-cos(r)*sin(2*r)/8)", False, lambda r: 3 * r + math.cos(r) * math.sin(2 * r) / 8,
     (Fraction(2), Fraction(17, 8)), Fraction(1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "turns", "g", "ends", "h"), TAILS)
def test_losses_on_a_cell_of_phases_hold_and_are_close(
    text: str, turns: bool, g: Callable[[float], float], ends: tuple[Fraction, Fraction], h: Fraction
) -> None:
    proof = in_phases(text, turns)
    assert isinstance(proof.tail, Phases)
    found = proof.tail.loss(cell(proof, *ends), h)
    period, (low, high) = 2.0 if turns else 2 * math.pi, map(float, ends)
    truths = [g(r + float(h)) - g(r) for r in (20 * period + low + (high - low) * (k + 0.5) / 200 for k in range(200))]
    assert float(found.lo) - 1e-9 <= min(truths)
    assert max(truths) <= float(found.hi) + 1e-9
    assert float(found.hi - found.lo) < 1.3 * (max(truths) - min(truths))


FALLING = in_phases("exp(-3*r-floor(r/2))", True)


def test_a_fall_at_the_only_phase_where_cells_meet_is_a_drop() -> None:
    assert isinstance(FALLING.tail, Phases)
    falls_on_phases(FALLING.tail, ["0"])


@pytest.mark.parametrize(
    ("drops", "code"),
    [("", "format"), ({}, "format"), (0, "format"), ([0], "format"), ([["0"]], "format"), (["0", "0"], "format"),
     (["1"], "steps"), (["0", "1"], "steps")],
)  # fmt: skip
def test_what_names_no_phases(drops: Any, code: str) -> None:
    assert isinstance(FALLING.tail, Phases)
    with pytest.raises(Rejected) as refusal:
        falls_on_phases(FALLING.tail, drops)
    assert refusal.value.code == code


def test_the_cosine_of_turns_is_exact_at_quarters_and_nowhere_between_them() -> None:
    quarters = [cos(interval(Fraction(k, 2)), True) for k in range(4)]
    assert [(x.lo, x.hi) for x in quarters] == [(1, 1), (0, 0), (-1, -1), (0, 0)]
    half = cos(hull(interval(0), interval(1)), True)
    assert (half.lo, half.hi) == (-1, 1)
    eighth = cos(interval(Fraction(1, 4)), True)
    assert 2 * Fraction(eighth.lo) ** 2 < 1 < 2 * Fraction(eighth.hi) ** 2


@pytest.mark.parametrize("order", [4, 5])
@pytest.mark.parametrize(("function", "odd"), [(cos, 0), (sin, 1)])
def test_waves_of_what_vanishes(order: int, function: Callable[..., Any], odd: int) -> None:
    """cos(1/t) and sin(1/t) have Taylor's coefficients, exactly, and then one that is no larger."""
    germ = Germ(Fraction(64), order)
    assert germ.order == order
    found = dict(function(germ.radius().inverse()).terms)
    last = found.pop(power_of_t(-order - 1))
    signs = {k: (-1) ** (k // 2) for k in range(odd, order + 1, 2)}
    assert found == {power_of_t(-k): Fraction(sign, math.factorial(k)) for k, sign in signs.items()}
    with mp.workdps(60):
        next_one = mp.mpf(1) / math.factorial(order + 1)
        for truth in (-next_one, next_one):  # of either sign, as that of sin or cos at what lies between
            assert encloses(last, truth, float(next_one) * 2.0001)
