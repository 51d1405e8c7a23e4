"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.bodies import Ball, Body, Ellipsoid, Polytope, Zonotope
    from dpverify.mechanisms.counts import GeometricCount, LaplaceCount, MinimaxCount
    from dpverify.mechanisms.curves import MeanFunction
    from dpverify.mechanisms.densities import KernelDensity, SobolevDensity
    from dpverify.mechanisms.elliptical import EllipticalMean
    from dpverify.mechanisms.empirical_sensitivity import EmpiricalMean
    from dpverify.mechanisms.equivalent import Equivalence, equivalence
    from dpverify.mechanisms.fourier import LaplaceFourier, OrbitopeFourier
    from dpverify.mechanisms.functionals import Functionals
    from dpverify.mechanisms.functions import PrivateFunction
    from dpverify.mechanisms.histograms import Histogram, Margins
    from dpverify.mechanisms.k_norm import KNorm, KNormCounts, KNormMean
    from dpverify.mechanisms.kernels import (
        BrownianKernel,
        ExponentialKernel,
        GaussianKernel,
        MaternKernel,
        SobolevKernel,
    )
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release
    from dpverify.mechanisms.minimisers import RegularisedRisk, SupportVectorMachine
    from dpverify.mechanisms.orbitope import Orbitope, Symmetrised
    from dpverify.mechanisms.principal_components import PrincipalSubspace
    from dpverify.mechanisms.random_privacy import FailureReport, RandomHistogram, RandomProportion
    from dpverify.mechanisms.strongly_convex import StronglyConvexRisk

HOMES = {
    "Ball": "bodies",
    "Body": "bodies",
    "BrownianKernel": "kernels",
    "Ellipsoid": "bodies",
    "EllipticalMean": "elliptical",
    "EmpiricalMean": "empirical_sensitivity",
    "Equivalence": "equivalent",
    "ExponentialKernel": "kernels",
    "FailureReport": "random_privacy",
    "Functionals": "functionals",
    "GaussianKernel": "kernels",
    "GeometricCount": "counts",
    "Histogram": "histograms",
    "KNorm": "k_norm",
    "KNormCounts": "k_norm",
    "KNormMean": "k_norm",
    "KernelDensity": "densities",
    "LaplaceCount": "counts",
    "LaplaceFourier": "fourier",
    "Margins": "histograms",
    "MaternKernel": "kernels",
    "MeanFunction": "curves",
    "Mechanism": "mechanism",
    "MinimaxCount": "counts",
    "Orbitope": "orbitope",
    "OrbitopeFourier": "fourier",
    "Polytope": "bodies",
    "PrincipalSubspace": "principal_components",
    "Privacy": "mechanism",
    "PrivateFunction": "functions",
    "RandomHistogram": "random_privacy",
    "RandomProportion": "random_privacy",
    "RegularisedRisk": "minimisers",
    "Release": "mechanism",
    "SobolevDensity": "densities",
    "SobolevKernel": "kernels",
    "StronglyConvexRisk": "strongly_convex",
    "SupportVectorMachine": "minimisers",
    "Symmetrised": "orbitope",
    "Zonotope": "bodies",
    "equivalence": "equivalent",
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
