"""The sign of a node by its form (K446): beside its values."""

from __future__ import annotations

import mpmath
import pytest

from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections.branches import sign_of_form
from soundness.plain import function
from tests.kernel.problems import tree

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
