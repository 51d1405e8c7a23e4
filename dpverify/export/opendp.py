"""A certificate as an OpenDP measurement: its function is the exact sampler, its privacy map is proved anew.

OpenDP lets outside code in under two features: `contrib`, since nobody at OpenDP has vetted its proof, and
`honest-but-curious`, since a Python function could do anything. Take them with
opendp.prelude.enable_features("contrib", "honest-but-curious").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite
from pathlib import Path
from typing import Any

from dpverify.api import verify
from dpverify.export.outward import float_above
from dpverify.export.python_text import PROVENANCE, arguments
from dpverify.profiles import profile
from dpverify.sampling.exact import ExactNoise
from dpverify.sampling.exact.certified import Certified, certified

TIMEOUT = 20
"""Seconds for a proof at a new d_in; after that a multiple of the certificate's epsilon serves."""
WIDTH = Fraction(1, 10**6)
"""The relative width of delta at a new d_in."""
LARGEST = sys.float_info.max


def measurement(
    source: str | Path | bytes | Mapping[str, Any], *, lattice: object = "2**-20", epsilon: object = None
) -> Any:
    """The OpenDP 0.16 measurement of a certificate, from vectors of d floats to vectors of d floats.

    Distances between inputs are Euclidean, so that d_in is the sensitivity Delta; the output measure is
    pure differential privacy, or approximate where the certificate is a profile's. What comes out are
    lattice points, to the nearest float where they have more digits: post-processing. An infinite input
    is taken as the largest float of its sign.

    Args:
        source: the certificate: a file, its bytes, or its data.
        lattice: the distance of neighbouring lattice points, exact.
        epsilon: which point of a profile is meant, where it has several.

    Raises Refused for a certificate that does not hold or proves no epsilon, and OpenDP's own error
    where the features above are not taken.
    """
    import opendp.prelude as dp

    noise = ExactNoise(source, lattice=lattice, epsilon=epsilon)
    claim = noise.certified
    assert claim is not None

    def function(query: Sequence[float]) -> list[float]:
        return [nearest_float(x) for x in noise.release([_finite(value) for value in query])]

    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=noise.dimension)
    return dp.m.make_user_measurement(
        space,
        dp.l2_distance(T=float),
        dp.approximate(dp.max_divergence()) if claim.delta else dp.max_divergence(),
        function,
        approximate_map(claim) if claim.delta else privacy_map(claim),
        TO="Vec<f64>",
    )


def privacy_map(claim: Certified) -> Callable[[float], float]:
    """d_in -> epsilon, rounded up, for every d_in >= 0: by a proof at that sensitivity, or by group privacy.

    omega_g is non-decreasing and subadditive in the shift, so that epsilon(d_in) <= ceil(d_in/Delta) epsilon(Delta).
    Raises ValueError for a d_in that is no distance.
    """

    @lru_cache(maxsize=1024)
    def epsilon(d_in: float) -> float:
        if not d_in >= 0:
            raise ValueError(f"d_in = {d_in} is no distance")
        if d_in == 0:
            return 0.0
        if not isfinite(d_in):
            return inf
        distance = Fraction(d_in)
        by_groups = -(-distance // claim.sensitivity) * claim.upper
        if distance == claim.sensitivity:
            return float_above(claim.upper)
        return float_above(min(by_groups, _proved(claim, distance) or by_groups))

    return epsilon


def approximate_map(claim: Certified) -> Callable[[float], tuple[float, float]]:
    """d_in -> (epsilon, delta) at the certificate's epsilon, delta rounded up, for every d_in >= 0.

    delta does not fall as the shift grows (Theorem B), so that up to Delta the certificate's own serves;
    beyond it a profile that the kernel accepts, and 1 where there is none. Raises ValueError for a d_in
    that is no distance.
    """

    @lru_cache(maxsize=1024)
    def loss(d_in: float) -> tuple[float, float]:
        if not d_in >= 0:
            raise ValueError(f"d_in = {d_in} is no distance")
        if d_in == 0:
            return 0.0, 0.0
        delta = claim.delta if d_in <= claim.sensitivity else Fraction(1)
        if isfinite(d_in) and d_in != claim.sensitivity:
            delta = min(delta, _delta(claim, Fraction(d_in)))
        return float_above(claim.upper), min(1.0, float_above(delta))

    return loss


def _delta(claim: Certified, distance: Fraction) -> Fraction:
    """The upper bound of delta at another sensitivity, which the kernel accepts; 1 where there is none."""
    if not Fraction(1, 10**9) < distance / claim.scale < 10**9:
        return Fraction(1)
    found = profile(
        claim.generator, sensitivity=distance, scale=claim.scale, epsilon=claim.upper, tolerance=WIDTH, certificate=True
    )
    if found.verdict != "proved" or found.certificate is None:
        return Fraction(1)
    return certified(found.certificate).delta


def _proved(claim: Certified, distance: Fraction) -> Fraction | None:
    """The upper bound of epsilon at another sensitivity, which the kernel accepts; None where there is none in time."""
    if not Fraction(1, 10**9) < distance / claim.scale < 10**9:
        return None
    result = verify(claim.generator, sensitivity=distance, scale=claim.scale, timeout=TIMEOUT)
    return result.epsilon.upper if result.verdict == "private" and result.epsilon is not None else None


def _finite(value: float) -> float:
    return max(-LARGEST, min(LARGEST, value))


def nearest_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def text(source: str | Path | bytes | Mapping[str, Any], epsilon: Fraction | None = None) -> str:
    """A Python file that makes the measurement, with the certificate in it; raises Refused as `measurement` does."""
    claim = certified(source, epsilon)
    size = f"{claim.generator.dimension} float(s)"
    return f'''"""The OpenDP measurement of a privacy certificate: `measurement`, from {size} to as many.

Certificate sha256 {claim.sha256},
which the kernel checks again whenever this file runs. {PROVENANCE}
"""

import opendp.prelude as dp

from dpverify.export.opendp import measurement as of_certificate

# contrib: nobody at OpenDP has vetted the proof. honest-but-curious: the function is written in Python.
dp.enable_features("contrib", "honest-but-curious")

{arguments(source, epsilon)}

measurement = of_certificate(CERTIFICATE, epsilon=EPSILON)
'''
