"""Python files with a certificate in them."""

from __future__ import annotations

PROVENANCE = "Written by dpverify export."


def bytes_literal(data: bytes) -> str:
    """The bytes as a Python expression, a line of them a line of text."""
    return "(\n" + "".join(f"    {line!r}\n" for line in data.splitlines(keepends=True)) + ")"
