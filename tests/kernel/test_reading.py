"""The kernel's reader: plain numbers alone, and every need of what was typed, in order, with what guards it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.reader import Function, Reader
from dpverify.kernel.rules import BROUGHT
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.tree import Node, same, walk
from tests.kernel.problems import tree


@pytest.mark.sampled(stay=19)
@pytest.mark.parametrize(
    "text",
    [
        *("0x10", "0X1f", "1_0", "1_000.5", "1e1_0", "0o17", "0b11", "1j", "2.5e3j", "1e5j", "True", "None", "'1'"),
        *("0x1.8p3", "1e+_5", "...", "012", "1e99999", "1e10000", "inf", "nan", "1,5", "(1,)", "[1]", "f'1'", "1e"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "exp(-{}*r)", "r**{}"])
def test_what_is_no_plain_number_is_refused(text: str, around: str) -> None:
    with pytest.raises(Rejected):
        tree(around.format(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e5", Fraction(10**5)), ("1E-3", Fraction(1, 1000)), ("2.5e+3", Fraction(2500)), (".5", Fraction(1, 2)),
        ("7.", Fraction(7)), ("0.1", Fraction(1, 10)), ("00", Fraction(0)), ("1e400", Fraction(10**400)),
        ("0." + "3" * 60, Fraction(int("3" * 60), 10**60)), ("123456789012345678901", Fraction(123456789012345678901)),
    ],
)  # fmt: skip
def test_a_plain_number_is_exact(text: str, value: Fraction) -> None:
    node = tree(text)
    assert node.kind == "num" and node.args[0] == value and type(node.args[0]) is Fraction


def needs(text: str) -> list[tuple[str, Any, tuple[Any, ...]]]:
    read = Reader(text, {})
    read.tree()
    return [(need.kind, need.node, need.guard) for need in read.needs]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(-r)", []),
        ("1/(1+r)+sqrt(1+y)+log(1+r)", []),
        ("1/(r-1)", [("nonzero", "r-1")]),
        ("log(r-1)/(sqrt(r-2)-1)", [("positive", "r-1"), ("nonnegative", "r-2"), ("nonzero", "(r-2)**(1/2)-1")]),
        ("(r-1)**(1/2)", [("nonnegative", "r-1")]),
        ("(r-1)**(-1/2)", [("positive", "r-1")]),
        ("(r-1)**(-2)", [("nonzero", "r-1")]),
        ("(r-1)**1", []),
        ("(r-1)**2", []),
        ("(r-5)**(2*pi/pi)", [("positive", "r-5")]),
        ("(r-5)**(r/r+1)", [("positive", "r-5")]),
        ("(r-5)**(y/r**2+1)", [("positive", "r-5")]),
        ("(r-5)**(1+4/2)", []),
        ("(r-5)*(pi/pi)", []),
        ("(r-5)+(pi/pi)", []),
        ("(r-1)**0", [("nonzero", "r-1")]),
        ("(r-1)**2", []),
        ("(r-1)**r", [("positive", "r-1")]),
        ("exp(r-1)**(r-2)", []),
        ("besselk(1/3,r-1)", [("positive", "r-1")]),
        ("0*log(r-1)", [("positive", "r-1")]),
        ("(1+exp(1/(r-1)))**(1/2)*(1+exp(1/(r-1)))**(-1/2)", [("nonzero", "r-1"), ("nonzero", "r-1")]),
        ("1/(1/(r-1))", [("nonzero", "r-1"), ("nonzero", "(r-1)**(-1)")]),
        ("tanh(1/(r-1))+asinh(r-2)", [("nonzero", "r-1")]),
        ("sqrt((r-1)**2)+log(Abs(r-1))", [("positive", "Abs(r-1)")]),
        ("sqrt(1-cos(r))+sqrt(1-2*cos(r))", [("nonnegative", "1-2*cos(r)")]),
        ("gamma(-1/2)", []),
    ],
)
def test_needs_are_kept_in_the_order_in_which_they_are_met(text: str, expected: list[tuple[str, str]]) -> None:
    found = needs(text)
    assert [kind for kind, _, _ in found] == [kind for kind, _ in expected]
    for (_, node, guard), (_, wanted) in zip(found, expected, strict=True):
        assert same(node, tree(wanted)) and guard == ()


def guards(guard: tuple[Any, ...]) -> list[tuple[bool, Node]]:
    return [(holds, condition[1][1]) for condition, holds in guard]


def test_what_a_branch_needs_is_guarded_by_the_conditions_before_it_and_its_own() -> None:
    """A comparison is a conjunction of one condition 0 < w; w is the right side less the left."""
    text = "Piecewise((1/(r-1), r < log(r-3)), (sqrt(r-4), r > 1/(r-5)), (log(r-6), r < 9))+1/(r-7)"
    first, second, third = (tree(w) for w in ("log(r-3)-r", "r-1/(r-5)", "9-r"))
    expected: list[tuple[str, str, list[tuple[bool, Node]]]] = [
        ("positive", "r-3", []),
        ("nonzero", "r-1", [(True, first)]),
        ("nonzero", "r-5", [(False, first)]),
        ("nonnegative", "r-4", [(False, first), (True, second)]),
        ("positive", "r-6", [(False, first), (False, second), (True, third)]),
        ("branch", "", []),
        ("nonzero", "r-7", []),
    ]
    found = needs(text)
    assert [kind for kind, _, _ in found] == [kind for kind, _, _ in expected]
    for (kind, node, guard), (_, wanted, outside) in zip(found, expected, strict=True):
        if kind == "branch":
            assert all(same(c[1][1], w) for c, w in zip(node, (first, second, third), strict=True))
        else:
            assert same(node, tree(wanted))
        assert len(guard) == len(outside)
        for (holds, w), (truth, known) in zip(guards(guard), outside, strict=True):
            assert holds == truth and same(w, known)


def test_a_piecewise_inside_another_is_guarded_by_both() -> None:
    inner = "Piecewise((1/(r-1), r < 2), (2, True))"
    found = needs(f"Piecewise(({inner}, r < 3), (1/(r-4), True))+1/(r-5)")
    assert [(kind, [holds for _, holds in guard]) for kind, _, guard in found] == [
        ("nonzero", [True, True]),
        ("nonzero", [False, True]),
        ("nonzero", []),
    ]
    for (_, w), known in zip(guards(found[0][2]), ("3-r", "2-r"), strict=True):
        assert same(w, tree(known))


def test_a_piecewise_that_ends_in_true_needs_no_branch() -> None:
    assert needs("Piecewise((1, r < 1), (2, True))") == []
    assert [kind for kind, _, _ in needs("Piecewise((1, r < 1), (2, r >= 1))")] == ["branch"]


def test_nodes_are_numbered_from_one_parts_before_wholes() -> None:
    reader = Reader("exp(-r)*(1+r)**2/(r-1)", {})
    root = reader.tree()
    numbers: dict[int, Node] = {}

    def collect(node: Node) -> None:
        for part in node.args:
            if isinstance(part, Node):
                assert 0 < part.number < node.number
                collect(part)
        assert numbers.setdefault(node.number, node) is node

    collect(root)
    others = {node.number for need in reader.needs for node in walk(need.node)}
    assert sorted({*numbers, *others}) == list(range(1, len({*numbers, *others}) + 1))
    assert Evaluation(interval(2)).value(root).lo > 0


@pytest.mark.parametrize(
    ("inner", "around"),
    [("r", "-{}"), ("r", "{}+1"), ("r", "1+({})"), ("r", "exp({})"), ("r", "Max({},1)"), ("r", "Max(1,{})")],
)
def test_a_text_is_nested_to_a_depth_of_a_hundred(inner: str, around: str) -> None:
    text = inner
    for _ in range(99):
        text = around.format(text)
    tree(text)
    with pytest.raises(Rejected, match="nested too deeply"):
        tree(around.format(text))


def test_a_text_and_its_numbers_have_a_largest_length() -> None:
    assert tree("1+" * 90 + "r" + " " * (4_000 - 181 - 2) + "+1").kind == "add"
    with pytest.raises(Rejected, match="permitted length"):
        Reader("r" + " " * 4_000, {})
    assert tree("." + "1" * 1_999).args[0] == Fraction(int("1" * 1_999), 10**1_999)
    with pytest.raises(Rejected, match="not a plain number"):
        tree("." + "1" * 2_000)


def test_a_parameter_in_an_exponent_is_a_number() -> None:
    read = Reader("(r-1)**n*(r-2)**(n+1)", {"n": Fraction(2)})
    read.tree()
    assert read.needs == []


def test_a_function_takes_one_argument_unless_it_is_said() -> None:
    plain = Function(lambda u: u)
    assert (plain.least, plain.most, plain.needs) == (1, 1, "")


def test_without_branches_there_is_no_piecewise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BROUGHT, "Piecewise")
    with pytest.raises(Rejected, match="do not know"):
        tree("Piecewise((1, r<1), (2, True))")


def test_what_sections_bring_to_the_core_is_no_function() -> None:
    assert "models" in BROUGHT
    with pytest.raises(Rejected, match="do not know"):
        tree("models(r)")
