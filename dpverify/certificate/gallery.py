"""The certificates of the papers' examples: `python -m dpverify.certificate.gallery DIRECTORY`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ENTRIES: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("laplace-d1", "laplace", 1, {}),
    ("laplace-d3", "laplace", 3, {}),
    ("laplace-d3-scaled", "laplace", 3, {"sensitivity": "3/2", "scale": "5/4"}),
    ("student-t-nu1-d1", "student_t", 1, {"nu": "1"}),
    ("student-t-nu1-d2", "student_t", 2, {"nu": "1"}),
    ("student-t-nu1-d10", "student_t", 10, {"nu": "1"}),
    ("student-t-nu3-d1", "student_t", 1, {"nu": "3"}),
    ("student-t-nu3-d2", "student_t", 2, {"nu": "3"}),
    ("student-t-nu3-d10", "student_t", 10, {"nu": "3"}),
    ("student-t-nu5-d1", "student_t", 1, {"nu": "5"}),
    ("student-t-nu5-d2", "student_t", 2, {"nu": "5"}),
    ("student-t-nu5-d10", "student_t", 10, {"nu": "5"}),
    ("student-t-nu5-d10000", "student_t", 10000, {"nu": "5"}),
    ("gaussian-d1", "gaussian", 1, {}),
    ("gaussian-d2", "gaussian", 2, {}),
    ("multivariate-laplace-d1", "multivariate_laplace", 1, {}),
    ("multivariate-laplace-d2", "multivariate_laplace", 2, {}),
    ("multivariate-laplace-d3", "multivariate_laplace", 3, {}),
    ("hyperbolic", "hyperbolic", 1, {}),
    ("pearson-like", "(1+sqrt(y))**(-7)", 2, {}),
    ("sech", "sech", 1, {}),
    ("stretched-quarter", "exp(-y**(1/4))", 1, {}),
    ("stretched-three-quarters", "exp(-y**(3/4))", 1, {}),
    ("gaussian-plus-laplace", "exp(-y)+exp(-sqrt(y))", 1, {}),
    ("algebraic-not-integrable", "1/(1+r)", 1, {}),
    ("negative-somewhere", "exp(-r)*(1-2*r)", 1, {}),
)
"""File name, generator or family, dimension, and further arguments of `verify`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each gallery certificate's file name and bytes."""
    from dpverify.api import verify
    from dpverify.certificate.serialise import serialise

    for name, text, dimension, arguments in ENTRIES:
        result = verify(text, dimension=dimension, **arguments)
        if result.certificate is None:
            raise SystemExit(f"{name}: {result.reason}")
        yield f"{name}.json", serialise(result.certificate)


def main(directory: str) -> None:
    """Write the gallery; the same bytes each time."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in certificates():
        (folder / name).write_bytes(data)
        print(f"{folder / name}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "certificates")
