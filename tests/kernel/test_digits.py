"""Ends of intervals are rounded outward, by the kernel's own contexts: Python's minus and abs round to 28 digits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from decimal import Decimal, Inexact, localcontext
from pathlib import Path

import mpmath as mp
import pytest

from dpverify import kernel
from dpverify.kernel import check_bytes
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.majorants import at_most
from dpverify.kernel.sections.panels import overshoot

ROOT = Path(__file__).parents[2]
LONG = Decimal("2.0000000000000000000000000000000000000000000001")
REPLAYED = [
    *("gamma-of-a-variable", "roughly-ring", "short-shift", "rising-on-a-ball"),
    *(pytest.param(name, marks=pytest.mark.campaign) for name in ("ring", "student-t-nu3-d3", "exponential-tail")),
]


def test_the_largest_of_an_interval_is_no_less() -> None:
    assert at_most(Interval(LONG.copy_negate(), Decimal(1))).hi == LONG


def test_what_a_loss_lacks_is_no_less() -> None:
    with mp.workdps(80):
        assert mp.mpf(str(overshoot(Interval(LONG.copy_negate(), LONG)).hi)) >= mp.expm1(mp.mpf(str(LONG)))


def ends(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("lo", "hi")


def rounded(tree: ast.AST) -> Iterator[int]:
    """The lines where an end is added, multiplied, negated or made positive by Python's own operators."""
    for node in ast.walk(tree):
        sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and ends(node.operand)
        two = isinstance(node, ast.BinOp) and (ends(node.left) or ends(node.right))
        size = isinstance(node, ast.Call) and ast.unparse(node.func) == "abs" and any(map(ends, node.args))
        if sign or two or size:
            yield getattr(node, "lineno", 0)


@pytest.mark.slow
def test_no_end_is_rounded_by_an_operator() -> None:
    files = sorted(Path(kernel.__file__).parent.rglob("*.py"))
    found = {f"{path.stem}:{line}" for path in files for line in rounded(ast.parse(path.read_text()))}
    assert found == set()


@pytest.mark.parametrize("name", REPLAYED)
def test_a_replay_rounds_nothing_to_python_s_digits(name: str) -> None:
    (path,) = (ROOT / "certificates").rglob(f"{name}.json")
    with localcontext() as context:
        context.traps[Inexact] = True
        check_bytes(path.read_bytes())
