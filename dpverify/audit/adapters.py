"""Other libraries' mechanisms, and the exact one, as samplers, called as function(centre, size, rng).

The other libraries draw from their own generators: `rng` goes unused, and a seed does not repeat an audit.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.sources import Sampler

if TYPE_CHECKING:
    from dpverify.sampling.exact import ExactNoise

Array = NDArray[np.float64]


def opendp_sampler(measurement: Any) -> Sampler:
    """An OpenDP measurement on numbers or on vectors of numbers, whose outputs are the like.

    Take its features as they are needed, e.g. `opendp.prelude.enable_features("contrib")`.
    """
    carrier = str(measurement.input_carrier_type)
    number = int if any(f"{kind}{bits}" in carrier for kind in "iu" for bits in (8, 16, 32, 64, 128)) else float

    def sample(centre: Array, size: int, rng: np.random.Generator) -> Array:
        values = [number(c) for c in centre]
        release = values if "Vec" in carrier else values[0]
        return np.array([measurement(release) for _ in range(size)], dtype=np.float64).reshape(size, -1)

    return sample


def diffprivlib_sampler(mechanism: Any) -> Sampler:
    """A diffprivlib mechanism with `randomise` on numbers; each coordinate is randomised by itself.

    Make it without a random_state: a mechanism copied to several processes would repeat itself.
    """

    def sample(centre: Array, size: int, rng: np.random.Generator) -> Array:
        values = [c.item() for c in centre]
        whole = type(mechanism).__name__.startswith(("Geometric", "GaussianDiscrete"))
        given = [int(c) for c in values] if whole else values
        return np.array([[mechanism.randomise(c) for c in given] for _ in range(size)], dtype=np.float64)

    return sample


def exact_sampler(noise: ExactNoise) -> Sampler:
    """dpverify's exact mechanism, its lattice points as floats; its bits come from `rng`, so that a seed repeats it."""

    def sample(centre: Array, size: int, rng: np.random.Generator) -> Array:
        query, bits = [float(c) for c in centre], Random(int(rng.integers(2**63)))
        rows = [noise.release(query, random_bits=bits) for _ in range(size)]
        return np.array(rows, dtype=np.float64).reshape(size, -1)

    return sample
