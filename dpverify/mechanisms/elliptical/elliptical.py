"""The mean of records with elliptical noise, certified, and released exactly (Reimherr and Awan 2019, Theorem 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor, log2
from random import Random
from typing import Any

import numpy as np

from dpverify.calibration import calibrate
from dpverify.errors import DpverifyError
from dpverify.generators import Generator
from dpverify.mechanisms.elliptical.clipped import ClippedMean
from dpverify.mechanisms.elliptical.squares import mean_square
from dpverify.mechanisms.functions.functions import NEIGHBOURS, whole
from dpverify.mechanisms.functions.scales import process_scale
from dpverify.mechanisms.lattices import fine
from dpverify.mechanisms.mechanism import Array, Mechanism, Privacy, Release, State
from dpverify.profiles import profile
from dpverify.profiles.scale import smallest_scale
from dpverify.sampling.exact import ExactNoise

GAUSSIAN = "exp(-y/2)"


def bits_of(state: State) -> Random | None:
    """Python's random bits from a seed or a generator; None for the operating system's."""
    return None if state is None else Random(int(np.random.default_rng(state).integers(2**63)))


def certified_scale(
    generator: Generator, sensitivity: Fraction, epsilon: Fraction, delta: Fraction
) -> tuple[Fraction, Mapping[str, Any]]:
    """The smallest scale that is proved, and the certificate; raises Refusal or NoScale where there is none.

    For delta = 0 by Theorem 3, with the shift Delta/sigma (printed sigma^-2 Delta, claim reimherr-awan-2019:theorem-3).
    """
    if delta == 0:
        met = calibrate(generator, epsilon=epsilon, sensitivity=sensitivity).meets
        certificate, scale = met.certificate, met.scale
    elif generator.text == GAUSSIAN:  # whose profile has a closed form, one for all dimensions
        scale = sensitivity * process_scale(epsilon, delta).value
        found = profile(generator, sensitivity=sensitivity, scale=scale, epsilon=epsilon, zcdp=True, certificate=True)
        certificate = found.certificate
    else:
        scale = smallest_scale(generator, epsilon=epsilon, delta=delta, sensitivity=sensitivity).scale.upper
        found = profile(generator, sensitivity=sensitivity, scale=scale, epsilon=epsilon, certificate=True)
        certificate = found.certificate
    if certificate is None:
        raise DpverifyError("the kernel does not accept the proof of this scale")
    return scale, certificate


class EllipticalMean(Mechanism):
    """The mean of n records in R^d with elliptical noise of density proportional to f(x' C^-1 x/sigma^2).

    Records are drawn in to the ellipsoid x' C^-1 x <= B^2, so that Delta = 2B/n; sigma is the smallest scale at which
    epsilon (or delta(epsilon)) is proved. The release is the lattice point nearest to the exact real output.

    Args:
        generator: f, a catalogue family by name, text, or a Generator.
        variances: the diagonal of C, d exact numbers.
        bound: B, exact; named by the user, never read off the data.
        records: n, public.
        epsilon, delta: what is promised; delta = 0 by default.
        parameters: of the generator, by name.

    Raises:
        InputError: for numbers that cannot be used.
        Refusal: where this noise is private for no epsilon, Gaussian noise for one.

    >>> mean = EllipticalMean("laplace", [1, 4], bound=1, records=100, epsilon=1)
    >>> mean.scale == mean.sensitivity
    True
    """

    def __init__(
        self,
        generator: str | Generator,
        variances: Sequence[object],
        bound: Any,
        records: int,
        *,
        epsilon: Any,
        delta: Any = 0,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(epsilon=epsilon, delta=delta)
        self.mean = ClippedMean(variances, bound, whole(records, "records"))
        given = generator if isinstance(generator, Generator) else Generator(generator, len(variances), parameters)
        self._generator = given
        self.scale, self.certificate = certified_scale(given, self.sensitivity, self.epsilon, self.delta)

    @property
    def sensitivity(self) -> Fraction:
        """2B/n."""
        return self.mean.sensitivity

    @property
    def privacy(self) -> Privacy:
        bound = f"{self.sensitivity} in the norm of C, records being drawn in to B = {self.mean.bound}"
        claim = "reimherr-awan-2019:theorem-3"
        return Privacy(self.epsilon, NEIGHBOURS, bound, self.delta, self.certificate, claim)

    @cached_property
    def noise(self) -> ExactNoise:
        """The exact sampler."""
        variances = self.mean.variances
        rows = [[c if i == j else Fraction(0) for j in range(len(variances))] for i, c in enumerate(variances)]
        return ExactNoise(self.certificate, covariance=rows, lattice=fine(self.scale * _root_below(min(variances))))

    def fit(self, data: Any) -> list[Fraction]:
        """The mean of the records, drawn in, exactly."""
        return self.mean(data)

    def noise_error(self) -> float:
        """E||released - mean||^2 = sigma^2 tr(C) E R^2/d, in floats; the paper measures no utility of its noise."""
        trace = float(sum(self.mean.variances)) / len(self.mean.variances)
        return float(self.scale) ** 2 * trace * mean_square(self._generator.expression, self._generator.dimension)

    def release(self, data: Any, *, random_state: State = None) -> Release:
        """A point of the lattice, as floats; `notes` has it exactly."""
        exact = self.noise.release(self.fit(data), random_bits=bits_of(random_state))
        return Release(np.array([float(x) for x in exact]), self.privacy, "exactly", {"exact": exact})

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        """Independent exact releases, one a row."""
        centre, bits = self.fit(data), bits_of(rng)
        rows = [[float(x) for x in self.noise.release(centre, random_bits=bits)] for _ in range(size)]
        return np.array(rows)

    def worst_pair(self) -> tuple[Array, Array]:
        """Records at 0, and one at either end of the first axis of the ellipsoid."""
        data = np.zeros((self.mean.records, len(self.mean.variances)))
        other = data.copy()
        data[-1, 0] = float(self.mean.bound) * float(self.mean.variances[0]) ** 0.5
        other[-1, 0] = -data[-1, 0]
        return data, other


def _root_below(value: Fraction) -> Fraction:
    """A power of two not above the root."""
    return Fraction(2) ** (floor(log2(value)) // 2)
