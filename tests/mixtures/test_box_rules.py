"""Bounds of the loss on boxes (K205-K208, K216) for a law whose means are known, and for all that is possible."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, NEG_INF, Interval, interval
from dpverify.kernel.sections import mixtures
from dpverify.kernel.sections.mixtures import (
    between,
    by_curvature,
    by_rise,
    by_slopes,
    by_taylor,
)
from tests.mixtures.student import UNIT, Q, Student, Wide, bends, g

BOXES = [("0", "1/8"), ("1", "9/8"), ("5/4", "3/2"), ("2", "9/4"), ("6", "7"), ("6", "1537/256")]


@pytest.mark.parametrize(
    ("rule", "delta"),
    [(by_rise, "1"), (by_slopes, "1"), (by_slopes, "3"), (by_curvature, "1/16"), (by_curvature, "1"), (by_taylor, "1")],
)
@pytest.mark.parametrize(("a", "b"), BOXES)
def test_a_bound_on_a_box_is_above_the_loss_and_near(rule: Callable[..., Decimal], delta: str, a: str, b: str) -> None:
    r = np.linspace(float(Q(a)), float(Q(b)), 101)
    loss = g(r + float(Q(delta))) - g(r)
    found = float(rule(Student(delta), Q(a), Q(b)))
    room = {by_rise: 0.8, by_slopes: 0.11, by_curvature: 9 if delta == "1" else 0.11, by_taylor: 0.09}[rule]
    assert loss.max() - 1e-12 <= found <= loss.max() + room
    if rule is by_rise:
        assert abs(found - (g(r[-1] + float(Q(delta))) - g(r[0]))) < 1e-12


def possible(work: Callable[[Any], Any]) -> Iterator[Any]:
    """What is found for some of all that is possible; ends that no law has may contradict each other."""
    for seed in range(40):
        with contextlib.suppress(Rejected):
            yield work(Wide(random.Random(seed)))


@pytest.mark.parametrize("rule", [by_rise, by_slopes, by_curvature, by_taylor])
@pytest.mark.parametrize(("a", "b"), BOXES)
def test_a_bound_holds_for_all_that_is_possible(rule: Callable[..., Decimal], a: str, b: str) -> None:
    most = rule(Wide(), Q(a), Q(b))
    each = [*possible(lambda f: rule(f, Q(a), Q(b)))]
    assert len(each) >= 5
    assert max(map(Q, each)) <= Q(most) + UNIT


def test_all_bends_that_are_possible_lie_between_the_bounds() -> None:
    for a, b in BOXES:
        wide = mixtures.bend(Wide(), Q(a), Q(b))  # type: ignore[arg-type]
        each = [*possible(lambda f, a=a, b=b: mixtures.bend(f, Q(a), Q(b)))]
        assert Q(wide.lo) - UNIT <= min(Q(x.lo) for x in each) and max(Q(x.hi) for x in each) <= Q(wide.hi) + UNIT


@pytest.mark.parametrize(("least", "most"), [("-2", "1"), ("-1/2", "0"), ("0", "1/2"), ("-Infinity", "1")])
def test_lines_from_both_ends_for_all_that_is_possible(least: str, most: str) -> None:
    def found(f: Wide) -> Decimal:
        return between(
            f, Q(1), Q(3, 2), Decimal(least) if "/" not in least else Decimal("-0.5"), Decimal(float(Q(most)))
        )  # type: ignore[arg-type]

    assert max(Q(found(Wide(random.Random(seed)))) for seed in range(20)) <= Q(found(Wide())) + UNIT


def test_the_bend_of_g_lies_between_its_bounds() -> None:
    for a, _ in BOXES:
        low, high = Q(a), Q(a) + Q(1, 64)
        found, s = mixtures.bend(Student(), low, high), np.linspace(float(low), float(high), 101)  # type: ignore[arg-type]
        assert float(found.lo) <= bends(s).min() and bends(s).max() <= float(found.hi)
        assert float(found.hi - found.lo) <= 0.15


def test_what_may_be_infinite_at_the_centre_bounds_no_bend_and_no_least_slope() -> None:
    with pytest.raises(Rejected, match="not shown finite"):
        by_curvature(Student(steep=False), Q(0), Q(1, 8))  # type: ignore[arg-type]
    f = Student(steep=False)
    f.at = lambda s: (interval(1), Interval(Decimal(0), INF), interval(1))  # type: ignore[method-assign]
    assert by_slopes(f, Q(0), Q(1, 8)) == INF  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("least", "most"), [("-2", "1"), ("-1", "2"), ("-1/2", "0"), ("0", "1/2"), ("-3", "-1"), ("1", "3")]
)
def test_between_lines_from_both_ends(least: str, most: str) -> None:
    f, a, b = Student(), Q(1), Q(3, 2)
    found = float(between(f, a, b, Decimal(float(Q(least))), Decimal(float(Q(most)))))  # type: ignore[arg-type]
    r = np.linspace(1, 1.5, 10_001)
    left, right = (g(x + 1) - g(x) for x in (1.0, 1.5))
    lines = np.minimum(left + float(Q(most)) * (r - 1), right - float(Q(least)) * (1.5 - r))
    exact = left if Q(most) <= 0 else right if Q(least) >= 0 else lines.max()
    assert abs(found - exact) < 1e-4
    above = float(between(f, a, b, NEG_INF, Decimal(1)))  # type: ignore[arg-type]
    assert abs(above - (left + 0.5)) < 1e-12
