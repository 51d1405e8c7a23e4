"""The quick tier has a test of every room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import SPREAD, pytest_collection_modifyitems

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = sorted({path.parent.name for path in TESTS.glob("*/test_*.py")} - {"docs"})


def later(node: ast.FunctionDef | ast.Assign) -> bool:
    """Whether a test, or by `pytestmark` a whole file, is marked; a mark on single cases does not count."""
    written = [ast.unparse(each) for each in (node.decorator_list if isinstance(node, ast.FunctionDef) else [node])]
    marks = (*(f"pytest.mark.{name}" for name in ("slow", "sweep", "campaign")), "pytestmark")
    return any(text.startswith(marks) for text in written)


def quick(path: Path) -> list[str]:
    """The tests of a file without a mark."""
    body = ast.parse(path.read_text()).body
    if any(later(node) for node in body if isinstance(node, ast.Assign)):
        return []
    tests = (node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
    return [node.name for node in tests if not later(node)]


@pytest.mark.sampled(stay=7)
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_has_a_quick_test(folder: str) -> None:
    assert any(quick(path) for path in (TESTS / folder).glob("test_*.py")), "see tests/README.md"


@pytest.mark.parametrize(("mark", "tier"), SPREAD.items())
def test_the_cases_of_a_test_are_spread_over_two_tiers(mark: str, tier: str) -> None:
    class Case:
        def __init__(self, nodeid: str, **marks: dict[str, int]) -> None:
            self.nodeid, self.marks = nodeid, marks

        def get_closest_marker(self, name: str) -> pytest.Mark | None:
            return getattr(pytest.mark, name)(**self.marks[name]).mark if name in self.marks else None

        def add_marker(self, name: str) -> None:
            self.marks[name] = {}

    cases = [Case(f"test_a[{k}]", **{mark: {"stay": 3}}) for k in range(10)]
    dear, other = Case("test_a[dear]", **{mark: {"stay": 3}}, campaign={}), [Case(f"test_b[{k}]") for k in range(5)]
    pytest_collection_modifyitems([*cases[:4], dear, *cases[4:], *other])  # type: ignore[list-item]
    assert [k for k, case in enumerate(cases) if tier not in case.marks] == [0, 4, 7]
    assert not any(tier in case.marks for case in (dear, *other))
    alone = Case("test_a[7]", **{mark: {"stay": 3}})
    pytest_collection_modifyitems([alone])  # type: ignore[list-item]
    assert tier not in alone.marks, "one case asked for by name is run"
