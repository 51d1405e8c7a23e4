"""Maxima, steps and cases by their parts: forms of one sign, roots of whole numbers, and what is read."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.rules import Rejected
from dpverify.kernel.sections.branches import (
    largest,
    not_negative,
    power_of_radius,
    sign_of_form,
    values_lead,
    whole_root,
)
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.models import CONSTANT, Germ, Model, power_of_t
from dpverify.kernel.tree import never_negative
from tests.kernel.problems import tree


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("2", 1),
        ("-2", -1),
        ("0", None),
        ("exp(r)", 1),
        ("exp(r)/2", 1),
        ("-exp(r)/2", -1),
        ("-exp(r)", -1),
        ("3*exp(r)*r", 1),
        ("-3*exp(r)*r", -1),
        ("cos(r)", None),
        ("2*cos(r)*exp(r)", None),
        ("-exp(r)*cos(r)", None),
        ("cos(r)*exp(r)", None),
        ("-r*log(r)", None),
        ("exp(r)-1", None),
    ],
)
def test_the_sign_that_a_form_shows(text: str, sign: int | None) -> None:
    assert sign_of_form(tree(text)) == sign


@pytest.mark.parametrize(
    ("text", "sign", "rate"),
    [
        ("Max(exp(r),exp(2*r))", 1, 2),
        ("Max(-exp(r),-exp(2*r))", -1, 1),
        ("Max(-exp(-r),-exp(-2*r))", -1, -2),
        ("Min(exp(r),exp(2*r))", 1, 1),
        ("Max(exp(-r),-exp(2*r))", 1, -1),
    ],
)
def test_the_logarithm_of_a_maximum(text: str, sign: int, rate: int) -> None:
    """-e^r is the larger of -e^r and -e^(2r)."""
    a, b = Fraction(1), Fraction(9, 8)
    found, log = Evaluation(radii(a, b), (a, b)).log(tree(text))
    low, high = sorted((rate * a, rate * b))
    assert found == sign
    assert 0 <= low - Fraction(log.u.lo) < Fraction(1, 10**9) and 0 <= Fraction(log.u.hi) - high < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2*r**(3/2)", (2, Fraction(3, 2))),
        ("r**(1/8)", (1, Fraction(1, 8))),
        ("r**(8/3)", (1, Fraction(8, 3))),
        ("sqrt(r)/3", (Fraction(1, 3), Fraction(1, 2))),
        ("r**2", None),
        ("r", None),
        ("-sqrt(r)", None),
        ("r**(-1/2)", None),
        ("r**(1/9)", None),
        ("r**(9/2)", None),
        ("2*sqrt(r)*exp(r)", None),
        ("sqrt(r)+1", None),
        ("2", None),
        ("(1+r)**(1/2)", None),
    ],
)
def test_powers_of_the_radius_by_their_form(text: str, found: tuple[Fraction, Fraction] | None) -> None:
    assert power_of_radius(tree(text)) == found


@pytest.mark.parametrize("q", [2, 3, 8])
def test_roots_of_whole_numbers(q: int) -> None:
    for n in (0, 1, 2, 7, 10**6, 10**20 + 3):
        assert whole_root(Fraction(n**q), q) == (n, True)
        assert whole_root(Fraction(n**q) + Fraction(1, 2), q) == (n, False)
        if n > 1:
            assert whole_root(Fraction(n**q) - Fraction(1, 2), q) == (n - 1, False)


def test_a_modulus_that_is_more_than_a_bound_is_left_as_it_is() -> None:
    """max(u, -u) in [-1, 2] lies in [0, 2]; beside a term that is exact it says nothing of the bound alone."""
    germ = Germ(Fraction(16), 4)
    wide = Interval(Decimal(-1), Decimal(2))
    clipped = not_negative(Model(germ, {CONSTANT: wide}))
    assert (clipped.terms[CONSTANT].lo, clipped.terms[CONSTANT].hi) == (0, 2)
    for other in ({power_of_t(1): Fraction(1)}, {power_of_t(-1): Fraction(1)}):
        both = not_negative(Model(germ, {CONSTANT: wide, **other}))
        assert both.terms[CONSTANT].lo == -1 and len(both.terms) == 2
    assert (not_negative(wide).lo, not_negative(wide).hi) == (0, 2)


@pytest.mark.parametrize("r", [Fraction(1, 2), Fraction(7, 5), Fraction(5, 2), Fraction(3)])
def test_steps_and_cases_have_their_values(r: Fraction) -> None:
    u, v = r - 2, 1 / r
    known = {
        "floor(r-2)": math.floor(u),
        "ceil(r-2)": math.ceil(u),
        "frac(r-2)": u - math.floor(u),
        "sign(r-2)": (u > 0) - (u < 0),
        "sign(0*r)": 0,
        "Abs(r-2)": abs(u),
        "Abs(1/r)": v,
        "Max(r-2,1/r,1/3)": max(u, v, Fraction(1, 3)),
        "Min(r-2,1/r,1/3)": min(u, v, Fraction(1, 3)),
        "Piecewise((5,r<1),(7,r<2),(9,True))": 5 if r < 1 else 7 if r < 2 else 9,
        "Piecewise((5,r>2 or r<1),(7,not r<1))": 5 if r > 2 or r < 1 else 7,
    }
    for text, value in known.items():
        found = Evaluation(interval(r)).value(tree(text))
        assert Fraction(found.lo) <= value <= Fraction(found.hi) and found.hi - found.lo < Decimal("1e-50"), text


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Piecewise((1, r < 1), (2, True))", True),
        ("Piecewise((1, r < 1), (-1, True))", False),
        ("Piecewise((-1, r < 1), (1, True))", False),
        ("Max(r-1, 1-r)", True),
        ("Max(r-1, 2-r)", False),
        ("Max(r-1, exp(r))", True),
        ("floor(exp(r))", True),
        ("floor(r-1)", False),
    ],
)
def test_what_cases_and_steps_show_not_to_be_negative(text: str, known: bool) -> None:
    assert never_negative(tree(text)) is known


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("And(r>2, r<4)", lambda r: 2 < r < 4),
        ("And(r>2, r<4, r<3)", lambda r: 2 < r < 3),
        ("And(r<3)", lambda r: r < 3),
        ("Or(r<2, r>4)", lambda r: r < 2 or r > 4),
        ("Or(r<2, r>4, r>3)", lambda r: r < 2 or r > 3),
        ("Or(r>3)", lambda r: r > 3),
        ("Not(r<2)", lambda r: r > 2),
        ("Not(And(r>2, Or(r<3, r>4)))", lambda r: r < 2 or 3 < r < 4),
    ],
)
def test_conditions_as_functions(condition: str, holds: Callable[[float], bool]) -> None:
    """And, Or and Not on boxes between the radii at which they change."""
    node = tree(f"Piecewise((1, {condition}), (0, True))")
    for n in range(1, 6):
        a, b = Fraction(n), Fraction(n + 1)
        value = Evaluation(radii(a, b), (a, b)).value(node).u
        assert (value.lo, value.hi) == (holds(n + 0.5), holds(n + 0.5))


@pytest.mark.parametrize(
    "condition",
    [
        *("And()", "Or()", "Not()", "Not(r<1, r<2)", "Xor(r<1, r<2)", "Xor(r<1)"),
        *("And(r<1, x=2)", "Not(r<1, x=2)", "math.And(r<1)"),
    ],
)
def test_what_is_no_condition_is_refused(condition: str) -> None:
    with pytest.raises(Rejected):
        tree(f"Piecewise((1, {condition}), (0, True))")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sign(r-3)", [-1, -1, 1, 1]),
        ("Heaviside(r-3)", [0, 0, 1, 1]),
        ("sign(Max(0,3-r))", [1, 1, 0, 0]),
        ("Heaviside(Max(0,3-r))", [1, 1, Fraction(1, 2), Fraction(1, 2)]),
        ("sign(Min(0,3-r))", [0, 0, -1, -1]),
        ("Heaviside(Min(0,3-r))", [Fraction(1, 2), Fraction(1, 2), 0, 0]),
        ("round(r/2)", [1, 1, 2, 2]),
    ],
)
def test_what_jumps_is_these_numbers_between_its_jumps(text: str, values: list[Fraction]) -> None:
    """On [n + 1/8, n + 7/8] for n = 1, 2, 3, 4."""
    for n, known in enumerate(values, 1):
        a, b = n + Fraction(1, 8), n + Fraction(7, 8)
        value = Evaluation(radii(a, b), (a, b)).value(tree(text)).u
        assert Fraction(value.lo) == Fraction(value.hi) == known


def test_one_part_that_stays_does_not_stand_for_all() -> None:
    """Of 3 and of what rises from 2 to 4 the first is larger at first, and the second afterwards."""
    two, three = (Interval(Decimal(x), Decimal(x)) for x in (2, 3))
    at, nodes = Evaluation(interval(1)), (tree("r"), tree("2*r"))
    assert largest(at, nodes, [three, Shift(two, two)], values_lead) == [{0}, {1}]
    assert largest(at, nodes, [Shift(two, two), three], values_lead) == [{1}, {0}]
    assert largest(at, nodes, [three, two], values_lead) == [{0}, {0}]
