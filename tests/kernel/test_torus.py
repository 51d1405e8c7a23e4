"""The torus of free phases: what names no torus is refused, and what its cells say holds at each of their points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.torus import MOST_BASES, MOST_CELLS, Torus, form_of, shape_of
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import same, walk
from tests.kernel.problems import on_charts, tree

TEXT = "exp(-2*r)*(3+sin(r)+sin(pi*(r/3+1/4)))*(4+cos(3*y+1)+cos(-y))*(2+sin(log(1+r)))"
ONE, THIRD = [["1", "0", "1"]], [["1", "1", "1/3"]]
MOST = 10**9


@cache
def numbers() -> dict[str, str]:
    """Each wave's number in the tree, by its argument at r = 2, to a digit."""
    found = {}
    for name, text in {"line": "sin(r)", "turn": "sin(pi*(r/3+1/4))", "chirp": "cos(3*y+1)", "base": "cos(-y)"}.items():
        (sought,) = (n for n in walk(tree(text)) if n.kind in ("sin", "cos"))
        found[name] = next(str(n.number) for n in walk(tree(TEXT)) if n.kind == sought.kind and same(n, sought))
    return found


def step(**fields: Any) -> dict[str, Any]:
    n = numbers()
    rows = {n["line"]: [1, 0, 0], n["turn"]: [0, 1, 0], n["chirp"]: [0, 0, 3], n["base"]: [0, 0, -1]}
    chirps = [{"wave": n["base"], "factor": "1"}]
    return {"lines": [ONE, THIRD], "chirps": chirps, "waves": rows, "cells": ".", "peak": None, **fields}


def torus(text: str = TEXT, **fields: Any) -> Torus:
    tail = Proof(on_charts(text), Steps({"torus": step(**fields)})).tail
    assert isinstance(tail, Torus)
    return tail


def row(name: str, *multiples: Any) -> dict[str, Any]:
    return {**step()["waves"], numbers()[name]: list(multiples)}


def base(wave: Any = "base", factor: Any = "1") -> list[dict[str, Any]]:
    return [{"wave": numbers().get(wave, wave) if isinstance(wave, str) else wave, "factor": factor}]


def test_numbers_are_found() -> None:
    assert len(set(numbers().values())) == 4 and torus().cells


NO_BASES, NO_ROW, NO_MULTIPLE = (
    "names no base phases",
    "does not give a whole multiple",
    "not the multiple of the chirp",
)
NO_TREE, NO_FORM, NO_TERM = "is not a tree of halves", "not a list of sums", "a term that is not q sqrt"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("lines in a word", {"lines": "ab"}, NO_BASES),
    ("lines in an object", {"lines": {"0": ONE, "1": THIRD}}, NO_BASES),
    ("chirps in a word", {"chirps": "a"}, NO_BASES),
    ("chirps in an object", {"chirps": {"0": base()[0]}}, NO_BASES),
    ("waves in a list", {"waves": []}, NO_BASES),
    ("waves in a word", {"waves": ""}, NO_BASES),
    ("nothing runs", {"lines": [], "chirps": [], "waves": {}}, NO_BASES),
    ("one base too many", {"lines": [ONE] * MOST_BASES}, NO_BASES),
    ("a wave that is none", {"waves": {**step()["waves"], "0": [1, 0, 0]}}, "names a node that is no wave"),
    ("a number of no node", {"waves": {**step()["waves"], "x": [1, 0, 0]}}, "names a node that is no wave"),
    ("a chirp that is no list's word", {"chirps": base([])}, "chirps names a node"),
    ("a chirp of a number", {"chirps": base(int(numbers()["base"]))}, "chirps names a node"),
    ("a chirp of no node", {"chirps": base("0")}, "chirps names a node"),
    ("a factor of nought", {"chirps": base(factor="0")}, "is not positive"),
    ("a factor below nought", {"chirps": base(factor="-1")}, "is not positive"),
    ("a short row", {"waves": row("line", 1, 0)}, NO_ROW),
    ("a long row", {"waves": row("line", 1, 0, 0, 0)}, NO_ROW),
    ("a row in a word", {"waves": {**step()["waves"], numbers()["line"]: "100"}}, NO_ROW),
    ("a row of a number", {"waves": {**step()["waves"], numbers()["line"]: 3}}, NO_ROW),
    ("half a multiple", {"waves": row("line", 1, 0.0, 0)}, NO_ROW),
    ("a multiple in words", {"waves": row("line", "1", 0, 0)}, NO_ROW),
    ("true times", {"waves": row("line", True, 0, 0)}, NO_ROW),
    ("a multiple too large", {"waves": row("line", 1, 0, MOST + 1)}, NO_ROW),
    ("a multiple too small", {"waves": row("line", 1, -MOST - 1, 0)}, NO_ROW),
    ("another line", {"waves": row("line", 0, 1, 0)}, "is not the sum"),
    ("twice a line", {"waves": row("line", 2, 0, 0)}, "is not the sum"),
    ("a line backwards", {"waves": row("turn", 0, -1, 0)}, "is not the sum"),
    ("a line and more", {"waves": row("turn", 1, 1, 0)}, "is not the sum"),
    ("a line for a chirp", {"waves": row("base", 1, 0, 0)}, "is not a line"),
    ("a chirp for a line", {"waves": row("line", 0, 0, 1)}, NO_MULTIPLE),
    ("a chirp and a line", {"waves": row("base", 1, 0, 1)}, "mixes a chirp"),
    ("a line more than a chirp", {"waves": row("base", 0, 1, 1)}, "mixes a chirp"),
    ("another multiple", {"waves": row("chirp", 0, 0, 2)}, NO_MULTIPLE),
    ("a multiple of nought", {"waves": row("chirp", 0, 0, 0)}, "is not a line"),
    ("the other sign", {"waves": row("chirp", 0, 0, -3)}, NO_MULTIPLE),
    ("another factor", {"chirps": base(factor="3")}, NO_MULTIPLE),
    ("no tree", {"cells": ""}, NO_TREE),
    ("a tree in a list", {"cells": ["."]}, NO_TREE),
    ("a tree of a number", {"cells": 1}, NO_TREE),
    ("a tree beyond its end", {"cells": ".."}, "goes on behind its end"),
    ("a tree that lacks a half", {"cells": "a."}, "ends too early"),
    ("an axis of no name", {"cells": "A.."}, "an axis that is not there"),
    ("the axis behind the last", {"cells": "f.."}, "an axis that is not there"),
    ("a form in a word", {"lines": ["ab", THIRD]}, NO_FORM),
    ("no term", {"lines": [[], THIRD]}, NO_FORM),
    ("a term in a word", {"lines": [["101"], THIRD]}, NO_FORM),
    ("a term of two", {"lines": [[["1", "0"]], THIRD]}, NO_FORM),
    ("a term in a word behind one that is none", {"lines": [[["1", "0", "1"], "201"], THIRD]}, NO_FORM),
    ("half a root", {"lines": [[["1/2", "0", "1"]], THIRD]}, NO_TERM),
    ("half a power", {"lines": [ONE, [["1", "1/2", "1/3"]]]}, NO_TERM),
    ("the root of nought", {"lines": [[["0", "0", "1"]], THIRD]}, NO_TERM),
    ("the root of less", {"lines": [[["-1", "0", "1"]], THIRD]}, NO_TERM),
    ("too large a root", {"lines": [[[str(MOST + 1), "0", "1"]], THIRD]}, NO_TERM),
    ("too high a power", {"lines": [ONE, [["1", "101", "1/3"]]]}, NO_TERM),
    ("too low a power", {"lines": [ONE, [["1", "-101", "1/3"]]]}, NO_TERM),
    ("nothing of it", {"lines": [[["1", "0", "1"], ["2", "0", "0"]], THIRD]}, NO_TERM),
    ("a term twice", {"lines": [[["1", "0", "1/2"], ["1", "0", "1/2"]], THIRD]}, NO_TERM),
]


@pytest.mark.parametrize(("fields", "why"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_names_no_torus_is_refused(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        torus(**fields)


def test_sizes_up_to_their_limits_are_taken() -> None:
    rest = {str(n): row for n, row in step()["waves"].items()}
    wide = {n: [*row[:2], *[0] * 9, row[2]] for n, row in rest.items()}
    assert len(torus(lines=[ONE, THIRD, *[ONE] * (MOST_BASES - 3)], waves=wide).lines) == MOST_BASES - 1
    large = [["1", "0", f"1/{MOST}"]]
    assert torus(lines=[large, THIRD], waves=row("line", MOST, 0, 0)).waves
    assert form_of([[str(MOST), "100", "1"], ["1", "-100", "1"]]) == {(MOST, 100): 1, (1, -100): 1}


def test_a_tree_has_no_more_letters_than_its_limit() -> None:
    found = torus()
    for length, why in ((MOST_CELLS, "behind its end"), (MOST_CELLS + 1, NO_TREE)):
        with pytest.raises(Rejected, match=why):
            found.leaves("tree", "." * length, found.axes())


def test_halves_lie_beside_each_other() -> None:
    zero, one, half = Fraction(0), Fraction(1), Fraction(1, 2)
    found = torus().leaves("tree", "b.a*-", [(zero, one), (zero, one)])
    assert found == [
        (".", [(zero, one), (zero, half)]),
        ("*", [(zero, half), (half, one)]),
        ("-", [(half, one), (half, one)]),
    ]


@pytest.mark.parametrize(
    "piece", ["Piecewise((2+sin(r), r<1), (2+sin(r), True))", "Piecewise((2+sin(r), r<1), (3, True))"]
)
def test_no_wave_in_a_branch_is_free(piece: str) -> None:
    """Its branch hangs on the radius, which its phase does not tell."""
    text = f"exp(-r)*{piece}*(2+sin(3*r))"
    inside = next(str(n.number) for n in walk(tree(text)) if n.kind == "sin" and n.args[0].kind == "r")
    with pytest.raises(Rejected, match="in a Piecewise"):
        torus(text, lines=[ONE], chirps=[], waves={inside: [1]})


def test_a_peak_that_nothing_asks_for_is_refused() -> None:
    proof = Proof(on_charts(TEXT), steps := Steps({"torus": step(peak=["0"])}))
    assert isinstance(proof.tail, Torus)
    with pytest.raises(Rejected, match="no claim needs"):
        steps.finish()
    proof.tail.peak_asked = True
    steps.finish()


@pytest.mark.parametrize(
    ("text", "size", "number"),
    [
        ("sin(3*y+1)", 3, 1),
        ("sin(-y/2+r*5-2)", None, -2),
        ("sin(y)", 1, 0),
        ("sin(r*log(2+r)-1/3)", 1, Fraction(-1, 3)),
    ],
)
def test_a_chirp_is_its_size_times_its_shape_and_a_number(text: str, size: int | None, number: Any) -> None:
    """q X + c at r = 3, with what is in X taken to 30 digits, is the argument there."""
    argument = next(n for n in walk(tree(text)) if n.kind == "sin").args[0]
    q, shape, c = shape_of(argument)
    assert c == number and shape[0][0] == 1 and size in (None, q)
    terms = {"sin(3*y+1)": [9], "sin(y)": [9], "sin(r*log(2+r)-1/3)": [3 * mpmath.log(5)]}.get(text)
    if terms is None:
        assert sorted(q * factor for factor, _ in shape) == [Fraction(-1, 2), 5]
    else:
        assert [factor for factor, _ in shape] == [1] * len(terms)


def test_a_number_is_no_chirp() -> None:
    argument = next(n for n in walk(tree("sin(1+r)")) if n.kind == "sin").args[0]
    (number,) = (n for n in argument.args if n.kind == "num")
    with pytest.raises(Rejected, match="does not hang on the radius"):
        shape_of(number)


def loss(r: Any, x: Any, z: Any, c: Any, ahead: Any, h: Any) -> Any:
    """phi_h, with the lines' phases x and z and the chirp's phase c at r, and `ahead` at r + h."""

    def log_f(r: Any, x: Any, z: Any, c: Any) -> Any:
        waves = (3 + mpmath.sin(x) + mpmath.sin(z + mpmath.pi / 4)) * (4 + mpmath.cos(3 * c + 1) + mpmath.cos(c))
        return -2 * r + mpmath.log(waves) + mpmath.log(2 + mpmath.sin(mpmath.log(1 + r)))

    return log_f(r, x, z, c) - log_f(r + h, x + h, z + mpmath.pi * h / 3, ahead)


CELLS = [
    (("1/2", "5/2", "3/10", "6", "1"), "0"),
    (("0", "0", "0", "0", "0"), "1/50"),
    (("4", "1/7", "5", "3/2", "2/3"), "1/50"),
    (("6", "6", "6", "6", "1/3"), "1/20"),
    (("2", "3", "4", "5", "1/1000"), "1/50"),
]
CHARTS: dict[str, tuple[str, str] | None] = {"at a radius": ("20", "20"), "on a box": ("20", "41/2"), "far out": None}
SHARES = [(0, 0, 0, 0, 0), (1, 1, 1, 1, 1), (0, 1, "1/4", "3/4", "1/2"), (1, 0, 1, 0, 1)]


def exact(q: Fraction) -> Any:
    return mpmath.mpf(q.numerator) / q.denominator


def inside(found: Interval, truth: Any) -> bool:
    low, high = (mpmath.mpf(str(end)) for end in (found.lo, found.hi))
    return bool(low - mpmath.mpf(10) ** -25 <= truth <= high + mpmath.mpf(10) ** -25)


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize(("point", "width"), CELLS)
def test_a_cell_encloses_the_loss_at_each_of_its_points(point: tuple[str, ...], width: str, chart: str) -> None:
    """By any of the letters, and its slopes along each axis."""
    found, ends = torus(), CHARTS[chart]
    box = [(Fraction(x), Fraction(x) + Fraction(width)) for x in point]
    r = found.problem.infinity.radius() if ends is None else radii(*map(Fraction, ends)).u
    losses = {letter: found.bound(r, letter, box) for letter in ".*-"}
    slopes = [found.loss_at(r, found.cell(r, box), axis).du.span() for axis in range(5)]
    with mpmath.workdps(40):
        for radius in [exact(Fraction(end)) for end in ends or ("1000",)]:
            for shares in SHARES if Fraction(width) else SHARES[:1]:
                place = [exact(a + (b - a) * Fraction(share)) for (a, b), share in zip(box, shares, strict=True)]
                truth = loss(radius, *place)
                assert [letter for letter in losses if not inside(losses[letter], truth)] == []
                for axis, slope in enumerate(slopes):

                    def along(s: Any, axis: int = axis, radius: Any = radius, place: Any = place) -> Any:
                        return loss(radius, *[y + (s if i == axis else 0) for i, y in enumerate(place)])

                    assert inside(slope, mpmath.diff(along, 0)), axis
