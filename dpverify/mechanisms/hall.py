"""Formulas of Hall's thesis as the mechanisms use them, corrected where the printed one is wrong.

The checks of the claims in `dpverify.theorems` test these very functions, over balls and symbols: nothing here
imports a library, and whoever passes other numbers than floats passes their functions too.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, floor, log
from typing import Any

DIAMETER = 2
"""Of a body in its own gauge, if it is symmetric; printed for every convex body (section-1.3.3-sensitivity)."""
SAFE = 2
"""A share c/n of records is released exactly where 2 (c + 1)/n <= gamma, and so on (Propositions 5.2.1 to 5.2.3)."""


def radius_law(d: Any, rate: Any) -> tuple[Any, Any]:
    """Shape and rate of the Gamma law of r, for r V of density exp(-rate ||x||_K) (section-1.3.3-sampler)."""
    return d + 1, rate


def threshold(cells: Any, epsilon: Any, logarithm: Any = log) -> Any:
    """tau = (2/epsilon) log p (2.4): an empty cell stays with probability 1/(2p) under Laplace noise."""
    return 2 / epsilon * logarithm(cells)


def sparse_risk(cells: Any, occupied: Any, epsilon: Any, logarithm: Any = log) -> Any:
    """More than the l_1 risk with that threshold where at most q cells are occupied (Proposition 2.4.3)."""
    return (2 * occupied + 1) / epsilon * (logarithm(cells) + 1)


def sparse_bound(cells: int, occupied: int, epsilon: float) -> float:
    """Less than every private method's worst l_1 risk on q >= 2 occupied cells (Proposition 2.4.4, as corrected).

    (q - 1) floor(log(floor((p - 1)/(q - 1)) - 1)/epsilon). It is printed for every q, which is false for q = 1.
    """
    groups = (cells - 1) // max(occupied - 1, 1)
    return (occupied - 1) * floor(log(groups - 1) / epsilon) if occupied > 1 and groups > 2 else 0.0


def empty_cells_are_safe(cells: int, records: int, gamma: Fraction, factor: Any = SAFE) -> bool:
    """Whether empty cells are released as they are: 2d <= gamma n (5.2)."""
    return bool(factor * cells <= gamma * records)


def small_cell_is_safe(count: int, others: int, records: int, gamma: Fraction, factor: Any = SAFE) -> bool:
    """Whether a cell of this count is released as it is: count/n + 1/n <= gamma/(2k), `others` = k (5.3)."""
    return bool(factor * others * (count + 1) <= gamma * records)


def share_is_safe(ones: int, records: int, gamma: Fraction, factor: Any = SAFE) -> bool:
    """Whether a share is released as it is: 2(p^ + 1/n) <= gamma (5.1)."""
    return bool(factor * (ones + 1) <= gamma * records)


def smooth_delta(alpha: Any, beta: Any, exponential: Any = exp) -> Any:
    """The exact delta of Laplace noise of scale 2s/alpha, for s(D) <= e^beta s(D'), beta <= alpha/2.

    Claim section-5.3-smooth; printed is exp(-alpha/(2 beta)), which is too small for alpha >= 5 and some beta.
    """
    spread = exponential(beta) - 1
    near = exponential(-(alpha / 2 + beta) / spread)
    far = exponential(-(3 * alpha / 2 + beta) / spread)
    return (1 - exponential(-beta)) / 2 * (near + far)
