"""Lines of the terminal: no wider than it is, nothing lost, long formulas broken at an operator."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpverify import verify
from dpverify.show import Part, Row, Sheet, sheet
from dpverify.show.terminal import lines, wrapped

WORD = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?")


@pytest.mark.slow
@given(st.text(alphabet="abc012 .,()*/+-_", max_size=200), st.integers(8, 40))
def test_wrapping_loses_nothing_and_fits(text: str, room: int) -> None:
    found = wrapped(text, room)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
    assert all(len(line) <= room for line in found)


@pytest.mark.parametrize("room", range(12, 40))
def test_a_long_formula_is_not_broken_inside_a_word_or_a_power(room: int) -> None:
    formula = "(nu+d)/2*log((1+((delta+sqrt(delta**2+4*nu))/2)**2/nu)/(1+((sqrt(delta**2+4*nu)-delta)/2)**2/nu))"
    found = wrapped(formula, room)
    assert [word for line in found for word in WORD.findall(line)] == WORD.findall(formula)
    assert not any(line.endswith("*") and after.startswith("*") for line, after in pairwise(found))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_result_fits_the_width(width: int) -> None:
    assert max(map(len, lines(sheet(verify("student_t", dimension=2, parameters={"nu": 3})), width))) <= width


@pytest.mark.campaign
def test_the_tail_is_told_by_its_lim_sup_and_never_above_epsilon() -> None:
    """exp(-2 sqrt(1+y))(3+cos 2r) oscillates, so its ratio has no limit; the enclosure of its lim sup is a wide one."""
    result = verify("exp(-2*sqrt(1+y))*(3+cos(2*r))", dimension=2)
    assert result.epsilon is not None and result.tail_log_ratio is not None
    (told,) = (row.text for row in sheet(result).rows if row.label == "tail ratio")
    low, high = map(Fraction, re.findall(r"[0-9.]+[0-9]", told))
    assert "tends" not in told
    assert result.tail_log_ratio.upper > high >= result.epsilon.upper > low >= 1
    assert high - result.epsilon.upper < Fraction(1, 10**9)


def test_what_comes_from_outside_cannot_drive_a_terminal() -> None:
    made = Sheet("\x1b[2J", "bad", "\x1b[2J", parts=(Part("a", ("\x1b[2J",), (Row("\x1b[2J", "\x1b", code="\x07"),)),))
    assert "".join(lines(made)).isprintable()


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["verify", "laplace"], ["check", "certificates/laplace-d3.json"]])
def test_the_terminal_needs_no_library_of_reports(arguments: list[str]) -> None:
    heavy = "jinja2 markupsafe typst latex2mathml matplotlib rich numpy scipy sympy marimo"
    code = (
        "import sys, dpverify.cli.app as app\n"
        "try: app.main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"sys.exit(', '.join(name for name in {heavy.split()!r} if name in sys.modules) or 0)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
