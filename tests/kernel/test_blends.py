"""Profiles of mixtures in d dimensions (K580-K589): each part beside mpmath, and certificates that are wrong in one
thing."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.blends import check, said
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.discrete import (
    Discrete,
    Patch,
    distance,
    ellipse,
    integral_of,
    moments,
    polynomials,
    size,
)
from dpverify.kernel.sections.jets import Jet, Series, panel
from dpverify.kernel.sections.sums import Sum, Terms, Weighed, unit

GALLERY = Path(__file__).parents[2] / "certificates" / "mixtures"
UNIFORM, TAILS = "uniform-scale", "scale-with-two-tails"
for section in SECTIONS:
    load_section(section)


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def holds(found: Interval, value: Any, width: Any) -> bool:
    return bool(number(found.lo) <= value <= number(found.hi) and number(found.hi) - number(found.lo) <= width)


def span(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


def patch(**fields: Any) -> Patch:
    given = {"centre": "0", "half": "1", "ellipse": "3/2", "moments": 4, "marks": ["1/2", "2"], "rates": ["1/2"]}
    return Patch({**given, "weights": ["1"], **fields})


def law_of(text: str) -> Problem:
    return Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6, 49, 50])
def test_the_unit_is_the_integral_of_a_gaussian(d: int) -> None:
    with mp.workdps(60):
        value = mp.mpf(2) ** (mp.mpf(d) / 2 - 1) * mp.gamma(mp.mpf(d) / 2)
        assert holds(unit(d), value, value / 10**50)


# Atoms


@pytest.mark.parametrize("d", [1, 4])
@pytest.mark.parametrize("q", ["11/10", "3/2", "2"])
def test_a_gaussian_is_integrable_about_an_ellipse(q: str, d: int) -> None:
    """By the integral of its absolute value where the strip is left, and not much more."""
    u = number(Fraction(q) - 1 / Fraction(q))
    value = mp.cos(u) ** (-mp.mpf(d) / 2)
    found = ellipse(patch(ellipse=q), d)
    assert value < number(found.lo) and number(found.hi) < value * mp.mpf("1.02")
    s, grid = 0.3 + 1j * float(u) / 2, np.linspace(0, 60, 600_001)
    if d == 1:
        density = np.abs(np.exp(-s - grid**2 * np.exp(-2 * s) / 2)) * 2 / np.sqrt(2 * np.pi)
        assert abs(np.trapezoid(density, grid) - float(value)) < 1e-6


@pytest.mark.parametrize(("q", "half"), [("1", "1"), ("9/10", "1"), ("2", "101/100"), ("201/100", "1")])
def test_an_ellipse_without_a_width_or_beyond_the_strip_is_refused(q: str, half: str) -> None:
    assert ellipse(patch(ellipse="2", half="1"), 3).finite()
    with pytest.raises(Rejected, match="ellipse"):
        ellipse(patch(ellipse=q, half=half), 3)


def test_a_polynomial_with_a_remainder_times_powers_of_x() -> None:
    """1 + 2 x + c(x) x^2 with c in [3, 5]."""
    terms = [interval(1), interval(2), span("3", "5")]
    found = [integral_of(terms, j) for j in range(4)]
    expected = [(4, 2 + Fraction(10, 3)), None, (2 * Fraction(1, 3) + Fraction(6, 5), Fraction(2, 3) + 2), None]
    for x, pair in zip(found, expected, strict=True):
        if pair is not None:
            assert abs(number(x.lo) - number(Fraction(pair[0]))) < 1e-50
            assert abs(number(x.hi) - number(Fraction(pair[1]))) < 1e-50
    for j in (1, 3):
        middle, width = Fraction(4, j + 2), Fraction(2, j + 3)
        assert abs(number(found[j].lo) - number(middle - width)) < 1e-50
        assert abs(number(found[j].hi) - number(middle + width)) < 1e-50


def test_chebyshev_polynomials_in_the_variable_of_a_panel() -> None:
    found = patch(centre="1/3", half="2", moments=9)
    m, h, x = Fraction(1, 2), Fraction(1, 5), Fraction(-3, 4)
    listed = polynomials(found, interval(m), interval(h))
    place = (m + h * x - Fraction(1, 3)) / 2
    assert len(listed) == 9
    for n, (t, direct) in enumerate(zip(listed, found.chebyshev(interval(place)), strict=True)):
        value = sum(number(c.lo) * number(x) ** k for k, c in enumerate(t))
        assert abs(value - mp.chebyt(n, number(place))) < 1e-14
        assert abs(number(direct.lo) - mp.chebyt(n, number(place))) < 1e-14
    assert len(polynomials(patch(moments=1), interval(0), interval(1))) == 1


def test_the_moments_of_a_law_on_a_panel() -> None:
    given, box = patch(centre="1/7", half="4/5", moments=7), (Fraction(1), Fraction(3, 2))
    with mp.workdps(40):
        for n, found in enumerate(moments(law_of("exp(-r)*r"), 20, box, given)):
            place = lambda v: (mp.log(v) - mp.mpf(1) / 7) / mp.mpf("0.8")  # noqa: E731
            value = mp.quad(lambda v, n=n, place=place: mp.chebyt(n, place(v)) * v * mp.exp(-v), [1, 1.25, 1.5])
            assert holds(found, value, mp.mpf(10) ** -12)


def test_a_law_that_is_negative_or_not_smooth_is_refused() -> None:
    box = Fraction(3, 4), Fraction(5, 4)
    moments(law_of("(r-1)**2*exp(-r)"), 4, box, patch())
    with pytest.raises(Rejected, match="nowhere negative"):
        moments(law_of("r-1"), 4, box, patch())
    law = law_of("exp(-r)")
    for value in (interval(1), Series([interval(1), span("0", "1") * Interval(Decimal(1), INF)])):
        law.at_box = lambda *at, value=value: SimpleNamespace(value=lambda tree: value)  # type: ignore[assignment, misc]
        with pytest.raises(Rejected, match="smooth on a panel"):
            moments(law, 2, box, patch())


NODES = np.polynomial.legendre.leggauss(3)


def few_atoms() -> tuple[list[str], list[str]]:
    """Three for the law of density 1 on (1, 2), by Gauss's rule in log v, as rates and weights."""
    half = np.log(2) / 2
    v = np.exp(half + half * NODES[0])
    rates, weights = 1 / (2 * v * v), half * NODES[1] * v
    return ([str(Fraction(x).limit_denominator(10**9)) for x in found] for found in (rates, weights))  # type: ignore[return-value]


def test_the_distance_of_mixtures_is_no_less_than_their_integrals_difference() -> None:
    rates, weights = few_atoms()
    a, w = (np.array([float(Fraction(x)) for x in found]) for found in (rates, weights))
    x, v = np.linspace(-20, 20, 8_001), np.linspace(1, 2, 2_001)
    f = np.trapezoid(np.exp(-((x[:, None] / v) ** 2) / 2) / (v * np.sqrt(2 * np.pi)), v, axis=1)
    h = (w * np.sqrt(a / np.pi) * np.exp(-a * x[:, None] ** 2)).sum(axis=1)
    true = np.trapezoid(np.abs(f - h), x)
    marks = {"marks": ["1", "2"], "rates": rates, "weights": weights}
    last = None
    for count in (2, 4, 6):
        given = patch(centre="17/50", half="9/25", ellipse="4", moments=count, **marks)
        found = float(distance(law_of("1"), 24, given, 1).hi)
        assert true < found and (last is None or found < last)
        last = found
    assert last is not None and last < 2_000 * true


@pytest.mark.parametrize(
    "change",
    [
        {"weights": ["3/10", "1/10", "1/10"]},
        {"rates": ["1/2", "1/4", "1/3"]},
        {"marks": ["1", "21/10"]},
        {"ellipse": "11/10"},
        {"moments": 1},
    ],
)
def test_a_distance_grows_with_what_is_wrong(change: dict[str, Any]) -> None:
    rates, weights = few_atoms()
    given = {"centre": "17/50", "half": "1/2", "ellipse": "3", "moments": 6, "marks": ["1", "2"]}
    right = distance(law_of("1"), 24, patch(**given, rates=rates, weights=weights), 1)
    wrong = distance(law_of("1"), 24, patch(**{**given, "rates": rates, "weights": weights, **change}), 1)
    assert wrong.hi > 3 * right.hi


def test_a_patch_reaches_its_ends_and_its_atoms() -> None:
    for change in ({"marks": ["1/3", "2"]}, {"marks": ["1/2", "3"]}, {"rates": ["1/20"]}, {"rates": ["5"]}):
        with pytest.raises(Rejected, match="reach as far"):
            distance(law_of("1"), 4, patch(**change), 1)
    assert distance(law_of("1"), 4, patch(), 1).finite()


@pytest.mark.parametrize(
    "change",
    [
        {"marks": ["1"]},
        {"marks": ["0", "1"]},
        {"marks": ["2", "1"]},
        {"weights": ["1", "1"]},
        {"weights": ["0"]},
        {"weights": ["-1"]},
        {"rates": ["0"]},
        {"half": "0"},
        {"moments": 0},
        {"moments": 101},
        {"more": "1"},
    ],
)
def test_what_is_no_patch_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        patch(**change)


def test_the_size_of_an_interval() -> None:
    assert size(span("-3", "2")).hi == 3 and size(span("-1", "2")).hi == 2 and size(span("1", "2")).lo == 0


def discrete(**changes: Any) -> Discrete:
    first = {"centre": "0", "half": "1", "ellipse": "3/2", "moments": 4, "marks": ["1/2", "1"], "rates": ["1"]}
    both = [{**first, "weights": ["1/4"]}, {**first, "marks": ["1", "2"], "rates": ["1/4"], "weights": ["1/2"]}]
    given = {"order": 6, "patches": both, "ends": {"zero": "power", "infinity": "power"}, **changes}
    return Discrete(law_of("r*exp(-2*r)"), given, 1)


def test_what_lies_beyond_the_patches_counts_with_its_mass() -> None:
    found = discrete()
    inner = sum(distance(law_of("r*exp(-2*r)"), 12, Patch(x), 1).hi for x in PATCHES)
    before = {x: (1 - (-2 * x).exp() * (1 + 2 * x)) / 4 for x in (Decimal("0.5"), Decimal(2))}
    least = before[Decimal("0.5")] + Decimal("0.25") - before[Decimal(2)]
    assert found.rates == [1, Fraction(1, 4)] and found.weights == [Fraction(1, 4), Fraction(1, 2)]
    assert found.distance.lo == 0 and found.distance.hi > inner + least and found.distance.hi < inner + 3


PATCHES = [
    {"centre": "0", "half": "1", "ellipse": "3/2", "moments": 4, "marks": m, "rates": r, "weights": w}
    for m, r, w in ((["1/2", "1"], ["1"], ["1/4"]), (["1", "2"], ["1/4"], ["1/2"]))
]


@pytest.mark.parametrize(
    "change",
    [
        {"patches": PATCHES[:0]},
        {"patches": PATCHES[::-1]},
        {"patches": {}},
        {"patches": [PATCHES[0], PATCHES[0]]},
        {"ends": {"zero": "nothing", "infinity": "power"}},
        {"ends": {"zero": "power", "infinity": "nothing"}},
        {"ends": {"zero": "power", "infinity": "some"}},
        {"order": 25},
    ],
)
def test_patches_that_leave_something_out_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        discrete(**change)


def test_more_patches_than_take_seconds_are_refused() -> None:
    many = [str(Fraction(1, 2) + Fraction(k, 9_000)) for k in range(4_500)]
    with pytest.raises(Rejected, match="too many"):
        discrete(patches=[{**PATCHES[0], "marks": many}])
    with pytest.raises(Rejected, match="too many"):
        discrete(patches=[{**PATCHES[0], "rates": ["1"] * 3_001, "weights": ["1"] * 3_001}])
    with pytest.raises(Rejected, match="too many"):
        discrete(patches=[{**PATCHES[0], "marks": many[:3_000]}], order=24)


# Sums

RATES, WEIGHTS = list(map(Fraction, ("1/8", "1", "7", "1000000"))), list(map(Fraction, ("1/2", "1", "2", "1/3")))


def summed(y: Any, k: int, d: int) -> Any:
    """The absolute value of h's k-th Taylor coefficient at y."""
    pairs = [(number(a), number(w)) for a, w in zip(RATES, WEIGHTS, strict=True)]
    return sum(w * (2 * a) ** (mp.mpf(d) / 2) * a**k * mp.exp(-a * y) for a, w in pairs) / mp.factorial(k)


@pytest.mark.parametrize("d", [1, 3, 10])
@pytest.mark.parametrize("y", ["0", "1/100000", "1/1000", "3", "80", "40000"])
def test_the_coefficients_of_a_sum(y: str, d: int) -> None:
    """Far out the steeper terms are bounded together, and next to nothing."""
    terms, at = Terms(RATES[::-1], WEIGHTS[::-1], d), Decimal(Fraction(y).numerator) / Fraction(y).denominator
    with mp.workdps(60):
        for k, (low, high) in enumerate(zip(terms.least(at, 6), terms.most(at, 6), strict=True)):
            value = summed(number(Fraction(y)), k, d)
            assert number(low) <= value <= number(high) and number(high) - number(low) <= value * mp.mpf(10) ** -17


def test_terms_that_are_bounded_together_are_no_less_than_they_are() -> None:
    """Two terms next to each other, with a larger part in the steeper one."""
    terms = Terms([Fraction(1), Fraction(200), Fraction(201)], [Fraction(1), Fraction(1), Fraction(10**88)], 1)
    assert [x.hi for x in Terms([Fraction(3), Fraction(1)], [Fraction(5), Fraction(2)], 1).left] == [7, 5]
    with mp.workdps(60):
        exact = sum(w * mp.sqrt(2 * a) * a * mp.exp(-a) for a, w in ((1, 1), (200, 1), (201, mp.mpf(10) ** 88)))
        low, high = terms.least(Decimal(1), 1)[1], terms.most(Decimal(1), 1)[1]
        assert number(low) < exact < number(high) and number(low) < mp.mpf("0.9") * exact


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("radius", ["1/100000", "1/2", "3", "20"])
def test_the_mass_within_and_beyond_a_radius(radius: str, d: int) -> None:
    r, terms = Fraction(radius), Terms(RATES, WEIGHTS, d)
    with mp.workdps(60):
        half = mp.mpf(d) / 2
        for outward in (False, True):
            whole = most = exact = mp.mpf(0)
            for a, w in zip(RATES, WEIGHTS, strict=True):
                x, height = number(a * r * r), number(w) * mp.mpf(2) ** (half - 1)
                part = height * mp.gammainc(half, *((x,) if outward else (0, x)))
                bound = x**half * mp.exp(-x) / (x - half) if outward and x > half else mp.inf
                bound = bound if outward else x**half / half
                exact, whole = exact + part, whole + height * mp.gamma(half)
                most += height * min(bound, mp.gamma(half))
            found = terms.mass(r, outward)
            assert found.lo == 0 and exact <= number(found.hi) <= whole * (1 + mp.mpf(10) ** -40)
            assert abs(number(found.hi) - most) < most / 10**15


def log_h(r: Any, d: int) -> Any:
    return mp.log(summed(r * r, 0, d))


@pytest.mark.parametrize(("low", "high"), [("0", "1/2000"), ("1/2", "5/8"), ("3", "25/8")])
def test_the_logarithm_along_a_panel(low: str, high: str) -> None:
    a, b, d = Fraction(low), Fraction(high), 3
    p, r = Sum(Terms(RATES, WEIGHTS, d), Fraction(1)), panel(12, ((a + b) / 2, (b - a) / 2))
    log = Jet(*(p.on_panel(u, None, False) for u in (r.middle, r.whole))).narrow()
    *known, rest = log.terms()
    with mp.workdps(50):
        for k in range(-4, 5):
            x = mp.mpf(k) / 4
            value = log_h(number(a + b) / 2 + number(b - a) / 2 * x, d)
            ends = [sum(number(getattr(c, end)) * x**j for j, c in enumerate(known)) for end in ("lo", "hi")]
            over = [number(getattr(rest, end)) * x**12 for end in ("lo", "hi")]
            slack = mp.mpf(10) ** -15
            assert min(ends) + min(over) - slack <= value <= max(ends) + max(over) + slack
    with pytest.raises(Rejected, match="no series"):
        p.on_panel(SimpleNamespace(), None, False)  # type: ignore[arg-type]


@pytest.mark.parametrize(("low", "high"), [("0", "1"), ("1", "5/4"), ("1/1000", "1/100"), ("4", "9")])
def test_boxes_and_losses_by_the_ends(low: str, high: str) -> None:
    a, b, d, s = Fraction(low), Fraction(high), 2, Fraction(1, 2)
    p = Sum(Terms(RATES, WEIGHTS, d), s)
    box, loss = p.on_box(a, b), p.loss(a, b, s)
    with mp.workdps(40):
        for k in range(1, 20):
            r = number(a) + number(b - a) * k / 20
            value, slope = log_h(r, d), -2 * r * summed(r * r, 1, d) / summed(r * r, 0, d)
            assert number(box.u.lo) <= value <= number(box.u.hi)
            assert number(box.du.lo) <= slope <= number(box.du.hi)
            assert value - log_h(r + number(s), d) <= number(loss.hi)
            assert holds(p.at_radius(interval(Fraction(k, 7))), log_h(mp.mpf(k) / 7, d), 1e-15)
        steep = 2 * number(s) * number(b + s) * summed(number(a * a), 1, d) / summed(number(a * a), 0, d)
        most, least = (summed(number(x * x), 1, d) / summed(number(x * x), 0, d) for x in (a, b))
        assert abs(number(box.du.lo) + 2 * number(b) * most) < 1e-12 * (1 + number(b) * most)
        assert abs(number(box.du.hi) + 2 * number(a) * least) < 1e-12
        ends = log_h(number(a), d) - log_h(number(b + s), d)
        assert abs(number(loss.hi) - min(steep, ends)) < 1e-12


def test_what_asks_for_a_text_is_refused() -> None:
    noise = Weighed(Sum(Terms(RATES, WEIGHTS, 1), Fraction(1)), 4, Fraction(1))
    with pytest.raises(Rejected, match="no tree"):
        noise.valued(Fraction(1), Fraction(2))
    assert noise.beyond(Fraction(2), True).hi == noise.terms.mass(Fraction(2), True).hi
    assert noise.largest(Fraction(1), Fraction(2)).hi == noise.p.loss(Fraction(1), Fraction(2), Fraction(1)).hi


# Certificates


def altered(name: str, change: Callable[[dict[str, Any]], object]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def shifted(by: int) -> Callable[[dict[str, Any]], object]:
    """The enclosure of delta moved up or down by more than its width."""

    def change(c: dict[str, Any]) -> None:
        delta = c["claim"]["points"][0]["delta"]
        delta.update({end: str(Fraction(value) * (1 + Fraction(by, 10**8))) for end, value in delta.items()})

    return change


def claims(**fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda c: c["claim"].update(fields)


def heaviest(c: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """A patch of the proof and the place of its largest weight."""
    patch = max(c["proof"]["atoms"]["patches"], key=lambda x: len(x["rates"]))
    weights = [Fraction(w) for w in patch["weights"]]
    return patch, weights.index(max(weights))


def weighed(factor: Fraction) -> Callable[[dict[str, Any]], object]:
    def change(c: dict[str, Any]) -> None:
        patch, k = heaviest(c)
        patch["weights"][k] = str(Fraction(patch["weights"][k]) * factor)

    return change


def moved(c: dict[str, Any]) -> None:
    patch, k = heaviest(c)
    patch["rates"][k] = str(Fraction(patch["rates"][k]) * (1 + Fraction(1, 10**6)))


def dropped(c: dict[str, Any]) -> None:
    patch, k = heaviest(c)
    del patch["rates"][k], patch["weights"][k]


def of_patch(**fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda c: heaviest(c)[0].update(fields)


def without_panels(c: dict[str, Any]) -> None:
    how = c["proof"]["profile"]["points"][0]
    del how["left"][3:6]
    how["left_sets"] = how["left_sets"][:3] + how["left_sets"][6:]


FORGED: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (UNIFORM, shifted(1), "K589"),
    (UNIFORM, shifted(-1), "K589"),
    (UNIFORM, claims(dimension=2), ""),
    (UNIFORM, claims(dimension="infinity"), ""),
    (UNIFORM, claims(dimension=0), ""),
    (UNIFORM, claims(theorem="Theorem C"), "claim"),
    (UNIFORM, claims(verdict="private"), "claim"),
    (UNIFORM, claims(kind="mixture profile"), ""),
    (UNIFORM, claims(sensitivity="11/10"), ""),
    (UNIFORM, claims(mixing="Piecewise((1, (v > 1) & (v < 2)), (1/1000, True))"), ""),
    (UNIFORM, claims(mixing="Piecewise((v, (v > 1) & (v < 2)), (0, True))"), "K589"),
    (UNIFORM, claims(mixing="Piecewise((1, (v > 1) & (v < 5/2)), (0, True))"), ""),
    (UNIFORM, claims(mixing="Piecewise((1 + 0*log(-v), (v > 1) & (v < 2)), (0, True))"), ""),
    (UNIFORM, claims(parameters={"v": "1"}), "claim"),
    (UNIFORM, lambda c: c["claim"]["points"][0].update(epsilon="1/5"), ""),
    (UNIFORM, weighed(1 + Fraction(1, 10**7)), "K589"),
    (UNIFORM, weighed(1 - Fraction(1, 10**7)), "K589"),
    (UNIFORM, moved, "K589"),
    (UNIFORM, dropped, "K589"),
    (UNIFORM, of_patch(moments=4), "K589"),
    (UNIFORM, of_patch(ellipse="101/100"), "K589"),
    (UNIFORM, of_patch(ellipse="6"), "K580"),
    (UNIFORM, of_patch(half="1/4"), "K582"),
    (UNIFORM, of_patch(centre="0"), "K582"),
    (UNIFORM, lambda c: c["proof"]["atoms"]["patches"].pop(), ""),
    (UNIFORM, lambda c: c["proof"]["atoms"]["patches"].pop(0), ""),
    (UNIFORM, lambda c: c["proof"]["atoms"]["ends"].update(zero="power"), ""),
    (UNIFORM, lambda c: c["proof"]["atoms"].update(order=1), ""),
    (UNIFORM, lambda c: c["proof"].pop("atoms"), "steps"),
    (UNIFORM, lambda c: c["proof"].update(law={}), "steps"),
    (UNIFORM, lambda c: c["proof"]["profile"].update(order=1), ""),
    (UNIFORM, lambda c: c["proof"]["profile"].update(points=[]), "steps"),
    (UNIFORM, lambda c: c["proof"]["profile"].update(points=["pure"]), ""),
    (UNIFORM, lambda c: c["proof"]["profile"].update(points=["normal"]), ""),
    (UNIFORM, lambda c: c["proof"]["profile"]["points"][0]["left"].pop(), "steps"),
    (UNIFORM, lambda c: c["proof"]["profile"]["points"][0].update(left_sets="v" * 200), ""),
    (UNIFORM, without_panels, ""),
    (TAILS, shifted(1), "K589"),
    (TAILS, claims(dimension=2), ""),
    (TAILS, claims(dimension=4), ""),
    (TAILS, weighed(1 + Fraction(1, 10**7)), ""),
    (TAILS, lambda c: c["proof"]["atoms"]["ends"].update(zero="nothing"), ""),
    (TAILS, lambda c: c["proof"]["atoms"]["ends"].update(infinity="nothing"), ""),
    (TAILS, lambda c: c["proof"]["atoms"]["patches"].pop(), ""),
    (TAILS, lambda c: c["proof"]["atoms"]["patches"].pop(1), "steps"),
    (TAILS, lambda c: c["proof"]["profile"]["points"][0]["marks"].pop(), "steps"),
    (TAILS, lambda c: c["proof"]["profile"]["points"][0]["joints"].pop(), "steps"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change", "code"), FORGED)
def test_what_is_wrong_in_one_thing_is_refused(
    name: str, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    with pytest.raises(Rejected) as refusal:
        check_bytes(altered(name, change))
    assert not code or refusal.value.code == code


def test_what_is_not_altered_holds() -> None:
    found = check_bytes(altered(UNIFORM, lambda c: None))
    assert found.claim["dimension"] == 1 and "in dimension 1, V of law" in str(found)


def test_words_of_stretches_by_values_are_refused() -> None:
    def change(c: dict[str, Any]) -> None:
        how = c["proof"]["profile"]["points"][0]
        how["left_sets"] = "v" + how["left_sets"][1:]

    with pytest.raises(Rejected):
        check_bytes(altered(UNIFORM, change))


def test_a_law_in_phases_is_refused() -> None:
    certificate = json.loads((GALLERY / f"{UNIFORM}.json").read_text())
    phase = {"turns": True, "frequency": "1", "cover": ["0", "2"], "peak": "0"}
    with pytest.raises(Rejected, match="one tail"):
        check(certificate["claim"], certificate["proof"] | {"phase": phase})


def test_more_panels_than_take_seconds_are_refused() -> None:
    def change(c: dict[str, Any]) -> None:
        how = c["proof"]["profile"]["points"][0]
        how["left"] = [str(Fraction(k, 1_000)) for k in range(40_000)]

    with pytest.raises(Rejected) as refusal:
        check_bytes(altered(UNIFORM, change))
    assert refusal.value.code == "limits"


def test_the_claim_in_one_line() -> None:
    claim = json.loads((GALLERY / f"{UNIFORM}.json").read_text())["claim"] | {"sensitivity": "3", "scale": "2"}
    claim |= {"parameters": {"k": "2"}}
    assert "k = 2" in said(claim) and "Delta/sigma = 3/2, " in said(claim)


def test_marks_join() -> None:
    patches = json.loads((GALLERY / f"{UNIFORM}.json").read_text())["proof"]["atoms"]["patches"]
    assert all(a["marks"][-1] == b["marks"][0] for a, b in pairwise(patches))
