"""Delta from Sigma and differences: against SymPy's exact inverse, laws, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify import InputError, sensitivity
from dpverify.mahalanobis import square_root
from tests import command
from tests.strategies import rationals

Matrix = list[list[Fraction]]
number = st.fractions(-5, 5, max_denominator=12)


def times(a: Matrix, b: Matrix) -> Matrix:
    columns = transposed(b)
    return [[sum((x * y for x, y in zip(row, c, strict=True)), Fraction(0)) for c in columns] for row in a]


def transposed(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


@st.composite
def questions(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """A positive definite Sigma = A A' + I and a few vectors."""
    size = draw(st.integers(1, 4))
    row = st.lists(number, min_size=size, max_size=size)
    a = draw(st.lists(row, min_size=size, max_size=size))
    sigma = times(a, transposed(a))
    for i in range(size):
        sigma[i][i] += 1
    return sigma, draw(st.lists(row, min_size=1, max_size=6))


def by_sympy(sigma: Matrix, v: list[Fraction]) -> Fraction:
    exact = sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in sigma])
    column = sympy.Matrix([sympy.Rational(x.numerator, x.denominator) for x in v])
    value = (column.T * exact.inv() * column)[0]
    return Fraction(int(value.p), int(value.q))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(questions())
def test_the_square_is_exact(question: tuple[Matrix, Matrix]) -> None:
    sigma, vectors = question
    found = sensitivity(sigma, vectors)
    assert found.squared == max(by_sympy(sigma, v) for v in vectors)
    assert found.squared == by_sympy(sigma, list(found.difference))
    assert list(found.difference) == vectors[found.index[0]]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(questions())
def test_the_largest_pair(question: tuple[Matrix, Matrix]) -> None:
    sigma, points = question
    pairs = [[x - y for x, y in zip(p, q, strict=True)] for p, q in combinations(points, 2)]
    found = sensitivity(sigma, outputs=points)
    assert found.squared == max((by_sympy(sigma, v) for v in pairs), default=Fraction(0))
    i, j = found.index
    assert list(found.difference) == [x - y for x, y in zip(points[j], points[i], strict=True)]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(questions(), st.data())
def test_no_point_of_the_polytope_exceeds_its_vertices(question: tuple[Matrix, Matrix], data: st.DataObject) -> None:
    sigma, vertices = question
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(vertices), max_size=len(vertices)).filter(any))
    inside = [
        sum((w * v[i] for w, v in zip(weights, vertices, strict=True)), Fraction(0)) / sum(weights)
        for i in range(len(sigma))
    ]
    assert sensitivity(sigma, [inside]).squared <= sensitivity(sigma, vertices).squared


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(questions(), rationals("1/9", "9"))
def test_units_do_not_matter(question: tuple[Matrix, Matrix], a: Fraction) -> None:
    """A linear change of the statistic, T -> B T and Sigma -> B Sigma B', leaves Delta as it is."""
    sigma, vectors = question
    size = len(sigma)
    b = [[a if i == j else Fraction(int(j == i + 1)) for j in range(size)] for i in range(size)]
    moved = transposed(times(b, transposed(vectors)))
    changed = times(times(b, sigma), transposed(b))
    assert sensitivity(changed, moved).squared == sensitivity(sigma, vectors).squared


@pytest.mark.slow
@given(st.fractions(0, 10**12, max_denominator=10**9), st.integers(-60, 60))
def test_the_root_lies_between(value: Fraction, power: int) -> None:
    value *= Fraction(10) ** power
    low, high = square_root(value)
    assert low * low <= value <= high * high
    assert high - low <= Fraction(1, 10**12) * high
    assert (low == high) == (sympy.sqrt(sympy.Rational(value.numerator, value.denominator)).is_rational)


def test_a_root_that_is_rational_is_exact() -> None:
    found = sensitivity(None, [["3/7", "4/7"]])
    assert (found.lower, found.upper, found.exact) == (Fraction(5, 7), Fraction(5, 7), Fraction(5, 7))
    assert sensitivity([[4, 0], [0, "1/9"]], [[1, 0], [0, "1/3"]]).exact == 1
    assert sensitivity([[2, 1], [1, 2]], [[1, 0]]).exact is None


@pytest.mark.parametrize(
    ("covariance", "differences", "words"),
    [
        ([[1, 2], [2, 1]], [[1, 0]], "not positive definite"),
        ([[1, 1], [1, 1]], [[1, 0]], "not positive definite"),
        ([[0]], [[1]], "not positive definite"),
        ([[1, "1/3"], ["0.3333333333333333", 1]], [[1, 0]], "not symmetric"),
        ([[1, 0]], [[1, 0]], "not a square matrix"),
        ([[1, 0], [0]], [[1, 0]], "row 2 is of length 1"),
        ([[1, 0], [0, 1]], [[1, 0, 0]], "3 entries"),
        ([[1.0]], [[1]], "float is not an exact number"),
        ([["x"]], [[1]], "row 1, column 1"),
        ([[1]], [], "there are none"),
        ([[1]], [[]], "length 0"),
        ([[1]], ["1"], "row 1 is not a list"),
        ([[True]], [[1]], "bool is not an exact number"),
    ],
)
def test_refusals(covariance: object, differences: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        sensitivity(covariance, differences)  # type: ignore[arg-type]


def test_one_question_at_a_time() -> None:
    with pytest.raises(InputError, match="either"):
        sensitivity(None)
    with pytest.raises(InputError, match="either"):
        sensitivity(None, [[1]], outputs=[[1]])


run = partial(command.run, "sensitivity")


def test_the_command_reads_text_and_files(tmp_path: Path) -> None:
    inline = run("--covariance", "2,1;1,2", "--differences", "1,0;0,1;1,-1", "--json")
    assert json.loads(inline.stdout)["squared"] == "2"
    (tmp_path / "sigma.csv").write_text("# Sigma\n2, 1\n1, 2\n\n")
    (tmp_path / "v.csv").write_text("\ufeff1,0\r\n0;1\r\n1 -1\r\n")
    files = run("--covariance", str(tmp_path / "sigma.csv"), "--differences", str(tmp_path / "v.csv"), "--json")
    assert files.stdout == inline.stdout
    shown = run("--differences", "3/7 4/7")
    assert "5/7, exactly" in shown.stdout
    assert json.loads(run("--outputs", "0,0;3,4;1,1", "--json").stdout)["sensitivity"]["exact"] == "5"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--differences", "no-such-file"],
        ["--differences", "1,2;3"],
        ["--covariance", "1,2;2,1", "--differences", "1,1"],
        ["--differences", "1/0"],
        ["--differences", ";"],
        ["--differences", ""],
        ["--differences", "."],
        ["--differences", "/"],
        [],
        ["--differences", "1", "--outputs", "1"],
    ],
)
def test_the_command_refuses_in_one_line(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "program failed" not in done.stderr
