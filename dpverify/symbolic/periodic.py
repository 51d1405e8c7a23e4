"""Generators with floor or with one wave: the loss is periodic in r, up to what is linear."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpverify.symbolic.hypotheses import potential_steps
from dpverify.symbolic.inquiry import Candidate, Inquiry, concluded
from dpverify.symbolic.potential import PiecewisePotential, minus_log
from dpverify.symbolic.reference import Reference
from dpverify.symbolic.to_sympy import DELTA, r
from dpverify.symbolic.waves import wave


def staircase(f: sp.Expr, ref: Reference) -> Iterator[Candidate]:
    """One floor(a r): just below a step, where floor(r + delta) is ahead by the most steps."""
    floors = f.atoms(sp.floor)
    if len(floors) != 1:
        return
    (step,) = floors
    rate = sp.diff(step.args[0], r)
    if rate.has(r) or not rate.is_positive or step.args[0].subs(r, 0) != 0:
        return
    n = sp.Symbol("n", positive=True, integer=True)
    steps = sp.Symbol("k", positive=True)
    g = minus_log(f.subs(step, steps))
    q = Inquiry(PiecewisePotential((minus_log(f),), ()), ref)
    potential_steps(q)
    edge = n / rate
    ahead = g.subs(steps, n - 1 + sp.ceiling(rate * DELTA)).subs(r, edge + DELTA)
    value = sp.simplify(ahead - g.subs(steps, n - 1).subs(r, edge))
    q.tell(
        "Just below a step",
        f"floor({step.args[0]}) = n - 1 at r = {edge} from below, and ahead by -floor(-{rate * DELTA})",
        "floor(x + h) - floor(x) is at most -floor(-h), and is that just below an integer x.",
    )
    where = f"c = {1 / rate + DELTA}, from below" if value.has(n) else "c = r + delta, r just below any step"
    rise = sp.diff(g, steps)
    plain = not rise.has(r, steps) and bool(rise.is_positive) and not (g - rise * steps).has(r)
    yield concluded(q, value.subs(n, 1), where, plain)


def by_wave(q: Inquiry) -> Candidate | None:
    """phi = A + B cos(w r) + C sin(w r): its supremum is A + sqrt(B^2 + C^2), taken once in every period."""
    if q.g.breaks:
        return None
    g = q.g.pieces[0]
    parts = wave(g.subs(r, r + DELTA) - g)
    if parts is None or not q.rises:
        return None
    level, square = parts
    q.tell(
        "The loss",
        f"phi(r) = A + B cos(w r) + C sin(w r), A = {level}, B^2 + C^2 = {square}",
        "one wave about a level.",
    )
    return concluded(q, level + sp.sqrt(square), "one radius in every period", True)
