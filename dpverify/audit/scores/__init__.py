"""Scores: functions from an output to a number, whose thresholds make the events of an audit."""

from dpverify.audit.scores.bits import Decimals, Fineness, Lattice, Significant, Valuation
from dpverify.audit.scores.model import Composed, PrivacyLoss
from dpverify.audit.scores.plain import score_from_json, score_to_json
from dpverify.audit.scores.score import Array, Floats, Score, values_of
from dpverify.audit.scores.shape import Coordinate, Distance, Learned, Linear, features
from dpverify.audit.scores.values import Atoms, Offset, Special

__all__ = [
    "Array",
    "Atoms",
    "Composed",
    "Coordinate",
    "Decimals",
    "Distance",
    "Fineness",
    "Floats",
    "Lattice",
    "Learned",
    "Linear",
    "Offset",
    "PrivacyLoss",
    "Score",
    "Significant",
    "Special",
    "Valuation",
    "features",
    "score_from_json",
    "score_to_json",
    "values_of",
]
