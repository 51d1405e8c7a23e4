"""Shifts of the line at their edges (K233-K239): costs, jumps, heights, ends and the worst shift, by their formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import shifts
from dpverify.kernel.sections.shifts import Slopes, anywhere, at_shift, on_line, positive, worst
from tests.profiles.panel import HALF, LAPLACE, noise, refused
from tests.profiles.test_shift_rules import DROP, RIDGE, STEP, anchor, laplace_cell, whole

Q = Fraction
TWICE = "Piecewise((exp(-r), r < 1), (2*exp(-r), r < 2), (exp(-r)/2, True))"


def span(low: Any, high: Any) -> Interval:
    return Interval(interval(Q(low)).lo, interval(Q(high)).hi)


def near(found: Interval, low: float, high: float) -> None:
    assert abs(float(found.lo) - low) < 1e-9 and abs(float(found.hi) - high) < 1e-9


@pytest.mark.parametrize("word", "ef")
@pytest.mark.parametrize(
    ("side", "a", "b"),
    [(-1, "1/4", "3/8"), (1, "13/16", "7/8"), (1, "15/16", "1"), (1, "1", "17/16"), (1, "2", "33/16")],
)
def test_what_the_wrong_side_costs(word: str, side: int, a: str, b: str) -> None:
    """The largest loss beyond eps, or the most that is lacking, times what the stretch has of p."""
    low, high, n = Q(a), Q(b), noise(RIDGE, 1)
    r = np.linspace(float(low), float(high), 10_001)
    over = -((r - 1) ** 2) + (np.abs(side * r - 1) - 1) ** 2 - 0.5
    _, cost = anywhere(n, side, low, high, word)
    most = float(n.bound(low, high).hi)
    top = float(np.exp(-((r - 1) ** 2)).max() * (high - low))
    exact = most * min(1, max(0, over.max())) if word == "e" else top * np.expm1(max(0, -over.min()))
    assert exact * (1 - 1e-9) <= float(cost.hi) <= exact * 1.01 + 1e-9


def test_a_stretch_up_to_the_shift_is_asked_where_it_leads() -> None:
    """From (7/8, 1) the shift 1 leads to (0, 1/8), in which f jumps."""
    n = noise("Piecewise((exp(-r), r < 1/16), (2*exp(-r), True))", 1)
    refused(lambda: anywhere(n, 1, Q(7, 8), Q(1), "f"), "")
    assert anywhere(n, 1, Q(7, 8), Q(15, 16), "f")[0].finite()


def test_all_letters_together_are_permitted() -> None:
    assert at_shift(noise(LAPLACE, 1), anchor(right_sets="fuee")).finite()
    cell = {"marks": ["0", "1", "20"], "ahead": "uu", "back": "uu"}
    assert Slopes(noise(STEP, 1), [Q(1)]).on_cell((Q(15, 16), Q(1)), cell).finite()


# Jumps.


def spans(f: Any, low: float, high: float, kinks: list[float], end: float) -> tuple[float, float]:
    marks = sorted({low, min(high, end), *(k for k in kinks if low < k < min(high, end))})
    inside = [f(np.linspace(a + 1e-12, b - 1e-12, 3)) for a, b in pairwise(marks)] if low < end else []
    each = np.concatenate([*inside, np.zeros(1 if high > end else 0)])
    return each.min(), each.max()


@pytest.mark.parametrize(
    "cell", [("5/8", "3/4"), ("15/16", "17/16"), ("1", "9/8"), ("5/4", "13/8"), ("2", "9/4"), ("7/8", "1")]
)
@pytest.mark.parametrize(("text", "jumps"), [(STEP, [1]), (DROP, [1]), (TWICE, [1, 2]), (TWICE, [1, 2])])
@pytest.mark.parametrize("end", [None, "5/2"])
def test_what_a_jump_adds(cell: tuple[str, str], text: str, jumps: list[int], end: str | None) -> None:
    scale = {STEP: [1, 2], DROP: [2, 1], TWICE: [1, 2, 0.5]}[text]

    def f(r: Any) -> Any:
        return np.exp(-r) * np.array(scale)[np.searchsorted(jumps, r)]

    low, high = (float(Q(t)) for t in cell)
    found = Slopes(noise(text, 1, HALF, "3"), [Q(j) for j in jumps], None if end is None else Q(end))
    for j in jumps:
        before, after = (np.exp(0.5) * f(np.array([j + d]))[0] for d in (-1e-12, 1e-12))
        psi = lambda x, b=before, a=after: max(0, x - b) - max(0, x - a)  # noqa: E731
        last = float("inf") if end is None else float(Q(end))
        back = sorted((abs(j - low), abs(j - high)))
        back[0] = 0 if low < j < high else back[0]
        there, behind = spans(f, j + low, j + high, jumps, last), spans(f, *back, jumps, last)
        jump = found.jump(Q(j), (Q(cell[0]), Q(cell[1])))
        ends = [psi(x) - psi(y) for x in there for y in behind]
        slack = 1e-9
        assert float(jump.lo) - slack <= min(ends) and max(ends) <= float(jump.hi) + slack
        rough = [max(0, x - before) - max(0, y - after) for x in there for y in there]
        back_rough = [max(0, x - before) - max(0, y - after) for x in behind for y in behind]
        assert float(jump.hi) <= max(rough) - min(back_rough) + slack
        assert float(jump.lo) >= min(rough) - max(back_rough) - slack


def test_what_is_negative_counts_as_0() -> None:
    for given, found in (((-1, 2), (0, 2)), ((-3, -1), (0, 0)), ((1, 2), (1, 2))):
        x = positive(span(*given))
        assert (x.lo, x.hi) == found


class Patched:
    """Known at 1/2, where a patch begins, and at 1, its jump."""

    sides = frozenset({HALF, Q(1)})

    def above(self, r: Fraction) -> Interval:
        return interval(7)

    def below(self, r: Fraction) -> Interval:
        return interval(5)

    def within(self, a: Fraction, b: Fraction) -> bool:
        return a >= HALF and b <= 1

    def on_box(self, a: Fraction, b: Fraction) -> Any:
        return noise(LAPLACE, 1).p.on_box(a, b)


def test_heights_beside_jumps_and_patches() -> None:
    slopes = Slopes(noise(STEP, 1), [Q(1)], None, Patched())
    for r, above, height in (("1", True, 7), ("1", False, 5), ("1/2", True, 5), ("1/2", False, 5)):
        near(slopes.height(Q(r), above), height, height)
    near(slopes.height(Q(3, 4), True), np.exp(-0.75), np.exp(-0.75))
    near(slopes.height(HALF), np.exp(-0.5), np.exp(-0.5))
    plain = Slopes(noise(STEP, 1), [Q(1)])
    for r, above, height in (
        ("1", True, 2 / np.e),
        ("1", False, 1 / np.e),
        ("2", True, 2 * np.exp(-2)),
        ("0", True, 1),
    ):
        near(plain.height(Q(r), above), height, height)
    near(plain.height(Q(0)), 1, 1)
    cut = Slopes(noise(LAPLACE, 1), [], Q(4))
    near(cut.height(Q(4), False), np.exp(-4), np.exp(-4))
    assert (slopes.change(HALF, Q(1)).lo, slopes.change(HALF, Q(1)).hi) == (0, 0)
    assert slopes.change(Q(2), Q(3)).hi < 0
    assert Slopes(noise(LAPLACE, 1), []).change(HALF, Q(1)).hi < 0


def test_f_is_asked_a_little_beyond_a_piece() -> None:
    plain, named = Slopes(noise(STEP, 1), []), Slopes(noise(STEP, 1), [Q(1)])
    for a, b in ((Q(3, 4), Q(1)), (Q(1), Q(5, 4)), (Q(3, 4), Q(5, 4))):
        refused(lambda a=a, b=b: plain.change(a, b), "continuous")
    for a, b in ((Q(3, 4), Q(1)), (Q(1), Q(5, 4))):
        assert named.change(a, b).finite()


def test_the_last_piece_is_asked_too_and_the_first_from_0_is_not() -> None:
    cell = {"marks": ["0", "1/4", "1/2", "3/4", "1"], "ahead": "eeee", "back": "eeee"}
    refused(lambda: Slopes(noise(DROP, 1), []).on_cell((Q(1, 8), Q(1, 4)), cell), "continuous")
    roots = {"marks": ["0", "1/16", "1/8", "1", "20"], "ahead": "eeee", "back": "eeee"}
    assert Slopes(noise("exp(-sqrt(r))", 1), []).on_cell((Q(1, 64), Q(1, 32)), roots).finite()


def test_what_lies_before_and_beyond_the_pieces_counts_both_ways() -> None:
    n = noise(LAPLACE, 1)
    found = Slopes(n, [])
    found.beyond = lambda end, given: span(1, 2)  # type: ignore[method-assign]
    found.centre = lambda start: span(2, 3)  # type: ignore[method-assign]
    total = found.on_cell((Q(1, 8), Q(1, 4)), {"marks": ["1/2", "1"], "ahead": "e", "back": "e"})
    near(total, -5 * np.exp(0.5), 5 * np.exp(0.5))


def test_a_piece_of_which_nothing_is_said_counts_as_in_a_set_or_not() -> None:
    """Of a Laplace law no radius is in the set ahead, and all are in that behind from (t + eps)/2 on."""
    cell = laplace_cell("15/16", "1")
    for word in ("ahead", "back"):
        found = Slopes(noise(LAPLACE, 1), []).on_cell((Q(15, 16), Q(1)), cell | {word: "uuuu"})
        assert float(found.lo) <= np.exp(-0.25) <= np.exp(-0.21875) <= float(found.hi)
    one = {"marks": ["0", "20"], "ahead": "u", "back": "u"}
    assert Slopes(noise(LAPLACE, 1), []).on_cell((Q(15, 16), Q(1)), one).finite()


def test_a_piece_within_the_end_has_to_show_its_letter() -> None:
    cell = {"marks": ["0", "1", "2", "4"], "ahead": "ffu", "back": "uuu"}
    refused(lambda: Slopes(noise("exp(r)", 1, HALF, "4"), [], Q(4)).on_cell((Q(1, 4), Q(3, 8)), cell), "its letter")


# The ends, where what is known of f is wide.


def test_the_centre_and_the_tail_by_their_formulas() -> None:
    found = Slopes(noise("r**2*exp(-r)", 1), [])
    found.height = lambda r, above=None: span(1, 2)  # type: ignore[method-assign]
    near(found.centre(Q(1, 16)), 0, 2)
    refused(lambda: Slopes(noise("exp(r-5*r**2)", 1), []).centre(Q(1, 8)), "monotone")
    falls = Slopes(noise(LAPLACE, 1), [])
    falls.height = lambda r, above=None: span(1, 2)  # type: ignore[method-assign]
    near(falls.beyond(Q(4)), 0, 2)
    found.n.beyond = lambda radius, outward: span(2, 3)  # type: ignore[method-assign]
    near(found.beyond(Q(5, 4)), 0, 3)
    rises = Slopes(noise("r**4*exp(-r)", 1), [])
    rises.n.beyond = found.n.beyond  # type: ignore[method-assign]
    near(rises.beyond(Q(5, 4)), 0, 3 * (4 / 1.25 - 1))


# The worst shift.


@pytest.mark.parametrize(("d", "share"), [(1, 0.5), (3, 1)])
@pytest.mark.parametrize(("rate", "top"), [("0", 2), ("-1", 3), ("1", 2)])
def test_the_worst_shift_from_what_is_known(
    d: int, share: float, rate: str, top: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def way(n: Any, step: Any) -> Any:
        return lambda n, given: span(1, 2), lambda *cell: asked.append(cell) or span(rate, rate), span("1/8", "1/4")

    monkeypatch.setattr(shifts, "on_line", way)
    monkeypatch.setattr(shifts, "brought", lambda name: way)
    step = {"anchors": [{"shift": "1"}], "shifts": ["0", "1/4", "1"], "cells": [8, 9]}
    n = noise(LAPLACE, d)
    low, high = worst(None, n, span(1, 2), step | {"jumps" if d == 1 else "grids": []})  # type: ignore[arg-type]
    assert abs(float(low) - share / 2) < 1e-12 and abs(float(high) - (top + 0.25) * share) < 1e-12
    assert asked == [((Q(0), Q(1, 4)), 8), ((Q(1, 4), Q(1)), 9)]
    near(n.p.known["H", HALF, Q(1)], share / 2, 2 * share)


def test_of_several_shifts_the_largest_divergence_is_a_lower_bound() -> None:
    none = anchor(shift="1/2", left_sets="eeeeee", right=["0", "1/4", "1/2", "2", "16"], right_sets="eeee")
    low, _ = worst(None, noise(LAPLACE, 1), interval(1), whole(anchors=[anchor(), none]))  # type: ignore[arg-type]
    assert abs(float(low) - (1 - np.exp(-0.25))) < 1e-4


@pytest.mark.parametrize("step", [["pure"], {"pure"}, "other", None])
def test_a_step_of_another_kind(step: Any) -> None:
    refused(lambda: worst(None, noise(LAPLACE, 1), interval(1), step), "")  # type: ignore[arg-type]
    refused(lambda: worst(None, noise(LAPLACE, 1), interval(1), whole(anchors={"a": 1})), "short list")  # type: ignore[arg-type]


def test_what_is_left_out_by_an_end_and_by_patches_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shifts, "left_out", lambda n, end: span(1, 2))
    monkeypatch.setattr(shifts, "brought", lambda name: lambda n, step: (Patched(), span(3, 4)))
    out = on_line(noise(LAPLACE, 1), {"jumps": ["1"], "end": "9", "patches": []})[2]
    assert (out.lo, out.hi) == (4, 6)
    assert on_line(noise(LAPLACE, 1), {"jumps": ["1"], "end": "9"})[2].hi == 2
