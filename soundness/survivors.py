"""Mutants of the kernel that no test notices and that say nothing false, each with the reason.

A place is named by its function and by which of several like it it is, so that a reason would pass to another place
when the function changes. Of each place there is a digest of the function that the reason was read beside: it stands
while that is the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from soundness.killed import digest, killed
from soundness.places import Place

WRITTEN = Path(__file__).with_name("survivors.toml")
READ = Path(__file__).with_name("survivors.json")


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


def standing(places: Iterable[Place], written: Path = READ) -> dict[str, str]:
    """What `explained` has of these places, if their functions are as they were when the reasons were read."""
    reasons, read = explained(), killed(written)
    return {x.name: reasons[x.name] for x in places if x.name in reasons and digest(x.name, x.source) in read}
