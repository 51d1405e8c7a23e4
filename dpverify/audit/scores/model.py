"""Scores that a known law gives: the exact log ratio of its densities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.scores.score import Array, Floats, shown
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.sampling import EllipticalNoise, log_density
from dpverify.sampling.elliptical import squares


@dataclass(frozen=True)
class PrivacyLoss:
    """log of the density around 0 over the density around `shift`: the best score there is (Neyman and Pearson).

    Lengths are |A x|/unit, A the whitening (the identity where it is None).
    """

    kind: ClassVar[str] = "privacy_loss"
    generator: str
    dimension: int
    parameters: tuple[tuple[str, str], ...]
    shift: Floats
    unit: float = 1.0
    whitening: tuple[Floats, ...] | None = None

    @classmethod
    def of(cls, noise: EllipticalNoise, shift: Array) -> PrivacyLoss:
        """The loss between `noise` and the same noise moved by `shift`."""
        g = noise.generator
        bound = tuple((name, str(value)) for name, value in g.parameters.items())
        whitening = None if noise.factor is None else _rows(np.asarray(np.linalg.inv(noise.factor)))
        return cls(g.text, g.dimension, bound, tuple(shift.tolist()), noise.scale, whitening)

    @property
    def text(self) -> str:
        bound = "".join(f", {name} = {value}" for name, value in self.parameters)
        units = "" if self.unit == 1 else f", lengths in units of {self.unit!r}"
        whitened = "" if self.whitening is None else ", whitened"
        where = shown(self.shift)
        return f"log f(|x|^2) - log f(|x - c|^2) with f = {self.generator}{bound}, c = {where}{units}{whitened}"

    @cached_property
    def _log_f(self) -> Callable[[Array], Array]:
        return log_density(Generator(self.generator, self.dimension, dict(self.parameters)).expression)

    @cached_property
    def _axis(self) -> int | None:
        """The coordinate along which P and Q lie apart, if it is only one."""
        moved = np.flatnonzero(self.shift)
        return int(moved[0]) if len(moved) == 1 else None

    def __call__(self, x: Array) -> Array:
        shift, axis = np.asarray(self.shift), self._axis
        if self.whitening is None and axis is not None:
            rest = squares(x[:, :axis]) + squares(x[:, axis + 1 :])
            near, far = rest + x[:, axis] ** 2, rest + (x[:, axis] - shift[axis]) ** 2
        elif self.whitening is None:
            near, far = squares(x), squares(x - shift)
        else:
            whitening = np.asarray(self.whitening).T
            near, far = squares(x @ whitening), squares((x - shift) @ whitening)
        if self.unit != 1:
            near /= self.unit**2
            far /= self.unit**2
        with np.errstate(invalid="ignore"):
            return self._log_f(near) - self._log_f(far)


@dataclass(frozen=True)
class Composed:
    """log of the densities' ratio of several releases side by side, each on a Poisson sample of the records.

    Columns are those of the first release, then of the second, and so on. Around 0 lies what is released without the
    record; with it release i lies around the loss's shift with probability rates[i], else around 0. With L_i the loss
    of release i the score is the sum of -log(1 - rates[i] + rates[i] e^(-L_i)): by Neyman and Pearson the best.
    """

    kind: ClassVar[str] = "composed"
    loss: PrivacyLoss
    rates: Floats

    def __post_init__(self) -> None:
        if isinstance(self.loss, Mapping):
            object.__setattr__(self, "loss", PrivacyLoss(**self.loss))
        if not self.rates or not all(0 < rate <= 1 for rate in self.rates):
            raise InputError("each release has a sampling rate above 0 and at most 1")

    @classmethod
    def of(cls, noise: EllipticalNoise, shift: Array, rates: Floats) -> Composed:
        """So many releases as there are rates, each with this noise; a rate of 1 is a release on all records."""
        return cls(PrivacyLoss.of(noise, np.asarray(shift, dtype=np.float64)), tuple(map(float, rates)))

    @property
    def text(self) -> str:
        return f"the sum over {len(self.rates)} release(s), sampled at {shown(self.rates)}, of {self.loss.text}"

    def __call__(self, x: Array) -> Array:
        d = self.loss.dimension
        if x.shape[1] != d * len(self.rates):
            raise InputError(f"the outputs have {x.shape[1]} columns, and the releases {d * len(self.rates)}")
        total = np.zeros(len(x))
        for i, rate in enumerate(self.rates):
            loss = self.loss(x[:, i * d : (i + 1) * d])
            total += loss if rate == 1 else -np.logaddexp(np.log1p(-rate), np.log(rate) - loss)
        return total


def _rows(matrix: NDArray[Any]) -> tuple[Floats, ...]:
    return tuple(map(tuple, matrix.tolist()))
