"""Teeth on a torus of phases (K450 to K452): beside the loss at points and shifts, and forged certificates."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction as Q
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.sections.cells import Cell
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.teeth import floors_on, suppositions, tooth
from dpverify.kernel.sections.torus import Torus
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import walk
from tests.kernel.problems import on_charts, sealed, tree

GALLERY = Path(__file__).parents[2] / "certificates"
ROOT, WHOLE = [["2", "0", "2"]], [["1", "0", "2"]]
ALL = Interval(interval(Q(1, 8)).lo, INF)


def torus(text: str, lines: list[Any], *rows: list[int]) -> Torus:
    numbers = [str(n.number) for n in walk(tree(text)) if n.kind in ("floor", "cos")]
    step = {"lines": lines, "chirps": [], "waves": dict(zip(numbers, rows, strict=True)), "cells": ".", "peak": None}
    tail = Proof(on_charts(text), Steps({"torus": step})).tail
    assert isinstance(tail, Torus)
    return tail


def one() -> Torus:
    return torus("exp(-r)*(2+frac(sqrt(2)*r))", [ROOT], [1])


def two() -> Torus:
    return torus("exp(-r)*(3+frac(r)-2*frac(sqrt(2)*r))", [WHOLE, ROOT], [1, 0], [0, 1])


def waves() -> Torus:
    rows = [[0, 1], [3, 0]]
    return torus("exp(-r)*(5+cos(5*r)+frac(3*r+1/3)*2)", [WHOLE, [["1", "-1", "5"]]], *rows)


def frac(x: float) -> float:
    return x - math.floor(x)


TRUE = [
    (one, [math.sqrt(2)], lambda x: 2 + frac(x[0] / 2)),
    (two, [1.0, math.sqrt(2)], lambda x: 3 + frac(x[0] / 2) - 2 * frac(x[1] / 2)),
    (waves, [1.0, 2.5 / math.pi], lambda x: 5 + math.cos(math.pi * x[1]) + 2 * frac(1.5 * x[0] + 1 / 3)),
]


@pytest.mark.parametrize(("made", "speeds", "factor"), TRUE, ids=["one", "two", "and a wave"])
@pytest.mark.parametrize("letter", [".", "*", "-"])
@pytest.mark.parametrize("width", [Q(1, 2), Q(1, 16), Q(1, 1024)])
def test_a_leaf_bounds_the_loss_at_each_of_its_points(
    made: Any, speeds: list[float], factor: Any, letter: str, width: Q
) -> None:
    """phi_h = h + log u(x) - log u(x + 2 v h), u the teeth and waves, at points of random cells."""
    found, random, met = made(), Random(f"{letter}{width}"), 0
    for _ in range(12):
        lows = [width * random.randrange(int(2 / width)) for _ in speeds]
        low = width * random.randrange(int(1 / width))
        box = [*((a, a + width) for a in lows), (low, low + width)]
        try:
            bound = found.bound(ALL, letter, box)
        except Rejected:  # a slope that is not finite, or a sum that is not shown positive
            continue
        met += 1
        ends = float(bound.lo) - 1e-9, float(bound.hi) + 1e-9
        for _ in range(40):
            x = [float(a + width * Q(random.randrange(1, 997), 997)) for a in lows]
            h = float(low + width * Q(random.randrange(1, 997), 997))
            ahead = [y + 2 * v * h for y, v in zip(x, speeds, strict=True)]
            assert ends[0] <= h + math.log(factor(x) / factor(ahead)) <= ends[1]
    assert met > 3 or (letter != "." and width == Q(1, 2))


def test_a_cell_that_ends_at_a_jump_lies_on_one_side_of_it() -> None:
    """Rational speeds and constants tell: with h up to 1 the phase of r + h stays below 2 turns on [0, 2)."""
    found = two()
    number = next(n for n in found.waves if found.waves[n].multiples == [1, 0])
    node = next(n for n in found.wavy if n.number == number)
    inside = Cell(found, [(Q(1, 3), Q(2)), (Q(0), Q(1)), (Q(1, 3), Q(1))])
    assert floors_on(inside, node, 0) == (0, 0) and floors_on(inside, node, 1) == (0, 1)
    assert floors_on(Cell(found, [(Q(4, 3), Q(2)), (Q(0), Q(1)), (Q(1, 3), Q(1))]), node, 1) == (1, 1)
    assert floors_on(Cell(found, [(Q(4, 3), Q(2)), (Q(0), Q(1)), (Q(1, 4), Q(1))]), node, 1) == (0, 1)


def test_a_point_at_the_edge_of_a_cell_has_the_floors_of_the_cell() -> None:
    found = one()
    (node,) = (n for n in found.wavy if n.kind == "floor")
    cell = Cell(found, [(Q(1), Q(2)), (Q(0), Q(1, 8))])
    edge = [(Q(2), Q(2)), (Q(0), Q(0))]
    assert tooth(Cell(found, edge, within=cell), node, 0)[0].span().hi == 1
    assert tooth(Cell(found, edge), node, 0)[0].span().hi == 0


def test_each_floor_that_may_be_two_numbers_is_supposed_to_be_each() -> None:
    found = two()
    whole = [suppositions(Cell(found, [(Q(a), Q(b)), (Q(c), Q(d)), (Q(0), Q(1, 16))])) for a, b, c, d in
             ((0, 1, 0, 1), (1, 2, 0, 1), (1, 2, 1, 2))]  # fmt: skip
    assert [len(ways) for ways in whole] == [1, 2, 4]
    assert {tuple(sorted(way.values())) for way in whole[2]} == {(0, 0), (0, 1), (1, 1)}


@pytest.mark.parametrize(
    ("lines", "row"), [([WHOLE], [1]), ([[["2", "0", "1"]]], [1]), ([ROOT], [2]), ([ROOT], [-1]), ([ROOT], [0])]
)
def test_another_speed_is_refused(lines: list[Any], row: list[int]) -> None:
    with pytest.raises(Rejected):
        torus("exp(-r)*(2+frac(sqrt(2)*r))", lines, row)


def certificate() -> Any:
    return copy.deepcopy(json.loads((GALLERY / "teeth-of-an-irrational-period.json").read_text()))


def refused(forged: Any) -> bool:
    """Whether a proof fails, and not for the rules that it lists alone."""
    with pytest.raises(Rejected) as error:
        check_bytes(sealed(forged))
    return error.value.code != "rules"


@pytest.mark.parametrize("upper", ["1", "5/4", "12568/10000"])
def test_forged_bounds_are_refused(upper: str) -> None:
    """The least upper bound is 1 + log(2 - sqrt(2)/2): theta = 2 - sqrt(2) just before, 0 just after."""
    forged = certificate()
    forged["claim"]["epsilon"]["upper"] = upper
    assert refused(forged)


def test_forged_trees_are_refused() -> None:
    """A leaf that is not halved, or is asked for another letter, does not bound the loss."""
    for change in (lambda t: ".", lambda t: t.replace("*", "."), lambda t: t.replace("*", "-")):
        forged = certificate()
        chart = forged["proof"]["supremum"]["charts"][0]
        assert change(chart["tree"]) != chart["tree"]
        chart["tree"] = change(chart["tree"])
        assert refused(forged)


def test_a_lower_bound_beyond_the_truth_is_refused() -> None:
    forged = certificate()
    forged["claim"]["epsilon"] = {"lower": "13/10", "upper": "14/10"}
    assert refused(forged)


def test_the_exact_epsilon_is_enclosed() -> None:
    claim = certificate()["claim"]["epsilon"]
    truth = 1 + math.log(2 - math.sqrt(2) / 2)
    assert float(Q(claim["lower"])) - 1e-12 <= truth <= float(Q(claim["upper"])) + 1e-12
    assert Q(claim["upper"]) - Q(claim["lower"]) < Q(1, 10**10)
