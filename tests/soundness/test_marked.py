"""Which lines some work executes, by marks that functions set: of branches, loops, nested functions and lambdas."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from soundness.marked import executed, mark

TEXT = '''"""A module."""


def chosen(x):
    """What is chosen."""
    if x > 0:
        return twice(x)
    elif x == 0:
        return 0
    for k in range(3):
        x += k
    return x


twice = lambda x: 2 * x


def outer(x):
    def inner(y):
        return y + 1

    return [inner(y) for y in x]
'''


def test_marks_tell_the_statements_that_are_executed(tmp_path: Path) -> None:
    path = tmp_path / "marked_example.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("marked_example", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    spans = mark({"example": str(path)})
    assert module.chosen.__doc__ == "What is chosen."
    for work, given, lines in (
        (lambda: module.chosen(2), 4, [4, 5, 6, 7, 15]),
        (lambda: module.chosen(0), 0, [4, 5, 6, 8, 9]),
        (lambda: module.chosen(-1), 2, [4, 5, 6, 8, 10, 11, 12]),
        (lambda: module.outer([1, 2]), [2, 3], [18, 19, 20, 22]),
        (lambda: module.outer([]), [], [18, 19, 22]),
    ):
        found, seen = executed(spans, work)
        assert found == given and set(lines) - {5} <= set(seen["example"]) <= set(lines), seen


def test_files_of_which_nothing_is_loaded_have_no_marks(tmp_path: Path) -> None:
    path = tmp_path / "unloaded.py"
    path.write_text("def f():\n    return 1\n")
    with pytest.raises(RuntimeError, match="loaded"):
        mark({"unloaded": str(path)})
