"""Python files with a certificate in them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.sampling.exact.certified import bytes_of

PROVENANCE = "Written by dpverify export."


def arguments(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None) -> str:
    """The certificate and the point of it that is meant, as assignments to CERTIFICATE and EPSILON."""
    return f"CERTIFICATE = {_literal(bytes_of(source)[0])}\nEPSILON = {None if epsilon is None else str(epsilon)!r}"


def _literal(data: bytes) -> str:
    """The bytes as a Python expression, a line of them a line of text."""
    return "(\n" + "".join(f"    {line!r}\n" for line in data.splitlines(keepends=True)) + ")"
