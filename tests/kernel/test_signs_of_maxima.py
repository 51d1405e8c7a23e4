"""The sign of a node by its form (K446), and in a condition from its parts (K461): beside its values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.branches import sign_of_form, signs_in_condition
from dpverify.kernel.sections.charts import radii
from dpverify.kernel.sections.evaluation import Evaluation
from soundness.plain import function
from tests.kernel.problems import tree
from tests.kernel.test_cancelling import epsilon, forged

FORMS = [
    ("exp(-r)", 1),
    ("Max(exp(-r), r-1)", 1),
    ("Min(exp(-r), 1/9)", 1),
    ("Min(exp(-r), -1/9)", -1),
    ("-3*Max(exp(-r), -1)", -1),
    ("2*Max(-exp(-r), -1)", -1),
    ("Max(exp(-2*r), Min(exp(-r), 1/9))", 1),
    ("-Max(-exp(-r), -1)*Max(exp(-r), 1)*Max(-1, -r)", -1),
    ("Min(r-1, exp(-r))", None),
    ("Max(r-1, -exp(-r))", None),
    ("Max(0, -exp(-r))", None),
    ("Min(0, exp(-r))", None),
    ("-2*Max(r-1, cos(r))", None),
    ("0*exp(-r)", None),
    ("Max(0*exp(-r), -1)", None),
]


@pytest.mark.parametrize(("text", "sign"), FORMS)
def test_the_sign_by_the_form(text: str, sign: int | None) -> None:
    assert sign_of_form(tree(text)) == sign
    values = [function(text, {})(mpmath.mpf(k) / 10) for k in range(1, 60)]
    assert sign is None or all(v * sign > 0 for v in values)


def test_a_rule_that_is_not_listed_is_not_used() -> None:
    plain, largest = tree("exp(-r)"), tree("Max(exp(-r), r-1)")
    token = LEDGER.set(Ledger(frozenset({"K61"})))
    try:
        assert sign_of_form(plain) == 1
        assert sign_of_form(largest) is None
    finally:
        LEDGER.reset(token)


def box(a: int | Fraction, b: int | Fraction) -> Evaluation:
    ends = Fraction(a), Fraction(b)
    return Evaluation(radii(*ends), ends)


CONDITIONS: list[tuple[str, tuple[Any, Any], bool | None]] = [
    ("Max(0, 1-r) > 0", (0, 1), True),
    ("Max(0, 1-r) > 0", (1, 2), False),
    ("Max(0, 1-r) <= 0", (1, 2), True),
    ("Max(0, 1-r) < 0", (0, 2), False),
    ("Max(0, 1-r) >= 0", (0, 2), True),
    ("Max(0, 1-r) > 0", (0, 2), None),
    ("Max(0, 1-r) <= 0", (0, 2), None),
    ("-2*Max(0, 1-r) < 0", (Fraction(1, 2), 1), True),
    ("-2*Max(0, 1-r) < 0", (1, 3), False),
    ("-2*Max(0, 1-r) > 0", (0, 3), False),
    ("Min(0, 1-r) < 0", (1, 3), True),
    ("Min(0, 1-r) < 0", (0, 1), False),
    ("Min(r-1, 1-r, 2) < 0", (0, 1), True),
    ("Min(r-1, 1-r, 2) < 0", (1, 2), True),
    ("Max(r-3, Min(r-1, 2-r)) > 0", (1, 2), True),
    ("Max(r-3, Min(r-1, 2-r)) > 0", (2, 3), False),
    ("Max(r-3, Min(r-1, 2-r)) > 0", (3, 4), True),
    ("Max(r-3, Min(r-1, 2-r)) > 0", (2, 4), None),
]


@pytest.mark.parametrize(("text", "ends", "holds"), CONDITIONS)
def test_a_condition_on_a_maximum(text: str, ends: tuple[Any, Any], holds: bool | None) -> None:
    """On open boxes that end where a part is 0; what is decided is so at many radii."""
    condition = tree(f"Piecewise((1, {text}), (2, True))").args[0][1]
    assert condition.truth(box(*ends)) is holds
    a, b = map(mpmath.mpf, (Fraction(ends[0]).numerator / Fraction(ends[0]).denominator, int(ends[1])))
    chosen = {function(f"Piecewise((1, {text}), (2, True))", {})(a + (b - a) * k / 37) for k in range(1, 37)}
    assert chosen == ({1, 2} if holds is None else {1} if holds else {2})


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("2*Max(0,1-r)", (0, 1)),
        ("-2*Max(0,1-r)", (-1, 0)),
        ("Max(0,1-r)/2", (0, 1)),
        ("-Max(0,1-r)/2", (-1, 0)),
        ("-2*Max(-1,1-r)", (-1, 1)),
        ("-2*Max(r-1,1-r,2)", (-1, -1)),
        ("gamma(1/3)*Max(0,1-r)", (-1, 1)),
        ("2*Max(0,1-r)*(r-9)", (-1, 1)),  # never positive, but no number times a maximum
        ("(r-9)*Max(0,1-r)", (-1, 1)),
    ],
)
def test_a_multiple_of_a_maximum_has_the_sign_of_its_number(text: str, signs: tuple[int, int]) -> None:
    """On (0, 2): those of what is no such multiple are not told."""
    assert signs_in_condition(box(0, 2), tree(text), 0) == signs
    values = [mpmath.sign(function(text, {})(mpmath.mpf(k) / 37)) for k in range(1, 74)]
    assert signs[0] <= min(values) and max(values) <= signs[1]


def test_without_the_rule_the_value_alone_tells() -> None:
    condition = tree("Piecewise((1, Max(0, 1-r) < 0), (2, True))").args[0][1]
    assert condition.truth(box(0, 2)) is False
    token = LEDGER.set(Ledger(frozenset(f"K{n}" for n in range(100))))
    try:
        assert condition.truth(box(0, 2)) is None
        assert condition.truth(box(1, 2)) is False
    finally:
        LEDGER.reset(token)


@pytest.mark.parametrize(
    "change",
    [
        epsilon(upper="12876/10000"),
        epsilon(lower="3/2"),
        lambda c: c["claim"].update(generator="exp(-r)*(1+Heaviside(Max(0,1-2*r)))"),
        lambda c: c["claim"].update(generator="exp(-r)*(1+Heaviside(Min(0,1-r)))"),
        lambda c: c["claim"].update(generator="exp(-r)*(1+2*Heaviside(Max(0,1-r)))"),
        lambda c: c["rules"]["branches"].remove("K461"),
    ],
)
def test_forgeries_fail(change: Any) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged("sign-of-a-maximum", change))
