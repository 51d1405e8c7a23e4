"""Which mutants of the kernel have been noticed, kept in the repository so that nobody tries them again.

Of each place there is a digest of its name and of its function as it was: once the function has changed it is unknown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from dpverify import files

WRITTEN = Path(__file__).with_name("killed.json")


def digest(name: str, source: str) -> str:
    return hashlib.sha256(f"{name} {source}".encode()).hexdigest()[:10]


def killed(written: Path = WRITTEN) -> frozenset[str]:
    return frozenset(x for section in _read(written).values() for x in section.split())


def keep(found: Iterable[tuple[str, str]], living: Iterable[tuple[str, str]], written: Path = WRITTEN) -> None:
    """Add places, each by its name and its function's digest; of a section that has any, only those stay whose
    places are there still (`living`)."""
    sections = {name: set(digests.split()) for name, digests in _read(written).items()}
    there: dict[str, set[str]] = {}
    for name, source in living:
        there.setdefault(_section(name), set()).add(digest(name, source))
    for name, source in found:
        sections.setdefault(_section(name), set()).add(digest(name, source))
    kept = {name: " ".join(sorted(x & there.get(name, set()))) for name, x in sorted(sections.items())}
    files.write(written, json.dumps({name: x for name, x in kept.items() if x}, indent=0) + "\n")


def _section(name: str) -> str:
    return name.split(":")[0].split(".")[0]


def _read(written: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(written.read_text()) if written.exists() else {}
    return found
