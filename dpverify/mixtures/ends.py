"""The mixing density at its two ends, v -> 0 and v -> oo, by rigorous models of p and of its steepness.

steepness: u(v) = -v p'(v) / p(v), the exponent that p has locally as a power of 1/v.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from dpverify.asymptotics import LOG_T, Germ, Model
from dpverify.asymptotics.germ import Span, power_of_t
from dpverify.enclosures import Evaluation, Slope, Undecided
from dpverify.enclosures.nodes import Node
from dpverify.findings import Place, Reason
from dpverify.prover.charts import ORDER, integral_converges, ladder

START = Fraction(2)
SQUARE = power_of_t(2)
LARGEST_DIMENSION = 10**12


@dataclass(frozen=True, slots=True)
class End:
    """One end of (0, oo): v <= 1/radius or v >= radius.

    `log` and `steepness` are models of log |p| and of u in t = 1/v or t = v, None where p = 0
    throughout; `sign` is the sign of p.
    """

    at_zero: bool
    radius: Fraction
    sign: int
    log: Model | None
    steepness: Model | None

    def converges(self, power: int) -> bool:
        """Whether the integral of v^power p(v) is finite at this end; raises Undecided."""
        if self.log is None:
            return True
        return integral_converges(self.log, -power - 1 if self.at_zero else power + 1)

    def span(self) -> Span:
        """Every value of u at this end."""
        if self.steepness is None:
            raise Undecided(Reason.P_VANISHES())
        return self.steepness.span()

    def first_divergent(self) -> int | None:
        """The least d >= 1 for which the integral of v^(-d) p(v) diverges at zero, None where there is none."""
        if self.log is None:
            return None
        lead, coefficient = self.log.leading()
        if lead > LOG_T and coefficient < 0:
            return None
        low, high = 0, 1
        while self.converges(-high):
            low, high = high, 2 * high
            if high > LARGEST_DIMENSION:
                raise Undecided(Reason.MOMENTS_BEYOND(dimension=low))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.converges(-middle) else (low, middle)
        return high

    def lighter_than_gaussian(self) -> bool:
        """Whether p = 0 at infinity, or log p(v) / v^2 tends to -oo; raises Undecided."""
        if self.log is None:
            return True
        lead, coefficient = self.log.leading()
        if lead <= SQUARE:
            return False
        if not coefficient < 0:
            raise Undecided(Reason.LOG_P_TOO_CLOSE())
        return True

    def steady(self) -> bool:
        """Whether the tail bound of `tail` applies in every dimension, for a large enough radius."""
        if self.steepness is None:
            return False
        u = self.steepness.span()
        if u.high.is_finite():
            return bool(u.low > 0)
        return bool(u.low > 2 and self.per_square().high.is_finite())

    def per_square(self) -> Span:
        """Every value of u / v^2 at infinity."""
        if self.steepness is None:
            raise Undecided(Reason.P_VANISHES())
        return (self.steepness * Model.power_of_t(self.steepness.germ, -2)).span()


def model(node: Node, at_zero: bool, radius: Fraction) -> End:
    """The end that begins at `radius`; raises Undecided."""
    germ = Germ(radius, ORDER)
    v = Model.power_of_t(germ, -1 if at_zero else 1)
    if _vanishes(node, v):
        return End(at_zero, radius, 0, None, None)
    sign, log = Evaluation(Slope(v, v.const(fmpq(1)))).log(node)
    return End(at_zero, radius, sign, log.u, -(log.du * v))


def _vanishes(node: Node, v: Model) -> bool:
    try:
        return bool(Evaluation(v).value(node).sign() == 0)
    except Undecided:
        return False


def find(node: Node, at_zero: bool) -> End:
    """The first end of a ladder of radii whose model decides all that is asked of it, or any; raises Undecided."""
    failure: Undecided | None = None
    found: End | None = None
    for radius in ladder(START):
        try:
            end = model(node, at_zero, radius)
            found = found or end
            if end.converges(0) and not at_zero and not end.lighter_than_gaussian() and not end.steady():
                continue
            return end
        except Undecided as error:
            failure = error if failure is None or failure.wants_further() else failure
        if found is not None and radius > START * 2**64:
            break
    if found is not None:
        return found
    assert failure is not None
    at = Place.ZERO if at_zero else Place.INFINITY
    raise Undecided(Reason.NO_MODEL_OF_MIXING(where=at, failure=failure.finding))
