"""Phases of waves multiplied out exactly (K186): sums of q r^p sqrt(n) pi^k, and what is no line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.lines import (
    is_squarefree,
    line,
    polynomial,
    power_of,
    product,
    squarefree,
    term,
    value_of_form,
)
from dpverify.kernel.tree import Node, num
from tests.kernel.problems import tree

Q = Fraction
Polynomial = dict[tuple[int, int, int], Fraction]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("r", {(1, 1, 0): 1}),
        ("pi", {(0, 1, 1): 1}),
        ("0", {}),
        ("3/4", {(0, 1, 0): Q(3, 4)}),
        ("r + pi", {(1, 1, 0): 1, (0, 1, 1): 1}),
        ("(r + 1)*(r - 1) - r**2", {(0, 1, 0): -1}),
        ("(sqrt(2) + r)*(sqrt(6) + pi)", {(0, 3, 0): 2, (1, 6, 0): 1, (0, 2, 1): 1, (1, 1, 1): 1}),
    ],
)
def test_a_text_as_a_sum(text: str, found: Polynomial) -> None:
    assert polynomial(tree(text)) == found


@pytest.mark.parametrize(
    ("base", "power", "found"),
    [
        (Node("pi"), Q(3), {(0, 1, 3): Q(1)}),
        (Node("pi"), Q(-100), {(0, 1, -100): Q(1)}),
        (Node("pi"), Q(100), {(0, 1, 100): Q(1)}),
        (num(2), Q(1, 2), {(0, 2, 0): Q(1)}),
        (num(2), Q(3, 2), {(0, 2, 0): Q(2)}),
        (num(2), Q(-1, 2), {(0, 2, 0): Q(1, 2)}),
        (num(2), Q(-3, 2), {(0, 2, 0): Q(1, 4)}),
        (num(Q(3, 4)), Q(5, 2), {(0, 3, 0): Q(9, 32)}),
        (num(12), Q(1, 2), {(0, 3, 0): Q(2)}),
        (Node("r"), Q(4), {(4, 1, 0): Q(1)}),
    ],
)
def test_powers(base: Node, power: Fraction, found: Polynomial) -> None:
    assert power_of(base, power) == found


@pytest.mark.parametrize(
    ("base", "power"),
    [
        *((Node("pi"), p) for p in (Q(1, 2), Q(101), Q(-101))),
        *((num(x), Q(1, 2)) for x in (0, -2)),
        (num(2), Q(1, 3)),
        *((Node("r"), p) for p in (Q(0), Q(-1), Q(5), Q(1, 2))),
    ],
)
def test_powers_that_make_no_line(base: Node, power: Fraction) -> None:
    with pytest.raises(Rejected, match="not a line"):
        power_of(base, power)


def test_products_add_exponents_and_take_squares_out_of_roots() -> None:
    assert product({(1, 2, 1): Q(2)}, {(0, 6, -3): Q(5)}) == {(1, 3, -2): Q(20)}
    many = {(k, 1, 0): Q(1) for k in range(20)}
    assert len(product(many, many)) == 39
    with pytest.raises(Rejected, match="too many terms"):
        product(many, many | {(20, 1, 0): Q(1)})


def test_squares_in_whole_numbers() -> None:
    for n in range(1, 400):
        s = max(d for d in range(1, n + 1) if n % (d * d) == 0)
        assert squarefree(n) == (s, n // (s * s))
        assert is_squarefree(n) is (s == 1)
    assert squarefree(10**9) == (10**4, 10)
    with pytest.raises(Rejected, match="too large"):
        squarefree(10**9 + 1)


def test_a_phase_is_a_line() -> None:
    assert line(tree("cos(2*r + sqrt(2))")) == ({(1, 0): Q(2)}, {(2, 0): Q(1)})
    for text in ("cos(r + r**2)", "cos(r**2)"):
        with pytest.raises(Rejected, match="not a line"):
            line(tree(text))


def test_the_number_that_a_form_stands_for() -> None:
    found = value_of_form({(2, 1): Q(1, 2), (1, 0): Q(3), (9, 0): Q(1)})
    assert abs(float(found.lo) - 8.221441469079183) < 1e-12
    assert term(9, 0, Q(1)).lo == term(9, 0, Q(1)).hi == 3
    assert value_of_form({}).lo == value_of_form({}).hi == 0


LONG = "(2**(1/2)*10**1000 - 3**(1/2)*10**900)**4"


@pytest.mark.parametrize("text", ["3**(999999999/2)*r", "3**(-999999999/2)*r", "3**(201/2)*r", "3**(-201/2)*r"])
def test_a_root_with_a_high_power_is_refused_before_it_is_written_out(text: str) -> None:
    with pytest.raises(Rejected, match="too high a power"):
        line(tree(f"cos({text})"))


@pytest.mark.parametrize("text", [f"({LONG}*5**(1/2))**4*r", f"(1+5**(1/2)*{LONG})*(r+{LONG})", "(2*pi+1)*r*L"])
def test_a_phase_with_a_long_number_is_refused_before_it_is_written_out(text: str) -> None:
    """Also where another of its numbers is short."""
    with pytest.raises(Rejected, match="too long a number") as refused:
        line(tree(f"cos({text})", L=Q(2**19998)))
    assert refused.value.code == "limits"


def test_a_phase_may_have_a_number_that_is_as_long_as_numbers_may_be() -> None:
    assert line(tree("cos(L*(r+1))", L=Q(2**19998))) == ({(1, 0): 2**19998}, {(1, 0): 2**19998})
    assert line(tree("cos(3**(199/2)*r)"))[0] == {(3, 0): 3**99}
    assert line(tree("cos(3**(-199/2)*r)"))[0] == {(3, 0): Q(1, 3**100)}


def test_a_phase_may_have_a_number_that_is_nearly_as_long() -> None:
    (speed, constant) = line(tree(f"cos({LONG}*r)"))
    a, b = 10**1000, 10**900
    assert speed == {(1, 0): 4 * a**4 + 36 * a**2 * b**2 + 9 * b**4, (6, 0): -8 * a**3 * b - 12 * a * b**3}
    assert constant == {}
