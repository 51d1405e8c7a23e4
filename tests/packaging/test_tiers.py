"""The quick tier has a test of every room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = sorted({path.parent.name for path in TESTS.glob("*/test_*.py")} - {"docs"})


def later(node: ast.FunctionDef | ast.Assign) -> bool:
    """Whether a test, or by `pytestmark` a whole file, is marked; a mark on single cases does not count."""
    written = [ast.unparse(each) for each in (node.decorator_list if isinstance(node, ast.FunctionDef) else [node])]
    return any(text.startswith(("pytest.mark.slow", "pytest.mark.campaign", "pytestmark")) for text in written)


def quick(path: Path) -> list[str]:
    """The tests of a file without a mark."""
    body = ast.parse(path.read_text()).body
    if any(later(node) for node in body if isinstance(node, ast.Assign)):
        return []
    tests = (node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
    return [node.name for node in tests if not later(node)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_has_a_quick_test(folder: str) -> None:
    assert any(quick(path) for path in (TESTS / folder).glob("test_*.py")), "see tests/README.md"
