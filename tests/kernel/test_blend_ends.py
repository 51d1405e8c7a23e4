"""Sums of Gaussians and the atoms of a law (K580-K589), part by part: each end on its side, at few digits or of wide
intervals, and limits where they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import factorial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected, intervals
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import D0, D1, INF, ZERO, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import BROUGHT
from dpverify.kernel.sections import blends, discrete, mixtures, sums
from dpverify.kernel.sections.blends import Blend
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.discrete import Discrete, Patch
from dpverify.kernel.sections.hilbert import ENDS
from dpverify.kernel.sections.jets import panel
from dpverify.kernel.sections.profiles import panels
from dpverify.kernel.sections.sums import Sum, Terms, Weighed
from dpverify.kernel.steps import Steps

GALLERY = Path(__file__).parents[2] / "certificates" / "mixtures"
for section in SECTIONS:
    load_section(section)


def span(low: Any, high: Any) -> Interval:
    return Interval(Decimal(low), Decimal(high))


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(60):
        yield


# Sums


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three digits for what sums of Gaussians round by themselves."""
    down, up = (Context(prec=3, rounding=mode, traps=[]) for mode in (ROUND_FLOOR, ROUND_CEILING))
    monkeypatch.setattr(intervals, "DOWN", down)  # as what rounds exponentials knows it
    monkeypatch.setattr(sums, "DOWN", down)
    monkeypatch.setattr(sums, "UP", up)


def test_exponents_are_rounded_away_from_what_they_bound(few: None) -> None:
    terms = Terms([Fraction("1.0123")], [Fraction(1)], 2)
    for y in ("1.0078", "1.0001", "7.0903", "9.9991"):
        for k, (low, high) in enumerate(zip(terms.least(Decimal(y), 2), terms.most(Decimal(y), 2), strict=True)):
            value = number(Fraction("1.0123") ** (k + 1) * 2 / factorial(k)) * mp.exp(-mp.mpf("1.0123") * mp.mpf(y))
            assert number(low) < value < number(high) < value * mp.mpf("1.2")


def test_from_where_terms_are_bounded_together_is_rounded_up(few: None) -> None:
    terms = Terms([Fraction(1)], [Fraction(1)], 3)
    terms.rates = [span("1.0001", "1.0033")]
    for y, order in (("1.01", 0), ("2.02", 2), ("99.9", 7)):
        assert Fraction(terms.last(Decimal(y), order)) >= Fraction("1.0033") * Fraction(y) + 103 + order
    terms.rates = [span(1, 5)]
    assert terms.last(Decimal(0), 4) == 107 and terms.last(Decimal(4), 4) == 127


def wide() -> Terms:
    """Two terms whose rates, weights and heights are known roughly."""
    terms = Terms([Fraction(1), Fraction(3)], [Fraction(1), Fraction(1)], 2)
    terms.rates, terms.weights = [span(1, 2), span(3, 4)], [span(5, 6), span(7, 8)]
    terms.heights, terms.left = [span(10, 20), span(30, 40)], [span(12, 14), span(7, 8)]
    return terms


@pytest.mark.parametrize("y", ["0", "1/4", "3"])
def test_what_is_known_roughly_bounds_the_coefficients_on_both_sides(y: str) -> None:
    terms, at = wide(), Fraction(y)
    found = (f(Decimal(at.numerator) / at.denominator, 3) for f in (terms.least, terms.most))
    for k, (low, high) in enumerate(zip(*found, strict=True)):
        least = (10 * mp.exp(-2 * number(at)) + 30 * 3**k * mp.exp(-4 * number(at))) / factorial(k)
        most = (20 * 2**k * mp.exp(-number(at)) + 40 * 4**k * mp.exp(-3 * number(at))) / factorial(k)
        assert least * (1 - mp.mpf(10) ** -17) <= number(low) <= least
        assert most <= number(high) <= most * (1 + mp.mpf(10) ** -17)


def test_terms_known_roughly_are_bounded_together() -> None:
    """From a y = 120 on, beside one of e^-1; what is at least so is nothing, at most all weights at the first."""
    terms = wide()
    terms.rates, terms.weights = [span(1, 1), span(120, 121), span(130, 131)], []
    terms.heights, terms.left = [span(1, 1), *[span(0, 0)] * 2], [ZERO, span(1, "1e70"), ZERO]
    for k, (low, high) in enumerate(zip(terms.least(Decimal(1), 2), terms.most(Decimal(1), 2), strict=True)):
        first, more = mp.exp(-1) / factorial(k), mp.mpf(10) ** 70 * 242 * mp.exp(-120) * 121**k / factorial(k)
        assert number(low) <= first and first + more <= number(high) <= (first + more) * (1 + mp.mpf(10) ** -17)


def test_terms_that_just_reach_as_far_are_not_bounded_together() -> None:
    """1 + 100 + 0 + 2 = 103: the second is in both sums, and the third in the second with it."""
    terms = Terms([Fraction(1), Fraction(103), Fraction(104)], [Fraction(1), Fraction(10**60), Fraction(10**60)], 2)
    low, high = terms.least(Decimal(1), 0)[0], terms.most(Decimal(1), 0)[0]
    first, second, third = (
        2 * a * w * mp.exp(-a) for a, w in ((1, 1), (103, mp.mpf(10) ** 60), (104, mp.mpf(10) ** 60))
    )
    near = 1 - mp.mpf(10) ** -17
    assert (first + second) * near < number(low) < first + second
    assert first + second + third < number(high) < (first + second + third) / near


def test_terms_are_sorted_by_their_rates_with_their_weights() -> None:
    terms = Terms([Fraction(3), Fraction(1), Fraction(2)], [Fraction(5), Fraction(7), Fraction(1, 3)], 4)
    assert [x.lo for x in terms.rates] == [1, 2, 3] and terms.weights[0].lo == 7 and terms.weights[2].hi == 5
    assert [x.lo for x in terms.heights[::2]] == [28, 180] and terms.left[2].hi == 5 and terms.left[0].lo > 12


def test_what_is_known_roughly_bounds_the_mass_from_above() -> None:
    """In the plane a term's whole mass is its weight; rates about 1 and 3, heights as they are said to be."""
    terms = wide()

    def close(found: Interval, value: Any) -> bool:
        return bool(value <= number(found.hi) <= value * (1 + mp.mpf(10) ** -15))

    inner = terms.mass(Fraction(1, 2), False)
    assert inner.lo == 0 and close(inner, mp.mpf(20) / 8 + mp.mpf(40) / 8)
    assert close(terms.mass(Fraction(4), False), mp.mpf(6 + 8))
    assert close(terms.mass(Fraction(3, 4), False), mp.mpf(20 * 9) / 32 + 8)
    outer = terms.mass(Fraction(2), True)
    parts = [h * 4 * mp.exp(-4 * a) / (8 * a - 2) for h, a in ((20, 1), (40, 3))]
    assert outer.lo == 0 and close(outer, sum(parts))
    assert close(terms.mass(Fraction(9, 10), True), 6 + 40 * mp.mpf("0.81") * mp.exp(-3 * 0.81) / (6 * 0.81 - 2))


def test_a_rate_that_hardly_exceeds_the_dimension_bounds_a_mass_already() -> None:
    found = Terms([Fraction(19, 20)], [Fraction(1)], 1).mass(Fraction(1), True)
    value = mp.sqrt(2 * mp.mpf("0.95")) * mp.exp(-mp.mpf("0.95")) / mp.mpf("0.9")
    assert value <= number(found.hi) < value * (1 + mp.mpf(10) ** -40)


def sum_of(d: int = 2, delta: Fraction = Fraction(1)) -> Sum:
    return Sum(Terms([Fraction(1), Fraction(2)], [Fraction(1), Fraction(3)], d), delta)


def test_coefficients_about_an_interval_are_those_at_its_ends() -> None:
    """Also where another that begins or ends there was asked for before."""
    p = sum_of()
    for low, high, order in ((1, 2, 3), (1, 3, 3), ("0.5", 3, 3), ("0.5", 3, 2), (3, 3, 2)):
        found = p.about(span(low, high), order)
        assert len(found) == order + 1
        for k, x in enumerate(found):
            values = [
                (-1) ** k * (2 * mp.exp(-y) + 12 * 2**k * mp.exp(-2 * y)) / factorial(k)
                for y in map(number, (low, high))
            ]
            assert number(x.lo) < min(values) and max(values) < number(x.hi)
            assert number(x.hi) - number(x.lo) < max(values) - min(values) + mp.mpf(10) ** -15


def test_every_coefficient_of_the_logarithm_along_a_series() -> None:
    """The last one too, which a remainder takes."""
    p, r = sum_of(), panel(6, (Fraction(1), Fraction(1, 4)))
    found = p.on_panel(r.middle, None, False).c
    h = lambda x: mp.log(2 * mp.exp(-((1 + x / 4) ** 2)) + 12 * mp.exp(-2 * (1 + x / 4) ** 2))  # noqa: E731
    for x, value in zip(found, mp.taylor(h, 0, 6), strict=True):
        assert abs(number(x.lo) - value) < mp.mpf(10) ** -13 > abs(number(x.hi) - value)
    whole = p.on_panel(r.whole, None, False).c
    for at in (-1, -0.5, 0.25, 1):
        for x, value in zip(whole, mp.taylor(h, at, 6), strict=True):
            assert number(x.lo) <= value <= number(x.hi)


def test_a_box_and_its_loss_have_the_outer_ends_of_what_is_known() -> None:
    p, a, b, h = sum_of(), Fraction(3), Fraction(5), Fraction(2)
    known = {a: (span(3, 4), span(5, 6)), b: (span(1, 2), span("2.5", 3)), b + h: (span(-9, -8), span(1, 2))}
    p.falls = lambda r: known[r]  # type: ignore[method-assign]
    box = p.on_box(a, b)
    assert [box.u.lo, box.u.hi, box.du.lo, box.du.hi] == [1, 4, -60, -15]
    assert p.loss(a, b, h).hi == 13 and p.loss(a, b, h).lo == -INF
    known[a] = span(100, 101), span(1, "1.5")
    assert p.loss(a, b, h).hi == Decimal(42)


def test_the_mean_rate_is_a_quotient_of_coefficients() -> None:
    p = sum_of()
    p.about = lambda y, order: [span(2, 4), span(-12, -6)][: order + 1] if y.lo == 9 else []  # type: ignore[method-assign]
    value, mean = p.falls(Fraction(3))
    assert (
        number(value.lo) < mp.log(2)
        and mp.log(4) < number(value.hi)
        and (mean.lo, mean.hi) == (Decimal("1.5"), Decimal(6))
    )
    at = p.at_radius(interval(3))
    assert number(at.lo) < mp.log(2) and mp.log(4) < number(at.hi)


def test_the_tail_of_a_sum_is_all_that_may_be_lost() -> None:
    noise = Weighed(sum_of(), 4, Fraction(1, 2))
    assert noise.tail == ("power", Fraction(0)) and noise.level == Fraction(1, 2)


# Atoms


def patch(**fields: Any) -> Patch:
    given = {"centre": "0", "half": "1", "ellipse": "3/2", "moments": 4, "marks": ["1/2", "2"], "rates": ["1/2"]}
    return Patch({**given, "weights": ["1"], **fields})


def law_of(text: str) -> Problem:
    return Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))


def test_a_patch_of_two_marks_and_of_no_atoms() -> None:
    found = patch(rates=[], weights=[], moments=100)
    assert found.count == 100 and found.rates == [] and found.q == Fraction(3, 2)
    assert patch(moments=1).count == 1
    for change in ({"marks": ["1", "2", "2"]}, {"marks": ["2", "1", "3"]}, {"half": "-1", "rates": [], "weights": []}):
        with pytest.raises(Rejected):
            patch(**change)


def test_where_a_patch_lies() -> None:
    found = patch(centre="1/2", half="4").place(span(1, 2))
    assert (found.lo, found.hi) == (Decimal("0.125"), Decimal("0.375"))
    for count, values in ((1, [1]), (2, [1, 1]), (4, [1, 1, 1, 1])):
        assert [x.lo for x in patch(moments=count).chebyshev(span(1, 1))] == values
    assert [x.hi for x in patch(moments=4).chebyshev(span(-1, -1))] == [1, -1, 1, -1]
    assert [x.lo for x in patch(moments=4).chebyshev(span("0.5", "0.5"))] == [1, Decimal("0.5"), Decimal("-0.5"), -1]
    for x in (span("-1.01", 0), span(0, "1.01"), span("-1.01", "1.01")):
        with pytest.raises(Rejected, match="reach as far"):
            patch().chebyshev(x)


def test_a_patch_reaches_its_last_mark_of_three() -> None:
    assert discrete.distance(law_of("1"), 4, patch(marks=["1/2", "1", "2"]), 1).finite()
    for marks in (["1/2", "1", "3"], ["1/3", "1", "2"]):
        with pytest.raises(Rejected, match="reach as far"):
            discrete.distance(law_of("1"), 4, patch(marks=marks), 1)


def test_the_largest_value_on_the_ellipse_by_fractions() -> None:
    """1 - u^2/2 + u^4/24 - u^6/720 for u = 5/6; in the plane C is its inverse."""
    u = Fraction(5, 6)
    value = 1 / (1 - u**2 / 2 + u**4 / 24 - u**6 / 720)
    found = discrete.ellipse(patch(), 2)
    assert Fraction(found.lo) <= value <= Fraction(found.hi) and Fraction(found.hi) - value < Fraction(1, 10**50)


def test_a_distance_has_the_upper_ends_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """C (|m_0| + 2 |m_1|/q + 2 |m_2|/q^2 + 2 q^-2/(q - 1) m), q = 3/2, with moments that are given."""
    monkeypatch.setattr(discrete, "moments", lambda p, order, box, patch: [span(2, 3), span(-5, 1), span(1, 4)])
    monkeypatch.setattr(discrete, "ellipse", lambda patch, d: span(1, 7))
    given = patch(moments=3, marks=["1/2", "1", "2"], rates=["1/2"], weights=["1"])  # at v = 1: X = 0
    found = discrete.distance(law_of("1"), 4, given, 1)
    q, mass = Fraction(3, 2), 7  # two panels of at most 3, and an atom
    least = [
        max(abs(2 * a - t), abs(2 * b - t)) for (a, b), t in zip(((2, 3), (-5, 1), (1, 4)), (1, 0, -1), strict=True)
    ]
    value = 7 * (least[0] + 2 * least[1] / q + 2 * least[2] / q**2 + mass * 2 / q**2 / (q - 1))
    assert found.lo == 0 and value <= Fraction(found.hi) < value + Fraction(1, 10**50)


def test_a_moment_is_of_what_is_not_negative_by_either_range(monkeypatch: pytest.MonkeyPatch) -> None:
    law, box = law_of("r"), (Fraction(1), Fraction(2))
    (first,) = discrete.moments(law, 2, box, patch(moments=1))
    assert number(first.lo) <= mp.mpf("1.5") <= number(first.hi) < mp.mpf("1.61")
    law.value_on_box = lambda a, b: span(-1, 1)  # type: ignore[method-assign]
    (same,) = discrete.moments(law, 2, box, patch(moments=1))
    assert (same.lo, same.hi) == (first.lo, first.hi)
    touching = law_of("r-1")
    touching.value_on_box = lambda a, b: ZERO  # type: ignore[method-assign]
    assert discrete.moments(touching, 2, (Fraction(1, 2), Fraction(3, 2)), patch())[0].finite()
    touching.value_on_box = lambda a, b: span(-1, 1)  # type: ignore[method-assign]
    with pytest.raises(Rejected, match="nowhere negative"):
        discrete.moments(touching, 2, (Fraction(1, 2), Fraction(3, 2)), patch())


def test_a_law_that_is_0_on_a_panel_adds_nothing() -> None:
    law = law_of("0")
    law.value_on_box = lambda a, b: span(-1, 1)  # type: ignore[method-assign]
    for x in discrete.moments(law, 2, (Fraction(1, 2), Fraction(3, 2)), patch()):
        assert x.lo == x.hi == 0


def many(count: int, **fields: Any) -> dict[str, Any]:
    marks = [str(Fraction(1, 2) + Fraction(2 * k, count - 1)) for k in range(count)]
    given = {"centre": "0", "half": "1", "ellipse": "3/2", "moments": 1, "marks": marks, "rates": [], "weights": []}
    return given | fields


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No distance of a patch is found."""
    monkeypatch.setattr(discrete, "distance", lambda p, order, patch, d: span(0, order))


def atoms(patches: Any, order: int = 1) -> Discrete:
    given = {"order": order, "patches": patches, "ends": {"zero": "power", "infinity": "power"}}
    return Discrete(law_of("r*exp(-2*r)"), given, 1)


def test_no_more_marks_and_atoms_than_there_may_be(quick: None) -> None:
    for right, wrong in (
        (many(4_000), many(4_001)),
        (many(2, rates=["1"] * 3_000, weights=["1"] * 3_000), many(2, rates=["1"] * 3_001, weights=["1"] * 3_001)),
    ):
        assert atoms([right]).distance.hi >= 2
        with pytest.raises(Rejected, match="too many") as refusal:
            atoms([wrong])
        assert refusal.value.code == "limits"


def test_no_more_work_than_there_may_be(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    size = law_of("r*exp(-2*r)").tree.size
    for order, counts, moments in ((1, (5, 7), (3, 4)), (3, (9, 2), (1, 50)), (24, (3, 3), (100, 1))):
        first = many(counts[0], moments=moments[0])
        second = many(
            counts[1], moments=moments[1], marks=[str(Fraction(first["marks"][-1]) + k) for k in range(counts[1])]
        )
        work = sum(counts) * (size + 20) * 4 * order**2
        work += sum(2 * n * m * (m + 2 * order) for n, m in zip(counts, moments, strict=True))
        monkeypatch.setattr(discrete, "MOST_WORK", work)
        assert atoms([first, second], order).rates == []
        monkeypatch.setattr(discrete, "MOST_WORK", work - 1)
        with pytest.raises(Rejected, match="too many"):
            atoms([first, second], order)


def test_the_order_of_atoms_is_even_and_at_most_48(quick: None) -> None:
    """The distance that is given here is the order; what lies beyond counts besides."""
    found = [atoms([many(2)], order).distance.hi for order in (1, 2, 24)]
    assert [round(x - found[0]) for x in found] == [0, 2, 46] and 2 < found[0] < 3
    for order in (0, 25):
        with pytest.raises(Rejected):
            atoms([many(2)], order)


def test_what_is_no_list_of_patches_is_refused(quick: None) -> None:
    odd: list[Any] = [None, 1, {}, []]
    for patches in odd:
        with pytest.raises(Rejected):
            atoms(patches)


def test_ends_are_those_of_the_first_and_of_the_last_patch(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def beyond(p: Problem, at: Fraction, side: str) -> Interval:
        asked.append((at, side))
        return span(0, 10)

    monkeypatch.setitem(ENDS, "power", beyond)
    first, last = many(3, marks=["1/2", "1", "3/2"]), many(2, marks=["3/2", "4"])
    found = atoms([first, last])
    assert asked == [(Fraction(1, 2), "zero"), (4, "infinity")] and found.distance.hi == 24


def test_a_distance_that_is_not_finite_is_refused(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENDS, "power", lambda p, at, side: Interval(Decimal(0), INF))
    with pytest.raises(Rejected, match="finite"):
        atoms([many(2)])


# The profile


def blend(d: int, distance: Any, *weights: Any) -> Blend:
    found = object.__new__(Blend)
    found.law = SimpleNamespace(distance=span(0, distance), weights=list(map(Fraction, weights)))  # type: ignore[assignment]
    found.sum, found.order = sum_of(d), 4
    return found


Bounds = Callable[[Interval, Interval], None]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Bounds:
    """What the panels say, in space, and 100 times as much on a line."""

    def put(value: Interval, cost: Interval) -> None:
        monkeypatch.setattr(blends, "spheres", lambda noise, how: (value, cost))
        monkeypatch.setattr(blends, "line", lambda noise, how: (value * 100, cost * 100))

    return put


def test_a_delta_lies_between_what_the_panels_and_the_distance_leave(given: Bounds) -> None:
    """In the plane at eps = 0, where the distance counts twice; (v -+ 2 D)/(M -+ D)."""
    given(span("0.25", "0.5"), span("0.03125", "0.0625"))
    low, high = blend(2, "0.0625", 1, 1).at(Fraction(0), None)
    assert Fraction(low) <= Fraction(2, 33) < Fraction(low) + Fraction(1, 10**50)
    assert Fraction(high) >= Fraction(11, 31) > Fraction(high) - Fraction(1, 10**50)
    low, high = blend(4, "0.0625", 1, 1).at(Fraction(0), None)  # where the unit is 2
    assert abs(Fraction(low)) == 0 and abs(Fraction(high) - Fraction(13, 62)) < Fraction(1, 10**50)


def test_the_distance_counts_once_and_e_to_the_eps_times(given: Bounds) -> None:
    given(span(1, 1), span(0, 0))
    low, high = (number(x) for x in blend(2, "0.0625", 2).at(Fraction(1), None))
    for found, side in ((low, -1), (high, 1)):
        assert abs(found - (1 + side * (1 + mp.e) / 16) / (2 - mp.mpf(side) / 16)) < mp.mpf(10) ** -15


def test_a_delta_is_a_probability(given: Bounds) -> None:
    given(span(-3, "-0.5"), span(0, 0))
    assert blend(2, "0.0625", 1).at(Fraction(0), None) == (D0, D0)
    given(span(-3, 5), span(0, 0))
    assert blend(2, "0.0625", 1).at(Fraction(0), None) == (D0, D1)


def test_a_line_has_its_own_panels(given: Bounds) -> None:
    given(span("0.0001", "0.0001"), span(0, 0))
    low, high = (number(x) for x in blend(1, 0, 1).at(Fraction(0), None))
    assert low <= mp.mpf("0.01") / mp.sqrt(mp.pi / 2) <= high < mp.mpf("0.00798")


def test_atoms_without_a_mass_beside_the_distance_are_refused(given: Bounds) -> None:
    given(span(0, "0.01"), span(0, 0))
    assert blend(2, "0.0625", "1/8").at(Fraction(0), None)[0] == 0
    for distance in ("0.125", "0.25"):
        with pytest.raises(Rejected, match="positive"):
            blend(2, distance, "1/16", "1/16").at(Fraction(0), None)


def test_a_point_that_no_loss_reaches_asks_for_no_panels() -> None:
    assert blend(2, 0, 1).at(Fraction(3), "pure") == (D0, D0)


CLAIM = json.loads((GALLERY / "uniform-scale.json").read_text())


class Opened:
    """A certificate's proof without what takes long: its atoms are three, and a pure epsilon is what is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.left = list[Any](), list[str]()
        monkeypatch.setattr(blends, "Discrete", self.discrete)
        monkeypatch.setitem(BROUGHT, "a bound of a mixture's losses", self.bounded)

    def discrete(self, p: Problem, given: Any, d: int) -> Any:
        self.asked.append((p.dimension, d))
        return SimpleNamespace(rates=[Fraction(1)] * 3, weights=[Fraction(1)] * 3, distance=ZERO)

    def bounded(self, proof: Any, most: Fraction) -> Any:
        self.asked.append(most)
        return SimpleNamespace(left=self.left)

    def open(self, points: Any, order: Any = 4, epsilons: tuple[str, ...] = ("1/4",), **fields: Any) -> Blend:
        asked = [{"epsilon": e, "delta": {"lower": "0", "upper": "1"}} for e in epsilons]
        proof = CLAIM["proof"] | {"profile": {"order": order, "points": points}}
        return Blend(CLAIM["claim"] | {"points": asked} | fields, Steps(proof))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


HOW = CLAIM["proof"]["profile"]["points"][0]


def test_the_work_of_a_profile_is_counted(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for d, order in ((1, 1), (3, 4), (1_000, 24)):
        points = [HOW, "pure"]
        count = panels({"order": order, "points": points})
        work = count * (3 * 2 * order + 40 * 4 * order**2 + 20 * d)
        monkeypatch.setattr(blends, "MOST_WORK", work)
        found = opened.open(points, order, ("1/4", "5"), dimension=d)
        assert found.order == 2 * order and found.noise(Fraction(1)).order == 2 * order
        assert opened.asked[-2:] == [5, (d, d)] and found.sum.dimension == d == found.sum.terms.d
        monkeypatch.setattr(blends, "MOST_WORK", work - 1)
        with pytest.raises(Rejected, match="too many") as refusal:
            opened.open(points, order, ("1/4", "5"), dimension=d)
        assert refusal.value.code == "limits"


def test_orders_that_are_none_are_refused(opened: Opened) -> None:
    for order in (0, 25, "4", None):
        with pytest.raises(Rejected, match="order"):
            opened.open([HOW], order)


def test_the_least_pure_epsilon_is_bounded_and_nothing_is_left_of_it(opened: Opened) -> None:
    found = opened.open(["pure", "pure"], epsilons=("7", "6"))
    assert opened.asked == [6] and not hasattr(found, "law") and found.points == [(Fraction(e), "pure") for e in (7, 6)]
    opened.open([HOW], epsilons=("7",))
    assert opened.asked == [6, (1, 1)]
    opened.left.append("1")
    with pytest.raises(Rejected, match="no claim needs"):
        opened.open(["pure"])


def test_what_the_text_of_the_law_needs_is_to_be_shown(opened: Opened) -> None:
    assert opened.open([HOW], mixing="exp(-v)").subject.reader.needs == []
    with pytest.raises(Rejected, match="defined"):
        opened.open([HOW], mixing="exp(-v) + 0*sqrt(1-v)")


def test_steps_that_do_not_match_the_points_are_refused(opened: Opened) -> None:
    for points in ([], [HOW, HOW], {"1": HOW}, "x", None):
        with pytest.raises(Rejected, match="match"):
            opened.open(points)


def test_the_claim_is_checked_to_the_end(opened: Opened) -> None:
    """Its verdict and theorem, its bounds, its quantiles, and that no step is left over."""
    claim = CLAIM["claim"] | {"points": [{"epsilon": "5", "delta": {"lower": "0", "upper": "0"}}]}
    needed = {name: CLAIM["proof"][name] for name in ("zero", "infinity")}
    needed |= {name: CLAIM["proof"][name] for name in ("cover", "defined") if name in CLAIM["proof"]}
    proof = needed | {"profile": {"order": 4, "points": ["pure"]}}
    assert blends.check(claim, proof) == []
    quantile = {"delta": "1/10", "epsilon": {"lower": "0", "upper": "5"}}
    assert blends.check(claim | {"quantiles": [quantile]}, proof) == []
    wrong: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({"verdict": "private"}, {}, "claim"),
        ({"theorem": "Theorem C"}, {}, "claim"),
        ({"theorem": "Theorem C", "verdict": "private"}, {}, "claim"),
        ({"more": 1}, {}, "format"),
        ({"points": [{"epsilon": "5", "delta": {"lower": "1/9", "upper": "1"}}]}, {}, "K589"),
        ({"quantiles": [quantile | {"epsilon": {"lower": "0", "upper": "4"}}]}, {}, "K162"),
        ({}, {"atoms": {}}, "steps"),
    ]
    for of_claim, of_proof, code in wrong:
        with pytest.raises(Rejected) as refusal:
            blends.check(claim | of_claim, proof | of_proof)
        assert refusal.value.code == code


def test_a_window_that_a_pure_epsilon_does_not_ask_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is what is claimed, as where it is beside a profile."""
    found, asked = SimpleNamespace(left=[]), list[Any]()
    monkeypatch.setattr(mixtures, "loss_bounded", lambda proof, most: (asked.append(most), found)[1])  # type: ignore[func-returns-value]
    monkeypatch.setattr(mixtures, "at_least", lambda proof, f, given, bound: asked.append((f is found, given, bound)))
    proof: Any = SimpleNamespace(steps=Steps({"witness": "here"}))
    mixtures.private(proof, Fraction(1), Fraction(2))
    assert asked == [2, (True, "here", 1)]
    found.left.append("1/2")
    with pytest.raises(Rejected, match="no claim needs"):
        mixtures.private(proof, Fraction(1), Fraction(2))
