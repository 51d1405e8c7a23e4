"""Rows, jumps and means where shifts are covered (K264-K269, K300-K304): each end, each side and each rounding."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import D1, INF, NEG_INF, Interval, interval
from dpverify.kernel.sections.leaps import Leaps, last_jump, share_of_thin
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.turning import Means, Panel, Rows, Shifts, Turns, in_space
from tests.profiles.coarse import digits
from tests.profiles.panel import between, noise, number, refused

Q, HALF = Fraction, Fraction(1, 2)
RING = "exp(-(r-2)**2)"
RISE = "Piecewise((exp(-r), r < 2), (2*exp(-r), True))"
DROP = "Piecewise((2*exp(-r), r < 2), (exp(-r), True))"
ROWS = [str(Q(k, 4)) for k in range(41)]
Corner = tuple[str, str]


def grid(start: str = "0", end: str = "8", rows: list[str] | None = None) -> dict[str, Any]:
    return {"rows": rows or ROWS, "start": start, "end": end}


@cache
def turns(text: str = RING, d: int = 3) -> Turns:
    return Turns(noise(text, d), grid())


@cache
def leaping(cut: bool = False) -> Turns:
    of = noise(RISE, 3)
    return (
        Turns(of, grid(end="10"), Leaps(of, {"jumps": ["2"]}), Q(10))
        if cut
        else Turns(of, grid(), Leaps(of, {"jumps": ["2"]}))
    )


def near(found: Interval, low: Any, high: Any) -> None:
    with mp.workdps(40):
        assert abs(number(found.lo) - low) < 1e-15 and abs(number(found.hi) - high) < 1e-15


def m(c: Any) -> Any:
    """M in space."""
    return (1 - min(mp.mpf(1), abs(c)) ** 2) / 4


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        (("1/4", "1/2"), ("-1/8", "1/8"), "-1/8", "1/2"),
        (("-1/2", "-1/4"), ("-1/8", "1/8"), "-1/2", "1/8"),
        (("1/4", "3/4"), ("3/8", "1/2"), "1/4", "3/4"),
        (("-3/4", "-1/8"), ("-1/2", "-1/4"), "-3/4", "-1/8"),
    ],
)
def test_a_part_of_a_run_reaches_from_its_least_cosine_to_its_largest(
    one: Corner, other: Corner, low: str, high: str
) -> None:
    ends = number(Q(low)), number(Q(high))
    for ways in ((one, other), (other, one)):
        found = Means(3).part(*(between(*x) for x in ways))
        near(found, -(m(max(-ends[1], 0)) - m(max(-ends[0], 0))), m(max(ends[0], 0)) - m(max(ends[1], 0)))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_means_are_rounded_outward_throughout(count: int) -> None:
    """Of few digits each holds what it is; ends are decimals of two."""
    with mp.workdps(40), digits(count):
        means, slack = Means(3), mp.mpf(10) ** -30
        for j in range(-96, 100, 7):
            c = interval(Q(j, 100))
            exact = m(number(Q(j, 100)))
            for found in (means.height(c.lo), means.moment(c)):
                assert number(found.lo) - slack <= exact <= number(found.hi) + slack
            for k in range(j, 100, 7):
                low, high = number(Q(j, 100)), number(Q(k, 100))
                ahead, back = m(max(low, 0)) - m(max(high, 0)), m(max(-high, 0)) - m(max(-low, 0))
                found = means.part(interval(Q(k, 100)), c)
                assert number(found.lo) - slack <= -back and ahead <= number(found.hi) + slack


def test_a_height_at_a_cosine_that_is_known_between_two() -> None:
    """1 - c^2 of few digits: M lies between its values for both."""
    with mp.workdps(40), digits(2):
        for c in ("0.97", "0.99", "0.995", "0.999", "0.13"):
            found = Means(5).height(Decimal(c))
            exact = (1 - mp.mpf(c) ** 2) ** 2 * 3 / 16
            assert number(found.lo) <= exact <= number(found.hi)


BOXES: list[tuple[Corner, Corner]] = [
    (("3", "193/64"), ("1", "65/64")),
    (("1", "65/64"), ("3", "193/64")),
    (("1", "5/4"), ("3", "25/8")),
    (("3", "7/2"), ("1", "9/8")),
    (("2", "17/8"), ("2", "17/8")),
]


def cosines(rho: Corner, t: Corner, b: Fraction) -> list[Any]:
    corners = [(x, y) for x in map(number, map(Q, rho)) for y in map(number, map(Q, t))]
    return [(x**2 + y**2 - number(b) ** 2) / (2 * x * y) for x, y in corners]


def bare(**of: Any) -> Turns:
    """Turns in space of which no more is there than what one rule asks for; nothing is kept."""
    found = Turns.__new__(Turns)
    known = SimpleNamespace(once=lambda key, compute: compute(), lately=lambda key, compute: of["height"], **of)
    found.p, found.means, found.sides, found.rows = known, Means(3), set(), [Q(0)]  # type: ignore[assignment]
    found.n = SimpleNamespace(  # type: ignore[assignment]
        d=3, beyond=lambda radius, outward: of["rest"], p=known, s=Q(1), epsilon=interval(0)
    )
    return found


def steep(low: str, high: str) -> Interval:
    """Slopes between two bounds, of which the upper may be infinite."""
    return Interval(interval(Q(low)).lo, Decimal(high)) if high == "inf" else between(low, high)


@pytest.mark.parametrize(("rho", "t"), BOXES)
@pytest.mark.parametrize("count", [3, 4, 60])
def test_the_cosine_at_the_end_of_a_run_is_rounded_outward(rho: Corner, t: Corner, count: int) -> None:
    """A run from b on to what is out of reach: less M at its cosine, for shifts longer than rho too."""
    with mp.workdps(40), digits(count):
        found, cell = bare(), Shifts(Q(t[0]), Q(t[1]))
        for k in range(4, 68, 3):
            mean = found.mean(Panel(Q(rho[0]), Q(rho[1]), interval(1), [(Q(k, 16), Q(9), "f")]), cell)
            values = [-m(c) for c in cosines(rho, t, Q(k, 16))]
            if mean is not None:
                assert number(mean.lo) <= min(values) and max(values) <= number(mean.hi)
            else:
                assert min(values) == max(values) == 0


def test_runs_near_the_centre_are_met() -> None:
    """rho and the shifts overlap, so that b may be 0."""
    mean = bare().mean(Panel(HALF, Q(5, 8), interval(1), [(Q(0), Q(1, 8), "f")]), Shifts(HALF, Q(5, 8)))
    assert mean is not None and mean.hi > 0


def at_centre(rate: Interval) -> Interval:
    """What is said of (0, 1/8] where r L' lies in `rate` and F(1/8) is at most 1/e."""
    return bare(
        zero=SimpleNamespace(order=6),
        at_zero=lambda s: s,
        log_f=lambda s: Slope(s.u, s.du * s.u.inverse() * rate),
        height=between("-2", "-1"),
    ).centre(Q(1, 8))


def test_the_centre_by_its_slopes() -> None:
    """F(start) start^2 max(|m|, |M|)/(m + 2) where r L' lies in [m, M]."""
    for low, high in (("-3/2", "-1"), ("-1", "3"), ("-1/2", "1/3"), ("2", "3"), ("-5/4", "-5/4"), ("0", "0")):
        found = at_centre(between(low, high))
        with mp.workdps(40):
            steepest = max(-number(Q(low)), number(Q(high)), 0)
            near(found, 0, mp.exp(-1) / 64 * steepest / (number(Q(low)) + 2))
    for low, high in (("-2", "1"), ("-3", "1"), ("-1/8", "inf"), ("-2", "inf")):
        with pytest.raises(Rejected, match="vary little"):
            at_centre(steep(low, high))


def test_the_centre_by_its_height_where_the_slopes_have_no_bound() -> None:
    """F(start) start^2 where r L' is not negative."""
    for low in ("0", "1/2", "3"):
        found = at_centre(steep(low, "inf"))
        with mp.workdps(40):
            near(found, 0, mp.exp(-1) / 64)


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [("-3", "-1", None), ("-3", "0", None), ("-3", "1/2", 3), ("-1/4", "1/2", 0.5), ("-1/4", "1", 1), ("1", "2", 2)],
)
def test_the_tail_by_its_slopes(low: str, high: str, most: float | None) -> None:
    """R^2 F(R) + 2/R times the integral of w where F falls, else the largest |L'| times that."""
    of = SimpleNamespace(du=between(low, high))
    found = bare(
        infinity=SimpleNamespace(order=6), far=lambda germ: of, height=between("-2", "-1"), rest=between("1", "3")
    ).beyond(Q(5))
    with mp.workdps(40):
        near(found, 0, 25 * mp.exp(-1) + 3 * mp.mpf(2) / 5 if most is None else 3 * most)


def test_a_tail_whose_slopes_have_no_bound() -> None:
    for slopes in (Interval(NEG_INF, D1), Interval(D1, INF)):
        of = SimpleNamespace(du=slopes)
        turns = bare(infinity=SimpleNamespace(order=6), far=lambda germ, of=of: of, rest=between("1", "3"))
        with pytest.raises(Rejected, match="not shown bounded"):
            turns.beyond(Q(5))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_bounds_of_both_ends_are_rounded_upward(count: int) -> None:
    with mp.workdps(40), digits(count):
        for k in range(1, 30, 3):
            of = SimpleNamespace(du=between(Q(-k, 10), HALF / 10))
            ends = bare(
                infinity=SimpleNamespace(order=6),
                zero=SimpleNamespace(order=6),
                far=lambda germ, of=of: of,
                at_zero=lambda s: s,
                log_f=lambda s, k=k: Slope(s.u, s.u.inverse() * between(Q(k - 15, 10), "2")),
                height=interval(Q(-7, 10)),
                rest=between("1", "3"),
            )
            assert number(ends.beyond(Q(5)).hi) >= mp.mpf(3 * max(k, 0.5)) / 10
            exact = mp.exp(mp.mpf("-0.7")) / 9 * 2 / (mp.mpf(k - 15) / 10 + 2)
            assert number(ends.centre(Q(1, 3)).hi) >= exact


# Rows, jumps, and the end where f is cut.


@pytest.mark.parametrize(
    ("k", "text"),
    [
        (0, "Piecewise((exp(-r), r <= 1/4), (2*exp(-r), True))"),
        (1, "Piecewise((exp(-r), r < 1/4), (2*exp(-r), True))"),
        (1, "Piecewise((exp(-r), r <= 1/2), (2*exp(-r), True))"),
        (2, "Piecewise((exp(-r), r < 1/2), (2*exp(-r), True))"),
    ],
)
def test_a_jump_at_either_end_of_the_first_rows_is_no_slope(k: int, text: str) -> None:
    found = Turns.__new__(Turns)
    found.n = noise(text, 3)
    rows = Rows(found.n, {"rows": ROWS, "start": ROWS[0], "end": "9"}, set(), None)
    found.p, found.sides, found.rows, found.around = found.n.p, set(), rows.radii, rows.around
    with pytest.raises(Rejected, match="continuous"):
        found.change(found.rows[k], found.rows[k + 1])


@pytest.mark.parametrize(("a", "b"), [("13/8", "7/4"), ("17/8", "5/2"), ("7/4", "2"), ("2", "9/4"), ("1/4", "3/8")])
def test_a_row_on_which_f_rises_or_falls_slowly_counts_what_f_changes(a: str, b: str) -> None:
    """Between a^2 and b^2 times F(b) - F(a), also where the slope of its logarithm is below 1."""
    found = turns()
    with mp.workdps(40):
        low, high = number(Q(a)), number(Q(b))
        rise = mp.exp(-((high - 2) ** 2)) - mp.exp(-((low - 2) ** 2))
        near(found.change(Q(a), Q(b)), *sorted((low**2 * rise, high**2 * rise)))


def test_beside_a_jump_f_has_the_heights_of_either_side() -> None:
    with mp.workdps(40):
        low = mp.exp(-2)
        for found in (leaping(), leaping(True)):
            for above, height in ((True, 2 * low), (False, low)):
                near(found.height(Q(2), above), height, height)
            near(found.height(Q(3)), 2 * mp.exp(-3), 2 * mp.exp(-3))
            for a, b, rise in (("7/4", "2", low - mp.exp(mp.mpf(-7) / 4)), ("2", "9/4", 2 * mp.exp(-2.25) - 2 * low)):
                near(found.change(Q(a), Q(b)), number(Q(b)) ** 2 * rise, number(Q(a)) ** 2 * rise)
        for text, height in ((RISE, low), (DROP, 2 * low)):
            near(last_jump(noise(text, 3), Q(2)), 4 * height, 4 * height)


def test_a_jump_reaches_every_row_within_the_longest_shift() -> None:
    """F1(2-) = e^-2, F1(2+) = 2 e^-2, e^eps F1(b): all above it up to 3/2 beyond the jump, in part before."""
    found = leaping()
    (jump,) = (x for x in found.panels if x.a == x.b)
    assert jump.a == 2 and jump.reach.hi == 0

    def log(r: Any) -> Any:
        return -r + (mp.log(2) if r >= 2 else 0)

    with mp.workdps(30):
        near(jump.weight, 4 * mp.exp(-2), 4 * mp.exp(-2))
        for k in range(4, 12):
            a, b = Q(k, 4), Q(k + 1, 4)
            ends = [mp.exp(log(number(x)) + 0.5) for x in (a, b - Q(1, 10**20))]
            theta = [max(0, min(1, (2 * mp.exp(-2) - x) / mp.exp(-2))) for x in ends]
            (share,) = [run[2] for run in jump.runs if run[:2] == (a, b)] or [interval(0)]
            near(share, min(theta), max(theta))
        assert all(low >= 1 and high <= 3 for low, high, _ in jump.runs)
    assert any(share.lo == 0 < share.hi for *_, share in jump.runs)


def test_where_f_is_cut_its_last_jump_is_all_that_is_left() -> None:
    found = leaping(True)
    assert found.rows[-2:] == [10, 11] and found.sides == {2, 10} and found.rows[0] == 0
    assert (found.logs[-1].lo, found.logs[-1].hi) == (NEG_INF, INF) and len(found.logs) == len(found.rows) - 1
    with mp.workdps(30):
        near(found.ends, -50 * mp.exp(-10), 50 * mp.exp(-10))
    of = noise(RISE, 3)

    def built(end: str, jumps: list[str], cut: str) -> Callable[[], Any]:
        return lambda: Turns(of, grid(end=end), Leaps(of, {"jumps": jumps}), Q(cut))

    for end, cut in (("8", "10"), ("8", "8"), ("10", "9")):
        refused(built(end, ["2"], cut), "do not reach")
    for jumps in (["17/8"], ["1/8"], ["10"], ["2", "11"]):
        refused(built("10", jumps, "10"), "do not lie")
    refused(lambda: Turns(of, grid(start="2", end="8"), Leaps(of, {"jumps": ["2"]})), "do not lie")
    refused(lambda: Turns(of, grid(end="2"), Leaps(of, {"jumps": ["2"]})), "do not lie")


def test_rows_that_begin_before_the_start_or_at_it() -> None:
    of = noise(RING, 3)
    for rows in (["0", "1/8", *ROWS[1:]], ROWS, ROWS[1:]):
        found = Turns(of, grid(start="1/4", rows=rows))
        assert found.rows[0] == 0 and found.panels[0].a == Q(1, 4)
        assert len(found.logs) == len(found.rows) - 1
    assert found.rows == [Q(x) for x in ROWS] and (found.logs[0].lo, found.logs[0].hi) == (NEG_INF, INF)


def test_what_is_left_out_of_f_in_space() -> None:
    """By the patches, and by the cut; without either nothing."""
    step: dict[str, Any] = {"grids": [grid()], "cells": [0]}
    of = noise(RISE, 3)
    assert in_space(noise(RING, 3), step)[2].hi == 0
    assert in_space(of, step | {"jumps": ["2"]})[2].hi == 0
    refused(lambda: in_space(of, step), "continuous")
    refused(lambda: in_space(noise(RING, 3), step | {"patches": [["1", "2"]]}), "apart")
    patched = {"jumps": ["2"], "patches": [["7/4", "2"]]}
    with mp.workdps(30):
        both = mp.exp(mp.mpf(1) / 2) + 1
        by_patch = 2 * both * 4 * mp.exp(mp.mpf(-7) / 4) / 4
        near(in_space(of, step | patched)[2], 0, by_patch)
        cut = {**patched, "grids": [grid(end="10")], "end": "10"}
        beyond = both * number(of.beyond(Q(10), True).hi)
        near(in_space(of, step | cut)[2], 0, by_patch + beyond)


# Jumps and thin strips.


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_share_of_a_thin_strip_is_rounded_upward(count: int) -> None:
    with mp.workdps(40), digits(count):
        for d, k in ((d, k) for d in (2, 3, 5) for k in range(1, 12)):
            found = share_of_thin(d, Q(2), Q(3, 7), Q(1), 1 + Q(k, 31))
            length = number(((1 + Q(k, 31)) ** 2 - 1) / (4 * Q(3, 7)))
            at_end = mp.acos(max(-1, 1 - length)) / mp.pi
            exact = at_end if d == 2 else length * {3: mp.mpf(1) / 2, 5: mp.mpf(3) / 4}[d]
            assert found.lo == 0 and number(found.hi) >= min(1, exact)
    assert share_of_thin(2, Q(1), Q(1, 4), Q(1), Q(3)).hi == 1
