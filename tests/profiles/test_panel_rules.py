"""What the checker finds on one panel of a profile (K153-K160), against integrals of the definition by mpmath, and what
it must not take for a panel."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.sections.panels import excess, increasing, mass, overshoot, tail_named
from tests.profiles.panel import DROPS, between, holds, integral, noise, number, refused

# The weight, its bounds, and its integrals


@pytest.mark.parametrize(
    ("d", "part"), [(1, 1e-10), (2, 1e-10), (3, 1e-10), (7, 1e-10), (10, 1e-9), (11, 1e-7), (40, 0.1)]
)
def test_the_integral_of_the_weight(d: int, part: float) -> None:
    a, b = Fraction(5, 4), Fraction(3, 2)
    with mp.workdps(40):
        truth = integral(lambda r: r ** (d - 1) * mp.exp(-r), a, b)
        n = noise(d=d)
        holds(n.integral(a, b), truth, part * float(truth))
        holds(n.at_most(a, b), truth, part * float(truth))
        bound = n.bound(a, b)
        assert bound.lo == 0
        most = mp.exp(-number(a)) * number(b) ** (d - 1) / 4
        assert truth <= number(bound.hi) <= most * (1 + mp.mpf(10) ** -15)


def test_a_weight_whose_taylor_polynomial_may_be_negative_is_not() -> None:
    """A long panel: the integral is between 0 and the panel's length times the weight's bound."""
    n = noise("exp(-20*r)", 3)
    rough = n.integral(Fraction(1, 100), Fraction(2))
    assert rough.lo < 0
    kept = n.at_most(Fraction(1, 100), Fraction(2))
    assert kept.lo == 0 and kept.hi <= n.bound(Fraction(1, 100), Fraction(2)).hi
    with mp.workdps(30):
        assert integral(lambda r: r * r * mp.exp(-20 * r), Fraction(1, 100), Fraction(2)) <= number(kept.hi)


@pytest.mark.parametrize("text", ["exp(-Abs(r-2))", "exp(-Max(r, 2))*(1+r)"])
def test_a_panel_with_a_kink_is_not_smooth(text: str) -> None:
    """At its middle f is, and on a panel beside the kink."""
    n, a = noise(text), Fraction(9, 5)
    refused(lambda: n.log(n.radius(a, Fraction(21, 10))), "not shown smooth")
    assert all(x.finite() for x in n.log(n.radius(a, Fraction(19, 10))).whole.c)


def test_the_height_on_either_side_of_a_drop() -> None:
    n = noise(DROPS)
    with mp.workdps(40):
        holds(n.height(Fraction(2), False), mp.mpf(-2), 1e-25)
        holds(n.height(Fraction(2), True), -2 - mp.log(4), 1e-25)
        holds(n.height(Fraction(3), True), -3 - mp.log(4), 1e-25)


def test_the_powers_between_which_the_tail_and_the_centre_lie() -> None:
    """r L' = -7 r/(1 + r): in the tail between -7 and -7 R/(1 + R), at the centre between -7 r0/(1 + r0) and 0."""
    n, f = noise("(1+r)**(-7)", 3), lambda r: (1 + r) ** -7
    with mp.workdps(40):
        for outward, end, rates in ((True, 20, (4, mp.mpf(20) / 3 - 3)), (False, 1024, (3, 3 - mp.mpf(7) / 1025))):
            radius = mp.mpf(end) ** (1 if outward else -1)
            found = n.beyond(Fraction(end) if outward else Fraction(1, end), outward)
            for ours, rate, sign in ((found.lo, max(rates), -1), (found.hi, min(rates), 1)):
                assert -1e-12 < sign * (number(ours) * rate / (radius**3 * f(radius)) - 1) < 0.01


@pytest.mark.parametrize(("text", "d"), [("(1+r)**(-7)", 3), ("(1+r)**(-7)", 1), ("exp(-r)", 2)])
def test_the_tail_and_the_centre_lie_between_two_powers(text: str, d: int) -> None:
    """The widths are those of the exponents of f, at R and at infinity, or at 0."""
    value = {"e": lambda r: mp.exp(-r), "(": lambda r: (1 + r) ** -7}[text[0]]
    n = noise(text, d)
    with mp.workdps(30):
        tail = mp.quad(lambda r: r ** (d - 1) * value(r), [20, 60, 200, mp.inf])
        holds(n.beyond(Fraction(20), True), tail, float(tail) * (0.5 if text[0] == "(" else 1.1))
        centre = integral(lambda r: r ** (d - 1) * value(r), 0, Fraction(1, 1024))
        holds(n.beyond(Fraction(1, 1024), False), centre, float(centre) / 50)


def test_what_the_proof_says_of_the_tail_says_nothing_of_the_centre() -> None:
    for tail in (("power", Fraction(7)), ("steps", Fraction(1))):
        found, plain = (noise("(1+r)**(-7)", **more).beyond(Fraction(1, 2000), False) for more in ({"tail": tail}, {}))
        assert (found.lo, found.hi) == (plain.lo, plain.hi)
    powered = noise("(1+r)**(-7)", tail=("power", Fraction(7))).beyond(Fraction(20), True)
    with mp.workdps(30):
        exact = mp.quad(lambda r: r * r * (1 + r) ** -7, [20, 60, 200, mp.inf])
        bound = mp.mpf(20) ** -4 / 4
        assert powered.lo == 0 and exact <= number(powered.hi) <= bound * (1 + mp.mpf(10) ** -20)


@pytest.mark.parametrize(
    "text",
    ["exp(-Abs(r-2))", "exp(-Max(r,2))", "Max(exp(-r),exp(-2))", "exp(-floor(r))", DROPS, "exp(-Abs(r-2)**(3/2))"],
)
def test_a_panel_across_a_kink_or_a_jump_is_refused(text: str) -> None:
    """There is no Taylor polynomial; beside it there is."""
    refused(lambda: noise(text).integral(Fraction(3, 2), Fraction(5, 2)), "")
    assert noise(text).integral(Fraction(9, 4), Fraction(5, 2)).lo > 0


def test_a_power_that_does_not_bound_the_tail_is_refused() -> None:
    """r^5 f has no bound for f = (1 + r)^-4, and a power of 3 or less is not integrable in space."""
    for power, at, why in ((3, 20, "not integrable"), (2, 20, "not integrable"), (5, 20, "below the power")):
        refused(lambda p=power, r=at: noise("(1+r)**(-4)", tail=("power", Fraction(p))).beyond(Fraction(r), True), why)
    for radius in (0, -1):
        refused(
            lambda r=radius: noise("(1+r)**(-7)", tail=("power", Fraction(7))).beyond(Fraction(r), True), "positive"
        )
    with mp.workdps(80):
        exact = noise("(1+r)**(-7)", tail=("power", Fraction(13, 2))).beyond(Fraction(20), True)
        most = mp.mpf(20) ** mp.mpf("6.5") * mp.mpf(21) ** -7  # where r^(13/2) f is largest, 13, lies before
        assert most * mp.mpf(20) ** mp.mpf("-3.5") / mp.mpf("3.5") <= number(exact.hi)


def test_a_tail_that_no_integrable_power_bounds_is_refused() -> None:
    for d in (2, 3):
        refused(lambda d=d: noise("(1+r)**(-2)", d).beyond(Fraction(20), True), "integrable power")
    refused(lambda: noise("(1+r)**(-61/20)").beyond(Fraction(20), True), "integrable power")  # -2.9 at 20, and -3.05
    refused(lambda: noise().beyond(Fraction(0), False), "begins at no positive radius")
    refused(lambda: noise().beyond(Fraction(-1), True), "begins at no positive radius")


def test_the_whole_integral() -> None:
    """Of r^2 e^-r it is 2, whatever panels have only a bound."""
    marks = [str(Fraction(k, 4)) for k in range(1, 81)]
    n = noise()
    found = mass(n, marks)
    with mp.workdps(30):
        inner, tail = (float(mp.gammainc(3, *x)) for x in ((0, 0.25), (20, mp.inf)))
        holds(found, mp.mpf(2), 0.2 * inner + tail + 1e-8)
    loose = mass(n, marks, [3, 7])
    assert Fraction(loose.lo) <= Fraction(found.lo) and loose.hi > found.hi
    with mp.workdps(30):
        lacking = sum(integral(lambda r: r * r * mp.exp(-r), Fraction(k + 1, 4), Fraction(k + 2, 4)) for k in (3, 7))
        assert abs(number(found.lo) - number(loose.lo) - lacking) < 1e-8
    assert mass(n, ["0", *marks]).lo > 0
    for wrong in ([7, 3], [3, 3], [79], [-1]):
        refused(lambda wrong=wrong: mass(n, marks, wrong), "bounded")


def test_radii_increase_from_nought_on_and_are_not_too_many() -> None:
    assert increasing(["0", "1"], "marks") == [0, 1]
    for wrong in (
        ["1"],
        [],
        ["1", "1"],
        ["2", "1"],
        ["0", "2", "1"],
        ["1", "0", "2"],
        ["-1", "1"],
        [str(k) for k in range(5_001)],
    ):
        refused(lambda wrong=wrong: increasing(wrong, "marks"), "increasing")


def test_how_a_tail_is_named() -> None:
    assert tail_named("3/2") == ("steps", Fraction(3, 2))
    assert tail_named({"power": "5"}) == ("power", 5)
    for wrong in ({"power": "5", "steps": "1"}, {}, {"steps": "1"}):
        refused(lambda wrong=wrong: tail_named(wrong), "profile.tail")


# Shares


@pytest.mark.parametrize(
    ("low", "high", "most", "lacking"), [(-2, -1, 0, 2), (-1, Fraction(1, 2), Fraction(1, 2), 1), (1, 3, 1, 0)]
)
def test_shares_that_are_lost(low: Any, high: Any, most: Any, lacking: Any) -> None:
    """1 - e^-x is between 0, x and 1; e^x - 1 is 0 where nothing is lacking."""
    over, under = excess(between(low, high)), overshoot(between(low, high))
    assert (over.lo, Fraction(over.hi)) == (0, most)
    assert under.lo == 0
    with mp.workdps(90):
        assert 0 <= number(under.hi) - mp.expm1(lacking) < mp.mpf(10) ** -30
