"""Compositions: for each rule of the kernel that they bring a certificate that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.api import verify
from dpverify.composition import compose
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, tuple[tuple[str, int, dict[str, Any]], ...], dict[str, Any]], ...] = (
    ("laplace-10-times", (("laplace", 10, {}),), {"epsilon": "5"}),
    ("laplace-and-student-t", (("laplace", 5, {}), ("student_t", 2, {"nu": "3"})), {"delta": "1e-6"}),
)
"""File name, the releases (generator, times, parameters), and arguments of `compose`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for name, releases, arguments in ENTRIES:
        parts = [(verify(text, parameters=more).certificate, times) for text, times, more in releases]
        found = compose([(part, times) for part, times in parts if part is not None], certificate=True, **arguments)
        if found.certificate is None:
            raise SystemExit(f"{name}: {found.reason}")
        yield f"{name}.json", serialise(found.certificate)
