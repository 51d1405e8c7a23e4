"""How Coq is to integrate an expression: of which degree its Taylor polynomials are, and how small their remainders.

`integral_of` in the library halves what it integrates until the remainder, the last coefficient on the whole part, is
small. The degree with which that is soonest done is found here by Arb's power series, which are wider than Coq's: the
halvings that they need are enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_series

from dpverify.enclosures import Undecided
from dpverify.enclosures.ball import exact
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.numbers import series
from dpverify.export.coq.sums import below
from dpverify.export.coq.text import arguments
from dpverify.prover.profile.series import capped

DEGREES = (9, 13, 17, 21, 25, 31)
STEPS = 6
"""What a coefficient costs beside the products that it needs, in products."""
DEEPEST, MOST = 40, 4000


@dataclass(frozen=True, slots=True)
class Quadrature:
    """The degree, the width that remainders may have for each unit of length, and the halvings at most."""

    degree: int
    tolerance: Fraction
    fuel: int

    def arguments(self, expression: str) -> str:
        """As `integral_within` has them, the expression among them."""
        return f"{self.degree} {expression} {arguments(self.tolerance)} {self.fuel}"


def quadrature(e: Expr, low: Fraction, high: Fraction, room: Fraction) -> Quadrature:
    """The cheapest that leaves at most half of the room; raises NotCovered where none does."""
    best: tuple[float, Quadrature] | None = None
    for degree in DEGREES:
        most = room * (degree + 2) / (4 * (high - low))
        tolerance = below(most, most / 4)
        found = halvings(e, low, high, degree, tolerance, best[0] if best else float("inf"))
        if found is not None and (best is None or found[0] < best[0]):
            best = found[0], Quadrature(degree, tolerance, found[1] + 2)
    if best is None:
        raise NotCovered("no Taylor polynomial comes near enough to an integrand")
    return best[1]


def halvings(
    e: Expr, low: Fraction, high: Fraction, degree: int, tolerance: Fraction, most: float
) -> tuple[float, int] | None:
    """What it costs, and how often the parts are halved; None where it costs more than the most."""
    each = (degree + STEPS) ** 2
    cost, deepest, parts = 0.0, 0, [(low, high, 0)]
    while parts:
        a, b, depth = parts.pop()
        cost += each
        if depth > DEEPEST or cost > most or cost > MOST * each:
            return None
        if is_narrow(e, a, b, degree, tolerance):
            cost, deepest = cost + each, max(deepest, depth)
        else:
            middle = (a + b) / 2
            parts += [(a, middle, depth + 1), (middle, b, depth + 1)]
    return cost, deepest


def is_narrow(e: Expr, a: Fraction, b: Fraction, degree: int, tolerance: Fraction) -> bool:
    """`narrow`: whether the remainder on a part is small for its length."""
    half = (b - a) / 2
    try:
        with capped(degree + 1):
            last = series(e, arb_series([arb(exact((a + b) / 2), exact(half)), 1]))[degree + 1]
    except Undecided:  # a divisor may be zero
        return False
    return bool(last.is_finite() and 2 * last.rad() * exact(half) ** (degree + 1) <= exact(tolerance))
