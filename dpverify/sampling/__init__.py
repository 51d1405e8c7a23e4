"""Samplers: in floats, in the manners of scipy.stats, to simulate with; and `exact`, to release with."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.sampling.density import log_density
    from dpverify.sampling.elliptical import EllipticalNoise
    from dpverify.sampling.radius import RadialLaw

__all__ = ["EllipticalNoise", "RadialLaw", "log_density"]
HOMES = {"EllipticalNoise": "elliptical", "RadialLaw": "radius", "log_density": "density"}


def __getattr__(name: str) -> Any:
    """The exact sampler does without NumPy, so the float samplers are imported where they are asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
