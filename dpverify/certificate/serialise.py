"""Certificates as bytes: canonical, so that the same input gives the same file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpverify.errors import InputError

MAX_BYTES = 20_000_000


def serialise(certificate: Mapping[str, Any]) -> bytes:
    """Sorted keys, one space of indent, ASCII, one newline at the end."""
    return (json.dumps(certificate, sort_keys=True, indent=1) + "\n").encode("ascii")


def digest(certificate: Mapping[str, Any]) -> str:
    """SHA-256 of the certificate without its digest, as compact JSON with sorted keys."""
    content = {k: v for k, v in certificate.items() if k != "digest"}
    compact = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(compact.encode("ascii")).hexdigest()


def load(path: str | Path) -> dict[str, Any]:
    """A certificate as data, unchecked. Raises InputError where the file cannot be read as one."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        certificate = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise InputError(f"{path}: not JSON in UTF-8") from None
    if not isinstance(certificate, dict):
        raise InputError(f"{path}: not a certificate")
    return certificate
