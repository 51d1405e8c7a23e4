"""Mutants of the kernel that no test notices and that say nothing false, each with the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path

WRITTEN = Path(__file__).with_name("survivors.toml")


def explained() -> dict[str, str]:
    """From the name of a place to the kind of reason that survivors.toml gives for it.

    Raises ValueError where a place is explained twice.
    """
    found: dict[str, str] = {}
    for group in tomllib.loads(WRITTEN.read_text())["survivors"]:
        for name in group["places"]:
            if name in found:
                raise ValueError(f"{name} is explained twice in {WRITTEN.name}")
            found[name] = group["kind"]
    return found
