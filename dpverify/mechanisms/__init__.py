"""The papers' mechanisms, run on data: each states what is proved of it, and stands up to an audit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpverify.mechanisms.bodies import Ball, Body, Ellipsoid, Polytope, Zonotope
    from dpverify.mechanisms.counts import GeometricCount, LaplaceCount, MinimaxCount
    from dpverify.mechanisms.empirical_sensitivity import EmpiricalMean
    from dpverify.mechanisms.histograms import Histogram, Margins
    from dpverify.mechanisms.k_norm import KNorm, KNormCounts, KNormMean
    from dpverify.mechanisms.mechanism import Mechanism, Privacy, Release
    from dpverify.mechanisms.principal_components import PrincipalSubspace
    from dpverify.mechanisms.random_privacy import FailureReport, RandomHistogram, RandomProportion
    from dpverify.mechanisms.strongly_convex import StronglyConvexRisk

HOMES = {
    "Ball": "bodies",
    "Body": "bodies",
    "Ellipsoid": "bodies",
    "EmpiricalMean": "empirical_sensitivity",
    "FailureReport": "random_privacy",
    "GeometricCount": "counts",
    "Histogram": "histograms",
    "KNorm": "k_norm",
    "KNormCounts": "k_norm",
    "KNormMean": "k_norm",
    "LaplaceCount": "counts",
    "Margins": "histograms",
    "Mechanism": "mechanism",
    "MinimaxCount": "counts",
    "Polytope": "bodies",
    "PrincipalSubspace": "principal_components",
    "Privacy": "mechanism",
    "RandomHistogram": "random_privacy",
    "RandomProportion": "random_privacy",
    "Release": "mechanism",
    "StronglyConvexRisk": "strongly_convex",
    "Zonotope": "bodies",
}

__all__ = [
    "Ball",
    "Body",
    "Ellipsoid",
    "EmpiricalMean",
    "FailureReport",
    "GeometricCount",
    "Histogram",
    "KNorm",
    "KNormCounts",
    "KNormMean",
    "LaplaceCount",
    "Margins",
    "Mechanism",
    "MinimaxCount",
    "Polytope",
    "PrincipalSubspace",
    "Privacy",
    "RandomHistogram",
    "RandomProportion",
    "Release",
    "StronglyConvexRisk",
    "Zonotope",
]


def __getattr__(name: str) -> Any:
    """A mechanism is imported when it is first used, so that one does without what another needs."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
