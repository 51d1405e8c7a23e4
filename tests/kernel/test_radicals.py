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
from dpverify.kernel.tree import Node, add, mul, num
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
    ("-r+1", SQRT_2, [["-1", 0, 0]], [factor(1, ["1", 1, 0], ["-1", 0, 0])]),
    ("(1+sqrt(r))**2", SQRT_2, ONE, [factor(2, ["1", 0, 0], ["1", 1, 0])]),
    ("1+r**(1/12)", SQRT_2, ONE, [factor(1, ["1", 0, 0], ["1", 1, 0])]),
    ("exp(r)**(1/13)*sqrt(2)*(1+exp(r))*floor(r)**2", SQRT_2, [["1", 0, 1]], []),
    ("sqrt(1/2)*r", SQRT_2, [["1/2", 0, 1]], [factor(1, ["1", 1, 0])]),
    ("r+(sqrt(2)*sqrt(2)-2)**2", SQRT_2, ONE, [factor(1, ["1", 1, 0])]),
    ("1+r**2", [[2, 2], [3, 2], [5, 2], [7, 2]], [["1", *[0] * 5]], [factor(1, ["1", 2, *[0] * 4], ["1", *[0] * 5])]),
    ("r**40", SQRT_2, ONE, [factor(1, ["1", 1, 0])] * 40),
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


@pytest.mark.parametrize(
    ("text", "roots", "constant", "factors", "why"),
    [
        ("exp(r)", SQRT_2, ONE, [], "names no rational function"),
        ("r**(1/7)+r**(1/11)", SQRT_2, ONE, [factor(1, ["1", 7, 0], ["1", 11, 0])], "names no rational function"),
        ("2**(1/3)*r", SQRT_2, ONE, [factor(1, ["1", 1, 0])], "none of the roots that are named"),
        ("sqrt(6)*r", SQRT_2, [["1", 0, 1]], [factor(1, ["1", 1, 0])], "of no number that is named"),
        ("sqrt(2/3)*r", SQRT_2, [["1", 0, 1]], [factor(1, ["1", 1, 0])], "of no number that is named"),
        ("0**(1/2)*r", SQRT_2, ONE, [factor(1, ["1", 1, 0])], "not positive"),
        ("(-2)**(1/2)*r", SQRT_2, [["1", 0, 1]], [factor(1, ["1", 1, 0])], "not positive"),
        ("2**(131/2)*r", SQRT_2, [["2", 0, 1]], [factor(1, ["1", 1, 0])], "a power is too large"),
        ("(1+r)**65", SQRT_2, ONE, [SQUARE], "a power is too large"),
        # 0/0, which the lemma's equality of N and c D f holds for whatever f is
        ("(sqrt(2)*sqrt(2)*r-2*r)/(sqrt(2)*sqrt(2)-2)", SQRT_2, ONE, [SQUARE], "may divide by zero"),
        ("r*(sqrt(4)-2)", [[4, 2]], [["1", 0, 1], ["-2", 0, 0]], [factor(1, ["1", 1, 0])], "constant of a product"),
        ("r+r**2", SQRT_2, [["1", 0, 0], ["1", 1, 0]], [factor(1, ["1", 1, 0])], "constant of a product"),
    ],
)  # fmt: skip
def test_what_no_lemma_speaks_of_is_refused_before_any_product(
    text: str, roots: Any, constant: Any, factors: list[dict[str, Any]], why: str
) -> None:
    with pytest.raises(Rejected, match=why):
        product(text, roots, constant, *factors)


GIVEN: dict[str, Any] = {"node": 1, "roots": SQRT_2, "constant": ONE, "factors": [factor(1, ["1", 1, 0])]}


NO_ROOTS: list[Any] = [[], 5, [[2, 2]] * 5, [5], [[2]], [[2, 2, 5]], {}]
NO_FACTORS: list[Any] = [{}, 5, [factor(1, ["1", 1, 0]), *[factor(1, *ONE)] * 40], [{**SQUARE, "more": 1}]]
NO_TERMS: list[Any] = [
    *([], 5, {}, [5], [["1", 1]], [["1", 1, 0, 0]], [{"1": 1, "2": 2, "3": 3}], [["1", 1, 0]] * 2),
    *([["1/2", 1, 2]], [["1/2", 1, 1], ["1", 1, 3]]),
]
MALFORMED: list[dict[str, Any]] = [
    *({"roots": x} for x in NO_ROOTS),
    *({"factors": x} for x in NO_FACTORS),
    *({"factors": [factor(1) | {"polynomial": x}]} for x in NO_TERMS),
]


@pytest.mark.parametrize("change", MALFORMED)
def test_what_is_not_of_the_form_of_a_product(change: dict[str, Any]) -> None:
    assert product("r", *(GIVEN[name] for name in ("roots", "constant")), *GIVEN["factors"]).kind == "r"
    with pytest.raises(Rejected) as refusal:
        radicals.as_product(tree("r"), {**GIVEN, **change})
    assert refusal.value.code == "format"


@pytest.mark.parametrize("roots", NO_ROOTS)
def test_what_are_no_roots_of_whole_numbers(roots: Any) -> None:
    with pytest.raises(Rejected, match=r"radicals\.roots is not a list"):
        radicals.bases_of(roots)


def test_exponents_of_each_root_are_less_than_its_own() -> None:
    ring = radicals.Radicals([(2, 2), (3, 3)], 1)
    for exponents in ([1, 1, 3], [1, 2, 1]):
        with pytest.raises(Rejected, match="exponents are too large"):
            radicals.terms_of([["1", *exponents]], ring)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([], "format"),
        (5, "format"),
        ({}, "format"),
        ([GIVEN] * 41, "format"),
        ([{**GIVEN, "more": 1}], "format"),
        ([GIVEN, GIVEN], "steps"),
        ([{**GIVEN, "node": 2}], "steps"),
    ],
)
def test_which_products_a_step_may_name(given: Any, code: str) -> None:
    whole = tree("r")
    whole.number = 1
    assert radicals.rewritten(whole, [GIVEN]).kind == "r"
    with pytest.raises(Rejected) as refusal:
        radicals.rewritten(whole, given)
    assert refusal.value.code == code


def test_as_many_products_and_terms_as_are_allowed() -> None:
    ring = radicals.Radicals([(2, 12)], 1)
    terms = [["1", e, f] for e in range(20) for f in range(11)]
    assert len(radicals.terms_of(terms[:200], ring)) == 200
    with pytest.raises(Rejected, match="not a list of terms"):
        radicals.terms_of(terms[:201], ring)
    whole = mul(*(add(Node("r"), num(k)) for k in range(1, 41)))
    for k, node in enumerate(whole.args, 1):
        node.number = k
    steps = [{**GIVEN, "node": k, "factors": [factor(1, ["1", 1, 0], [str(k), 0, 0])]} for k in range(1, 41)]
    new = radicals.rewritten(whole, steps)
    assert at(new, Fraction(1, 2)) == at(whole, Fraction(1, 2))


S: tuple[int, ...] = (1, 0)
T: tuple[int, ...] = (0, 1)
TWO = Fraction(2)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({(32, 0): TWO}, {(32, 0): TWO}),
        ({(1, 0): TWO**1000}, {(1, 0): TWO**998}),
        (
            {(e, 0): TWO for e in range(10)},
            {(10 * e, 0): TWO for e in range(6)} | {(f // 12 * 10, f % 12 + f // 12): TWO for f in range(1, 15)},
        ),
    ],
)
def test_products_up_to_the_limits_and_beyond(a: radicals.Terms, b: radicals.Terms) -> None:
    """s^32 s^32 is s^64, and a coefficient of 2^1998 has 1999 and 1 bits; s times one of them is too much."""
    ring = radicals.Radicals([(2, 12)], 1)
    found = ring.times(a, b)
    assert len(found) == len(a) * len(b)
    with pytest.raises(Rejected) as refusal:
        ring.times(found, {S: TWO, (5, 5): TWO} if len(a) > 1 else {S: TWO})
    assert refusal.value.code == "limits"


def test_all_products_together_are_limited() -> None:
    ring = radicals.Radicals([(2, 2)], 1)
    ring.work = 500_000 - 4
    pair = {S: TWO, T: TWO}
    assert ring.times(pair, pair) == {(2, 0): 4, (1, 1): 8, (0, 0): 8}
    with pytest.raises(Rejected, match="too long"):
        ring.times({S: TWO}, {S: TWO})


@pytest.mark.parametrize("text", ["r**65", "r**-65", "sqrt(r)", "sqrt(1+r)", "exp(r)", "floor(r)", "r**2*sqrt(1+r)"])
def test_what_is_no_quotient_of_polynomials(text: str) -> None:
    with pytest.raises(Rejected):
        radicals.Radicals([(2, 2)], 1).quotient(tree(text))


@pytest.mark.parametrize(
    ("text", "top", "below"),
    [
        ("r**64", {(64, 0): 1}, {(0, 0): 1}),
        ("r**-64", {(0, 0): 1}, {(64, 0): 1}),
        ("(2+r)**0", {(0, 0): 1}, {(0, 0): 1}),
        ("(sqrt(2)*r*sqrt(2)-r)**-64", {(0, 0): 1}, {(64, 0): 1}),
        ("2**(129/2)", {(0, 1): 2**64}, {(0, 0): 1}),
        ("2**(-127/2)", {(0, 1): Fraction(1, 2**64)}, {(0, 0): 1}),
    ],
)
def test_quotients_of_polynomials(text: str, top: Any, below: Any) -> None:
    assert radicals.Radicals([(2, 2)], 1).quotient(tree(text)) == (top, below)


def test_nothing_is_0_to_the_power_0() -> None:
    zero = tree("sqrt(2)*sqrt(2)-2")
    with pytest.raises(Rejected, match="may divide by zero"):
        radicals.Radicals([(2, 2)], 1).quotient(Node("pow", zero, Fraction(0)))


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
