"""What is asked of one generator at one reference point, and what has been told of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from dpverify.results import Verdict
from dpverify.symbolic import growth
from dpverify.symbolic.conditions import readable
from dpverify.symbolic.potential import PiecewisePotential
from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.shorten import shortest
from dpverify.symbolic.to_sympy import DELTA, r

AT_ZERO, AT_INFINITY = "c = delta (r -> 0)", "the limit c -> oo"
ALL, SOME = "all parameters", "instances"


@dataclass(frozen=True)
class Step:
    """One step of a derivation; `scope` says whether exact algebra settles it for all parameters."""

    title: str
    formula: str
    why: str
    scope: str = ALL


@dataclass
class Candidate:
    """A verdict or a value of epsilon, with the place it comes from and the conditions it needs."""

    verdict: Verdict
    value: Any
    where: str
    steps: list[Step]
    ref: Reference
    proved: bool


@dataclass
class Inquiry:
    """What is known of g before the supremum is looked for."""

    g: PiecewisePotential
    ref: Reference
    steps: list[Step] = field(default_factory=list)
    slope_at_infinity: Any = None
    at_zero: Any = None
    rises: bool = False  # g rises everywhere, so that Theorem 3 applies
    used: list[str] = field(default_factory=list)  # conditions that a step has named

    def slopes(self) -> list[Any]:
        """g' on each piece."""
        return [sp.diff(p, r) for p in self.g.pieces]

    def tell(self, title: str, formula: str, why: str, scope: str = ALL) -> None:
        """Add a step, with the conditions that it is the first to need."""
        new = [" ".join(c) for c in readable(self.ref.conditions) if " ".join(c) not in self.used]
        self.used = [*self.used, *new]
        self.steps.append(Step(title, formula + (f", given {', '.join(new)}" if new else ""), why, scope))

    def branch(self) -> Inquiry:
        """A copy to go on from in another way."""
        return replace(self, ref=self.ref.copy(), steps=list(self.steps))

    def candidate(self, value: Any, where: str, proved: bool, verdict: Verdict = "private") -> Candidate:
        """What has been told so far, as a candidate with this value."""
        return Candidate(verdict, value, where, self.steps, self.ref, proved)


def concluded(q: Inquiry, value: Any, where: str, proved: bool) -> Candidate:
    """The candidate; raises Undetermined where the enclosure at the reference point rules it out."""
    if not q.ref.hits(value):
        raise Undetermined("another value is larger")
    short = shortest(value, q.ref)
    for root in short.atoms(sp.Pow):
        if root.exp.is_Rational and root.exp.q == 2 and not root.base.is_positive:
            q.ref.sign(root.base, weak=True)
    q.tell("The loss there", f"epsilon = {short}", f"at {where}.", ALL if proved else SOME)
    return q.candidate(short, where, proved)


def cases(g: PiecewisePotential, name: str, pieces: Any) -> str:
    """A function of pieces as text, each with its interval."""
    if not g.breaks:
        return f"{name} = {pieces[0]}"
    parts = []
    for i, piece in enumerate(pieces):
        low, high = g.ends(i)
        parts.append(f"{piece} for {low} < r" + ("" if high is sp.oo else f" < {high}"))
    return f"{name} = " + "; ".join(parts)


def jump(pieces: Any, i: int, b: Any) -> Any:
    """By how much a function of pieces jumps at its i-th break."""
    return sp.simplify(sp.expand_log(pieces[i + 1].subs(r, b) - pieces[i].subs(r, b)))


def piece_at(q: Inquiry, x: Any, left: bool = False) -> Any:
    """The piece of g that holds at x, or just left of it."""
    for i, b in enumerate(q.g.breaks):
        sign = q.ref.sign(sp.expand(b - x))
        if sign > 0 or (sign == 0 and left):
            return q.g.pieces[i]
    return q.g.pieces[-1]


def loss_at_zero(q: Inquiry) -> Any:
    """The loss in the limit r -> 0; raises Undetermined where g(0+) is not known."""
    if q.at_zero is None:
        raise Undetermined("g(0+) is not known")
    return piece_at(q, DELTA).subs(r, DELTA) - q.at_zero


def loss_at(q: Inquiry, x: Any, left: bool = False) -> Any:
    """The loss at r = x, or just left of it."""
    return piece_at(q, x + DELTA, left).subs(r, x + DELTA) - piece_at(q, x, left).subs(r, x)


def loss_far(q: Inquiry) -> Any:
    """The loss in the limit r -> oo, delta times the limit of g'; raises Undetermined where there is none."""
    if q.slope_at_infinity is None or q.slope_at_infinity.is_infinite:
        raise Undetermined("g' has no limit")
    growth.limit(q.slopes()[-1], q.ref)  # its conditions
    return DELTA * q.slope_at_infinity


def piece_near(q: Inquiry, x: Any) -> Any:
    """The piece that holds at a number; what it rests on is the order of the cuts, already remembered."""
    return next((q.g.pieces[i] for i, b in enumerate(q.g.breaks) if q.ref.number(b) > x), q.g.pieces[-1])
