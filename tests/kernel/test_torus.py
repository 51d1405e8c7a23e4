"""The torus of free phases: what names no torus is refused, and what its cells say holds at each of their points."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.slopes import with_slope
from dpverify.kernel.sections.steep_torus import steep_on_torus
from dpverify.kernel.sections.torus import MOST_BASES, MOST_CELLS, Torus, at_most, form_of, shape_of
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import same, walk
from tests.kernel.problems import on_charts, tree

TEXT = "exp(-2*r)*(3+sin(r)+sin(pi*(r/3+1/4)))*(4+cos(3*y+1)+cos(-y))*(2+sin(log(1+r)))"
ONE, THIRD = [["1", "0", "1"]], [["1", "1", "1/3"]]
MOST = 10**9


def number(text: str, wave: str) -> str:
    """The number that a wave has in a text's tree."""
    (sought,) = (n for n in walk(tree(wave)) if n.kind in ("sin", "cos"))
    return next(str(n.number) for n in walk(tree(text)) if same(n, sought))


@cache
def numbers() -> dict[str, str]:
    waves = {"line": "sin(r)", "turn": "sin(pi*(r/3+1/4))", "chirp": "cos(3*y+1)", "base": "cos(-y)"}
    return {name: number(TEXT, wave) for name, wave in waves.items()}


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
    ("a line that is a number", {"lines": [3, THIRD]}, NO_FORM),
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


@pytest.mark.parametrize(
    ("named", "wave", "fits"),
    [
        ("y", "2*y", True),
        ("y", "2*y+1", True),
        ("y", "2*y+r", False),
        ("3*r*log(2+r)", "6*r*log(2+r)", True),
        ("3*r*log(2+r)", "6*r*log(3+r)", False),
        ("3*r*log(2+r)", "6*r*log(2+r)**2", False),
        ("3*r*log(2+r)", "2*3*pi*r*log(2+r)", False),
        ("3*pi*r*log(2+r)", "6*pi*r*log(2+r)", True),
        ("2*y+r", "4*y+r", False),
        ("2*y+r", "4*y+2*r", True),
    ],
)
def test_a_chirp_is_a_whole_multiple_of_the_one_that_is_named(named: str, wave: str, fits: bool) -> None:
    """The other wave is said to have twice its phase."""
    text = f"exp(-r)*(2+cos({named}))*(2+cos({wave}))"
    first, second = (number(text, f"cos({argument})") for argument in (named, wave))
    size = re.match(r"[0-9]?", named)
    fields = {"chirps": [{"wave": first, "factor": size[0] or "1" if size else "1"}], "lines": []}
    if fits:
        assert torus(text, **fields, waves={first: [1], second: [2]}).waves
        return
    with pytest.raises(Rejected, match=NO_MULTIPLE):
        torus(text, **fields, waves={first: [1], second: [2]})


@pytest.mark.parametrize("free", ["floor", "sin"])
@pytest.mark.parametrize(
    ("chirp", "multiple", "added"),
    [("pi*r+pi*y+pi/3", 1, Fraction(1, 3)), ("2*pi*r+2*pi*y-pi/2", 2, Fraction(-1, 2))],
)
def test_what_a_chirp_in_half_turns_adds(chirp: str, multiple: int, added: Fraction, free: str) -> None:
    """A third of pi; and a third where a floor is free, beside which all phases are in half turns."""
    text = f"exp(-r)*(2+{free}(r))*(2+cos(pi*r+pi*y))*(2+cos({chirp}))"
    line = next(n for n in walk(tree(text)) if n.kind == free)
    first, second = (number(text, f"cos({argument})") for argument in ("pi*r+pi*y", chirp))
    waves = {str(line.number): [2 if free == "floor" else 1, 0], first: [0, 1], second: [0, multiple]}
    found = torus(text, lines=[ONE], chirps=[{"wave": first, "factor": "1"}], waves=waves).waves
    with mpmath.workdps(40):
        assert inside(found[int(second)].constant, exact(added) * (1 if free == "floor" else mpmath.pi))


def test_a_wave_of_two_chirps_is_refused() -> None:
    text = "exp(-r)*(2+cos(y))*(2+cos(r**3))*(2+cos(y+r**3))"
    a, b, both = (number(text, wave) for wave in ("cos(y)", "cos(r**3)", "cos(y+r**3)"))
    chirps = [{"wave": a, "factor": "1"}, {"wave": b, "factor": "1"}]
    assert torus(text, lines=[], chirps=chirps, waves={a: [1, 0], b: [0, 1]}).waves
    with pytest.raises(Rejected, match="mixes a chirp"):
        torus(text, lines=[], chirps=chirps, waves={both: [1, 1]})


def test_waves_beside_a_branch_are_free() -> None:
    text = "exp(-r)*Piecewise((2, r<1), (3, True))*(2+sin(r))"
    assert torus(text, lines=[ONE], chirps=[], waves={number(text, "sin(r)"): [1]}).wavy


def test_what_has_another_sign_ahead_has_no_increment_of_its_logarithm() -> None:
    """1/2 + sin(r) is 3/2 at pi/2, and -1/2 by pi further."""
    text = "exp(-r)*(1/2+sin(r))"
    found = torus(text, lines=[ONE], chirps=[], waves={number(text, "sin(r)"): [1]})
    box = [(Fraction(31, 20), Fraction(8, 5)), (Fraction(31, 10), Fraction(16, 5))]
    with pytest.raises(Rejected, match="another sign ahead"):
        found.loss_at(radii(Fraction(20), Fraction(21)).u, found.cell(radii(Fraction(20), Fraction(21)).u, box))


@pytest.mark.parametrize("boxes", [(("19", "20"), ("1", "20")), (("1", "2"), ("1", "20"))])
def test_what_one_chart_says_is_not_taken_for_another_s(boxes: tuple[tuple[str, str], ...]) -> None:
    """Charts that share an end, of a torus that keeps what it has found."""
    found, box = torus(), [(Fraction(1), Fraction(1))] * 5
    for ends in boxes:
        radii_of = radii(*map(Fraction, ends)).u
        loss_of = found.bound(radii_of, ".", box)
    for radius in boxes[-1]:
        assert inside(loss_of, loss(mpmath.mpf(int(radius)), 1, 1, 1, 1, 1))


def test_slopes_in_the_radius_run_with_the_phases() -> None:
    """Of log f far out, and of the loss, where the phases are those of a cell."""
    text = "exp(-2*r)*(3+sin(r)+sin(pi*(r/3+1/4)))"
    rows = {number(text, "sin(r)"): [1, 0], number(text, "sin(pi*(r/3+1/4))"): [0, 1]}
    found = torus(text, lines=[ONE, THIRD], chirps=[], waves=rows)
    far = found.problem.infinity.radius()

    def log_f(x: Any, z: Any, s: Any) -> Any:
        """At phases x and z, and s further."""
        z += mpmath.pi * (s / 3 + 0.25)
        return -2 * s + mpmath.log(3 + mpmath.sin(x + s) + mpmath.sin(z))

    for x, z in ((0, 1), (2, 3), (5, 6)):
        end = found.germ([(Fraction(x), Fraction(x)), (Fraction(z), Fraction(z)), (Fraction(1), Fraction(1))])
        slopes = found.problem.far(end).du.span()
        r = with_slope(end.radius())
        ahead = found.problem.log_f(Evaluation(with_shift(r, r.const(1)))).du.du.span()
        with mpmath.workdps(40):
            assert inside(slopes, mpmath.diff(lambda s: log_f(x, z, s), 0)), far
            assert inside(ahead, mpmath.diff(lambda s: log_f(x, z, s + 1) - log_f(x, z, s), 0))
            assert all(s.hi - s.lo < 1e-20 for s in (slopes, ahead))


def test_a_chart_begins_where_the_last_ended() -> None:
    """To the last digit, on either side of the chart at infinity."""
    seen: list[Any] = []
    found = torus()
    found.bound = lambda r, letter, box, most: seen.append(r)  # type: ignore[method-assign, assignment, return-value]
    far = found.problem.r1
    for start in (Fraction(1, 3), Fraction(5), far, far + 1):
        assert found.bounds({"high": None, "tree": "."}, start) == ([None], None)
        r = seen.pop()
        lowest = r.span() if start >= far else r
        assert Fraction(lowest.lo) <= start and not lowest.hi.is_finite()
    assert found.bounds({"high": "7/2", "tree": "."}, Fraction(1, 3)) == ([None], Fraction(7, 2))
    assert Fraction(seen[0].lo) <= Fraction(1, 3) and Fraction(seen[0].hi) == Fraction(7, 2)
    for high in ("1/3", "1/4"):
        with pytest.raises(Rejected, match="are not increasing"):
            found.bounds({"high": high, "tree": "."}, Fraction(1, 3))


def bound(text: str, most: str, charts: Any, **fields: Any) -> None:
    """What K185 says of f by these charts, on a torus of one line."""
    ahead = [str(Fraction(2) ** k) for k in range(-6, 1)] + ["65/64"]
    supremum = {"cover": [], "cuts": [], "shifts": [], "rules": [], "ahead": ahead, "charts": charts, **fields}
    steps = Steps({"torus": step(lines=[ONE], chirps=[], waves={}), "supremum": supremum})
    at_most(Proof(on_charts(text), steps), Fraction(most))


ALL = {"high": None, "tree": "."}


@pytest.mark.parametrize(
    ("text", "most", "charts"),
    [
        ("exp(-r)", "102/100", [ALL]),
        ("exp(r)", "102/100", [ALL]),
        ("exp(-r)", "102/100", [{"high": "1", "tree": "."}, ALL]),
        ("exp(-r)", "102/100", [{"high": "16", "tree": "b.."}, ALL]),
        ("exp(-r/3)", "34/100", [ALL]),
        ("exp(-r/4-1/(20+20*r))", "1/4", [ALL]),
        ("exp(r/4+1/(20+20*r))", "1/4", [ALL]),
    ],
)
def test_charts_that_reach_infinity_bound_the_loss(text: str, most: str, charts: Any) -> None:
    bound(text, most, charts)


@pytest.mark.parametrize(
    ("text", "most", "charts", "why"),
    [
        ("exp(-r)", "99/100", [ALL], "not shown below"),
        ("exp(r)", "99/100", [ALL], "not shown below"),
        ("exp(-r/3-1/(20+20*r))", "1/3", [ALL], "not shown below"),  # which has no last digit
        ("exp(-Max(r,4*r-60))", "2", [{"high": "16", "tree": "."}, ALL], "not shown below"),
        ("exp(-Max(r,16-4*r))", "2", [{"high": "16", "tree": "."}, ALL], "not shown below"),
        ("exp(-r)", "2", [], "is not a list"),
        ("exp(-r)", "2", {}, "is not a list"),
        ("exp(-r)", "2", {"0": ALL}, "is not a list"),
        ("exp(-r)", "2", "a", "is not a list"),
        ("exp(-r)", "2", None, "is not a list"),
        ("exp(-r)", "2", [{"high": "16", "tree": "."}], "do not reach infinity"),
        ("exp(-r)", "2", [ALL, ALL], "follows one without an end"),
        ("exp(-r)", "2", [ALL, {"high": "16", "tree": "."}], "follows one without an end"),
    ],
)
def test_what_bounds_no_loss_is_refused(text: str, most: str, charts: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        bound(text, most, charts)


@pytest.mark.parametrize("fields", [{"slopes": []}, {"windows": {}}, {"phases": ["0", "7"]}])
def test_further_steps_of_a_bound_are_looked_at(fields: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        bound("exp(-r)", "2", [ALL], **fields)


@pytest.mark.parametrize("supremum", ["slopes", ["slopes"], "windows", None, 3])
def test_a_bound_is_an_object(supremum: Any) -> None:
    steps = Steps({"torus": step(lines=[ONE], chirps=[], waves={}), "supremum": supremum})
    with pytest.raises(Rejected, match="is not an object"):
        at_most(Proof(on_charts("exp(-r)"), steps), Fraction(2))


def test_charts_follow_the_boxes() -> None:
    boxes = {"cover": ["1/64", "16"], "shifts": [["0", "1"]], "rules": ["r"]}
    bound("exp(-r)", "102/100", [ALL], **boxes)
    with pytest.raises(Rejected, match="are not increasing"):
        bound("exp(-r)", "102/100", [{"high": "15", "tree": "."}, ALL], **boxes)
    with pytest.raises(Rejected, match="not shown below"):
        bound("exp(-Max(r,4*r-20))", "2", [ALL], **boxes)


def test_slopes_on_a_torus() -> None:
    """g rises by 2 + cos(r)/(3 + sin(r)), which lies between 2 - 1/sqrt(8) and 2 + 1/sqrt(8)."""
    text = "exp(-2*r)*(3+sin(r))"
    proof = Proof(on_charts(text), Steps({"torus": step(lines=[ONE], chirps=[], waves={number(text, "sin(r)"): [1]})}))
    steep_on_torus(proof, proof.problem, ".", Fraction(3))
    for given, most, why in (
        (".", "2", "not shown so small"),
        ("*", "3", "letter of its own"),
        ("-", "3", "of its own"),
    ):
        with pytest.raises(Rejected, match=why):
            steep_on_torus(proof, proof.problem, given, Fraction(most))
    with pytest.raises(Rejected, match="of f itself"):
        steep_on_torus(proof, on_charts(text), ".", Fraction(3))
    with pytest.raises(Rejected, match="no phases"):
        steep_on_torus(Proof(on_charts(text), Steps({})), proof.problem, ".", Fraction(3))
    chirped = Proof(on_charts(TEXT), Steps({"torus": step()}))
    with pytest.raises(Rejected, match="without chirps"):
        steep_on_torus(chirped, chirped.problem, ".", Fraction(3))


@pytest.mark.parametrize("factor", ["(2-1/(1+floor(r)))", "exp(1/(r-40))", "(2+Piecewise((0, r<40), (1/r, True)))"])
def test_slopes_on_a_torus_know_no_jumps(factor: str) -> None:
    text = f"exp(-2*r)*(3+sin(r))*{factor}"
    torus_of = step(lines=[ONE], chirps=[], waves={number(text, "sin(r)"): [1]})
    proof = Proof(on_charts(text, radius=64), Steps({"torus": torus_of}))
    with pytest.raises(Rejected, match="may jump"):
        steep_on_torus(proof, proof.problem, ".", Fraction(3))
