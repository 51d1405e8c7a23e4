"""Profiles in infinite dimension (K400-K407): each part beside mpmath, and certificates that are wrong in one thing."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import INF, Interval, hull, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.hilbert import (
    Atoms,
    Density,
    Level,
    Panel,
    at_point,
    beyond,
    check,
    density,
    gaussian,
    positive,
    said,
    separated,
)
from dpverify.kernel.sections.jets import Series

GALLERY = Path(__file__).parents[2] / "certificates" / "mixtures"
STUDENT, SLASH, ATOMS = "student-t-path", "slash-path", "two-gaussians-path"
for section in SECTIONS:
    load_section(section)


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def holds(found: Interval, value: Any, width: Any) -> bool:
    return bool(number(found.lo) <= value <= number(found.hi) and number(found.hi) - number(found.lo) <= width)


def h(t: Any, e: Any) -> Any:
    return mp.ncdf(t / 2 - e / t) - mp.exp(e) * mp.ncdf(-t / 2 - e / t)


@pytest.mark.parametrize("epsilon", ["0", "1/3", "7"])
@pytest.mark.parametrize("t", ["1/1000", "1/2", "3", "200"])
def test_the_profile_of_a_gaussian_rises_with_the_shift(t: str, epsilon: str) -> None:
    at, e = Fraction(t), Fraction(epsilon)
    with mp.workdps(80):
        value = h(number(at), number(e))
        assert holds(gaussian(interval(at), interval(e)), value, value / 10**20 + mp.mpf(10) ** -40)
        several = gaussian(hull(interval(at), interval(2 * at)), interval(e))
        assert number(several.lo) <= value <= h(2 * number(at), number(e)) <= number(several.hi)


def test_a_shift_that_may_be_none_is_refused() -> None:
    with pytest.raises(Rejected, match="positive"):
        gaussian(hull(interval(0), interval(1)), interval(1))


def student(nu: int = 3) -> Problem:
    tree = Reader(f"r**(-{nu}-1)*exp(-{nu}/(2*r**2))", {}).tree()
    return Problem(tree, 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))


def p(v: Any, nu: int = 3) -> Any:
    return v ** (-nu - 1) * mp.exp(-nu / (2 * v * v))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["0", "2"])
def test_a_panel_adds_its_integral_of_the_mass_before(epsilon: str) -> None:
    a, b, before, e, s = Fraction(1, 2), Fraction(9, 16), Fraction(1, 7), Fraction(epsilon), Fraction(3)
    panel = Panel(student(), 20, (a, b), interval(before))
    with mp.workdps(30):
        mass = lambda w: number(before) + mp.quad(p, [number(a), w])  # noqa: E731
        rate = lambda w: mp.npdf(number(e) * w / 3 - 3 / (2 * w)) / w**2  # noqa: E731
        exact = mp.quad(lambda w: rate(w) * mass(w), [number(a), number(b)]) * mp.sqrt(2 * mp.pi)
        assert holds(Level(s, e).part(panel), exact, exact / 10**10)
        assert holds(panel.after, mass(number(b)), mp.mpf(10) ** -10)


@pytest.mark.parametrize("order", [2, 4])
def test_a_short_panel_of_low_order_adds_no_less_and_no_more(order: int) -> None:
    """Its remainder counts, by so much as its coefficient says, and is narrow."""
    a, b, before, s = Fraction(1), Fraction(257, 256), Fraction(1, 7), Fraction(3)
    panel = Panel(student(), order, (a, b), interval(before))
    with mp.workdps(25):
        mass = lambda w: number(before) + mp.quad(p, [number(a), w])  # noqa: E731
        rate = lambda w: mp.npdf(w / 3 - 3 / (2 * w)) / w**2  # noqa: E731
        exact = mp.quad(lambda w: rate(w) * mass(w), [number(a), number(b)], maxdegree=3) * mp.sqrt(2 * mp.pi)
        assert holds(Level(s, Fraction(1)).part(panel), exact, exact / 10 ** (3 * order - 2))


@pytest.mark.parametrize("side", ["zero", "infinity"])
def test_the_mass_beyond_an_end(side: str) -> None:
    at = Fraction(1, 2) if side == "zero" else Fraction(20)
    with mp.workdps(30):
        inverse = lambda u: p(1 / u) / u**2  # noqa: E731
        exact = mp.quad(inverse, [2, 3, 5, 20]) if side == "zero" else mp.quad(p, [20, 40, 100, mp.inf])
        assert holds(beyond(student(), at, side), exact, 2 * exact)


@pytest.mark.parametrize(
    ("text", "side"), [("1/r", "infinity"), ("1/r", "zero"), ("r**(-3)", "zero"), ("exp(-r)*0", "zero")]
)
def test_a_mass_that_is_not_finite_or_is_none_is_refused(text: str, side: str) -> None:
    law = Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))
    with pytest.raises(Rejected):
        beyond(law, Fraction(1, 20) if side == "zero" else Fraction(20), side)


def test_a_density_that_is_negative_somewhere_is_refused() -> None:
    law = Problem(Reader("(r-1)*exp(-r)", {}).tree(), 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))
    with pytest.raises(Rejected, match="nowhere negative"):
        Panel(law, 10, (Fraction(3, 4), Fraction(5, 4)), interval(0))
    with pytest.raises(Rejected):
        Density(law, {"order": 5, "marks": ["1/20", "1/2"], "ends": {"zero": "power", "infinity": "power"}})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1: 1", ["1", " 1"]),
        ("1/3: 1, Max(1, 2): exp(1)", ["1/3", " 1", " Max(1, 2)", " exp(1)"]),
        ("1, 2", None),
        ("1: 2: 3", None),
        ("1: 2,", None),
        ("1: (2, 3: 4", None),
        ("", None),
        ("(", None),
    ],
)
def test_atoms_are_weights_and_values_in_turn(text: str, parts: list[str] | None) -> None:
    if parts is None:
        with pytest.raises(Rejected, match="atom"):
            separated(text)
    else:
        assert separated(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-1", "1-1", "log(-1)", "1/(exp(1)-exp(1))", "sqrt(2)-sqrt(3)", "r", "v", "d"),
        *("1+0*log(-1)", "log(2)+log(3)-log(6)", "(1-1)**0", "(exp(1)-exp(1))**0", "exp(exp(exp(10)))"),
    ],
)
def test_an_atom_is_a_positive_number(text: str) -> None:
    with pytest.raises(Rejected):
        positive(Reader(text, {}, radial=False))


def test_there_are_fifty_atoms_at_most() -> None:
    assert len(Atoms(", ".join(["1: 1"] * 50), {}).pairs) == 50
    with pytest.raises(Rejected, match="too many atoms"):
        Atoms(", ".join(["1: 1"] * 51), {})


class Shown:
    """A law whose mass and mean are known as they are given."""

    def __init__(self, mass: Interval, mean: Interval) -> None:
        self.found = mass, mean

    def mean(self, level: Level) -> tuple[Interval, Interval]:
        return self.found


def span(low: str, high: str) -> Interval:
    return hull(interval(Fraction(low)), interval(Fraction(high)))


@pytest.mark.parametrize(
    ("mean", "low", "high"),
    [
        (("1/5", "3/5"), "1/10", "3/10"),
        (("-1/5", "3/5"), "0", "3/10"),
        (("1", "3"), "1/2", "1"),
        (("-2", "-1"), "0", "0"),
    ],
)
def test_delta_is_the_mean_over_the_mass_and_lies_between_0_and_1(mean: tuple[str, str], low: str, high: str) -> None:
    found = at_point(Shown(span("2", "2"), span(*mean)), Fraction(1), Fraction(1))  # type: ignore[arg-type]
    assert tuple(map(Fraction, found)) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("mass", [("0", "1"), ("-1", "1"), ("-2", "-1")])
def test_a_mass_that_may_be_none_is_refused(mass: tuple[str, str]) -> None:
    with pytest.raises(Rejected, match="mass of the mixing law"):
        at_point(Shown(span(*mass), span("0", "1")), Fraction(1), Fraction(1))  # type: ignore[arg-type]


def test_what_lies_beyond_the_ends_adds_at_most_its_mass_times_what_is_left_of_h() -> None:
    level = Level(Fraction(3), Fraction(2))
    inside, outside = level.ends(
        (Fraction(1, 2), span("1/9", "1/7")), (Fraction(4), span("1/5", "1/4")), span("2", "2")
    )
    with mp.workdps(40):
        assert inside.lo == 0 and abs(number(inside.hi) - (1 - h(6, 2)) / 7) < 1e-30
        assert abs(number(outside.lo) - h(mp.mpf(3) / 4, 2) * 7 / 4) < 1e-30
        assert abs(number(outside.hi) - h(mp.mpf(3) / 4, 2) * 2) < 1e-30


def law_of(text: str) -> Problem:
    return Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(1, 16), 8), (Fraction(16), 8))


def test_a_panel_of_an_exponential_law() -> None:
    """p = e^-v: F(v) = before + e^-a - e^-v, and what a panel adds, by the midpoint rule."""
    a, b, e, s = 0.5, 0.53125, 2, 3
    panel, width = Panel(law_of("exp(-r)"), 12, (Fraction(1, 2), Fraction(17, 32)), interval(Fraction(1, 7))), 2.0**-19
    w = np.arange(a, b, width) + width / 2
    mass = 1 / 7 + np.exp(-a) - np.exp(-w)
    height = np.exp(-((e * w / s) ** 2) / 2 + e / 2 - s * s / (8 * w * w)) / w**2
    found, exact = Level(Fraction(s), Fraction(e)).part(panel), float((mass * height).sum()) * width
    assert float(found.lo) - 1e-13 <= exact <= float(found.hi) + 1e-13 and found.hi - found.lo < Fraction(1, 10**15)
    assert float(panel.after.lo) - 1e-15 <= 1 / 7 + np.exp(-a) - np.exp(-b) <= float(panel.after.hi) + 1e-15
    terms = [float(c.lo) for c in panel.weight.middle.c]
    at = sum(c * 0.5**k for k, c in enumerate(terms))
    v = a + (b - a) * 0.75
    assert abs(at - (1 / 7 + np.exp(-a) - np.exp(-v)) / v**2) < 1e-9


def test_the_mass_beyond_an_end_between_two_powers() -> None:
    """e^-v rises, against v, by 1 - v: between 1/2 and 1 below 1/2; by -3 and less beyond 4."""
    with mp.workdps(40):
        low, far = beyond(law_of("exp(-r)"), Fraction(1, 2), "zero"), beyond(law_of("exp(-r)"), Fraction(4), "infinity")
        height = mp.exp(-mp.mpf(1) / 2) / 2
        assert abs(number(low.lo) - height) < 1e-9 and abs(number(low.hi) - 2 * height) < 1e-9
        assert far.lo == 0 and abs(number(far.hi) - 4 * mp.exp(-4) / 3) < 1e-9
    for text, side, at in (("exp(-4*r)", "zero", Fraction(1, 2)), ("r**2*exp(-r)", "infinity", Fraction(2))):
        with pytest.raises(Rejected, match="not shown integrable towards"):
            beyond(law_of(text), at, side)


def test_a_law_that_touches_0_is_nowhere_negative() -> None:
    Panel(law_of("(r-1)**2*exp(-r)"), 4, (Fraction(3, 4), Fraction(5, 4)), interval(0))


@pytest.mark.parametrize("value", [interval(1), Series([interval(1), span("0", "1") * Interval(Decimal(1), INF)])])
def test_a_law_that_is_not_shown_smooth_is_refused(value: Any) -> None:
    law = law_of("exp(-r)")
    law.at_box = lambda *at: SimpleNamespace(value=lambda tree: value)  # type: ignore[assignment]
    with pytest.raises(Rejected, match="smooth on a panel"):
        density(law, 2, Fraction(1), Fraction(2))


@pytest.mark.parametrize("marks", [["1"], ["0", "20"], ["1", "1", "20"], ["1/2", "2", "1", "20"], ["1/2"] * 2_001])
def test_the_marks_of_a_law_are_increasing_scales(marks: list[str]) -> None:
    given = {"order": 2, "ends": {"zero": "power", "infinity": "power"}}
    law = law_of("r*exp(-r)")
    with pytest.raises(Rejected, match="increasing scales"):
        Density(law, {**given, "marks": marks})
    assert len(Density(law, {**given, "marks": ["1/2", "20"]}).panels) == 1


def test_a_law_in_phases_is_refused() -> None:
    certificate = json.loads((GALLERY / f"{STUDENT}.json").read_text())
    with pytest.raises(Rejected, match="one tail"):
        check(certificate["claim"], certificate["proof"] | {"phase": PHASE})


def test_the_claim_in_one_line() -> None:
    claim = json.loads((GALLERY / f"{ATOMS}.json").read_text())["claim"] | {"sensitivity": "3", "scale": "2"}
    assert "Delta/sigma = 3/2, " in said(claim)


PHASE = {"turns": True, "frequency": "1", "cover": ["0", "2"], "peak": "0"}


def altered(name: str, change: Callable[[dict[str, Any]], object]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def shifted(end: str, by: int) -> Callable[[dict[str, Any]], object]:
    """One end of an enclosure of delta moved past the other by a part in 1e9."""

    def change(c: dict[str, Any]) -> None:
        delta = c["claim"]["points"][0]["delta"]
        low, high = Fraction(delta["lower"]), Fraction(delta["upper"])
        far = high * (1 + Fraction(2, 10**9)) if by > 0 else low * (1 - Fraction(2, 10**9))
        delta.update(lower=str(high), upper=str(far)) if by > 0 else delta.update(lower=str(far), upper=str(low))

    return change


def claims(**fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda c: c["claim"].update(fields)


FORGED: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (STUDENT, shifted("upper", -1), "K405"),
    (STUDENT, shifted("lower", 1), "K405"),
    (ATOMS, shifted("upper", -1), "K405"),
    (STUDENT, claims(dimension=3), "claim"),
    (STUDENT, claims(theorem="Theorem B"), "claim"),
    (STUDENT, claims(verdict="private"), "claim"),
    (STUDENT, claims(sensitivity="2"), "K405"),
    (STUDENT, claims(parameters={"nu": "2"}), "K405"),
    (STUDENT, claims(parameters={"nu": "3", "v": "1"}), "claim"),
    (STUDENT, claims(mixing="v**(-nu-1)*exp(-nu/(2*v**2))*(1+0*r)"), "claim"),
    (STUDENT, claims(mixing="v**(-nu-1)*exp(-nu/(2*v**2))*(1+0*log(-v))"), ""),
    (STUDENT, lambda c: c["proof"]["law"]["marks"].__delitem__(slice(10, -10)), ""),
    (STUDENT, lambda c: c["proof"]["law"]["marks"].reverse(), "steps"),
    (STUDENT, lambda c: c["proof"]["law"]["ends"].update(zero="nothing"), ""),
    (STUDENT, lambda c: c["proof"]["law"]["ends"].update(infinity="nothing"), ""),
    (STUDENT, lambda c: c["proof"]["law"]["marks"].__delitem__(slice(-20, None)), "K405"),
    (STUDENT, lambda c: c["proof"]["law"].update(order=2), ""),
    (STUDENT, lambda c: c["proof"].pop("law"), "steps"),
    (STUDENT, lambda c: c["claim"]["quantiles"][0].update(delta="1/1000"), "K162"),
    (SLASH, lambda c: c["proof"]["law"]["ends"].update(infinity="nothing"), ""),
    (SLASH, claims(mixing="Piecewise((0, v < 2), (v**(-q-1), True))"), ""),
    (ATOMS, claims(mixing="sqrt(2)/3: 1, 1-sqrt(2)/3: 1+1/pi, 1/1000: 1/2"), "K405"),
    (ATOMS, claims(mixing="sqrt(2)/3: 1, -(1-sqrt(2)/3): 1+1/pi"), "K404"),
    (ATOMS, claims(mixing="sqrt(2)/3: 1, 1-sqrt(2)/3"), "claim"),
    (ATOMS, claims(parameters={"nu": "3"}), "claim"),
    (ATOMS, lambda c: c["proof"].update(law={}), "steps"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change", "code"), FORGED)
def test_what_is_wrong_in_one_thing_is_refused(
    name: str, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    with pytest.raises(Rejected) as refusal:
        check_bytes(altered(name, change))
    assert not code or refusal.value.code == code


@pytest.mark.parametrize("name", [ATOMS, SLASH])
def test_what_is_not_altered_holds(name: str) -> None:
    assert check_bytes(altered(name, lambda c: None)).claim["dimension"] == "infinity"


def asked_often(count: int) -> Callable[[dict[str, Any]], object]:
    points = [{"epsilon": str(k), "delta": {"lower": "0", "upper": "1"}} for k in range(count)]
    return lambda c: c["claim"].update(points=points, quantiles=[])


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        (STUDENT, asked_often(20_000), "limits"),
        (ATOMS, asked_often(20_000), "limits"),
        (STUDENT, lambda c: c["proof"]["law"].update(order=24, marks=[str(k) for k in range(1, 2_000)]), "limits"),
        (STUDENT, lambda c: c["proof"]["law"]["ends"].update(zero=["power"]), "steps"),
        (STUDENT, lambda c: c["proof"]["law"]["ends"].update(zero={}), "steps"),
        (STUDENT, claims(mixing="v**(-nu-1)*exp(-nu/(2*v**2))*(1+0*log(-v))"), "steps"),
        (ATOMS, claims(more="0"), "format"),
        (ATOMS, claims(mixing=[":"]), "format"),
        (ATOMS, claims(mixing="v: 1", parameters={"v": "1"}), "claim"),
    ],
)
def test_what_takes_long_or_is_of_another_kind_is_refused_at_once(
    name: str, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    with pytest.raises(Rejected) as refusal:
        check_bytes(altered(name, change))
    assert refusal.value.code == code
