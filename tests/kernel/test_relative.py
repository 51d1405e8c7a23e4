"""One exponential taken out of a sum of them (K562): what is left, beside mpmath, and what no such sum is."""

from __future__ import annotations

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.relative import beside_one, gap, parted
from dpverify.kernel.tree import num, same, walk
from tests.kernel.problems import tree
from tests.kernel.test_common import at


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("exp(-r)-exp(-2*r)", "1-exp(-r)"),
        ("exp(-2*r)*(cos(r)-3)+exp(-r)*r", "exp(-r)*(cos(r)-3)+r"),
        ("exp(-r+r**2)*r**2-exp(-3*r+r**2)/7", "r**2-exp(-2*r)/7"),
        ("exp(1-r)-exp(-r)", "1-exp(-1)"),
        ("exp(-r)*7-exp(1-r)", "7-exp(1)"),
        ("exp(-2*r)*5-exp(-r)", "5-exp(r)"),
        ("exp(-r)-2*exp(-2*r)+exp(-3*r)", "1-2*exp(-r)+exp(-2*r)"),
        ("exp(-r)*exp(-sqrt(r))-exp(-r)", "1-exp(sqrt(r))"),
    ],
)
def test_a_sum_is_one_exponential_times_what_is_left(text: str, left: str) -> None:
    old = tree(text)
    new = beside_one(old)
    assert new.kind == "mul"
    assert sorted(part.kind for part in new.args) == ["add", "exp"]
    rest = next(part for part in new.args if part.kind == "add")
    assert not any(part.kind == "exp" and same(part.args[0], num(0)) for part in walk(new))
    for x in (1, 3, 7):
        assert mpmath.almosteq(at(old, x), at(new, x))
        assert mpmath.almosteq(at(rest, x), at(tree(left), x))


@pytest.mark.parametrize("text", ["1-exp(-r)", "exp(-r)+cos(r)", "exp(-r)*r", "exp(1)-exp(-r)"])
def test_a_sum_of_which_terms_have_no_exponential_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="no sum of terms that all have exponentials"):
        beside_one(tree(text))


def test_a_sum_of_no_positive_term_is_refused() -> None:
    with pytest.raises(Rejected, match="no term of a sum is positive"):
        beside_one(tree("exp(-r)*cos(r)-exp(-2*r)"))


def test_exponents_are_gathered() -> None:
    assert same(gap(tree("-2*r"), tree("-r")), tree("-r"))
    assert same(gap(tree("r"), tree("r")), num(0))
    v, w = parted(tree("exp(-r)*exp(-r**2)*cos(r)/3"))
    assert same(v, tree("-r-r**2"))
    assert same(w, tree("cos(r)/3"))
