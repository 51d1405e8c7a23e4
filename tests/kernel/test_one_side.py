"""What f tends to on one side of a jump (K440, K441), and saws that are not negative (K442): beside mpmath."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.models import Germ, Model, power_of_t
from dpverify.kernel.sections.one_side import bounded_by_saws, not_negative, tail_by_saws, tends_to_zero_at_end
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
        ("exp(-r-1/(1+exp(frac(r))))", "high", BELOW, NO_LIMIT),  # a power below 0 of what does not tend to 0
        ("exp(-r-(1-frac(r))**0)", "high", BELOW, "limit divides by zero"),  # it is 1, and not oo
        ("exp(-r)*atan(frac(y))", "high", BELOW, NO_LIMIT),
        ("Piecewise((exp(-r), r < 19/20), (exp(-r)*(1-r), True))", "high", BELOW, "more than one branch"),
        ("Piecewise((exp(-r), r < 1/2), (exp(-r)*(1-r), r > 1))", "high", BELOW, "no branch of a Piecewise"),
        ("Piecewise((exp(-r)*(1-r), r < 1), (0, True))", "high", BELOW, "no proved sign"),  # and positive nowhere
        ("Piecewise((exp(-r)*(1-r), r < 1), (-exp(-r), True))", "high", BELOW, "not positive where"),
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
        ("frac(y+floor(3*r))", True),
        ("1-frac(r)+exp(-r)/(1+y)", True),
        ("1-frac(r)+cos(r)", False),
        ("2-frac(r)-exp(r)/9", False),
        ("2-floor(r)", False),
        ("exp(-r)*(Abs(r-1)-(r-1))", True),
        ("3*Max(1-r,r/2)+2-3*r/2", True),
        ("(Max(1-r,r/2)-r/3-1/2)", False),
        ("Max(1-r,r/2)-1+r-1/100", False),
        ("-2*Max(1-r,r/2)+r", False),
        ("2*Max(1-r,r/2)-3*r", False),
        ("Max(1-r,0)+exp(-r)-1", False),
        ("Max(exp(-r),r)-3*r/2", False),
        ("Max(r-1,-r)-r+1/2", False),
    ],
)
def test_saws_that_are_not_negative(text: str, known: bool) -> None:
    assert not_negative(tree(text)) is known
    with mpmath.workdps(20):
        f = function(text, {})
        assert (min(f(mpmath.mpf(k) / 97 + mpmath.mpf(10) ** -9) for k in range(1, 300)) >= 0) is known


def test_a_floor_of_a_long_number_is_refused_before_it_is_written_out() -> None:
    long = "10**3000"
    for _ in range(4):
        long = f"Max({long}, 1)**64"
    for number in (long, "10**99"):  # the first has 5 * 10^10 digits
        with pytest.raises(Rejected, match="or a long one"):
            tends(f"exp(-r)*(r-1)/floor({number})", "low", ABOVE)
    assert tends("exp(-r)*(r-1)/floor(10**98)", "low", ABOVE) == "zero"


def test_a_step_has_no_other_fields() -> None:
    step = {"kind": "side", "box": BELOW, "positive": ["3/2", "8/5"], "end": "high", "more": "0"}
    with pytest.raises(Rejected, match="unknown field 'more'"):
        tends_to_zero_at_end(Proof(on_charts("exp(-r)*(1-frac(r))"), Steps({})), step)


@pytest.mark.parametrize(
    ("text", "integrable"),
    [
        ("exp(-r)*frac(r)", True),
        ("frac(r)*r**(-2)", True),
        ("frac(r)*r**(-3/2)/(1+frac(r))", True),
        ("frac(r)", False),
        ("frac(r)/r", False),
        ("frac(r)*log(r)**2/r", False),
        ("frac(r)*exp(r)", False),
        ("exp(-r)*(frac(r)-1/2)", False),
    ],
)
def test_which_saws_are_integrable_in_the_tail(text: str, integrable: bool) -> None:
    """In one dimension: not negative, and smaller far out than every multiple of 1/r."""
    proof = Proof(on_charts(text), Steps({}))
    if integrable:
        tail_by_saws(proof)
        return
    with pytest.raises(Rejected, match="not shown integrable in the tail"):
        tail_by_saws(proof)


@pytest.mark.parametrize("text", ["exp(-r)*frac(r)/(r-20)**2", "exp(-r)*frac(r)/Abs(r-20)"])
def test_a_pole_between_the_radius_and_its_double_is_seen(text: str) -> None:
    """The tail begins at 16, from where on f is not integrable; from 32 on it is."""
    with pytest.raises(Rejected):
        tail_by_saws(Proof(on_charts(text), Steps({})))
    tail_by_saws(Proof(on_charts(text, 32), Steps({})))


@pytest.mark.parametrize(("text", "most"), [("exp(-r)*frac(r)", "Infinity"), ("exp(-r)*(frac(r)-1/2)", "1")])
def test_what_has_no_upper_bound_or_may_be_negative(text: str, most: str) -> None:
    """As t^-2 times something far out, and on a box."""
    to_most, germ = Interval(Decimal(0), Decimal(most)), Germ(Fraction(16), 6)
    far = SimpleNamespace(value=lambda node: Model(germ, {power_of_t(-2): to_most}))
    problem = SimpleNamespace(
        tree=tree(text), dimension=1, infinity=germ, at_infinity=lambda t: far, value_on_box=lambda a, b: to_most
    )
    proof: Any = SimpleNamespace(problem=problem, boxes=lambda: [(Fraction(1), Fraction(2))])
    for rule, why in ((tail_by_saws, "integrable in the tail"), (bounded_by_saws, "not shown (bounded|not negative)")):
        with pytest.raises(Rejected, match=why):
            rule(proof)
