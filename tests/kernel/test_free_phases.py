"""Free phases: certificates that the rules on them have to refuse, each wrong in one condition alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.certificate import digest
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.lines import line, value_of_form
from dpverify.kernel.tree import walk

GALLERY = Path(__file__).parents[2] / "certificates"
for section in SECTIONS:
    load_section(section)

Change = Callable[[dict[str, Any]], object]


def changed(name: str, change: Change) -> bytes:
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def text(old: str, new: str) -> Change:
    def change(certificate: dict[str, Any]) -> None:
        given = certificate["claim"]["generator"]
        assert old in given
        certificate["claim"]["generator"] = given.replace(old, new)

    return change


def torus(**fields: Any) -> Change:
    return lambda certificate: certificate["proof"]["torus"].update(fields)


def chart(**fields: Any) -> Change:
    return lambda certificate: certificate["proof"]["supremum"]["charts"][-1].update(fields)


def waves(row: list[int]) -> Change:
    def change(certificate: dict[str, Any]) -> None:
        given = certificate["proof"]["torus"]["waves"]
        given[max(given, key=int)] = row

    return change


def both(*changes: Change) -> Change:
    return lambda certificate: [change(certificate) for change in changes]


def epsilon(**ends: str) -> Change:
    return lambda certificate: certificate["claim"]["epsilon"].update(ends)


def witness(**fields: Any) -> Change:
    return lambda certificate: certificate["proof"]["witness"].update(fields)


def cut(certificate: dict[str, Any]) -> None:
    certificate["proof"]["supremum"]["charts"].pop()


def twice(certificate: dict[str, Any]) -> None:
    charts = certificate["proof"]["supremum"]["charts"]
    charts.append(charts[-1])


def without_rise(certificate: dict[str, Any]) -> None:
    """Claim nothing of whether f falls."""
    certificate["claim"]["hypotheses"]["decreasing"] = "undecided"
    del certificate["proof"]["rise"]


FORGERIES: dict[str, tuple[str, Change, str]] = {
    "the loss below the wave has a bound": ("chirp-on-a-gaussian", text("exp(-y)", "2*exp(-r)"), "not shown unbounded"),
    "the loss grows at some phases alone": (
        "chirp-on-a-gaussian",
        text("exp(-y)*(3+cos(y))", "exp(-r)*(3+cos(y))**(-r)"),
        "",
    ),
    "the cells leave half of the torus": ("chirp-on-a-gaussian", torus(cells="a."), "ends too early"),
    "a wave that is no density": ("chirp-on-a-gaussian", text("3+cos(y)", "1/2+cos(y)"), ""),
    "the bound is below 1 + log 3": ("chirp", epsilon(lower="1", upper="209/100"), "not shown below"),
    "the lower bound is above it": ("chirp", epsilon(lower="21/10", upper="11/5"), "does not reach"),
    "the shift is longer than delta": ("chirp", witness(shift="11/10"), "not within the sensitivity"),
    "the point has a box": ("chirp", witness(box=["1", "2"]), "has a box"),
    "a phase is doubled": ("chirp", waves([2]), "not the multiple"),
    "another chirp is meant": ("chirp", torus(chirps=[{"wave": "1", "factor": "1"}]), "no wave"),
    "a chirp of no size": ("chirp", torus(chirps=[{"wave": "6", "factor": "0"}]), "no wave|not 0|is 0|not positive"),
    "the peak lacks the phase ahead": ("chirp", torus(peak=["1"]), "no point of the torus"),
    "a peak that nothing asks for": ("waves-that-touch-zero-far-out", torus(peak=["1", "1"]), "no claim needs"),
    "there is no peak": ("chirp", torus(peak=None), "no point of the torus"),
    "a tree that ends too early": ("chirp", chart(tree="c."), "ends too early"),
    "a tree that goes on": ("chirp", chart(tree="c..."), "behind its end"),
    "a tree along an axis of nothing": ("chirp", chart(tree="d.."), "not there"),
    "a chart that ends": ("chirp", chart(high="100"), "do not reach infinity"),
    "no chart": ("chirp", cut, "is not a list"),
    "a chart behind the last": ("chirp", twice, "follows one without an end"),
    "the phase does not outrun the shift": ("chirp", text("sin(y)", "sin(r*log(2+r))"), ""),
    "the phase is a line": ("chirp", text("sin(y)", "sin(3*r)"), ""),
    "a phase that is no smooth function": ("chirp", text("sin(y)", "sin(y+floor(r))"), ""),
    "the wave is larger": ("chirp", text("2+sin(y)", "1.9+sin(y)"), "not shown below"),
    "the wave comes to zero": ("chirp", text("2+sin(y)", "1+sin(y)"), ""),
    "the wave lies in a branch": ("chirp", text("2+sin(y)", "Piecewise((2+sin(y), r<1), (2+sin(y), True))"), ""),
    "speeds that hang together": (
        "waves-without-a-common-period",
        both(
            text("sqrt(2)", "sqrt(4)"),
            torus(lines=[[["1", "0", "1"]], [["1", "0", "2"]]]),
            epsilon(lower="1", upper="3"),
        ),
        "not linearly independent",
    ),
    "a root of a square": (
        "waves-without-a-common-period",
        both(text("sqrt(2)", "sqrt(4)"), torus(lines=[[["1", "0", "1"]], [["4", "0", "1"]]])),
        "not the sum",
    ),
    "another root": ("waves-without-a-common-period", text("sqrt(2)", "sqrt(3)"), "not the sum"),
    "a speed that is near": (
        "waves-without-a-common-period",
        torus(lines=[[["1", "0", "1"]], [["1", "0", "14142135623731/10000000000000"]]]),
        "not the sum",
    ),
    "a speed of two equal terms": (
        "waves-without-a-common-period",
        torus(lines=[[["1", "0", "1"]], [["2", "0", "1/2"], ["2", "0", "1/2"]]]),
        "is not q sqrt",
    ),
    "the sum does not touch zero": (
        "waves-that-touch-zero-far-out",
        both(text("2+sin(r)", "2.5+sin(r)"), without_rise),
        "not as large as its waves",
    ),
    "waves of one speed": (
        "waves-that-touch-zero-far-out",
        both(
            text("sin(sqrt(2)*r)", "cos(1*r)"),
            torus(lines=[[["1", "0", "1"]]]),
            lambda c: c["proof"]["torus"].update(waves={key: [1] for key in c["proof"]["torus"]["waves"]}),
        ),
        "",
    ),
    "waves of two speeds that hang together": (
        "waves-that-touch-zero-far-out",
        both(text("sqrt(2)", "sqrt(4)"), torus(lines=[[["1", "0", "1"]], [["1", "0", "2"]]])),
        "not linearly independent",
    ),
    "a shift too long": (
        "waves-that-touch-zero-far-out",
        lambda c: c["proof"]["vanishing"].update(shift="3/2"),
        "not within the sensitivity",
    ),
    "the factor named is another": (
        "waves-that-touch-zero-far-out",
        lambda c: c["proof"]["vanishing"].update(factor=0),
        "no sum of waves",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_each_condition_on_free_phases_can_refuse(name: str) -> None:
    gallery, change, why = FORGERIES[name]
    with pytest.raises(Rejected, match=why or None):
        check_bytes(changed(gallery, change))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({gallery for gallery, _, _ in FORGERIES.values()}))
def test_without_a_change_they_are_accepted(name: str) -> None:
    check_bytes(changed(name, lambda certificate: None))


@pytest.mark.parametrize(
    ("argument", "speed", "constant"),
    [
        ("sqrt(8)*r/3+1", lambda: mpmath.sqrt(8) / 3, lambda: 1),
        ("(1+sqrt(2))**2*r", lambda: (1 + mpmath.sqrt(2)) ** 2, lambda: 0),
        ("pi*sqrt(3/5)*r-pi/4", lambda: mpmath.pi * mpmath.sqrt(mpmath.mpf(3) / 5), lambda: -mpmath.pi / 4),
        ("sqrt(2)*(sqrt(6)*r-r/pi)", lambda: mpmath.sqrt(12) - mpmath.sqrt(2) / mpmath.pi, lambda: 0),
    ],
)
def test_speeds_are_the_numbers_that_were_written(
    argument: str, speed: Callable[[], Any], constant: Callable[[], Any]
) -> None:
    wave = next(n for n in walk(Reader(f"exp(-r)*(2+sin({argument}))", {}).tree()) if n.kind == "sin")
    with mpmath.workdps(40):
        for form, truth in zip(line(wave), (speed(), constant()), strict=True):
            found = value_of_form(form)
            assert mpmath.mpf(str(found.lo)) - mpmath.mpf(10) ** -35 <= truth
            assert truth <= mpmath.mpf(str(found.hi)) + mpmath.mpf(10) ** -35
            assert Fraction(found.hi) - Fraction(found.lo) < Fraction(1, 10**30)


@pytest.mark.parametrize("argument", ["y", "2**(1/3)*r", "log(2)*r", "sqrt(1+y)", "r**(3/2)"])
def test_what_is_no_line_is_refused(argument: str) -> None:
    wave = next(n for n in walk(Reader(f"exp(-r)*(2+sin({argument}))", {}).tree()) if n.kind == "sin")
    with pytest.raises(Rejected):
        line(wave)
