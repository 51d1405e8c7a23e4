"""How the divergence of an f that may rise changes with the shift (K264-K269): rows, runs and their means, against
mpmath and against the definition."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.turning import Means, Panel, Rows, Shifts, Turns, in_space
from tests.profiles.panel import between, holds, integral, number
from tests.profiles.test_layers import noise

pytestmark = pytest.mark.slow

for section in SECTIONS:
    load_section(section)

RING = "exp(-(r-2)**2)"
EIGHTHS = [str(Fraction(k, 8)) for k in range(81)]


def ring(r: Any) -> Any:
    return mp.exp(-((r - 2) ** 2))


def steep(r: Any) -> Any:
    """F'."""
    return -2 * (r - 2) * ring(r)


def turns(text: str = RING, d: int = 3, rows: list[str] | None = None, start: str = "0", end: str = "8") -> Turns:
    return Turns(noise(text, d), {"rows": rows or EIGHTHS, "start": start, "end": end})


def moment(c: Any, d: int) -> Any:
    """The mean of the cosine over those beyond c, by the density of one coordinate of a point of the sphere."""
    c = max(-1, min(1, c))
    density = lambda x: x * (1 - x * x) ** (mp.mpf(d - 3) / 2)  # noqa: E731
    scale = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
    return scale * (mp.quad(density, [c, (1 + c) / 2, 1]) if c < 1 else 0)


@pytest.mark.parametrize("d", [3, 4, 5, 8])
def test_the_mean_of_the_cosine_beyond_a_height(d: int) -> None:
    with mp.workdps(30):
        for c in ("-0.9", "-0.25", "0", "0.5", "0.99"):
            at = interval(Fraction(c))
            holds(Means(d).moment(at), moment(mp.mpf(c), d), 1e-25)
        wide = Means(d).moment(between("-1/4", "1/2"))
        assert abs(number(wide.hi) - moment(mp.mpf(0), d)) < 1e-20
        assert abs(number(wide.lo) - moment(mp.mpf("0.5"), d)) < 1e-20
        aside = Means(d).moment(between("-3/4", "-1/2"))
        assert abs(number(aside.hi) - moment(mp.mpf("-0.5"), d)) < 1e-20
        assert abs(number(aside.lo) - moment(mp.mpf("-0.75"), d)) < 1e-20
    assert Means(d).moment(interval(2)).hi == Means(d).moment(interval(-1)).hi == 0
    with mp.workdps(30):
        most = moment(mp.mpf(0), d)
        holds(Means(d).most, most, 3 * float(most))
        holds(Means(d).most, -most, 3 * float(most))


def test_means_over_runs() -> None:
    """From the farther end to the nearer; over a part of a run the integrals of c of one sign."""
    means = Means(3)
    m = lambda c: (1 - mp.mpf(c) ** 2) / 4  # noqa: E731
    with mp.workdps(30):
        holds(means.over([(interval(Fraction(1, 2)), interval(0), "f")]), m(0) - m(0.5), 1e-25)
        two = [(interval(Fraction(4, 5)), interval(HALF), "f"), (interval(0), interval(-HALF), "f")]
        holds(means.over(two), m(0.5) - m("0.8") + m(0.5) - m(0), 1e-25)
        for low, high in ((0.25, 0.75), (-0.75, -0.25), (-0.5, 0.25)):
            found = means.over([(interval(Fraction(high)), interval(Fraction(low)), "u")])
            ahead = m(max(low, 0)) - m(max(high, 0))
            back = m(max(-high, 0)) - m(max(-low, 0))
            assert abs(number(found.hi) - ahead) < 1e-20 and abs(number(found.lo) + back) < 1e-20
        every = [(interval(1), interval(-1), "u")] * 3
        assert abs(number(means.over(every).hi) - m(0)) < 1e-20
        assert abs(number(means.over(every).lo) + m(0)) < 1e-20
    assert means.over([]).lo == means.over([]).hi == 0


HALF = Fraction(1, 2)


@pytest.mark.parametrize(("a", "b"), [("3", "25/8"), ("1", "9/8"), ("1/8", "1/4")])
def test_the_change_of_f_on_a_row_where_it_has_one_sign(a: str, b: str) -> None:
    low, high = Fraction(a), Fraction(b)
    found = turns().change(low, high)
    with mp.workdps(30):
        exact = integral(lambda r: r * r * steep(r), low, high)
        rise = ring(number(high)) - ring(number(low))
        holds(found, exact, 1.05 * float(abs(rise) * (number(high) ** 2 - number(low) ** 2)))


@pytest.mark.parametrize(("a", "b"), [("15/8", "17/8"), ("0", "1/8")])
def test_the_change_of_f_on_a_row_where_it_turns_or_that_begins_at_the_centre(a: str, b: str) -> None:
    """Whatever K between -1 and 1 does there."""
    low, high = Fraction(a), Fraction(b)
    found = turns().change(low, high)
    with mp.workdps(30):
        most = integral(lambda r: r * r * abs(steep(r)), low, high)
        assert number(found.lo) <= -most and most <= number(found.hi)
        bound = number(high) ** 2 * number(high - low) * max(abs(steep(number(x))) for x in (low, high))
        assert number(found.hi) <= bound * 2 and number(found.lo) >= -bound * 2


def test_the_centre() -> None:
    """F = r e^-r: r L' = 1 - r.  In space r^-2 has no bound there that can be integrated."""
    f = turns("r*exp(-r)", rows=["1/2048", *EIGHTHS[1:]], start="1/2048")
    start = Fraction(1, 2048)
    with mp.workdps(30):
        exact = integral(lambda r: r * r * (1 - r) * mp.exp(-r), 0, start)
        assert exact <= number(f.centre(start).hi) <= exact * 1.01
    assert f.centre(Fraction(0)).hi == 0
    for text in ("exp(-r)/y", "exp(-r)/r**3"):
        with pytest.raises(Rejected, match="vary little"):
            turns(text, rows=["1/2048", *EIGHTHS[1:]], start="1/2048")
    falling = turns("exp(-r)/sqrt(r)", rows=["1/2048", *EIGHTHS[1:]], start="1/2048")
    with mp.workdps(30):
        exact = integral(lambda r: r**1.5 * (r + 0.5) / r * mp.exp(-r), 0, start)
        assert exact <= number(falling.centre(start).hi) <= exact * 1.01


def test_the_centre_from_which_f_rises_faster_than_any_power() -> None:
    """r L' = 1/r - r has no bound; the integral of r^2 F' is at most start^2 F(start), and nearly that."""
    steep, start = turns("exp(-r-1/r)", rows=["1/64", *EIGHTHS[1:]], start="1/64"), Fraction(1, 64)
    with mp.workdps(30):
        most = mp.exp(-64 - mp.mpf(1) / 64) / 64**2
        exact = integral(lambda r: (1 - r * r) * mp.exp(-r - 1 / r), start / 100, start)
        assert exact > 0.95 * most and most <= number(steep.centre(start).hi) <= most * (1 + mp.mpf(10) ** -20)
    with pytest.raises(Rejected, match="vary little"):
        turns("exp(1/r-r)", rows=["1/64", *EIGHTHS[1:]], start="1/64")


def test_the_tail_of_what_falls() -> None:
    """At most R^2 F(R) + 2/R times the integral of w."""
    end = Fraction(12)
    found = turns("exp(-r)", end="8").beyond(end)
    with mp.workdps(20):
        exact = mp.gammainc(3, 12)
        assert found.lo == 0 and exact <= number(found.hi)
        rest = number(noise("exp(-r)", 3).beyond(end, True).hi)
        assert abs(number(found.hi) - 144 * mp.exp(-12) - rest / 6) < 1e-12


def test_the_tail_of_what_may_rise() -> None:
    """The largest slope of log f times the integral of w, however that is bounded."""
    rows = {"rows": [*EIGHTHS, "20", "21"], "start": "0", "end": "10"}
    end = Fraction(20)
    for speed, text in ((4, "(1+r)**(-6)*(2+sin(4*r))"), (mp.mpf(1) / 4, "(1+r)**(-6)*(2+sin(r/4))")):
        whole = noise(text, 3)
        whole.tail = ("power", Fraction(11, 2))
        found = Turns(whole, rows).beyond(end)
        rest = whole.beyond(end, True)
        with mp.workdps(20):
            value = lambda r: (1 + r) ** -6 * (2 + mp.sin(speed * r))  # noqa: E731
            wave = lambda r: speed * mp.cos(speed * r) - 6 * (2 + mp.sin(speed * r)) / (1 + r)  # noqa: E731
            slope = lambda r: abs((1 + r) ** -6 * wave(r))  # noqa: E731
            exact = mp.quad(lambda r: r * r * slope(r), [20 + mp.mpf(k) / 2 for k in range(20)])
            assert abs(mp.diff(value, 21) - (mp.mpf(22) ** -6 * wave(21))) < 1e-15
            assert number(found.hi) >= (speed - mp.mpf(6) / 21) / 3 * number(rest.hi)
            most = speed + mp.mpf(6) / 21
            assert exact <= number(found.hi) <= 1.05 * most * number(rest.hi)


def test_rows_within_the_longest_shift() -> None:
    found = turns()
    k = found.rows.index(Fraction(3))
    rows = [(found.rows[j], found.rows[j + 1]) for j in found.near(*found.rows[k : k + 2])]
    assert rows[0] == (2, Fraction(17, 8)) and rows[-1] == (4, Fraction(33, 8))
    assert found.near(*found.rows[:2])[0] == 0


def test_letters_say_where_the_loss_exceeds_eps() -> None:
    """L(rho) - L(b) > 1/2 on all of a run "f", on nothing of what is in no run; runs lie within the longest shift."""
    found, log = turns(), lambda r: -((float(r) - 2) ** 2)
    seen = set()
    for panel in found.panels:
        for k in range(0, 81, 1):
            b = Fraction(k, 8) + Fraction(1, 16)
            if abs(b - (panel.a + panel.b) / 2) >= 1 or b >= 10:
                continue
            word = next((w for low, high, w in panel.runs if low < b < high), "e")
            seen.add(word)
            ends = [log(rho) - log(r) - 0.5 for rho in (panel.a, panel.b) for r in (b - 1 / 16, b + 1 / 16)]
            middle = log((panel.a + panel.b) / 2) - log(b) - 0.5
            if word == "f":
                assert min(*ends, middle) > -1e-9
            elif word == "e":
                assert max(*ends, middle) < 1e-9
            else:
                assert min(*ends) <= 1e-9 and max(*ends, middle) >= -1e-9
    assert seen == {"e", "f", "u"}


def test_the_mean_on_a_row_holds_that_of_each_shift_and_radius() -> None:
    """A run 5/2 < b < 3 is all of the set: M at the cosines of its ends."""
    found = turns()
    x = Panel(Fraction(2), Fraction(17, 8), interval(1), [(Fraction(5, 2), Fraction(3), "f")])
    shifts = (Fraction(7, 8), Fraction(15, 16))
    mean = found.mean(x, Shifts(*shifts))
    assert mean is not None
    m = lambda c: (1 - min(1, max(-1, c)) ** 2) / 4  # noqa: E731
    with mp.workdps(20):
        values = [
            m((rho**2 + t**2 - 9) / (2 * rho * t)) - m((rho**2 + t**2 - mp.mpf("6.25")) / (2 * rho * t))
            for rho in (mp.mpf(2), mp.mpf("2.05"), mp.mpf("2.125"))
            for t in (mp.mpf("0.875"), mp.mpf("0.9"), mp.mpf("0.9375"))
        ]
        values = [-v for v in values]
        spread = max(values) - min(values)
        assert number(mean.lo) <= min(-v for v in values) and max(-v for v in values) <= number(mean.hi)
        assert number(mean.hi) - number(mean.lo) <= 3 * spread


@pytest.mark.parametrize("b", ["9/4", "5/2", "7/2", "15/4"])
@pytest.mark.parametrize(
    ("rho", "t"),
    [
        (("3", "193/64"), ("1", "1000001/1000000")),
        (("3", "3000001/1000000"), ("1", "65/64")),
        (("3", "49/16"), ("7/8", "9/8")),
    ],
)
def test_the_cosine_at_the_end_of_a_run_moves_with_the_row_and_with_the_shift(
    rho: tuple[str, str], t: tuple[str, str], b: str
) -> None:
    """A run from b on to what is out of reach: less M at (rho^2 + t^2 - b^2)/(2 rho t), with its range."""
    (low, high), shifts, at = map(Fraction, rho), (Fraction(t[0]), Fraction(t[1])), Fraction(b)
    mean = turns().mean(Panel(low, high, interval(1), [(at, Fraction(9), "f")]), Shifts(*shifts))
    assert mean is not None
    with mp.workdps(25):
        corners = [(x, y) for x in map(number, (low, high)) for y in map(number, shifts)]
        cosines = [(x**2 + y**2 - number(at) ** 2) / (2 * x * y) for x, y in corners]
        values = [-(1 - c**2) / 4 for c in cosines]
        assert number(mean.lo) <= min(values) and max(values) <= number(mean.hi)
        if min(cosines) > 0 or max(cosines) < 0:
            assert number(mean.hi) - number(mean.lo) <= 1.4 * (max(values) - min(values))


def test_what_lies_outside_of_the_rows_counts_with_the_largest_mean() -> None:
    """M(0) = 1/4 in space."""
    found = turns("r*exp(-r)", rows=["1/2048", *EIGHTHS[1:]], start="1/2048")
    with mp.workdps(25):
        whole = (number(found.beyond(Fraction(8)).hi) + number(found.centre(Fraction(1, 2048)).hi)) / 4
        assert abs(number(found.ends.hi) - whole) < mp.mpf(10) ** -20
        assert abs(number(found.ends.lo) + whole) < mp.mpf(10) ** -20
    assert found.centre(Fraction(1, 2048)).hi > 0


@pytest.mark.parametrize("text", ["Piecewise((exp(-r), r <= 1), (2*exp(-r), True))", "exp(-r)*(2+floor(r))"])
def test_a_jump_at_the_end_of_a_row_is_no_slope(text: str) -> None:
    """At 1 f has a value, and on either row beside it slopes: what it jumps by would be nobody's."""
    found = turns()
    jumping = noise(text, 3)
    rows = Rows(jumping, {"rows": EIGHTHS, "start": "0", "end": "8"}, set(), None)
    found.p, found.around = jumping.p, rows.around
    for a, b in ((Fraction(7, 8), Fraction(1)), (Fraction(1), Fraction(9, 8))):
        with pytest.raises(Rejected, match="continuous"):
            found.change(a, b)


def test_runs_out_of_reach_add_nothing_and_short_shifts_know_nothing() -> None:
    found = turns()
    shifts = (HALF, Fraction(5, 8))
    far = Panel(Fraction(2), Fraction(17, 8), interval(1), [(Fraction(11, 4), Fraction(3), "f")])
    assert found.mean(far, Shifts(*shifts)) is None
    near = Panel(Fraction(2), Fraction(17, 8), interval(1), [(Fraction(1), Fraction(11, 8), "f")])
    assert found.mean(near, Shifts(*shifts)) is None
    reached = Panel(Fraction(2), Fraction(17, 8), interval(1), [(Fraction(21, 8), Fraction(3), "f")])
    assert found.mean(reached, Shifts(*shifts)) is not None
    most = found.means.most
    for x, cell in (
        (reached, (Fraction(0), Fraction(5, 8))),
        (Panel(Fraction(0), HALF, interval(1), near.runs), shifts),
    ):
        mean = found.mean(x, Shifts(*cell))
        assert mean is not None and (mean.lo, mean.hi) == (most.lo, most.hi)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"start": "1/16"}, "do not reach"),
        ({"end": "81/16"}, "do not reach"),
        ({"end": "73/8"}, "do not reach"),
        ({"start": "8", "end": "8"}, "do not reach"),
        ({"start": "8", "end": "7"}, "do not reach"),
        ({"rows": EIGHTHS[1:], "start": "1/4"}, "do not reach"),
        ({"rows": EIGHTHS[1:], "start": "0"}, "do not reach"),
    ],
)
def test_rows_that_do_not_reach(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        turns(**changed)


def test_rows_that_reach_just_far_enough() -> None:
    found = turns(end="9")
    assert found.panels[-1].b == 9 and found.panels[0].a == 0
    assert turns("r*exp(-r)", rows=EIGHTHS[1:], start="1/8").panels[0].a == Fraction(1, 8)


@pytest.mark.parametrize(
    "changed",
    [{"grids": []}, {"grids": None}, {"cells": None}, {"grids": [{"rows": EIGHTHS, "start": "0", "end": "8"}] * 5}],
)
def test_what_is_no_list_of_grids(changed: dict[str, Any]) -> None:
    given = {"grids": [{"rows": EIGHTHS, "start": "0", "end": "8"}], "cells": [0, 0]}
    slope: Callable[..., Any] = in_space(noise(RING, 3), given)[1]
    assert slope((HALF, Fraction(5, 8)), 0).finite()
    with pytest.raises(Rejected):
        slope((HALF, Fraction(5, 8)), 1)
    with pytest.raises(Rejected, match="short list"):
        in_space(noise(RING, 3), given | changed)
