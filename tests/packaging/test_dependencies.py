"""Every package that the code imports is declared where it is needed, and what is declared is needed."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if not (ROOT / "pyproject.toml").exists():
    pytest.skip("needs the repository", allow_module_level=True)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = {"dpverify", "tests", "soundness", "benchmarks", "proofs", "tools"}
IMPORTED_AS = {
    "markdown-it-py": "markdown_it",
    "jax-privacy": "jax_privacy",
    "python-flint": "flint",
    "py-rattler-build": "rattler_build",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
}
EXTRA_OF_ROOM = {
    "app": "app",
    "audit": "audit",
    "export": "systems",
    "recognition": "audit",
    "sampling": "audit",
    "mechanisms": "audit",
    "reproduce": "audit",
    "show": "pdf",
    "symbolic": "symbolic",
    "theorems": "theorems",
}
"""The extra that a room of the package needs; the other rooms have the package's own dependencies."""
EXTRAS_OF_FOLDER = {
    "tests": ("dev", "all", "app", "peers"),
    "soundness": ("dev", "all", "app"),
    "benchmarks": ("dev", "all", "peers"),
    "proofs": ("dev", "all"),
    "docs": ("docs",),
}
TOOLS = {
    *("build", "furo", "hatchling", "mypy", "myst_parser", "pytest_xdist", "ruff", "sphinx", "sphinx_click"),
    *("sklearn", "sphinx_copybutton", "types_jsonschema"),
}
"""Run or loaded by name, and imported nowhere."""
NAMED = re.compile(r'importorskip\("(\w+)')


def module(requirement: str) -> str:
    """The module that a requirement such as `scikit-learn<1.9` installs."""
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return IMPORTED_AS.get(name[0], name[0].replace("-", "_"))


def declared(*extras: str) -> set[str]:
    """The modules of the package's dependencies and of some extras, and of the extras that these include."""
    found = {module(requirement) for requirement in PROJECT["dependencies"]}
    for extra in extras:
        for requirement in PROJECT["optional-dependencies"][extra]:
            inner = re.fullmatch(r"dpverify\[([\w,]+)\]", requirement)
            found |= declared(*inner[1].split(",")) if inner else {module(requirement)}
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """The packages that a file imports, at its head or within, by their names."""
    text, found = path.read_text(), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        for name in names:
            found.add(name.split(".")[0].removeprefix("_" if name.startswith("_pytest") else ""))
    return frozenset(found | set(NAMED.findall(text)))


def allowed(path: Path) -> set[str]:
    top, *rest = path.relative_to(ROOT).parts
    if top in EXTRAS_OF_FOLDER:
        return declared(*EXTRAS_OF_FOLDER[top])
    if path.name == "hatch_build.py":
        return declared() | {"hatchling"}
    extra = EXTRA_OF_ROOM.get(rest[0].removesuffix(".py"))
    return declared(*([extra] if extra else []))


OF_THE_EXTENSIONS = {"docs": {path.stem for path in (ROOT / "docs" / "_ext").glob("*.py")}}
FILES = [
    path
    for top in ("dpverify", "tests", "soundness", "benchmarks", "proofs", "docs")
    for path in sorted((ROOT / top).rglob("*.py"))
] + [ROOT / "hatch_build.py"]
LATE = {
    ("dpverify/cli/audit.py", "numpy"),
    ("dpverify/cli/audited.py", "numpy"),
    ("dpverify/audit/tables.py", "pyarrow"),
    ("benchmarks/sampling.py", "tmlt"),
    ("dpverify/pytest_plugin.py", "pytest"),
}
"""Imported by a command once the extra is known to be there; or a peer that is compared where somebody has it;
or loaded by the very program that it imports."""


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted({str(path.parent.relative_to(ROOT)) for path in FILES}))
def test_what_a_file_imports_is_declared(folder: str) -> None:
    for path in (path for path in FILES if path.parent == ROOT / folder):
        name = str(path.relative_to(ROOT))
        foreign = {x for x in imported(path) if x not in sys.stdlib_module_names and x not in OURS}
        foreign -= OF_THE_EXTENSIONS.get(name.split("/")[0], set())
        assert {x for x in foreign if (name, x) not in LATE} <= allowed(path), name


def test_an_undeclared_import_would_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("def f():\n    import requests.adapters\n    from six.moves import x\nfrom . import y\n")
    assert set(imported(file)) == {"requests", "six"}
    assert "uvicorn" not in allowed(ROOT / "dpverify" / "prover" / "x.py")
    assert "uvicorn" in allowed(ROOT / "dpverify" / "app" / "x.py")


@pytest.mark.slow
@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_what_is_declared_is_used(extra: str) -> None:
    used = {name for path in FILES for name in imported(path)}
    wanted = {module(x) for x in PROJECT["optional-dependencies"][extra] if not x.startswith("dpverify[")}
    assert wanted <= used | TOOLS


def test_the_package_alone_needs_little() -> None:
    assert declared() == {"click", "flint", "rich"}


def test_peers_are_asked_for_by_nothing_else() -> None:
    peers = {module(x) for x in PROJECT["optional-dependencies"]["peers"]} - {"sklearn"}
    for extra in set(PROJECT["optional-dependencies"]) - {"peers"}:
        assert not declared(extra) & peers, extra
