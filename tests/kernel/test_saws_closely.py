"""What a sum with floors is taken apart into (K287), by its values, beside those of the sum."""

from __future__ import annotations

import math
from fractions import Fraction as Q
from typing import Any

import mpmath
import pytest

from dpverify.kernel.intervals import ONE, Interval, interval
from dpverify.kernel.reader import Need
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.one_side import not_negative
from dpverify.kernel.sections.saws import Saw, beside_floors, line_of, met_by_saw
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.tree import Node
from soundness.plain import function
from tests.kernel.problems import tree

RADII = [Q(k, 13) for k in (1, 5, 11, 20, 47, 300)]


def value(node: Node, r: mpmath.mpf) -> Any:
    """By the tree, for the kinds of the texts here."""
    parts = [value(a, r) for a in node.args if isinstance(a, Node)]
    if node.kind in ("num", "r"):
        return r if node.kind == "r" else mpmath.mpf(node.args[0].numerator) / node.args[0].denominator
    if node.kind == "pow":
        return parts[0] ** (mpmath.mpf(node.args[1].numerator) / node.args[1].denominator)
    simple = {"add": mpmath.fsum, "mul": mpmath.fprod, "max": max}
    if node.kind in simple:
        return simple[node.kind](parts)
    return {"floor": mpmath.floor, "log": mpmath.log, "exp": mpmath.exp, "pi": lambda: mpmath.pi}[node.kind](*parts)


def again(saw: Saw, r: mpmath.mpf) -> Any:
    """slope r + level + others - sum of c (u - floor(u))."""

    def number(q: Q) -> Any:
        return mpmath.mpf(q.numerator) / q.denominator

    thetas = [number(c) * (value(n.args[0], r) - mpmath.floor(value(n.args[0], r))) for c, n in saw.teeth]
    others = [number(q) * value(n, r) for q, n in saw.others]
    return number(saw.slope) * r + number(saw.level) + mpmath.fsum(others) - mpmath.fsum(thetas)


SUMS: list[tuple[str, tuple[Any, Any], list[Any], int]] = [
    ("r-floor(r)", (0, 0), [-1], 0),
    ("3+2*floor(r/2+1/3)", (1, Q(11, 3)), [2], 0),
    ("r/2-3*floor(2*r-5/4)+exp(-r)", (Q(-11, 2), Q(15, 4)), [-3], 1),
    ("floor(log(1+r))-log(1+r)-r", (-1, 0), [1], 0),
    ("floor(log(1+r))-2*log(1+r)", (0, 0), [], 2),
    ("floor(2*log(1+r)+r/3)*3-6*log(1+r)+1", (1, 1), [3], 0),
    ("floor(sqrt(1+r))-sqrt(1+r)/3+floor(sqrt(1+r)/2)", (0, 0), [], 3),
    ("floor(sqrt(1+r))-2*sqrt(1+r)+2*floor(sqrt(1+r)/2)", (0, 0), [1, 2], 0),
    ("floor(sqrt(2)*r)*2-2*sqrt(2)*r", (0, 0), [2], 0),
    ("2*(r-floor(r))+5*(1/2-frac(3*r))", (0, Q(5, 2)), [-2, 5], 0),
    ("floor(r*exp(-r))-3*r*exp(-r)/3-4", (0, -4), [1], 0),
    ("frac(log(1+r))+frac(log(1+r)*2)", (0, 0), [-1, -1], 0),
    ("floor(log(1+r)+exp(-r))-log(1+r)-exp(-r)", (0, 0), [1], 0),
    ("floor(log(1+r)+exp(-r))-log(1+r)", (0, 0), [], 2),
    ("exp(-r)*floor(r)+r", (1, 0), [], 1),
    ("floor(log(1+r))-log(1+r)+exp(-r)", (0, 0), [1], 1),
    ("floor(r)+log(2+r)-exp(2+r)", (1, 0), [1], 2),
    ("floor(r)+r*exp(-r)-exp(-r)", (1, 0), [1], 2),
    ("floor(r)+r*exp(-r)-2*r*(1+r)**(1/2)", (1, 0), [1], 2),
    ("3-frac(r)-2*(exp(-r)+exp(-2*r)+r/8)", (Q(-1, 4), 3), [1], 2),
]


@pytest.mark.parametrize(("text", "line", "teeth", "others"), SUMS)
def test_a_sum_is_what_it_is_taken_apart_into(text: str, line: Any, teeth: list[Any], others: int) -> None:
    node = tree(text)
    saw, truth = Saw(node), function(text.replace("frac", "frac_"), {}) if "frac" not in text else None
    assert (saw.slope, saw.level) == line
    assert sorted(c for c, _ in saw.teeth) == sorted(teeth) and len(saw.others) == others
    with mpmath.workdps(40):
        for radius in RADII:
            r = mpmath.mpf(radius.numerator) / radius.denominator
            expected = value(node, r)
            assert abs(again(saw, r) - expected) < 1e-30
            assert truth is None or abs(truth(r) - expected) < 1e-30


@pytest.mark.parametrize(("text", "line", "teeth", "others"), SUMS)
def test_heights_and_steps_are_those_of_all_teeth(text: str, line: Any, teeth: list[Any], others: int) -> None:
    """Of -sum of c theta, 0 <= theta <= 1, and its increments."""
    saw = Saw(tree(text))
    low, high = -sum(c for c in teeth if c > 0), -sum(c for c in teeth if c < 0)
    most = sum(map(abs, teeth))
    assert (saw.heights().lo, saw.heights().hi) == (low, high)
    assert (saw.steps().lo, saw.steps().hi) == (-most, most)


def test_what_is_taken_off_a_saw_is_not_shown_by_its_own_sign() -> None:
    """3 - frac(r) - 2 (e^-r + e^-2r) is near -1 beside 0; with + it is positive."""
    for text, met in (("3-frac(r)-2*(exp(-r)+exp(-2*r))", False), ("3-frac(r)+2*(exp(-r)+exp(-2*r))", True)):
        node = tree(text)
        assert {met_by_saw(Need(kind, node, ())) for kind in ("nonnegative", "nonzero", "positive")} == {met}
        assert not_negative(node) is met


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r", (1, 0)), ("7/2", (0, Q(7, 2))), ("3*r", (3, 0)), ("2-r/3", (Q(-1, 3), 2)), ("5*(r+2)+1", (5, 11)),
        ("r*r+1", None), ("r+log(1+r)", None), ("sqrt(2)*r", None), ("floor(r)", None), ("2*exp(r)", None),
        ("r*log(r)", None), ("Max(r,1)", None),
    ],
)  # fmt: skip
def test_lines(text: str, expected: Any) -> None:
    assert line_of(tree(text)) == expected
    if expected is not None:
        assert math.isclose(expected[0] * 3 + expected[1], value(tree(text), mpmath.mpf(3)))


def test_the_value_beside_floors_has_every_term_with_its_number() -> None:
    """3 - frac(r) - 2 (e^-r + e^-2r), on [1, 11/10]."""
    node = tree("3-frac(r)-2*(exp(-r)+exp(-2*r))")
    r = Slope(Interval(interval(1).lo, interval(Q(11, 10)).hi), ONE)
    found = beside_floors(Evaluation(r), node).u
    low, high = (3 - 2 * (math.exp(-x) + math.exp(-2 * x)) for x in (1, 1.1))
    assert float(found.lo) == pytest.approx(low - 1, abs=1e-12) and float(found.hi) == pytest.approx(high, abs=1e-12)
