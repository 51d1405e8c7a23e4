"""The profile in infinite dimension: V is a function of the path, so delta(eps) is the mean over V of the Gaussian's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpverify.errors import InputError
from dpverify.mixtures import Mixing
from dpverify.profiles.result import Profile


def infinite(
    generator: object,
    mixing: str | Mixing | None,
    shift: Fraction,
    asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
    tolerance: Fraction,
    progress: Callable[[str, int], None],
    parameters: Mapping[str, object],
) -> Profile:
    """The points asked for of the mixture X = V Z in a Hilbert space."""
    if mixing is None or generator is not None:
        raise InputError("--dimension infinity is for Gaussian scale mixtures: give --mixing LAW and no generator")
    raise InputError("--dimension infinity is not built yet")
