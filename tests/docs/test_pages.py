"""Every code block of the pages runs, in the page's order and in one folder, and shows what it prints."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpverify.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)(`{3,}|:{3,})(\S*)[^\n]*\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)
RUN = {"python", "console"}


def run(page: Path) -> int:
    """How many lines of a page run."""
    return sum(text.count("\n") for _, _, language, text in BLOCK.findall(page.read_text()) if language in RUN)


PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")], key=lambda page: (-run(page), page))
"""Those with most to run first, so that none of them is what a worker ends with while the other has nothing to do."""
SHOWN = {
    "text",
    "json",
    "csv",
    "{only}",
    "{eval-rst}",
    "{toctree}",
    "{glossary}",
    "{certificate-format}",
    "{family-catalogue}",
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ESTIMATE, NEAR = doctest.register_optionflag("ESTIMATE"), 0.25
"""Beside what is drawn at random: another NumPy may draw other samples from the same seed."""
FIGURES = os.environ.get("DPVERIFY_FIGURES")  # where `make docs` keeps the pictures that the blocks draw


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ROOT / FIGURES if FIGURES else None
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {}
    for number, (_, _, language, text) in enumerate(BLOCK.findall(page.read_text())):
        assert language in RUN | SHOWN, f"{page.name}: a block of {language or 'no language'}"
        if language == "python":
            python_block(text, names, f"{page.name}, block {number}")
        elif language == "console":
            console_block(text, tmp_path)
    if folder is not None:
        for picture in tmp_path.rglob("*.svg"):
            shutil.copy(picture, folder)


def alike(printed: str, shown: str) -> bool:
    """The same words, wherever lines break, and numbers that are about the same."""
    one, other = (" ".join(text.split()) for text in (printed, shown))
    numbers = [[float(x) for x in NUMBER.findall(text)] for text in (one, other)]
    return NUMBER.sub("0", one) == NUMBER.sub("0", other) and all(
        abs(x - y) <= NEAR * max(abs(x), abs(y)) for x, y in zip(*numbers, strict=True)
    )


class Checker(doctest.OutputChecker):
    """Output that is marked as an estimate need only be alike."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        estimate = bool(optionflags & ESTIMATE) and alike(got, want)
        return estimate or super().check_output(want, got, optionflags)


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("of 15325 draws: 0.96", "of 14000\n  draws: 0.9", True),
        ("of 15325 draws", "of 9000 draws", False),
        ("of 15325 draws", "of 15325 throws", False),
        ("-53.9", "53.9", False),
        ("1 2", "1", False),
    ],
)
def test_estimates_are_alike(printed: str, shown: str, same: bool) -> None:
    assert alike(printed, shown) is same
    assert Checker().check_output(shown, printed, ESTIMATE) is same


def python_block(text: str, names: dict[str, Any], title: str) -> None:
    if ">>>" not in text:  # a file that the page lets the reader write: its first line names it
        name, _, body = text.partition("\n")
        Path(name.removeprefix("# ")).write_text(body)
        return
    test = doctest.DocTestParser().get_doctest(text, {}, title, title, 0)
    test.globs = names
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, clear_globs=False)
    assert runner.failures == 0


def console_block(text: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {**os.environ, "COLUMNS": "80", "PATH": path, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    for part in re.split(r"^\$ ", text.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        words = shlex.split(command)
        assert words[0] in {"dpverify", "python"}, f"not run: {command}"
        if words[0] == "python":  # the kernel, at its place in the repository
            words = [sys.executable, *(str(ROOT / w) if w.startswith("dpverify/") else w for w in words[1:])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env=env)
        printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines()).strip()
        if shown.strip():
            drawn = words[:2] in (["dpverify", "audit"], ["dpverify", "reproduce"])
            assert printed == shown.strip() or (drawn and alike(printed, shown)), command


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_and_pictures(page: Path) -> None:
    """Files that a page points to exist, but for the pictures that a page's blocks draw; pictures have a text."""
    drawn = {Path(name).name for p in PAGES for name in re.findall(r"[\w-]+\.svg", p.read_text())}
    text = BLOCK.sub("", page.read_text())
    for alt, target in re.findall(r"(!?\[[^\]]*\])\(([^)\s#]+)", text):
        if "://" in target:
            continue
        assert (page.parent / target).exists() or (target.endswith(".svg") and Path(target).name in drawn), target
        if alt.startswith("!"):
            assert len(alt) > 20, f"{target} has no text for those who cannot see it"


WIDEST = 88  # characters of code that the site shows without scrolling


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_code_can_be_read_without_scrolling(page: Path) -> None:
    for _, _, language, text in BLOCK.findall(page.read_text()):
        if language == "python":
            shown = re.sub(r" *# doctest:.*", "", text)  # Sphinx leaves these out
            assert all(len(line) <= WIDEST for line in shown.splitlines() if line[:3] in {">>>", "..."}), page.name


@pytest.mark.parametrize("module", ["dpverify", "dpverify.audit", "dpverify.calibration", "dpverify.sampling"])
def test_the_reference_names_all_that_is_public(module: str) -> None:
    page = "".join(path.read_text() for path in (ROOT / "docs" / "reference" / "python").glob("*.md"))
    for name in set(importlib.import_module(module).__all__) - {"__version__"}:
        assert re.search(rf":: dpverify\.(\w+\.)*{name}$", page, re.MULTILINE), f"{module}.{name}"


def test_the_reference_has_a_page_for_each_command() -> None:
    folder = ROOT / "docs" / "reference" / "cli"
    assert {path.stem for path in folder.glob("*.md")} == set(COMMANDS)
    index = folder.with_suffix(".md").read_text()
    for name in COMMANDS:
        assert f"(cli/{name}.md)" in index and f"\ncli/{name}\n" in index
        assert f".. click:: dpverify.cli.{name}:{name}\n" in (folder / f"{name}.md").read_text()


def test_docstrings() -> None:
    import dpverify

    assert doctest.testmod(dpverify).failed == 0
