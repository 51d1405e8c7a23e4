"""Scores as plain data: written to JSON and read back a score is the same function.

So whoever receives a report can count the event again, and a run that was killed goes on with the event it had chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dpverify.audit.scores.bits import Decimals, Fineness, Lattice, Significant, Valuation
from dpverify.audit.scores.model import Composed, PrivacyLoss
from dpverify.audit.scores.score import Score
from dpverify.audit.scores.shape import Coordinate, Distance, Learned, Linear
from dpverify.audit.scores.values import Atoms, Offset, Special

ALL = (
    PrivacyLoss,
    Composed,
    Coordinate,
    Linear,
    Distance,
    Valuation,
    Significant,
    Fineness,
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
    """Lists as tuples, also within a score that is part of another."""
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
