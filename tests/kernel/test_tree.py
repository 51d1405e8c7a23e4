"""The tree: what its nodes say of themselves, which products and powers are made one, and its limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.polynomials import polynomial
from dpverify.kernel.sections.signs import exact_value
from dpverify.kernel.tree import (
    Node,
    add,
    minus,
    mul,
    never_negative,
    never_zero,
    num,
    power,
    same,
    walk,
)
from tests.kernel.problems import tree

MAX_NODES, MAX_EXPONENT, MAX_BITS = 20_000, 10_000, 20_000
HALF = Fraction(1, 2)
R, PI, E = Node("r"), Node("pi"), Node("exp", num(1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r", "rational exact positive"),
        ("1/2", "rational exact positive"),
        ("0", "rational exact"),
        ("-1/2", "rational exact"),
        ("pi", "positive"),
        ("1+r", "rational exact positive"),
        ("r-1", "rational exact"),
        ("2*(r-1)", "rational exact"),
        ("r+pi", "positive"),
        ("pi*(r-1)", ""),
        ("y", "rational exact positive"),
        ("1/(1+r)", "rational exact exponential positive"),
        ("1/(r-1)", "rational exact exponential"),
        ("1+1/(r-1)", "rational exact exponential"),
        ("(r-1)**2", "rational exact"),
        ("(r-1)**0", "rational exact"),
        ("sqrt(1+r)", "positive"),
        ("1/sqrt(1+r)", "exponential positive"),
        ("sqrt(r-1)", ""),
        ("r+sqrt(1+r)", "positive"),
        ("exp(r)", "exponential positive"),
        ("r+exp(r)", "exponential positive"),
        ("exp(r)*(r-1)", "exponential"),
        ("(exp(r)-1)**2", "exponential"),
        ("log(2+r)", ""),
        ("log(2+exp(r))", ""),
        ("r+log(2+r)", ""),
        ("log(2+r)**2", ""),
        ("Max(r,1/2)", "exact"),
        ("Max(r-2,1/2)+1", "exact"),
        ("Max(r,1/2)*(1+r)", "exact"),
        ("Max(r-1,1/2)**2", "exact"),
        ("sqrt(Max(r-1,1/2))", ""),
        ("Max(r,pi)", ""),
        ("Max(r,pi)+1", ""),
        ("Max(exp(r),r)", "exponential"),
        ("floor(r)", ""),
        ("floor(r)+r", ""),
        ("sin(r)", ""),
        ("exp(-r)*sin(r)", "exponential"),
        ("Piecewise((exp(r), r<1), (1, True))", "exponential"),
        ("Piecewise((r, r<1), (1, True))", ""),
    ],
)
def test_what_a_node_says_of_itself(text: str, said: str) -> None:
    node = tree(text)
    rational, exact = polynomial(node) is not None, exact_value(node, Fraction(8, 3)) is not None
    shown = {"rational": rational, "exact": exact, "exponential": node.exponential, "positive": node.positive}
    assert [name for name, there in shown.items() if there] == said.split()


@pytest.mark.parametrize(
    ("text", "size"),
    [("r", 1), ("7/3", 1), ("1+r", 3), ("y", 2), ("exp(1+r)", 4), ("exp(1+r)*exp(1+r)", 9), ("2*r*pi", 4)],
)
def test_a_node_is_as_large_as_its_parts_and_one_more(text: str, size: int) -> None:
    assert tree(text).size == size


def test_the_size_counts_branches_and_conditions() -> None:
    assert tree("Piecewise((1+r, r<1), (1, True))").size >= 1 + 3 + 1


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        (tree("1+r"), tree("1+r"), True),
        (tree("1+r"), tree("1+y"), False),
        (tree("exp(r)+pi"), tree("pi+exp(r)"), False),
        (tree("exp(r)+pi"), tree("exp(r)+pi+1"), False),
        (tree("exp(r)+pi+1"), tree("exp(r)+pi"), False),
        (num(1), num(2), False),
        (Fraction(1), 1, False),
        (True, 1, False),
        ((R, num(1)), (R, num(1)), True),
        ((R,), (R, R), False),
        (R, (R,), False),
    ],
)
def test_two_trees_are_the_same_where_all_their_parts_are(u: Any, v: Any, expected: bool) -> None:
    assert same(u, v) is expected


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("(1+r)*(1+r)", power(tree("1+r"), Fraction(2))),
        ("(1+r)*(2+r)*(1+r)", mul(power(tree("1+r"), Fraction(2)), tree("2+r"))),
        ("(1+r)*(2+r)*(2+r)", mul(tree("1+r"), power(tree("2+r"), Fraction(2)))),
        ("sqrt(1+r)*(1+r)", power(tree("1+r"), Fraction(3, 2))),
        ("pi*pi", power(PI, Fraction(2))),
        ("pi*sqrt(pi)", power(PI, Fraction(3, 2))),
        ("(1+r)/(1+r)", num(1)),
        ("pi*r/pi", R),
        ("pi/pi", num(1)),
        ("r*r/y", num(1)),
        ("r**3/y", R),
        ("2*(1/2)", num(1)),
        ("-(1+exp(r))", add(num(-1), mul(num(-1), Node("exp", R)))),
        ("1*(1+exp(r))", add(num(1), Node("exp", R))),
        ("-1*(-1)*(1+exp(r))", add(num(1), Node("exp", R))),
        ("(r**2)**3", power(R, Fraction(6))),
        ("(r**(1/2))**2", R),
        ("((r-1)**2)**3", Node("pow", tree("r-1"), Fraction(6))),
        ("((1+r)**(1/2))**2", tree("1+r")),
        ("(pi*(1+r))**(1/2)", mul(power(PI, HALF), power(tree("1+r"), HALF))),
        ("1+(2+r)", add(num(3), R)),
        ("r-r", add(R, mul(num(-1), R))),
        ("1-1", num(0)),
        ("2-1+r-1", R),
        ("sin(1+r)**2", mul(num(HALF), add(num(1), mul(num(-1), Node("cos", mul(num(2), tree("1+r")), False))))),
        ("cos(1+r)**2", mul(num(HALF), add(num(1), Node("cos", mul(num(2), tree("1+r")), False)))),
    ],
)
def test_what_is_made_one(text: str, other: Node) -> None:
    assert shape(tree(text)) == shape(other)


def shape(node: Any) -> Any:
    """A tree without the order of its terms and factors."""
    if not isinstance(node, Node):
        return str(node)
    parts = [shape(part) for part in node.args]
    return (node.kind, *(sorted(parts, key=str) if node.kind in ("add", "mul") else parts))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("(r-1)*(r-1)", ("mul", "add", "add")),
        ("sqrt(r-1)*sqrt(r-1)", ("mul", "pow", "pow")),
        ("(r-1)/(r-1)", ("mul", "add", "pow")),
        ("exp(r)*exp(r)", ("mul", "exp", "exp")),
        ("log(2+r)*log(2+r)", ("mul", "log", "log")),
        ("((r-1)**2)**(1/2)", ("pow", "pow")),
        ("((r-1)**(1/2))**2", ("pow", "pow")),
        ("(pi*(r-1))**(1/2)", ("pow", "mul")),
        ("(r-1)**2", ("pow", "add")),
        ("(r-1)**0", ("pow", "add")),
        ("2**(1/2)", ("pow", "num")),
        ("sin(r)**3", ("pow", "sin")),
        ("cos(r)**(-2)", ("pow", "cos")),
        ("1/sin(r)", ("pow", "sin")),
        ("sin(r)**(1/2)", ("pow", "sin")),
    ],
)
def test_what_stays_apart(text: str, kinds: tuple[str, ...]) -> None:
    """No identity of K4 makes these something else, which holds for positive sums and for whole exponents alone."""
    node = tree(text)
    assert (node.kind, *(part.kind for part in node.args if isinstance(part, Node))) == kinds


def test_nothing_multiplied_is_one() -> None:
    assert same(mul(), num(1)) and same(add(), num(0)) and same(minus(num(3)), num(-3))
    assert same(mul(num(0), R), Node("mul", num(0), R))


@pytest.mark.parametrize(
    ("base", "p", "value"),
    [
        (0, MAX_EXPONENT, 0),
        (1, MAX_EXPONENT, 1),
        (2, 6666, 2**6666),
        (2, -6666, Fraction(1, 2**6666)),
        (Fraction(2, 3), -2, Fraction(9, 4)),
        (-1, 3, -1),
        (5, 0, 1),
    ],
)
def test_powers_of_numbers_are_numbers(base: Any, p: int, value: Any) -> None:
    node = power(num(base), Fraction(p))
    assert node.kind == "num" and node.args[0] == value


@pytest.mark.parametrize(
    ("base", "p"),
    [
        (num(0), 0),
        (num(0), -1),
        (num(0), MAX_EXPONENT + 1),
        (num(2), 6667),
        (num(2), -6667),
        (num(3), MAX_EXPONENT - 1),
        (R, 10**9 + 1),
        (R, -(10**9) - 1),
        (R, Fraction(1, 10**9 + 1)),
        (R, Fraction(10**9 + 1, 10**9)),
    ],
)
def test_powers_without_a_value_or_too_large_are_refused(base: Node, p: Any) -> None:
    with pytest.raises(Rejected):
        power(base, Fraction(p))


def test_exponents_up_to_their_limit_are_taken() -> None:
    for p in (Fraction(10**9), Fraction(-(10**9)), Fraction(1, 10**9), Fraction(10**9 - 1, 10**9)):
        assert power(R, p).args == (R, p)


def test_numbers_and_trees_have_a_largest_size() -> None:
    assert num(2 ** (MAX_BITS - 2)).args[0] == 2 ** (MAX_BITS - 2)  # of so many bits less one, and the denominator's
    assert Node("add", *[R] * (MAX_NODES - 1)).size == MAX_NODES
    for large in (lambda: num(2 ** (MAX_BITS - 1)), lambda: Node("add", *[R] * MAX_NODES)):
        with pytest.raises(Rejected):
            large()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r", True),
        ("-3", True),
        ("0", False),
        ("r-1", False),
        ("-3*(1+r)", True),
        ("-3*(r-1)", False),
        ("exp(r)*(r-1)", False),
        ("(r-1)**2", False),
        ("(-3)**(1/3)", True),
        ("log(2+r)", False),
    ],
)
def test_what_the_form_shows_other_than_zero(text: str, expected: bool) -> None:
    assert never_zero(tree(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", True),
        ("-1", False),
        ("(r-1)**2", True),
        ("(r-1)**3", False),
        ("(r-1)**0", True),
        ("(r-1)**(2/3)", False),
        ("((r-1)**2)**(1/3)", True),
        ("(r-1)**2+1", True),
        ("(r-1)**2-1", False),
        ("2*(r-1)**2", True),
        ("-2*(r-1)**2", False),
        ("(r-1)**2*(r-2)", False),
        ("log(2+r)", False),
    ],
)
def test_what_the_form_shows_not_negative(text: str, expected: bool) -> None:
    assert never_negative(tree(text)) is expected


def test_each_node_is_met_once_parts_before_wholes() -> None:
    shared = Node("exp", R)
    whole = Node("add", Node("mul", shared, PI), Node("mul", shared, R))
    found = walk((whole, shared, PI))
    assert len(found) == len({id(node) for node in found}) == 6
    place = {id(node): i for i, node in enumerate(found)}
    for node in found:
        assert all(place[id(part)] < place[id(node)] for part in node.args if isinstance(part, Node))
    assert [node.kind for node in walk((PI, R))] == ["pi", "r"]
    assert walk(()) == [] and walk(Fraction(3)) == []


def test_what_is_made_in_no_text_has_no_number() -> None:
    assert [Node("r").number, power(tree("1+r"), HALF).number] == [0, 0]
