"""Shifts of the line (K233-K239), beside closed forms of two laws and quadratures, and what must be refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import shifts
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.shifts import Slopes, anywhere, at_shift, gain, highest, on_line, worst
from dpverify.kernel.sections.slopes import Slope
from tests.profiles.panel import HALF, LAPLACE, holds, noise, number, refused

RIDGE, STEP = "exp(-(r-1)**2)", "Piecewise((exp(-r), r < 1), (2*exp(-r), True))"
DROP = "Piecewise((2*exp(-r), r < 1), (exp(-r), True))"
Q = Fraction


def bumpy(r: Any) -> Any:
    return np.exp(-((abs(r) - 1) ** 2))


def stepping(r: Any) -> Any:
    return np.exp(-abs(r)) * np.where(abs(r) < 1, 1, 2)


def dropping(r: Any) -> Any:
    return np.exp(-abs(r)) * np.where(abs(r) < 1, 2, 1)


def ridge(r: Any) -> Any:
    return mp.exp(-((abs(r) - 1) ** 2))


def spread(box: tuple[Fraction, Fraction], count: int = 5) -> list[Any]:
    return [number(box[0] + (box[1] - box[0]) * k / count) for k in range(count + 1)]


@pytest.mark.parametrize(
    ("side", "piece", "cell", "excess"),
    [
        (1, ("1/4", "9/32"), ("1/2", "17/32"), 0.01),
        (-1, ("1/4", "9/32"), ("1/2", "17/32"), 0.01),
        (-1, ("1/4", "9/32"), ("9/32", "5/16"), 0.01),
        (-1, ("5/4", "41/32"), ("1/2", "17/32"), 0.01),
        (-1, ("5/8", "21/32"), ("19/32", "5/8"), 0.01),
        (-1, ("1/2", "3/4"), ("5/8", "7/8"), 1.2),
        (-1, ("1/2", "17/32"), ("1/2", "17/32"), 0.2),
        (-1, ("1/2", "17/32"), ("13/8", "53/32"), 0.01),
        (1, ("2", "65/32"), ("1/32", "1/16"), 0.02),
        (-1, ("2", "65/32"), ("1/32", "1/2"), 0.3),
    ],
)
def test_the_gain_from_a_piece_by_a_cell_of_shifts(
    side: int, piece: tuple[str, str], cell: tuple[str, str], excess: float
) -> None:
    n, box, moved = noise(RIDGE, 1), (Q(piece[0]), Q(piece[1])), (Q(cell[0]), Q(cell[1]))
    found = gain(n.p, side, box, moved)
    with mp.workdps(30):
        each = [mp.log(ridge(r + side * t) / ridge(r)) for r in spread(box) for t in spread(moved)]
        slack = mp.mpf(10) ** -25
        assert number(found.lo) <= min(each) + slack and max(each) <= number(found.hi) + slack
        assert number(found.hi) - number(found.lo) <= max(each) - min(each) + excess


def test_the_gain_of_an_f_with_patches_is_that_of_what_the_proof_has_on_boxes() -> None:
    class Flat:
        def on_box(self, a: Fraction, b: Fraction) -> Slope:
            return Slope(interval(7 if a >= 1 else 3), Interval(-shifts.INF, shifts.INF))

    found = gain(noise(RIDGE, 1).p, 1, (HALF, Q(3, 4)), (HALF, Q(3, 4)), Flat())
    assert found.lo == found.hi == 4


def exact_gain(side: int, a: Fraction, b: Fraction, t: Fraction) -> tuple[float, float, float, float]:
    """The integrals of p - sqrt(e) q over side rho, a < rho < b, of its positive and negative part, and of p."""
    width = float(b - a) / 2**14
    r = float(a) + (np.arange(2**14) + 0.5) * width
    lost = bumpy(r) - np.exp(0.5) * bumpy(side * r - float(t))
    parts = (lost, np.maximum(0, lost), np.maximum(0, -lost), bumpy(r))
    return tuple(float(part.sum()) * width for part in parts)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("side", "a", "b"), [(-1, "1/4", "3/8"), (1, "1/8", "1/4"), (1, "7/8", "1"), (1, "1", "9/8"), (1, "2", "17/8")]
)
@pytest.mark.parametrize("word", "fesu")
def test_points_of_the_line_in_a_set_or_not(side: int, a: str, b: str, word: str) -> None:
    low, high = Q(a), Q(b)
    value, cost = anywhere(noise(RIDGE, 1), side, low, high, word)
    whole, above, below, mass = exact_gain(side, low, high, Q(1))
    exact = whole if word == "f" else 0
    assert float(value.lo) - 1e-8 <= exact <= float(value.hi) + 1e-8
    assert value.hi - value.lo < Q(1, 10**7)
    assert {"f": below, "e": above, "s": above, "u": mass}[word] <= float(cost.hi) + 1e-9
    outside = mass * min(1, above / mass * 2 + 0.5)
    assert float(cost.hi) <= 1.3 * {"u": mass, "e": outside, "s": outside, "f": below + mass / 2}[word]


def test_series_show_what_lies_between_two_crossings() -> None:
    """The loss at x = -r is 1 + log(2 + cos r) - log(2 + cos(r + 1)): above 1/2, below it, and above it again."""
    lost = lambda r: mp.mpf(1) / 2 + mp.log(2 + mp.cos(r)) - mp.log(2 + mp.cos(r + 1))  # noqa: E731
    places = [Q(round(mp.findroot(lost, guess) * 2**60), 2**60) for guess in (3.4, 4.2)]
    assert 3 < places[0] < places[1] < 5 and lost(3.8) < 0 < min(lost(3), lost(5))
    n = noise("exp(-r)*(2+cos(r))", 1)
    n.order = 24
    by_boxes, by_series = (anywhere(n, -1, *places, word)[1].hi for word in "es")
    assert by_series < Q(1, 10**10) < Q(1, 10**6) < by_boxes
    for box in ((places[0] - HALF, places[0]), (places[1], places[1] + HALF)):
        assert anywhere(n, -1, *box, "f")[1].hi < Q(1, 10**10)
        assert anywhere(n, -1, *box, "s")[1].hi > Q(1, 1000)


def test_what_lies_beyond_a_crossing_between_the_centres_counts() -> None:
    """The loss at x = r is 1 - 2 r, which is 1/2 at 1/4: the integral of sqrt(e) q - p from there to 3/8 is lost."""
    exact = np.exp(-0.5) * (np.exp(0.375) - np.exp(0.25)) + np.exp(-0.375) - np.exp(-0.25)
    assert exact > 0.01
    assert float(anywhere(noise(LAPLACE, 1), 1, Q(1, 8), Q(3, 8), "f")[1].hi) >= exact


def test_a_stretch_across_the_shift_is_refused() -> None:
    refused(lambda: anywhere(noise(RIDGE, 1), 1, Q(7, 8), Q(9, 8), "f"), "reaches across")
    refused(lambda: anywhere(noise(RIDGE, 1), 1, Q(7, 8), Q(9, 8), "e"), "reaches across")


# Laplace: 2 Z H(t) = 2 (1 - e^((eps - t)/2)) for t > eps, as S is x < (t - eps)/2.


def anchor(**changed: Any) -> dict[str, Any]:
    """S' is all but x > 1/4, for the shift 1 and eps = 1/2."""
    left, right = ["0", "1/2", "1", "2", "4", "8", "16"], ["0", "1/4", "1", "2", "16"]
    given = {"shift": "1", "left": left, "left_sets": "ffffff", "right": right, "right_sets": "feee"}
    return given | changed


def test_the_divergence_at_a_shift() -> None:
    found = at_shift(noise(LAPLACE, 1), anchor())
    with mp.workdps(30):
        truth = 2 * (1 - mp.exp(-mp.mpf(1) / 4))
        holds(found, truth, 1e-4)
        less = at_shift(noise(LAPLACE, 1), anchor(right_sets="eeee"))
        holds(less, truth, 0.3)
        assert number(less.lo) < truth - 0.04
        more = at_shift(noise(LAPLACE, 1), anchor(right_sets="ffee"))
        holds(more, truth, 5)
        assert number(more.hi) > truth + 0.1


def test_what_lies_before_the_first_stretch_costs_all_of_it() -> None:
    def begun(word: str, at: str) -> Interval:
        left, right = anchor()["left"], anchor()["right"]
        more = {"left": [at, *left[1:]], "right": [at, *right[1:]], "left_sets": word + "fffff"}
        return at_shift(noise(LAPLACE, 1), anchor(**more))

    with mp.workdps(30):
        truth = 2 * (1 - mp.exp(-mp.mpf(1) / 4))
        holds(begun("f", "1/16"), truth, 0.2)
        assert number(begun("f", "1/16").hi) >= number(begun("f", "0").lo)
        gap = 2 * (1 - mp.exp(-mp.mpf(1) / 16))
        found = begun("f", "1/16")
        assert number(found.hi) - number(found.lo) >= gap


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"left": ["1/8", "1/2", "1", "2", "4", "8", "16"]}, "cover the line"),
        ({"left": ["0", "1/2", "1", "2", "4", "8", "17"]}, "cover the line"),
        (
            {"left": ["0", "1"], "right": ["0", "1"], "left_sets": "f", "right_sets": "f"},
            "cover the line",
        ),
        ({"left": ["0", "1/2", "1", "2", "4", "8"]}, "cover the line"),
        ({"left_sets": "fffff"}, "match the stretches"),
        ({"right_sets": "fee"}, "match the stretches"),
        ({"right_sets": "feec"}, "match the stretches"),
        ({"right_sets": ["f", "e", "e", "e"]}, "match the stretches"),
        ({"more": "0"}, "anchor"),
    ],
)
def test_an_anchor_that_does_not_cover_the_line(changed: dict[str, Any], why: str) -> None:
    refused(lambda: at_shift(noise(LAPLACE, 1), anchor(**changed)), why)


def letters(n: Noise, side: int, marks: list[Fraction], cell: tuple[Fraction, Fraction], end: float) -> str:
    """What the loss on a piece shows of it; "u" where it shows nothing."""
    words = ""
    for a, b in pairwise(marks):
        over, inside = gain(n.p, side, (a, b), cell) - n.epsilon, side < 0 or b + cell[1] <= end
        words += "f" if over.lo > 0 and inside else "e" if over.hi <= 0 else "u"
    return words


def divergence(f: Callable[[Any], Any], t: float, end: float = np.inf) -> float:
    """2 Z H, of f up to an end."""
    width = 2.0**-14
    x = np.arange(-10, 10, width) + width / 2
    here, there = (np.where(abs(r) < end, f(r), 0) for r in (x, x - t))
    return float(np.maximum(0, here - np.exp(0.5) * there).sum() * width)


def mean_slope(f: Callable[[Any], Any], cell: tuple[Fraction, Fraction], end: float = np.inf) -> float:
    low, high = map(float, cell)
    return (divergence(f, high, end) - divergence(f, low, end)) / (high - low)


def cell_of(n: Noise, cell: tuple[Fraction, Fraction], marks: list[Fraction], end: float = np.inf) -> dict[str, Any]:
    ahead, back = (letters(n, side, marks, cell, end) for side in (1, -1))
    return {"marks": [str(m) for m in marks], "ahead": ahead, "back": back}


EVEN = [Q(k, 16) for k in range(65)]


@pytest.mark.parametrize(
    ("text", "f", "jumps"), [(RIDGE, bumpy, []), (STEP, stepping, [Q(1)]), (DROP, dropping, [Q(1)])]
)
@pytest.mark.parametrize("low", ["5/8", "15/16", "5/4"])
def test_the_slope_of_the_divergence_on_a_cell_of_shifts(
    text: str, f: Callable[[Any], Any], jumps: list[Fraction], low: str
) -> None:
    cell, n = (Q(low), Q(low) + Q(1, 8)), noise(text, 1, HALF, "2")
    found = Slopes(n, jumps).on_cell(cell, cell_of(n, cell, EVEN))
    mean = mean_slope(f, cell)
    assert float(found.lo) - 1e-5 <= mean <= float(found.hi) + 1e-5
    assert float(found.hi) - float(found.lo) <= 2.5


def laplace_cell(low: str, high: str) -> dict[str, Any]:
    """The loss from r to |r - t| exceeds eps from (t + eps)/2 on."""
    if Q(high) <= HALF:
        return {"marks": ["0", "1/8", "1/4", "1/2", "1", "20"], "ahead": "eeeee", "back": "eeeee"}
    first = str((Q(low) + HALF) / 2 - Q(1, 64))
    back = "euff" if Q(low) > HALF else "euuu"
    return {"marks": ["0", first, high, "2", "20"], "ahead": "eeee", "back": back}


@pytest.mark.parametrize(("low", "high"), [("1/4", "1/2"), ("5/8", "21/32"), ("15/16", "1")])
def test_the_slope_of_the_divergence_of_a_laplace_law(low: str, high: str) -> None:
    found = Slopes(noise(LAPLACE, 1), []).on_cell((Q(low), Q(high)), laplace_cell(low, high))
    with mp.workdps(30):
        exact = [mp.exp((mp.mpf(1) / 2 - number(Q(t))) / 2) if Q(t) > HALF else 0 for t in (low, high)]
        assert number(found.lo) <= min(exact) <= max(exact) <= number(found.hi)
        assert number(found.hi) - number(found.lo) <= (1 if Q(high) > HALF else 1e-7)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"ahead": "eefe"}, "side of its letter"),
        ({"back": "eeff"}, "side of its letter"),
        ({"back": "efff"}, "side of its letter"),
        ({"back": "euef"}, "side of its letter"),
        ({"ahead": "eee"}, "letters"),
        ({"back": "euf"}, "letters"),
        ({"back": "eufc"}, "letters"),
        ({"back": ["e", "u", "f", "f"]}, "letters"),
        ({"more": "0"}, "cells"),
    ],
)
def test_a_letter_that_is_not_so_is_refused(changed: dict[str, Any], why: str) -> None:
    cell = laplace_cell("15/16", "1") | changed
    refused(lambda: Slopes(noise(LAPLACE, 1), []).on_cell((Q(15, 16), Q(1)), cell), why)


@pytest.mark.parametrize("jump", ["0", "1/3", "20", "30"])
def test_a_jump_that_is_no_end_between_two_pieces_is_refused(jump: str) -> None:
    cell = laplace_cell("15/16", "1")
    refused(lambda: Slopes(noise(LAPLACE, 1), [Q(jump)]).on_cell((Q(15, 16), Q(1)), cell), "jumps")


@pytest.mark.parametrize("marks", [["0", "45/64", "49/64", "1", "20"], ["0", "45/64", "49/64", "2", "20"]])
def test_a_jump_that_is_not_named_is_refused_where_letters_change_and_within_a_piece(marks: list[str]) -> None:
    cell = {"marks": marks, "ahead": "uuuu", "back": "uuuu"}
    refused(lambda: Slopes(noise(STEP, 1), []).on_cell((Q(15, 16), Q(1)), cell), "continuous")


# f cut at an end: F1 is F up to 4 and 0 beyond.


@pytest.mark.parametrize("low", ["1/2", "5/4"])
def test_the_slope_of_the_divergence_of_a_cut(low: str) -> None:
    cell, marks, n = (Q(low), Q(low) + Q(1, 8)), EVEN[:41], noise(RIDGE, 1, HALF, "2")
    found = Slopes(n, [], marks[-1]).on_cell(cell, cell_of(n, cell, marks, 2.5))
    assert float(found.lo) - 1e-5 <= mean_slope(bumpy, cell, 2.5) <= float(found.hi) + 1e-5
    assert float(found.hi) - float(found.lo) <= 2.5


def test_pieces_that_do_not_end_where_f_is_cut_are_refused() -> None:
    cell = {"marks": ["0", "1", "2", "4"], "ahead": "uuu", "back": "uuu"}
    for end, shift in ((Q(5), Q(1)), (Q(3), Q(1)), (Q(4), Q(9, 2))):
        refused(lambda e=end, s=shift: Slopes(noise(LAPLACE, 1), [], e).on_cell((Q(0), s), cell), "where f is cut")
    assert Slopes(noise(LAPLACE, 1), [], Q(4)).on_cell((Q(3), Q(4)), cell).finite()


def test_no_radius_is_in_a_set_from_which_a_shift_leads_beyond_the_end() -> None:
    """exp(r) grows: the loss from r to r + t is t, but not where r + t is beyond the end."""
    marks = ["0", "1", "2", "3", "4"]
    n = noise("exp(r)", 1, HALF, "4")
    fine = {"marks": marks, "ahead": "fffu", "back": "uuuu"}
    assert Slopes(n, [], Q(4)).on_cell((Q(3, 4), Q(1)), fine).finite()
    for words in ("ffff", "fffe"):
        refused(lambda w=words: Slopes(n, [], Q(4)).on_cell((Q(3, 4), Q(1)), fine | {"ahead": w}), "its letter")


def test_the_centre_where_f_rises() -> None:
    """By F(start), however steeply: e^(-1/r) rises faster than any power."""
    with mp.workdps(80):
        for text, height in (("r**2*exp(-r)", mp.exp(-mp.mpf(1) / 16) / 256), ("exp(-1/r)", mp.exp(-16))):
            slopes = Slopes(noise(text, 1), [])
            found = slopes.centre(Q(1, 16))
            assert found.lo == 0 and height <= number(found.hi) <= height * (1 + mp.mpf(10) ** -20)
            assert slopes.centre(Q(0)).hi == 0
    for text in ("1/r", "exp(1/r)"):
        refused(lambda of=text: Slopes(noise(of, 1), []).centre(Q(1, 16)), "bounded at the centre")
    refused(lambda: Slopes(noise("exp(r-9*r**2)", 1), []).centre(Q(1, 16)), "to be monotone")


def test_the_centre_where_f_falls_or_rises_by_little() -> None:
    """By F(0+) - F(start), or F(start) - F(0+), also where the slope is infinite at 0."""
    with mp.workdps(90):
        start = mp.mpf(1) / 4096
        for text, height, loose in (
            (LAPLACE, 1 - mp.exp(-start), 1e-6),
            ("exp(-sqrt(r))", 1 - mp.exp(-mp.sqrt(start)), 1e-6),
            ("1+sqrt(r)", mp.sqrt(start), 1e-2),
            ("exp(-r)*(1+sqrt(r))", mp.exp(-start) * (1 + mp.sqrt(start)) - 1, 2e-2),
            ("exp(-r**3)", -mp.expm1(-(start**3)), 1e-2),
            ("1", 0, 1e-6),
        ):
            found = Slopes(noise(text, 1), []).centre(Q(1, 4096))
            assert found.lo == 0
            assert height <= number(found.hi) <= height * (1 + loose) + mp.mpf(10) ** -20, text


def test_the_tail_of_what_falls_and_of_what_may_rise() -> None:
    with mp.workdps(30):
        holds(Slopes(noise(LAPLACE, 1), []).beyond(Q(4)) - interval(0), mp.exp(-4), 1)
        assert abs(number(Slopes(noise(LAPLACE, 1), []).beyond(Q(4)).hi) / mp.exp(-4) - 1) < 1e-20
        found = Slopes(noise("r**2*exp(-r)", 1), []).beyond(Q(2))  # whose slope is 0 at 2, and negative from there on
        assert found.lo == 0 and abs(number(found.hi) / (4 * mp.exp(-2)) - 1) < 1e-20
    for text, radius, most in (("r**2*exp(-r)", Q(7, 4), 1), ("r**8*exp(-r/8)", Q(2), Q(31, 8))):
        n = noise(text, 1)
        n.beyond = lambda radius, outward: interval(3)  # type: ignore[method-assign]
        holds(Slopes(n, []).beyond(radius) * HALF, 3 * number(Q(most)) / 2, 30)
        assert abs(number(Slopes(n, []).beyond(radius).hi) - 3 * number(Q(most))) < 1e-9
    n = noise("r**8*exp(-r**2)", 1)
    refused(lambda: Slopes(n, []).beyond(Q(5, 4)), "bounded in the tail")


# The worst of all shifts.


@pytest.mark.parametrize(
    ("known", "cells", "top"),
    [
        ({2: "1"}, [("0", "2"), ("-1", "1")], "3/2"),
        ({1: "1"}, [("0", "1"), ("-1", "1")], "3/2"),
        ({1: "1"}, [("-1", "1"), ("-2", "-1")], "3/2"),
        ({1: "1"}, [("1", "2"), ("-2", "-1")], "1"),
        ({1: "1", 2: "1/2"}, [("1", "2"), ("-1", "3")], "1"),
        ({2: "-1"}, [("1", "1"), ("1", "1")], "0"),
    ],
)
def test_bounds_are_carried_to_all_shifts(known: dict[int, str], cells: list[tuple[str, str]], top: str) -> None:
    """Cells of length 1/2: the least of what is carried there, from both sides, and the largest of all cells."""
    rates = [(Interval(interval(Q(a)).lo, interval(Q(b)).hi), HALF) for a, b in cells]
    found = highest({k: Interval(interval(Q(-9)).lo, interval(Q(v)).hi) for k, v in known.items()}, rates)
    assert Q(found) == Q(top)


def whole(**changed: Any) -> dict[str, Any]:
    marks = ["0", "1/2", "3/4", "1"]
    cells = [laplace_cell(a, b) for a, b in pairwise(marks)]
    return {"anchors": [anchor()], "shifts": marks, "cells": cells, "jumps": []} | changed


def judged(step: Any, n: Noise | None = None) -> tuple[Any, Any]:
    return worst(None, n or noise(LAPLACE, 1), interval(1), step)  # type: ignore[arg-type]


def test_the_worst_of_all_shifts() -> None:
    n = noise(LAPLACE, 1)
    low, high = judged(whole(), n)
    with mp.workdps(30):
        truth = 1 - mp.exp(-mp.mpf(1) / 4)
        assert truth - 1e-4 <= number(low) <= truth <= number(high) <= truth + 1e-4
        holds(n.p.known["H", HALF, Q(1)], truth, 1e-4)
    assert n.s == 1
    _, with_end = judged(whole(end="20", cells=[x | {"marks": x["marks"]} for x in whole()["cells"]]))
    with mp.workdps(30):
        lost = (mp.exp(mp.mpf(1) / 2) + 1) * mp.exp(-20)
        assert truth <= number(with_end) and number(with_end) >= number(low) + lost * mp.mpf("0.99")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"shifts": ["1/4", "1/2", "3/4", "1"]}, "cover the shifts"),
        ({"shifts": ["0", "1/2", "3/4", "7/8"]}, "cover the shifts"),
        ({"shifts": ["0", "1/2", "3/4", "9/8"]}, "cover the shifts"),
        ({"shifts": ["0", "1/2", "1"]}, "cover the shifts"),
        ({"cells": []}, "cover the shifts"),
        ({"cells": "abc"}, "cover the shifts"),
        ({"anchors": []}, "short list"),
        ({"anchors": {}}, "short list"),
        ({"anchors": [anchor()] * 101}, "short list"),
        ({"anchors": ["shift"]}, "no shift"),
        ({"anchors": [{}]}, "no shift"),
        ({"anchors": [anchor(shift="7/8")]}, "no cells meet"),
        ({"anchors": [anchor(shift="0")]}, "no cells meet"),
        ({"jumps": ["1", "1/2"]}, "jumps do not rise"),
        ({"jumps": ["1", "1"]}, "jumps do not rise"),
        ({"jumps": [str(k) for k in range(1, 5_002)]}, "jumps do not rise"),
        ({"more": "0"}, "profile.points"),
        ({"grids": []}, "profile.points"),
    ],
)
def test_what_does_not_cover_the_shifts(changed: dict[str, Any], why: str) -> None:
    refused(lambda: judged(whole(**changed)), why)


def test_a_pure_epsilon_bounds_delta(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shifts, "at_most", lambda proof, bound: None)
    assert judged({"pure": "3/4"}) == (0, Q(1, 4))
    assert judged({"pure": "1/4"}) == (0, 0)
    assert judged("pure") == (0, 0)


def test_the_largest_number_of_jumps_is_permitted() -> None:
    assert on_line(noise(LAPLACE, 1), {"jumps": [str(k) for k in range(1, 5_001)]})[2].hi == 0
