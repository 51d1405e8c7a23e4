"""Certificates in files, true ones and forged ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpverify.certificate import digest, serialise

GALLERY = Path(__file__).parents[2] / "certificates"


def forged(name: str, change: Callable[[dict[str, Any]], None], path: Path) -> Path:
    """A certificate of the gallery, changed, with its digest made anew."""
    data = json.loads((GALLERY / f"{name}.json").read_bytes())
    change(data)
    data["digest"] = digest(data)
    path.write_bytes(serialise(data))
    return path
