"""Sentences as pages show them."""

from __future__ import annotations

import pytest

from dpverify import verify
from dpverify.show.formulas import mathml
from dpverify.show.sentences import typeset


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("epsilon = Delta/sigma = 1, the loss being largest at every c >= Delta/sigma.", "ε = Δ/σ = 1"),
        ("epsilon = 1, approached in the limit c -> oo.", "in the limit c → ∞."),
        (
            "Private for no epsilon: epsilons and sigma_2 stay.",
            "no ε: epsilons and sigma_2",
        ),
    ],
)
def test_names_of_letters_become_letters(sentence: str, words: str) -> None:
    ((found, formula),) = typeset(sentence)
    assert words in found and formula == ""


def test_where_the_loss_is_largest_is_a_formula_in_the_statement_s_own_delta() -> None:
    result = verify("student_t", dimension=2, parameters={"nu": 3})
    (before, formula), (after, nothing) = typeset(result.reason)
    assert before.endswith("largest at ") and (after, nothing) == (".", "")
    assert formula.startswith(r"c = \dfrac{\delta + \sqrt") and r"\Delta" not in formula
    assert mathml(formula).startswith("<math")


def test_a_number_s_point_does_not_end_the_sentence() -> None:
    (before, formula), (after, _) = typeset(
        "epsilon = 1.5, the loss being largest at c = 4.0958. The enclosure is wide."
    )
    assert (before, formula, after) == ("ε = 1.5, the loss being largest at ", "c = 4.0958", ". The enclosure is wide.")


def test_what_cannot_be_typeset_stays_text() -> None:
    assert typeset("largest at c = <b>1</b>.") == [("largest at c = <b>1</b>.", "")]
