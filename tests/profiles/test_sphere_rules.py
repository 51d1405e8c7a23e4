"""Caps beyond a curve, steps and joints of the set S', against integrals of the definition, and what is no such set."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel.intervals import ONE, ZERO, interval
from dpverify.kernel.sections.panels import Noise, Spheres, outside, spheres, stretch
from tests.profiles.panel import (
    DROPS,
    HALF,
    LAPLACE,
    along,
    cosine,
    drops,
    holds,
    integral,
    laplace,
    noise,
    number,
    refused,
    share,
)
from tests.profiles.test_shells import noise as shells


def test_where_the_set_is_empty_the_cost_is_what_is_left_out() -> None:
    """On each sphere the loss is at most s: the cost is at most 1 - e^(eps - 1) of p, here bounded by 1/2 of it."""
    n = noise()
    a, b = Fraction(2), Fraction(9, 4)
    value, cost = Spheres(n).nothing(a, b, [])
    assert (value.lo, value.hi) == (0, 0)
    with mp.workdps(30):
        inside = integral(lambda r: r * r * mp.exp(-r), a, b)
        assert inside * (1 - mp.exp(-mp.mpf(1) / 2)) <= number(cost.hi)
        assert number(cost.hi) <= number(n.bound(a, b).hi) / 2 * (1 + mp.mpf(10) ** -12)
    none = Spheres(noise(epsilon=Fraction(1))).nothing(a, b, [])
    assert none[1].hi < Fraction(1, 10**12)


@pytest.mark.slow
def test_an_empty_set_beyond_a_radius_costs_what_lies_beyond_it_alone() -> None:
    """S is |x - u| > |x| + 1/2, and so beyond 5/2 for |x| > 2."""
    n, far = noise(), Fraction(5, 2) - Fraction(1, 10**9)
    a, b = Fraction(2), Fraction(9, 4)
    whole = Spheres(n).nothing(a, b, [])[1]
    value, cost = Spheres(n).nothing(a, b, [far])
    assert (value.lo, value.hi) == (0, 0)
    with mp.workdps(30):
        cap = share(cosine(number(b), number(far)))
        assert abs(number(cost.hi) - number(whole.hi) * cap) < mp.mpf(10) ** -25
        true = integral(
            lambda rho: mp.quad(
                lambda r: rho * r / 2 * max(0, mp.exp(-rho) - mp.exp(0.5 - r)), [rho + mp.mpf("0.5"), rho + 1]
            ),
            a,
            b,
        )
        assert 0 < true <= number(cost.hi)
    with mp.workdps(90):
        assert number(cost.hi) >= number(whole.hi) * share(cosine(number(b), number(far)))
    refused(lambda: Spheres(n).nothing(a, b, [Fraction(5, 2)]), "beyond the radius named")  # just beyond, f is less
    level = noise("exp(1/(1+r))", epsilon=Fraction(1, 12))
    refused(lambda: Spheres(level).nothing(a, b, [Fraction(3)]), "beyond the radius named")
    refused(lambda: Spheres(n).nothing(a, b, [Fraction(5, 2) + Fraction(1, 10**9)]), "beyond the radius named")
    refused(lambda: Spheres(n).nothing(Fraction(1, 10), b, [Fraction(55, 100)]), "beyond the radius named")
    refused(lambda: Spheres(n).nothing(a, b, [far, far]), "beyond no radius")


def test_everything_where_all_losses_exceed_eps() -> None:
    """Within 1/4 of the centre r2 >= 1 - rho, so that the loss is at least 1 - 2 rho >= 1/2."""
    n = noise()
    a, b = Fraction(1, 16), Fraction(1, 4)
    value, cost = Spheres(n).everything(a, b, [])
    with mp.workdps(40):
        holds(value, integral(lambda r: r * r * mp.exp(-r), a, b), 1e-12)
    assert cost.lo == 0 and cost.hi < Fraction(1, 10**12)
    past = Spheres(n).everything(Fraction(3, 8), Fraction(1, 2), [])
    with mp.workdps(30):
        inside = integral(lambda r: r * r * mp.exp(-r), Fraction(3, 8), Fraction(1, 2))
        holds(past[0], inside, 1e-9)
        assert inside * (mp.exp(mp.mpf(1) / 2) - 1) <= number(past[1].hi) + 1e-12
        assert number(past[1].hi) <= inside * (mp.exp(mp.mpf(1) / 2) - 1) * mp.mpf("1.001")
    refused(lambda: Spheres(n).everything(Fraction(3, 4), Fraction(5, 4), []), "beyond the shift")
    refused(lambda: Spheres(n).everything(a, b, [Fraction(5, 8)]), "beyond the radius named")
    assert Spheres(n).everything(Fraction(3, 4), Fraction(1), [])[0].lo > 0


def test_panels_whose_spheres_and_their_images_end_at_a_jump() -> None:
    """f drops at 7/8, which is 1 less 1/8: everything on (1/8, 1/4), and the line beside it, sees one side."""
    text, low, high = "Piecewise((exp(-r), r < 7/8), (exp(-r)/4, True))", Fraction(1, 8), Fraction(1, 4)
    for given, plain in ((noise(text), noise()), (noise(text, 1), noise(LAPLACE, 1))):
        works = [lambda n: Spheres(n).everything(low, high, []), lambda n: stretch(n, 1, low, high, "f")]
        for work in works:
            assert [(x.lo, x.hi) for x in work(given)] == [(x.lo, x.hi) for x in work(plain)]
    beyond = Fraction(15, 8), Fraction(2)
    jump = noise("Piecewise((exp(-r), r < 3), (exp(-r)/4, True))", 1)
    found, plain = (stretch(n, -1, *beyond, "f") for n in (jump, noise(LAPLACE, 1)))
    assert [(x.lo, x.hi) for x in found] == [(x.lo, x.hi) for x in plain]


@pytest.mark.parametrize("short", [Fraction(0), Fraction(1, 1000)])
def test_a_cap_beyond_a_curve(short: Fraction) -> None:
    """S' is |x - u| > rho + 1/2 - short.  P and Q by their densities in space, Q less the sides of the panel."""
    a, b, s = Fraction(2), Fraction(9, 4), 1
    middle, half = (a + b) / 2, (b - a) / 2
    off = short + Fraction(1, 10**9)
    value, cost = Spheres(noise()).cap(a, b, [middle + HALF - off, half])
    with mp.workdps(30):
        curve = lambda rho: rho + number(HALF - off)  # noqa: E731
        p = integral(lambda rho: rho * rho * laplace(rho) * share(cosine(rho, curve(rho))), a, b)
        q = integral(lambda rho: rho / (2 * s) * mp.quad(lambda r: r * laplace(r), [curve(rho), rho + s]), a, b)
        sides = [along(x, curve(x), x + s, laplace) for x in map(number, (a, b))]
        truth = p - mp.exp(mp.mpf(1) / 2) * (q + sides[0] - sides[1])
        holds(value, truth, 1e-8 + 0.1 * float(short))
        lost = mp.expm1(number(off)) * p
        assert lost * (1 - mp.mpf(10) ** -6) <= number(cost.hi) <= lost * (1 + mp.mpf(10) ** -6) + mp.mpf(10) ** -12


def test_a_cap_beyond_a_curve_that_falls() -> None:
    """Along r = 12/5 - x/20 the loss differs from eps by up to 2/5: by e^(2/5) - 1 of what q moves along it."""
    a, b = Fraction(2), Fraction(9, 4)
    value, cost = Spheres(noise()).cap(a, b, [Fraction(12, 5), Fraction(-1, 20)])
    with mp.workdps(30):
        slope = -mp.mpf(1) / 20 / (number(b - a) / 2)
        curve = lambda rho: mp.mpf(12) / 5 + slope * (rho - number((a + b) / 2))  # noqa: E731
        p = integral(lambda rho: rho * rho * laplace(rho) * share(cosine(rho, curve(rho))), a, b)
        along_it = lambda rho: curve(rho) ** 2 * share(-cosine(curve(rho), rho)) * slope  # noqa: E731
        q = integral(lambda rho: laplace(curve(rho)) * along_it(rho), a, b)
        as_if = integral(lambda rho: laplace(rho) * along_it(rho), a, b)
        truth = p - mp.exp(mp.mpf(1) / 2) * q
        assert number(value.lo) <= truth <= number(value.hi)
        assert number(value.hi - value.lo) <= 4 * abs(as_if)
        assert number(cost.hi) >= mp.expm1(mp.mpf("0.4")) * p * mp.mpf("0.99")


def test_what_moves_along_a_curve_is_weighed_where_there_is_most_of_it() -> None:
    """From r = 2.9, where hardly any of the sphere lies within rho, to 2.2, where the loss misses eps by 1."""
    a, b, eps = Fraction(2), Fraction(9, 4), Fraction(19, 20)
    value, _ = Spheres(noise(epsilon=eps)).cap(a, b, [Fraction(51, 20), Fraction(-7, 20)])
    with mp.workdps(20):
        slope = -mp.mpf(7) / 20 / (number(b - a) / 2)
        curve = lambda rho: mp.mpf(51) / 20 + slope * (rho - number((a + b) / 2))  # noqa: E731
        p = integral(lambda rho: rho * rho * laplace(rho) * share(cosine(rho, curve(rho))), a, b)
        moved = lambda rho: curve(rho) ** 2 * laplace(curve(rho)) * share(-cosine(curve(rho), rho)) * slope  # noqa: E731
        truth = p - mp.exp(number(eps)) * integral(moved, a, b)
        assert number(value.lo) <= truth <= number(value.hi)


def test_a_cap_in_the_plane() -> None:
    a, b, off = Fraction(2), Fraction(9, 4), Fraction(1, 10**9)
    value, _ = Spheres(noise(d=2)).cap(a, b, [(a + b) / 2 + HALF - off, (b - a) / 2])
    with mp.workdps(30):
        curve = lambda rho: rho + number(HALF - off)  # noqa: E731
        plane = lambda t: mp.mpf(1) / 2 + mp.asin(t) / mp.pi  # noqa: E731
        p = integral(lambda rho: rho * laplace(rho) * plane(cosine(rho, curve(rho))), a, b)
        q = integral(lambda rho: curve(rho) * laplace(curve(rho)) * plane(-cosine(curve(rho), rho)), a, b)
        holds(value, p - mp.exp(mp.mpf(1) / 2) * q, 1e-8)


def test_a_curve_that_leaves_the_spheres_or_points_of_the_set_is_refused() -> None:
    """|x - u| lies between |rho - 1| and rho + 1; beyond rho + 1/2 there are points of S that a cap would lack."""
    named, a, b = Spheres(noise()), Fraction(2), Fraction(9, 4)
    middle, half = (a + b) / 2, (b - a) / 2
    refused(lambda: named.cap(a, b, [middle + HALF + Fraction(1, 10**6), half]), "in the set named")
    refused(lambda: named.cap(a, b, [middle + Fraction(11, 10), half]), "leaves the sphere")
    refused(lambda: named.cap(a, b, [middle - Fraction(11, 10), half]), "leaves the sphere")
    refused(lambda: named.cap(Fraction(1, 4), Fraction(3, 8), [Fraction(1, 2)]), "leaves the sphere")
    few = Spheres(noise(epsilon=Fraction(2)))  # and on a part of the spheres
    refused(lambda: named.cap(a, b, [Fraction(11, 10)]), "leaves the sphere")
    refused(lambda: few.cap(a, b, [Fraction(31, 10)]), "leaves the sphere")
    refused(lambda: named.cap(Fraction(1, 4), Fraction(3, 8), [Fraction(7, 10)]), "leaves the sphere")
    refused(lambda: named.cap(a, b, [Fraction(13, 5)]), "in the set named")


def test_a_step_at_a_jump() -> None:
    """f falls to its fourth at 2: on spheres near 3/2 the loss is below 1 inside of 2, and above 1 outside."""
    a, b, k = Fraction(11, 8), Fraction(3, 2), Fraction(2)
    n = noise(DROPS, epsilon=Fraction(1))
    value, cost = Spheres(n).step(a, b, [k])
    with mp.workdps(30):
        truth = integral(lambda rho: rho * rho * drops(rho) * share(cosine(rho, 2)), a, b)
        holds(value, truth, 1e-8)
    assert cost.lo == 0 and cost.hi < Fraction(1, 10**20)


@pytest.mark.parametrize(("epsilon", "lacking"), [(Fraction(1, 2), 0.125), (Fraction(5, 2), 0.61370563888)])
def test_a_step_whose_loss_differs_from_eps_costs_that(epsilon: Fraction, lacking: float) -> None:
    """Just inside of 2 the loss is at most 5/8, just outside at least 1/2 + log 4: x by which eps is missed."""
    a, b = Fraction(11, 8), Fraction(3, 2)
    _, cost = Spheres(noise(DROPS, epsilon=epsilon)).step(a, b, [Fraction(2)])
    with mp.workdps(30):
        w = integral(lambda rho: rho * rho * drops(rho), a, b)
        assert abs(number(cost.hi) - w * mp.expm1(mp.mpf(lacking))) < 1e-8


def test_a_step_is_one_radius_on_all_spheres() -> None:
    named, a, b = Spheres(noise(DROPS, epsilon=Fraction(1))), Fraction(11, 8), Fraction(3, 2)
    refused(lambda: named.step(a, b, [Fraction(2), Fraction(1)]), "one radius")
    refused(lambda: named.step(a, b, []), "one radius")
    for k in (Fraction(49, 100), Fraction(238, 100), Fraction(12, 5)):
        refused(lambda k=k: named.step(a, b, [k]), "leaves the sphere")
    refused(lambda: named.step(Fraction(1, 4), Fraction(3, 8), [Fraction(70, 100)]), "leaves the sphere")
    assert named.step(a, b, [Fraction(1, 2)])[0].hi > 0
    assert named.step(a, b, [Fraction(19, 8)])[0].hi > 0


@pytest.mark.parametrize(("low", "high"), [("3/2", "2"), ("2", "3/2")])
def test_a_joint_is_the_integral_along_it(low: str, high: str) -> None:
    """The set's end moves from one radius to another at rho = 5/4; upward it adds to Q."""
    named, rho = Spheres(noise()), Fraction(5, 4)
    with mp.workdps(30):
        truth = along(number(rho), number(Fraction(low)), number(Fraction(high)), laplace)
        for cuts, rules in (([], "t"), (["7/4"], "tt")):
            found = named.joint(rho, Fraction(low), Fraction(high), {"cuts": cuts, "rules": rules})
            holds(found, truth, 1e-8)
        rough = named.joint(rho, Fraction(low), Fraction(high), {"cuts": ["7/4"], "rules": "ct"})
        assert number(rough.lo) <= truth <= number(rough.hi)
        piece = abs(along(number(rho), mp.mpf("1.5"), mp.mpf("1.75"), laplace))
        assert piece < number(rough.hi) - number(rough.lo) < 4 * piece
        height = number(named.n.bound(Fraction(3, 2), Fraction(7, 4)).hi)
        most = max(share(-cosine(mp.mpf(6 + k / 10) / 4, number(rho))) for k in range(11))
        assert number(rough.hi) - number(rough.lo) >= height * most


@pytest.mark.parametrize(("shift", "rho"), [("1", "5/4"), ("3/2", "5/4"), ("3/4", "7/4")])
def test_a_piece_of_a_joint_is_at_most_its_largest_share_of_what_it_weighs(shift: str, rho: str) -> None:
    """On a short piece that is little more than its part of the integral."""
    low, high, s, at = Fraction(3, 2), Fraction(25, 16), number(Fraction(shift)), number(Fraction(rho))
    found = Spheres(noise(shift=shift)).joint(Fraction(rho), low, high, {"cuts": [], "rules": "c"})
    with mp.workdps(30):
        truth = integral(lambda r: r * r * laplace(r) * share(-cosine(r, at, s)), low, high)
        assert found.lo == 0 and truth <= number(found.hi) < truth * mp.mpf("1.2")


@pytest.mark.parametrize(
    ("cuts", "rules"),
    [
        (["7/4"], "t"),
        ([], "tt"),
        ([], "x"),
        (["3/2"], "tt"),
        (["2"], "tt"),
        (["7/4", "7/4"], "ttt"),
        (["1"], "tt"),
        ([], ["t"]),
    ],
)
def test_a_joint_is_cut_inside_and_each_piece_has_a_rule(cuts: list[str], rules: Any) -> None:
    given = {"cuts": cuts, "rules": rules}
    refused(lambda: Spheres(noise()).joint(Fraction(5, 4), Fraction(3, 2), Fraction(2), given), "cut into pieces")


def test_where_a_set_begins_at_the_ends_of_a_panel() -> None:
    """Nothing begins at the farthest point, everything at the nearest, a curve where its polynomial is at -1 and 1."""
    named, two = Spheres(noise()), Fraction(2)
    assert named.boundary(("e", []), two, 1) == 3
    assert named.boundary(("f", []), two, 1) == named.boundary(("f", []), Fraction(0), -1) == 1
    assert named.boundary(("c", [two, Fraction(3), Fraction(5)]), two, -1) == 4
    assert named.boundary(("c", [two, Fraction(3), Fraction(5)]), two, 1) == 10


def points(sets: str, boundaries: list[list[str]], marks: Iterable[Any], joints: Any) -> dict[str, Any]:
    return {"marks": [str(x) for x in marks], "sets": sets, "boundaries": boundaries, "joints": joints}


@pytest.mark.slow
def test_a_set_of_spheres() -> None:
    """Everything within 1/4: P is an integral of w, and Q that over the ball of this radius, by its joint."""
    given = points("fe", [[], []], [0, Fraction(1, 4), 20], [{"cuts": [], "rules": "t"}])
    value, cost = spheres(noise(), given)
    with mp.workdps(30):
        p = integral(lambda r: r * r * laplace(r), 0, Fraction(1, 4))
        q = integral(lambda rho: mp.quad(lambda r: rho * r / 2 * laplace(r), [1 - rho, 1 + rho]), 0, Fraction(1, 4))
        holds(value, p - mp.exp(mp.mpf(1) / 2) * q, 1e-6)
        beyond = integral(lambda r: r * r * laplace(r), Fraction(1, 4), 40)
        assert beyond * (1 - mp.exp(-mp.mpf(1) / 2)) <= number(cost.hi)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (points("fe", [[], []], [0, Fraction(1, 4), 20], []), "left out"),
        (points("fe", [[], []], [0, Fraction(1, 4), 20], [{"cuts": [], "rules": "t"}] * 2), "is connected"),
        (points("ee", [[], []], [0, Fraction(1, 4), 20], [{"cuts": [], "rules": "t"}]), "is connected"),
        (points("fe", [[], []], [0, Fraction(1, 4), 20], None), "joint"),
        (points("ff", [[]], [0, Fraction(1, 4)], []), "do not match"),
        (points("f", [[], []], [0, Fraction(1, 4)], []), "do not match"),
        (points("ff", [[], []], [0, Fraction(1, 4)], []), "do not match"),
        (points("x", [[]], [0, Fraction(1, 4)], []), "do not match"),
        (points("c", [["1"] * 13], [0, Fraction(1, 4)], []), "too many coefficients"),
        (points("cc", [["1"] * 13, ["1"]], [0, Fraction(1, 4), 20], []), "too many coefficients"),
        ({**points("f", [[]], [0, Fraction(1, 4)], []), "sets": ["f"]}, "do not match"),
        ({**points("f", [[]], [0, Fraction(1, 4)], []), "boundaries": "f"}, "do not match"),
    ],
)
def test_what_is_no_set_of_spheres(given: dict[str, Any], why: str) -> None:
    refused(lambda: spheres(noise(), given), why)


def test_what_lies_beyond_all_panels() -> None:
    """Beyond R the loss is at most 1: nothing is lost at eps = 1, and at most half of p at eps = 1/2."""
    value, cost = outside(noise(), Fraction(20))
    assert (value.lo, value.hi) == (0, 0)
    with mp.workdps(30):
        tail = mp.gammainc(3, 20)
        assert tail * (1 - mp.exp(-mp.mpf(1) / 2)) <= number(cost.hi) <= tail
    assert outside(noise(epsilon=Fraction(11, 10)), Fraction(20))[1].hi == 0
    by_power = noise(tail=("power", Fraction(4)))
    assert outside(by_power, Fraction(20))[1].hi == by_power.beyond(Fraction(20), True).hi


def test_what_is_left_out_within_the_first_panel() -> None:
    """g = r^(5/4), s = 1/2: the loss within 1/8 is at most (5/8)^(5/4), and above eps = 1/10 by what is lost of p."""
    whole = shells()
    n, b = Noise(whole.p, 12, Fraction(1, 10)), Fraction(1, 8)
    with mp.workdps(30):
        over = mp.mpf(5) / 8
        over = over ** mp.mpf("1.25") - mp.mpf(1) / 10
        inside = integral(lambda r: mp.exp(-(r ** mp.mpf("1.25"))), 0, b)
        found = n.lost_inside(b)
        assert over * inside <= number(found.hi) <= over * inside * mp.mpf("1.15")
    assert n.lost_inside(Fraction(0)).hi == 0
    assert Noise(whole.p, 12, Fraction(3, 5)).lost_inside(b).hi == 0


def test_nothing_of_a_panel_costs_a_cap_to_the_last_digit() -> None:
    """The share of a sphere in space is (1 + t)/2, and t is -5/28: no decimal."""
    n: Any = SimpleNamespace(s=Fraction(3), d=3, epsilon=ZERO, bound=lambda a, b: ONE)
    n.loss, n.height = (lambda a, b: interval(5)), (lambda r, above: ZERO)
    far, rho = Fraction(16, 5), Fraction(7, 10)
    value, cost = Spheres.nothing(SimpleNamespace(n=n), HALF, rho, [far])  # type: ignore[arg-type]
    exact = (1 + (rho * rho + 9 - far * far) / (6 * rho)) / 2
    assert (value, cost.lo) == (ZERO, 0) and exact <= Fraction(cost.hi) <= exact + Fraction(1, 10**50)
