"""Waves beside which f does something on ever less of each period: peaks, and places where it falls behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify import check, verify
from dpverify.serialise import digest

GALLERY = Path(__file__).parents[2] / "certificates"
Change = Callable[[dict[str, Any]], object]


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize(
    ("text", "dimension", "verdict"),
    [
        ("(2+sin(r))**(-r)", 1, "invalid"),  # peaks of height 1, and about sqrt(2 pi/r) wide
        ("(2+sin(r))**(-r)", 3, "invalid"),
        ("(2+sin(r))**(-y)", 1, "invalid"),
        ("(2-cos(3*r+1))**(-r)", 1, "invalid"),
        ("(2+sin(pi*r))**(-r)", 1, "invalid"),
        ("(3+cos(r))**(-r)", 1, "not_private"),
        ("1/(1+r**2*sin(r)**2)", 1, "invalid"),
        ("(1+r*cos(r)**2)**(-2)", 1, "invalid"),
        ("(1+r)**(-2-sin(r))", 1, "invalid"),  # 1/r on about 1/sqrt(log r) of each period
        ("(1+r)**(-2-cos(log(1+r)))", 1, "invalid"),
        ("(1+r)**(-3-cos(log(1+r)))", 1, "private"),
        ("sin(r)**2/r**2+exp(-r)", 1, "not_private"),
        ("sin(r)**2/r**2+exp(-r)", 2, "invalid"),
        ("(sin(r)/r)**2*exp(-r)+exp(-2*r)", 1, "not_private"),
        ("exp(-r*sin(r)**2)/(1+r**2)", 1, "not_private"),
        ("(2+sin(r))**(-r)/(1+r)**2", 1, "not_private"),
        ("(1+r-lambertw(r)/2)**(-3)*Abs(cos(r))", 1, "not_private"),
        ("exp(-r)*(2+sin(r))", 1, "private"),
    ],
)
def test_what_becomes_of_f_on_ever_less_of_a_period(text: str, dimension: int, verdict: str) -> None:
    result = verify(text, dimension=dimension)
    assert result.verdict == verdict
    assert result.certificate is not None and check(result.certificate).accepted


def test_the_peaks_of_a_wave_to_a_growing_power_are_as_wide_as_is_said() -> None:
    """Half a period about 3 pi/2 + 2 k pi holds about sqrt(2 pi/r) of the integral; their sum is infinite."""
    with mpmath.workdps(15):
        for k in (20, 200):
            t = 3 * mpmath.pi / 2 + 2 * k * mpmath.pi
            near = [t + x / mpmath.sqrt(t) for x in (-8, -2, 0, 2, 8)]
            mass = mpmath.quad(lambda r: (2 + mpmath.sin(r)) ** (-r), near)
            assert abs(mass * mpmath.sqrt(t / (2 * mpmath.pi)) - 1) < 1 / t


def typed(text: str) -> Change:
    return lambda c: c["claim"].update(generator=text)


def moved(**fields: Any) -> Change:
    return lambda c: (c["proof"].get("narrowing") or c["proof"]["integrable"]["narrowing"]).update(fields)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("narrow-peaks-and-no-integral", typed("(2+sin(r))**(-r**3)")),  # integrable
        ("narrow-peaks-and-no-integral", typed("(3+sin(r))**(-r)")),
        ("narrow-peaks-and-no-integral", typed("(2-sin(r))**(-r)")),
        ("narrow-peaks-and-no-integral", moved(width="r**(-3/2)/8")),
        ("narrow-peaks-and-no-integral", moved(width="1+r")),
        ("narrow-peaks-and-no-integral", moved(halves="1/2")),
        ("narrow-peaks-and-no-integral", moved(shift="1")),
        ("narrow-peaks-and-no-integral", moved(turns=True)),
        ("narrow-peaks-and-no-integral", moved(logs=True)),
        ("unlike-far-out", typed("exp(-r)*(2+sin(2*r))")),  # private
        ("unlike-far-out", typed("(1+sin(r)**2)/r**2+exp(-r)")),
        ("unlike-far-out", moved(shift="0")),
        ("unlike-far-out", moved(halves="1/3")),
        ("peaks-under-a-power", typed("exp(-r*sin(r)**2)/(1+r)")),  # not known to be integrable so
        ("peaks-under-a-power", lambda c: c["claim"].update(dimension=2)),
        ("peaks-under-a-power", lambda c: c["proof"]["integrable"].update(tail="logs")),
        ("peaks-under-a-power", lambda c: c["proof"].pop("narrowing")),
    ],
)
def test_forged(name: str, change: Change) -> None:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    certificate["digest"] = digest(certificate)
    assert not check(json.dumps(certificate).encode()).accepted
