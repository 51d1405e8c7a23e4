"""What every mechanism is: a release on data, what is proved of it, and the data sets that it tells best apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpverify.errors import InputError
from dpverify.language import parse_rational
from dpverify.mechanisms.claims import STATUS

if TYPE_CHECKING:
    from dpverify.profiles import Enclosed

Array = NDArray[np.float64]
State = int | np.random.Generator | None
"""Where random numbers come from: a seed, a generator, or fresh from the operating system."""
IN_FLOATS = "noise is drawn in floats, where the proof is of real numbers"
"""Among what a mechanism assumes whose releases are not drawn exactly."""


@dataclass(frozen=True, slots=True)
class Privacy:
    """What is proved of a mechanism: (epsilon, delta), between which data sets, and by what.

    certificate  of the noise, where it is elliptical: anyone can check it; None elsewhere
    claim        the id of the paper's claim (`dpverify theorems ID`), as corrected there; "" where there is none
    status       how far a check of that claim reaches: "proved", "verified", "argued" or "cited"
    neighbours   which data sets are neighbours, in words
    sensitivity  of what is released, in the norm of the noise, and how it is known
    assumes      what nobody here has proved: bounds that a user states, a chain that has mixed
    enclosed     delta(epsilon) at the scale used, as `dpverify profile --dimension infinity` proves it; or None
    """

    epsilon: Fraction
    neighbours: str
    sensitivity: str
    delta: Fraction = Fraction(0)
    certificate: Mapping[str, Any] | None = field(default=None, repr=False)
    claim: str = ""
    assumes: tuple[str, ...] = ()
    enclosed: Enclosed | None = None

    @property
    def status(self) -> str:
        """How far a check of the claim reaches; "" without a claim."""
        return STATUS[self.claim] if self.claim else ""


@dataclass(frozen=True, slots=True)
class Release:
    """What leaves: a value, what is proved of the real mechanism, and how its noise was drawn.

    `drawn` is "exactly" where what is released is a function of the very number that the proof speaks of, and "in
    floats" where a float sampler stands in for it: that is another mechanism, good for studies.
    """

    value: Any
    privacy: Privacy
    drawn: Literal["exactly", "in floats"]
    notes: Mapping[str, Any] = field(default_factory=dict)


class Mechanism(ABC):
    """One of the papers' mechanisms, with its privacy fixed before it sees data.

    Subclasses take `epsilon` (and `delta`, where they need one) as keywords, numbers or exact text such as "1/2".
    Nothing that they fix (scale, bound, lattice, bandwidth) may depend on private data.
    """

    def __init__(self, *, epsilon: Any, delta: Any = 0) -> None:
        self.epsilon = positive(epsilon, "epsilon")
        self.delta = rational(delta, "delta")
        if not 0 <= self.delta < 1:
            raise InputError(f"delta: {self.delta} is not in [0, 1)")

    @property
    @abstractmethod
    def privacy(self) -> Privacy:
        """What is proved."""

    @abstractmethod
    def fit(self, data: Any) -> Any:
        """What is released, without its noise: not private."""

    @abstractmethod
    def release(self, data: Any, *, random_state: State = None) -> Release:
        """One release on data, an array or a data frame."""

    @abstractmethod
    def worst_pair(self) -> tuple[Any, Any]:
        """Two neighbouring data sets that the mechanism tells apart as well as any."""

    def samples(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """So many independent releases on the data, as `dpverify audit` takes them: one row each."""
        return np.array([np.ravel(self.release(data, random_state=rng).value) for _ in range(size)])


def rational(value: Any, name: str) -> Fraction:
    """A number, exactly as given: a float is the decimal that it prints as.

    Raises:
        InputError: it is no number.
    """
    try:
        return parse_rational(value if isinstance(value, (str, int, Fraction)) else repr(float(value)), name)
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"{name}: {value!r} is not a number ({error})") from None


def positive(value: Any, name: str) -> Fraction:
    """A number above 0.

    Raises:
        InputError: it is no number, or not above 0.
    """
    number = rational(value, name)
    if number <= 0:
        raise InputError(f"{name}: {number} is not positive")
    return number


def table(data: Any, name: str = "data", columns: int | None = None) -> Array:
    """Records as a matrix of floats, one row each; a data frame gives its columns in their order.

    Raises:
        InputError: it has other columns, is empty, or holds what is no finite number.
    """
    try:
        rows = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: not a table of numbers; leave out what is text, or code it as numbers") from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not rows.size:
        raise InputError(f"{name}: not a table with a row for each record")
    if columns is not None and rows.shape[1] != columns:
        raise InputError(f"{name}: {rows.shape[1]} columns, not {columns}")
    if not np.isfinite(rows).all():
        raise InputError(f"{name}: row {int(np.argwhere(~np.isfinite(rows))[0][0])} holds no finite number")
    return rows


def generator(state: State) -> np.random.Generator:
    """A generator of random numbers, from a seed or as it is."""
    return np.random.default_rng(state)
