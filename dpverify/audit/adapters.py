"""Other libraries' mechanisms, and the exact one, as samplers, called as function(input, size, rng).

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
    """An OpenDP measurement, on whatever it takes: numbers, booleans, words, vectors of them, data sets.

    A centre, an array, is given as what the measurement takes: a number or truth value, or a vector of
    them. Any other input is given as it is. Take the library's features as they are needed, e.g.
    `opendp.prelude.enable_features("contrib")`.
    """
    carrier = str(measurement.input_carrier_type)
    number: type = bool if "bool" in carrier else int if _whole(carrier) else float

    def sample(given: Any, size: int, rng: np.random.Generator) -> list[Any]:
        if isinstance(given, np.ndarray):
            values = [number(c) for c in given.ravel()]
            given = values if "Vec" in carrier else values[0]
        return [measurement(given) for _ in range(size)]

    return sample


def _whole(carrier: str) -> bool:
    return any(f"{kind}{bits}" in carrier for kind in "iu" for bits in (8, 16, 32, 64, 128, "size"))


def diffprivlib_sampler(mechanism: Any) -> Sampler:
    """A diffprivlib mechanism with `randomise`; each coordinate of a centre is randomised by itself.

    Any other input, such as a word of `Binary` or an item of `Exponential`, is given as it is. Make it
    without a random_state: a mechanism copied to several processes would repeat itself.
    """
    whole = type(mechanism).__name__.startswith(("Geometric", "GaussianDiscrete"))

    def sample(given: Any, size: int, rng: np.random.Generator) -> list[Any]:
        if not isinstance(given, np.ndarray):
            return [mechanism.randomise(given) for _ in range(size)]
        values = [int(c) if whole else c.item() for c in given]
        return [[mechanism.randomise(c) for c in values] for _ in range(size)]

    return sample


def exact_sampler(noise: ExactNoise) -> Sampler:
    """dpverify's exact mechanism, its lattice points as floats; its bits come from `rng`, so that a seed repeats it."""

    def sample(centre: Array, size: int, rng: np.random.Generator) -> Array:
        query, bits = [float(c) for c in centre], Random(int(rng.integers(2**63)))
        rows = [noise.release(query, random_bits=bits) for _ in range(size)]
        return np.array(rows, dtype=np.float64).reshape(size, -1)

    return sample
