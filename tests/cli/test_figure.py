"""`dpverify figure`: the lessons' figures by name, any generator's, and what cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpverify.show.plots.lessons import LESSONS
from tests.command import run


@pytest.mark.slow
def test_a_generators_curve_is_the_lessons(tmp_path: Path) -> None:
    """The same generator typed out, with the legend of one curve, goes through the same points."""
    for arguments in (["wave-ratio", "-o", "a.svg"], ["exp(-sqrt(y))*(3+sin(r))", "--to", "30", "-o", "b.svg"]):
        assert run("figure", *arguments, cwd=tmp_path).returncode == 0
    points = []
    for name in ("a.svg", "b.svg"):
        lines = (tmp_path / name).read_text().split("<path ")
        points.append(max((part for part in lines if "clip-path" in part), key=len).count("L"))
    assert points[0] == points[1] > 100


def test_the_names_are_listed() -> None:
    assert run("figure", "--list").stdout.split() == list(LESSONS)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give a figure's name"),
        (["poster"], "give a figure's name"),
        (["all", "-o", "x.svg"], "into a folder"),
        (["exp(-r)", "-o", "x.svg", "--to", "1"], "farther out"),
        (["exp(-r)", "-o", "x.svg", "--sensitivity", "0"], "positive"),
        (["exp(-a*r)", "-o", "x.svg"], "not bound"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_line(arguments: list[str], told: str, tmp_path: Path) -> None:
    done = run("figure", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
