"""What the form of a node alone shows is so at every radius: hundreds of random trees, beside mpmath."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.reader import met_by_form
from dpverify.kernel.sections.analytic import analytic
from dpverify.kernel.sections.by_form import direction, falls_by_form
from dpverify.kernel.sections.falling import may_jump
from dpverify.kernel.sections.waves import amplitude
from dpverify.kernel.tree import Node, never_negative, never_zero, walk
from tests.kernel.plain import NoValue, number, random_text, value
from tests.kernel.problems import tree

RADII = sorted(Fraction(n, d) for n, d in [(1, 97), (1, 8), (1, 3), (1, 2), (3, 4), (1, 1), (17, 13), (3, 2), (2, 1),
                                          (29, 11), (3, 1), (22, 7), (5, 1), (13, 2), (9, 1)])  # fmt: skip
SHOWN = [
    *("1+cos(r)", "2-3*cos(r)", "3-cos(r)-2*sin(r)", "1/2-cos(r)/2", "cos(r)+1/2", "sin(r)**2-1/3", "(r-1)**2"),
    "-r**2",
    *("Abs(r-2)", "Max(r-1,1-r)", "Max(r-1,0)", "Max(r-1,-3)", "floor(r)", "floor(r-2)", "(r-1)**2*(r-2)**4", "r**2-r"),
    *("1/(1+r)", "(1+r)**(-1/3)", "-1/(1+r)", "2*(1+r)", "-2*(1+r)", "0*(1+r)", "exp(-r)*(1+r)", "exp(-r)*exp(-y)"),
    *("exp(-r)/(1+r)", "log(r)", "-log(1+r)", "erfc(r)", "erfc(-r)", "besselk(1/3,r)", "r**(1/3)*besselk(1/3,r)"),
    *("(r-3)**2", "((r-3)**2)**(-1)", "(r-1)**3", "(r-1)**(-1)", "exp(1/(r-1))", "tanh(1/(r-1))", "Abs(r-1)/(r-1)"),
    *("(Max(r,1/r))**(-1)", "Max(r,r**2)", "Max(exp(-r),exp(-2*r))", "Min(exp(-r),exp(-2*r))", "exp(-floor(r))"),
    *("(1+r)**0", "(exp(r)-1)**0", "(r-2)**0", "(1+r)**2*(1+r)**(-2)", "sin(r)/r", "log(log(2+r))", "sqrt(r**2)"),
    *("Piecewise((1, r < 1), (2, True))", "Piecewise((exp(-r), r < 1), (exp(-2*r), True))", "floor(-r)*(0-1)"),
    *("log(1+exp(-r))", "exp(exp(-r))", "1/log(2+r)", "1/log(1+r)**2", "sqrt(1+sin(r))", "1/sin(r)", "sin(1/(r-1))"),
]  # fmt: skip


def nodes(seed: int, count: int, depth: int, bessel: bool = True) -> Iterator[Node]:
    """Every node of random trees, and of chosen ones; K_p takes mpmath long."""
    rnd = random.Random(seed)
    roots = [tree(text) for text in SHOWN if bessel or "bessel" not in text]
    while len(roots) < count:
        try:
            text = random_text(rnd, depth)
            if bessel or "bessel" not in text:
                roots.append(tree(text))
        except Rejected:
            continue
    seen = set()
    for root in roots:
        for node in walk(root):
            if id(node) not in seen:
                seen.add(id(node))
                yield node


def at_radii(node: Node) -> list[tuple[Fraction, Any]]:
    found = []
    for r in RADII:
        try:
            found.append((r, value(node, number(r))))
        except NoValue:
            continue
    return found


def slack(v: Any) -> Any:
    return mpmath.mpf(10) ** -40 * (1 + abs(v))


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("seed", range(2))
def test_signs_shown_by_the_form(seed: int) -> None:
    claimed = dict.fromkeys(("positive", "not negative", "not zero", "amplitude"), 0)
    with mpmath.workdps(60):
        for node in nodes(seed, 110, 3):
            values = [v for _, v in at_radii(node)]
            claims = {
                "positive": (node.positive, lambda v: v > 0),
                "not negative": (never_negative(node), lambda v: v >= -slack(v)),
                "not zero": (never_zero(node), lambda v: v != 0),
                "amplitude": (amplitude(node) != 0, lambda v, node=node: abs(v) <= abs(number(amplitude(node)))),
            }
            for name, (claim, holds) in claims.items():
                if claim:
                    claimed[name] += 1
                    assert all(map(holds, values)), (name, node.kind, values)
            assert met_by_form("positive", node) == node.positive
            assert met_by_form("nonzero", node) == never_zero(node)
            assert met_by_form("nonnegative", node) == never_negative(node)
    assert min(claimed.values()) > 10, claimed


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("seed", range(2))
def test_directions_shown_by_the_form(seed: int) -> None:
    """Where the node has values; random trees put on top what rises and what falls."""
    claimed = {1: 0, -1: 0, 0: 0}
    with mpmath.workdps(60):
        for node in nodes(seed + 10, 140, 3):
            ways = direction(node)
            if ways is None:
                continue
            claimed[ways] += 1
            values = [v for _, v in at_radii(node)]
            for a, b in pairwise(values):
                assert ways < 0 or a <= b + slack(b), (node.kind, values)
                assert ways > 0 or a >= b - slack(b), (node.kind, values)
    assert min(claimed.values()) > 10, claimed


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("exp(-r)", -1), ("exp(r)/r", None), ("exp(-r)/(1+r)", -1),
        ("(1+r)*exp(r)", 1), ("-log(1+r)", -1), ("3", 0),
        ("-r*exp(-r)", None), ("-2*(1+r)*exp(r)", -1),
        ("-(1+r)*exp(r)", None), ("(r-1)*(r-2)", None), ("(r-1)**(-1)", None), ("erfc(-r)", 1),
        ("exp(-floor(r))", -1), ("Max(exp(-r),exp(-2*r))", -1), ("cos(r)", None), ("(1-exp(-r))**2", None),
        ("((1+exp(-r))**2)**(-1/3)", 1), ("Piecewise((1, r < 1), (1/2, True))", None), ("pi+gamma(1/3)", 0),
        ("pi*gamma(1/3)", None), ("exp(-r)*log(1+exp(-r))", -1), ("exp(-r)*log(9/10+exp(-r))", None),
        ("r*log(1+r)", 1), ("r*log(r)", None), ("log(2+exp(-r))**(1/2)", -1), ("r*log(3-r)", None),
        ("exp(-r)*log(1+exp(-r)-exp(-2*r))", None),
        ("cosh(r)", 1), ("-cosh(r+y)", -1), ("1/cosh(r*log(1+r))", -1), ("cosh(exp(-r))", -1), ("cosh(r-3)", None),
        ("exp(2*r)-2*exp(r)", 1), ("exp(2*r)-3*exp(r)", None), ("exp(r)-exp(2*r)", -1), ("exp(-r)-exp(-2*r)", None),
        ("(1+r)**3-6*sqrt(1+r)", 1), ("(1+r)**3-7*sqrt(1+r)", None), ("(1+r)**3+3/(1+r)", 1),
        ("(1+r)**3+4/(1+r)", None), ("(1/2+r)**2+(1/2+r)**(-2)", None), ("exp(y-r)+exp(r-y)", None),
        ("exp(r)+exp(-r)-exp(-y)+exp(-2*y)", None), ("exp(cos(r)+1)+exp(-cos(r)-1)", None), ("-pi*cosh(r)", -1),
        ("exp(r+y)+2*exp(-r-y)", None), ("cosh(r*log(1/2+r))", None), ("log(2-r)**2", None), ("2*cosh(r)+exp(2*r)", 1),
        ("(-2*(1+r))**2", None), ("(-2*exp(-r))**2", None),  # of products below 0, whose squares go the other way
    ],
)  # fmt: skip
def test_what_the_form_tells_of_the_direction(text: str, ways: int | None) -> None:
    assert direction(tree(text)) == ways


def test_what_is_constant_falls_and_what_rises_does_not() -> None:
    for text in ("exp(-r)", "3", "-cosh(r)"):
        falls_by_form(tree(text))
    for text in ("exp(r)", "1+r", "cosh(r)", "exp(-r)-exp(-2*r)"):
        with pytest.raises(Rejected, match="does not show that f falls"):
            falls_by_form(tree(text))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_is_called_analytic_is_so(seed: int) -> None:
    """Its difference quotients along and across agree (Cauchy and Riemann); without poles it has a value everywhere."""
    claimed, h = {True: 0, False: 0}, mpmath.mpf(10) ** -20
    with mpmath.workdps(50):
        for node in nodes(seed + 20, 90, 3, bessel=False):
            for poles in (True, False):
                if not analytic(node, poles):
                    continue
                claimed[poles] += 1
                for r in RADII[:: 5 if poles else 3]:
                    z = mpmath.mpc(number(r), mpmath.mpf(10) ** -8)
                    try:
                        value(node, number(r))
                        along, across = (value(node, z + step) - value(node, z - step) for step in (h, h * 1j))
                    except NoValue as why:
                        removable = "0 to the 0" in str(why)
                        assert poles or removable or "large" in str(why), (node.kind, r)
                        continue
                    slopes = along / (2 * h), across / (2j * h)
                    assert abs(slopes[0] - slopes[1]) <= (1 + abs(slopes[0])) * 1e-6, (node.kind, r)
    assert min(claimed.values()) > 50, claimed


@pytest.mark.parametrize("text", ["Abs(r-1)", "Max(r,1)", "floor(r)", "Piecewise((1, r < 1), (2, True))"])
@pytest.mark.parametrize("around", ["{}", "exp({})", "1+{}**2", "cos({})", "1/(2+{})"])
def test_what_has_kinks_jumps_or_branch_points_is_not_called_analytic(text: str, around: str) -> None:
    assert not analytic(tree(around.format(text)))


@pytest.mark.parametrize("text", ["1/(r-1)", "log(r-1)", "(r-1)**(1/2)", "log(1+1/(r-1)**2)", "besselk(1/3,r-1)"])
def test_what_has_poles_is_not_called_analytic_without(text: str) -> None:
    assert not analytic(tree(text), False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_does_not_jump_is_continuous(seed: int) -> None:
    """Just before a radius and just after it, also where a divisor is 0 or a floor steps."""
    continuous, near = 0, mpmath.mpf(10) ** -40
    with mpmath.workdps(80):
        for node in nodes(seed + 30, 90, 3, bessel=False):
            if may_jump(node):
                continue
            continuous += 1
            for r in RADII:
                try:
                    before, after = (value(node, number(r) + step) for step in (-near, near))
                except NoValue:
                    continue
                if max(abs(before), abs(after)) < 10**4:
                    assert abs(after - before) < 1e-4, (node.kind, r)
    assert continuous > 60


@pytest.mark.parametrize(
    "text",
    ["floor(r)", "exp(1/(r-1))", "Abs(r-1)/(r-1)", "(r-1)*((r-1)**2)**(-1/2)", "tanh(1/(r-1))", "exp(-1/log(r))"],
)
def test_what_jumps_is_said_to(text: str) -> None:
    assert may_jump(tree(text)) and may_jump(tree(f"exp(-r)*(2+{text})"))
