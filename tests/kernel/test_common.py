"""Factors taken out of sums (K380): what is left is the sum, and how exponents are taken apart."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.common import apart, taken_out
from dpverify.kernel.tree import Node, same
from tests.kernel.problems import tree


def at(node: Node, x: int) -> mpmath.mpf:
    if node.kind in ("r", "num", "pi"):
        return {"r": mpmath.mpf(x), "pi": +mpmath.pi}.get(node.kind) or mpmath.mpf(node.args[0].numerator) / (
            node.args[0].denominator
        )
    parts = [at(a, x) for a in node.args if isinstance(a, Node)]
    if node.kind == "pow":
        p: Fraction = node.args[1]
        return parts[0] ** (mpmath.mpf(p.numerator) / p.denominator)
    if node.kind in ("exp", "cos"):
        return getattr(mpmath, node.kind)(parts[0])
    return mpmath.fsum(parts) if node.kind == "add" else mpmath.fprod(parts)


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)+exp(1-r)*cos(r)/9",
        "exp(1+r)*r+exp(2+r)",
        "sqrt(1+r)*cos(r)+sqrt(1+r)*exp(-r)*r",
        "exp(-r)*(1+r**2)**(1/3)+exp(1-r)*(1+r**2)**(1/3)*cos(r)",
        "exp(-r*pi)*r+exp(1-r*pi)",
    ],
)
def test_a_sum_is_what_is_left_times_what_is_taken_out(text: str) -> None:
    old = tree(text)
    new = taken_out(old)
    assert new.kind == "mul"
    for x in (1, 3, 7):
        assert mpmath.almosteq(at(old, x), at(new, x))


@pytest.mark.parametrize("text", ["exp(-r)+cos(r)", "exp(-r)*r+exp(-2*r)", "exp(-r)", "r*cos(r)+2*r"])
def test_a_sum_that_shares_nothing(text: str) -> None:
    with pytest.raises(Rejected, match="no sum whose terms share"):
        taken_out(tree(text))


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("exp(r+1)", ["exp(r)", "exp(1)"]),
        ("exp(r*pi+1+pi)", ["exp(r*pi)", "exp(1+pi)"]),
        ("exp(r+cos(r))", ["exp(r+cos(r))"]),
        ("exp(1+pi)", ["exp(1+pi)"]),
        ("cos(1+r)", ["cos(1+r)"]),
    ],
)
def test_the_constant_of_an_exponent_is_a_factor(text: str, factors: list[str]) -> None:
    found = apart(tree(text))
    assert len(found) == len(factors)
    assert all(any(same(f, tree(factor)) for f in found) for factor in factors)
