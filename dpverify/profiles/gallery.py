"""The gallery of profiles: for each rule of the kernel that profiles bring a certificate that uses it.

`python -m dpverify.profiles.gallery DIRECTORY` writes it, the same bytes each time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ENTRIES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("gaussian-d1", "gaussian", {"epsilon": "1"}),
    ("gaussian-d3", "gaussian", {"epsilon": "1", "dimension": 3}),
    ("gaussian-quantile", "gaussian", {"delta": "1e-5"}),
    ("laplace-d1", "laplace", {"epsilon": ("1/2", "1")}),
    ("laplace-d2", "laplace", {"epsilon": "1/2", "dimension": 2}),
    ("student-t-nu3-d3", "student_t", {"epsilon": "1", "dimension": 3, "parameters": {"nu": "3"}}),
    ("jump", "Piecewise((1, r < 1), (exp(-r), True))", {"epsilon": "1/2", "dimension": 3}),
)
"""File name, generator or family, and further arguments of `profile`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    from dpverify.profiles import profile
    from dpverify.serialise import serialise

    for name, text, arguments in ENTRIES:
        found = profile(text, certificate=True, **arguments)
        if found.certificate is None:
            raise SystemExit(f"{name}: {found.reason}")
        yield f"{name}.json", serialise(found.certificate)


def main(directory: str) -> None:
    """Write the gallery; the same bytes each time."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in certificates():
        (folder / name).write_bytes(data)
        print(f"{folder / name}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "certificates/profiles")
