"""Panels by values of f (K507-K509): against integrals by mpmath, and what must be refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.kernel.intervals import ZERO, Interval
from dpverify.kernel.sections import values
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.panels import Noise, line, mass, stretch
from dpverify.kernel.sections.shifts import at_shift
from dpverify.profiles import Enclosed
from tests.profiles.panel import DROPS, HALF, holds, integral, noise, number, refused
from tests.profiles.test_must_fail import read, refusal

WAVE = "exp(-r)*(2 + sin(y))"
Q = Fraction
WAVES = "waves-with-kinks"
SLACK, HALF_OF_ONE = mp.mpf(10) ** -30, mp.mpf(1) / 2


def wave(x: Any) -> Any:
    return mp.exp(-abs(x)) * (2 + mp.sin(x * x))


def gain(side: int, s: Any = 1) -> Callable[[Any], Any]:
    """p - sqrt(e) q at x = side r."""
    return lambda r: wave(r) - mp.exp(mp.mpf(1) / 2) * wave(side * r - s)


def most(f: Callable[[Any], Any], a: Fraction, b: Fraction, count: int = 400) -> Any:
    return max(f(number(a + (b - a) * Q(k, count))) for k in range(count + 1))


def on(n: Noise, a: Fraction, b: Fraction) -> Any:
    return values.values(n, n.radius(a, b), (a, b))


@pytest.mark.parametrize(("a", "b"), [("0", "1/16"), ("1/2", "9/16"), ("10", "161/16")])
def test_f_on_a_panel(a: str, b: str) -> None:
    low, high = Q(a), Q(b)
    jet = on(noise(WAVE, 1), low, high)
    with mp.workdps(30):
        span = jet.span()
        for k in range(21):
            assert number(span.lo) <= wave(number(low + (high - low) * Q(k, 20))) <= number(span.hi)
        half = number(high - low) / 2
        for k in range(3):
            exact = mp.taylor(wave, number(low + high) / 2, 3)[k] * half**k
            assert number(jet.middle.c[k].lo) - mp.mpf(10) ** -20 <= exact
            assert exact <= number(jet.middle.c[k].hi) + mp.mpf(10) ** -20


def test_f_is_far_closer_to_a_polynomial_than_its_logarithm() -> None:
    n, box = noise(WAVE, 1), (Q(10), Q(161, 16))
    by_log = n.integral(*box)
    by_values = values.integral(n, *box)
    assert (by_values.hi - by_values.lo) * 10**6 < by_log.hi - by_log.lo


def test_what_f_is_at_a_radius_at_which_it_vanishes() -> None:
    """log f has no series there, and f has."""
    n = noise("1 - cos(r)", 1)
    refused(lambda: n.integral(Q(6), Q(13, 2)), "")
    with mp.workdps(30):
        exact = mp.mpf(1) / 2 - mp.sin(mp.mpf(13) / 2) + mp.sin(mp.mpf(6))
        holds(values.integral(n, Q(6), Q(13, 2)), exact, 1e-12)


@pytest.mark.parametrize(("a", "centre"), [("0", True), ("1/16", False)])
def test_the_chart_of_a_panel_that_begins_at_0_is_that_of_the_centre(a: str, centre: bool) -> None:
    n, asked = noise("exp(-r)", 1), list[bool]()

    def chart(at_centre: bool) -> Any:
        return lambda *given: asked.append(at_centre) or Evaluation(*given)

    n.p.at_box, n.p.at_centre = chart(False), chart(True)
    on(n, Q(a), Q(1, 8))
    assert asked == [centre, centre]


@pytest.mark.parametrize("text", [DROPS, "Abs(r - 2) + 1", "sqrt(Abs(r - 2)) + 1"])
def test_f_is_refused_where_it_is_not_smooth(text: str) -> None:
    refused(lambda: on(noise(text, 1), Q(15, 8), Q(17, 8)), "")


def test_a_root_that_touches_zero_is_not_smooth() -> None:
    refused(lambda: on(noise("exp(-r)*sqrt(r - 2)", 1), Q(2), Q(17, 8)), "K507|smooth|not shown|zero|positive")


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_integral_of_w(d: int) -> None:
    n = noise(WAVE, d)
    with mp.workdps(30):
        for low, high in ((Q(0), Q(1, 8)), (Q(3, 2), Q(13, 8))):
            found = values.integral(n, low, high)
            holds(found, integral(lambda r: r ** (d - 1) * wave(r), low, high), 1e-9)


STRETCHES = [
    (-1, "1/4", "5/16"),
    (-1, "7/4", "29/16"),
    (1, "1/8", "3/16"),
    (1, "7/8", "1"),
    (1, "1", "17/16"),
    (1, "5/2", "41/16"),
]


@pytest.mark.parametrize(("side", "a", "b"), STRETCHES)
def test_a_stretch_inside_and_outside(side: int, a: str, b: str) -> None:
    n, low, high = noise(WAVE, 1), Q(a), Q(b)
    length = number(high - low)
    value, cost = values.stretch(n, side, low, high, "v")
    nothing, lost = values.stretch(n, side, low, high, "w")
    assert (nothing.lo, nothing.hi) == (0, 0)
    assert cost.lo == lost.lo == 0
    with mp.workdps(30):
        lost_at = gain(side)
        holds(value, integral(lost_at, low, high), 1e-9)
        for found, sign in ((cost, -1), (lost, 1)):
            wrong = lambda r, sign=sign: max(mp.mpf(0), sign * lost_at(r))  # noqa: E731
            bound = most(wrong, low, high) * length
            assert bound <= number(found.hi) + SLACK
            assert number(found.hi) <= bound * mp.mpf("1.05") + mp.mpf(10) ** -3 * length


def test_a_stretch_that_crosses_zero_costs_something_on_both_sides() -> None:
    """On the left p - sqrt(e) q changes its sign between 1/4 and 1."""
    with mp.workdps(30):
        radii = [Q(k, 64) for k in range(1, 256)]
        signs = [gain(-1)(number(r)) > 0 for r in radii]
        k = next(i for i in range(len(signs) - 1) if signs[i] != signs[i + 1])
    n = noise(WAVE, 1)
    for word in ("v", "w"):
        assert values.stretch(n, -1, radii[k], radii[k + 1], word)[1].hi > 0


def test_a_stretch_across_the_shift_is_refused() -> None:
    refused(lambda: values.stretch(noise(WAVE, 1), 1, Q(15, 16), Q(17, 16), "v"), "across the shift")
    refused(lambda: values.stretch(noise(WAVE, 1), 1, Q(15, 16), Q(17, 16), "w"), "across the shift")


FLAT = "Min(1, exp(1-r))"


@pytest.mark.parametrize(
    ("side", "s", "a", "b"),
    [
        (1, "3", "2", "5/2"),  # the radii about u are those from 1/2 to 1
        (1, "3", "3/2", "2"),  # and from 1 to 3/2
        (1, "2", "5/2", "3"),
        (1, "1", "2", "5/2"),
        (-1, "1/4", "1/4", "3/4"),
        (-1, "1", "0", "1/2"),
    ],
)
def test_a_stretch_that_ends_where_f_has_a_kink_about_the_shift(side: int, s: str, a: str, b: str) -> None:
    """Which part f is just beside 1 the ends of the radii tell, of the stretch and of those about u, and nothing else
    does."""
    low, high, shift = Q(a), Q(b), Q(s)
    refused(lambda: values.values(noise(FLAT, 1), noise(FLAT, 1).radius(HALF, Q(1))), "no series")
    value, _ = values.stretch(noise(FLAT, 1, shift=s), side, low, high, "v")
    f = lambda x: mp.exp(min(0, 1 - abs(x)))  # noqa: E731
    with mp.workdps(30):
        lost = lambda r: f(r) - mp.exp(HALF_OF_ONE) * f(side * r - number(shift))  # noqa: E731
        holds(value, integral(lost, low, high), 1e-9)


def test_a_panel_is_smooth_where_its_middle_is_too() -> None:
    """1 + r^300 leads 1 at both ends of (0, 1), and at the middle by too little to be told."""
    for text in ("Max(1+r**300, 1)", "exp(-Max(1+r**300, 1))"):
        n = noise(text, 1)
        refused(lambda n=n: on(n, Q(0), Q(1)), "not shown smooth")
        refused(lambda n=n: n.log(n.radius(Q(0), Q(1)), (Q(0), Q(1))), "not shown smooth")
        assert on(n, HALF, Q(1)).middle.c[0].lo > 0


def test_points_share_what_f_is_and_not_what_they_gain() -> None:
    low, high = Q(1, 4), Q(5, 16)
    n = noise(WAVE, 1)
    other = Noise(n.p, 12, Fraction(1))
    shared = (values.stretch(n, -1, low, high, "v"), values.stretch(other, -1, low, high, "v"))
    alone = values.stretch(Noise(noise(WAVE, 1).p, 12, Fraction(1)), -1, low, high, "v")
    assert shared[0][0].hi != shared[1][0].hi
    assert (shared[1][0].lo, shared[1][0].hi) == (alone[0].lo, alone[0].hi)


def test_shifts_do_not_share_what_f_is_there() -> None:
    n = noise(WAVE, 1)
    values.stretch(n, -1, Q(1, 4), Q(5, 16), "v")
    n.s = Q(1, 2)
    with mp.workdps(30):
        found, _ = values.stretch(n, -1, Q(1, 4), Q(5, 16), "v")
        holds(found, integral(gain(-1, mp.mpf(1) / 2), Q(1, 4), Q(5, 16)), 1e-9)


MARKS = ["0", "1/8", "1/4", "1/2", "20"]


def test_the_mass_by_either_way() -> None:
    n = noise("exp(-r)", 1)
    marks = [str(Q(k, 4)) for k in range(120)]
    plain = mass(n, marks)
    with mp.workdps(30):
        for places in ([], [0], [3, 5], list(range(119))):
            found = mass(n, marks, (), places)
            holds(found, 1, 1e-6)
            assert abs(number(found.lo) - number(plain.lo)) < 1e-6
        holds(mass(n, marks, [4], [3, 5]), mp.mpf(1), 1)


@pytest.mark.parametrize(
    ("bounded", "places", "match"),
    [
        ([], [1, 0], "values does not rise"),
        ([], [1, 1], "values does not rise"),
        ([1], [1], "values names a panel that has a way"),
        ([], [4], "values"),
        ([], [-1], "values"),
        ([], ["0"], "values"),
        ([], [True], "values"),
    ],
)
def test_places_that_are_no_panels_or_no_list_of_them(bounded: Any, places: Any, match: str) -> None:
    refused(lambda: mass(noise("exp(-r)", 1), MARKS, bounded, places), match)


def test_the_line_takes_both_ways() -> None:
    n = noise("exp(-r)", 1)
    left, right = ["0", "1/4", "1", "4", "10", "20"], ["0", "1/8", "1/4", "3/8", "1/2"]
    step = {"left": left, "left_sets": "vvvff", "right": right, "right_sets": "vfwe"}
    value, cost = line(n, step)
    with mp.workdps(30):
        truth = 1 - mp.exp(-mp.mpf(1) / 4)
        assert number(value.lo) <= truth <= number((value + Interval(cost.lo, cost.hi)).hi)
    refused(lambda: line(n, step | {"right_sets": "vfxe"}), "match")
    refused(lambda: line(n, step | {"right_sets": "vfse"}), "match")


def test_both_ways_at_a_shift() -> None:
    """Of exp(-(r - 1)^2) at the shift 1: p exceeds sqrt(e) q from -3/4 down, and on both sides of the centre."""
    n, marks = noise("exp(-(r-1)**2)", 1), [Q(k, 16) for k in range(16 * 21)]
    lost = lambda x: mp.exp(-((abs(x) - 1) ** 2)) - mp.exp(HALF_OF_ONE) * mp.exp(-((abs(x - 1) - 1) ** 2))  # noqa: E731
    sides = {}
    for name, side in (("left", -1), ("right", 1)):
        inside = [lost(side * (number(a) + mp.mpf(1) / 32)) > 0 for a in marks[:-1]]
        sides |= {name: list(map(str, marks)), f"{name}_sets": "".join("v" if x else "w" for x in inside)}
    found = at_shift(n, {"shift": "1", **sides})
    with mp.workdps(20):
        pieces = [(side, a, b) for side in (-1, 1) for a, b in pairwise(marks)]
        truth = sum(integral(lambda r, s=side: max(0, lost(s * r)), a, b) for side, a, b in pieces)
        assert number(found.lo) - mp.mpf(10) ** -12 <= truth <= number(found.hi) + mp.mpf(10) ** -12
        assert number(found.hi) - number(found.lo) < mp.mpf(10) ** -9


def test_f_and_its_logarithm_agree_on_a_stretch() -> None:
    n, box = noise("(1+r)**(-4)", 1, HALF), (HALF, Q(3, 4))
    by_log, by_values = stretch(n, -1, *box, "f"), values.stretch(n, -1, *box, "v")
    with mp.workdps(30):
        assert number(by_log[0].lo) <= number(by_values[0].hi)
        assert number(by_values[0].lo) <= number(by_log[0].hi)
    assert by_values[1].lo == ZERO.lo


# Forged certificates.


def changed(name: str, places: Callable[[str], str]) -> dict[str, Any]:
    certificate = read(WAVES)
    point = certificate["proof"]["profile"]["points"][0]
    point[name] = places(point[name])
    return certificate


def test_the_gallery_uses_them() -> None:
    certificate = read(WAVES)
    assert certificate["rules"]["values"] == ["K507", "K508", "K509"]
    assert refusal(certificate) == ""


@pytest.mark.parametrize("number", ["K507", "K508", "K509"])
def test_a_rule_that_is_not_listed_is_refused(number: str) -> None:
    certificate = read(WAVES)
    certificate["rules"]["values"].remove(number)
    assert refusal(certificate) == "rules"


def test_the_section_left_out_is_refused() -> None:
    certificate = read(WAVES)
    del certificate["rules"]["values"]
    assert refusal(certificate) == "rules"


@pytest.mark.parametrize("name", ["left_sets", "right_sets"])
def test_a_stretch_that_is_left_out_makes_the_bounds_wider_than_is_claimed(name: str) -> None:
    assert refusal(changed(name, lambda word: word.replace("v", "w", 1))) == "K161"


def test_a_stretch_that_is_taken_in_does_too() -> None:
    assert refusal(changed("left_sets", lambda word: word.replace("e", "v", 1))) != ""


@pytest.mark.parametrize("places", [[0, 0], [1, 0], [10**6], "0", None, {"0": 1}])
def test_places_of_the_mass_that_are_no_list_of_panels_are_refused(places: Any) -> None:
    certificate = read(WAVES)
    certificate["proof"]["profile"]["values"] = places
    assert refusal(certificate) not in ("", "K161")


def test_a_panel_with_a_kink_has_no_values() -> None:
    certificate = read(WAVES)
    step = certificate["proof"]["profile"]
    kink = step["bounded"].pop(0)
    step["values"] = sorted([*step["values"], kink])
    assert refusal(certificate) not in ("", "K161")


def test_panels_by_values_where_no_mass_is_asked_for() -> None:
    certificate = read("gaussian-d1")
    assert certificate["proof"]["profile"]["mass"] is None
    certificate["proof"]["profile"]["values"] = [0]
    assert refusal(certificate) == "steps"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-r)*(3 + 2*sin(3*r))"])
def test_a_wave_is_found_with_few_panels(text: str) -> None:
    found = dpverify.profile(text, epsilon="1", certificate=True)
    step = found.certificate["proof"]["profile"]
    assert len(step["values"]) == len(step["mass"]) - 1 <= 100
    delta = found.points[0].delta
    assert isinstance(delta, Enclosed)
    assert delta.upper - delta.lower <= delta.lower / 10**9
