"""An f that touches 0 again and again however far out, cut where little of it is left: h = f up to R, and c e^-r
beyond, with as good as the same profile, by the bound that is in cut.py.

Nothing is known there of log f, which waves down to -oo, but r^p f has a model, whose coefficients the waves lie in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.enclosures import Undecided
from dpverify.findings import Reason
from dpverify.prover.charts import ORDER
from dpverify.prover.monotone import nonnegative
from dpverify.prover.problem import Problem
from dpverify.prover.profile.pieces import ball, simple

FURTHEST = Fraction(2**20)
HALVINGS = 5
"""How closely the first radius is found beyond which there is so little."""


@dataclass(frozen=True)
class Faint:
    """R; a power of r with which f is bounded beyond; and c."""

    radius: Fraction
    power: int
    height: Fraction

    def instead(self, text: str) -> str:
        """h, where it is f up to R."""
        return f"Piecewise((({text}), r < {self.radius}), ({self.height}*exp(-r), True))"

    def lost(self, problem: Problem) -> arb:
        """At most the integral of r^(d-1) |f - h|, the problem being that of f."""
        beyond = left(problem, self.radius, self.power)
        return beyond + ball(self.height) * arb(problem.dimension).gamma()

    def step(self) -> dict[str, object]:
        """The step of a certificate that names it."""
        return {"radius": str(self.radius), "power": self.power, "height": str(self.height)}


def left(problem: Problem, radius: Fraction, power: int) -> arb:
    """At most the integral of r^(d-1) f beyond a radius, by a bound of r^p f; Undecided where f may be negative."""
    germ, margin = Germ(radius, ORDER), power - problem.dimension
    weighed = (problem.far_value(germ) * Model.power_of_t(germ, power)).span()
    if not (weighed.high.is_finite() and (weighed.low >= 0 or nonnegative(problem.node))):
        raise Undecided(Reason.TOO_MUCH_FAR_OUT())
    return (weighed.high * ball(radius) ** -margin / margin).upper()


def waves_to_zero(problem: Problem, radius: Fraction) -> bool:
    """Whether f is not shown positive beyond a radius."""
    try:
        return problem.far_value(Germ(radius, ORDER)).bracket()[1].sign() != 1
    except Undecided:
        return True


def faint(problem: Problem, start: Fraction, small: float) -> Faint:
    """Where to cut f, beyond the radius `start`, so that what is lost is about e^small at most, or less."""
    d = problem.dimension

    def least(radius: Fraction) -> tuple[float, int]:
        found = []
        for power in (d + 2**k for k in count()):
            if power > d + 1 and power > radius:
                break
            try:
                found.append((float(left(problem, radius, power).log()), power))
            except Undecided:
                continue
        return min(found, default=(math.inf, 0))

    far = max(simple(float(start), 2), Fraction(2))
    while least(far)[0] > small:
        far *= 2
        if far > FURTHEST:
            raise Undecided(Reason.TOO_MUCH_FAR_OUT())
    near = far / 2
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if least(middle)[0] <= small else (middle, far)
    height = Fraction(2) ** math.floor((small - math.lgamma(d)) / math.log(2))
    return Faint(far, least(far)[1], height)


def between(found: Faint, zeros: Sequence[Fraction]) -> Faint:
    """The same, cut halfway between two zeros, where f is not next to 0."""
    middles = ((a + b) / 2 for a, b in pairwise(zeros) if a + b >= 2 * found.radius)
    radius = next(middles, found.radius)
    return Faint(Fraction(math.ceil(radius * 16), 16), found.power, found.height)
