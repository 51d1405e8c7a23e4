"""Factors that the terms of a sum share are taken out of it (K380)."""

from __future__ import annotations

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.common import shared, taken_out
from dpverify.kernel.tree import same
from tests.kernel.problems import tree


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("exp(1-r)*cos(r) + exp(-r)", "exp(-r)*(exp(1)*cos(r) + 1)"),
        ("exp(1-r) + exp(2-r)", "exp(-r)*(exp(1) + exp(2))"),
        ("exp(-r-r**2)*cos(r) + exp(-r-r**2)", "exp(-r-r**2)*(cos(r) + 1)"),
        ("(1+r)**(-2)*cos(r) + (1+r)**(-2)", "(cos(r) + 1)*(1+r)**(-2)"),
        ("(1+r)*cos(r) + (1+r)*(2+r)*sin(r)", "(cos(r) + (2+r)*sin(r))*(1+r)"),
        ("exp(-1-2**(1/2))*cos(r) + r*exp(-1-2**(1/2))", "exp(-1-2**(1/2))*(cos(r) + r)"),
    ],
)
def test_what_terms_share_is_taken_out(text: str, product: str) -> None:
    """The sum that is left is known by the number of the sum that was."""
    node = tree(text)
    found = taken_out(node)
    assert same(found, tree(product))
    (rest,) = (part for part in found.args if part.kind == "add" and not any(same(part, x) for x in shared(node)))
    assert rest.number == node.number > 0


@pytest.mark.parametrize(
    "text",
    [
        *("r*cos(r) + r*sin(r)", "cos(r)*r + cos(r)*r**2", "(1-r)*cos(r) + (1-r)*sin(r)"),
        *("exp(-r) + exp(-r**2)", "exp(1-r)*exp(-r)", "exp(-r)", "cos(r)**2*r + cos(r)**2"),
    ],
)
def test_what_terms_do_not_share_stays(text: str) -> None:
    with pytest.raises(Rejected, match="no sum whose terms share"):
        taken_out(tree(text))
