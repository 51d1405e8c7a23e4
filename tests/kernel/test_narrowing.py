"""Radii nearer and nearer to those of one phase, and what f does not exceed part by part."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections import dominated
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.constants import PI
from dpverify.kernel.sections.dominated import tail_by_parts
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import LINEAR, LOG_T, Model, power_of_t
from dpverify.kernel.sections.narrowing import OnePhase, diverges_nearby, unbounded_nearby
from dpverify.kernel.sections.phases import Phase, linear, on_phase
from dpverify.kernel.steps import Steps
from tests.kernel.problems import tree

INFINITE, NO_BOUND, BREAKS = "infinite integral beside", "loss is not shown unbounded", "floor has no value"


def proof_of(text: str, dimension: int = 1, radius: int = 2**20) -> Proof:
    problem = Problem(tree(text), dimension, Fraction(1), (Fraction(1, 64), 6), (Fraction(radius), 6))
    return Proof(problem, Steps({}))


def step(width: str, halves: str, **fields: Any) -> dict[str, Any]:
    plain = {"turns": False, "logs": False, "frequency": "1", "offset": "0", "by": "logs"}
    return {**plain, "width": width, "halves": halves, **fields}


TURNS = {"turns": True}
LOGS = {"logs": True}

# The peak about t has the height and the width of its comment, so the sum over the t of their multiples is infinite.
PEAKS: list[tuple[str, int, dict[str, Any]]] = [
    ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "3/2")),  # 1, t^(-1/2)
    ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "-1/2")),
    ("(2+sin(r))**(-y)", 1, step("1/(8*r)", "3/2")),  # 1, 1/t
    ("(2+sin(r))**(-r**3)", 2, step("r**(-3/2)/8", "3/2")),  # 1, t^(-3/2), and t^(d-1)
    ("(1+r**2*sin(r)**2)**(-1)", 1, step("1/(8*r)", "1")),  # 1, 1/t
    ("(1+r)**(-2-sin(r))", 1, step("log(r)**(-1/2)/8", "3/2")),  # 1/t, (log t)^(-1/2)
    ("exp(-log(2+r)*sin(r)**2)/(1+r)", 1, step("log(r)**(-1/2)/8", "0")),
    ("(2+cos(3*r+1))**(-r)", 1, step("r**(-1/2)/8", "1", frequency="3", offset="-1")),
    ("(2+cos(3*r+1))**(-r)", 1, step("r**(-1/2)/8", "1/3", offset="-1/3")),
    ("(2+sin(pi*r))**(-r)", 1, step("r**(-1/2)/8", "3/2", **TURNS)),
    ("(2+sin(pi*r))**(-r)", 1, step("r**(-1/2)/8", "1", offset="1/2", **TURNS)),
    ("(1+r)**(-2-cos(log(1+r)))", 1, step("r*log(r)**(-1/2)/8", "1", **LOGS)),  # 1/t, t (log t)^(-1/2)
    ("(1+r)**(-4-cos(log(1+r)))", 3, step("r*log(r)**(-1/2)/8", "1", **LOGS)),
    ("(1+cos(r))/(1+r)", 1, step("1/log(r)", "0", frequency="1/2")),  # 1/t, 1/log t
]


@pytest.mark.parametrize(("text", "dimension", "given"), PEAKS)
def test_peaks_that_narrow_slowly_have_an_infinite_integral(text: str, dimension: int, given: dict[str, Any]) -> None:
    diverges_nearby(proof_of(text, dimension), given)


@pytest.mark.parametrize(
    ("text", "dimension", "given", "why"),
    [
        ("(2+sin(r))**(-r**3)", 1, step("r**(-3/2)/8", "3/2"), INFINITE),  # integrable
        ("(2+sin(r))**(-r)", 1, step("r**(-3/2)/8", "3/2"), INFINITE),  # less than there is
        ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "1/2"), INFINITE),  # the valley, 3^-t
        ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "1"), INFINITE),
        ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "3/2", offset="1/100"), INFINITE),
        ("(2+sin(r))**(-r)", 1, step("r**(-1/2)/8", "3/2", frequency="2"), "no proved sign"),
        ("(1+r)**(-4-cos(log(1+r)))", 2, step("r*log(r)**(-1/2)/8", "1", **LOGS), INFINITE),
        ("(1+r)**(-2-cos(log(1+r)))", 1, step("r*log(r)**(-1/2)/8", "0", **LOGS), INFINITE),
        ("exp(-r)*(2+sin(r))", 3, step("1/(8*r)", "1/2"), INFINITE),
        ("sin(r)/(1+r)", 1, step("1/(8*r)", "3/2"), "not positive"),
        ("sin(r)/(1+r)", 1, step("1/(8*r)", "3/2", by="values"), "not positive"),
        ("sin(r)**2/(1+r)", 1, step("1/(8*r)", "0"), "no proved sign"),
        ("(2+sin(r))**(-r)", 1, step("1", "3/2"), "width is not shown"),
        ("(2+sin(r))**(-r)", 1, step("-1/r", "3/2"), "width is not shown"),
        ("(2+sin(r))**(-r)", 1, step("0", "3/2"), "width is not shown"),
        ("(2+sin(r))**(-r)", 1, step("sin(r)/r", "3/2"), "width is not shown"),
        ("(2+sin(r))**(-r)", 1, step("cos(r)/r", "3/2"), "width is not shown"),
        ("(1+r)**(-2-cos(log(1+r)))", 1, step("r/2", "1", **LOGS), "width is not shown"),
        ("(2+floor(r))**(-1)", 1, step("1/r", "0", **TURNS), BREAKS),
        ("(2+sin(pi*r))**(-r)", 1, step("(1+floor(r/2)-floor(r/2))/(8*r)", "3/2", **TURNS), BREAKS),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", turns=0), "not valid"),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", logs=None), "not valid"),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", frequency="0"), "not positive"),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", frequency="-1"), "not positive"),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", by="faith"), "names no rule"),
        ("(2+sin(r))**(-r)", 1, step("1/(8*r)", "3/2", shift="1"), "unknown field"),
        ("(2+sin(r))**(-r)", 1, {}, "has no field"),
    ],
)
def test_other_peaks_are_not_said_to(text: str, dimension: int, given: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        diverges_nearby(proof_of(text, dimension), given)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sin(r)**2/r**2+exp(-r)", step("exp(-2*r)", "0", shift="2/3", by="values")),  # e^-t beside t^-2
        ("sin(r)**2/r**2+exp(-r)", step("exp(-2*r)", "1", shift="-2/3", by="values")),
        ("exp(-r*sin(r)**2)/(1+r**2)", step("r**(-4)", "0", shift="2/3")),
        ("(2+sin(r))**(-r)", step("r**(-4)", "0", shift="4/3")),
        ("(2+sin(r))**(-r)", step("1/r", "0", shift="100")),
    ],
)
def test_beside_a_phase_the_loss_may_have_no_bound(text: str, given: dict[str, Any]) -> None:
    unbounded_nearby(proof_of(text), given)


@pytest.mark.parametrize(
    ("text", "given", "why"),
    [
        ("exp(-r)*(2+sin(r))", step("exp(-r)", "1/2", shift="1"), NO_BOUND),
        ("exp(-r)*(2+sin(r))", step("exp(-r)", "1/2", shift="0"), NO_BOUND),
        ("(1+r)**(-2-sin(log(1+r)))", step("exp(-r)", "1/2", shift="1"), NO_BOUND),
        ("(1+r)**(-4-sin(log(1+r)))", step("r**(1/2)", "1/2", shift="1", **LOGS), "not shown near each other"),
        (
            "sin(r)**2/r**2+exp(-r)",
            step("1/r", "0", shift="2/3", by="values"),
            "not positive",
        ),  # the interval is too wide to tell
        ("sin(r)**2/r**2+exp(-r)", step("exp(-2*r)", "7/16", shift="1", by="values"), NO_BOUND),
        ("exp(-r)*(1+sin(r)**2)", step("1/r", "0", shift="2/3"), NO_BOUND),
        ("exp(-r)*(2+sin(r))", step("exp(-r)", "1/2"), "has no field shift"),
    ],
)
def test_of_a_loss_with_a_bound_it_is_not_said(text: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        unbounded_nearby(proof_of(text), given)


def test_the_phase_of_a_multiple_is_exact_where_it_is_a_multiple_of_a_right_angle() -> None:
    phase = OnePhase(False, False, Fraction(1), Fraction(3, 2), Fraction(-1, 3))
    assert phase.scale == LINEAR
    angle, turns = phase.angle(Fraction(6), Fraction(2), False)
    assert turns and angle.lo == angle.hi == 9
    angle, turns = phase.angle(Fraction(6), Fraction(3), False)
    assert not turns
    assert (angle - PI * 9).lo <= 1 <= (angle - PI * 9).hi
    angle, turns = phase.angle(Fraction(3), interval(1), False)  # of which it is not known that it is exact
    assert not turns and angle.lo < angle.hi
    assert abs(float(phase.x().lo) - 4.37905564705) < 1e-9  # 3 pi/2 - 1/3


def test_in_turns_a_phase_is_a_rational() -> None:
    phase = OnePhase(True, True, Fraction(1), Fraction(3, 2), Fraction(1, 4))
    assert phase.scale == LOG_T
    angle, turns = phase.angle(Fraction(2), Fraction(1, 2), True)
    assert turns and angle.lo == angle.hi == 4
    assert phase.x().lo == phase.x().hi == Fraction(7, 4)


UNDER: list[tuple[str, int]] = [
    ("exp(-r*sin(r)**2)/(1+r**2)", 1),
    ("(1+sin(r)**2)**(-r)*(1+r)**(-2)", 1),
    ("(2+sin(r))**(-r)*(1+r)**(-4)", 2),
    ("exp(-r*sin(r)**2)/(1+r**2)+exp(-r)", 1),
    ("sqrt(exp(-r*(1+cos(r)))+exp(-r))/(1+r**2)", 1),
    ("exp(-r*sin(r)**2-2*log(1+r))", 1),
    ("(1+r-lambertw(r)/2)**(-3)*Abs(cos(r))", 1),
    ("exp(-r*sin(r)**2)*(2-sin(r))/(1+r)**2", 1),
    ("exp(-r*sin(r)**2)*(cos(r)-2)**2/(1+r)**2", 1),
    ("log(2+sin(r))*exp(-r)+exp(-2*r)", 1),
    ("exp(-r)", 1),
]


@pytest.mark.parametrize(("text", "dimension"), UNDER)
def test_what_f_does_not_exceed_is_integrable(text: str, dimension: int) -> None:
    tail_by_parts(proof_of(text, dimension))


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("exp(-r*sin(r)**2)/(1+r)", 1),
        ("exp(r*sin(r)**2)/(1+r**2)", 1),
        ("exp(-r*sin(r))/(1+r**2)", 1),
        ("exp(-r*log(1/2+sin(r)**2))/(1+r**2)", 1),
        ("exp(-r*sin(r)**2)/(1+r**2)", 2),
        ("exp(-r*sin(r)**2)", 1),
        ("sin(r)*exp(-r)", 1),
        ("exp(-r)-exp(-2*r)*sin(r)-exp(-r)", 1),
        ("(2-r)*exp(-r*sin(r)**2)/(1+r)**4", 1),
        ("exp(-r*sin(r)**2)/(1+r**2)-exp(-r)", 1),
        ("log(3/2+sin(r))*exp(-r)+exp(-2*r)", 1),
        ("(exp(-r*sin(r)**2)+exp(-r))**(-1)/(1+r**2)", 1),
        ("1/(1+r)", 1),
    ],
)
def test_what_may_not_be_integrable_or_negative_is_not_said_to_be(text: str, dimension: int) -> None:
    with pytest.raises(Rejected):
        tail_by_parts(proof_of(text, dimension))


@pytest.mark.parametrize(("high", "holds"), [(interval(5).hi, True), (INF, False)])
def test_what_f_does_not_exceed_has_a_bound(monkeypatch: pytest.MonkeyPatch, high: Any, holds: bool) -> None:
    bounds = SimpleNamespace(bracket=lambda: (power_of_t(Fraction(-5)), Interval(interval(0).lo, high)))
    monkeypatch.setattr(dominated, "majorant", lambda at, node: bounds)
    if holds:
        tail_by_parts(proof_of("exp(-r)"))
        return
    with pytest.raises(Rejected, match="part by part"):
        tail_by_parts(proof_of("exp(-r)"))


@pytest.mark.parametrize(
    ("terms", "turns", "floors", "found"),
    [
        ({LINEAR: Fraction(3)}, True, False, (3, 0)),
        ({LINEAR: Fraction(3)}, False, False, None),  # in radians, where the phase is in turns
        ({LINEAR: Fraction(1), LOG_T: Fraction(1)}, True, False, None),
        ({LOG_T: Fraction(1)}, True, False, None),
        ({LINEAR: Fraction(1, 2)}, True, True, (Fraction(1, 2), 0)),
        ({LINEAR: Fraction(1, 3)}, True, True, None),
        ({LINEAR: Fraction(1, 2)}, True, False, None),
    ],
)
def test_a_multiple_of_the_phase(terms: Any, turns: bool, floors: bool, found: Any) -> None:
    end = proof_of("exp(-r)").problem.infinity
    germ = on_phase(end, Phase(True, Fraction(1), Fraction(0), Fraction(1, 8)))
    assert linear(Model(germ, terms), turns, floors) == found
    assert linear(Model(end, terms), turns, floors) is None  # without a phase
