"""The plot in the terminal: the curve where it belongs, within the width."""

from __future__ import annotations

import math

import pytest

from dpverify.show.plots.lines import Line
from dpverify.show.plots.picture import Picture
from dpverify.show.plots.text import MARGIN, ROWS, lines
from tests.command import run

X = tuple(k / 100 for k in range(1, 1001))


def picture(*heights: float, bound: float | None = None) -> Picture:
    line = Line(X, heights)
    shown = None if bound is None else (bound, f"bound {bound}")
    return Picture("Loss", "", "", "c", "", False, (("loss", line),), shown, None)


def tops(found: list[str], mark: str = "*") -> list[int]:
    """The uppermost row of the curve in each column that has one."""
    rows = [line[MARGIN:] for line in found[1 : ROWS + 1]]
    widest = max(map(len, rows))
    columns = ["".join(row.ljust(widest)[k] for row in rows) for k in range(widest)]
    return [column.index(mark) for column in columns if mark in column]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_rising_curve_rises_and_fills_the_width(width: int) -> None:
    found = lines(picture(*(x * x for x in X)), width, braille=False)
    assert all(len(line) <= width for line in found)
    heights = tops(found)
    assert heights == sorted(heights, reverse=True) and heights[0] == ROWS - 1 and heights[-1] == 0
    assert len(heights) == width - MARGIN - 1


def test_a_level_curve_lies_on_its_bound() -> None:
    found = lines(picture(*(1.0 for _ in X), bound=1.0), 80, braille=False)
    level = set(tops(found))
    assert len(level) == 1
    row = found[1 + level.pop()]
    assert row.split(" |")[0].strip() == "1" and "bound 1.0" in found[-1]


def test_a_gap_is_a_gap_and_braille_has_the_same_columns() -> None:
    gapped = picture(*(math.nan if 3 < x < 6 else x for x in X))
    starred, dotted = lines(gapped, 80, braille=False), lines(gapped, 80)
    assert 0 < len(tops(starred)) < (80 - MARGIN - 1) * 0.8
    for star, dot in zip(starred, dotted, strict=True):
        assert [c == "*" for c in star] == [0x2800 < ord(c) < 0x2900 for c in dot]
    assert lines(picture(*(math.nan for _ in X)), 80) == []


def test_the_command_draws_a_proof_and_tells_where_there_is_none() -> None:
    told = run("verify", "exp(-sqrt(y))", "--sensitivity", "2", "--plot").stdout
    assert "The privacy loss" in told and "proved bound, 2" in told
    assert "nothing is drawn" in run("verify", "exp(-r)", "--plot", "--timeout", "1/1000000").stdout
