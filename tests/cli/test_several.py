"""Several numbers after one option."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath
import pytest

from dpverify.cli.options import spread
from tests.command import run

QUANTITIES = {"--epsilon", "--delta"}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("gaussian --epsilon 1/2 1 2e0 --json", "gaussian --epsilon 1/2 --epsilon 1 --epsilon 2e0 --json"),
        ("--epsilon 1 gaussian", "--epsilon 1 gaussian"),
        ("--epsilon 1 2 --delta 1e-5 .5 exp(-y)", "--epsilon 1 --epsilon 2 --delta 1e-5 .5 exp(-y)"),
        ("--scale 10 20 --epsilon 1", "--scale 10 20 --epsilon 1"),
        ("--epsilon 1 -1 2", "--epsilon 1 -1 2"),
        ("--epsilon", "--epsilon"),
    ],
)
def test_each_number_that_follows_a_value_is_another_value(typed: str, read: str) -> None:
    assert list(spread(typed.split(), QUANTITIES)) == read.split()


@pytest.mark.slow
def test_a_profile_at_several_epsilons() -> None:
    """Laplace: delta(eps) = 1 - exp((eps - 1)/2)."""
    done = run("profile", "laplace", "--epsilon", "1/4", "1/2", "0.75", "--json")
    assert done.returncode == 0, done.stderr
    points = json.loads(done.stdout)["points"]
    assert [p["epsilon"] for p in points] == ["1/4", "1/2", "3/4"]
    for p in points:
        exact = 1 - mpmath.exp(
            (mpmath.mpf(Fraction(p["epsilon"]).numerator) / Fraction(p["epsilon"]).denominator - 1) / 2
        )
        low, high = (
            mpmath.mpf(x.numerator) / x.denominator for x in (Fraction(p["delta"][end]) for end in ("lower", "upper"))
        )
        assert low <= exact <= high


def test_a_number_too_many_after_another_option_is_refused() -> None:
    done = run("profile", "laplace", "--scale", "1", "2", "--epsilon", "1")
    assert done.returncode == 2 and "unexpected extra argument" in done.stderr
