"""A sample that is only close to a private law: what is left of its privacy, and whether a chain has mixed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
from flint import arb

from dpverify.errors import InputError
from dpverify.mechanisms.mechanism import Array

BITS = 64


def delta_of_distance(ratio: Any, distance: Any) -> Any:
    """delta' = (1 + e^eps) t, ratio = e^eps: where both data sets' samples lie within total variation t of an
    epsilon-DP mechanism they are (epsilon, delta')-DP, and no smaller delta' will do. Awan and others (2019), Section
    7, name no delta'; the claim awan-2019:section-7-total-variation checks this one.
    """
    return (1 + ratio) * distance


def delta_of_a_chain(epsilon: Fraction, distance: Fraction) -> Fraction:
    """The same for epsilon itself, rounded up to a multiple of 2^-64 (or of t 2^-64, where that is less).

    Raises InputError where `distance` is not in [0, 1].
    """
    if not 0 <= distance <= 1:
        raise InputError(f"total variation: {distance} is not in [0, 1]")
    if not distance:
        return Fraction(0)
    ratio = (arb(epsilon.numerator) / arb(epsilon.denominator)).exp().upper().fmpq()
    exact = delta_of_distance(Fraction(int(ratio.p), int(ratio.q)), distance) / distance
    return min(Fraction(1), Fraction(-(-exact.numerator * 2**BITS // exact.denominator), 2**BITS) * distance)


def mixing(values: Mapping[str, Array]) -> dict[str, dict[str, float]]:
    """R-hat and the effective sample size of functionals of a chain: Vehtari and others (2021), by ArviZ.

    Computed from private data they are not private: look at them on public or made-up data of the same kind. They find
    chains that have not mixed; they prove of none that it has.

    Args:
        values: name -> chains x draws.

    Returns:
        name -> {"r_hat", "effective", "draws"}.

    Raises:
        InputError: ArviZ is not installed, or there are fewer than 2 chains or 8 draws.
    """
    try:
        stats: Any = import_module("arviz_stats.base").array_stats
    except ImportError:
        raise InputError("diagnostics need ArviZ: pip install 'dpverify[mechanisms]'") from None
    found = {}
    for name, rows in values.items():
        rows = np.asarray(rows, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[0] < 2 or rows.shape[1] < 8:
            raise InputError(f"{name}: at least 2 chains of 8 draws are needed, a row each")
        sides: dict[str, Any] = {"chain_axis": 0, "draw_axis": 1}
        found[name] = {
            "r_hat": float(stats.rhat(rows, **sides)),
            "effective": float(stats.ess(rows, **sides)),
            "draws": float(rows.size),
        }
    return found
