"""Increments of special functions over shifts that are short beside the box, beside mpmath."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import ZERO, Interval, hull, interval
from dpverify.kernel.sections import besseli, besselk, erfc, incomplete_gamma, inverse, loggamma, short
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.slopes import Slope
from tests.kernel.plain import number

GALLERY = Path(__file__).parents[2] / "certificates"
THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
Real = Callable[[Any], Any]


def upper(a: Fraction) -> Real:
    return lambda x: mpmath.gammainc(number(a), x, mpmath.inf, regularized=True)


CASES: dict[str, tuple[Callable[[Interval], Interval], Callable[[Any], Any], Real]] = {
    "lambertw": (inverse.LAMBERT.bend, inverse.LAMBERT.of, lambda x: mpmath.lambertw(x).real),
    "log erfc": (erfc.log_erfc_bend, erfc.log_erfc, lambda x: mpmath.log(mpmath.erfc(x))),
    "log matern": (
        lambda x: besselk.log_matern_bend(x, THIRD),
        lambda x: besselk.log_matern(x, THIRD),
        lambda x: mpmath.log(x ** number(THIRD) * mpmath.besselk(number(THIRD), x)),
    ),
    "log P": (
        incomplete_gamma.Part(HALF, False).bend,
        incomplete_gamma.Part(HALF, False).of,
        lambda x: mpmath.log(1 - upper(HALF)(x)),
    ),
    "log Q": (
        incomplete_gamma.Part(HALF, True).bend,
        incomplete_gamma.Part(HALF, True).of,
        lambda x: mpmath.log(upper(HALF)(x)),
    ),
    "log B": (
        besseli.LogBesselI(Fraction(1)).bend,
        besseli.LogBesselI(Fraction(1)).of,
        lambda x: mpmath.log(mpmath.besseli(1, x) / x),
    ),
    "log Gamma": (loggamma.LOG_GAMMA.bend, loggamma.LOG_GAMMA.of, mpmath.loggamma),
    "log G": (
        incomplete_gamma.Kummer(Fraction(3, 2)).bend,
        incomplete_gamma.Kummer(Fraction(3, 2)).of,
        lambda x: mpmath.log((1 - upper(Fraction(3, 2))(x)) * mpmath.gamma(mpmath.mpf(5) / 2) / x**1.5),
    ),
}
BOXES = [
    (Fraction(1, 8), Fraction(1, 4)),
    (HALF, Fraction(2)),
    (Fraction(3), Fraction(13, 4)),
    (Fraction(6), Fraction(9)),
]


def holds(box: Interval, value: Any) -> bool:
    slack = mpmath.mpf(10) ** -15
    return bool(mpmath.mpf(str(box.lo)) - slack <= value <= mpmath.mpf(str(box.hi)) + slack)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_second_derivatives_are_enclosed(name: str) -> None:
    bend, _, truth = CASES[name]
    with mpmath.workdps(50):
        for a, b in BOXES:
            found = bend(hull(interval(a), interval(b)))
            assert all(holds(found, mpmath.diff(truth, number(a + (b - a) * k / 4), 2)) for k in range(5))


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize("name", CASES)
def test_increments_and_their_quotients_are_enclosed_and_are_as_short_as_the_shift(name: str) -> None:
    _, of, truth = CASES[name]
    h = Fraction(1, 1000)
    with mpmath.workdps(50):
        for a, b in BOXES:
            r = with_shift(radii(a, b), Slope(interval(h), ZERO))
            step = of(r).du
            places = [number(a + (b - a) * k / 6) for k in range(7)]
            values = [truth(x + number(h)) - truth(x) for x in places]
            assert all(holds(step.u, value) for value in values)
            quotients = [(w - v) / (y - x) for (x, v), (y, w) in pairwise(zip(places, values, strict=True))]
            assert all(holds(step.du, quotient) for quotient in quotients)
            assert step.u.hi - step.u.lo < Fraction(1, 25)


def test_a_box_that_is_narrower_than_a_short_shift_has_quotients_as_narrow_as_both() -> None:
    """As long as it is wider than six squares of the shift; the difference of two values is as wide as the box."""
    h, a = Fraction(1, 10**5), Fraction(1, 2)
    with mpmath.workdps(50):
        for width, narrow in ((Fraction(1, 10**9), True), (Fraction(5, 10**10), False)):
            r = with_shift(radii(a, a + width), Slope(interval(h), ZERO))
            step = inverse.LAMBERT.of(r).du
            x = number(a + width / 2)
            slope = mpmath.diff(lambda t: mpmath.lambertw(t).real, x + number(h)) - mpmath.diff(
                lambda t: mpmath.lambertw(t).real, x
            )
            assert mpmath.mpf(str(step.du.lo)) < slope < mpmath.mpf(str(step.du.hi))
            assert (step.du.hi - step.du.lo < Fraction(3, 10**10)) is narrow


def test_a_shift_is_short_beside_a_box_by_its_length_or_by_its_square() -> None:
    def is_short(shift: str, width: str) -> bool:
        du = interval(Fraction(shift))
        return short.short(Interval(ZERO.lo, interval(Fraction(width)).hi), hull(du, -du) if shift[0] == "-" else du)

    assert is_short("2", "3") and not is_short("2.01", "3")  # two thirds
    assert is_short("0.01", "0.0006") and not is_short("0.01", "0.00059")  # six squares
    assert is_short("-0.01", "0.0006") and not is_short("-0.01", "0.00059")
    assert is_short("0.3", "0.54") and not is_short("0.3", "0.44")


def altered(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


@pytest.mark.parametrize("number_", ["K251", "K253"])
def test_a_rule_for_short_shifts_that_is_used_is_to_be_listed(number_: str) -> None:
    def change(certificate: dict[str, Any]) -> None:
        for numbers in certificate["rules"].values():
            if number_ in numbers:
                numbers.remove(number_)

    with pytest.raises(Rejected, match=f"uses {number_}"):
        check_bytes(altered("short-shift", change))


def test_a_rule_for_short_shifts_is_not_listed_in_vain() -> None:
    with pytest.raises(Rejected):
        check_bytes(altered("laplace-d1", lambda c: c["rules"].setdefault("short", []).append("K250")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["short-shift", "short-shift-of-a-slash", "bessel-third"])
def test_an_epsilon_a_little_too_small_is_refused(name: str) -> None:
    """Below the largest loss by a millionth of it, with the witness's bound lowered as far."""

    def change(certificate: dict[str, Any]) -> None:
        epsilon = certificate["claim"]["epsilon"]
        low = Fraction(epsilon["lower"])
        epsilon.update(lower=str(low * Fraction(999_998, 10**6)), upper=str(low * Fraction(999_999, 10**6)))
        certificate["claim"]["closed_form"] = None

    check_bytes((GALLERY / f"{name}.json").read_bytes())
    with pytest.raises(Rejected):
        check_bytes(altered(name, change))
