"""Profiles of Gaussian scale mixtures X = V Z in d dimensions, V of any density.

f is the mixture of the law that is claimed, and h that of the atoms that stand for it
(discrete.py), of which the panels are (sums.py, panels.py).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..certificate import KINDS
from ..intervals import D0, D1, Interval, add_up, interval
from ..rules import brought, require, rule
from ..steps import Steps, record, whole
from .charts import charted
from .discrete import Discrete
from .hilbert import FIELDS
from .hypotheses import Proof, defined
from .jets import SIGNED, series
from .laws import subject_of
from .panels import line, spheres
from .points import hold, levels, listed
from .profiles import MOST_WORK, panels
from .sums import Sum, Terms, Weighed, unit
from .tail import Tail

PURE = "pure"
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a profile, proved by the steps that are given."""
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "profile" and claim["theorem"] == "Theorem B"
    require(right, "the verdict or the theorem is not that of a profile", "claim")
    blend = Blend(claim, Steps(given))
    return concluded(claim, blend, [blend.at(epsilon, how) for epsilon, how in blend.points])


def concluded(claim: Any, blend: Blend, found: list[tuple[Decimal, Decimal]]) -> list[str]:
    """The assumptions of a profile whose points lie between the bounds found."""
    hold(claim["points"], found, "K589")
    if claim["quantiles"] != []:
        brought("quantiles of delta")(claim)
    blend.proof.steps.finish()
    return blend.subject.assumptions()


class Blend:
    """What a claim is about, and the steps of its points."""

    def __init__(self, claim: Any, steps: Steps) -> None:
        series()
        self.subject = subject_of(claim, claim["dimension"])
        self.proof = Proof(charted(steps, self.subject), steps)
        require(type(self.proof.tail) is Tail, "a mixing law has one tail", "steps")
        defined(self.proof, self.subject.reader.needs)
        step = record(steps.take("profile"), "profile", {"order", "points"})
        self.order = 2 * whole(step["order"], "profile.order", 1, 24)
        asked = levels(claim["points"])
        matched = isinstance(step["points"], list) and len(step["points"]) == len(asked)
        require(matched, "the steps do not match the points", "steps")
        self.points = list(zip(asked, step["points"], strict=True))
        pure = [epsilon for epsilon, how in self.points if how == PURE]
        if pure:
            left = brought("a bound of a mixture's losses")(self.proof, min(pure)).left
            require(not left, "a window is named for a radius that no claim needs", "steps")
        if len(pure) < len(asked):
            d = self.subject.dimension
            self.law = Discrete(self.proof.problem, steps.take("atoms"), d)
            work = panels(step) * (len(self.law.rates) * self.order + 40 * self.order**2 + 20 * d)
            most = "the panels are too many for such an order, law and dimension"
            require(work <= MOST_WORK, most, "limits")
            terms = Terms(self.law.rates, self.law.weights, d)
            self.sum = Sum(terms, self.subject.delta)

    def noise(self, epsilon: Fraction) -> Weighed:
        """The atoms' mixture as the panels of a point see it."""
        return Weighed(self.sum, self.order, epsilon)

    @rule("K589")
    def at(self, epsilon: Fraction, how: Any) -> tuple[Decimal, Decimal]:
        """delta(eps) between two bounds.

        Lemma (Theorem B).  f is a mean of densities that fall with |x|, and falls, so that the
        longest shift u is the worst: delta(eps) is N(f)/M(f), N(f) the integral of the positive
        part of f(x) - e^eps f(x - u), and M(f) that of f.  Where |f - h| is at most D, N(f) and
        N(h) differ by at most (1 + e^eps) D, as positive parts differ by no more than what they are
        of, and M(f) and M(h), the sum of the atoms' weights, by at most D.  N(h) lies between the
        sum of the panels, over the integral of r^(d-1) e^(-r^2/2), and that with their cost (K155
        to K160; h falls too).  No loss exceeds a pure epsilon (K211): from there on delta is 0.
        """
        if how == PURE:
            return D0, D0
        noise = self.noise(epsilon)
        value, cost = (line if noise.d == 1 else spheres)(noise, how)
        known = Interval(value.lo, (value + cost).hi) * unit(noise.d).inverse()
        apart = self.law.distance * SIGNED
        found = known + apart * (noise.growth + 1)
        mass = add_up(map(interval, self.law.weights)) + apart
        require(mass.lo > 0, "the mass of the mixing law is not shown positive")
        found = Interval(max(D0, found.lo), max(D0, found.hi)) * mass.inverse()
        return found.lo, min(D1, found.hi)


def said(claim: Any) -> str:
    """The claim in one line."""
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    what = f"X = V Z in dimension {claim['dimension']}, V of law {claim['mixing']}{names}"
    return f"profile: {what}, Delta/sigma = {delta}, {listed(claim['points'])}"


KINDS["spatial mixture profile"] = (check, said)
