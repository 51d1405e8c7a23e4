"""`python -m dpverify.export.coq.gallery FILE...`: coqc on the exports of many certificates, two at a time.

What they rest on is asked of all together, since one such question takes longer than most of the proofs. Ends with
status 1 where coqc rejects one, or where they rest on other axioms than they may. Which have no export, and why, is
printed; the tests hold the list of them.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from dpverify.errors import InputError
from dpverify.export.coq import export, library
from dpverify.export.coq.coqc import report


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of an export: whether that is fine, what to print, and its module where coqc accepts it."""

    fine: bool
    message: str
    module: str | None = None


def compiled(path: Path, folder: Path, module: str) -> Compiled:
    """The export of a certificate as a compiled module in the folder; what has no export is fine."""
    certificate, start = json.loads(path.read_bytes()), time.monotonic()
    try:
        (folder / f"{module}.v").write_text(export(certificate, alone=False))
        done = library.run(folder, f"{module}.v", None, "-R", str(library.compiled()), "Dpverify")
    except InputError as error:
        return Compiled(True, str(error))
    if done.returncode:
        return Compiled(False, "coqc rejects the export: " + " ".join(done.stderr.split())[:300])
    return Compiled(True, f"accepted by coqc ({time.monotonic() - start:.0f} s)", module)


def axioms(folder: Path, modules: list[str]) -> Compiled:
    """What the theorems of the modules rest on, all together."""
    theorems = ", ".join(f"{module}.certificate" for module in modules)
    question = f"Require {' '.join(modules)}.\nDefinition all := ({theorems}, tt).\nPrint Assumptions all.\n"
    (folder / "Axioms.v").write_text(question)
    done = library.run(folder, "Axioms.v", None, "-R", str(library.compiled()), "Dpverify")
    found = report(done.stdout)
    return Compiled(found.accepted, "no axioms but the permitted ones" if found.accepted else found.message)


def main(names: list[str]) -> int:
    """Check the certificates, two at a time; the status is 1 where one fails."""
    paths, found = [Path(name) for name in names], list[Compiled]()
    library.compiled()
    with tempfile.TemporaryDirectory(prefix="dpverify-coq-") as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        modules = [f"Certificate_{k}" for k in range(len(paths))]
        for path, one in zip(paths, pool.map(lambda p, m: compiled(p, folder, m), paths, modules), strict=True):
            found.append(one)
            print(f"{'ok  ' if one.fine else 'FAIL'} {path.name}: {one.message}", flush=True)
        accepted = [one.module for one in found if one.module is not None]
        if accepted:
            found.append(axioms(folder, accepted))
            print(f"{'ok  ' if found[-1].fine else 'FAIL'} all {len(accepted)}: {found[-1].message}")
    failures = sum(not one.fine for one in found)
    print(f"{len(paths)} certificates, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
