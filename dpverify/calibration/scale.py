"""The smallest scale that meets a target epsilon, between two scales with a proof each.

epsilon depends on Delta and sigma through delta = Delta/sigma alone, and epsilon(delta) = omega_g(delta)
(Theorem A) is the supremum of |g(s) - g(t)| over |s - t| <= delta, a set that grows with delta: so it is
non-decreasing in delta. It is also subadditive, for a step of length delta + delta' is one of each after
the other, so it is finite for every delta or for none. Hence
  - where epsilon <= target is proved at sigma = upper, every larger sigma meets the target too;
  - where epsilon > target is proved at sigma = lower, every smaller sigma fails;
and the smallest sigma (their infimum, where epsilon jumps) lies in [lower, upper]. Since g is unbounded
for a density, every target is exceeded for sigma small enough; that some sigma meets it fails only where
f jumps: epsilon is never less than the largest jump of log f.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.algebraic import rational_above, rational_below
from dpverify.calibration.law import Law, law_of
from dpverify.calibration.search import Search
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.numerals import short
from dpverify.results import Result, decimal_between, equals
from dpverify.shown import Shown

if TYPE_CHECKING:
    from dpverify.mixtures import Mixing


@dataclass(frozen=True, slots=True)
class Calibration(Shown):
    """lower <= the smallest sigma that meets the target <= upper <= (1 + 1e-9) lower, both proved.

    `meets` is the result at sigma = upper, `fails` the one at sigma = lower; each carries a certificate
    that the kernel has accepted, or is of a mixture and says among `assumptions` why it has none.
    """

    target: Fraction
    meets: Result
    fails: Result
    probes: int

    @property
    def lower(self) -> Fraction:
        """The scale at which the target is proved missed."""
        return self.fails.scale

    @property
    def upper(self) -> Fraction:
        """The scale at which the target is proved met."""
        return self.meets.scale

    @property
    def assumptions(self) -> list[str]:
        """What the two proofs assume."""
        return sorted({*self.meets.assumptions, *self.fails.assumptions})

    @property
    def reason(self) -> str:
        """What is proved at both scales, in one sentence."""
        assert self.meets.epsilon is not None and self.fails.epsilon is not None
        most, least = short(self.meets.epsilon.upper, 17, "up"), short(self.fails.epsilon.lower, 17, "down")
        return (
            f"At sigma = upper, epsilon <= {most}, which meets the target; at sigma = lower, epsilon >= {least}, "
            "which does not, nor does any smaller sigma, since epsilon never falls as Delta/sigma grows."
        )

    def __repr__(self) -> str:
        return f"<Calibration epsilon <= {short(self.target)}: sigma {equals(decimal_between(self.lower, self.upper))}>"

    def __str__(self) -> str:
        return f"sigma {equals(decimal_between(self.lower, self.upper))}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        generator, meets, fails = self.meets.generator, self.meets, self.fails
        assert meets.epsilon is not None and fails.epsilon is not None
        return {
            "verdict": "private",
            "generator": generator.text,
            "parameters": {name: str(value) for name, value in generator.parameters.items()},
            **({} if meets.mixing is None else {"mixing": meets.mixing.density}),
            "dimension": generator.dimension,
            "sensitivity": str(meets.sensitivity),
            "target": str(self.target),
            "scale": {
                "lower": str(self.lower),
                "upper": str(self.upper),
                "decimal": decimal_between(self.lower, self.upper),
            },
            "epsilon": meets.epsilon.to_json(),
            "epsilon_at_lower": fails.epsilon.to_json(),
            "theorem": meets.theorem,
            "assumptions": self.assumptions,
            "reason": self.reason,
        }


def calibrate(
    generator: str | Generator | Law | None = None,
    *,
    epsilon: object,
    mixing: str | Mixing | None = None,
    parameters: Mapping[str, object] | None = None,
    dimension: int | None = None,
    sensitivity: object = 1,
    progress: Callable[[str, int], None] | None = None,
) -> Calibration:
    """Find the smallest scale sigma at which noise with this generator is epsilon-DP.

    Args:
        generator: f in the language, as text; the name of a catalogue family; or a Generator.
        mixing: in place of a generator, the law of V in X = V Z, Z Gaussian, as for `verify`.
        epsilon: the target, exact and positive; one that is not rational, such as log(2), is rounded down.
        parameters: the values of the text's parameters by name, exact.
        dimension: d, the dimension of the noise (default 1, or the Generator's own).
        sensitivity: Delta, a Mahalanobis distance, exact; sigma comes out in the same units.
        progress: called with a step's name and a running count, for long work.

    Returns:
        A Calibration: scales `lower` and `upper` within a relative 1e-9. At `upper` epsilon is proved to
        meet the target. At `lower`, and so at every smaller sigma, it is proved not to, if neighbours
        exist at (or near) every distance up to Delta, the proviso of Theorem A.

    Raises:
        InputError: for a target that is not positive, and for what `verify` refuses.
        Refusal: where the family is private for no epsilon, where jumps of f keep epsilon above the
            target at every scale, and where a proof does not close.

    Source: Reimherr and Awan (2019), Theorem 3; monotonicity as in this module's text.
    """
    law = law_of(generator, mixing, dimension, parameters)
    target = rational_below(epsilon, "the target epsilon")
    exact_sensitivity = rational_above(sensitivity, "the sensitivity")
    for name, value in (("target epsilon", target), ("sensitivity", exact_sensitivity)):
        if value <= 0:
            raise InputError(f"the {name} must be positive, not {value}")
    search = Search(law, exact_sensitivity, target, progress or (lambda step, count: None))
    meets, fails = search.ends()
    return Calibration(target, meets, fails, search.probes)
