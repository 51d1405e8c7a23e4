"""Logarithms near 0 as functions of a logarithm: of one less a small part (K443), and of a number and one (K444)."""

from __future__ import annotations

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.logarithms import of_a_quotient
from dpverify.kernel.sections.softplus import as_softplus
from dpverify.kernel.tree import Node
from soundness.plain import function
from tests.kernel.problems import tree


def beside(found: Node, text: str) -> None:
    with mpmath.workdps(60):
        for place in (1, 3, 40):
            box = Evaluation(interval(place)).value(found)
            true = mpmath.mpf(function(text, {})(mpmath.mpf(place)))
            slack = abs(true) * mpmath.mpf(10) ** -12
            assert mpmath.mpf(str(box.lo)) - slack <= true <= mpmath.mpf(str(box.hi)) + slack
            assert mpmath.mpf(str(box.hi - box.lo)) <= slack


@pytest.mark.parametrize(
    "text", ["log(1-exp(-1-r))", "log(1-exp(-r)/2)", "log(1-3*exp(-2*r))", "log1p(-exp(-r-sqrt(r))/(1+r))"]
)
def test_the_logarithm_of_less_than_one(text: str) -> None:
    found = as_softplus(tree(text))
    assert found.kind == "mul" and found.args[-1].kind == "softplus"
    beside(found, text)


@pytest.mark.parametrize("text", ["log(1-exp(-1-r)+r)", "log(2-exp(-r))", "log(1+exp(-r)-exp(-2*r))", "log(1-cos(r))"])
def test_what_is_no_less_by_its_form_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        as_softplus(tree(text))


@pytest.mark.parametrize(
    "text",
    [
        "log(2+exp(-r))-log(2)",
        "log(1/3)-log(1/3+exp(-2*r))",
        "log(exp(-r)+exp(-3*r)+5/2)-log(5/2)",
        "log(4+1/(1+exp(r)))-log(4)",
    ],
)
def test_a_logarithm_beside_that_of_a_number(text: str) -> None:
    found = of_a_quotient(tree(text))
    assert (found.args[-1] if found.kind == "mul" else found).kind == "log"
    beside(found, text)


@pytest.mark.parametrize(
    "text",
    [
        "log(2+exp(-r))-log(3)",
        "log(2+cos(r))-log(2)",
        "log(2-exp(-r))-log(2)",
        "log(2+exp(-r))-2*log(2)",
        "log(r)-log(2)",
    ],
)
def test_what_is_no_such_difference_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        of_a_quotient(tree(text))
