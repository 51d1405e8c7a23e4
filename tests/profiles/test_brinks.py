"""Panels that end where a cap begins or ends (K541-K543): beside integrals by mpmath, in certificates that say too much
of them, and as the prover cuts them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.enclosures import precision
from dpverify.kernel.sections.brinks import Brink, both, joint, step
from dpverify.kernel.sections.panels import Spheres
from dpverify.prover.profile import brinks
from dpverify.prover.profile.boundary import JUMP
from dpverify.prover.profile.pieces import ball
from dpverify.prover.profile.series import Jet, Taylor, capped
from dpverify.prover.profile.spheres import Spheres as Found
from tests.profiles.panel import DROPS, HALF, holds, noise, number, refused
from tests.profiles.test_must_fail import read, refusal
from tests.profiles.test_panels import _profile

Q = Fraction
Place = tuple[Fraction, Fraction, Fraction, str]
BELOW, AROUND, ABOVE = (Q(2), Q(1), Q(9, 8), "l"), (Q(1, 4), Q(3, 4), Q(13, 16), "l"), (Q(2), Q(23, 8), Q(3), "u")
"""The opposite radius and a panel, for the shift 1, where t is -1, 1 and 1."""
PLACES = [BELOW, AROUND, ABOVE, (Q(1, 4), Q(39, 32), Q(5, 4), "u")]


def share(t: Any, d: int) -> Any:
    """The share of the sphere on which a coordinate is below t: its square has a law of Beta."""
    outside = mp.betainc(mp.mpf(d - 1) / 2, mp.mpf(1) / 2, 0, max(0, 1 - t * t), regularized=True) / 2
    return outside if t < 0 else 1 - outside


def cosine(r: Any, k: Any) -> Any:
    return (r * r + 1 - k * k) / (2 * r)


def exactly(place: Place, d: int, sign: int) -> Any:
    """The integral of r^(d-1) e^-r F_d(sign t) over a panel, by the root of the distance from its brink."""
    k, a, b = map(number, place[:3])
    start, side = (a, 1) if place[3] == "l" else (b, -1)
    r = lambda v: start + side * (b - a) * v * v  # noqa: E731
    value = lambda v: r(v) ** (d - 1) * mp.exp(-r(v)) * share(sign * cosine(r(v), k), d) * 2 * (b - a) * v  # noqa: E731
    return mp.quad(value, [0, 1])


@pytest.mark.parametrize("d", [2, 3, 4, 10])
@pytest.mark.parametrize("place", PLACES)
def test_the_share_that_is_0_at_a_brink(place: Place, d: int) -> None:
    k, a, b, word = place
    n = noise(d=d)
    brink, w, whole = both(n, a, b, k, word)
    with mp.workdps(30):
        truth = exactly(place, d, 1 if brink.begins else -1)
        holds(brink.small(w), truth, truth * mp.mpf(10) ** (-9 if d < 10 else -4))
        holds(whole, truth + exactly(place, d, -1 if brink.begins else 1), 1e-12)
    assert brink.begins == (place is BELOW)
    with precision(200):
        ours = brinks.Brink(a, b, k, Q(1), d, word, n.order)
        found = ours.small(weight(d, n.order, a, b))
        assert abs(float(found.mid()) - float(truth)) <= float(found.rad()) + float(truth) * 1e-12
        assert float(found.rad()) < float(truth) * (1e-9 if d < 10 else 1e-4)
        assert ours.begins == brink.begins


def weight(d: int, order: int, a: Fraction, b: Fraction) -> Taylor:
    """The prover's r^(d-1) e^-r on a panel."""
    radial = _profile("exp(-r)", d).radial()
    with capped(order):
        r = Jet.linear((a + b) / 2, (b - a) / 2)
        return (radial.weight(radial.jet(r, a, b), r) * ball(radial.size).exp()).taylor()


@pytest.mark.parametrize("d", [2, 4, 5])
@pytest.mark.parametrize("place", PLACES)
def test_the_share_is_a_power_of_the_root_times_what_lies_between_its_values(place: Place, d: int) -> None:
    """H(z) = z^(-(d-1)/2) F_d, which a short panel knows to a fifth."""
    k, a, b, word = place
    middle = (a * 7 + b) / 8 if word == "l" else (a + b * 7) / 8
    a, b = (a, middle) if word == "l" else (middle, b)
    brink = Brink(noise(d=d), a, b, k, word)
    known, values = brink.share()
    assert len(known) == brink.n.order + 1
    start, step = (number(a), number(b - a)) if word == "l" else (number(b), -number(b - a))
    sign = 1 if brink.begins else -1
    with mp.workdps(30):
        found = []
        for x in range(1, 17):
            z = mp.mpf(x) / 16
            r = start + step * z
            found.append(share(sign * cosine(r, number(k)), d) * z ** (-mp.mpf(d - 1) / 2))
        most, least = max(found), min(found)
        assert number(values.lo) <= least and most <= number(values.hi)
        assert number(values.hi) - number(values.lo) < least / 5
        series = mp.polyval([number(x.lo) for x in known[::-1]], mp.mpf(1) / 16)
        assert abs(series - found[0]) < 1e-12 * found[0]


@pytest.mark.parametrize("place", PLACES)
def test_what_short_series_leave_out_is_counted(place: Place) -> None:
    k, a, b, word = place
    n = noise("exp(-20*y)", d=2)
    n.order = 2
    brink, w, _ = both(n, a, b, k, word)
    found = brink.small(w)
    with mp.workdps(30):
        start, side = (number(a), 1) if word == "l" else (number(b), -1)
        r = lambda z: start + side * number(b - a) * z * z  # noqa: E731
        sign = 1 if brink.begins else -1
        value = lambda z: r(z) * mp.exp(-20 * r(z) ** 2) * share(sign * cosine(r(z), number(k)), 2) * z  # noqa: E731
        truth = 2 * number(b - a) * mp.quad(value, [0, 1])
        assert number(found.lo) <= truth <= number(found.hi)


@pytest.mark.parametrize("d", [2, 4])
def test_a_step_beside_a_brink_is_the_same_integral_and_costs_the_same(d: int) -> None:
    """f falls to its fourth at 2, and there S' ends: from 1 on spheres reach beyond it, from 3 on they lie beyond."""
    n = noise(DROPS, d=d)
    value, cost = step(n, Q(1), Q(9, 8), [Q(2)], "l")
    with mp.workdps(30):
        holds(value, exactly(BELOW, d, 1), 1e-12)
        weight = mp.quad(lambda r: r ** (d - 1) * mp.exp(-r), [1, mp.mpf(9) / 8])
        assert cost.lo == 0 and abs(number(cost.hi) - weight * mp.expm1(0.5)) < 1e-12  # the loss is up to 1 inside of 2
        above, _ = step(noise(DROPS, d=d, epsilon=Q(3)), Q(23, 8), Q(3), [Q(2)], "u")
        holds(above, exactly(ABOVE, d, 1) / 4, 1e-10)
    refused(lambda: step(n, Q(1), Q(9, 8), [Q(3), Q(2)], "l"), "two that rise")


@pytest.mark.parametrize("d", [2, 4])
@pytest.mark.parametrize("place", PLACES)
def test_a_joint_beside_a_brink_is_the_same_integral(place: Place, d: int) -> None:
    k, a, b, word = place
    n = noise(d=d)
    with mp.workdps(30):
        truth = exactly(place, d, -1)
        holds(joint(n, k, a, b, word), truth, 1e-10)
        middle = (a + b) / 2
        cuts, rules = ([str(middle)], "lt" if word == "l" else "tu")
        upward = Spheres(n).joint(k, a, b, {"cuts": cuts, "rules": rules})
        holds(upward, truth, 1e-4)
        holds(Spheres(n).joint(k, b, a, {"cuts": cuts, "rules": rules}), -truth, 1e-4)
        assert joint(n, k, *((a, middle) if word == "l" else (middle, b)), word).lo > 0


@pytest.mark.parametrize(
    ("a", "b", "k", "word"),
    [
        (Q(1) + Q(1, 10**9), Q(9, 8), Q(2), "l"),
        (Q(1) - Q(1, 10**9), Q(9, 8), Q(2), "l"),
        (Q(23, 8), Q(3) - Q(1, 10**9), Q(2), "u"),
        (Q(23, 8), Q(3), Q(2), "l"),
        (Q(1), Q(9, 8), Q(2), "u"),
        (Q(0), Q(1, 8), Q(1), "l"),
        (Q(0), Q(3), Q(2), "u"),
        (Q(9, 8), Q(1), Q(2), "l"),
        (Q(1), Q(1), Q(2), "l"),
    ],
)
def test_panels_that_do_not_end_at_a_brink(a: Fraction, b: Fraction, k: Fraction, word: str) -> None:
    refused(lambda: Brink(noise(d=2), a, b, k, word), "no cap begins or ends")


def test_a_panel_that_reaches_another_brink_is_not_bounded() -> None:
    """From 1 to 3 all of the caps beyond 2 lie: 1 - t^2 is 0 at both ends."""
    brink, w, _ = both(noise(d=2), Q(1), Q(3), Q(2), "l")
    found = brink.small(w)
    assert not found.lo.is_finite() and not found.hi.is_finite()


def test_for_the_shift_itself_a_cosine_is_half_of_the_radius_over_it() -> None:
    """On spheres from the centre on: the caps beyond 1, of half of the least of them."""
    text = "Piecewise((1, r < 1), (exp(-r), True))"
    n = noise(text, d=2)
    value, cost = Spheres(n).step(Q(0), Q(1, 2), [Q(1)])
    with mp.workdps(30):
        truth = mp.quad(lambda r: r * share(r / 2, 2), [0, mp.mpf(1) / 2])
        holds(value, truth, 1e-12)
        holds(Spheres(n).joint(Q(1), Q(0), HALF, {"cuts": [], "rules": "t"}), mp.mpf(1) / 8 - truth, 1e-12)
    assert cost.hi == 0


# By the prover, and in certificates


def staircase(d: int) -> Any:
    """delta(1/2) of e^-floor(r): S is where |x - u| has a larger whole part than |x|."""
    f = lambda r: mp.exp(-mp.floor(r))  # noqa: E731
    w = lambda r: r ** (d - 1) * f(r)  # noqa: E731

    def part(n: int) -> Any:
        ahead = lambda v: w(n + v * v) * share(cosine(n + v * v, n + 1), d) * 2 * v  # noqa: E731
        inside = lambda v: w(n + 1 - v * v) * share(-cosine(n + 1 - v * v, n), d) * 2 * v if n else 0  # noqa: E731
        return mp.quad(ahead, [0, 1]) - mp.exp(0.5) * mp.quad(inside, [0, 1])

    mass = mp.nsum(lambda n: mp.exp(-n) * ((n + 1) ** d - n**d) / d, [0, mp.inf])
    return sum(part(n) for n in range(36)) / mass


@pytest.mark.slow
@pytest.mark.parametrize(("d", "panels"), [(2, 150), (4, 200)])
def test_a_staircase_in_even_dimensions_takes_few_panels(d: int, panels: int) -> None:
    found = dpverify.profile("exp(-floor(r))", epsilon="1/2", dimension=d, certificate=True)
    (point,) = found.points
    with mp.workdps(15):
        truth = staircase(d)
        assert number(point.delta.lower) <= truth <= number(point.delta.upper)
    assert point.delta.upper - point.delta.lower <= point.delta.lower / 10**9
    assert found.certificate is not None
    (how,) = found.certificate["proof"]["profile"]["points"]
    assert "l" in how["sets"] and len(how["sets"]) < panels
    assert any("u" in x["rules"] for x in how["joints"])
    assert sum(len(x["rules"]) for x in how["joints"]) < 2 * panels


def test_panels_beside_a_brink_are_cut_nearer_to_it() -> None:
    with precision(200):
        spheres = Found(_profile("exp(-floor(r))", 2).radial(), HALF, 12, 60, lambda: None)
        spheres.panels(Q(1, 100))
        panel = spheres.one.panel(Q(2), Q(3))
        assert (panel.kind, panel.word, panel.boundary) == (JUMP, "l", (Q(3),))
        near, far = spheres.split(panel, 1e12)
        assert (near.word, far.word) == ("l", "s") and near.a == 2 and near.b == far.a == Q(33, 16) and far.b == 3
        assert Q(2) in spheres.cuts.poles


@pytest.mark.parametrize(("excess", "part"), [(1e12, 10), (2.0, 2), (1e300, 64), (float("inf"), 8), (0.5, 8)])
def test_how_near_that_is(excess: float, part: int) -> None:
    m = brinks.nearer(Q(1), Q(2), "l", excess, 12)
    assert Q(1, part) / 2 < m - 1 <= Q(1, part) * 2 and brinks.nearer(Q(1), Q(2), "u", excess, 12) == 3 - m


NAME = "steps-at-irrational-radii"


def test_forged_words() -> None:
    assert refusal(read(NAME)) == ""
    for word in "lu":
        forged = read(NAME)
        (point,) = forged["proof"]["profile"]["points"]
        place = point["sets"].rindex("s")
        point["sets"] = point["sets"][:place] + word + point["sets"][place + 1 :]
        assert refusal(forged) == "steps"


def test_unlisted() -> None:
    unlisted = read(NAME)
    del unlisted["rules"]["brinks"]
    assert refusal(unlisted) == "rules"
