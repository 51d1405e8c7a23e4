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
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import dpverify
from dpverify import source
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load, load_section
from tools import house

ROOT = Path(dpverify.__file__).parent
KERNEL = ROOT / "kernel"

WAY = {"language", "generators", "enclosures", "asymptotics", "prover", "outcome", "results", "certificate", "kernel"}
BESIDE = {
    *{"mixtures", "symbolic", "calibration", "mahalanobis", "sampling", "audit", "theorems", "export", "gallery"},
    *("ledger", "recognition", "profiles", "composition", "pytest_plugin", "mechanisms", "reproduce"),
    *("bundle", "evidence", "schemas"),
}
ABOVE = {"show", "app", "cli", "__init__", "__main__"}

LATE = {
    "api": "a command that only checks does not load the prover",
    "cli": "a command loads what it runs",
    "app": "a command loads what it runs",
    "show": "the libraries of pictures and pages",
    **dict.fromkeys(("profiles", "composition"), "the provers are loaded when something is to be enclosed"),
    "recognition": "the libraries of floats",
    "export": "the systems that a file is written for need not be installed to write it",
    **dict.fromkeys(("audit", "theorems", "reproduce"), "NumPy, SciPy, SymPy and what runs in parallel"),
}
"""Rooms that may import within functions, and what the command line's start is spared by it."""
LATE_FILES = {
    "pytest_plugin.py": "every suite where dpverify is installed loads it",
    "__init__.py": "a public name is imported when it is first used",
    **dict.fromkeys(
        (f"enclosures/special/{name}.py" for name in ("base", "besseli", "lambert")), "pairs know the functions"
    ),
    "algebraic.py": "Arb is loaded where a number is irrational",
    "sampling/families.py": "scipy.stats takes longer to load than the rest of the room",
    "sampling/elliptical.py": "scipy.linalg is for correlated noise alone, and each worker of an audit loads the room",
    "symbolic/worker.py": "the module `resource` is not on every system",
}


@cache
def imported(path: Path) -> set[str]:
    return {each.module for each in house.imports(path)}


def test_every_room_has_its_place_in_the_house() -> None:
    rooms = set(house.lines())
    assert set(house.ORDER) == rooms, "a new room: give it a place in tools/house.py"
    assert len(house.ORDER) == len(set(house.ORDER))


@pytest.mark.slow
@pytest.mark.parametrize("here", sorted(house.lines()))
def test_every_arrow_points_down(here: str) -> None:
    row = {name: i for i, names in enumerate(house.ROWS) for name in names}
    for there, places in house.arrows()[here].items():
        assert row[there] > row[here], f"{here} may not import {there}: {places[0].file}:{places[0].line}"


@pytest.mark.slow
def test_the_rooms_have_no_circle() -> None:
    graph = house.arrows()
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_an_arrow_upwards_would_be_seen(tmp_path: Path) -> None:
    """Imports inside functions and those for types alone are arrows too."""
    root = tmp_path / "dpverify"
    root.mkdir()
    (root / "errors.py").write_text("def f():\n    from dpverify import api\n")
    (root / "api.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from dpverify.errors import E\n"
    )
    found = house.arrows(root)
    assert found["errors"]["api"][0].late and set(found["api"]) == {"errors"}
    with pytest.raises(CycleError):
        list(TopologicalSorter(found).static_order())
    assert 'stroke="#c33"' in house.svg(root)


@pytest.mark.slow
def test_what_lies_beside_and_above_the_way_is_imported_by_none_of_it() -> None:
    graph = house.arrows()
    for here in WAY:
        assert not set(graph[here]) & (BESIDE | ABOVE | {"api"}), here
    for here in WAY | BESIDE | {"api"}:
        assert not set(graph[here]) & ABOVE, here


@pytest.mark.slow
@pytest.mark.parametrize("here", sorted(set(house.lines()) - set(LATE) - {"kernel"}))
def test_imports_inside_functions_keep_the_start_fast(here: str) -> None:
    paths = [path for path in ROOT.rglob("*.py") if house.room(path) == here]
    late = {str(path.relative_to(ROOT)) for path in paths if any(each.late for each in house.imports(path))}
    assert late <= set(LATE_FILES), "import at the top, or say in LATE what the command line's start is spared"


def test_the_picture_shows_every_room() -> None:
    picture = (ROOT.parent / "tools" / "house.svg").read_text()
    for name in house.lines():
        assert f">{house.label(name)}<" in picture, f"{name}: run `make house`"


@pytest.mark.slow
def test_symbolic_algebra_stays_in_the_child_process() -> None:
    """SymPy reads no text, and a process that states an epsilon never loads it."""
    inside = {path.stem for path in (ROOT / "symbolic").glob("*.py") if "sympy" in imported(path)}
    for path in ROOT.rglob("*.py"):
        if house.room(path) == "symbolic":
            reached = {name.split(".")[2] for name in imported(path) if name.startswith("dpverify.symbolic.")}
            assert path.stem in inside or not reached & inside, path
        elif house.room(path) != "theorems":
            assert "sympy" not in imported(path), path


@pytest.mark.sampled(stay=21)
@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda p: str(p.relative_to(KERNEL)))
def test_the_kernel_imports_the_standard_library_and_itself_only(path: Path) -> None:
    names = {name.split(".")[0] for name in imported(path)}
    assert names <= set(sys.stdlib_module_names) | {"__future__"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level <= len(path.relative_to(KERNEL).parts), f"{path}: leaves the kernel's folder"


@pytest.mark.slow
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
    load_section("older")  # which looks at what is no list of today
    before = set(sys.modules)
    for name in ("os", "..charts", "waves.os", "", "Waves", "core.x"):
        with pytest.raises(Rejected):
            load({"core": ["K1"], name: ["K2"]}, {}, {})
    assert set(sys.modules) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        *(["--help"], ["verify", "--help"], ["audit", "--help"], ["families"]),
        *(["check", "certificates/laplace-d3.json"], ["check", "--rules", "certificates/laplace-d3.json"]),
        ["check", "--about"],
    ],
)
def test_the_command_line_starts_without_heavy_libraries(arguments: list[str]) -> None:
    heavy = "flint sympy numpy scipy joblib pyarrow matplotlib rich jsonschema"
    code = (
        "import sys, dpverify.cli.app as app\n"
        "try: app.main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"sys.exit(any(name in sys.modules for name in {heavy.split()!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


GALLERY = [str(path) for path in sorted((ROOT.parent / "certificates").glob("*.json"))]


def of_every_section() -> list[str]:
    """Certificates, small ones first, that together load each section which the gallery loads."""
    loaded: set[str] = set()
    found = []
    for path in sorted(GALLERY, key=lambda path: Path(path).stat().st_size):
        new = set(json.loads(Path(path).read_bytes())["rules"]) - loaded
        if new:
            found.append(path)
            loaded |= new
    return found


def alone(kernel: Path, *files: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The kernel as a stranger runs it: no site packages, no environment, nothing on the path."""
    command = [sys.executable, "-I", "-S", str(kernel), *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("name", ["kernel", "checker", "k 2"])
def test_the_kernel_runs_alone_wherever_its_folder_is_copied(name: str, tmp_path: Path) -> None:
    copied = tmp_path / name
    files = GALLERY if name == "kernel" else of_every_section()
    shutil.copytree(KERNEL, copied, ignore=shutil.ignore_patterns("__pycache__"))
    done = alone(copied, *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": proved ") == len(files)


@pytest.mark.slow
def test_the_kernel_runs_from_within_its_own_folder_and_from_a_relative_place(tmp_path: Path) -> None:
    shutil.copytree(KERNEL, tmp_path / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    for place, folder in ((tmp_path, "kernel"), (tmp_path, "./kernel/"), (tmp_path / "kernel", "../kernel")):
        done = alone(Path(folder), GALLERY[0], cwd=place)
        assert done.returncode == 0, (folder, done.stderr)


@pytest.mark.slow
def test_the_packed_kernel_is_the_one_that_check_speaks_of(tmp_path: Path) -> None:
    packed = tmp_path / "dpverify-kernel.pyz"
    done = subprocess.run(
        [sys.executable, "-S", "-m", "dpverify.source", str(packed)], cwd=ROOT.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    files = of_every_section()
    done = alone(packed, *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": proved ") == len(files)
    told = subprocess.run(
        [sys.executable, "-m", "dpverify", "check", "--about", "--json"], capture_output=True, text=True, check=True
    )
    about = json.loads(told.stdout)["kernel"]
    assert hashlib.sha256(packed.read_bytes()).hexdigest() == about["digest"]
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist() == ["__main__.py", *(f"kernel/{name}" for name in source.files())]
        texts = [archive.read(name).decode() for name in archive.namelist()[1:]]
    assert sum(len(text.splitlines()) for text in texts) == about["lines"]["in all"]


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_packed_kernel_refuses_as_the_folder_does(tmp_path: Path) -> None:
    packed, forged = tmp_path / "k.pyz", tmp_path / "forged.json"
    packed.write_bytes(source.packed())
    forged.write_text(Path(GALLERY[0]).read_text().replace('"dimension": ', '"dimension": 1'))
    for kernel in (packed, KERNEL):
        assert alone(kernel, str(forged)).returncode == 1
        assert alone(kernel, "/nonexistent.json").returncode == 2
        assert alone(kernel).returncode == 2


@pytest.mark.slow
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


@pytest.mark.slow
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
