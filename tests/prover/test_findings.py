"""The prover returns findings; their words stand in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from string import Formatter

import pytest

import dpverify
from dpverify import verify
from dpverify.findings import Why

ROOT = Path(dpverify.__file__).parent
SOURCES = {path: path.read_text() for path in ROOT.rglob("*.py")}


def prose(text: str) -> Iterator[str]:
    """Hypotheses and verdicts that are given words instead of a finding."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Hypothesis", "self._conclude"):
            given = [*node.args[1:], *(k.value for k in node.keywords)]
            yield from (
                ast.unparse(x)
                for x in given
                if isinstance(x, ast.JoinedStr) or (isinstance(x, ast.Constant) and " " in str(x.value))
            )


def test_the_prover_says_nothing_in_words() -> None:
    for path, text in SOURCES.items():
        if path.is_relative_to(ROOT / "prover"):
            assert not list(prose(text)), path
    assert list(prose('Hypothesis("refuted", f"f rises at {r}")')) and list(prose('Hypothesis("proved", "f falls")'))


@pytest.mark.parametrize("why", Why, ids=lambda why: why.name)
def test_every_finding_is_found_and_worded(why: Why) -> None:
    assert any(f"Why.{why.name}" in text for text in SOURCES.values()), "nothing finds it"
    names = [name for _, name, _, _ in Formatter().parse(why.value) if name]
    told = str(why(**{name: Fraction(1, 3) for name in names}))
    assert told.count("0.333333") == len(names) and "{" not in told


def test_a_rise_is_told_with_its_radii() -> None:
    found = verify("exp(-r)*(1+2*y)", sensitivity="1/2").hypotheses.decreasing
    assert found.status == "refuted" and not isinstance(found.because, str)
    assert found.because.why is Why.RISES
    a, b = (value for _, value in found.because.values)
    assert isinstance(a, Fraction) and isinstance(b, Fraction) and 0 < a < b
    assert found.explanation == f"f rises between r = {float(a):.6g} and r = {float(b):.6g}"
