"""Signs of nodes on open boxes (K7), and powers of what is 0 there or a shift ahead."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, hull, interval
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import with_shift
from dpverify.kernel.sections.signs import at_ends, exact_value, sign
from dpverify.kernel.sections.slopes import Slope
from tests.kernel.problems import tree


@pytest.mark.parametrize(
    ("text", "a", "b", "known"),
    [
        ("2-r", "1", "2", 1),
        ("r-2", "1", "2", -1),
        ("r-2", "1", "3", None),
        ("r-2", "2", "3", 1),
        ("y-3*r+2", "1/2", "1", 1),
        ("y-3*r+2", "1", "5/4", -1),
        ("y-3*r+2", "1/2", "5/2", None),  # positive at both ends, and negative between 1 and 2
        ("3*r-2-y", "1/2", "5/2", None),
        ("Abs(r-1)-1/2", "1/4", "7/4", None),
        ("1/2-Abs(r-1)", "1/4", "7/4", None),
        ("1/(3-r)", "1", "3", 1),  # without a value at one end
        ("1/(r-1)", "1", "3", 1),
        ("1/(1-r)", "1", "3", -1),
        ("sqrt(r)-1", "1", "2", None),  # whose form shows no exact value
        ("(r-1)**0-1/2", "1", "2", 1),
        ("0*r", "1", "2", 0),
    ],
)
def test_the_sign_of_a_node_on_an_open_box(text: str, a: str, b: str, known: int | None) -> None:
    """Values of one sign at both ends say nothing of what lies between unless the node is monotone."""
    low, high = Fraction(a), Fraction(b)
    assert sign(Evaluation(radii(low, high), (low, high)), tree(text)) == known


def test_a_node_has_values_at_the_ends_where_it_is_exact_and_monotone() -> None:
    low, high = Fraction(1), Fraction(2)
    at = Evaluation(radii(low, high), (low, high), Fraction(3))
    without = ((text, None) for text in ("sqrt(r)", "y-3*r", "1/(r-1)", "1/(2-r)"))
    for text, ends in (("y", (1, 4)), ("1-r", (0, -1)), *without):
        node = tree(text)
        assert at_ends(at, node, at.value(node), 0) == ends, text
    assert at_ends(at, tree("y"), at.value(tree("y")), 1) == (16, 25)
    assert at_ends(Evaluation(radii(low, high)), tree("y"), at.value(tree("y")), 0) is None


@pytest.mark.parametrize(
    ("text", "r", "value"),
    [
        ("(r-2)**2", "2", "0"),
        ("(r-2)**(-1)", "2", None),
        ("(r-2)**(-2)*(r-1)", "2", None),
        ("3*(r-2)**(-1)+r", "5", "6"),
        ("r*(r-1)*(r+1)", "2", "6"),
        ("r-1/r", "2", "3/2"),
        ("exp(r)", "2", None),
    ],
)
def test_exact_values(text: str, r: str, value: str | None) -> None:
    assert exact_value(tree(text), Fraction(r)) == (None if value is None else Fraction(value))


@pytest.mark.parametrize("text", ["Max(0,r-1)**(-1/2)", "Max(0,1-r)**(-1/2)", "Max(0,r-1)**(-1)", "Max(0,1-r)**(-1)"])
def test_a_negative_power_of_what_is_0_here_or_ahead_is_refused(text: str) -> None:
    """0 on (1/5, 1/2), or a shift of 1 ahead of it: infinity in its place, times 0, would be 0."""
    box = Fraction(1, 5), Fraction(1, 2)
    r = with_shift(radii(*box), Slope(interval(1), ZERO))
    with pytest.raises(Rejected, match=r"divides by zero|not proved positive"):
        Evaluation(r, box, Fraction(1)).value(tree(text))
    with pytest.raises(Rejected, match=r"divides by zero|not proved positive"):
        Evaluation(with_shift(hull(*map(interval, box)), interval(1)), box, Fraction(1)).value(tree(text))
