"""Products with roots of numbers in their coefficients: beside mpmath, and forged ones."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify import verify
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections import radicals
from tests.kernel.problems import proven, tree
from tests.kernel.test_algebra import at

SQRT_2 = [[2, 2]]
SQUARE = {"polynomial": [["1", 1, 0], ["-1", 0, 1]], "power": 2}


def product(text: str, roots: list[list[int]], constant: list[Any], *factors: dict[str, Any]) -> Any:
    step = {"node": 1, "roots": roots, "constant": constant, "factors": list(factors)}
    return radicals.as_product(tree(text), step)


def factor(power: int, *terms: list[Any]) -> dict[str, Any]:
    return {"polynomial": list(terms), "power": power}


ONE: list[Any] = [["1", 0, 0]]
PRODUCTS = [
    ("y-2*sqrt(2)*r+2", SQRT_2, ONE, [SQUARE]),
    ("exp(-r)*(y-2*sqrt(2)*r+2)*(1+r)", SQRT_2, ONE, [SQUARE, factor(1, ["1", 0, 0], ["1", 1, 0])]),
    ("1/(y-sqrt(8)*r+2)", SQRT_2, ONE, [{**SQUARE, "power": -2}]),
    ("(r-sqrt(2))/(y-2)", SQRT_2, ONE, [factor(-1, ["1", 1, 0], ["1", 0, 1])]),
    ("3*y-2*sqrt(3)*r+1", [[3, 2]], [["3", 0, 0]], [factor(2, ["1", 1, 0], ["-1/3", 0, 1])]),
    ("r-2*2**(1/4)*sqrt(r)+sqrt(2)", [[2, 4]], ONE, [factor(2, ["1", 1, 0], ["-1", 0, 1])]),
    ("y-2*(sqrt(2)+sqrt(3))*r+5+2*sqrt(6)", [[2, 2], [3, 2]], [["1", 0, 0, 0]],
     [factor(2, ["1", 1, 0, 0], ["-1", 0, 1, 0], ["-1", 0, 0, 1])]),
    ("sqrt(2)*r-2**(-1/2)", SQRT_2, [["1", 0, 1]], [factor(1, ["1", 1, 0], ["-1/2", 0, 0])]),
    ("(3/2)**(1/3)*r", [[2, 3], [3, 3]], [["1/2", 0, 2, 1]], [factor(1, ["1", 1, 0, 0])]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "roots", "constant", "factors"), PRODUCTS)
def test_products_are_what_they_replace(text: str, roots: Any, constant: Any, factors: list[dict[str, Any]]) -> None:
    old, new = tree(text), product(text, roots, constant, *factors)
    for x in (Fraction(3, 7), Fraction(5), Fraction(17, 3)):
        assert abs(at(old, x) - at(new, x)) < mpmath.mpf(10) ** -12


@pytest.mark.parametrize(
    ("text", "roots", "constant", "factors"),
    [
        ("y-2*sqrt(2)*r+2001/1000", SQRT_2, ONE, [SQUARE]),
        ("y-2*sqrt(2)*r+2", SQRT_2, [["2", 0, 0]], [SQUARE]),
        ("y-2*sqrt(2)*r+2", SQRT_2, [["0", 0, 0]], [SQUARE]),
        ("y-2*sqrt(2)*r+2", [[2, 3]], ONE, [SQUARE]),
        ("y-2*sqrt(2)*r+2", [[3, 2]], ONE, [SQUARE]),
        ("y-2*sqrt(2)*r+2", [[4, 2]], ONE, [factor(2, ["1", 1, 0], ["-1", 0, 1])]),
        ("y-2*sqrt(2)*r+2", [], ONE, [SQUARE]),
        ("y-2*sqrt(2)*r+2", [[1, 2]], ONE, [SQUARE]),
        ("y-2*sqrt(2)*r+2", SQRT_2, ONE, [{**SQUARE, "power": 0}, SQUARE]),
        ("y-2*sqrt(2)*r+2", SQRT_2, ONE, [factor(2, ["1", 1, 0], ["1", 0, 1])]),
        ("y-2*sqrt(2)*r+2", SQRT_2, ONE, [factor(2, ["1", 1, 0], ["-1/2", 0, 3])]),
        ("y-2*sqrt(2)*r+2", SQRT_2, ONE, [factor(2, ["1", 1, 0], ["-1/2", 0, 1], ["-1/2", 0, 1])]),
        ("r-r+0*sqrt(2)", SQRT_2, ONE, [SQUARE]),
        ("r-1", SQRT_2, ONE, [factor(1, ["1", 1, 0], ["-1", 0, 0]), factor(1, ["1", 0, 0]), SQUARE]),
        ("1/(sqrt(2)*sqrt(2)-2)", SQRT_2, ONE, [SQUARE]),
        ("1/(1/(sqrt(8)-2*sqrt(2)))", SQRT_2, ONE, [SQUARE]),
        ("(-2)**(1/2)*r", SQRT_2, [["1", 0, 1]], [factor(1, ["1", 1, 0])]),
        ("sqrt(1+r)", SQRT_2, ONE, [SQUARE]),
        ("(1+r)**65", SQRT_2, ONE, [SQUARE]),
    ],
)  # fmt: skip
def test_other_products_are_refused(text: str, roots: Any, constant: Any, factors: list[dict[str, Any]]) -> None:
    with pytest.raises(Rejected):
        product(text, roots, constant, *factors)


def test_a_root_that_is_rational_hides_no_zero() -> None:
    """With t = 4^(1/2) the form t - 2 has other terms than 0 and is 0: a factor that is 0 everywhere is refused."""
    zero = factor(1, ["1", 0, 1], ["-2", 0, 0])
    with pytest.raises(Rejected, match="may be 0"):
        product("r*sqrt(4)", [[4, 2]], ONE, factor(1, ["1", 1, 1]), zero)


@pytest.mark.slow
def test_forged_products_are_refused() -> None:
    c: Any = verify("exp(-r)*(y-2*sqrt(2)*r+2)").certificate
    check_bytes(proven(copy.deepcopy(c)))
    texts = ("exp(-r)*(y-2*sqrt(2)*r+2001/1000)", "exp(-r)*(y-3*r+2)", "exp(-r)*(y-2*sqrt(3)*r+2)")
    for text in texts:
        forged = copy.deepcopy(c)
        forged["claim"]["generator"] = text
        with pytest.raises(Rejected):
            check_bytes(proven(forged))
    for change in ({"node": 1}, {"roots": [[2, 4]]}, {"roots": [[3, 2]]}, {"constant": [["2", 0, 0]]}, {"factors": []}):
        forged = copy.deepcopy(c)
        forged["proof"]["radicals"][0].update(change)
        with pytest.raises(Rejected):
            check_bytes(proven(forged))
