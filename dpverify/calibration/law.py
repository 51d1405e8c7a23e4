"""What is calibrated: a generator f, or a Gaussian scale mixture of which no formula of f is known.

epsilon of either is a function of Delta/sigma alone. Of the second every epsilon is integrated, which takes a second,
and the checker's own integrals take ten: so only what is told is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpverify.api import verify
from dpverify.calibration.mixed import noise_of_mixture
from dpverify.calibration.noise import Noise, noise
from dpverify.calibration.restate import replayed
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.mixtures import Mixing
from dpverify.mixtures.recognise import recognise
from dpverify.results import Result

FINEST = Fraction(1, 10**13)
NO_PROFILE = "no formula of f is known for this mixing law, and without one there is no profile, only a pure epsilon"
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Law:
    """A generator; with `mixing` it stands for f in words, and V's law is what epsilon is proved from.

    `lemmas` are those by which the generator is f of a mixture, where it is asked about in place of that.
    """

    generator: Generator
    mixing: Mixing | None = None
    lemmas: tuple[str, ...] = ()

    @property
    def density(self) -> str | None:
        """The text of V's law."""
        return None if self.mixing is None else self.mixing.text

    def formula(self) -> Generator:
        """f as a formula; raises InputError where none is known."""
        if self.mixing is not None:
            raise InputError(NO_PROFILE)
        return self.generator

    def noise(self) -> Noise:
        """E ||X||^2 and the median of ||X||; raises NoNoise."""
        if self.mixing is None:
            return noise(self.generator)
        return noise_of_mixture(self.mixing, self.generator.dimension)

    def epsilon(
        self, delta: Fraction, scale: Fraction, tolerance: Fraction | None, replay: bool, progress: Progress | None
    ) -> Result:
        """What `verify` says at a sensitivity and a scale."""
        if self.mixing is None:
            found = verify(
                self.generator, sensitivity=delta, scale=scale, tolerance=tolerance, replay=replay, progress=progress
            )
            return self.with_lemmas(found)
        return verify(
            mixing=self.mixing,
            dimension=self.generator.dimension,
            sensitivity=delta,
            scale=scale,
            tolerance=tolerance,
            replay=replay,
            progress=progress,
        )

    def certified(self, probe: Result, target: Fraction, progress: Progress) -> Result | None:
        """A probe on one side of the target with its certificate; None where the checker does not accept it.

        A mixture of which the checker cannot follow the integrals keeps the assumption that says so.
        """
        if self.mixing is None or probe.draft is not None:
            found = replayed(probe)
            return None if found is None else self.with_lemmas(found)
        assert probe.epsilon is not None
        met = probe.epsilon.upper <= target
        gap = target - probe.epsilon.upper if met else probe.epsilon.lower - target
        tolerance = max(gap / max(Fraction(2), 2 * target), FINEST)
        again = self.epsilon(probe.sensitivity, probe.scale, tolerance, True, progress)
        if again.epsilon is None:
            return None
        return again if (again.epsilon.upper <= target if met else again.epsilon.lower > target) else probe

    def with_lemmas(self, replayed: Result) -> Result:
        """The kernel's result on a formula of f, with the lemmas by which the mixture has that formula."""
        lemmas = self.lemmas
        if self.mixing is not None:
            formula = recognise(self.mixing, self.generator.dimension)
            lemmas = () if formula is None else formula.lemmas
        return replace(replayed, assumptions=tuple(dict.fromkeys((*lemmas, *replayed.assumptions))))


def law_of(
    generator: str | Generator | Law | None = None,
    mixing: str | Mixing | None = None,
    dimension: int | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Law:
    """The law that is asked about, by its generator or by its mixing law; raises InputError for neither or both.

    A mixing law of which a lemma gives f as a formula is asked about as a mixture too: what it rests on is
    among the assumptions of its results.
    """
    if (generator is None) == (mixing is None):
        raise InputError("give either a generator or a mixing law, and not both")
    if isinstance(generator, str):
        return Law(Generator(generator, 1 if dimension is None else dimension, parameters))
    if generator is not None:
        known = generator if isinstance(generator, Law) else Law(generator)
        if parameters or dimension not in (None, known.generator.dimension):
            raise InputError("a Generator carries its own dimension and parameters; do not give them again")
        return known
    if isinstance(mixing, Mixing) and parameters:
        raise InputError("a Mixing carries its own parameters; do not give them again")
    law = mixing if isinstance(mixing, Mixing) else Mixing(str(mixing), parameters)
    return Law(law.generator(1 if dimension is None else dimension), law)
