"""Other libraries' mechanisms, and the exact one, as samplers, called as function(input, size, rng).

The other libraries draw from their own generators: `rng` goes unused, and a seed does not repeat an audit.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.callables import Sampler
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.sampling.exact import ExactNoise

Array = NDArray[np.float64]
ARGUMENTS = Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD


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


def diffprivlib_sampler(mechanism: Any = None) -> Sampler:
    """A diffprivlib mechanism with `randomise`; each coordinate of a centre is randomised by itself.

    Any other input, such as a word of `Binary` or a matrix of `Bingham`, is given as it is. Where it is the
    mechanism that hangs on the data (the utilities of `Exponential` and `PermuteAndFlip`), the two inputs are
    functions that make one, and none is given here. A function that comes out (`Vector`) is told by its differences
    along the axes. Make mechanisms without a random_state: copied to several processes they would repeat themselves.
    """

    def sample(given: Any, size: int, rng: np.random.Generator) -> list[Any]:
        if mechanism is None:
            made = given()
            return [made.randomise() for _ in range(size)]
        if not isinstance(given, np.ndarray) or given.ndim > 1:
            return [_told(mechanism.randomise(given), mechanism) for _ in range(size)]
        whole = type(mechanism).__name__.startswith(("Geometric", "GaussianDiscrete"))
        values = [int(c) if whole else c.item() for c in given]
        return [[mechanism.randomise(c) for c in values] for _ in range(size)]

    return sample


def _told(output: Any, mechanism: Any) -> Any:
    if not callable(output):
        return output
    axes = np.eye(mechanism.dimension)
    return [float(output(axis) - output(0 * axis)) for axis in axes]


def each(function: Callable[[Any], Any]) -> Sampler:
    """A mechanism that gives one output at a time, called as function(input): PyDP, Tumult Core, any program."""

    def sample(given: Any, size: int, rng: np.random.Generator) -> list[Any]:
        return [function(given) for _ in range(size)]

    return sample


def sampler_of(mechanism: Any) -> Sampler:
    """Whatever is given as a sampler: OpenDP's and diffprivlib's mechanisms, functions of one argument or of three.

    Raises InputError for what cannot be called.
    """
    home = type(mechanism).__module__.partition(".")[0]
    if home == "opendp":
        return opendp_sampler(mechanism)
    if hasattr(mechanism, "randomise"):
        return diffprivlib_sampler(mechanism)
    if not callable(mechanism):
        raise InputError(f"{type(mechanism).__name__} is no mechanism: it cannot be called")
    try:
        taken = [p for p in signature(mechanism).parameters.values() if p.default is p.empty and p.kind in ARGUMENTS]
    except (TypeError, ValueError):
        return each(mechanism)
    sampler: Sampler = mechanism
    return sampler if len(taken) == 3 else each(mechanism)


def exact_sampler(noise: ExactNoise) -> Sampler:
    """dpverify's exact mechanism, its lattice points as floats; its bits come from `rng`, so that a seed repeats it."""

    def sample(centre: Array, size: int, rng: np.random.Generator) -> Array:
        query, bits = [float(c) for c in centre], Random(int(rng.integers(2**63)))
        rows = [noise.release(query, random_bits=bits) for _ in range(size)]
        return np.array(rows, dtype=np.float64).reshape(size, -1)

    return sample
