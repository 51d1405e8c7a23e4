"""Exact release: lattice points whose epsilon is the certificate's, from the operating system's random bits."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpverify.errors import Refused
from dpverify.sampling.exact.bits import BitsExhausted

if TYPE_CHECKING:
    from dpverify.sampling.exact.noise import Drawn, ExactNoise

__all__ = ["BitsExhausted", "Drawn", "ExactNoise", "Refused"]


def __getattr__(name: str) -> Any:
    """The checker of replays does without Arb, so the sampler is imported where it is asked for."""
    if name not in ("Drawn", "ExactNoise"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.noise"), name)
