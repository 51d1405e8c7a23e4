"""Teeth on a torus of phases (K450 to K452), closely: floors on open cells by exact arithmetic, and their slopes."""

from __future__ import annotations

import math
from fractions import Fraction as Q
from itertools import product
from random import Random
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections.cells import NO_WAYS, Cell, OnTorus
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import LINEAR, Model
from dpverify.kernel.sections.teeth import exact_ends, floors_on, suppositions, tooth
from dpverify.kernel.sections.torus import Torus
from dpverify.kernel.sections.waves import TWO_PI
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node, walk
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_teeth import ALL, ROOT, WHOLE, frac, one, torus

ONCE = [["1", "0", "1"]]
NEAR = Q(1, 10**9)


def several() -> Torus:
    """Phases -2 x + 2/3, 3 x - 5 and x + y, x and y the phases of speeds 2 and 1."""
    return torus("exp(-r)*(9+frac(1/3-2*r)+2*frac(3*r-5/2)-frac(3*r/2))", [WHOLE, ONCE], [-2, 0], [3, 0], [1, 1])


ROWS: dict[tuple[int, int], Q] = {(-2, 0): Q(2, 3), (3, 0): Q(-5), (1, 1): Q(0)}


def floors(found: Torus) -> list[Node]:
    return sorted((n for n in found.wavy if n.kind == "floor"), key=lambda n: n.number)


def half(x: list[Q], h: Q, multiples: Any, side: int) -> Q:
    """Half the phase, of which the floor is taken, for the speeds 2 and 1."""
    ahead = [y + side * v * h for y, v in zip(x, (2, 1), strict=True)]
    return (sum((n * y for n, y in zip(multiples, ahead, strict=True)), Q(0)) + ROWS[tuple(multiples)]) / 2


@pytest.mark.parametrize("seed", range(4))
def test_floors_on_an_open_cell_are_those_near_its_corners(seed: int) -> None:
    """Both ends of what a floor may be are met, as close to the corners as one looks; and none beyond them."""
    found, random, met = several(), Random(seed), 0
    for _ in range(40):
        box = []
        for most in (2, 2, 1):
            low = Q(random.randrange(12 * most), 12)
            box.append((low, low + Q(random.choice((1, 2, 3, 4)), 12)))
        cell = Cell(found, box)
        for node, side in product(floors(found), (0, 1)):
            multiples = found.waves[node.number].multiples
            inside = [(a + NEAR, b - NEAR) for a, b in box]
            values = [half([x, y], h, multiples, side) for x, y, h in product(*inside)]
            ends = min(map(math.floor, values)), max(map(math.floor, values))
            assert floors_on(cell, node, side) == ends
            met += ends[0] < ends[1]
    assert met > 20


def test_ends_are_those_of_the_phase() -> None:
    found = several()
    cell = Cell(found, [(Q(1, 3), Q(1, 2)), (Q(1), Q(5, 4)), (Q(1, 7), Q(1, 5))])
    expected = {
        (-2, 0): ((Q(-1, 3), Q(0)), (Q(-1, 3) - Q(4, 5), -Q(4, 7))),
        (3, 0): ((Q(-4), Q(-7, 2)), (Q(-4) + Q(6, 7), Q(-7, 2) + Q(6, 5))),
        (1, 1): ((Q(4, 3), Q(7, 4)), (Q(4, 3) + Q(3, 7), Q(7, 4) + Q(3, 5))),
    }
    for node in floors(found):
        first, second = found.waves[node.number].multiples
        assert (exact_ends(cell, node, 0), exact_ends(cell, node, 1)) == expected[first, second]


def test_ends_that_are_not_rational_are_not_told() -> None:
    found = torus("exp(-r)*(9+frac(r+sqrt(2))+frac(sqrt(2)*r))", [WHOLE, ROOT], [1, 0], [0, 1])
    cell = Cell(found, [(Q(0), Q(1)), (Q(0), Q(1)), (Q(0), Q(1))])
    told = {
        tuple(found.waves[n.number].multiples): [exact_ends(cell, n, side) is not None for side in (0, 1)]
        for n in floors(found)
    }
    assert told == {(1, 0): [False, False], (0, 1): [True, False]}


def test_a_tooth_with_its_floor_is_half_the_phase_less_that() -> None:
    """3 x - 5 from -4 to -7/2 is half of it less -2, from 0 to 1/4; where a floor may be -2 or -1 it is in [0, 1)."""
    found = several()
    cell = Cell(found, [(Q(1, 3), Q(1, 2)), (Q(1), Q(5, 4)), (Q(0), Q(1, 3))])
    (node,) = (n for n in floors(found) if found.waves[n.number].multiples == [3, 0])
    for side, floors_there, expected in ((0, {}, (0, 0.25)), (1, {}, (0, 1)), (1, {(node.number, 1): -1}, (-1, 0.25))):
        there = Cell(found, cell.box, None, floors_there)
        value, slope = tooth(there, node, side)
        assert (float(value.lo), float(value.hi)) == pytest.approx(expected, abs=1e-12)
        assert slope.lo == slope.hi == Q(1, 2) if expected != (0, 1) else not slope.finite()


def test_no_more_is_supposed_than_sixteen_ways() -> None:
    texts = [f"frac(r/2+{k}/7)" for k in range(1, 7)]
    found = torus(f"exp(-r)*(9+{'+'.join(texts)})", [ONCE], *([1] for _ in texts))
    ways = suppositions(Cell(found, [(Q(0), Q(2)), (Q(0), Q(1, 8))]))
    assert len(ways) == 16 and all(len(way) == 4 for way in ways)


BESIDE = [
    ("exp(-r+frac(r)/3)", [WHOLE], [[1]], [1.0], lambda r, x: -r + frac(x[0] / 2) / 3),
    ("exp(-2*r-floor(r)/3-frac(sqrt(2)*r)/5)", [WHOLE, ROOT], [[1, 0], [0, 1]], [1.0, math.sqrt(2)],
     lambda r, x: -2 * r - (r - frac(x[0] / 2)) / 3 - frac(x[1] / 2) / 5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines", "rows", "speeds", "log_f"), BESIDE, ids=["a tooth", "a line is left"])
@pytest.mark.parametrize("letter", [".", "*", "-"])
@pytest.mark.parametrize("width", [Q(1, 4), Q(1, 64)])
def test_the_loss_of_teeth_in_an_exponent(
    text: str, lines: Any, rows: Any, speeds: list[float], log_f: Any, letter: str, width: Q
) -> None:
    """phi_h = log f(r) - log f(r + h), whose phases are x and x + 2 v h; and how wide it is is what the cell is."""
    found, random, met = torus(text, lines, *rows), Random(f"{text}{letter}{width}"), 0
    for _ in range(12):
        lows = [width * random.randrange(int(2 / width)) for _ in speeds]
        low = width * random.randrange(int(1 / width))
        box = [*((a, a + width) for a in lows), (low, low + width)]
        try:
            bound = found.bound(ALL, letter, box)
        except Rejected:
            continue
        met += 1
        for _ in range(20):
            x = [float(a + width * Q(random.randrange(1, 997), 997)) for a in lows]
            h = float(low + width * Q(random.randrange(1, 997), 997))
            ahead = [y + 2 * v * h for y, v in zip(x, speeds, strict=True)]
            loss = log_f(5.0, x) - log_f(5.0 + h, ahead)
            assert float(bound.lo) - 1e-9 <= loss <= float(bound.hi) + 1e-9
        assert float(bound.hi - bound.lo) < 8 * width + 2
    assert met > 3


def test_a_floor_is_what_it_is_of_less_its_tooth() -> None:
    """r from 20 1/2 to 20 3/4, and its phase from 1 to 3/2: floor(r) is 20; and with a floor that is not free, also."""
    found = torus("exp(-r)*(2+exp(-floor(r)))", [WHOLE], [1])
    (node,) = floors(found)
    box = [(Q(1), Q(3, 2)), (Q(0), Q(1, 8))]
    r = Interval(interval(Q(41, 2)).lo, interval(Q(83, 4)).hi)
    for there, reach in ((Cell(found, box), 0.25), (Cell(found, [(Q(1), Q(3)), box[1]]), 1)):
        value = OnTorus(r, there, 0, None, NO_WAYS).value(node)
        assert value.lo <= 20 <= value.hi and abs(float(value.hi) - 20) <= reach + 1e-9


def test_phases_run_through_a_whole_period() -> None:
    """In half turns 2, or 2 pi: one for each line, two for each chirp."""
    step: Any = {"chirps": [], "cells": ".", "peak": None}
    assert torus("exp(-r)*(2+frac(r)+cos(pi*r))", [WHOLE, ONCE], [1, 0], [0, 1]).axes() == [(Q(0), Q(2))] * 2
    chirps = of_chirps("exp(-3*r)*(3+cos(y))", step)
    assert chirps.axes() == [(Q(0), TWO_PI)] * 2 and not chirps.turns
    assert of_chirps("exp(-3*r)*(3+cos(y)+frac(r))", step).axes() == [(Q(0), Q(2))] * 3


def of_chirps(text: str, step: Any) -> Torus:
    """Lines for floors, and one chirp, that of the first wave."""
    found = walk(tree(text))
    floors_, others = ([str(n.number) for n in found if n.kind in kinds] for kinds in (("floor",), ("cos", "sin")))
    chirps = [{"wave": others[0], "factor": "1"}]
    waves = {n: [1, 0] for n in floors_} | {n: [0, 1] if floors_ else [1] for n in others}
    given = {**step, "lines": [WHOLE] if floors_ else [], "chirps": chirps, "waves": waves}
    tail = Proof(on_charts(text), Steps({"torus": given})).tail
    assert isinstance(tail, Torus)
    return tail


def test_the_constant_of_a_chirp_is_in_the_units_of_the_phases() -> None:
    """1/3, and in half turns that over pi."""
    wave, with_floor, alone = "cos(y+1/3)", 1 / (3 * math.pi), 1 / 3
    step: Any = {"cells": ".", "peak": None}
    for text, expected in ((f"exp(-3*r)*(3+{wave}+frac(r))", with_floor), (f"exp(-3*r)*(3+{wave})", alone)):
        found = of_chirps(text, step)
        (constant,) = (w.constant for w in found.waves.values() if w.multiples[-1] and w.constant.hi != 0)
        assert constant.lo <= constant.hi and float(constant.hi) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("letter", [".", "*", "-"])
def test_the_loss_of_waves_in_an_exponent(letter: str) -> None:
    """log f = -3 r + cos(r) + cos(sqrt(2) r)/2, at points of cells."""
    text, speeds, random = "exp(-3*r+cos(r)+cos(sqrt(2)*r)/2)", (1.0, math.sqrt(2)), Random(letter)
    cosines = [n for n in walk(tree(text)) if n.kind == "cos"]
    rows = [[1, 0] if n.args[0].kind == "r" else [0, 1] for n in cosines]
    found = torus(text, [[["1", "0", "1"]], [["2", "0", "1"]]], *rows)
    for _ in range(6):
        lows = [Q(random.randrange(48), 8) for _ in speeds]
        low = Q(random.randrange(8), 8)
        bound = found.bound(ALL, letter, [*((a, a + Q(1, 8)) for a in lows), (low, low + Q(1, 8))])
        for _ in range(10):
            x = [float(a + Q(random.randrange(1, 997), 8 * 997)) for a in lows]
            h = float(low + Q(random.randrange(1, 997), 8 * 997))
            first, second = (math.cos(y) - math.cos(y + v * h) for y, v in zip(x, speeds, strict=True))
            assert float(bound.lo) - 1e-9 <= 3 * h + first + second / 2 <= float(bound.hi) + 1e-9
        assert bound.hi - bound.lo < 2


def test_where_r_is_a_tooth_has_its_phase_there_and_not_ahead() -> None:
    """On an end whose phase is from 1/2 to 3/4: the tooth is from 1/4 to 3/8, whatever the shift."""
    found = one()
    (node,) = floors(found)
    cell = found.germ([(Q(1, 2), Q(3, 4)), (Q(1), Q(1))])
    total = tree("exp(-r)*(2+frac(sqrt(2)*r))")
    (part,) = (n for n in walk(total) if n.kind == "add")
    assert node.number in {n.number for n in walk(part)}
    value = Evaluation(Model(cell, {LINEAR: 1})).value(part).span()
    assert (float(value.lo), float(value.hi)) == pytest.approx((2.25, 2.375), abs=1e-12)
