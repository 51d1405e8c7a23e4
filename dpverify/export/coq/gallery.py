"""`python -m dpverify.export.coq.gallery FILE...`: coqc on the exports of many certificates, two at a time.

Ends with status 1 where coqc rejects one. Which have no export, and why, is printed; the tests hold the list of them.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dpverify.errors import InputError
from dpverify.export.coq import export, library
from dpverify.export.coq.coqc import run_coqc


def check(path: Path) -> tuple[bool, str]:
    """Whether coqc accepts the export of a certificate, and what to print; what has no export is fine."""
    certificate, start = json.loads(path.read_bytes()), time.monotonic()
    try:
        report = run_coqc(export(certificate, alone=False))
    except InputError as error:
        return True, str(error)
    return report.accepted, f"{report.message} ({time.monotonic() - start:.0f} s)"


def main(names: list[str]) -> int:
    """Check the certificates, two at a time; the status is 1 where one fails."""
    paths = [Path(name) for name in names]
    failures = 0
    library.compiled()
    with ThreadPoolExecutor(2) as pool:
        for path, (fine, message) in zip(paths, pool.map(check, paths), strict=True):
            failures += not fine
            print(f"{'ok  ' if fine else 'FAIL'} {path.name}: {message}", flush=True)
    print(f"{len(paths)} certificates, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
