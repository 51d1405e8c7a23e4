"""Functions that are others in short, and spellings from paper: what they mean, and what they need."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest

from dpverify import InputError, check, verify
from dpverify.language import parse, read


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("log1p(y)", "log(1+y)"),
        ("expm1(-r)", "exp(-r)-1"),
        ("acosh(1+r)", "log((1+r)+sqrt((1+r)**2-1))"),
        ("ceil(3*r)", "-floor(-(3*r))"),
        ("frac(r)", "r-floor(r)"),
        ("sign(r-1)", "Piecewise((-1, r-1 < 0), (0, r-1 <= 0), (1, True))"),
        ("Heaviside(r-1)", "Piecewise((0, r-1 < 0), (1/2, r-1 <= 0), (1, True))"),
        ("round(3*r)", "floor(3*r+1/2)"),
        ("sech(r)+csch(2*r)*coth(y)", "cosh(r)**-1+sinh(2*r)**-1*tanh(y)**-1"),
        (
            "Piecewise((1, And(r < 1, Not(y > 2))), (2, Or(r > 5, r < 3)), (3, True))",
            "Piecewise((1, r < 1 and not y > 2), (2, r > 5 or r < 3), (3, True))",
        ),
        ("|r-1|", "Abs(r-1)"),
        ("exp(-||r-2|-1|)", "exp(-Abs(Abs(r-2)-1))"),
        ("|r-1|*|r-2|", "Abs(r-1)*Abs(r-2)"),
        ("2*|r-1| + |(r-3)*|r-4||", "2*Abs(r-1) + Abs((r-3)*Abs(r-4))"),
        ("Piecewise((1, (|r-2| < 1) | (r > 5)), (2, True))", "Piecewise((1, Abs(r-2) < 1 or r > 5), (2, True))"),
        ("Piecewise((1, r < 1 and |r-2| < 1), (2, True))", "Piecewise((1, r < 1 and Abs(r-2) < 1), (2, True))"),
    ],
)
def test_what_is_short_for_something_is_read_as_it(short: str, long: str) -> None:
    assert parse(short) == parse(long)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exp(-r)*(1+0*log1p(r-2))", "log1p(r-2) has no value"),
        ("exp(-r)*(1+0*log1p(-2*r))", "1+(-2*r) <= 0"),
        ("exp(-r)*(1+0*acosh(r))", "r-1 < 0 there"),
        ("exp(-r)*(1+0*acosh(-1-r))", "acosh(-1-r) has no value"),
        ("exp(-r)*(1+0*coth(Max(0,r-1)))", "coth(Max(0,r-1)) has no value"),
        ("exp(-r)*(1+0*csch(Min(0,2-r)))", "csch(Min(0,2-r)) has no value"),
    ],
)
def test_where_they_have_no_value_there_is_no_density(text: str, says: str) -> None:
    result = verify(text)
    assert result.verdict == "invalid"
    assert says in result.hypotheses.defined.explanation
    assert result.certificate is not None


@pytest.mark.slow
def test_where_they_have_a_value_they_are_verified() -> None:
    """log(1+y)^-4 has no closed form here, but e^-log(1+r) = 1/(1+r); a sign is a jump by log 3."""
    private = verify("exp(-4*log1p(r))")
    assert private.verdict == "private"
    assert private.epsilon.lower <= 4 * 0.693147180559945309 <= private.epsilon.upper + 1e-12
    jump = verify("exp(-r)*(2-sign(r-1))")
    assert abs(float(jump.epsilon.upper) - 2.0986122886681098) < 1e-9


LOG = mpmath.log
FOUND: tuple[tuple[str, dict[str, Any], Any], ...] = (
    ("sech(r)", {}, 1),
    ("csch(1+r)", {}, LOG(mpmath.sinh(2) / mpmath.sinh(1))),
    ("exp(-r)*coth(1+r)", {}, 1 + LOG(mpmath.coth(1) / mpmath.coth(2))),
    ("exp(-r)*(1+2*Heaviside(1-r))", {}, 1 + LOG(3)),
    ("exp(-round(r))", {}, 1),
    ("exp(-round(r))", {"sensitivity": "101/100"}, 2),
    ("exp(-round(r))", {"dimension": 3, "sensitivity": "1/10"}, 1),
    ("Piecewise((3, And(r >= 1, r < 2)), (1, Or(r < 1, Not(r > 4))), (r**-4, True))", {}, LOG(625)),
)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "with_", "loss"), FOUND)
def test_losses_of_what_is_short(text: str, with_: dict[str, Any], loss: Any) -> None:
    """By hand: log concave ones lose most at the centre or far out, steps where one shift crosses most of them."""
    result = verify(text, **with_)
    assert result.certificate is not None and check(result.certificate).accepted
    assert result.epsilon.lower - 1e-12 <= float(loss) <= result.epsilon.upper + 1e-12
    assert result.epsilon.upper - result.epsilon.lower < 1e-9


@pytest.mark.slow
def test_a_pole_at_the_centre_is_private_for_no_epsilon() -> None:
    assert verify("coth(r)*exp(-r)", dimension=2).verdict == "not_private"
    assert verify("csch(r)*exp(-r)").verdict == "invalid"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("exp(-\u2016x-1\u2016)", 6, "write r for the norm"),
        ("exp(-\u221ar**2)", 6, "write sqrt"),
        ("exp(-|r-1)", 6, "is not closed"),
        ("2*|r", 3, "is not closed"),
        ("|r|+foo(r)", 5, "'foo' is not in the language"),
        ("|r| + |r|*q(r)", 11, "'q' is not in the language"),
    ],
)
def test_what_paper_has_and_the_language_has_not_gets_a_hint_with_its_column(text: str, column: int, says: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(text)
    assert str(refusal.value).startswith(f"column {column}: ")
    assert says in str(refusal.value)


def test_a_certificate_holds_the_text_without_bars() -> None:
    result = verify("exp(-2*r)*(1 + |r-1|)", tolerance="1/4")
    assert result.certificate is not None
    assert result.certificate["claim"]["generator"] == "exp(-2*r)*(1 + abs(r-1))"


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("exp(-3|r|)", "exp(-3*abs(r))"),
        ("exp(-a |r|)*|r|b", "exp(-a *abs(r))*abs(r)*b"),
        ("(1+r)|r-1|", "(1+r)*abs(r-1)"),
        ("|r|(1+r)", "abs(r)*(1+r)"),
        ("|r||r-1|", "abs(r)*abs(r-1)"),
        ("exp(-|3-|r||)", "exp(-abs(3-abs(r)))"),
        ("Piecewise((3|r|, r < 1), (2, (r > 2)|(r < 7)), (1, True))",) * 2,
        ("Piecewise((1, True|(r < 1)), (2, True))",) * 2,
        ("Piecewise((1, |r| < 1 or |r| > 2), (2, True))", "Piecewise((1, abs(r) < 1 or abs(r) > 2), (2, True))"),
    ],
)
def test_bars_beside_a_factor_are_a_product_and_between_comparisons_an_or(text: str, read_as: str) -> None:
    assert read(text).text == read_as.replace("(3|r|", "(3*abs(r)")


@pytest.mark.parametrize(
    ("text", "column", "between"),
    [
        ("1/2|r|", 4, "between 2 and |...|"),
        ("exp(-r**2|r-1|)", 10, "between 2 and |...|"),
        ("1/gamma(2)|r|", 11, "between gamma(2) and |...|"),
        ("1/|r|(1+r)", 6, "between |r| and (...)"),
        ("2**-|r|r", 8, "between |r| and r"),
    ],
)
def test_bars_below_a_line_or_in_an_exponent_beside_a_factor_are_refused(text: str, column: int, between: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(text)
    assert str(refusal.value).startswith(f"column {column}: {between} a sign is missing")
