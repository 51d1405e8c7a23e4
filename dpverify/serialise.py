"""Certificates as bytes: canonical, so that the same input gives the same file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpverify import files
from dpverify.errors import InputError

MAX_DEPTH = 20


def serialise(certificate: Mapping[str, Any]) -> bytes:
    """Sorted keys, one space of indent, ASCII, one newline at the end."""
    return (json.dumps(certificate, sort_keys=True, indent=1) + "\n").encode("ascii")


def digest(certificate: Mapping[str, Any]) -> str:
    """SHA-256 of the certificate without its digest, as compact JSON with sorted keys."""
    content = {k: v for k, v in certificate.items() if k != "digest"}
    compact = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(compact.encode("ascii")).hexdigest()


def load(path: str | Path) -> dict[str, Any]:
    """A certificate as data, unchecked.

    Raises InputError where the file cannot be read as one: too large, nested too deep, a key twice in
    one object, or a number that is not an integer (every rational is a text).
    """
    data = files.read(path)
    try:
        certificate = json.loads(
            data.decode("utf-8"), object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number
        )
    except _Ambiguous as error:
        raise InputError(f"{path}: {error}") from None
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise InputError(f"{path}: not JSON in UTF-8") from None
    if not isinstance(certificate, dict):
        raise InputError(f"{path}: not a certificate")
    if _deeper(certificate, MAX_DEPTH):
        raise InputError(f"{path}: nested more than {MAX_DEPTH} levels deep")
    return certificate


class _Ambiguous(Exception):
    """JSON that two readers may read differently."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Ambiguous("an object has the same key twice")
    return found


def _no_number(text: str) -> Any:
    raise _Ambiguous(f'the number {text[:40]} is not an integer; rationals are texts such as "1/2"')


def _deeper(data: Any, levels: int) -> bool:
    level = [data]
    for _ in range(levels):
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]
    return bool(level)
