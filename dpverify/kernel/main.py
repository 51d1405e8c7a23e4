"""The checker's command line: one line for each file, and one for each assumption."""

from __future__ import annotations

import gc
import os
import sys

from .certificate import MAX_BYTES, check_bytes
from .rules import Rejected, Unreadable


def main(paths: list[str]) -> int:
    """0 where every file holds, 1 where one is rejected, 2 where one cannot be read."""
    if not paths:
        print("usage: python kernel CERTIFICATE.json ...", file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        try:
            checked = check_bytes(content(path))
        except Unreadable as error:
            worst = 2
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
        except Rejected as error:
            worst = max(worst, 1)
            print(f"{path}: rejected: {error} [{error.code}]", file=sys.stderr)
        else:
            print(f"{path}: proved {checked}")
            for assumption in checked.assumptions:
                print(f"{path}: assuming {assumption}")
    return worst


def content(path: str) -> bytes:
    """The bytes of a file, no more than a certificate may have."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"{error.strerror}") from None


def run() -> None:
    gc.disable()  # a replay leaves next to no cycles, and its process ends with it
    try:
        status = main(sys.argv[1:])
        print(end="", flush=True)
    except OSError as error:
        status = 2
        print(f"what was found cannot be written: {error.strerror}", file=sys.stderr)
    os._exit(status)  # at once: what is left in memory is not taken apart
