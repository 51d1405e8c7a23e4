"""What f tends to on one side of a jump (K440, K441), and saws that are not negative (K442): beside mpmath."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.one_side import not_negative, tends_to_zero_at_end
from dpverify.kernel.steps import Steps
from soundness.plain import function
from tests.kernel.problems import on_charts, tree

BELOW, ABOVE = ["9/10", "1"], ["1", "11/10"]


def tends(text: str, end: Any, box: list[str]) -> str:
    step = {"kind": "side", "box": box, "positive": ["3/2", "8/5"], "end": end}
    return tends_to_zero_at_end(Proof(on_charts(text), Steps({})), step)


def beside(text: str, box: list[str], end: str) -> Any:
    c, away = (mpmath.mpf(1), -1 if box == BELOW else 1)
    assert (box == BELOW) == (end == "high")
    return function(text, {})(c + away * mpmath.mpf(10) ** -12)


@pytest.mark.parametrize(
    ("text", "end", "box"),
    [
        ("exp(-r)*(1-frac(r))", "high", BELOW),
        ("exp(-r)*(1-frac(r))**(1/3)", "high", BELOW),
        ("exp(-r)*frac(r)", "low", ABOVE),
        ("exp(-r)*(ceil(r)-r)", "high", BELOW),
        ("exp(-r)*(3*frac(r/3)-1)", "low", ABOVE),
        ("exp(-r)*log(2-frac(r))", "high", BELOW),
        ("exp(-r-1/(1-frac(r)))", "high", BELOW),
        ("exp(-r-Abs(1/(1-frac(r))))", "high", BELOW),
        ("exp(-r)*Max(1-frac(r), 1-frac(y))", "high", BELOW),
        ("exp(-r)*atan(frac(y))", "low", ABOVE),
        ("Piecewise((exp(-r)*(1-r), r < 1), (exp(-r), True))", "high", BELOW),
        ("Piecewise((exp(-r), r <= 1), (exp(-r)*(y-1), r < 2), (exp(-r), True))", "low", ABOVE),
    ],
)
def test_beside_a_jump_f_tends_to_zero(text: str, end: str, box: list[str]) -> None:
    with mpmath.workdps(40):
        assert 0 <= beside(text, box, end) < 1e-3
    assert tends(text, end, box) == "zero"


NO_LIMIT, JUMPS = "not shown to tend to 0", "not one number|more than one branch"


@pytest.mark.parametrize(
    ("text", "end", "box", "why"),
    [
        ("exp(-r)*(1-frac(r))", "low", ABOVE, NO_LIMIT),  # the other side of the jump
        ("exp(-r)*(1-frac(r))", "low", BELOW, NO_LIMIT),  # the other end of the box
        ("exp(-r)*(1-frac(r))", "high", ["9/10", "11/10"], JUMPS),
        ("exp(-r)*(1-frac(r))", "high", ["9/10", "999/1000"], NO_LIMIT),
        ("exp(-r)*frac(r)", "high", BELOW, NO_LIMIT),
        ("exp(-r)*(2-frac(r))", "high", BELOW, NO_LIMIT),
        ("exp(-r)*(1-frac(r))/(1-r)", "high", BELOW, "0 times oo"),
        ("exp(-r)*(1-frac(r))/(1-y)", "high", BELOW, "0 times oo"),
        ("exp(-r-frac(r)/(frac(r)-1))", "high", BELOW, "divides by zero|not shown"),  # grows without bound
        ("exp(-r+1/(1-frac(r)))", "high", BELOW, NO_LIMIT),
        ("exp(-r)*Max(1-frac(r), 1/9)", "high", BELOW, NO_LIMIT),
        ("Piecewise((exp(-r), r < 1), (exp(-r)*(1-r)**2, r <= 1), (exp(-r), True))", "high", BELOW, NO_LIMIT),
        ("Piecewise((exp(-r), r < 1), (exp(-r)*(1-r)**2, r <= 1), (exp(-r), True))", "low", ABOVE, NO_LIMIT),
        ("Piecewise((exp(-r)*(1-r), r < 1/2), (exp(-r), True))", "high", BELOW, NO_LIMIT),
        ("exp(-r)*(1-frac(r))", "middle", BELOW, "neither low nor high"),
    ],
)
def test_where_it_does_not_the_step_is_refused(text: str, end: str, box: list[str], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        tends(text, end, box)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("frac(r)", True),
        ("1-frac(3*r)", True),
        ("(1-frac(r))/3*exp(-r)", True),
        ("sqrt(frac(y)*exp(-r))", True),
        ("frac(r**(1/2))**3/(1+y)", True),
        ("2-frac(r)-frac(2*r)", True),
        ("exp(-r)+1-frac(r)", True),
        ("1-2*frac(r)", False),
        ("frac(r)-1/1000", False),
        ("3/2-frac(r)-frac(2*r)", False),
        ("floor(r)-r", False),
        ("2*r-floor(r)-1", False),
        ("frac(r)*(r-1)", False),
        ("frac(y)-frac(y+1/2)", False),
        ("floor(y)-r+floor(r)+1", True),
        ("exp(-r)*(Abs(r-1)-(r-1))", True),
        ("3*Max(1-r,r/2)+2-3*r/2", True),
        ("(Max(1-r,r/2)-r/3-1/2)", False),
        ("Max(1-r,r/2)-1+r-1/100", False),
        ("-2*Max(1-r,r/2)+r", False),
        ("2*Max(1-r,r/2)-3*r", False),
    ],
)
def test_saws_that_are_not_negative(text: str, known: bool) -> None:
    assert not_negative(tree(text)) is known
    with mpmath.workdps(20):
        f = function(text, {})
        assert (min(f(mpmath.mpf(k) / 97 + mpmath.mpf(10) ** -9) for k in range(1, 300)) >= 0) is known
