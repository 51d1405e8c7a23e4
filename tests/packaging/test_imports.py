"""The direction of imports, what the kernel may import, and what a cold start may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dpverify

ROOT = Path(dpverify.__file__).parent
MAY_IMPORT = {
    "errors": set(),
    "language": {"errors"},
    "generators": {"language", "errors"},
    "enclosures": {"language", "errors"},
    "asymptotics": {"enclosures"},
    "deadline": set(),
    "integration": set(),
    "results": {"generators", "language", "errors", "certificate", "report"},
    "prover": {"generators", "enclosures", "asymptotics", "language", "errors", "results", "certificate"},
    "certificate": {"results", "errors", "prover", "api", "__init__"},
    "report": {"results", "generators", "enclosures", "prover", "symbolic", "errors"},
    "symbolic": {
        *{"prover", "generators", "enclosures", "language", "errors", "results", "certificate", "kernel", "__init__"},
        "report",
    },
    "mixtures": {"generators", "enclosures", "asymptotics", "language", "errors", "results", "prover", "integration"},
    "api": {
        *{"deadline", "prover", "mixtures", "symbolic", "generators", "language", "errors", "results"},
        *{"certificate", "kernel", "report"},
    },
    "mahalanobis": {"language", "errors"},
    "calibration": {
        *{"api", "generators", "language", "errors", "results", "certificate", "report"},
        *{"prover", "enclosures", "asymptotics", "integration"},
    },
    "noise": {"generators", "language", "errors"},
    "audit": {"noise", "generators", "language", "errors", "api", "certificate", "report"},
    "export": {"enclosures", "language", "errors"},
    "review": {
        *{"api", "generators", "enclosures", "prover", "language", "errors", "results", "report", "calibration"},
    },
    "app": {"api", "certificate", "errors", "generators", "language", "report", "review"},
    "theorems": {"api", "enclosures", "errors"},
    "kernel": set(),
    "__init__": {"api", "errors", "generators", "results", "calibration", "mahalanobis", "mixtures"},
    "cli": {
        *{"api", "errors", "generators", "language", "report", "results", "calibration", "mahalanobis"},
        *{"mixtures", "noise", "audit", "export", "theorems", "review", "app", "__init__"},
    },
    "__main__": {"cli"},
}
LEAVES = {"cli", "review", "export", "noise", "audit", "theorems", "app", "calibration", "mahalanobis"}


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0]


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            if node.module == "dpverify":
                found |= {
                    f"dpverify.{alias.name}"
                    for alias in node.names
                    if (ROOT / f"{alias.name}.py").exists() or (ROOT / alias.name).is_dir()
                }
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_follow_the_arrows(path: Path) -> None:
    here = room(path)
    for name in imported(path):
        if name == "dpverify" or not name.startswith("dpverify."):
            continue
        there = name.split(".")[1]
        assert here in MAY_IMPORT, f"{here} is a new room: say above what it may import"
        assert there == here or there in MAY_IMPORT[here], f"{here} may not import {there}"


def test_what_lies_beside_the_way_is_imported_by_none_of_it() -> None:
    way = {"language", "generators", "enclosures", "asymptotics", "prover", "certificate", "results", "kernel"}
    for here in way:
        assert not MAY_IMPORT[here] & LEAVES, here


def test_symbolic_algebra_stays_in_the_child_process() -> None:
    """SymPy reads no text, and a process that states an epsilon never loads it."""
    inside = {path.stem for path in (ROOT / "symbolic").glob("*.py") if "sympy" in imported(path)}
    for path in ROOT.rglob("*.py"):
        if room(path) == "symbolic":
            reached = {name.split(".")[2] for name in imported(path) if name.startswith("dpverify.symbolic.")}
            assert path.stem in inside or not reached & inside, path
        elif room(path) != "theorems":
            assert "sympy" not in imported(path), path


def test_the_kernel_imports_the_standard_library_only() -> None:
    names = {name.split(".")[0] for name in imported(ROOT / "kernel.py")}
    assert names <= set(sys.stdlib_module_names) | {"__future__"}
    assert "dpverify" not in names


def test_no_outside_text_is_ever_evaluated() -> None:
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec", "compile", "__import__", "sympify", "parse_expr"}, path


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["verify", "--help"], ["audit", "--help"], ["families"], ["check", "certificates/laplace-d3.json"]],
)
def test_the_command_line_starts_without_heavy_libraries(arguments: list[str]) -> None:
    heavy = "flint sympy numpy scipy sklearn joblib pyarrow matplotlib rich jsonschema"
    code = (
        "import sys, dpverify.cli.app as app\n"
        "try: app.main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"sys.exit(any(name in sys.modules for name in {heavy.split()!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_kernel_runs_alone(tmp_path: Path) -> None:
    alone = tmp_path / "kernel.py"
    alone.write_bytes((ROOT / "kernel.py").read_bytes())
    gallery = ROOT.parent / "certificates"
    files = [str(gallery / name) for name in ("student-t-nu3-d2.json", "gaussian-d1.json")]
    done = subprocess.run([sys.executable, "-I", str(alone), *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("proved") == 2
