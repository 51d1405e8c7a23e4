"""The plot in the terminal: the curve where it belongs, within the width."""

from __future__ import annotations

import math

import pytest

from dpverify.show.plots.text import MARGIN, ROWS, Sketch, Span, lines, span_lines
from tests.command import run

X = tuple(k / 100 for k in range(1, 1001))


def sketch(*heights: float, bound: float | None = None, logarithmic: bool = False) -> Sketch:
    shown = None if bound is None else (bound, f"bound {bound}")
    return Sketch("Loss", (tuple(zip(X, heights, strict=True)),), "c", shown, (logarithmic, logarithmic))


def tops(found: list[str], mark: str = "*") -> list[int]:
    """The uppermost row of the curve in each column that has one."""
    rows = [line[MARGIN:] for line in found[1 : ROWS + 1]]
    widest = max(map(len, rows))
    columns = ["".join(row.ljust(widest)[k] for row in rows) for k in range(widest)]
    return [column.index(mark) for column in columns if mark in column]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_rising_curve_rises_and_fills_the_width(width: int) -> None:
    found = lines(sketch(*(x * x for x in X)), width, braille=False)
    assert all(len(line) <= width for line in found)
    heights = tops(found)
    assert heights == sorted(heights, reverse=True) and heights[0] == ROWS - 1 and heights[-1] == 0
    assert len(heights) == width - MARGIN - 1


def test_a_level_curve_lies_on_its_bound() -> None:
    found = lines(sketch(*(1.0 for _ in X), bound=1.0), 80, braille=False)
    level = set(tops(found))
    assert len(level) == 1
    row = found[1 + level.pop()]
    assert row.split(" |")[0].strip() == "1" and "bound 1.0" in found[-1]


def test_a_gap_is_a_gap_and_braille_has_the_same_columns() -> None:
    gapped = sketch(*(math.nan if 3 < x < 6 else x for x in X))
    starred, dotted = lines(gapped, 80, braille=False), lines(gapped, 80)
    assert 0 < len(tops(starred)) < (80 - MARGIN - 1) * 0.8
    for star, dot in zip(starred, dotted, strict=True):
        assert [c == "*" for c in star] == [0x2800 < ord(c) < 0x2900 for c in dot]
    assert lines(sketch(*(math.nan for _ in X)), 80) == []


def test_a_power_is_straight_where_both_axes_are_logarithmic() -> None:
    heights = tops(lines(sketch(*(x**3 for x in X), logarithmic=True), 80, braille=False))
    straight = [(ROWS - 1) * (1 - k / (len(heights) - 1)) for k in range(len(heights))]
    assert all(abs(found - wanted) <= 1 for found, wanted in zip(heights, straight, strict=True))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_spans_lie_where_their_logarithms_do(width: int) -> None:
    spans = [Span("a", (1.0, 10.0)), Span("b" * 90, (10.0, 100.0)), Span("c", (100.0, math.inf)), Span("d", None)]
    found = span_lines("sizes", spans, "size", width)
    assert all(len(line) <= width for line in found) and "across: size, logarithmic" in found[-1]
    first, second, third, fourth = (line.partition("|")[2] for line in found[1:5])
    last = max(map(len, (first, second, third))) - 1
    assert (first.index("o"), third.index("o"), second.index("x"), fourth) == (0, last, last, "")
    assert abs(first.index("x") - last / 2) <= 1 and first.index("x") == second.index("o")
    assert span_lines("sizes", [Span("d", None)], "size", width) == []


@pytest.mark.slow
def test_the_commands_draw_curves_and_sizes() -> None:
    told = run("curve", "laplace", "--points", "3", "--plot").stdout
    assert "across: Delta/sigma, logarithmic" in told and "\n       10 |" in told
    told = run("profile", "laplace", "--curve", "--step", "1/4", "--plot", "tradeoff").stdout
    assert "type II error" in told and "across: type I error" in told
    told = run("compare", "laplace", "gaussian", "--epsilon", "1", "--plot").stdout
    assert "laplace |o-" in told and "gaussian |\n" in told
    assert run("profile", "laplace", "--epsilon", "1", "--plot", "renyi").returncode == 2


def test_the_command_draws_a_proof_and_tells_where_there_is_none() -> None:
    told = run("verify", "exp(-sqrt(y))", "--sensitivity", "2", "--plot").stdout
    assert "The privacy loss" in told and "proved bound, 2" in told
    assert "nothing is drawn" in run("verify", "exp(-r)", "--plot", "--timeout", "1/1000000").stdout
