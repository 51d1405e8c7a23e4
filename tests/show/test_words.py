"""Numbers keep their value when they are shown; what comes from outside cannot drive a terminal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpverify import check, verify
from dpverify.numerals import exact
from dpverify.results import Epsilon, decimal_between
from dpverify.show.terminal import lines
from dpverify.show.verdicts import claim_sheet
from dpverify.show.words import printable


@pytest.mark.slow
@given(st.integers(-(10**90), 10**90), st.integers(0, 60), st.integers(0, 60))
@example(-1, 0, 60)
@example(2**200 + 1, 60, 0)
def test_a_decimal_fraction_is_shown_as_exactly_itself(numerator: int, twos: int, fives: int) -> None:
    number = Fraction(numerator, 2**twos * 5**fives)
    shown = exact(number)
    assert Fraction(shown) == number
    assert "/" not in shown


@pytest.mark.slow
@given(st.fractions())
def test_any_rational_is_shown_as_exactly_itself(number: Fraction) -> None:
    assert Fraction(exact(number)) == number


@pytest.mark.slow
@given(st.text())
def test_nothing_unprintable_is_printed(text: str) -> None:
    assert printable(text).isprintable()


@pytest.mark.slow
def test_a_claim_fits_80_columns_and_keeps_every_digit_of_its_bounds() -> None:
    result = verify("student_t", dimension=3, tolerance="1e-35")
    assert result.certificate is not None
    assert result.epsilon is not None
    shown = lines(claim_sheet("c.json", check(result.certificate)), least=9)
    assert all(len(line) <= 80 for line in shown)
    rows = {line[2:13].strip(): line[13:] for line in shown}
    assert Fraction(rows["at least"]) == result.epsilon.lower
    assert Fraction(rows["at most"]) == result.epsilon.upper
    assert rows["assuming"] == "nothing"


@pytest.mark.slow
def test_a_notebook_shows_what_epsilon_is_for() -> None:
    html = verify("laplace", dimension=3, sensitivity="1/2", scale="5/4")._repr_html_()
    for words in ("d = 3", "Delta = 1/2", "sigma = 5/4", "Theorem 3", "0.4<"):
        assert words in html


WIDEST = Fraction(1, 100) - Fraction(1, 10**30)


@pytest.mark.slow
@given(
    st.fractions(-1000, 1000).filter(lambda x: abs(x) > Fraction(1, 10**6)), st.fractions(Fraction(1, 10**30), WIDEST)
)
@example(Fraction(134288, 10**5), Fraction(1, 1000))
def test_a_decimal_has_the_digits_that_the_enclosure_supports(lower: Fraction, width: Fraction) -> None:
    """It lies in the enclosure, and so needs at most one digit whose unit is not more than the width."""
    assume(100 * width < max(abs(lower), abs(lower + width)))
    told = decimal_between(lower, lower + width)
    unit = Fraction(1, 10 ** len(told.partition(".")[2]))
    assert unit > width / 10
    assert lower <= Fraction(told) <= lower + width
    assert unit / 10 <= width, "one digit more would claim more than is known"


@pytest.mark.slow
@given(st.fractions(-1000, 10**9), st.fractions(Fraction(1, 100), 10**12))
@example(Fraction(0), Fraction(8))
def test_an_enclosure_that_supports_no_decimal_is_told_by_its_ends(lower: Fraction, width: Fraction) -> None:
    """Rounded outwards, by no more than half of the width in all."""
    words = decimal_between(lower, lower + width).split()
    assert (words[0], words[2]) == ("between", "and")
    low, high = Fraction(words[1]), Fraction(words[3])
    assert low <= lower and lower + width <= high
    assert high - low <= width * Fraction(3, 2)


def test_both_ends_of_a_tiny_enclosure_have_their_power_of_ten() -> None:
    low, high = Fraction("8.84511e-31"), Fraction("8.938496e-31")
    words = decimal_between(low, high).split()
    assert (words[0], words[2]) == ("between", "and")
    assert low * Fraction(99, 100) <= Fraction(words[1]) <= low
    assert high <= Fraction(words[3]) <= high * Fraction(101, 100)


def test_a_wide_enclosure_is_no_number_anywhere() -> None:
    assert decimal_between(Fraction(0), Fraction(8)) == "between 0 and 8"
    assert decimal_between(Fraction("1.139"), Fraction("1.202")) == "between 1.139 and 1.202"
    assert decimal_between(Fraction("0.0114"), Fraction("0.012")) == "between 0.0114 and 0.012"
    assert decimal_between(Fraction(10**800), Fraction(10**800 + 10**790)).startswith("between 1E+800 and 1.0000000001")
    result = verify("laplace", dimension=3)
    assert result.certificate is not None
    claim = {**result.certificate["claim"], "epsilon": {"lower": "0", "upper": "8"}}
    shown = lines(claim_sheet("c.json", replace(check(result.certificate), claim=claim)), least=9)
    assert "  epsilon    between 0 and 8" in shown
    assert result.epsilon is not None
    wide = replace(result, epsilon=replace(result.epsilon, lower=Fraction(0), upper=Fraction(8)))
    assert "epsilon is between 0 and 8" in str(wide)
    assert "between 0 and 8" in wide._repr_html_()


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("c = 3", "a loss of the former being proved at c = 3"),
        ("the limit c -> oo", "at least the former in the limit c -> oo"),
        ("again and again as c -> oo", "at least the former again and again as c -> oo"),
    ],
)
def test_of_an_epsilon_without_a_digit_no_place_is_called_that_of_the_largest_loss(where: str, told: str) -> None:
    known = verify("laplace")
    wide = replace(known, epsilon=Epsilon(Fraction(1), Fraction(3), None, where))
    assert f"epsilon is between 1 and 3, {told}" in wide.reason and "largest" not in wide.reason
    near = replace(known, epsilon=Epsilon(Fraction(1), Fraction(1000001, 1000000), None, where))
    assert "former" not in near.reason
