"""What the checker finds on the spheres of one panel where f may rise (K260-K263), against integrals by mpmath, and
what it must not take for layers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.layers import Layer, Layers, apart, at_shift
from tests.profiles.panel import along, cosine, holds, integral, number, share
from tests.profiles.test_layers import HALF, noise

for section in SECTIONS:
    load_section(section)

RING = "exp(-(r-2)**2)"
A, B, S = Fraction(3), Fraction(13, 4), Fraction(1)
with mp.workdps(50):
    GROWTH = mp.exp(mp.mpf(1) / 2)


def ring(r: Any) -> Any:
    return mp.exp(-((r - 2) ** 2))


def layer(words: str, strips: list[str], *curves: list[str], a: Fraction = A, b: Fraction = B) -> Layer:
    return Layer(a, b, S, 12, {"strips": strips, "words": words, "boundaries": list(curves)})


def layers(text: str = RING, smooth: bool = True, d: int = 3) -> Layers:
    return Layers(noise(text, d), smooth)


def w(r: Any) -> Any:
    return r * r * ring(r)


def beyond(radius: Any) -> Any:
    """The integral over the panel of w times the share of the sphere with |x - u| above a radius, or a curve."""
    curve = radius if callable(radius) else lambda rho: number(radius)
    return integral(lambda rho: w(rho) * share(cosine(rho, curve(rho))), A, B)


def across(low: Any, high: Any) -> Any:
    """The integral of r F(r), in closed form: in space q has the density rho r F(r)/(2 s)."""
    upto = lambda r: -ring(r) / 2 + mp.sqrt(mp.pi) * mp.erf(number(r) - 2)  # noqa: E731
    return upto(number(high)) - upto(number(low))


# The value


@pytest.mark.parametrize(
    ("words", "strips", "above"),
    [("ef", ["0", "7/2", "17/4"], 1), ("fe", ["0", "7/2", "17/4"], 0), ("efe", ["0", "3", "7/2", "17/4"], 2)],
)
def test_the_value_of_strips(words: str, strips: list[str], above: int) -> None:
    """Edges that do not move add nothing to Q; the least r, rho - 1, moves with rho and adds w there."""
    value, _ = layers().panel(layer(words, strips))
    with mp.workdps(30):
        high = beyond(Fraction(7, 2))
        floor = integral(w, A - 1, B - 1)
        truth = {1: high, 0: integral(w, A, B) - high - GROWTH * floor, 2: beyond(Fraction(3)) - high}[above]
        holds(value, truth, 1e-6)


@pytest.mark.parametrize("words", ["e+f", "f-e"])
def test_the_value_of_a_curve(words: str) -> None:
    """S' above or below r = 7/2 + x/10 where log f falls, or rises, across it; Q from what moves along the curve."""
    text, f = (RING, ring) if words == "e+f" else ("exp(r-(r/6)**4)", lambda r: mp.exp(r - (r / 6) ** 4))
    value, _ = layers(text).panel(layer(words, ["0", "33/10", "37/10", "17/4"], ["7/2", "1/10"]))
    with mp.workdps(30):
        middle, half = mp.mpf(25) / 8, mp.mpf(1) / 8
        curve = lambda rho: mp.mpf(7) / 2 + (rho - middle) / half / 10  # noqa: E731
        weight = lambda r: r * r * f(r)  # noqa: E731
        p = integral(lambda rho: weight(rho) * share(cosine(rho, curve(rho))), A, B)
        q = integral(lambda rho: weight(curve(rho)) * share(-cosine(curve(rho), rho)) / half / 10, A, B)
        truth = p - GROWTH * q
        if words == "f-e":
            truth = integral(weight, A, B) - GROWTH * integral(weight, A - 1, B - 1) - truth
        holds(value, truth, 1e-5)


def test_the_value_is_that_of_the_set_less_what_its_joints_add() -> None:
    """In space q has the density rho r f(r)/(2 s): Q of S' = {7/2 < r} directly, and the sides of the panel."""
    value, _ = layers().panel(layer("ef", ["0", "7/2", "17/4"]))
    with mp.workdps(30):
        q = integral(lambda rho: rho / 2 * across(Fraction(7, 2), rho + 1), A, B)
        sides = [along(x, mp.mpf("3.5"), x + 1, ring) for x in map(number, (A, B))]
        holds(value, beyond(Fraction(7, 2)) - GROWTH * (q + sides[0] - sides[1]), 1e-6)


def test_where_the_spheres_reach_across_the_shift() -> None:
    """For rho < 1 the least r is 1 - rho, which adds nothing to Q."""
    named, low, high = layers(), Fraction(1, 4), HALF
    value, _ = named.panel(layer("f", ["0", "2"], a=low, b=high))
    with mp.workdps(30):
        holds(value, integral(w, low, high), 1e-6)
    with pytest.raises(Rejected, match="across the shift"):
        named.panel(layer("f", ["0", "3"], a=Fraction(3, 4), b=Fraction(5, 4)))
    assert named.least(layer("f", ["0", "3"], a=HALF, b=S)).hi == 0


def test_where_the_spheres_begin_at_the_shift() -> None:
    """There the least r begins at 0: w is integrated from there by its series, or bounded by powers."""
    x = layer("f", ["0", "3"], a=S, b=S + Fraction(1, 512))
    with mp.workdps(30):
        truth = integral(w, 0, Fraction(1, 512))
        holds(layers(smooth=True).least(x), truth, float(truth) / 100)
        holds(layers(smooth=False).least(x), truth, float(truth) / 20)
        assert layers(smooth=False).least(x).hi != layers(smooth=True).least(x).hi


def test_where_the_spheres_begin_just_beyond_the_shift() -> None:
    """The least r is then between two positive radii, and w is integrated between these alone."""
    x = layer("f", ["0", "3"], a=S + Fraction(1, 2048), b=S + Fraction(1, 512))
    with mp.workdps(30):
        truth = integral(w, Fraction(1, 2048), Fraction(1, 512))
        holds(layers(smooth=False).least(x), truth, float(truth) / 10**6)


def test_an_empty_set_has_no_value() -> None:
    value, cost = layers().panel(layer("ee", ["0", "3", "17/4"]))
    assert (value.lo, value.hi) == (0, 0) and cost.hi > 0


# The cost


def largest(f: Any, low: Fraction, high: Fraction) -> Any:
    return max(f(number(low) + number(high - low) * k / 100) for k in range(101))


@pytest.mark.parametrize("strip", [("33/10", "37/10"), ("37/10", "4")])
def test_a_strip_that_is_left_out_or_taken_costs_its_share(strip: tuple[str, str]) -> None:
    """1 - e^-y or e^y - 1 of p, y from the extremes of log f on the panel and on the strip."""
    low, high = map(Fraction, strip)
    named, log = layers(), lambda r: -((r - 2) ** 2)
    weight, x = Interval(*[named.n.integral(A, B).hi] * 2), layer("fef", ["0", *strip, "17/4"])
    here = named.n.log(named.n.radius(A, B), (A, B)).span()
    with mp.workdps(30):
        part = max(
            share(cosine(rho, number(low))) - share(cosine(rho, number(high)))
            for rho in (number(A) + number(B - A) * k / 50 for k in range(51))
        )
        over = largest(log, A, B) + largest(lambda r: -log(r), low, high) - HALF.numerator / mp.mpf(2)
        lost = min(1, max(0, over)) * number(weight.hi) * part
        cells = [strip_cost(named, x, here, weight, k) for k in range(3)]
        assert lost * mp.mpf("0.999") <= cells[1] <= 2 * lost
        ends = number(low), min(number(high), number(A) + 1)
        p = lambda rho: ring(rho) * (ends[1] ** 2 - ends[0] ** 2) / 2  # noqa: E731
        assert integral(lambda rho: rho / 2 * (p(rho) - GROWTH * across(*ends)), A, B) <= cells[1]


def strip_cost(named: Layers, x: Layer, here: Interval, weight: Interval, k: int) -> Any:
    """What one strip costs, the others apart."""
    kept, x.strips = x.strips, x.strips[k : k + 1]
    found = named.cost(x, here, weight, [])
    x.strips = kept
    assert found.lo == 0
    return number(found.hi)


def test_a_strip_that_is_taken_wrongly_costs_what_q_exceeds_p_by() -> None:
    """On r near 2, the ring, q is large: S' there costs e^eps q - p."""
    named, x = layers(), layer("fe", ["0", "9/4", "17/4"])
    weight = named.n.integral(A, B)
    here = named.n.log(named.n.radius(A, B), (A, B)).span()
    found = strip_cost(named, x, here, weight, 0)
    with mp.workdps(30):
        p = lambda rho: ring(rho) * (mp.mpf("2.25") ** 2 - (rho - 1) ** 2) / 2  # noqa: E731
        true = integral(lambda rho: rho / 2 * (GROWTH * across(rho - 1, Fraction(9, 4)) - p(rho)), A, B)
        assert 0 < true <= found
        part = max(share(cosine(rho, 0)) - share(cosine(rho, mp.mpf("2.25"))) for rho in (number(A), number(B)))
        # log f on [0, 9/4] is at most 0, and on the panel at least -25/16: q exceeds p by e^(25/16 + 1/2) at most
        assert mp.expm1(mp.mpf(25) / 16 + mp.mpf(1) / 2) * number(weight.hi) * part * mp.mpf("0.99") <= found
        assert found <= mp.expm1(mp.mpf(25) / 16 + mp.mpf(1) / 2) * number(weight.hi) * part * mp.mpf("1.5")


def test_a_curve_costs_by_how_much_it_misses_eps() -> None:
    """L(rho) - L(B) - eps along r = 7/2 on the panel is between log f's extremes; either sign may be wrong."""
    named, x = layers(), layer("e+f", ["0", "33/10", "37/10", "17/4"], ["7/2", "0"])
    log = named.n.log(named.n.radius(A, B), (A, B))
    found = named.residual(log, x.strips[1])
    with mp.workdps(30):
        ends = [-((number(rho) - 2) ** 2) + mp.mpf(9) / 4 - mp.mpf(1) / 2 for rho in (A, B)]
        assert number(found.lo) <= min(ends) and max(ends) <= number(found.hi)
        assert number(found.hi - found.lo) <= 1.1 * (max(ends) - min(ends))
        weight = named.n.integral(A, B)
        kept, x.strips = x.strips, [x.strips[1]]
        cost = number(named.cost(x, log.span(), weight, [found]).hi)
        x.strips = kept
        part = number(named.share(x, Fraction(33, 10), Fraction(37, 10)).hi)
        most = max(mp.expm1(abs(e)) for e in ends)
        assert most * part * number(weight.hi) * mp.mpf("0.999") <= cost <= 1.2 * most * part * number(weight.hi)


def test_the_share_of_a_strip() -> None:
    """Its largest on the panel, and all of it about the centre."""
    named = layers()
    found = named.share(layer("f", ["0", "17/4"]), Fraction(5, 2), Fraction(7, 2))
    with mp.workdps(30):
        truth = max(
            share(cosine(rho, mp.mpf("2.5"))) - share(cosine(rho, mp.mpf("3.5")))
            for rho in (number(A) + number(B - A) * k / 50 for k in range(51))
        )
        assert found.lo == 0 and truth <= number(found.hi) <= truth * 1.5
    assert named.share(layer("f", ["0", "5"]), Fraction(0), Fraction(5)).hi == 1
    about = named.share(layer("f", ["0", "2"], a=Fraction(0), b=HALF), Fraction(1), Fraction(3, 2))
    assert (about.lo, about.hi) == (0, 1)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_share_of_a_thin_strip(d: int) -> None:
    """It is far below what the shares beyond both radii, each known on the whole panel, differ by at most."""
    low, at = Fraction(5, 2), mp.mpf(d - 1) / 2
    high = low * (1 + Fraction(1, 2**26))
    found = layers(d=d).share(layer("f", ["0", "17/4"]), low, high)
    with mp.workdps(40):
        beyond = lambda r, rho: mp.betainc(at, at, 0, share(cosine(rho, number(r))), regularized=True)  # noqa: E731
        truth = max(beyond(low, rho) - beyond(high, rho) for rho in (number(A), mp.mpf("3.1"), number(B)))
        assert found.lo == 0 and truth <= number(found.hi) <= truth * (2 if d > 2 else 10**4)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_share_of_a_strip_on_a_short_panel(d: int) -> None:
    """In each dimension, where the heights are inside of (-1, 1) and where the strip reaches beyond the spheres."""
    named, at = layers(d=d), mp.mpf(3)
    x = layer("f", ["0", "5"], a=A, b=A + Fraction(1, 10**6))
    with mp.workdps(30):
        below = lambda t: mp.betainc(  # noqa: E731
            mp.mpf(d - 1) / 2, mp.mpf(d - 1) / 2, 0, (1 + max(-1, min(1, t))) / 2, regularized=True
        )
        for low, high in (("5/2", "7/2"), ("0", "3"), ("7/2", "5"), ("2", "4")):
            found = number(named.share(x, Fraction(low), Fraction(high)).hi)
            ends = [below(cosine(at, number(Fraction(r)))) for r in (low, high)]
            assert -1e-6 <= found - (ends[0] - ends[1]) <= 1e-2


def test_a_strip_about_the_centre_of_q_costs_what_q_has_there() -> None:
    """ "o" is a strip up to some radius: e^eps times the integral of w up to there."""
    named, low, high = layers(), Fraction(999, 1000), Fraction(1001, 1000)
    x = layer("oe", ["0", "1/512", "3"], a=low, b=high)
    x.strips = x.strips[:1]
    here = named.n.log(named.n.radius(low, high), (low, high)).span()
    cost = named.cost(x, here, named.n.integral(low, high), [])
    with mp.workdps(30):
        truth = GROWTH * integral(w, 0, Fraction(1, 512))
        assert truth <= number(cost.hi) <= truth * 1.05
    x.strips = [(Fraction(1, 1024), Fraction(1, 512), "o", [])]
    with pytest.raises(Rejected, match="does not begin there"):
        named.cost(x, here, named.n.integral(low, high), [])


def test_costs_of_strips_add_up() -> None:
    named, x = layers(), layer("eee", ["0", "33/10", "37/10", "17/4"])
    weight, here = named.n.integral(A, B), named.n.log(named.n.radius(A, B), (A, B)).span()
    with mp.workdps(40):
        parts = [strip_cost(named, x, here, weight, k) for k in range(3)]
        whole = number(named.cost(x, here, weight, []).hi)
        assert abs(whole - sum(parts)) < mp.mpf(10) ** -30
        assert sum(part > 0 for part in parts) >= 2


# Strips, edges, joints


def test_edges_of_strips() -> None:
    x = layer("e+fe", ["0", "3", "7/2", "4", "17/4"], ["13/4", "1/8"])
    assert x.edges == [([Fraction(13, 4), Fraction(1, 8)], 1), ([Fraction(4)], -1)]
    assert not x.lowest
    assert x.ends(1) == [(Fraction(27, 8), 1), (4, -1)]
    assert x.ends(-1) == [(Fraction(25, 8), 1), (4, -1)]
    first = layer("+f", ["0", "7/2", "17/4"], ["13/4"])
    assert not first.lowest and first.edges == [([Fraction(13, 4)], 1)]
    last = layer("-e", ["0", "7/2", "17/4"], ["13/4"])
    assert last.lowest and last.edges == [([Fraction(13, 4)], -1)]
    low = layer("f-e", ["0", "3", "7/2", "17/4"], ["13/4"])
    assert low.lowest and low.ends(1) == [(0, 1), (Fraction(13, 4), -1)]
    assert layer("ff", ["0", "3", "17/4"]).ends(1) == [(0, 1)]
    assert layer("fef", ["0", "3", "4", "17/4"]).ends(1) == [(0, 1), (3, -1), (4, 1)]


@pytest.mark.parametrize(
    ("strips", "a", "b"),
    [
        (["1/2", "2"], "1/4", "1/2"),  # r from 1/2
        (["2", "17/4"], "3", "13/4"),
        (["0", "5/2"], "1/2", "3/2"),
    ],
)
def test_strips_cover_all_radii_and_no_fewer(strips: list[str], a: str, b: str) -> None:
    """|x - u| lies between max(s - b, a - s, 0) and b + s."""
    low, high = Fraction(a), Fraction(b)
    top = [strips[0], str(high + 1)]
    layer("f", top, a=low, b=high)
    nudge = Fraction(1, 10**6)
    for wrong in ([str(Fraction(top[0]) + nudge), top[1]], [top[0], str(Fraction(top[1]) - nudge)]):
        with pytest.raises(Rejected, match="do not cover"):
            layer("f", wrong, a=low, b=high)


@pytest.mark.parametrize(
    "given",
    [
        {"strips": ["0", "5"], "words": ["f"], "boundaries": []},
        {"strips": ["0", "5"], "words": "f", "boundaries": "x"},
        {"strips": ["0", "5"], "words": "+", "boundaries": [[]]},
        {"strips": ["0", "5"], "words": "", "boundaries": []},
    ],
)
def test_what_is_no_layer(given: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        Layer(A, B, S, 12, given)


def test_stretches_where_two_sides_differ() -> None:
    """Counted from the least r on, what is left of rho alone first; clipped to |rho - s| and rho + s."""
    rho, s = Fraction(3), S
    assert apart(rho, s, [(Fraction(3), 1)], [(Fraction(7, 2), 1)]) == [(3, Fraction(7, 2))]
    assert apart(rho, s, [(Fraction(7, 2), 1)], [(Fraction(3), 1)]) == [(Fraction(7, 2), 3)]
    assert apart(rho, s, [(Fraction(9), 1)], [(Fraction(3), 1)]) == [(4, 3)]
    assert apart(rho, s, [(Fraction(1), 1), (Fraction(3), -1)], [(Fraction(0), 1), (Fraction(3), -1)]) == []
    assert apart(rho, s, [], []) == []


def test_joints_of_layers() -> None:
    named, rho = layers(), Fraction(3)
    given = {"cuts": [], "rules": "t"}
    found = named.joint(rho, [(Fraction(3), 1)], [(Fraction(7, 2), 1)], iter([given]))
    with mp.workdps(30):
        truth = along(mp.mpf(3), mp.mpf(3), mp.mpf("3.5"), ring)
        holds(found, truth, 1e-3)
        back = named.joint(rho, [(Fraction(7, 2), 1)], [(Fraction(3), 1)], iter([given]))
        holds(back, -truth, 1e-3)
    assert named.joint(rho, [], [], iter([])).hi == 0
    with pytest.raises(Rejected):
        named.joint(rho, [(Fraction(3), 1)], [(Fraction(7, 2), 1)], iter([]))


def test_a_curve_stays_in_its_strip_on_either_side_and_log_f_falls_all_across_it() -> None:
    named, strips = layers(), ["0", "33/10", "37/10", "17/4"]
    for curve in (["17/5", "1/5"], ["18/5", "1/5"], ["17/5", "-1/5"], ["18/5", "-1/5"]):
        with pytest.raises(Rejected, match="leaves its strip"):
            named.panel(layer("e+f", strips, curve))
    top = ["0", "7/4", "5/2", "13/4"]
    for words in ("e+f", "f-e"):
        with pytest.raises(Rejected, match="fall into"):
            named.panel(layer(words, top, ["21/10"], a=Fraction(2), b=Fraction(9, 4)))


def test_edges_lie_on_all_spheres_of_the_panel() -> None:
    """|x - u| is between rho - 1 and rho + 1, for rho < 1 between 1 - rho and 1 + rho."""
    named = layers()
    for edge in ("21/10", "41/10"):
        with pytest.raises(Rejected, match="leaves the spheres"):
            named.panel(layer("ef", ["0", edge, "17/4"]))
    with pytest.raises(Rejected, match="leaves the spheres"):
        named.panel(layer("ef", ["0", "7/10", "17/4"], a=Fraction(1, 4), b=Fraction(3, 8)))


def test_a_set_with_a_curve_over_two_panels() -> None:
    """S' = {r > B(rho)} on (3, 25/8), B = 7/2 + x/10, and r > 18/5 on (25/8, 13/4): its sides are three joints."""
    middle, t = A + Fraction(1, 8), {"cuts": [], "rules": "t"}
    first = {"strips": ["0", "33/10", "37/10", "17/4"], "words": "e+f", "boundaries": [["7/2", "1/10"]]}
    second = {"strips": ["0", "7/2", "17/4"], "words": "ef", "boundaries": []}
    empty = {"strips": ["0", "25"], "words": "e", "boundaries": []}
    given = {"shift": "1", "marks": ["0", "3", str(middle), str(B), "9"], "joints": [t, t, t]}
    value = at_shift(noise(RING, 3, "1", Fraction(-1)), {**given, "layers": [empty, first, second, empty]})
    with mp.workdps(30):
        curve = lambda rho: mp.mpf(7) / 2 + (rho - mp.mpf(49) / 16) * 16 / 10  # noqa: E731
        p = integral(lambda rho: w(rho) * share(cosine(rho, curve(rho))), A, middle)
        p += integral(lambda rho: w(rho) * share(cosine(rho, mp.mpf("3.5"))), middle, B)
        q = integral(lambda rho: rho / 2 * across(curve(rho), rho + 1), A, middle)
        q += integral(lambda rho: rho / 2 * across(Fraction(7, 2), rho + 1), middle, B)
        assert 0 <= p - q / mp.e - number(value.lo) < 1e-5


def test_a_set_on_the_last_panel_has_a_side_there() -> None:
    """S' = {r > B(rho)} on 3 < |x| < 25/8, and nothing beyond."""
    middle, t = A + Fraction(1, 8), {"cuts": [], "rules": "t"}
    last = {"strips": ["0", "33/10", "37/10", "17/4"], "words": "e+f", "boundaries": [["7/2", "1/10"]]}
    empty = {"strips": ["0", "25"], "words": "e", "boundaries": []}
    given = {"shift": "1", "marks": ["0", "3", str(middle)], "joints": [t, t], "layers": [empty, last]}
    value = at_shift(noise(RING, 3, "1", Fraction(-1)), given)
    with mp.workdps(30):
        curve = lambda rho: mp.mpf(7) / 2 + (rho - mp.mpf(49) / 16) * 16 / 10  # noqa: E731
        p = integral(lambda rho: w(rho) * share(cosine(rho, curve(rho))), A, middle)
        q = integral(lambda rho: rho / 2 * across(curve(rho), rho + 1), A, middle)
        assert 0 <= p - q / mp.e - number(value.lo) < 1e-5


def test_a_set_on_the_first_panel_has_a_side_there() -> None:
    """S' = {r < B(rho)} on 1/2 < |x| < 5/8, where log f rises with r; the loss is taken for eps = -1."""
    first = {"strips": ["0", "21/20", "7/5", "2"], "words": "f-e", "boundaries": [["6/5", "1/20"]]}
    empty = {"strips": ["0", "25"], "words": "e", "boundaries": []}
    joints = [{"cuts": ["5/8", "3/4", "7/8", "1"], "rules": "ttttt"}] * 2
    given = {"shift": "1", "marks": ["1/2", "5/8", "9"], "layers": [first, empty], "joints": joints}
    value = at_shift(noise(RING, 3, "1", Fraction(-1)), given)
    with mp.workdps(30):
        curve = lambda rho: mp.mpf(6) / 5 + (rho - mp.mpf(9) / 16) * 16 / 20  # noqa: E731
        ends = HALF, Fraction(5, 8)
        p = integral(lambda rho: w(rho) * (1 - share(cosine(rho, curve(rho)))), *ends)
        q = integral(lambda rho: rho / 2 * across(1 - rho, curve(rho)), *ends)
        assert 0 <= p - q / mp.e - number(value.lo) < 1e-5


def test_what_lies_before_and_beyond_all_panels_costs_all_of_p_there() -> None:
    empty = {"strips": ["0", "25"], "words": "e", "boundaries": []}
    n = noise(RING, 3)
    costs = []
    for first in ("0", "1/2048"):
        marks = [first, "3", "9"]
        value = at_shift(n, {"shift": "1", "marks": marks, "layers": [empty, empty], "joints": []})
        assert value.lo == 0
        panels = [Layers(n, True).panel(Layer(*map(Fraction, pair), S, 12, empty))[1] for pair in pairwise(marks)]
        outside = [n.beyond(Fraction(9), True), *([n.beyond(Fraction(first), False)] if first != "0" else [])]
        with mp.workdps(40):
            whole = sum(number(x.hi) for x in (*panels, *outside))
            assert abs(number(value.hi) - whole) < mp.mpf(10) ** -25
            assert all(x.hi > 0 for x in (*panels, *outside))
        costs.append(value.hi)


def anchor(**changed: Any) -> dict[str, Any]:
    """S' = {|x - u| > 4} on the spheres 3 < |x| < 13/4, and nothing else."""
    empty = {"strips": ["0", "25"], "words": "e", "boundaries": []}
    some = {"strips": ["0", "4", "5"], "words": "ef", "boundaries": []}
    piece = {"cuts": [], "rules": "t"}
    return {"shift": "1", "marks": ["0", "3", "13/4", "9"], "layers": [empty, some, empty], "joints": [piece]} | changed


def test_a_set_whose_sides_are_joints() -> None:
    """Z H is at least P - e^eps Q of a shell's cap; at rho = 3 it is a point, at rho = 13/4 a joint downward."""
    value = at_shift(noise(RING, 3), anchor())
    with mp.workdps(30):
        p = beyond(Fraction(4))
        q = integral(lambda rho: rho / 2 * across(4, rho + 1), A, B)
        assert abs(number(value.lo) - max(0, p - GROWTH * q)) < 1e-5
        assert value.hi > value.lo


@pytest.mark.parametrize(
    "changed",
    [
        {"joints": []},
        {"joints": [{"cuts": [], "rules": "t"}] * 2},
        {"joints": None},
        {"layers": anchor()["layers"][:2]},
        {"layers": None},
        {"marks": ["0", "3", "13/4"]},
    ],
)
def test_what_is_no_anchor(changed: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        at_shift(noise(RING, 3), anchor(**changed))
