"""`python -m dpverify.export.coq.gallery FILE...`: coqc on the exports of many certificates, two at a time.

Ends with status 1 where coqc rejects one, or where one has no export that rests on no assumption and is not named here.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dpverify.errors import InputError
from dpverify.export.coq import library
from dpverify.export.coq.certificate import export
from dpverify.export.coq.coqc import run_coqc

WITHOUT_EXPORT = {
    "logarithmic-factor": "gamma",
    "rising-at-a-jump": "pieces that rise",
    "rising-somewhere": "pieces that rise",
    "saw": "steps without end",
    "second-ways": "waves in the tail",
    "stairs": "steps without end",
    "stairs-that-rise": "pieces that rise",
    "touching-zero": "pieces, not private",
    "touching-zeros-for-ever": "zeros of a wave",
    "undefined-branch": "a text without a value",
    "undefined-division": "a text without a value",
    "undefined-logarithm": "a text without a value",
    "waves-that-fall": "waves in the tail",
    "zero-beyond-a-ball": "pieces, not private",
}
"""What the library does not reach yet, by the gallery's names."""


def check(path: Path) -> tuple[bool, str]:
    certificate, start = json.loads(path.read_bytes()), time.monotonic()
    try:
        report = run_coqc(export(certificate, alone=False))
    except InputError as error:
        return bool(certificate["assumptions"]) or path.stem in WITHOUT_EXPORT, str(error)
    return report.accepted, f"{report.message} ({time.monotonic() - start:.0f} s)"


def main(names: list[str]) -> int:
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
