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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K589")
def at_point(law: Discrete, noise: Weighed, step: Any) -> tuple[Decimal, Decimal]:
    """delta(eps) between two bounds.

    Lemma (Theorem B).  f is a mean of densities that fall with |x|, and falls, so that the longest
    shift u is the worst: delta(eps) is N(f)/M(f), N(f) the integral of the positive part of f(x) -
    e^eps f(x - u), and M(f) that of f.  Where |f - h| is at most D, N(f) and N(h) differ by at most
    (1 + e^eps) D, as positive parts differ by no more than what they are of, and M(f) and M(h), the
    sum of the atoms' weights, by at most D.  N(h) lies between the sum of the panels, in units of
    `unit`, and that with their cost (K155 to K160; h falls too).
    """
    value, cost = (line if noise.d == 1 else spheres)(noise, step)
    known = Interval(value.lo, (value + cost).hi) * unit(noise.d).inverse()
    apart = law.distance * SIGNED
    found = known + apart * (noise.growth + 1)
    mass = add_up(map(interval, law.weights)) + apart
    require(mass.lo > 0, "the mass of the mixing law is not shown positive")
    found = Interval(max(D0, found.lo), max(D0, found.hi)) * mass.inverse()
    return found.lo, min(D1, found.hi)


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of a profile, proved by the steps that are given."""
    record(claim, "claim", FIELDS)
    right = claim["verdict"] == "profile" and claim["theorem"] == "Theorem B"
    require(right, "the verdict or the theorem is not that of a profile", "claim")
    steps = Steps(given)
    opened = Opened(claim, steps)
    hold(claim["points"], opened.bounds(), "K589")
    if claim["quantiles"] != []:
        brought("quantiles of delta")(claim)
    steps.finish()
    return opened.subject.assumptions()


class Opened:
    """What a claim is about: the law as atoms, and the atoms' mixture as the panels of each point
    see it."""

    def __init__(self, claim: Any, steps: Steps) -> None:
        series()
        self.subject = subject_of(claim, claim["dimension"])
        asked, d = levels(claim["points"]), self.subject.dimension
        proof = Proof(charted(steps, self.subject), steps)
        require(type(proof.tail) is Tail, "a mixing law has one tail", "steps")
        defined(proof, self.subject.reader.needs)
        self.problem = proof.problem
        self.law = Discrete(proof.problem, steps.take("law"), d)
        step = record(steps.take("profile"), "profile", {"order", "points"})
        order = 2 * whole(step["order"], "profile.order", 1, 24)
        self.steps = step["points"]
        matched = isinstance(self.steps, list) and len(self.steps) == len(asked)
        require(matched, "the steps do not match the points", "steps")
        work = panels(step) * (len(self.law.rates) * order + 40 * order**2)
        require(work <= MOST_WORK, "the panels are too many for such an order and law", "limits")
        p = Sum(Terms(self.law.rates, self.law.weights, d), self.subject.delta)
        self.noises = [Weighed(p, order, epsilon) for epsilon in asked]

    def bounds(self) -> list[tuple[Decimal, Decimal]]:
        """Those of delta at each point claimed."""
        pairs = zip(self.noises, self.steps, strict=True)
        return [at_point(self.law, noise, how) for noise, how in pairs]


def said(claim: Any) -> str:
    """The claim in one line."""
    names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    what = f"X = V Z in dimension {claim['dimension']}, V of law {claim['mixing']}{names}"
    return f"profile: {what}, Delta/sigma = {delta}, {listed(claim['points'])}"


KINDS["spatial mixture profile"] = (check, said)
