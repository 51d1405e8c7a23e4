"""Profiles in infinite dimension (K400-K407): each part beside mpmath, and certificates that are wrong in one thing."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.hilbert import Density, Level, Panel, beyond, gaussian, positive, separated

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
    ],
)
def test_atoms_are_weights_and_values_in_turn(text: str, parts: list[str] | None) -> None:
    if parts is None:
        with pytest.raises(Rejected, match="atom"):
            separated(text)
    else:
        assert separated(text) == parts


@pytest.mark.parametrize("text", ["0", "-1", "1-1", "log(-1)", "1/(exp(1)-exp(1))", "sqrt(2)-sqrt(3)", "r", "v", "d"])
def test_an_atom_is_a_positive_number(text: str) -> None:
    with pytest.raises(Rejected):
        positive(Reader(text, {}, radial=False))


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
    ],
)
def test_what_takes_long_or_is_of_another_kind_is_refused_at_once(
    name: str, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    with pytest.raises(Rejected) as refusal:
        check_bytes(altered(name, change))
    assert refusal.value.code == code
