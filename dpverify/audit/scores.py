"""Scores: functions from an output to a number, whose thresholds make the events of an audit.

A score is plain data: written to JSON and read back it is the same function, so that whoever receives
a report can count the event again, and a run that was killed goes on with the event it had chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from dpverify.generators import Generator
from dpverify.sampling import EllipticalNoise, log_density
from dpverify.sampling.elliptical import squares

Array = NDArray[np.float64]
Floats = tuple[float, ...]


class Score(Protocol):
    """x, an array n x d of finite floats, to n numbers; `text` says the function in one line."""

    kind: ClassVar[str]

    @property
    def text(self) -> str: ...

    def __call__(self, x: Array) -> Array: ...


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
        where = _numbers(self.shift)
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


def _rows(matrix: NDArray[Any]) -> tuple[Floats, ...]:
    return tuple(map(tuple, matrix.tolist()))


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of the output."""

    kind: ClassVar[str] = "coordinate"
    index: int

    @property
    def text(self) -> str:
        return f"x[{self.index}]"

    def __call__(self, x: Array) -> Array:
        return x[:, self.index]


@dataclass(frozen=True)
class Linear:
    """weights . x, the linear discriminant of the two outputs."""

    kind: ClassVar[str] = "linear"
    weights: Floats

    @property
    def text(self) -> str:
        return f"{_numbers(self.weights)} . x"

    def __call__(self, x: Array) -> Array:
        return np.asarray(x @ np.asarray(self.weights))


@dataclass(frozen=True)
class Distance:
    """|A (x - centre)|: the norm where A is the identity, a Mahalanobis distance where A'A inverts a covariance."""

    kind: ClassVar[str] = "distance"
    centre: Floats
    whitening: tuple[Floats, ...] | None = None

    @property
    def text(self) -> str:
        where = "x" if not any(self.centre) else f"x - {_numbers(self.centre)}"
        return f"|{where}|" if self.whitening is None else f"|A ({where})|, A the whitening of the pilot"

    def __call__(self, x: Array) -> Array:
        centred = x - np.asarray(self.centre)
        return np.sqrt(squares(centred if self.whitening is None else centred @ np.asarray(self.whitening).T))


@dataclass(frozen=True)
class Valuation:
    """The largest k such that x[index] - origin is a multiple of 2^k; the least over all coordinates without index."""

    kind: ClassVar[str] = "valuation"
    index: int | None
    origin: float = 0.0

    @property
    def text(self) -> str:
        what = "every x" if self.index is None else f"x[{self.index}]"
        moved = f" - {self.origin!r}" if self.origin else ""
        return f"the largest k such that {what}{moved} is a multiple of 2^k"

    def __call__(self, x: Array) -> Array:
        if self.index is None:
            return np.asarray(_valuation(x - self.origin).min(axis=1))
        return _valuation(x[:, self.index] - self.origin)


def _valuation(x: Array) -> Array:
    """The exponent of the lowest bit that is set; 2000 for zero."""
    mantissa, exponent = np.frexp(x)
    bits = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.log2((bits & -bits).astype(np.float64), where=bits != 0, out=np.full(x.shape, 2053.0))
    return np.where(bits != 0, exponent - 53 + lowest, 2000.0)


@dataclass(frozen=True)
class Decimals:
    """How many decimals x[index] is written with, 16 for more than 15."""

    kind: ClassVar[str] = "decimals"
    index: int

    @property
    def text(self) -> str:
        return f"the number of decimals of x[{self.index}]"

    def __call__(self, x: Array) -> Array:
        column = x[:, self.index]
        found = np.full(column.shape, 16.0)
        open_rows = np.arange(len(column))
        for places in range(16):
            rest = column[open_rows]
            written = np.round(rest, places) == rest
            found[open_rows[written]] = places
            open_rows = open_rows[~written]
        return found


@dataclass(frozen=True)
class Lattice:
    """How far x[index] lies from the lattice origin + step * Z, in steps."""

    kind: ClassVar[str] = "lattice"
    index: int
    origin: float
    step: float

    @property
    def text(self) -> str:
        return f"the distance of x[{self.index}] from {self.origin!r} + {self.step!r} Z, in steps"

    def __call__(self, x: Array) -> Array:
        position = (x[:, self.index] - self.origin) / self.step
        return np.abs(position - np.rint(position))


@dataclass(frozen=True)
class Atoms:
    """A weight for each output that was seen before, value for value, and 0 for any other."""

    kind: ClassVar[str] = "atoms"
    values: tuple[Floats, ...]
    weights: Floats

    @property
    def text(self) -> str:
        shown = ", ".join(_numbers(value) for value in self.values[:2])
        more = f" and {len(self.values) - 2} others" if len(self.values) > 2 else ""
        return f"the weight of x among the outputs seen before ({shown}{more})"

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], Array, Array]:
        values = np.asarray(self.values, dtype=np.float64)
        keys = _keys(values)
        order = np.argsort(keys)
        return keys[order], values[order], np.asarray(self.weights)[order]

    def __call__(self, x: Array) -> Array:
        keys, values, weights = self._table
        at = np.minimum(np.searchsorted(keys, _keys(x)), len(keys) - 1)
        return np.where((values[at] == x).all(axis=1), weights[at], 0.0)


def _keys(x: Array) -> NDArray[np.uint64]:
    """One integer a row, the same for the same row."""
    bits = np.ascontiguousarray(x + 0.0).view(np.uint64)  # + 0.0 makes -0.0 the same as 0.0
    key = np.zeros(len(x), dtype=np.uint64)
    for column in bits.T:
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key


@dataclass(frozen=True)
class Learned:
    """A logistic regression on coordinates, distances and their logarithms, fitted to a pilot.

    For elliptical noise of any kind the log likelihood ratio is a function of the distances from the
    two centres, and for noise in independent coordinates of the distances in each; both, and their
    logarithms, are among the features.
    """

    kind: ClassVar[str] = "learned"
    centres: tuple[Floats, Floats]
    scales: Floats
    coefficients: Floats

    @property
    def text(self) -> str:
        return f"logistic regression on {len(self.coefficients)} features of x (dpverify.audit.scores.features)"

    def __call__(self, x: Array) -> Array:
        found = features(x, self.centres, self.scales)
        return np.asarray(sum(c * column for c, column in zip(self.coefficients, found, strict=True)))


PER_COORDINATE = 12


def features(x: Array, centres: tuple[Floats, Floats], scales: Floats) -> list[Array]:
    """The columns that `Learned` weighs: x, and for each centre |x - c| and its logarithms, whole and by coordinate."""
    unit = np.asarray(scales)
    columns = list((x / unit).T)
    for centre in centres:
        away = (x - np.asarray(centre)) / unit
        square = np.einsum("ij,ij->i", away, away)
        length = np.sqrt(square)
        columns += [length, square, np.sqrt(1 + square), *(np.log(c + square) for c in (0.1, 1.0, 10.0))]
        if 1 < x.shape[1] <= PER_COORDINATE:
            columns += [part for c in away.T for part in (np.abs(c), np.log1p(c * c))]
    return columns


def _numbers(values: Floats) -> str:
    if len(values) == 1:
        return repr(values[0])
    shown = ", ".join(f"{v:.6g}" for v in values[:4])
    return f"({shown}{', ...' if len(values) > 4 else ''})"


KINDS: dict[str, Any] = {
    s.kind: s for s in (PrivacyLoss, Coordinate, Linear, Distance, Valuation, Decimals, Lattice, Atoms, Learned)
}


def score_to_json(score: Score) -> dict[str, Any]:
    return {"kind": score.kind, **asdict(score)}  # type: ignore[call-overload]


def score_from_json(data: Mapping[str, Any]) -> Score:
    values = {name: _frozen(value) for name, value in data.items() if name != "kind"}
    score: Score = KINDS[data["kind"]](**values)
    return score


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
