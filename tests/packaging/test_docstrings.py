"""Whatever has a public name says what it is."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import dpverify
from tools import house

ROOT = Path(dpverify.__file__).parent
PUBLIC = ("dpverify", "dpverify.audit", "dpverify.calibration", "dpverify.sampling")
"""What the page "Stability" promises."""


def silent(path: Path) -> list[str]:
    """The public functions and classes of a file that have no docstring."""
    named = (x for x in ast.parse(path.read_text()).body if isinstance(x, ast.FunctionDef | ast.ClassDef))
    return [x.name for x in named if not x.name.startswith("_") and not ast.get_docstring(x)]


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(set(house.lines()) - {"kernel"}))
def test_functions_and_classes_say_what_they_are(room: str) -> None:
    """Of the kernel a page for reviewers tells more: certificate/test_rules.py."""
    for path in [ROOT / f"{room}.py", *(ROOT / room).rglob("*.py")]:
        assert not path.exists() or not silent(path), path


def test_a_function_without_a_docstring_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "room.py"
    file.write_text("def told():\n    'It is.'\n\ndef silent():\n    pass\n\ndef _own():\n    pass\n")
    assert silent(file) == ["silent"]


@pytest.mark.slow
@pytest.mark.parametrize("module", PUBLIC)
def test_methods_of_what_is_public_say_what_they_do(module: str) -> None:
    for name in importlib.import_module(module).__all__:
        found = getattr(importlib.import_module(module), name)
        if inspect.isclass(found):
            own = [
                n for n, m in vars(found).items() if not n.startswith("_") and (callable(m) or isinstance(m, property))
            ]
            assert not [n for n in own if not inspect.getdoc(getattr(found, n))], found
