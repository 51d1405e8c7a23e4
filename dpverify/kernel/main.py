"""The checker's command line: one line for each file, and one for each assumption."""

from __future__ import annotations

import gc
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
            with open(path, "rb") as file:
                checked = check_bytes(file.read(MAX_BYTES + 1))
            print(f"{path}: proved {checked}")
            for assumption in checked.assumptions:
                print(f"{path}: assuming {assumption}")
        except (OSError, Unreadable) as error:
            worst = 2
            reason = getattr(error, "strerror", None) or error
            print(f"{path}: cannot be read: {reason}", file=sys.stderr)
        except Rejected as error:
            worst = max(worst, 1)
            print(f"{path}: rejected: {error} [{error.code}]", file=sys.stderr)
    return worst


def run() -> None:
    gc.disable()  # a replay leaves next to no cycles, and its process ends with it
    sys.exit(main(sys.argv[1:]))
