"""Choosing the two charts that are not boxes: where the models at zero and at infinity begin.

Both searches climb a ladder of radii until the models settle everything that they can settle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import fmpq

from dpverify.asymptotics import CONSTANT, SCALES, Germ, Model
from dpverify.enclosures import Evaluation, Slope, Undecided, exact
from dpverify.findings import Place, Reason
from dpverify.prover.monotone import never_below_zero
from dpverify.prover.problem import Problem

ORDER, LOW_ORDER = 6, 3
RUNGS = (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 24, 32, 44, 64, 100, 160, 256, 400, 640, 1000, 1600)


def integral_converges(log: Model, dimension: int) -> bool:
    """Whether the integral of e^log t^dimension dt/t towards infinity is finite.

    With x = log t it is the integral of e^M dx, M = log + dimension * log t.  Where M carries no
    multiple of x, the next logarithm decides, since dx = x d(log x); and so on.
    """
    m = log
    for k, scale in enumerate(SCALES):
        m = m + Model(m.germ, {scale: fmpq(dimension if k == 0 else 1)})
        lead, c = m.leading()
        if lead >= scale or (lead > CONSTANT and c > 0):
            if c < 0:
                return True
            if c > 0:
                return False
            raise Undecided(Reason.CONVERGENCE_TOO_CLOSE())
    if lead > CONSTANT:
        raise Undecided(Reason.CONVERGENCE_BORDERLINE())
    return False


@dataclass(frozen=True)
class End:
    """One end of the half-line: its germ, and log f with its slopes there."""

    germ: Germ
    log: Slope
    integrable: bool
    falling: bool
    settled: bool
    """Whether the loss, at the centre log f, is known to grow, or not to."""

    @property
    def radius(self) -> Fraction:
        """Where the models begin to hold."""
        return self.germ.radius


def end_at(problem: Problem, germ: Germ, at_zero: bool) -> End:
    """What the models settle from the germ's radius on; raises Undecided."""
    log = problem.near_zero(germ) if at_zero else problem.far(germ)
    # far_loss is Undecided where the radius is too small for it
    settled = growth_known(log.u if at_zero else problem.far_loss(germ, exact(problem.delta)))
    dimension = -problem.dimension if at_zero else problem.dimension
    integrable = integral_converges(log.u, dimension)
    try:
        falling = bool(log.du.span().high <= 0)
    except Undecided:
        falling = False
    return End(germ, log, integrable, falling, settled)


@lru_cache(64)
def ladder(start: Fraction) -> tuple[Fraction, ...]:
    """Radii to try, from `start` up."""
    return tuple(start * 2**rung for rung in RUNGS)


def find_end(problem: Problem, at_zero: bool, start: Fraction) -> End:
    """The first end of the ladder on which f falls and the loss is known to grow, or not to; failing that, the first
    that is decided at all.

    Powers of log log t are monotone only very far out, so a second climb keeps few of them.
    Raises Undecided with the first failure where no rung decides anything.
    """
    failure: Undecided | None = None
    for order in (ORDER, LOW_ORDER):
        found: End | None = None
        for radius in ladder(start):
            try:
                end = end_at(problem, Germ(radius, order), at_zero)
            except Undecided as error:
                failure = error if failure is None or failure.wants_further() else failure
                continue
            if end.settled and (end.falling or not end.integrable):
                return end
            found = end if found is None or (end.settled and not found.settled) else found
            if radius > start * 2**64:
                break
        if found is not None:
            return found
    raise failure or Undecided(Reason.NO_MODEL())


def find_bounded_end(problem: Problem, start: Fraction) -> Germ:
    """The first end of the ladder on which 0 <= f <= C t^-n for some n > d, or f = 0.

    For generators that vanish somewhere, so that log f is of no use; Undecided where none is found.
    """
    known = never_below_zero(problem.node)
    for radius in ladder(start):
        germ = Germ(radius, ORDER)
        try:
            monomial, factor = problem.far_value(germ).bracket()
        except Undecided:
            continue
        small = (known or factor.low >= 0) and monomial[:2] < (0, -problem.dimension)
        if factor.sign() == 0 or (small and factor.high.is_finite()):
            return germ
    raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.TAIL))


def find_diverging_end(problem: Problem, start: Fraction) -> Germ | None:
    """The first end of the ladder beyond which the integral of f is infinite; None where none is found.

    For waves that run faster and faster: log f is bounded there, though neither its slopes nor its losses are.
    """
    return first_diverging(problem, (Germ(radius, ORDER) for radius in ladder(start)))


def first_diverging(problem: Problem, germs: Iterable[Germ]) -> Germ | None:
    """The first of the germs on whose radii the integral of f is infinite; None where none is seen to be such."""
    for germ in germs:
        try:
            if not integral_converges(problem.far(germ).u, problem.dimension):
                return germ
        except Undecided:
            continue
    return None


def find_bounded_centre(problem: Problem) -> Germ:
    """The first chart at zero on which f = 0, or 0 <= f <= C r^-n for some n < d; Undecided where none is found."""
    for radius in ladder(Fraction(2**10)):
        germ = Germ(radius, ORDER)
        try:
            monomial, factor = Evaluation(Model.power_of_t(germ, -1)).value(problem.node).bracket()
        except Undecided:
            continue
        small = factor.low >= 0 and factor.high.is_finite() and monomial[:2] < (0, problem.dimension)
        if factor.sign() == 0 or small:
            return germ
    raise Undecided(Reason.NO_INTEGRABLE_POWER(where=Place.CENTRE))


def growth(model: Model) -> int:
    """1 or -1 where the model tends to that infinity, 0 where it stays bounded; Undecided else."""
    lead, c = model.leading()
    if lead <= CONSTANT:
        return 0
    if c > 0:
        return 1
    if c < 0:
        return -1
    raise Undecided(Reason.TOO_CLOSE_TO_CALL())


def growth_known(model: Model) -> bool:
    """Whether `growth` tells."""
    try:
        growth(model)
    except Undecided:
        return False
    return True
