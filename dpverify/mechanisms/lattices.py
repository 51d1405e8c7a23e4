"""Lattices that outputs are rounded to: fixed by the scale of the noise alone, never by data.

The low bits of a float sum tell its summands, which no proof about real numbers covers; rounded to a lattice far
above them and far below the noise, they are gone but for a share of about 1e-9.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, log2

import numpy as np
from numpy.typing import ArrayLike

from dpverify.mechanisms.mechanism import Array

FINE = 20


def fine(scale: Fraction) -> Fraction:
    """A power of two, about a millionth of the scale."""
    return Fraction(2) ** (floor(log2(scale)) - FINE)


def rounded(values: ArrayLike, scale: Fraction) -> Array:
    """The lattice points nearest to floats."""
    step = float(fine(scale))
    return np.asarray(np.rint(np.asarray(values, dtype=np.float64) / step) * step)
