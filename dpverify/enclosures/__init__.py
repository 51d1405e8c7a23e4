"""Rigorous arithmetic on boxes: balls, slopes, exact increments, and evaluation of a generator."""

from dpverify.enclosures.ball import Ball, Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.evaluation import Evaluation
from dpverify.enclosures.pairs import Shift, Slope

__all__ = [
    "Ball",
    "Evaluation",
    "Shift",
    "Slope",
    "Undecided",
    "exact",
    "fraction_above",
    "fraction_below",
    "precision",
]
