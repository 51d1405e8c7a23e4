"""Every code block of the pages runs, and shows what it prints."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_blocks(page: Path) -> None:
    text = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_console_blocks(page: Path, tmp_path: Path) -> None:
    env = {**os.environ, "COLUMNS": "80", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            if shlex.split(command)[0] != "dpverify":
                continue
            done = subprocess.run(
                shlex.split(command), capture_output=True, text=True, check=False, cwd=tmp_path, env=env
            )
            printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines()).strip()
            if shown.strip():
                assert printed == shown.strip(), command


def test_docstrings() -> None:
    import dpverify

    assert doctest.testmod(dpverify).failed == 0
