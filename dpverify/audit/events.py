"""Events: a score and a threshold, and the order in which the two outputs are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpverify.audit.outcomes import Outcomes
from dpverify.audit.scores import Array, Score, score_from_json, score_to_json, values_of

Direction = Literal["P/Q", "Q/P"]
Side = Literal[">=", "<"]


@dataclass(frozen=True)
class Event:
    """{score(x) side threshold}, expected more often under the first output named by the direction."""

    score: Score
    side: Side
    threshold: float
    direction: Direction

    def contains(self, x: Array | Outcomes) -> NDArray[np.bool_]:
        """Which rows of x, an array n x d or outcomes of any kind, lie in the event."""
        return self.holds(values_of(self.score, x))

    def holds(self, value: Array) -> NDArray[np.bool_]:
        """Which values of the score lie on the event's side of its threshold."""
        return value >= self.threshold if self.side == ">=" else value < self.threshold

    @property
    def text(self) -> str:
        """The event in one line."""
        return f"{self.direction}: {{{self.score.text} {self.side} {self.threshold!r}}}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "score": score_to_json(self.score),
            "side": self.side,
            "threshold": repr(self.threshold),
            "direction": self.direction,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """What `to_json` wrote down."""
        return cls(score_from_json(data["score"]), data["side"], float(data["threshold"]), data["direction"])
