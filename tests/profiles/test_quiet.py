"""Where f falls, rises or hardly changes, and what that says: sums of exponentials by their ends, radii from which no
loss exceeds eps, signs of means on rows, flat strips, and tails that begin where they are bounded."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest
from flint import arb

from dpverify import check, profile
from dpverify.certificate.possible import possible
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import D0, INF, NEG_INF, ZERO, Interval
from dpverify.kernel.sections.exponentials import joined, sum_at, sum_of_exponentials
from dpverify.kernel.sections.layers import Layer, Layers, at_shift
from dpverify.kernel.sections.leaps import Leaps
from dpverify.kernel.sections.panels import Noise, quiet
from dpverify.kernel.sections.shifts import Slopes, on_line
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.turning import Rows, Turns
from dpverify.profiles.reach import TooNear, must_reach
from dpverify.profiles.silent import tell, tell_set
from dpverify.prover.profile.turning import _product, _signed
from tests.profiles.coarse import digits
from tests.profiles.panel import between, noise, number

Q, HALF = Fraction, Fraction(1, 2)
POWER, BOUNDED = "r**(-8)", "(1+r)**(-8)"
"""|L'| = 8/r, at most 1/2 from r = 16 on, and 8/(1 + r)."""
RING = "exp(-(r-2)**2)"
LOGS = "exp(-5*r)*(1+(3/4)*log(1+y))"


# Sums of exponentials


@pytest.mark.parametrize(("u", "v"), [((-1, 2), (0, 3)), ((0, 3), (-1, 2)), ((-40, -40), (-41, 5)), ((1, 1), (1, 1))])
def test_a_sum_of_exponentials_lies_between_its_values_at_the_ends(u: tuple[int, int], v: tuple[int, int]) -> None:
    found = joined(between(*u), between(*v))
    with mp.workdps(40):
        least, most = (mp.log(mp.exp(x) + mp.exp(y)) for x, y in zip(u, v, strict=True))
        assert abs(number(found.lo) - least) < mp.mpf(10) ** -30 > abs(number(found.hi) - most)
        assert number(found.lo) <= least + mp.mpf(10) ** -39 and most - mp.mpf(10) ** -39 <= number(found.hi)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_ends_of_a_sum_are_rounded_outward(count: int) -> None:
    with mp.workdps(40), digits(count):
        for k in range(1, 30, 2):
            u, v = between(Q(-k, 8), Q(k, 8)), between(Q(-9, 4), Q(k - 9, 4))
            found = joined(u, v)
            least, most = (mp.log(mp.exp(number(x)) + mp.exp(number(y))) for x, y in ((u.lo, v.lo), (u.hi, v.hi)))
            assert number(found.lo) <= least <= most <= number(found.hi)


def test_sums_of_what_has_no_bound() -> None:
    low, high = sum_at(NEG_INF, NEG_INF), sum_at(INF, Decimal(3))
    assert low.lo == NEG_INF and high.hi == INF
    found = joined(Interval(NEG_INF, D0), Interval(Decimal(1), INF))
    assert (found.lo, found.hi) == (Decimal(1), INF)


def test_the_slope_of_a_sum_lies_among_those_of_its_terms() -> None:
    """Of e^u + e^v with slopes in [-6, -5]; u's and v's own are kept apart where their weights are known."""
    u, v = Slope(between(-1, 1), between(-6, -5)), Slope(between(-1, 1), between(-6, -5))
    for pair in ((u, v), (v, u)):
        found = joined(*pair)
        assert (found.du.lo, found.du.hi) == (Decimal(-6), Decimal(-5))
    heavy, light = Slope(between(0, 0), between(1, 1)), Slope(between(-50, -50), between(9, 9))
    for pair in ((heavy, light), (light, heavy)):
        found = joined(*pair)
        assert 1 <= found.du.lo <= found.du.hi < Decimal("1.0000000001")


def test_differences_are_taken_as_before() -> None:
    sign, found = sum_of_exponentials([(1, between(1, 2)), (-1, between(-3, 0))])
    with mp.workdps(40):
        assert sign == 1
        assert abs(number(found.lo) - mp.log(mp.e - 1)) < mp.mpf(10) ** -30
        assert abs(number(found.hi) - mp.log(mp.exp(2) - mp.exp(-3))) < mp.mpf(10) ** -30


# Radii from which no loss exceeds eps


def silent(of: Noise, end: Fraction) -> bool:
    """Whether a step that says it of an end is accepted."""
    return possible(lambda: quiet(of, end, {"quiet": True}))


def told(of: Noise, given: dict[str, Any], jumps: Sequence[str] = (), cut: str | None = None) -> Turns:
    """The slopes of a grid of rows, with all that is shown of these."""
    how: dict[str, Any] = {"anchors": [], "grids": [dict(given)]}
    how |= {"jumps": list(jumps), "patches": []} if jumps else {}
    tell(of, how | ({} if cut is None else {"end": cut}))
    leaps = Leaps(of, how) if jumps else None
    return Turns(of, how["grids"][0], leaps, None if cut is None else Q(cut))


def test_no_loss_exceeds_eps_where_slopes_are_small() -> None:
    """From R - s = 16 on, for eps = 1/2 and s = 1; for s = 1/2 from 8 on."""
    for shift, first in (("1", Q(17)), ("1/2", Q(17, 2))):
        found = noise(POWER, shift=shift)
        assert silent(found, first + Q(1, 100)) and not silent(found, first - Q(1, 100))


def test_a_rise_is_a_loss_too() -> None:
    """8/r is at most 1/2 from 16 on, whichever way f goes."""
    for sign in ("", "-"):
        assert silent(noise(f"r**({sign}8)"), Q(171, 10)) and not silent(noise(f"r**({sign}8)"), Q(169, 10))
        assert not silent(noise(f"exp({sign}r)"), Q(100))


def test_nothing_is_said_of_radii_within_the_shift() -> None:
    assert not silent(noise(POWER, epsilon=Q(50), shift="4"), Q(5))
    assert not silent(noise(POWER, epsilon=Q(50), shift="4"), Q(4))
    assert silent(noise(POWER, epsilon=Q(50), shift="4"), Q(6))


def test_an_end_is_silent_only_where_a_step_says_so() -> None:
    assert not quiet(noise(POWER), Q(20), {"marks": ["0"]})
    for word in (False, 1, "true", None):
        with pytest.raises(Rejected, match="not shown to stay below eps"):
            quiet(noise(POWER), Q(20), {"quiet": word})
    with pytest.raises(Rejected, match="not shown to stay below eps"):
        quiet(noise(POWER), Q(16), {"quiet": True})
    given = rows("14") | {"quiet": True}
    with pytest.raises(Rejected, match="not shown to stay below eps"):
        Turns(noise(BOUNDED), given)
    with pytest.raises(Rejected, match="not shown to stay below eps"):
        Slopes(noise(BOUNDED, 1), []).beyond(Q(14), given)


def rows(end: str) -> dict[str, Any]:
    return {"rows": [str(Q(k, 4)) for k in range(4 * int(end) + 5)], "start": "0", "end": end}


def test_what_lies_beyond_such_radii_adds_nothing() -> None:
    said = {"quiet": True}
    found = Turns(noise(BOUNDED), rows("20") | said)
    assert found.beyond(Q(20), said).hi == 0 == found.ends.hi
    assert found.beyond(Q(14)).hi > 0 and told(noise(BOUNDED), rows("14")).ends.hi > 0
    assert told(noise(BOUNDED), rows("20")).ends.hi == 0
    line = Slopes(noise(BOUNDED, 1), [])
    assert line.beyond(Q(20), said).hi == 0
    with mp.workdps(30):
        assert abs(number(line.beyond(Q(14)).hi) * 15**8 - 1) < mp.mpf(10) ** -9


def test_no_end_is_silent_where_f_is_cut() -> None:
    """What is said of an end counts for nothing there, and so it is refused rather than left unread."""
    cell = {"marks": ["0", "20"], "ahead": "e", "back": "e"}
    step = {"jumps": [], "end": "20", "cells": [cell]}
    on_line(noise(BOUNDED, 1), step)
    on_line(noise(BOUNDED, 1), {"jumps": [], "cells": [cell | {"quiet": True}]})
    with pytest.raises(Rejected, match="though f is cut"):
        on_line(noise(BOUNDED, 1), step | {"cells": [cell, cell | {"quiet": True}]})
    given = {"rows": ["0", "1", "20"], "start": "0", "end": "20"}
    Rows(noise(BOUNDED), given, set(), Q(20))
    with pytest.raises(Rejected, match="unknown field 'quiet'"):
        Rows(noise(BOUNDED), given | {"quiet": True}, set(), Q(20))


def test_what_is_left_out_at_both_ends_adds_up() -> None:
    """No loss exceeds eps = 3, so that the pieces add nothing."""
    of = noise("(1+r)**(-2)", 1, epsilon=Q(3))
    line = Slopes(of, [])
    marks = ["1/4", "1/2", "1", "2", "4", "8", "20"]
    found = line.on_cell((HALF, Q(1)), {"marks": marks, "ahead": "e" * 6, "back": "e" * 6})
    with mp.workdps(40):
        most = (number(line.beyond(Q(20)).hi) + number(line.centre(Q(1, 4)).hi)) * mp.exp(3)
        assert abs(number(found.hi) / most - 1) < mp.mpf(10) ** -20 > abs(number(found.lo) / most + 1)
    assert line.centre(Q(1, 4)).hi > 0


def test_layers_that_end_there_leave_nothing_out() -> None:
    """S' being empty costs nothing of the tail from 20 on, and all of it from 14 on."""
    for end, shown in (("20", True), ("14", False)):
        given = {
            "shift": "1",
            "marks": ["0", end],
            "layers": [{"strips": ["0", str(int(end) + 1)], "words": "e", "boundaries": []}],
            "joints": [],
        }
        tell_set(noise(BOUNDED), given)
        assert ("quiet" in given) == shown
        found, own = at_shift(noise(BOUNDED), given), noise(BOUNDED)
        layer = Layer(Q(0), Q(end), Q(1), 12, given["layers"][0])
        _, inside = Layers(own, True).panel(layer)
        with mp.workdps(40):
            tail = number(found.hi) - number(inside.hi)
            assert abs(tail) < mp.mpf(10) ** -25 if shown else tail > number(own.beyond(Q(end), True).hi) * 0.99


# Signs on rows


def test_where_f_falls_or_rises_within_the_shift_the_mean_has_a_sign() -> None:
    """The ring rises up to 2 and falls beyond: rows next to 2 say nothing."""
    found = told(noise(RING), {"rows": [str(Q(k, 8)) for k in range(81)], "start": "0", "end": "8"})
    for x in found.panels:
        rises, falls = x.b + 1 < 2 - Q(1, 4), x.a - 1 > 2 + Q(1, 4)
        sign = Interval(D0, INF) if rises else Interval(NEG_INF, D0) if falls else None
        if sign:
            assert (x.sign.lo, x.sign.hi) == (sign.lo, sign.hi)
        elif x.a < 2 < x.b + 1 or x.a - 1 < 2 < x.b:
            assert (x.sign.lo, x.sign.hi) == (NEG_INF, INF)
        assert not x.a or x.weight.lo >= 0 or x.weight.hi <= 0 or x.a <= 2 <= x.b


def test_a_row_whose_sign_is_known_adds_no_less_than_nothing() -> None:
    """However open its letters are: K and F' have the same sign."""
    found = told(noise(RING), {"rows": [str(Q(k, 2)) for k in range(19)], "start": "0", "end": "8"})
    kept = [x for x in found.panels if x.a >= 4]
    assert len(kept) == 8
    found.panels, found.ends = kept, ZERO
    assert found.on_cell((HALF, Q(1))).lo >= 0
    for x in kept:
        x.sign = Interval(NEG_INF, INF)
    assert found.on_cell((HALF, Q(1))).lo < 0


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("exp(-r)", [-1] * 84),
        ("exp(-sqrt(r)-r/9)", [-1] * 84),
        ("sqrt(r)*exp(-r/3)", [0, 1, 1, 1, 1, 0, 0, *[-1] * 77]),
    ],
)
def test_the_last_rows_and_the_first(text: str, signs: list[int]) -> None:
    """From the centre on, where a slope may have no bound, and nothing may be known, up to the longest shift beyond the
    end; the last turns at 3/2, between the sixth row and the seventh."""
    given = {"rows": [str(Q(k, 4)) for k in range(1, 85)], "start": "1/4", "end": "20"}
    assert told(noise(text), given).signs == signs


def test_a_cut_is_a_fall() -> None:
    given = {"rows": ["0", "1", "2", "3"], "start": "0", "end": "3"}
    assert told(noise("exp(-r)"), given, cut="3").signs == [-1] * 4
    rising = told(noise("exp(r)"), given, cut="3")
    assert rising.signs == [1, 1, 1, -1]
    assert [x.sign.lo for x in rising.panels] == [D0, D0, NEG_INF] and {x.sign.hi for x in rising.panels} == {INF}


def test_a_row_beside_a_jump_has_no_sign() -> None:
    """f falls on both sides of 1, where it may rise."""
    text = "Piecewise((exp(-r), r < 1), (2*exp(-r), True))"
    found = told(noise(text), rows("8"), ["1"])
    assert found.signs == [-1, -1, -1, 0, 0, *[-1] * 31]


def test_a_sign_that_is_named_has_to_be_shown() -> None:
    given = {"rows": ["0", "1", "2", "3", "15", "16"], "start": "0", "end": "15"}
    assert Turns(noise(BOUNDED), given).signs == [0] * 5
    assert Turns(noise(BOUNDED), given | {"signs": "-uu-u"}).signs == [-1, 0, 0, -1, 0]
    for signs, why in (
        ("-+---", "not shown to rise or fall"),
        ("---", "do not match"),
        ("--e--", "do not match"),
        (1, "do not"),
    ):
        with pytest.raises(Rejected, match=why):
            Turns(noise(BOUNDED), given | {"signs": signs})
    with pytest.raises(Rejected, match="not shown to rise or fall"):
        Turns(noise("exp(r)"), {"rows": ["0", "3"], "start": "0", "end": "3", "signs": "++"}, cut=Q(3))
    beside = {"rows": ["0", "1", "2", "20", "21"], "start": "0", "end": "20", "signs": "u-uu"}
    text = "Piecewise((exp(-r), r < 1), (2*exp(-r), True))"
    with pytest.raises(Rejected, match="not shown to rise or fall"):
        Turns(noise(text), beside, Leaps(noise(text), {"jumps": ["1"], "patches": []}))


# Strips


@pytest.mark.parametrize(("a", "free"), [(18, True), (17, True), (16, False), (9, False)])
def test_a_wide_strip_on_which_log_f_is_flat_costs_nothing(a: int, free: bool) -> None:
    """On [a - 1, 2 a + 1] |L'| is 8/(a - 1) at most: log f changes by 8 log 2 > 1/2 there, by that over the shift."""
    layer = {"strips": [str(a - 1), str(2 * a + 1)], "words": "e", "boundaries": []}
    tell_set(noise(POWER), {"shift": "1", "marks": [str(a), str(2 * a)], "layers": [layer]})
    assert layer["words"] == ("s" if free else "e")
    _, cost = Layers(noise(POWER), True).panel(Layer(Q(a), Q(2 * a), Q(1), 12, layer))
    assert (cost.hi == 0) == free
    said = Layer(Q(a), Q(2 * a), Q(1), 12, layer | {"words": "s"})
    if not free:
        with pytest.raises(Rejected, match="not shown to be flat"):
            Layers(noise(POWER), True).panel(said)


@pytest.mark.parametrize("text", [POWER, "r**8"])
def test_flat_is_neither_steep_down_nor_steep_up(text: str) -> None:
    for shift, first in (("1", Q(16)), ("1/2", Q(8)), ("2", Q(32))):
        layers = Layers(noise(text, shift=shift), True)
        assert layers.flat(first, Q(40)) and not layers.flat(first * Q(15, 16), Q(40))


def test_a_slope_that_may_be_too_steep_by_a_rounding_is() -> None:
    """Of 1/3, which no decimal is, the upper end is above the lower one."""
    third = noise("exp(-r/3)", epsilon=Q(1, 3))
    assert not Layers(third, True).flat(Q(5), Q(6)) and not silent(third, Q(20))


def test_flat_is_all_of_the_panel_too() -> None:
    """|L'| = r/20 is at most 1/2 up to 10, not on the panel, which ends at 12."""
    steep = noise("exp(-y/40)")
    given = {"strips": ["8", "19/2", "13"], "words": "se", "boundaries": []}
    with pytest.raises(Rejected, match="not shown to be flat"):
        Layers(steep, True).panel(Layer(Q(9), Q(12), Q(1), 12, given))
    Layers(steep, True).panel(Layer(Q(9), Q(19, 2), Q(1), 12, given | {"strips": ["8", "19/2", "21/2"]}))


def slopes(a: Fraction, b: Fraction) -> Slope:
    """As known on boxes as the box is wide: of a function with the slope -1."""
    return Slope(ZERO, between(-1 - (b - a) * 3, -1 + (b - a) * 3))


def test_a_fall_is_shown_on_halves_that_overlap() -> None:
    """Boxes of a third do: those of an eighth of the strip and a bit are tried last."""
    looked: list[tuple[Fraction, Fraction]] = []

    def on_box(a: Fraction, b: Fraction, turned: int = 1) -> Slope:
        looked.append((a, b))
        found = slopes(a, b)
        return Slope(found.u, found.du * turned)

    layers = Layers(noise(POWER), True)
    layers.n = SimpleNamespace(p=SimpleNamespace(on_box=on_box))  # type: ignore[assignment]
    assert layers.falls(Q(1), Q(2), "+") and not layers.falls(Q(1), Q(2), "-")
    assert not layers.falls(Q(1), Q(4), "+")
    looked.clear()
    assert layers.falls(Q(1), Q(2), "+")
    leaves = sorted(x for x in looked if x[1] - x[0] <= Q(1, 3))
    assert leaves[0][0] == 1 and leaves[-1][1] == 2 and all(a[1] > b[0] for a, b in pairwise(leaves))
    layers.n = SimpleNamespace(p=SimpleNamespace(on_box=lambda a, b: on_box(a, b, -1)))  # type: ignore[assignment]
    assert layers.falls(Q(1), Q(2), "-") and not layers.falls(Q(1), Q(2), "+")


# Bounds of w, and tails


def test_a_wide_box_is_bounded_about_its_middle_too() -> None:
    """r^2 - 3 r lies between -8 and 10 on (2, 4) term by term, and with slopes between 1 and 5 between -5 and 5."""
    found = noise("exp(r**2-3*r)", 1).bound(Q(2), Q(4))
    with mp.workdps(30):
        assert mp.exp(4) * 2 <= number(found.hi) <= mp.exp(5) * 2 * (1 + mp.mpf(10) ** -9)
    narrow = noise("exp(r**2/10-3*r/10)", 1).bound(Q(2), Q(3))
    with mp.workdps(30):
        assert abs(number(narrow.hi) - mp.exp(mp.mpf("0.3"))) < mp.mpf(10) ** -9


def steps(end: str, point: Any = "pure") -> tuple[dict[str, Any], dict[str, Any]]:
    claim = {"generator": LOGS, "parameters": {}, "dimension": 1, "sensitivity": "1/2", "scale": "1"}
    chart = {"zero": {"radius": "1/1024", "order": 4}, "infinity": {"radius": "64", "order": 3}}
    return claim, {**chart, "profile": {"order": 6, "mass": ["0", end], "points": [point]}}


def test_a_tail_is_put_to_where_the_kernel_bounds_it() -> None:
    """log(1 + log(1 + y)) has terms that are not known to be monotone from 8 on."""
    with pytest.raises(TooNear) as near:
        must_reach(*steps("8"), Q(0))
    end = near.value.end
    assert end > 8 and end / 8 == 2 ** ((end / 8).numerator.bit_length() - 1)
    must_reach(*steps(str(end)), Q(0))
    must_reach(*steps("8"), end)
    with pytest.raises(TooNear):
        must_reach(*steps(str(end), {"left": ["0", "8"], "right": ["0", "1/4"]}), Q(0))
    with pytest.raises(TooNear):
        must_reach(*steps(str(end), {"anchors": [{"marks": ["0", "8"]}]}), Q(0))


# The prover's own


def test_products_by_their_ends_do_not_reach_beyond_0() -> None:
    low, high = _product((arb(-3), arb(-2)), (arb(-1), arb(0)))
    assert low == 0 and high == 3
    assert _signed((arb(-1), arb(2)), 1)[0] == 0 and _signed((arb(-1), arb(2)), -1)[1] == 0
    assert _signed((arb(-1), arb(2)), 0) == (arb(-1), arb(2))


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("text", "d", "shift", "epsilon"),
    [
        ("exp(-Abs(r-1))+exp(-r)", 1, "1", "1/2"),
        (LOGS, 1, "1/2", "6/5"),
        ("exp(-(7/2)*r)*(1+log(1+y/2)/10)", 5, "1", "9/5"),
        ("(1+(3/4)*r)*(1+y)**(-(d+3)/2)", 50, "1/10", "13/10"),
        ("1/cosh(5*r+tanh(r-1/2))", 2, "1/2", "3/2"),
        ("1/cosh(sqrt(1+sqrt(1+5*y)))", 2, "2", "49/100"),
        ("1/cosh(log(cosh((3/4)*r)))", 50, "1", "19/50"),
        ("exp(-(1+r**3/2)**(1/3))*(1-tanh(2*r/7)/2)", 10, "1/10", "11/250"),
        ("exp(-r/3)*(1+sqrt(r))", 10, "1", "19/100"),
    ],
)
def test_certificates_are_narrow(text: str, d: int, shift: str, epsilon: str) -> None:
    found = profile(text, dimension=d, sensitivity=shift, epsilon=epsilon, certificate=True)
    assert found.certificate is not None and check(found.certificate)
    ends = found.certificate["claim"]["points"][0]["delta"]
    low, high = Q(ends["lower"]), Q(ends["upper"])
    assert 0 < high - low <= low / 10**9
