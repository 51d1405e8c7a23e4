"""Mixtures by their mixing density: for each rule of the kernel that they bring a certificate that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.api import verify
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("exponential-tail", "v**3*exp(-v)", 1, {"tolerance": "1/1000"}),
    ("gaussian-tail", "v**7*exp(-v**2/2+v)", 1, {"sensitivity": "3"}),
    ("nothing-below", "Piecewise((0, v < 1), (v**-4*exp(-1/v), True))", 1, {"tolerance": "1/1000"}),
    ("infinite-moment", "v**3*exp(-v)", 4, {}),
    ("lighter-than-gaussian", "v*exp(-v**3)", 1, {}),
)
"""File name, the mixing density, dimension, and further arguments of `verify`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for name, text, dimension, arguments in ENTRIES:
        result = verify(mixing=text, dimension=dimension, **arguments)
        if result.certificate is None:
            raise SystemExit(f"{name}: {result.reason} {result.assumptions}")
        yield f"{name}.json", serialise(result.certificate)
