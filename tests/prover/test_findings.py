"""The prover returns findings; their words stand in one place."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from string import Formatter

import pytest
from flint import arb

import dpverify
from dpverify import verify
from dpverify.enclosures import Undecided, fraction_below
from dpverify.enclosures.ball import positive
from dpverify.findings import Clause, Gap, Part, Place, Reason, Why, failed

ROOT = Path(dpverify.__file__).parent
SOURCES = {path: path.read_text() for path in ROOT.rglob("*.py")}
NAMED = set(re.findall(r"\b(?:Why|Reason|Gap|Part|Place)\.[A-Z][A-Z0-9_]*", "\n".join(SOURCES.values())))
PROVING = ("enclosures", "asymptotics", "prover", "mixtures", "profiles", "calibration", "sampling", "mechanisms")
WORDED = ("Hypothesis", "self._conclude", "Undecided")


def prose(text: str) -> Iterator[str]:
    """Hypotheses, verdicts and failures that are given words instead of a finding."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in WORDED:
            given = [*node.args, *(k.value for k in node.keywords)]
            yield from (
                ast.unparse(x)
                for x in given
                if isinstance(x, ast.JoinedStr) or (isinstance(x, ast.Constant) and " " in str(x.value))
            )


@pytest.mark.slow
def test_the_prover_says_nothing_in_words() -> None:
    for path, text in SOURCES.items():
        if path.relative_to(ROOT).parts[0] in PROVING:
            assert not list(prose(text)), path
    assert list(prose('raise Undecided("f is negative")')) and not list(prose("raise Undecided(Reason.F_NEGATIVE())"))
    assert list(prose('Hypothesis("refuted", f"f rises at {r}")')) and list(prose('Hypothesis("proved", "f falls")'))


@pytest.mark.sampled(stay=59)
@pytest.mark.parametrize("clause", [*Why, *Reason, *Gap], ids=lambda clause: clause.name)
def test_every_finding_is_found_and_worded(clause: Clause) -> None:
    assert f"{type(clause).__name__}.{clause.name}" in NAMED, "nothing finds it"
    names = [name for _, name, _, _ in Formatter().parse(clause.value) if name]
    told = str(clause(**{name: Fraction(1, 4) for name in names}))
    assert told.count("0.25") + told.count("1/4") == len(names) and "{" not in told


@pytest.mark.parametrize("noun", [*Part, *Place], ids=lambda noun: noun.name)
def test_every_part_and_place_is_spoken_of(noun: Part | Place) -> None:
    assert f"{type(noun).__name__}.{noun.name}" in NAMED


def test_numbers_are_shown_to_six_digits_or_as_the_clause_asks() -> None:
    third = Fraction(1, 3)
    assert str(Reason.BOX_OPEN(at=third)) == "not settled around r = 0.333333"
    assert str(Reason.DELTA_NOT_ENCLOSED(epsilon=third)) == "delta(1/3) is not enclosed as narrowly as asked"
    assert "delta = 0.333 is" in str(Reason.EPSILON_NOT_ENCLOSED(target=third))


def test_a_failure_is_data_and_its_message_the_words() -> None:
    with pytest.raises(Undecided) as caught:
        positive(arb(0, 1))
    found = caught.value.finding
    assert found.why is Reason.OF_NOT_POSITIVE and dict(found.values) == {"what": Part.LOGARITHM_OR_POWER}
    assert str(caught.value) == "a logarithm or a fractional power is taken of something not proved positive"
    with pytest.raises(Undecided) as caught:
        fraction_below(arb.pos_inf())
    assert pickle.loads(pickle.dumps(caught.value)).finding == caught.value.finding


def test_failures_of_several_steps_are_told_one_after_another() -> None:
    steps = [Reason.NO_MODEL_OF_F(where=Place.ZERO, failure=Reason.NO_MODEL()), Reason.NEARS_ZERO()]
    assert str(failed(steps)) == "no model of f at zero: no model was found; f comes as near to 0 as one likes far out"
    assert failed(steps[:1]) is steps[0] and failed([]).why is Why.NOT_EXAMINED


def test_a_rise_is_told_with_its_radii() -> None:
    found = verify("exp(-r)*(1+2*y)", sensitivity="1/2").hypotheses.decreasing
    assert found.status == "refuted" and found.because.why is Why.RISES
    a, b = (value for _, value in found.because.values)
    assert isinstance(a, Fraction) and isinstance(b, Fraction) and 0 < a < b
    assert found.explanation == f"f rises between r = {float(a):.6g} and r = {float(b):.6g}"
