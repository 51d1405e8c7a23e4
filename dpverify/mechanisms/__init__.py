"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release
    from dpverify.mechanisms.principal_components import PrincipalSubspace
    from dpverify.mechanisms.strongly_convex import StronglyConvexRisk

HOMES = {
    "Mechanism": "mechanism",
    "Privacy": "mechanism",
    "Release": "mechanism",
    "PrincipalSubspace": "principal_components",
    "StronglyConvexRisk": "strongly_convex",
}

__all__ = ["Mechanism", "PrincipalSubspace", "Privacy", "Release", "StronglyConvexRisk"]


def __getattr__(name: str) -> Any:
    """A mechanism is imported when it is first used, so that one does without what another needs."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
