"""The bundle's own door: `python -I -S BUNDLE.zip` checks the very file with what lies in it, and nothing else."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from .archive import unpacked
from .bundle import KERNEL, Checked, check
from .refusal import Refusal, require


def main(path: str) -> int:
    """0 where the bundle holds, 1 where it does not, 2 where it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        print(f"{path}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    try:
        with carried_kernel(data) as kernel:
            found = check(data, kernel)
    except Refusal as refusal:
        print(f"{path}: does not hold: {refusal}", file=sys.stderr)
        return 1
    for line in told(found):
        print(line.encode("ascii", "backslashreplace").decode())
    print("Checked by the program in the bundle itself: compare the kernel's digest with one that you trust.")
    return 0


def told(found: Checked) -> list[str]:
    """What was found, in lines."""
    rows = [*found.lines, ("kernel", f"sha256 {found.kernel}"), ("bundle", f"sha256 {found.sha256}")]
    return ["The bundle holds.", *(f"  {label:<12} {' '.join(text.split())}" for label, text in rows)]


@contextmanager
def carried_kernel(data: bytes) -> Iterator[Any]:
    """The function `check_bytes` of the kernel in the bundle, which is written to a file to be imported."""
    files = unpacked(data)
    require(KERNEL in files, f"{KERNEL} is missing")
    with tempfile.TemporaryDirectory(prefix="dpverify-") as folder:
        path = Path(folder) / KERNEL
        path.write_bytes(files[KERNEL])
        sys.path.insert(0, str(path))
        yield import_module("kernel.certificate").check_bytes


def run() -> None:
    """Check the zip that Python was given to run."""
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else sys.argv[0]))
