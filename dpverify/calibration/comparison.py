"""Families at equal epsilon, or (epsilon, delta), compared by the size of their noise: the utility question.

Each family is calibrated to the same target, and the noise sigma X is measured at the scale found:
E ||sigma X||^2 and the median of ||sigma X||, with ||.|| the norm in which Delta is counted (the Euclidean
one where Sigma is the identity). The smaller, the more useful the release.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpverify.calibration.law import NO_PROFILE, Law, law_of
from dpverify.calibration.noise import Enclosure, Noise, NoNoise
from dpverify.calibration.refusal import Refusal
from dpverify.calibration.scale import Calibration, calibrate
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.mixtures import Mixing
from dpverify.profiles.scale import NoScale, ProfileScale, smallest_scale


@dataclass(frozen=True, slots=True)
class Compared:
    """One family: its calibration and its noise at sigma = upper, or the refusal that stands in their place."""

    name: str
    generator: Generator
    calibration: Calibration | ProfileScale | None
    noise: Noise | None
    refusal: str | None

    def __repr__(self) -> str:
        return f"<Compared {self.name}: {self.refusal or repr(self.calibration)}>"

    @property
    def mean_square(self) -> Enclosure | None:
        """E ||sigma X||^2 at sigma = upper."""
        if self.calibration is None or self.noise is None:
            return None
        return self.noise.mean_square.scaled(self.calibration.upper**2)

    @property
    def median(self) -> Enclosure | None:
        """The median of ||sigma X|| at sigma = upper."""
        if self.calibration is None or self.noise is None:
            return None
        return self.noise.median.scaled(self.calibration.upper)

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "name": self.name,
            "calibration": self.calibration.to_json() if self.calibration else None,
            "mean_square": self.mean_square.to_json() if self.mean_square else None,
            "median": self.median.to_json() if self.median else None,
            "method": "rigorous integration by Arb (acb.integral), tails bounded by models" if self.noise else None,
            "refusal": self.refusal,
        }


def compare(
    families: Sequence[str | Generator | Mixing | tuple[str, Generator | Law]],
    *,
    epsilon: object,
    delta: object = None,
    dimension: int = 1,
    sensitivity: object = 1,
    progress: Callable[[str, int], None] | None = None,
) -> list[Compared]:
    """Calibrate each family to the same epsilon, or (epsilon, delta), and enclose its noise.

    A family is a text or the name of one, or a Mixing, in this dimension, or a Generator, or a pair of what it is to
    be called and a Generator. One that cannot be calibrated, or whose noise is not enclosed, says so in `refusal`.
    Families whose median is known come first, the smallest first.
    Raises InputError as `calibrate` does.
    """
    if isinstance(families, str | Generator):
        raise InputError("families are given as a list, such as ['laplace', 'student_t']")
    named = [_named(family, dimension) for family in families]
    found = [_compared(name, law, (epsilon, delta), sensitivity, progress) for name, law in named]
    return sorted(found, key=_median)


def _named(family: object, dimension: int) -> tuple[str, Law]:
    if isinstance(family, tuple) and len(family) == 2 and isinstance(family[1], Generator | Law):
        return str(family[0]), law_of(family[1])
    if isinstance(family, Mixing):
        return family.text, law_of(mixing=family, dimension=dimension)
    generator = family if isinstance(family, Generator) else Generator(family, dimension)  # type: ignore[arg-type]
    return (family if isinstance(family, str) else generator.text), Law(generator)


def _median(row: Compared) -> tuple[bool, Fraction]:
    return row.median is None, row.median.lower if row.median else Fraction(0)


def _compared(
    name: str,
    law: Law,
    target: tuple[object, object],
    sensitivity: object,
    progress: Callable[[str, int], None] | None,
) -> Compared:
    def report(step: str, count: int) -> None:
        if progress is not None:
            progress(f"{name}: {step}", count)

    epsilon, delta = target
    size: Any = {"epsilon": epsilon, "sensitivity": sensitivity, "progress": report}
    calibration: Calibration | ProfileScale
    try:
        if delta is None:
            calibration = calibrate(law, **size)
        elif law.mixing is None:
            calibration = smallest_scale(law.generator, delta=delta, lemmas=law.lemmas, **size)
        else:
            return Compared(name, law.generator, None, None, NO_PROFILE)
    except (Refusal, NoScale) as refusal:
        return Compared(name, law.generator, None, None, str(refusal))
    report("the size of the noise", 0)
    try:
        return Compared(name, law.generator, calibration, law.noise(), None)
    except NoNoise as error:
        return Compared(name, law.generator, calibration, None, str(error))
