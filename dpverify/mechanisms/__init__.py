"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.curves import MeanFunction
    from dpverify.mechanisms.densities import KernelDensity, SobolevDensity
    from dpverify.mechanisms.elliptical import EllipticalMean
    from dpverify.mechanisms.equivalent import Equivalence, equivalence
    from dpverify.mechanisms.fourier import LaplaceFourier, OrbitopeFourier
    from dpverify.mechanisms.functionals import Functionals
    from dpverify.mechanisms.functions import PrivateFunction
    from dpverify.mechanisms.kernels import Brownian, Exponential, Gaussian, Matern, Sobolev
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release
    from dpverify.mechanisms.minimisers import RegularisedRisk, SupportVectorMachine
    from dpverify.mechanisms.orbitope import Orbitope, Symmetrised

HOMES = {
    "Brownian": "kernels",
    "EllipticalMean": "elliptical",
    "Equivalence": "equivalent",
    "Exponential": "kernels",
    "Functionals": "functionals",
    "Gaussian": "kernels",
    "KernelDensity": "densities",
    "LaplaceFourier": "fourier",
    "Matern": "kernels",
    "MeanFunction": "curves",
    "Orbitope": "orbitope",
    "OrbitopeFourier": "fourier",
    "PrivateFunction": "functions",
    "RegularisedRisk": "minimisers",
    "Sobolev": "kernels",
    "SobolevDensity": "densities",
    "SupportVectorMachine": "minimisers",
    "Symmetrised": "orbitope",
    "equivalence": "equivalent",
    "Mechanism": "mechanism",
    "Privacy": "mechanism",
    "Release": "mechanism",
}

__all__ = [
    "Brownian",
    "EllipticalMean",
    "Equivalence",
    "Exponential",
    "Functionals",
    "Gaussian",
    "KernelDensity",
    "LaplaceFourier",
    "Matern",
    "MeanFunction",
    "Mechanism",
    "Orbitope",
    "OrbitopeFourier",
    "Privacy",
    "PrivateFunction",
    "RegularisedRisk",
    "Release",
    "Sobolev",
    "SobolevDensity",
    "SupportVectorMachine",
    "Symmetrised",
    "equivalence",
]


def __getattr__(name: str) -> Any:
    """A mechanism is imported when it is first used, so that one does without what another needs."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
