"""Which noise has no rho, no mu, and no Renyi divergence from some order on: three proofs.

tail   Let G(n) = -log P(X_1 > n s), s the shift. If D_L <= L rho for all L > 1, the event X_1 > n s alone gives
       G(n + 1) <= L rho + L/(L - 1) G(n), and the best L gives sqrt G(n + 1) <= sqrt G(n) + sqrt rho: G grows no
       faster than n^2. Where log f(r^2)/r^2 tends to -infinity it does, so there is no rho.
pole   Where f(r^2) >= c r^-a at the centre, a > 0, the integral of p^L q^(1 - L) contains that of r^(d - 1 - a L),
       which diverges for L >= d/a.
zero   Where f is 0 from some radius on, p > 0 = q on a set of positive measure (in the direction of -u the support
       of p reaches further), and D_L is infinite for L >= 1.

A mu would give a rho of mu^2/2 (Dong, Roth and Su 2022), so where there is no rho there is no mu.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.germ import LOG_T, power_of_t
from dpverify.enclosures import Slope, Undecided, fraction_above
from dpverify.prover.charts import ORDER
from dpverify.prover.problem import Problem

RADII = tuple(Fraction(2**k) for k in (2, 4, 6, 8, 10, 14, 18, 24))
SQUARE = power_of_t(2)


@dataclass(frozen=True)
class Unbounded:
    """Why there is no rho; `beyond` is an order above which, or `least` one from which on, D_L is infinite."""

    reason: str
    beyond: Fraction | None = None
    least: Fraction | None = None

    def covers(self, order: Fraction) -> bool:
        """Whether D_L is proved infinite at this order."""
        above = self.beyond is not None and order > self.beyond
        return above or (self.least is not None and order >= self.least)


ZERO = Unbounded(
    "f is zero beyond some radius, where the shifted law is not: Renyi divergences of order 1 or more are infinite",
    least=Fraction(1),
)


def unbounded(problem: Problem) -> Unbounded | None:
    """The proof that a positive f has no rho, where one is found."""
    far = _model(problem.far)
    if far is not None:
        lead, c = far.leading()
        if lead > SQUARE and c < 0:
            return Unbounded("f falls faster than the density of any Gaussian, so zCDP has no rho, and GDP no mu")
    near = _model(problem.near_zero)
    if near is not None:
        lead, c = near.leading()
        if lead == LOG_T and c > 0:
            order = fraction_above(arb(problem.dimension) / c)
            told = f"f has a pole like r^-a at the centre: Renyi divergences of orders L > {_short(order)} are infinite"
            return Unbounded(told, beyond=order)
    return None


def zero_beyond(problem: Problem) -> bool:
    """Whether f is proved to be 0 from some radius on: a model without terms is 0 throughout.  One with terms may be
    that of a radius before which f is not 0 yet."""
    return any(_zero_from(problem, radius) for radius in RADII)


def _zero_from(problem: Problem, radius: Fraction) -> bool:
    try:
        return not problem.far_value(Germ(radius, ORDER)).terms
    except Undecided:
        return False


def _short(order: Fraction) -> str:
    return str(order) if order.denominator < 1000 else f"{float(order):.6g}"


def _model(at: Callable[[Germ], Slope]) -> Model | None:
    for radius in RADII:
        try:
            found: Model = at(Germ(radius, ORDER)).u
        except Undecided:
            continue
        return found
    return None
