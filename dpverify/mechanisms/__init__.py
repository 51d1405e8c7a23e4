"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.equivalent import Equivalence, equivalence
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release

HOMES = {
    "Equivalence": "equivalent",
    "equivalence": "equivalent",
    "Mechanism": "mechanism",
    "Privacy": "mechanism",
    "Release": "mechanism",
}

__all__ = ["Equivalence", "Mechanism", "Privacy", "Release", "equivalence"]


def __getattr__(name: str) -> Any:
    """A mechanism is imported when it is first used, so that one does without what another needs."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
