"""Balls about the centre (K570) and quiet stretches of the line (K571): beside integrals by mpmath, forged, and as the
prover names them; profiles of poles, of which almost all of delta lies next to the centre."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.enclosures import precision
from dpverify.kernel.sections import shells
from dpverify.kernel.sections.balls import joint
from dpverify.kernel.sections.panels import Spheres
from dpverify.prover.profile.anywhere import Anywhere
from dpverify.prover.profile.brinks import UPPER
from dpverify.prover.profile.joints import BALL, CRUDE, Joints
from dpverify.prover.profile.line import Line
from dpverify.prover.profile.pieces import middle, octave
from tests.profiles.panel import DROPS, HALF, LAPLACE, holds, noise, number, refused
from tests.profiles.test_brinks import share
from tests.profiles.test_must_fail import read, refusal
from tests.profiles.test_panels import _profile

Q = Fraction
BENT, WIDTH = "exp(-3*y)", 200
SHAPES = {LAPLACE: lambda r: mp.exp(-r), BENT: lambda r: mp.exp(-3 * r * r)}


def of_a_ball(f: Any, rho: Any, d: int, s: Any = 1) -> Any:
    """The integral of r^(d-1) f(r) over the radii about u, times the share of each sphere that lies in the ball."""
    height = lambda r: (rho * rho - s * s - r * r) / (2 * s * r)  # noqa: E731
    return mp.quad(lambda r: r ** (d - 1) * f(r) * share(height(r), d), [s - rho, s, s + rho])


@pytest.mark.parametrize("d", [2, 3, 4, 7])
@pytest.mark.parametrize("text", SHAPES)
@pytest.mark.parametrize("rho", [Q(1, 8), Q(1, 64)])
def test_a_joint_that_is_a_ball_is_the_same_integral(rho: Fraction, text: str, d: int) -> None:
    with mp.workdps(30):
        truth = of_a_ball(SHAPES[text], number(rho), d)
        found = joint(noise(text, d=d), rho, 1 - rho, 1 + rho)
        assert number(found.lo) <= truth <= number(found.hi)
        assert number(found.hi) - number(found.lo) <= truth * WIDTH * number(rho) ** 3
    with precision(200):
        step = Joints(_profile(text, d).radial(), HALF, 12, lambda: None)._around(rho, 1 - rho, 1 + rho)
        ours = step.value / (-HALF.numerator / HALF.denominator)
        assert step.word == BALL and ours.is_finite()
        size = mp.exp(number(_profile(text, d).radial().size) - mp.mpf(1) / 2)
        assert abs(-float(step.value.mid()) * float(size) - float(truth)) <= float(truth) * WIDTH * float(rho) ** 3


@pytest.mark.parametrize("s", [Q(1, 2), Q(2)])
def test_a_ball_for_other_shifts(s: Fraction) -> None:
    """In nine dimensions most of what a ball adds in the second order is 8 f'/r."""
    tiny = s / 2**40
    found = joint(noise(d=9, shift=str(s)), tiny, s - tiny, s + tiny)
    with mp.workdps(60):
        rho, at = number(tiny), number(s)
        first = rho**9 / 9 * mp.exp(-at)
        second = first * (1 - 8 / at) * rho**2 / 22
        assert all(abs(number(x) - first - second) < abs(second) * 1e-9 for x in (found.lo, found.hi))
    with mp.workdps(30):
        wide = joint(noise(d=9, shift=str(s)), s / 4, s * 3 / 4, s * 5 / 4)
        truth = of_a_ball(SHAPES[LAPLACE], at / 4, 9, at)
        assert number(wide.lo) <= truth <= number(wide.hi)
        slopes = [(1 - 8 / r) * mp.exp(-r) for r in (at * 3 / 4, at, at * 5 / 4)]
        mean = [mp.exp(-at) + (at / 4) ** 2 / 22 * x for x in (min(slopes), max(slopes))]
        size = (at / 4) ** 9 / 9
        assert number(wide.lo) <= size * mean[0] and size * mean[1] <= number(wide.hi)


def test_the_second_order_is_what_a_ball_adds() -> None:
    """In three dimensions (e^-r)'' + 2 (e^-r)'/r = -e^-1 at 1, in seven -5 e^-1: means over balls are below f."""
    tiny = Q(1, 2**40)
    for d in (3, 7):
        found = joint(noise(d=d), tiny, 1 - tiny, 1 + tiny)
        with mp.workdps(60):
            rho, e = number(tiny), mp.exp(-1)
            first = rho**d / d * e
            second = -first * (d - 2) * rho**2 / (2 * (d + 2))
            assert abs(number(found.lo) - first - second) < abs(second) * 1e-9
            assert abs(number(found.hi) - first - second) < abs(second) * 1e-9


@pytest.mark.parametrize(
    ("rho", "a", "b"),
    [
        (Q(1, 8), Q(7, 8), Q(9, 8) + Q(1, 10**9)),
        (Q(1, 8), Q(7, 8) - Q(1, 10**9), Q(9, 8)),
        (Q(1, 8), Q(1), Q(9, 8)),
        (Q(1), Q(0), Q(2)),
        (Q(9, 8), Q(1, 8), Q(17, 8)),
        (Q(9, 8), Q(-1, 8), Q(17, 8)),
        (Q(0), Q(1), Q(1)),
        (Q(-1, 8), Q(9, 8), Q(7, 8)),
    ],
)
def test_what_is_not_all_of_a_ball(rho: Fraction, a: Fraction, b: Fraction) -> None:
    refused(lambda: joint(noise(), rho, a, b), "not all of a ball")


def test_a_ball_reaches_no_break_of_f() -> None:
    n = noise(DROPS, shift="2")
    refused(lambda: joint(n, HALF, Q(3, 2), Q(5, 2)), "")


def test_a_ball_is_one_piece_of_its_joint_and_has_its_sign() -> None:
    n, rho = noise(), Q(1, 8)
    low, high = 1 - rho, 1 + rho
    with mp.workdps(30):
        truth = of_a_ball(SHAPES[LAPLACE], number(rho), 3)
    found = Spheres(n).joint(rho, low, high, {"cuts": [], "rules": "b"})
    holds(found, truth, 1e-5)
    holds(Spheres(n).joint(rho, high, low, {"cuts": [], "rules": "b"}), -truth, 1e-5)
    refused(lambda: Spheres(n).joint(rho, low, high, {"cuts": ["1"], "rules": "bb"}), "not all of a ball")
    refused(lambda: Spheres(n).joint(rho, low, high, {"cuts": [], "rules": "o"}), "pieces that have rules")


def test_the_prover_names_a_ball_where_that_is_closer() -> None:
    with precision(200):
        joints = Joints(_profile(LAPLACE, 10).radial(), HALF, 12, lambda: None)
        tiny, large, odd = Q(1, 2**40), Q(1, 4), Joints(_profile(LAPLACE, 3).radial(), HALF, 12, lambda: None)
        assert joints.vertical(tiny, 1 + tiny, 1 - tiny).word == BALL
        assert joints.vertical(tiny, 1 + tiny, Q(1)).word == UPPER
        assert odd.vertical(large, 1 - large, 1 + large).word != BALL
        assert joints._around(Q(2), Q(0), Q(3)).word == CRUDE


# The line


def test_a_quiet_stretch_costs_what_its_loss_may_exceed_eps_by() -> None:
    """e^-r loses at most 1 + b - a on (a, b); what is more than eps is the share that it costs at most."""
    a, b = Q(1, 16), Q(1, 8)
    for side in (-1, 1):
        value, cost = shells.stretch(noise(d=1, epsilon=Q(9, 8)), side, a, b, "o")
        assert value.lo == value.hi == cost.lo == cost.hi == 0
        value, cost = shells.stretch(noise(d=1, epsilon=HALF), side, a, b, "o")
        with mp.workdps(30):
            most = mp.exp(-mp.mpf(1) / 16) / 16
            assert value.hi == 0 and cost.lo == 0
            assert most * mp.mpf(9) / 16 * (1 - mp.mpf(10) ** -20) <= number(cost.hi) <= most * mp.mpf(9) / 16 * 1.01


def test_what_lies_about_the_centre_is_passed_by_at_once_only_where_f_does_not_rise() -> None:
    b = Q(1, 2**10)
    with precision(200):
        radial = _profile("y**(-1/100)*exp(-r)", 1).radial()
        falling, anywhere = (line(radial, Q(3), 12, lambda: None) for line in (Line, Anywhere))
        centre, *quiet = falling.split(falling.centre(b))
        assert centre.b == Q(1, 2**20) and [(x.side, x.kind) for x in quiet] == [(-1, "e"), (1, "o")]
        centre, *loud = anywhere.split(anywhere.centre(b))
        assert centre.b == b / 16 and all(x.kind != "o" for x in loud)


# Profiles


def pole(epsilon: int, d: int) -> Any:
    """delta of |x|^(-1/50) e^-r where S is but a tiny ball: up to it e^-r is 1, and across from it e^-1."""
    d, power = mp.mpf(d), mp.mpf(1) / 50
    rho = mp.exp(-(epsilon - 1) / power)
    growth = mp.exp(epsilon - 1)
    return (rho ** (d - power) / (d - power) - growth * rho**d / d) / mp.gamma(d - power)


def test_a_tiny_ball_of_which_the_checker_knows_as_much() -> None:
    """In space, where a prover's digits are enough for shares of spheres that leave a checker none."""
    found = dpverify.profile("r**(-1/10)*exp(-r)", epsilon=5, dimension=3, certificate=True)
    (point,) = found.points
    assert found.certificate is not None and "without the checker" not in found.reason
    with mp.workdps(40):
        rho, power = mp.exp(-40), mp.mpf(1) / 10
        truth = (rho ** (3 - power) / (3 - power) - mp.exp(4) * rho**3 / 3) / mp.gamma(3 - power)
        assert number(point.delta.lower) <= truth <= number(point.delta.upper)
    assert point.delta.upper - point.delta.lower <= point.delta.lower / 10**9


@pytest.mark.parametrize(("epsilon", "d"), [(3, 1), (3, 3), (3, 10), (10, 3)])
def test_a_pole_of_which_delta_is_all_but_nothing(epsilon: int, d: int) -> None:
    found = dpverify.profile("y**(-1/100)*exp(-r)", epsilon=epsilon, dimension=d, certificate=d == 3)
    (point,) = found.points
    with mp.workdps(40):
        truth = pole(epsilon, d)
        assert 0 < truth < mp.mpf(10) ** -40
        assert number(point.delta.lower) <= truth <= number(point.delta.upper)
    assert point.delta.upper - point.delta.lower <= point.delta.lower / 10**9
    assert d != 3 or found.certificate is not None


def test_a_pole_beside_bipolar_coordinates() -> None:
    """r^(-1/10) e^-r in space, where (r1, r2) have the density r1 r2/(2 s) beside f's."""
    eps, power = mp.mpf(2), mp.mpf(1) / 10
    (point,) = dpverify.profile("r**(-1/10)*exp(-r)", epsilon=2, dimension=3).points
    with mp.workdps(40):
        log = lambda r: -power * mp.log(r) - r  # noqa: E731
        edge = lambda rho: mp.findroot(lambda r: log(rho) - log(r) - eps, mp.mpf(1))  # noqa: E731
        beside = lambda t, k: log(mp.exp(-t)) - log(1 + k * mp.exp(-t)) - eps  # noqa: E731
        first, last = (mp.exp(-mp.findroot(lambda t, k=k: beside(t, k), 10)) for k in (-1, 1))

        def across(low: Any, high: Any) -> Any:
            return mp.quad(lambda r: r * mp.exp(log(r)), [low, high])

        def gain(rho: Any) -> Any:
            low = 1 - rho if rho < first else edge(rho)
            share = (low + 1 + rho) * (1 + rho - low) / 2
            return rho / 2 * (mp.exp(log(rho)) * share - mp.exp(eps) * across(low, 1 + rho)) if rho > 0 else mp.mpf(0)

        truth = mp.quad(gain, [0, first / 10**4, first / 100, first / 8, first, last])
        truth /= mp.gamma(3 - power)
        assert number(point.delta.lower) <= truth <= number(point.delta.upper)


def test_a_pole_that_no_float_sees() -> None:
    """log(1 + 1/r) e^-r at 8: S is within e^-760, of which the cube is still known; at 10 nothing is told from 0."""
    asked = ((8, 3), (10, 1))
    found = [dpverify.profile("log(1+1/r)*exp(-r)", epsilon=e, dimension=d).points[0].delta for e, d in asked]
    with mp.workdps(30):
        far = mp.exp(8 - 1) * mp.log(2)
        rho = mp.exp(-far)  # log(1/rho) is its value at 1, e^8 times
        mass = mp.quad(lambda r: r * r * mp.log(1 + 1 / r) * mp.exp(-r), [0, 1, 10, 100])
        truth = rho**3 / 9 / mass  # the integral of r^2 (log(rho/r)) up to rho
        assert abs(number(found[0].lower) / truth - 1) < 1e-8
    assert found[0].upper - found[0].lower <= found[0].lower / 10**9
    assert found[1].lower == 0 and found[1].upper == Q(1, 10**1900)


def test_a_pole_on_the_line_that_no_float_sees() -> None:
    """sqrt(log(2 + 1/y)) e^-r at 5: with r = rho e^-v, rho at which it is e^5 times what it is at 1."""
    (point,) = dpverify.profile("sqrt(log(2+1/y))*exp(-r)", epsilon=5).points
    with mp.workdps(30):
        far = mp.exp(8) * mp.log(3) / 2
        more = lambda v: mp.exp(-v) * (mp.sqrt(2 * (far + v)) - mp.sqrt(2 * far))  # noqa: E731
        gain = mp.exp(-far) * mp.quad(more, [0, 5, 20, 80])
        mass = mp.quad(lambda r: mp.sqrt(mp.log(2 + 1 / r**2)) * mp.exp(-r), [0, mp.mpf(1) / 64, 1, 4, 16, 80])
        assert abs(number(point.delta.lower) * mass / gain - 1) < 1e-8
    assert 0 < point.delta.upper - point.delta.lower <= point.delta.lower / 10**9


def test_radii_that_floats_do_not_tell_from_0() -> None:
    assert octave(Q(3, 4)) == 1 or octave(Q(3, 4)) == HALF
    assert middle(Q(1, 2**4000), Q(1, 2**2000)) in (Q(1, 2**3000), Q(1, 2**2999), Q(1, 2**3001))
    assert middle(Q(2**3000), Q(2**4000)) in (Q(2**3500), Q(2**3501), Q(2**3499))


# Certificates


def test_forged_balls() -> None:
    name = "pole-at-the-centre-d3"
    assert refusal(read(name)) == ""
    for word in "cto":
        forged = read(name)
        (point,) = forged["proof"]["profile"]["points"]
        balls = [x for x in point["joints"] if x["rules"] == "b"]
        assert balls
        balls[-1]["rules"] = word
        assert refusal(forged) != ""
    unlisted = read(name)
    del unlisted["rules"]["balls"]
    assert refusal(unlisted) == "rules"


def test_forged_stretches() -> None:
    name = "pole-at-the-centre"
    assert refusal(read(name)) == ""
    (point,) = read(name)["proof"]["profile"]["points"]
    assert "o" in point["right_sets"]
    forged = read(name)
    (point,) = forged["proof"]["profile"]["points"]
    point["right_sets"] = point["right_sets"].replace("f", "o", 1)
    assert refusal(forged) != ""
    unlisted = read(name)
    unlisted["rules"]["shells"].remove("K571")
    assert refusal(unlisted) == "rules"
