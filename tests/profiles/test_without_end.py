"""Profiles of an f with waves, chirps, kinks or jumps without end: closed forms, quadratures, forged certificates."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpverify
from dpverify.enclosures import precision
from dpverify.enclosures.lowering import lower
from dpverify.generators import Generator
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import RadialWeight
from dpverify.prover.profile.slope import Slopes
from tests.profiles.test_must_fail import read, refusal

Radial = Callable[[Any], Any]
WAVES = "waves-with-kinks"
STAIRS = "stairs-that-rise"


def closed_form_of_stairs() -> float:
    """H(1) of exp(-r) (1 + floor(r)) at eps = 1/2: losses are constant between whole radii, but next to the centre."""
    half = math.exp(-0.5)
    left = sum((math.exp(-n) - math.exp(-n - 1)) * ((1 + n) - (2 + n) * half) for n in range(1, 60))
    between = (1 - math.exp(-0.25)) - half * (math.exp(0.25) - 1)
    return (left + between) / (2 / (1 - math.exp(-1)))


@pytest.mark.slow
def test_stairs_have_the_divergence_that_sums_give() -> None:
    """No other shift has a larger one (by a sum over a fine grid)."""
    found = dpverify.profile("exp(-r)*(1 + floor(r))", epsilon="1/2")
    assert found.verdict == "proved" and found.theorem == "Theorem E"
    delta = found.points[0].delta
    assert delta.lower <= closed_form_of_stairs() * (1 + 1e-12) and delta.upper >= closed_form_of_stairs() * (1 - 1e-12)
    assert delta.upper - delta.lower <= delta.lower / 10**9
    heights = [_sum(lambda r: np.exp(-r) * (1 + np.floor(r)), 0.5, t) for t in np.linspace(0.01, 1, 100)]
    assert max(heights) <= float(delta.upper) * (1 + 1e-4)


def test_f_is_cut_no_nearer_than_the_longest_shift() -> None:
    """However little of it is left nearer: |r - t| has to lie where F is as it was."""
    problem = Problem(lower(Generator("exp(-2*y)*(1 + floor(r))").expression), 1, Fraction(30))
    marks = [Fraction(k) for k in range(17)]
    with precision(120):
        radial = RadialWeight(problem, [Fraction(k) for k in range(1, 200)])
        slopes = Slopes(radial, Fraction(1), marks, Fraction(1, 100))
    assert slopes.end is not None and slopes.end >= 30
    assert slopes.marks[-1] == slopes.end and slopes.jumps == {Fraction(k) for k in range(1, int(slopes.end))}


CASES: tuple[tuple[str, Radial, str], ...] = (
    ("exp(-y)*(2 + sin(y))", lambda r: np.exp(-r * r) * (2 + np.sin(r * r)), "1/2"),
    ("exp(-r)*(1 + Abs(cos(r/3)))", lambda r: np.exp(-r) * (1 + np.abs(np.cos(r / 3))), "1/2"),
    ("(1 + r)**(-6)*(2 + sin(r))", lambda r: (1 + r) ** -6.0 * (2 + np.sin(r)), "1/2"),
    ("exp(-r)*(2 + sin(y))", lambda r: np.exp(-r) * (2 + np.sin(r * r)), "1"),
    (
        "exp(-(2*r + frac(r)/3))*(log(2 + r) - log(1 + r))",
        lambda r: np.exp(-2 * r - (r - np.floor(r)) / 3) * np.log((2 + r) / (1 + r)),
        "1/2",
    ),
)


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(("text", "f", "epsilon"), CASES, ids=[case[0] for case in CASES])
def test_a_sum_at_many_shifts_agrees(text: str, f: Radial, epsilon: str) -> None:
    found = dpverify.profile(text, epsilon=epsilon)
    assert found.verdict == "proved"
    delta = found.points[0].delta
    assert delta.upper - delta.lower <= delta.lower / 10**9
    heights = [_sum(f, float(Fraction(epsilon)), t) for t in np.linspace(0.02, 1, 50)]
    assert max(heights) == pytest.approx(float(delta.lower), rel=1e-4)


def _sum(f: Radial, epsilon: float, t: float) -> float:
    """H(t) by the trapezoidal rule, in floats."""
    x = np.linspace(-80, 80, 400_001)
    p, q = f(np.abs(x)), f(np.abs(x - t))
    return float(np.sum(np.maximum(p - math.exp(epsilon) * q, 0)) / np.sum(p))


# The prover's tail


@pytest.mark.parametrize("text", ["exp(-r)*(2 + sin(y))", "(1 + r)**(-6)*(2 + sin(r))", "exp(-r)*(3 + cos(exp(r)))"])
def test_the_prover_s_tail_contains_the_integral(text: str) -> None:
    node = lower(Generator(text).expression)
    radial = RadialWeight(Problem(node, 1, Fraction(1)), [])
    size = math.exp(radial.size)
    first = int(radial.first_end())
    for radius in (first, 2 * first):
        x = np.linspace(radius, radius + 2_000, 4_000_001)
        functions = {"sin(y)": np.sin(x * x), "sin(r)": np.sin(x), "exp(r)": np.cos(np.exp(np.minimum(x, 700)))}
        wave = next(v for k, v in functions.items() if k in text)
        y = {"(1 +": (1 + x) ** -6.0}.get(text[:4], np.exp(-x)) * ((3 if "cos" in text else 2) + wave)
        whole = float(np.sum(y) * (x[1] - x[0]))
        assert 0 < whole <= float(radial.outer(Fraction(radius)).upper()) * size * (1 + 1e-2)


# Forged certificates


def _changed(name: str, change: Callable[[dict[str, Any]], None]) -> str:
    certificate = read(name)
    change(certificate["proof"]["profile"])
    return refusal(certificate)


@pytest.mark.parametrize("power", ["1", "1/2", "0", "-3"])
def test_a_tail_below_no_integrable_power_is_refused(power: str) -> None:
    assert _changed(WAVES, lambda step: step.update(tail={"power": power})) == "K291"


@pytest.mark.parametrize("tail", [{}, {"power": "2", "steps": "1"}, {"steps": "1"}, [], "x", {"power": 3}])
def test_a_tail_that_is_bounded_in_no_way_is_refused(tail: Any) -> None:
    assert _changed(WAVES, lambda step: step.update(tail=tail)) in ("format", "steps", "number")


def test_without_the_power_the_tail_of_waves_is_refused() -> None:
    assert _changed(WAVES, lambda step: step.pop("tail"))


@pytest.mark.parametrize("bounded", [[-1], [10**6], [1, 1], [2, 1], ["1"], [True], [0.5], {}, "12", None])
def test_panels_that_are_bounded_are_named_in_order(bounded: Any) -> None:
    assert _changed(WAVES, lambda step: step.update(bounded=bounded)) in ("format", "steps")


def test_a_panel_with_a_kink_has_no_series() -> None:
    assert _changed(WAVES, lambda step: step.pop("bounded"))


def test_a_panel_that_is_only_bounded_widens_the_integral() -> None:
    """Its length times a bound of w is no lower bound: the claim does not follow any more."""
    assert _changed(WAVES, lambda step: step.update(bounded=[0, *step["bounded"]]))


def test_a_cut_is_where_the_pieces_end() -> None:
    def moved(step: dict[str, Any]) -> None:
        point = step["points"][0]
        point["end"] = str(Fraction(point["end"]) * 2)

    assert _changed(STAIRS, moved) == "steps"


def test_without_the_cut_jumps_without_end_are_refused() -> None:
    assert _changed(STAIRS, lambda step: step["points"][0].pop("end"))


def test_a_cut_nearer_by_leaves_out_too_much() -> None:
    """All pieces beyond r = 7/2 dropped: what is left out there counts."""

    def nearer(step: dict[str, Any]) -> None:
        point = step["points"][0]
        point["end"] = "7/2"
        point["jumps"] = ["1", "2", "3"]
        for cell in point["cells"]:
            marks = [m for m in cell["marks"] if Fraction(m) < Fraction("7/2")]
            cell["ahead"] = "u" * len(marks)
            cell["back"] = "u" * len(marks)
            cell["marks"] = [*marks, "7/2"]

    assert _changed(STAIRS, nearer) == "K161"


def test_nothing_is_ahead_of_the_cut() -> None:
    """A piece from which r + t passes the cut is not in the set of the cut f."""

    def full(step: dict[str, Any]) -> None:
        for cell in step["points"][0]["cells"]:
            cell["ahead"] = cell["ahead"][:-1] + "f"

    assert _changed(STAIRS, full) == "K235"


def test_in_space_rows_end_where_f_is_cut() -> None:
    certificate = read("shell-d2")
    certificate["proof"]["profile"]["points"][0]["end"] = "8"
    assert refusal(certificate) == "steps"
