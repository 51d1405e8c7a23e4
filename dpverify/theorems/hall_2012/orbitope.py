"""The Caratheodory orbitope K'_m: the quadrature over its angles, and the exact moments that it confirms."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

from flint import arb, arb_mat

from dpverify.mechanisms.sensitivities import harmonic


@cache
def determinants(m: int) -> dict[tuple[int, ...], arb]:
    """det B at all tuples of grid angles, B of the curve (cos k t, sin k t) and its derivative, k = 1..m.

    Averages over the grid are averages over the angles, exactly: in each angle det B has degree at most 2m, and times
    cos k t at most 3m, less than the 4m + 1 points of the grid.
    """
    size = 4 * m + 1
    columns = []
    for s in range(size):
        angles = [2 * arb.pi() * k * s / size for k in range(1, m + 1)]
        point = [f for a in angles for f in (a.cos(), a.sin())]
        slope = [f for k, a in enumerate(angles, 1) for f in (-k * a.sin(), k * a.cos())]
        columns.append((point, slope))
    table = {}
    for rest in product(range(size), repeat=m - 1):
        chosen = [columns[0], *(columns[s] for s in rest)]  # by rotation the first angle may stay at 0
        rows = [line for pair in chosen for line in pair]
        table[(0, *rest)] = arb_mat(2 * m, 2 * m, [x for line in rows for x in line]).det()
    return table


@cache
def moments(m: int) -> tuple[arb, dict[int, arb]]:
    """The mean of det B over all angles, and for each frequency k the mean of cos k(t1 - t2) under that density."""
    table, size = determinants(m), 4 * m + 1
    total = sum(table.values(), arb(0))
    cross = {}
    for k in range(1, m + 1):
        weighted = arb(0)
        if m > 1:
            weighted = sum((d * (2 * arb.pi() * k * s[1] / size).cos() for s, d in table.items()), arb(0))
        cross[k] = weighted / total
    return total / len(table), cross


def inertia_by_quadrature(m: int, k: int) -> arb:
    """(4.16) evaluated: mean of 6 sum psi^2 + 4 sum psi psi, for the curve with sqrt(2)."""
    _, cross = moments(m)
    return (6 * m + 4 * m * (m - 1) * cross[k]) / ((2 * m + 1) * (2 * m + 2))


def cross_moment(m: int, k: int) -> Fraction:
    """The mean of psi_i(theta_1) psi_i(theta_2) under D, frequency k, for the curve without sqrt(2)."""
    return (-2 * m + k + Fraction(1, 2) + Fraction(k, 2) * (harmonic(m) - harmonic(m - k))) / (4 * m * (m - 1))
