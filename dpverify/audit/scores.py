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

from dpverify.audit.outcomes import Outcomes, integer, text_key
from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.sampling import EllipticalNoise, log_density
from dpverify.sampling.elliptical import squares

Array = NDArray[np.float64]
Floats = tuple[float, ...]


class Score(Protocol):
    """x, an array n x d of floats, to n numbers, NaN where it has no value; `text` says the function in one line.

    A score that looks at outcomes as they are, and not at the nearest floats, has a method `exactly` beside.
    """

    kind: ClassVar[str]

    @property
    def text(self) -> str: ...

    def __call__(self, x: Array) -> Array: ...


def values_of(score: Score, x: Array | Outcomes) -> Array:
    """The score's values at outputs; what floats do not tell is looked at where the score can."""
    if not isinstance(x, Outcomes):
        x = Outcomes(np.asarray(x, dtype=np.float64))
    exactly = getattr(score, "exactly", None)
    with np.errstate(invalid="ignore", over="ignore"):
        found: Array = score(x.numbers) if exactly is None else exactly(x)
    return found


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
            values = {name: _frozen(value) for name, value in self.loss.items()}
            object.__setattr__(self, "loss", PrivacyLoss(**values))
        if not self.rates or not all(0 < rate <= 1 for rate in self.rates):
            raise InputError("each release has a sampling rate above 0 and at most 1")

    @classmethod
    def of(cls, noise: EllipticalNoise, shift: Array, rates: Floats) -> Composed:
        """So many releases as there are rates, each with this noise; a rate of 1 is a release on all records."""
        return cls(PrivacyLoss.of(noise, np.asarray(shift, dtype=np.float64)), tuple(map(float, rates)))

    @property
    def text(self) -> str:
        return f"the sum over {len(self.rates)} release(s), sampled at {_numbers(self.rates)}, of {self.loss.text}"

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


@dataclass(frozen=True)
class Near:
    """The valuation of x[index] where it lies within `radius` of `place`, as that of zero elsewhere."""

    kind: ClassVar[str] = "near"
    index: int
    place: float
    radius: float

    @property
    def text(self) -> str:
        where = f"|x[{self.index}]{f' - {self.place!r}' if self.place else ''}| < {self.radius!r}"
        return f"the largest k such that x[{self.index}] is a multiple of 2^k where {where}, else 2000"

    def __call__(self, x: Array) -> Array:
        column = x[:, self.index]
        found = np.full(len(column), 2000.0)
        near = np.abs(column - self.place) < self.radius
        found[near] = _valuation(column[near])
        return found


def _valuation(x: Array) -> Array:
    """The exponent of the lowest bit that is set; 2000 for zero, NaN for what is not finite."""
    finite = np.isfinite(x)
    mantissa, exponent = np.frexp(np.where(finite, x, 0.0))
    bits = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.log2((bits & -bits).astype(np.float64), where=bits != 0, out=np.full(x.shape, 2053.0))
    return np.where(finite, np.where(bits != 0, exponent - 53 + lowest, 2000.0), np.nan)


@dataclass(frozen=True)
class Decimals:
    """How many decimals x[index] is written with, 16 for more than 15, NaN for what is not finite."""

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
        return np.where(np.isfinite(column), found, np.nan)


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
class Special:
    """1 where x[index] is NaN, 0 elsewhere."""

    kind: ClassVar[str] = "special"
    index: int

    @property
    def text(self) -> str:
        return f"x[{self.index}] is NaN (1) or not (0)"

    def __call__(self, x: Array) -> Array:
        return np.isnan(x[:, self.index]).astype(np.float64)


@dataclass(frozen=True)
class Offset:
    """x[index] - origin for whole numbers, which need not be floats; NaN for what is no whole number."""

    kind: ClassVar[str] = "offset"
    index: int
    origin: str

    @property
    def text(self) -> str:
        return f"x[{self.index}] - {self.origin}, exactly"

    def exactly(self, x: Outcomes) -> Array:
        origin = int(self.origin)
        column = x.numbers[:, self.index].tolist() if x.values is None else x.values[:, self.index].tolist()
        return np.array([_away(value, origin) for value in column])

    def __call__(self, x: Array) -> Array:
        return self.exactly(Outcomes(x))


def _away(value: Any, origin: int) -> float:
    whole = integer(value)
    if whole is None:
        return np.nan
    away = whole - origin
    return float(away) if abs(away) < 1 << 1000 else np.inf if away > 0 else -np.inf


@dataclass(frozen=True)
class Atoms:
    """A weight for each output that was seen before, value for value, and 0 for any other.

    A value is its numbers, or one text for an output that is not finite floats throughout. With
    `index` it is that coordinate which is looked up, without it the whole output.
    """

    kind: ClassVar[str] = "atoms"
    values: tuple[tuple[float | str, ...], ...]
    weights: Floats
    index: int | None = None

    @property
    def text(self) -> str:
        shown = ", ".join(v[0] if isinstance(v[0], str) else _numbers(v) for v in self.values[:2])  # type: ignore[arg-type]
        more = f" and {len(self.values) - 2} others" if len(self.values) > 2 else ""
        what = "x" if self.index is None else f"x[{self.index}]"
        return f"the weight of {what} among the outputs seen before ({shown}{more})"

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], Array, NDArray[Any], Array]:
        width = max(len(value) for value in self.values)
        texts = np.array([v[0] if isinstance(v[0], str) else "" for v in self.values], dtype=object)
        numbers = np.array([[np.nan] * width if isinstance(v[0], str) else v for v in self.values], dtype=np.float64)
        keys = Outcomes(np.nan_to_num(numbers)).keys
        for at in np.flatnonzero(texts != ""):
            keys[at] = text_key(texts[at])
        order = np.argsort(keys)
        return keys[order], numbers[order], texts[order], np.asarray(self.weights)[order]

    def exactly(self, x: Outcomes) -> Array:
        seen = x if self.index is None else x.column(self.index)
        keys, numbers, texts, weights = self._table
        at = np.minimum(np.searchsorted(keys, seen.keys), len(keys) - 1)
        same = (texts[at] == seen.texts) & ((seen.texts != "") | (numbers[at] == seen.numbers).all(axis=1))
        return np.where(same.astype(bool), weights[at], 0.0)

    def __call__(self, x: Array) -> Array:
        return self.exactly(Outcomes(x))


@dataclass(frozen=True)
class Learned:
    """A logistic regression on coordinates, distances and their logarithms, fitted to a pilot.

    For elliptical noise of any kind the log likelihood ratio is a function of the distances from the
    two centres, and for noise in independent coordinates of the distances in each; both, and their
    logarithms, are among the features. Where it is `radial`, the distances from the two centres are all.
    """

    kind: ClassVar[str] = "learned"
    centres: tuple[Floats, Floats]
    scales: Floats
    coefficients: Floats
    radial: bool = False

    @property
    def text(self) -> str:
        return f"logistic regression on {len(self.coefficients)} features of x (dpverify.audit.scores.features)"

    def __call__(self, x: Array) -> Array:
        found = features(x, self.centres, self.scales, self.radial)
        return np.asarray(sum(c * column for c, column in zip(self.coefficients, found, strict=True)))


PER_COORDINATE = 12


def features(x: Array, centres: tuple[Floats, Floats], scales: Floats, radial: bool = False) -> list[Array]:
    """The columns that `Learned` weighs: x, and for each centre |x - c| and its logarithms, whole and by coordinate."""
    unit = np.asarray(scales)
    columns = [] if radial else list((x / unit).T)
    for centre in centres:
        away = (x - np.asarray(centre)) / unit
        square = np.einsum("ij,ij->i", away, away)
        length = np.sqrt(square)
        columns += [length, square, np.sqrt(1 + square), *(np.log(c + square) for c in (0.1, 1.0, 10.0))]
        if not radial and 1 < x.shape[1] <= PER_COORDINATE:
            columns += [part for c in away.T for part in (np.abs(c), np.log1p(c * c))]
    return columns


def _numbers(values: Floats) -> str:
    if len(values) == 1:
        return repr(values[0])
    shown = ", ".join(f"{v:.6g}" for v in values[:4])
    return f"({shown}{', ...' if len(values) > 4 else ''})"


ALL = (
    PrivacyLoss,
    Composed,
    Coordinate,
    Linear,
    Distance,
    Valuation,
    Near,
    Decimals,
    Lattice,
    Special,
    Offset,
    Atoms,
    Learned,
)
KINDS: dict[str, Any] = {score.kind: score for score in ALL}


def score_to_json(score: Score) -> dict[str, Any]:
    """The score as plain data."""
    return {"kind": score.kind, **asdict(score)}  # type: ignore[call-overload]


def score_from_json(data: Mapping[str, Any]) -> Score:
    """The score that `score_to_json` wrote down."""
    values = {name: _frozen(value) for name, value in data.items() if name != "kind"}
    score: Score = KINDS[data["kind"]](**values)
    return score


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
