"""The direction of imports, what the kernel may import, and what a cold start may load."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dpverify
from dpverify import source
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load

ROOT = Path(dpverify.__file__).parent
KERNEL = ROOT / "kernel"
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
    "certificate": {"results", "errors", "prover", "api", "kernel", "__init__"},
    "report": {"results", "generators", "enclosures", "prover", "symbolic", "errors", "source"},
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
    "sampling": {"generators", "language", "errors"},
    "audit": {"sampling", "generators", "language", "errors", "api", "certificate", "report"},
    "export": {"enclosures", "language", "errors"},
    "review": {
        *{"api", "generators", "enclosures", "prover", "language", "errors", "results", "report", "calibration"},
        "source",
    },
    "app": {"api", "certificate", "errors", "generators", "language", "report", "review"},
    "theorems": {"api", "enclosures", "errors"},
    "profiles": {
        *{"prover", "mixtures", "enclosures", "generators", "language", "errors", "results", "certificate", "kernel"},
        *{"integration", "__init__", "api"},
    },
    "composition": {"api", "certificate", "enclosures", "errors", "kernel", "language", "profiles", "__init__"},
    "kernel": set(),
    "source": set(),
    "__init__": {
        *{"api", "errors", "generators", "results", "calibration", "mahalanobis", "mixtures"},
        *{"profiles", "composition"},
    },
    "cli": {
        *{"api", "errors", "generators", "language", "report", "results", "calibration", "mahalanobis"},
        *{"mixtures", "sampling", "audit", "export", "theorems", "review", "app", "certificate", "source", "__init__"},
        *{"kernel", "profiles", "composition"},
    },
    "__main__": {"cli"},
}
LEAVES = {"cli", "review", "export", "sampling", "audit", "theorems", "app", "calibration", "mahalanobis"}


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0]


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level and room(path) == "kernel":  # a folder that is to run wherever it is copied
                continue
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


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda p: str(p.relative_to(KERNEL)))
def test_the_kernel_imports_the_standard_library_and_itself_only(path: Path) -> None:
    names = {name.split(".")[0] for name in imported(path)}
    assert names <= set(sys.stdlib_module_names) | {"__future__"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level <= len(path.relative_to(KERNEL).parts), f"{path}: leaves the kernel's folder"


def test_no_outside_text_is_ever_evaluated() -> None:
    forbidden = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr"}
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forbidden:
                found.add((str(path.relative_to(ROOT)), node.func.id))
    # The kernel's own folder, by whatever name it was copied, and its own sections, which are listed.
    assert found <= {("kernel/__main__.py", "__import__"), ("kernel/certificate.py", "__import__")}


def test_sections_that_the_kernel_does_not_have_are_never_imported() -> None:
    before = set(sys.modules)
    for name in ("os", "..charts", "waves.os", "", "Waves", "core.x"):
        with pytest.raises(Rejected):
            load({"core": ["K1"], name: ["K2"]})
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--help"], ["verify", "--help"], ["audit", "--help"], ["families"]),
        *(["check", "certificates/laplace-d3.json"], ["check", "--rules", "certificates/laplace-d3.json"]),
        ["check", "--about"],
    ],
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


GALLERY = [str(path) for path in sorted((ROOT.parent / "certificates").glob("*.json"))]


def alone(kernel: Path, *files: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The kernel as a stranger runs it: no site packages, no environment, nothing on the path."""
    command = [sys.executable, "-I", "-S", str(kernel), *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize("name", ["kernel", "checker", "k 2"])
def test_the_kernel_runs_alone_wherever_its_folder_is_copied(name: str, tmp_path: Path) -> None:
    copied = tmp_path / name
    shutil.copytree(KERNEL, copied, ignore=shutil.ignore_patterns("__pycache__"))
    done = alone(copied, *GALLERY)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": proved ") == len(GALLERY)


def test_the_kernel_runs_from_within_its_own_folder_and_from_a_relative_place(tmp_path: Path) -> None:
    shutil.copytree(KERNEL, tmp_path / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    for place, folder in ((tmp_path, "kernel"), (tmp_path, "./kernel/"), (tmp_path / "kernel", "../kernel")):
        done = alone(Path(folder), GALLERY[0], cwd=place)
        assert done.returncode == 0, (folder, done.stderr)


def test_the_packed_kernel_is_the_one_that_check_speaks_of(tmp_path: Path) -> None:
    packed = tmp_path / "dpverify-kernel.pyz"
    done = subprocess.run(
        [sys.executable, "-S", "-m", "dpverify.source", str(packed)], cwd=ROOT.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    done = alone(packed, *GALLERY)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": proved ") == len(GALLERY)
    told = subprocess.run(
        [sys.executable, "-m", "dpverify", "check", "--about", "--json"], capture_output=True, text=True, check=True
    )
    about = json.loads(told.stdout)["kernel"]
    assert hashlib.sha256(packed.read_bytes()).hexdigest() == about["digest"]
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist() == ["__main__.py", *(f"kernel/{name}" for name in source.files())]
        texts = [archive.read(name).decode() for name in archive.namelist()[1:]]
    assert sum(len(text.splitlines()) for text in texts) == about["lines"]["in all"]


def test_the_packed_kernel_has_the_same_bytes_whenever_and_wherever_it_is_packed(tmp_path: Path) -> None:
    packed = []
    for place in ("one", "two"):
        folder = tmp_path / place / "dpverify"
        folder.mkdir(parents=True)
        shutil.copytree(KERNEL, folder / "kernel")
        shutil.copy(ROOT / "source.py", folder)
        os.utime(folder / "kernel" / "rules.py", (10**9, 10**9))
        (folder / "kernel" / "rules.py").chmod(0o600)
        target = tmp_path / f"{place}.pyz"
        subprocess.run([sys.executable, "-I", str(folder / "source.py"), str(target)], check=True, capture_output=True)
        packed.append(target.read_bytes())
    assert packed[0] == packed[1] == source.packed()


def test_the_packed_kernel_refuses_as_the_folder_does(tmp_path: Path) -> None:
    packed, forged = tmp_path / "k.pyz", tmp_path / "forged.json"
    packed.write_bytes(source.packed())
    forged.write_text(Path(GALLERY[0]).read_text().replace('"dimension": ', '"dimension": 1'))
    for kernel in (packed, KERNEL):
        assert alone(kernel, str(forged)).returncode == 1
        assert alone(kernel, "/nonexistent.json").returncode == 2
        assert alone(kernel).returncode == 2


def test_every_rule_of_the_kernel_is_found_in_its_text() -> None:
    from dpverify import kernel
    from dpverify.kernel import certificate
    from dpverify.kernel.rules import section_of

    for section in kernel.SECTIONS:
        certificate.load_section(section)
    assert set(source.rules()) == set(kernel.RULES)
    for number, rule in source.rules().items():
        assert rule.section == section_of(number)
        text = source.files()[rule.file].decode().splitlines()[rule.first - 1 : rule.last]
        assert f'@rule("{number}")' in text[0]
        assert rule.title.split()[0] in " ".join(text)


def test_the_wheel_carries_the_packed_kernel(tmp_path: Path) -> None:
    pytest.importorskip("build")
    root = ROOT.parent
    if not (root / "hatch_build.py").exists():
        pytest.skip("needs the repository")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("data/share/dpverify/dpverify-kernel.pyz"))
        assert archive.read(name) == source.packed()
