"""Certificates of an f that rises somewhere, in two dimensions and more: against quadrature, and forged ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import charts
from dpverify.kernel.sections.layers import Layer, Layers, apart
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.turning import Means, Turns
from tests.profiles.test_must_fail import read, refusal

for section in SECTIONS:
    load_section(section)
HALF = Fraction(1, 2)
NEAR, FAR = (Fraction(1, 1024), 6), (Fraction(10), 6)


def noise(text: str, d: int, shift: str = "1", epsilon: Fraction = HALF) -> Noise:
    problem = charts.Problem(Reader(text, {}).tree(), d, Fraction(shift), NEAR, FAR)
    return Noise(problem, 12, epsilon)


@cache
def shell() -> str:
    return json.dumps(read("shell-d3"))


def forged() -> tuple[dict[str, Any], dict[str, Any]]:
    certificate: dict[str, Any] = json.loads(shell())
    return certificate, certificate["proof"]["profile"]["points"][0]


# Against other ways to the same numbers


def shell_divergence(t: int, epsilon: mp.mpf) -> mp.mpf:
    """Z H(t) for F = exp(-(r - 2)^2) in space: in the plane of (rho, r) p has the density rho r F(rho)/(2 t)."""
    cut = lambda rho: mp.sqrt((rho - 2) ** 2 + epsilon)  # noqa: E731
    bounds = (
        lambda rho: 2 - cut(rho) - abs(rho - t),
        lambda rho: 2 - cut(rho) - (rho + t),
        lambda rho: 2 + cut(rho) - abs(rho - t),
        lambda rho: 2 + cut(rho) - (rho + t),
    )
    marks = {mp.mpf(t), *(mp.mpf(k) / 4 for k in range(49))}
    for bound in bounds:
        for k in range(1, 240):
            a, b = mp.mpf(k) / 20, mp.mpf(k + 1) / 20
            if bound(a) * bound(b) < 0:
                marks.add(mp.findroot(bound, (a, b), solver="anderson"))

    def inner(rho: mp.mpf) -> mp.mpf:
        height, floor, top, a = mp.exp(-((rho - 2) ** 2)), abs(rho - t), rho + t, cut(rho)

        def upto(r: mp.mpf) -> mp.mpf:
            other = -mp.exp(-((r - 2) ** 2)) / 2 + mp.sqrt(mp.pi) * mp.erf(r - 2)
            return height * r * r / 2 - mp.exp(epsilon) * other

        near, far = min(2 - a, top), max(2 + a, floor)
        total = (upto(near) - upto(floor) if near > floor else 0) + (upto(top) - upto(far) if top > far else 0)
        return rho * total

    return mp.quad(inner, sorted(marks)) / (2 * t)


@pytest.mark.slow
def test_the_claim_encloses_quadrature_at_thirty_digits() -> None:
    delta = forged()[0]["claim"]["points"][0]["delta"]
    with mp.workdps(30):
        mass = mp.quad(lambda r: r * r * mp.exp(-((r - 2) ** 2)), [0, 2, 6, 14])
        value = shell_divergence(1, mp.mpf(1) / 2) / mass
        low, high = (mp.mpf(x.numerator) / x.denominator for x in map(Fraction, (delta["lower"], delta["upper"])))
        assert low <= value <= high
        assert high - low <= low / 10**9


@pytest.mark.parametrize("d", [2, 3, 5, 10])
def test_means_of_the_cosine(d: int) -> None:
    """M against the integral of its definition, over a run that is in the set and over one that may be."""
    c = np.sin(np.pi * ((np.arange(400_000) + 0.5) / 400_000 - 0.5))
    share = (1 - c * c) ** ((d - 2) / 2)
    share /= share.sum()
    near, far = interval(Fraction(3, 5)), interval(Fraction(-3, 10))
    run = (c > -0.3) & (c < 0.6)
    known = Means(d).over([(near, far, "f")])
    assert abs(float(known.lo) - (c * share)[run].sum()) < 1e-5 and known.hi - known.lo < Decimal("1e-20")
    either = Means(d).over([(near, far, "u")])
    assert abs(float(either.lo) - (c * share)[run & (c < 0)].sum()) < 1e-5
    assert abs(float(either.hi) - (c * share)[run & (c > 0)].sum()) < 1e-5
    whole = Means(d).over([(interval(Fraction(2)), interval(Fraction(-2)), "u")] * 2)
    assert abs(float(whole.hi) - (c * share)[c > 0].sum()) < 1e-4


@pytest.mark.slow
def test_slopes_on_a_cell_enclose_difference_quotients() -> None:
    """Z H' for a law on a ring in space, against Z H at both ends of the cell by quadrature."""
    rows = [str(Fraction(k, 8)) for k in range(73)]
    turns = Turns(noise("exp(-(r-2)**2)", 3), {"rows": rows, "start": "0", "end": "8"})
    found = turns.on_cell((Fraction(9, 10), Fraction(1)))
    with mp.workdps(15):
        slope = (shell_divergence(1, mp.mpf(1) / 2) - shell_divergence(mp.mpf("0.9"), mp.mpf(1) / 2)) * 10  # type: ignore[arg-type]
    assert float(found.lo) <= slope <= float(found.hi)
    assert found.hi - found.lo < 4


def test_where_sets_on_two_panels_differ() -> None:
    """S' = (1, 2) on the left, (3/2, 5) on the right, on the sphere of radius 2 about a shift of 2: r < 4."""
    left, right = [(Fraction(1), 1), (Fraction(2), -1)], [(Fraction(3, 2), 1), (Fraction(5), -1)]
    two = Fraction(2)
    assert apart(two, two, left, right) == [(1, Fraction(3, 2)), (4, 2)]
    assert apart(two, two, left, left) == []
    assert apart(two, two, [(Fraction(0), 1)], []) == [(0, 4)]


# What is refused


def layer(words: str, strips: list[str], *curves: list[str]) -> Layer:
    given = {"strips": strips, "words": words, "boundaries": list(curves)}
    return Layer(Fraction(3), Fraction(13, 4), Fraction(1), 12, given)


RING = "exp(-(r-2)**2)"


def test_a_curve_into_which_log_f_rises_is_refused() -> None:
    """From the ring outward L falls, so S' may lie above a curve there; inward it rises, and nothing is known."""
    named = Layers(noise(RING, 3), True)
    edge = ["7/2", "0"]
    _, cost = named.panel(layer("e+f", ["0", "33/10", "37/10", "17/4"], edge))
    assert cost.hi.is_finite()
    with pytest.raises(Rejected, match="fall into"):
        named.panel(layer("f-e", ["0", "33/10", "37/10", "17/4"], edge))


@pytest.mark.parametrize(
    ("words", "strips", "curves", "match"),
    [
        ("ee", ["9/4", "3", "17/4"], [], "do not cover"),
        ("ee", ["2", "3", "4"], [], "do not cover"),
        ("e", ["2", "3", "17/4"], [], "do not match"),
        ("ex", ["2", "3", "17/4"], [], "do not match"),
        ("e+", ["2", "3", "17/4"], [], "one curve"),
        ("ee", ["2", "3", "17/4"], [["7/2"]], "one curve"),
        ("e+", ["2", "3", "17/4"], [["7/2"] * 13], "too long"),
    ],
)
def test_strips_that_do_not_say_what_s_is(words: str, strips: list[str], curves: list[list[str]], match: str) -> None:
    with pytest.raises(Rejected, match=match):
        layer(words, strips, *curves)


def test_a_curve_that_leaves_its_strip_or_the_spheres() -> None:
    named = Layers(noise(RING, 3), True)
    for curve in (["7/2", "1/2"], ["37/10"]):
        with pytest.raises(Rejected, match="leaves its strip"):
            named.panel(layer("e+f", ["0", "33/10", "37/10", "17/4"], curve))
    with pytest.raises(Rejected, match="leaves the spheres"):
        named.panel(layer("ef", ["0", "41/10", "17/4"]))


def test_what_is_left_out_of_s_is_paid_for() -> None:
    """The value of a panel with the layer, and without it less its cost, enclose the same number."""
    named = Layers(noise(RING, 3), True)
    strips = ["0", "33/10", "37/10", "17/4"]
    value, _ = named.panel(layer("e+f", strips, ["7/2", "1/10"]))
    nothing, cost = named.panel(layer("eee", strips))
    assert nothing.hi == 0 and cost.hi >= value.lo > 0


def test_a_jump_is_no_row() -> None:
    """F with a jump at 1: its slopes are not bounded about an end of a row."""
    rows = [str(Fraction(k, 4)) for k in range(20)]
    with pytest.raises(Rejected):
        Turns(noise("Piecewise((exp(-r), r < 1), (2*exp(-r), True))", 3), {"rows": rows, "start": "0", "end": "3"})


@pytest.mark.parametrize(
    "change", [{"end": "9/2"}, {"end": "1/3"}, {"start": "3"}, {"start": "1/8", "rows": ["0", "2"]}]
)
def test_rows_that_end_before_the_shifts(change: dict[str, Any]) -> None:
    rows = [str(Fraction(k, 4)) for k in range(20)]
    with pytest.raises(Rejected, match="do not reach"):
        Turns(noise(RING, 3), {"rows": rows, "start": "0", "end": "3", **change})


def claim_off(certificate: dict[str, Any], step: dict[str, Any], end: str, part: Fraction) -> None:
    delta = certificate["claim"]["points"][0]["delta"]
    middle = (Fraction(delta["lower"]) + Fraction(delta["upper"])) / 2
    delta["lower"], delta["upper"] = map(str, sorted(middle * (1 + k * part) for k in (1, 2)))


def words(step: dict[str, Any], old: str, new: str) -> None:
    found = next(x for x in step["anchors"][0]["layers"] if old in x["words"])
    found["words"] = found["words"].replace(old, new)
    if old in "+-":
        found["boundaries"] = []


FORGERIES: dict[str, tuple[Callable[[dict[str, Any], dict[str, Any]], Any], set[str]]] = {
    "upper end lowered": (lambda c, s: claim_off(c, s, "upper", -Fraction(1, 10**9)), {"K161"}),
    "inner layer left out": (lambda c, s: words(s, "-", "e"), {"K161", "K260"}),
    "outer layer left out": (lambda c, s: words(s, "+", "e"), {"K161", "steps"}),
    "everything taken": (lambda c, s: words(s, "+", "f"), {"K161", "K260", "steps"}),
    "lower end raised": (lambda c, s: claim_off(c, s, "lower", Fraction(1, 10**9)), {"K161"}),
    "a joint left out": (lambda c, s: s["anchors"][0]["joints"].pop(), {"steps", "K159", "format"}),
    "a panel left out": (lambda c, s: [s["anchors"][0][x].pop(9) for x in ("marks", "layers")], {"steps", "K260"}),
    "a cell left out": (lambda c, s: s["cells"].pop(0), {"steps"}),
    "a grid that there is not": (lambda c, s: s["cells"].append(s["cells"].pop() + 9), {"format"}),
    "another shift": (lambda c, s: s["anchors"][0].update(shift="99/100"), {"steps"}),
    "shorter shifts alone": (lambda c, s: s["shifts"].append(s["shifts"].pop().replace("1", "1/2")), {"steps"}),
    "another epsilon": (lambda c, s: c["claim"]["points"][0].update(epsilon="1/3"), {"K161", "K260", "K261"}),
    "another sensitivity": (lambda c, s: c["claim"].update(sensitivity="11/10"), {"steps", "K28"}),
    "another dimension": (lambda c, s: c["claim"].update(dimension=4), {"K161", "K23", "K159", "steps"}),
    "the longest shift for the worst": (lambda c, s: c["claim"].update(theorem="Theorem B"), {"steps", "K19", "rules"}),
}


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_certificate_is_refused(name: str) -> None:
    certificate, step = forged()
    change, codes = FORGERIES[name]
    change(certificate, step)
    assert refusal(certificate) in codes


@pytest.mark.campaign
def test_f_that_vanishes_at_its_centre() -> None:
    """Where log f has no bound, S' and the rows about it are open; the certificate is as narrow as is promised."""
    found = dpverify.profile("r*exp(-r)", dimension=3, epsilon="1/2", tolerance="1e-6", certificate=True)
    assert found.certificate is not None and dpverify.check(found.certificate)
    step = found.certificate["proof"]["profile"]["points"][0]
    assert any("o" in x["words"] for x in step["anchors"][0]["layers"])
    delta = found.certificate["claim"]["points"][0]["delta"]
    assert Fraction(delta["upper"]) - Fraction(delta["lower"]) <= Fraction(delta["lower"]) / 10**9
    wrong = copy.deepcopy(found.certificate)
    layer = next(x for x in wrong["proof"]["profile"]["points"][0]["anchors"][0]["layers"] if "o" in x["words"])
    layer["words"] = layer["words"].replace("o", "f")
    assert refusal(wrong)
