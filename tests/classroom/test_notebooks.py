"""Both notebooks run as they are, and with the solutions typed in every exercise is right."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from dpverify.classroom import EXERCISES
from dpverify.classroom.notebooks import jupyter, marimo
from tests.command import run


def solved(text: str) -> str:
    """The text with the solutions typed in."""
    for each in EXERCISES:
        head, mark, tail = text.partition(f'grade("{each.name}"')
        start = head.rindex("_answers = {")
        filled = head[start:]
        for field in each.fields:
            filled, count = re.subn(rf"'{field.name}': \"\"", f"'{field.name}': {each.right[field.name]!r}", filled)
            assert count == 1
        text = head[:start] + filled + mark + tail
    return text


@pytest.mark.slow
def test_the_cells_of_the_notebook_run(capsys: pytest.CaptureFixture[str]) -> None:
    book = json.loads(jupyter())
    assert (book["nbformat"], len({cell["id"] for cell in book["cells"]})) == (4, len(book["cells"]))
    codes = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for code in codes:
        exec(code, names)
    assert capsys.readouterr().out.count("not yet: nothing is there yet") == len(EXERCISES)
    exec(solved("\n".join(codes)), names)
    out = capsys.readouterr().out
    assert "not yet" not in out and out.count("right:") >= len(EXERCISES)


@pytest.mark.slow
def test_the_marimo_notebook_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("marimo", reason="marimo is not installed: pip install marimo")
    path = tmp_path / "exercises_solved.py"
    path.write_text(solved(marimo()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.app.run()
    out = capsys.readouterr().out
    assert "not yet" not in out and out.count("right:") >= len(EXERCISES)


def test_the_command_writes_both(tmp_path: Path) -> None:
    done = run("classroom", "--notebooks", "books", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.count("wrote") == 2
    assert (tmp_path / "books" / "exercises.ipynb").read_text() == jupyter()
    (tmp_path / "file").write_text("")
    assert run("classroom", "--notebooks", "file", cwd=tmp_path).returncode == 2
