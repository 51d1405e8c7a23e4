"""What a score is: a function from an output to a number, whose thresholds make the events of an audit."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes

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


def shown(values: Floats) -> str:
    """A vector in one line, its first numbers alone where it is long."""
    if len(values) == 1:
        return repr(values[0])
    first = ", ".join(f"{v:.6g}" for v in values[:4])
    return f"({first}{', ...' if len(values) > 4 else ''})"
