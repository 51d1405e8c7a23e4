"""Delta from a description of data: against every pair of neighbouring data sets of a few records, and closed forms."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpverify.evidence
from dpverify import InputError, bundle
from dpverify.errors import Refused
from dpverify.evidence.norms import below_eigenvalues, norm, pivots
from dpverify.evidence.refusal import Refusal, digest
from dpverify.evidence.sensitivity import check
from dpverify.serialise import serialise
from tests import command

Vector = tuple[Fraction, ...]
DIAGONAL = [["2", "0"], ["0", "1/3"]]
FULL = [["2", "1"], ["1", "3"]]


def asked(statistic: str, neighbours: str, contribution: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "statistic": statistic,
        "neighbours": neighbours,
        "contribution": contribution,
        "each": 1,
        "records": None,
        "covariance": None,
        **more,
    }


def squared(question: dict[str, Any]) -> Fraction:
    """Delta^2, where it is exact; the evidence is checked on the way."""
    document = bundle.derive(question)
    check(document)
    assert document["squared"]["lower"] == document["squared"]["upper"]
    return Fraction(document["squared"]["upper"])


def q(v: Vector, sigma: list[list[str]] | None) -> Fraction:
    """v' Sigma^-1 v in two dimensions by Cramer's rule, in one by division."""
    if sigma is None:
        return sum((x * x for x in v), Fraction(0))
    (a, b), (c, d) = [[Fraction(x) for x in row] for row in sigma]
    return (d * v[0] ** 2 - (b + c) * v[0] * v[1] + a * v[1] ** 2) / (a * d - b * c)


def total(data: tuple[Vector, ...]) -> Vector:
    return tuple(sum(column, Fraction(0)) for column in zip(*data, strict=True)) if data else (Fraction(0),) * 2


def mean(data: tuple[Vector, ...]) -> Vector:
    return tuple(x / len(data) for x in total(data))


def neighbouring(
    records: list[Vector], count: int, how: str, each: int
) -> Iterator[tuple[tuple[Vector, ...], tuple[Vector, ...]]]:
    """Every pair of data sets, the first of `count` records, of which one person has at most `each`."""
    for data in combinations_with_replacement(records, count):
        if how == "add-remove":
            for k in range(1, each + 1):
                yield from ((data, (*data, *more)) for more in combinations_with_replacement(records, k))
        else:
            for more in product(records, repeat=each):
                yield data, (*more, *data[each:])


CONTRIBUTIONS: dict[str, tuple[dict[str, Any], list[tuple[int, int]]]] = {
    "box": ({"set": "box", "low": ["-1", "0"], "high": ["2", "3"]}, [(-1, 0), (-1, 3), (2, 0), (2, 3)]),
    "histogram": ({"set": "counts", "cells": 2, "most": 1}, [(0, 0), (1, 0), (0, 1)]),
    "counts": ({"set": "counts", "cells": 2, "most": 2}, [(0, 0), (1, 0), (0, 1), (1, 1)]),
    "columns": ({"set": "columns", "matrix": [["1", "1", "0"], ["0", "1", "2"]]}, [(1, 0), (1, 1), (0, 2)]),
    "clipped in l1": ({"set": "ball", "norm": "l1", "radius": "2", "dimension": 2}, [(2, 0), (-2, 0), (0, 2), (0, -2)]),
    "clipped in linf": (
        {"set": "ball", "norm": "linf", "radius": "2", "dimension": 2},
        [(2, 2), (-2, 2), (2, -2), (-2, -2)],
    ),
}


@pytest.mark.sampled(stay=9)
@pytest.mark.parametrize("sigma", [None, DIAGONAL, FULL], ids=["identity", "diagonal", "full"])
@pytest.mark.parametrize("name", CONTRIBUTIONS)
@pytest.mark.parametrize("how", ["add-remove", "replace"])
def test_it_is_the_largest_over_all_neighbours(name: str, how: str, sigma: list[list[str]] | None) -> None:
    """The extreme records alone are enumerated; for a mean there are two other records at least."""
    contribution, extreme = CONTRIBUTIONS[name]
    records = [tuple(map(Fraction, x)) for x in extreme]
    for each in (1, 2):
        question = asked("sum", how, contribution, each=each, covariance=sigma)
        pairs = list(neighbouring(records, 2, how, each))
        differences = [tuple(a - b for a, b in zip(total(x), total(y), strict=True)) for x, y in pairs]
        assert squared(question) == max(q(v, sigma) for v in differences)
        question = asked("mean", how, contribution, each=each, covariance=sigma, records=2)
        differences = [tuple(a - b for a, b in zip(mean(x), mean(y), strict=True)) for x, y in pairs]
        assert squared(question) == max(q(v, sigma) for v in differences)


def test_a_mean_of_more_records_moves_less() -> None:
    """So that the least number of records is the worst, which the derivation takes."""
    contribution, extreme = CONTRIBUTIONS["box"]
    records = [tuple(map(Fraction, x)) for x in extreme]
    found = [
        max(
            q(tuple(a - b for a, b in zip(mean(x), mean(y), strict=True)), None)
            for x, y in neighbouring(records, n, "add-remove", 1)
        )
        for n in (1, 2, 3)
    ]
    assert found == sorted(found, reverse=True)
    assert found == [squared(asked("mean", "add-remove", contribution, records=n)) for n in (1, 2, 3)]


CLOSED = {
    "a count": (asked("sum", "replace", {"set": "counts", "cells": 1, "most": 1}), "1"),
    "a histogram": (asked("sum", "replace", {"set": "counts", "cells": 9, "most": 1}), "2"),
    "a histogram, one more": (asked("sum", "add-remove", {"set": "counts", "cells": 9, "most": 1}), "1"),
    "overlapping counts": (asked("sum", "replace", {"set": "counts", "cells": 9, "most": 3}), "6"),
    "nearly all counts": (asked("sum", "replace", {"set": "counts", "cells": 4, "most": 3}), "4"),
    "a bounded mean": (
        asked("mean", "replace", {"set": "box", "low": ["0"], "high": ["100"]}, records=500),
        "1/25",
    ),
    "clipped": (asked("sum", "replace", {"set": "ball", "norm": "l2", "radius": "3", "dimension": 50}), "36"),
    "clipped in Sigma's norm": (
        asked(
            "sum",
            "add-remove",
            {"set": "ball", "norm": "mahalanobis", "radius": "3", "dimension": 2},
            covariance=FULL,
        ),
        "9",
    ),
    "clipped, and Sigma diagonal": (
        asked("sum", "add-remove", {"set": "ball", "norm": "l2", "radius": "3", "dimension": 2}, covariance=DIAGONAL),
        "27",
    ),
    "clipped, and an eigenvalue 1": (
        asked(
            "sum",
            "add-remove",
            {"set": "ball", "norm": "l2", "radius": "3", "dimension": 2},
            covariance=[["2", "1"], ["1", "2"]],
        ),
        "9",
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms(name: str) -> None:
    question, value = CLOSED[name]
    assert squared(question) == Fraction(value)


def test_the_root_is_exact_where_it_can_be_said() -> None:
    box = {"set": "box", "low": ["0", "0"], "high": ["1", "1"]}
    assert bundle.derive(asked("sum", "replace", box))["sensitivity"]["exact"] == "sqrt(2)"
    count = {"set": "counts", "cells": 1, "most": 1}
    assert bundle.derive(asked("sum", "replace", count))["sensitivity"]["exact"] == "1"


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=2, max_size=2), min_size=2, max_size=2))
def test_a_plain_ball_is_enclosed_by_the_roots_of_the_quadratic(a: list[list[Fraction]]) -> None:
    """The least eigenvalue of a 2 x 2 matrix is a root of x^2 - trace x + determinant."""
    sigma = [
        [sum((x * y for x, y in zip(r, s, strict=True)), Fraction(i == j)) for j, s in enumerate(a)]
        for i, r in enumerate(a)
    ]
    texts = [[str(x) for x in row] for row in sigma]
    ball = {"set": "ball", "norm": "l2", "radius": "1", "dimension": 2}
    document = bundle.derive(asked("sum", "add-remove", ball, covariance=texts))
    check(document)
    trace, det = sigma[0][0] + sigma[1][1], sigma[0][0] * sigma[1][1] - sigma[0][1] ** 2

    def sign(value: Fraction) -> Fraction:
        """Positive below the least root, negative between the two."""
        return value**2 - trace * value + det

    lower, upper = (Fraction(document["squared"][end]) for end in ("lower", "upper"))
    assert lower <= upper <= lower * (1 + Fraction(1, 10**9))
    assert sign(1 / upper) >= 0 and 1 / upper <= trace / 2
    assert sign(1 / lower) <= 0 or 1 / lower >= trace / 2


def test_semidefinite_matrices_are_told_by_their_pivots() -> None:
    one, two, zero = Fraction(1), Fraction(2), Fraction(0)
    assert all(p >= 0 for p in pivots([[one, one], [one, one]]))
    assert not all(p >= 0 for p in pivots([[zero, one], [one, one]]))
    assert not all(p >= 0 for p in pivots([[one, two], [two, one]]))
    assert below_eigenvalues([[two, one], [one, two]], one) and not below_eigenvalues(
        [[two, one], [one, two]], one + one / 9
    )


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no covariance": (
        asked("sum", "replace", CONTRIBUTIONS["box"][0], covariance=[["1", "2"], ["2", "1"]]),
        "definite",
    ),
    "not symmetric": (
        asked("sum", "replace", CONTRIBUTIONS["box"][0], covariance=[["2", "1"], ["0", "2"]]),
        "symmetric",
    ),
    "another size": (asked("sum", "replace", CONTRIBUTIONS["box"][0], covariance=[["2"]]), "2 x 2"),
    "bounds the wrong way": (asked("sum", "replace", {"set": "box", "low": ["1"], "high": ["0"]}), "above"),
    "a mean of nobody": (asked("mean", "replace", CONTRIBUTIONS["box"][0], records=0), "records"),
    "a mean of unknown size": (asked("mean", "replace", CONTRIBUTIONS["box"][0]), "records"),
    "more than there are": (asked("mean", "replace", CONTRIBUTIONS["box"][0], records=2, each=3), "more records"),
    "a sum of so many": (asked("sum", "replace", CONTRIBUTIONS["box"][0], records=2), "mean alone"),
    "unknown neighbours": (asked("sum", "swap", CONTRIBUTIONS["box"][0]), "neighbours"),
    "a float": (asked("sum", "replace", {"set": "box", "low": [0.0], "high": ["1"]}), "rational"),
    "a division by zero": (asked("sum", "replace", {"set": "box", "low": ["0"], "high": ["1/0"]}), "rational"),
    "too many corners": (
        asked(
            "sum",
            "replace",
            {"set": "box", "low": ["0"] * 20, "high": ["1"] * 20},
            covariance=[["2" if i == j else "1" for j in range(20)] for i in range(20)],
        ),
        "dimensions",
    ),
    "nothing moves": (asked("sum", "replace", {"set": "box", "low": ["1"], "high": ["1"]}), "all differences are 0"),
    "a field too many": ({**asked("sum", "replace", CONTRIBUTIONS["box"][0]), "more": 1}, "fields"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_asked_is_refused(name: str) -> None:
    question, word = REFUSED[name]
    with pytest.raises(InputError, match=word):
        bundle.derive(question)


def test_infinitely_clipped_sizes_end_in_a_refusal() -> None:
    """Small texts that ask for much."""
    huge = asked("sum", "replace", {"set": "counts", "cells": 10**9, "most": 1})
    with pytest.raises(InputError):
        bundle.derive(huge)
    with pytest.raises(Refusal):
        norm([[Fraction(int(i == j)) for j in range(70)] for i in range(70)], 70)


FORGED: dict[str, Callable[[dict[str, Any]], None]] = {
    "a smaller Delta": lambda d: d["sensitivity"].update(upper="1", lower="1", exact="1"),
    "a smaller square": lambda d: d["squared"].update(upper="1", lower="1"),
    "a smaller square and Delta": lambda d: (
        d["squared"].update(upper="1", lower="1"),
        d["sensitivity"].update(upper="1", lower="1", exact="1"),
    ),
    "tighter bounds": lambda d: d["question"]["contribution"].update(high=["1", "1"]),
    "other neighbours": lambda d: d["question"].update(neighbours="add-remove"),
    "other words": lambda d: d["because"].append("And it is smaller in practice."),
    "another difference": lambda d: d.update(difference=["1", "1"]),
}
FORGED_BALL: dict[str, Callable[[dict[str, Any]], None]] = {
    "a smaller square": lambda d: d["squared"].update(upper=d["squared"]["lower"]),
    "a larger lower end": lambda d: d["squared"].update(lower=d["squared"]["upper"]),
    "a larger ball": lambda d: d["question"]["contribution"].update(radius="2"),
    "another direction": lambda d: d.update(difference=["1", "1"]),
    "no direction": lambda d: d.update(difference=["0", "0"]),
}


@pytest.mark.parametrize("name", FORGED)
def test_evidence_that_does_not_follow_is_refused(name: str) -> None:
    document = bundle.derive(asked("sum", "replace", CONTRIBUTIONS["box"][0]))
    FORGED[name](document)
    with pytest.raises(Refusal):
        check({**document, "digest": digest(document)})


@pytest.mark.parametrize("name", FORGED_BALL)
def test_evidence_of_a_ball_that_does_not_follow_is_refused(name: str) -> None:
    ball = {"set": "ball", "norm": "l2", "radius": "1", "dimension": 2}
    document = bundle.derive(asked("sum", "add-remove", ball, covariance=FULL))
    assert document["squared"]["lower"] != document["squared"]["upper"]
    FORGED_BALL[name](document)
    with pytest.raises(Refusal):
        check({**document, "digest": digest(document)})


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    data = serialise(bundle.derive(asked("sum", "replace", CONTRIBUTIONS["box"][0])))
    (tmp_path / "e.json").write_bytes(data.replace(b'"each": 1', b'"each": 2'))
    with pytest.raises(Refused, match="digest"):
        bundle.derived(tmp_path / "e.json")


def test_the_checker_imports_the_standard_library_and_itself() -> None:
    for path in Path(dpverify.evidence.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] in sys.stdlib_module_names for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] in sys.stdlib_module_names, path


def test_the_command_line_derives_and_checks(tmp_path: Path) -> None:
    bounds = ["--query", "mean", "--low", "0", "--high", "100", "--records", "500"]
    done = command.run("sensitivity", *bounds, "--neighbours", "replace", "--evidence", "e.json", cwd=tmp_path)
    assert done.returncode == 0 and "DELTA = 1/5\n" in done.stdout
    assert command.run("sensitivity", "--check", "e.json", cwd=tmp_path).returncode == 0
    text = (tmp_path / "e.json").read_text()
    (tmp_path / "e.json").write_text(text.replace("500", "900"))
    assert command.run("sensitivity", "--check", "e.json", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--query", "mean", "--low", "0", "--high", "1", "--neighbours", "replace"], "--records"),
        (["--query", "count"], "--neighbours"),
        (["--query", "count", "--neighbours", "replace", "--clip", "1"], "--clip"),
        (["--differences", "1", "--neighbours", "replace"], "--query"),
        (["--check", "e.json", "--query", "count"], "--check"),
        (["--query", "count", "--outputs", "1", "--neighbours", "replace"], "either"),
    ],
)
def test_options_that_do_not_go_together_are_named(options: list[str], word: str) -> None:
    done = command.run("sensitivity", *options)
    assert done.returncode == 2 and word in done.stderr and len(done.stderr.splitlines()) == 1
