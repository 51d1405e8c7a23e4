"""The static folder: the page, Python for the browser, Arb, dpverify and the packed kernel, all that it needs.

Python for the browser (Pyodide) comes from npm, Arb (python-flint) from PyPI, by their ordinary clients, each at one
version whose digest is written here: other bytes are refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from dpverify import source
from dpverify.classroom import notebooks, pages
from dpverify.errors import InputError

LARGEST = 40 * 2**20
TIME = (1980, 1, 1, 0, 0, 0)
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LEFT_OUT = {"audit", "cli", "export", "gallery", "mechanisms", "recognition", "sampling", "theorems"}
"""Rooms that the page has no use for."""
PACKAGE, FORMULAS = Path(__file__).parents[1], "latex2mathml"
SECONDS = 300


@dataclass(frozen=True, slots=True)
class Download:
    """A file of a registry, at one version, by the SHA-256 of its bytes."""

    file: str
    digest: str
    command: tuple[str, ...]
    client: str


PYODIDE = Download(
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    ("npm", "pack", "--silent", "pyodide@314.0.7"),
    "npm",
)
FLINT = Download(
    "python_flint-0.9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3",
    (
        *(
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--dest",
            ".",
        ),
        *("--only-binary=:all:", "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"),
        *("--implementation", "cp", "python-flint==0.9.0"),
    ),
    "pip",
)


def store() -> Path:
    """Where downloads are kept, for this user: $XDG_CACHE_HOME/dpverify."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpverify" / "classroom"


def fetched(what: Download, cache: Path) -> bytes:
    """The file's bytes, from the cache or its registry; raises InputError where it cannot be had, or is another."""
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / what.file
    if not file.exists():
        if what.client == "npm" and shutil.which("npm") is None:
            raise InputError("the classroom is built with npm, which is not installed")
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            try:
                subprocess.run(what.command, cwd=folder, check=True, capture_output=True, timeout=SECONDS)
                (Path(folder) / what.file).replace(file)
            except (subprocess.SubprocessError, OSError):
                raise InputError(f"{what.file} cannot be downloaded with {what.client}; is there a network?") from None
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != what.digest:
        raise InputError(f"{file}: not the bytes that are expected; remove it, and it is downloaded again")
    return data


def build(folder: Path, cache: Path, docs: str = "") -> int:
    """Write the static folder; returns its size in bytes.

    `docs` is where the documentation lies, seen from the page, "" for nowhere. Raises InputError where a download
    fails, where latex2mathml is missing, and where the folder has something else in it.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "flint.json").exists():
        raise InputError(f"{folder}: the folder has something else in it")
    if find_spec(FORMULAS) is None:
        raise InputError("the classroom is built with latex2mathml: pip install 'dpverify[report]'")
    runtime, flint = fetched(PYODIDE, cache), fetched(FLINT, cache)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pyodide").mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(runtime)) as packed:
        for name in RUNTIME:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            (folder / "pyodide" / name).write_bytes(member.read())
    (folder / FLINT.file).write_bytes(flint)
    (folder / "flint.json").write_text(json.dumps({"wheel": FLINT.file}))
    (folder / "kernel.pyz").write_bytes(source.packed())
    (folder / "dpverify.zip").write_bytes(_packed())
    written = notebooks.write(folder / "notebooks")
    for path in (*(pages.PAGE / name for name in pages.FILES), pages.FONT):
        shutil.copy(path, folder)
    (folder / "index.html").write_text(pages.index(docs, tuple(path.name for path in written)))
    (folder / "service.js").write_text(pages.service())
    _stamp(folder)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _stamp(folder: Path) -> None:
    """Write the digest of all files into the two that name it: browsers keep the files, and a worker, by it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    for name in ("index.html", "service.js"):
        path = folder / name
        path.write_text(path.read_text().replace(pages.BUILD, digest.hexdigest()[:16]))


def _packed() -> bytes:
    """What the page's Python imports, as one zip: the same bytes each time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in _modules():
            archive.writestr(zipfile.ZipInfo(name, TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)
        told = f"Metadata-Version: 2.1\nName: {FORMULAS}\nVersion: {version(FORMULAS)}\n"  # which it asks for
        archive.writestr(zipfile.ZipInfo(f"{FORMULAS}-{version(FORMULAS)}.dist-info/METADATA", TIME), told)
    return data.getvalue()


def _modules() -> Iterator[tuple[str, Path]]:
    spec = find_spec(FORMULAS)
    assert spec is not None and spec.origin is not None
    for root, kinds in ((PACKAGE, {".py"}), (Path(spec.origin).parent, {".py", ".txt"})):
        for path in sorted(root.rglob("*")):
            place = path.relative_to(root)
            if path.suffix in kinds and place.parts[0] not in LEFT_OUT:
                yield f"{root.name}/{place.as_posix()}", path
