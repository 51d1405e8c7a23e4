"""Free phases: certificates that the rules on them have to refuse, each wrong in one condition alone."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify.certificate import digest
from dpverify.certificate.seal import by_section
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.certificate import SECTIONS, load_section, replay
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import Ledger
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.independence import chirps_outrun, lines_independent, rank
from dpverify.kernel.sections.lines import line, value_of_form
from dpverify.kernel.tree import walk
from tests.kernel.problems import sealed, written

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


def test_long_sums_of_roots_are_not_multiplied_out() -> None:
    """The fourth power of a sum of 35 roots has 59,000 terms, each of a number that is to be factored."""
    primes = [p for p in range(2, 150) if all(p % q for q in range(2, p))]
    total = "+".join(f"sqrt({p})" for p in primes)
    wave = next(n for n in walk(Reader(f"sin(({total})**4*r)", {}).tree()) if n.kind == "sin")
    with pytest.raises(Rejected, match="too many terms"):
        line(wave)


def of(*texts: str, lines: tuple[dict[tuple[int, int], Fraction], ...] = ()) -> Any:
    """A torus with these chirps, or these lines, and nothing else."""
    trees = [Reader(f"exp(-r)*(2+{text})", {}).tree() for text in texts]
    nodes = [max((n for n in walk(tree) if n.kind in ("sin", "cos")), key=lambda n: n.size) for tree in trees]
    problem = Problem(Reader("exp(-r)", {}).tree(), 1, Fraction(1), (Fraction(1, 64), 6), (Fraction(10**6), 6))
    return SimpleNamespace(problem=problem, chirps=[(node, Fraction(1)) for node in nodes], lines=list(lines))


@pytest.mark.parametrize(
    "chirps",
    [
        ("sin(y)",),
        ("cos(-y)",),
        ("sin(exp(r))",),
        ("sin(r**(3/2))",),
        ("sin(r*log(2+r)**2)",),
        ("sin(y)", "cos(r**3)"),
        ("sin(y*log(2+r))", "sin(y)", "sin(exp(r))"),
        ("sin(r**(2**(1/2)))", "sin(r**(3**(1/2)))"),
        ("sin(r**r)", "sin(exp(y))", "sin(exp(3**(1/2)*r))"),
    ],
)
def test_what_grows_faster_than_r_log_r_outruns_every_shift(chirps: tuple[str, ...]) -> None:
    chirps_outrun(of(*chirps))


@pytest.mark.parametrize(
    ("chirps", "why"),
    [
        (("sin(r)",), "outrun every shift"),
        (("sin(sqrt(r))",), "outrun every shift"),
        (("sin(r*log(2+r))",), "outrun every shift"),  # h log r + h ahead of itself: its slopes vanish
        (("sin(3+1/r)",), "outrun every shift"),
        (("sin(y)", "sin(r*log(2+r))"), "outrun every shift"),
        (("sin((exp(log(2)+pi/pi-1)-2)*y+r)",), ""),  # which is sin(r)
        (("sin((log(6)-log(2)-log(3))*y+r)",), "outrun every shift"),
        (("sin(y+floor(r))",), "exp, log and powers"),
        (("sin(y+cos(r))",), "exp, log and powers"),
        (("sin(y*besselk(0,1+1/r))",), "exp, log and powers"),
        (("sin(y)", "sin(y+floor(r))"), "exp, log and powers"),
        (("sin(y)", "cos(2*y)"), "grow alike"),
        (("sin(y)", "sin(exp(r))", "sin(y+r)"), "grow alike"),
        (("sin(r**r)", "sin(r**r)"), "grow alike"),  # one chirp twice: each time a monomial of its own
        (("sin(r**r)", "sin(2*r**r)"), "grow alike"),
        (("sin(r**(37**(1/2)))", "sin(r**(1369**(1/4)))"), "too close"),  # the same, written in two ways
        (("sin(exp(37**(1/2)*r))", "sin(exp(1369**(1/4)*r))"), "too close"),
    ],
)
def test_chirps_that_may_hang_together_are_refused(chirps: tuple[str, ...], why: str) -> None:
    with pytest.raises(Rejected, match=why or None) as refused:
        chirps_outrun(of(*chirps))
    assert refused.value.code == "K188"


ONE, ROOT, PI = (1, 0), (2, 0), (1, 1)


def of_two_chirps(first: str, last: str) -> bytes:
    """Once two chirps run free, f e^r is as large as 5 and as small as 1, a shift apart: epsilon is 1 + log 5."""
    text = f"exp(-r)*(3+floor(1/2+cos({first}))-floor(1/2+cos({last})))"
    a, b = (str(n.number) for n in walk(Reader(text, {}).tree()) if n.kind == "cos")
    marks = [f"1/{2**k}" for k in range(10, 0, -1)]
    proof = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 3},
        "torus": {
            "lines": [],
            "chirps": [{"wave": a, "factor": "1"}, {"wave": b, "factor": "1"}],
            "waves": {a: [1, 0], b: [0, 1]},
            "cells": ".",
            "peak": ["1/10", "31/10", "31/10", "1/10"],
        },
        "integrable": {"tail": "logs", "boxes": "logs"},
        "cover": ["1/1024", "16"],
        "supremum": {
            "cover": [],
            "cuts": [],
            "ahead": [*marks, "1", "1025/1024"],
            "shifts": [],
            "rules": [],
            "charts": [{"high": None, "tree": "."}],
        },
        "witness": {"near": "torus", "box": None, "shift": "1"},
    }
    names = ("positive", "finite_at_zero", "integrable", "tail_ratio_bounded")
    bounds = {"lower": "13/5", "upper": "20"}
    claim = written(text, "private", dict.fromkeys(names, "proved"), proof, epsilon=bounds, theorem="Theorem A")
    used = Ledger()
    with contextlib.suppress(Rejected):
        replay(claim["claim"], claim["proof"], used)
    return sealed(claim, by_section(used.used))


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("(2+r)**(2+r)", "(2+r)**(2+r)"),  # one chirp, written twice
        ("(2+r)**(37**(1/2))", "(2+r)**(1369**(1/4))"),  # one chirp, written in two ways
    ],
)
def test_one_chirp_is_not_two(first: str, last: str) -> None:
    """f is 3 e^-r, whose epsilon is 1."""
    with pytest.raises(Rejected) as refused:
        check_bytes(of_two_chirps(first, last))
    assert refused.value.code == "K188"


def test_two_chirps_are_two() -> None:
    checked = check_bytes(of_two_chirps("(2+r)**(37**(1/2))", "(2+r)**(2+r)"))
    assert checked.claim["epsilon"]["lower"] == "13/5" and {"K188", "K462", "K490"} <= set(checked.rules)


@pytest.mark.parametrize(("shift", "there"), [("2", False), ("1", True), ("1/2", True), ("3", True), ("4", False)])
def test_beside_floors_speeds_are_in_half_turns(shift: str, there: bool) -> None:
    """1 + cos(pi r) is 0 an even shift away from where it is 0."""
    text = "exp(-r)*(1+cos(pi*r))*(2+frac(sqrt(2)*r))"
    read = Reader(text, {}).tree()
    waves = {str(n.number): [1, 0] if n.kind == "cos" else [0, 1] for n in walk(read) if n.kind in ("cos", "floor")}
    ((factor, _),) = ((k, a) for k, a in enumerate(read.args) if any(n.kind == "cos" for n in walk(a)))
    lines = [[["1", "0", "1"]], [["2", "0", "2"]]]
    proof = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 6},
        "cover": ["1/1024", "16"],
        "integrable": {"tail": "values", "boxes": "values"},
        "torus": {"cells": ".", "chirps": [], "lines": lines, "peak": None, "waves": waves},
        "vanishing": {"factor": factor, "shift": shift},
    }
    claim = written(text, "not_private", {"integrable": "proved"}, proof, sensitivity="4")
    used = Ledger()
    if there:
        assert not replay(claim["claim"], claim["proof"], used) and {"K186", "K190"} <= used.used
        return
    with pytest.raises(Rejected, match="not shown positive a shift away") as refused:
        replay(claim["claim"], claim["proof"], used)
    assert refused.value.code == "K190"


@pytest.mark.parametrize(
    ("speeds", "independent"),
    [
        (({ONE: 1},), True),
        (({ONE: 1}, {ROOT: 1}), True),
        (({ONE: 1, ROOT: 1}, {ONE: 1, ROOT: -1}), True),
        (({ONE: 1}, {ROOT: 1}, {PI: 1}), True),
        (({ONE: 1, ROOT: 2, PI: 1}, {ROOT: 1}, {ONE: 2, PI: 1}), True),
        (({ONE: 1}, {ONE: 2}), False),
        (({ONE: 1}, {ROOT: 1}, {ONE: 3, ROOT: -5}), False),
        (({ONE: 1, ROOT: 2, PI: 1}, {ROOT: 1}, {ONE: 2, ROOT: 3, PI: 2}), False),
        (({ONE: 0},), False),
        (({ONE: 1}, {}), False),
    ],
)
def test_speeds_are_independent_as_vectors(speeds: tuple[dict[tuple[int, int], int], ...], independent: bool) -> None:
    torus = of(lines=tuple({key: Fraction(q) for key, q in form.items()} for form in speeds))
    if independent:
        lines_independent(torus)
        return
    with pytest.raises(Rejected, match="not linearly independent"):
        lines_independent(torus)


def test_roots_of_numbers_with_a_square_are_no_basis() -> None:
    """sqrt(8) = 2 sqrt(2)."""
    with pytest.raises(Rejected, match="with a square"):
        lines_independent(of(lines=({(8, 0): Fraction(1)}, {(2, 0): Fraction(1)})))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_rank_is_that_of_a_product(size: int) -> None:
    """Of an outer sum of so many products it is at most that number, and reaches it for powers of different numbers."""
    rows = [[sum(Fraction(i + 1) ** k * Fraction(j - 2) ** k for k in range(size)) for j in range(5)] for i in range(6)]
    assert rank(rows) == size
    assert rank([*rows, rows[0]]) == size
    assert rank([[Fraction(0)] * 3] * 2) == 0 and rank([]) == 0
