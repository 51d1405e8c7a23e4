"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.at_random.empirical_sensitivity import EmpiricalMean
    from dpverify.mechanisms.at_random.random_privacy import FailureReport, RandomHistogram, RandomProportion
    from dpverify.mechanisms.bodies import Ball, Body, Ellipsoid, Polytope, Zonotope
    from dpverify.mechanisms.components.principal_components import PrincipalSubspace
    from dpverify.mechanisms.counting.counts import GeometricCount, LaplaceCount, MinimaxCount
    from dpverify.mechanisms.counting.histograms import Histogram, Margins
    from dpverify.mechanisms.elliptical.elliptical import EllipticalMean
    from dpverify.mechanisms.elliptical.functionals import Functionals
    from dpverify.mechanisms.functions.curves import MeanFunction
    from dpverify.mechanisms.functions.densities import KernelDensity, SobolevDensity
    from dpverify.mechanisms.functions.fourier import LaplaceFourier, OrbitopeFourier
    from dpverify.mechanisms.functions.functions import PrivateFunction
    from dpverify.mechanisms.functions.kernels import (
        BrownianKernel,
        ExponentialKernel,
        GaussianKernel,
        MaternKernel,
        SobolevKernel,
    )
    from dpverify.mechanisms.functions.minimisers import RegularisedRisk, SupportVectorMachine
    from dpverify.mechanisms.functions.orbitope import Orbitope, Symmetrised
    from dpverify.mechanisms.k_norm import KNorm, KNormCounts, KNormMean
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release
    from dpverify.mechanisms.spectra.equivalent import Equivalence, equivalence
    from dpverify.mechanisms.strongly_convex import StronglyConvexRisk

HOMES = {
    "Ball": "bodies",
    "Body": "bodies",
    "BrownianKernel": "functions.kernels",
    "Ellipsoid": "bodies",
    "EllipticalMean": "elliptical.elliptical",
    "EmpiricalMean": "at_random.empirical_sensitivity",
    "Equivalence": "spectra.equivalent",
    "ExponentialKernel": "functions.kernels",
    "FailureReport": "at_random.random_privacy",
    "Functionals": "elliptical.functionals",
    "GaussianKernel": "functions.kernels",
    "GeometricCount": "counting.counts",
    "Histogram": "counting.histograms",
    "KNorm": "k_norm",
    "KNormCounts": "k_norm",
    "KNormMean": "k_norm",
    "KernelDensity": "functions.densities",
    "LaplaceCount": "counting.counts",
    "LaplaceFourier": "functions.fourier",
    "Margins": "counting.histograms",
    "MaternKernel": "functions.kernels",
    "MeanFunction": "functions.curves",
    "Mechanism": "mechanism",
    "MinimaxCount": "counting.counts",
    "Orbitope": "functions.orbitope",
    "OrbitopeFourier": "functions.fourier",
    "Polytope": "bodies",
    "PrincipalSubspace": "components.principal_components",
    "Privacy": "mechanism",
    "PrivateFunction": "functions.functions",
    "RandomHistogram": "at_random.random_privacy",
    "RandomProportion": "at_random.random_privacy",
    "RegularisedRisk": "functions.minimisers",
    "Release": "mechanism",
    "SobolevDensity": "functions.densities",
    "SobolevKernel": "functions.kernels",
    "StronglyConvexRisk": "strongly_convex",
    "SupportVectorMachine": "functions.minimisers",
    "Symmetrised": "functions.orbitope",
    "Zonotope": "bodies",
    "equivalence": "spectra.equivalent",
}

__all__ = [
    "Ball",
    "Body",
    "BrownianKernel",
    "Ellipsoid",
    "EllipticalMean",
    "EmpiricalMean",
    "Equivalence",
    "ExponentialKernel",
    "FailureReport",
    "Functionals",
    "GaussianKernel",
    "GeometricCount",
    "Histogram",
    "KNorm",
    "KNormCounts",
    "KNormMean",
    "KernelDensity",
    "LaplaceCount",
    "LaplaceFourier",
    "Margins",
    "MaternKernel",
    "MeanFunction",
    "Mechanism",
    "MinimaxCount",
    "Orbitope",
    "OrbitopeFourier",
    "Polytope",
    "PrincipalSubspace",
    "Privacy",
    "PrivateFunction",
    "RandomHistogram",
    "RandomProportion",
    "RegularisedRisk",
    "Release",
    "SobolevDensity",
    "SobolevKernel",
    "StronglyConvexRisk",
    "SupportVectorMachine",
    "Symmetrised",
    "Zonotope",
    "equivalence",
]


def __getattr__(name: str) -> Any:
    """A mechanism is imported when it is first used, so that one does without what another needs."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
