"""Options that no command has are answered by the one that was meant; epsilon compares, or says it is undecided."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpverify
from dpverify.errors import InputError
from dpverify.results import Epsilon
from tests.command import run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["verify", "student_t", "--dim", "3"], "did you mean --dimension?"),
        (["verify", "student_t", "--sensitvity", "3"], "did you mean --sensitivity?"),
        (["verify", "student_t", "--nu", "3"], "--param nu=3"),
        (["verify", "student_t", "--nu=3"], "--param nu=3"),
        (["calibrate", "student_t", "--epsilon", "1", "--dim", "3"], "did you mean --dimension?"),
        (["calibrate", "student_t", "--eps", "1"], "did you mean --epsilon?; see `dpverify calibrate --help`"),
        (["nosuch"], "see `dpverify --help`"),
        (["bundle", "make"], "see `dpverify bundle make --help`"),
        (["profile", "laplace", "--plot"], "see `dpverify profile --help`"),
        (["audit", "--mechanism", "mine", "--claim", "1"], "dpverify: the mechanism: 'mine' is not of the form"),
        (["audit", "--mechanism", "math:sqrt", "--claim", "1"], "it is called as function(centre, size, rng)"),
        (["profile", "laplace", "--delta", "0"], "the epsilon that verify proves"),
        (
            ["compare", "laplace", "student_t", "--plot", "x.svg"],
            "a picture is written by -o x.svg",
        ),
        (["compare", "laplace", "x.PNG", "--epsilon", "1"], "x.PNG is a file and no family"),
        (["curve", "laplace", "--plot", "x.svg"], "a picture is written by -o x.svg"),
        (["profile", "laplace", "--curve", "--plot", "x.svg"], "a picture is written by -o x.svg"),
        (["verify", "laplace", "--plot", "x.svg"], "pictures: `dpverify report`"),
        (["verify", "exp(-r'"], "column 7: the character ' is not in the language"),
        (["verify", '"exp(-r)"'], 'column 1: the character " is not in the language'),
        (["calibrate", "laplace", "--epsilon", "1", "--delta", "2"], "the target delta must lie between 0 and 1"),
    ],
)
def test_an_unknown_option_is_answered_by_the_one_that_was_meant(words: list[str], told: str) -> None:
    done = run(*words)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1


def test_no_parameter_is_called_epsilon() -> None:
    assert "--param" not in run("curve", "student_t", "--epsilon", "1").stderr


def test_epsilon_compares_or_says_that_it_is_undecided() -> None:
    epsilon = Epsilon(Fraction(1), Fraction(11, 10), None, None)
    assert epsilon <= 2 and epsilon < Fraction("1.2") and epsilon >= 1 and epsilon > "0.9" and epsilon <= "11/10"
    assert not epsilon <= 0 and not epsilon >= 2 and not epsilon < 1
    for undecided in (lambda: epsilon <= 1, lambda: epsilon > 1, lambda: epsilon < "1.05", lambda: epsilon >= "1.05"):
        with pytest.raises(InputError, match="undecided"):
            undecided()
    assert float(epsilon) == 1.1


def test_epsilon_is_a_number_only_where_it_is_known_to_be() -> None:
    exactly, about = Epsilon(Fraction(1), Fraction(1), None, None), Epsilon(Fraction(1), Fraction(2), None, None)
    assert exactly == 1 and exactly != 2 and hash(exactly) == hash(1) and about != 3
    assert about == Epsilon(Fraction(1), Fraction(2), None, None) != exactly
    with pytest.raises(InputError, match="undecided"):
        assert about == 1


def test_the_public_names_are_listed() -> None:
    assert {"verify", "check", "calibrate", "Generator", "__version__"} <= set(dir(dpverify))
    assert dir(dpverify) == sorted(dpverify.__all__)
