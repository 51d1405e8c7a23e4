"""What g is, and whether there is anything to look for: integrability, the centre, the loss far out, monotonicity."""

from __future__ import annotations

from typing import Any

import sympy as sp

from dpverify.symbolic import growth
from dpverify.symbolic.inquiry import SOME, Candidate, Inquiry, cases, jump
from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.signs import sign_everywhere
from dpverify.symbolic.to_sympy import r
from dpverify.symbolic.waves import wave


def potential_steps(q: Inquiry) -> None:
    """Tell g and its slope."""
    q.tell(
        "The radial potential",
        cases(q.g, "g(r)", q.g.pieces),
        "g(r) = -log f(r^2); the loss at distance delta = Delta/sigma is phi(r) = g(r + delta) - g(r), c = r + delta.",
    )
    q.tell("Its slope", cases(q.g, "g'(r)", [sp.factor(s) for s in q.slopes()]), "")


def hypotheses(q: Inquiry, dimension: Any) -> Candidate | None:
    """Integrability, the centre, monotonicity; a candidate where they settle the verdict."""
    slopes = q.slopes()
    try:
        order = growth.limit(r * slopes[-1], q.ref)
    except Undetermined:
        order = None
        q.tell("A density", "r g'(r) -> ?", "whether f is integrable is left to the verifier, at instances.", SOME)
    if order is not None and order is not sp.oo:
        integrable = q.ref.sign(order - dimension) > 0
        why = "f falls like r^-(that limit), and r^(d-1) f is integrable at oo if the limit exceeds d."
        q.tell("A density", f"r g'(r) -> {sp.factor(order)} as r -> oo", why, SOME)
        if not integrable:
            return q.candidate(None, "", False, "invalid")
    elif order is sp.oo:
        q.tell("A density", "r g'(r) -> oo as r -> oo", "f falls faster than any power: integrable at oo.", SOME)
    trial = q.ref.copy()
    try:
        value = growth.limit_at_zero(q.g.pieces[0], trial)
    except Undetermined:
        value = None
    if value is not None:
        q.ref.conditions[:] = trial.conditions
        if value.is_infinite:
            why = "f has a pole at its centre" if value is sp.S.NegativeInfinity else "f(0) = 0, and f > 0 beside it"
            q.tell("The centre", f"g(0+) = {value}", f"{why}: the loss is unbounded.", SOME)
            return q.candidate(None, "", False, "not_private")
        q.at_zero = value
    trial = q.ref.copy()
    try:
        q.slope_at_infinity = growth.limit(slopes[-1], trial)
    except Undetermined:
        q.slope_at_infinity = None
    if q.slope_at_infinity is sp.oo:
        q.ref.conditions[:] = trial.conditions
        q.tell(
            "The loss far out",
            "g'(r) -> oo as r -> oo",
            "phi(r) is delta times a slope of g between r and r + delta: it grows without bound.",
            SOME,
        )
        return q.candidate(None, "", False, "not_private")
    q.rises = rises(q)
    return None


def rises(q: Inquiry) -> bool:
    """Whether g rises everywhere, so that Theorem 3 applies; tells the step."""
    trial = q.ref.copy()
    signs = [_sign(s, trial, *q.g.ends(i)) for i, s in enumerate(q.slopes())]
    jumps = [trial.sign(jump(q.g.pieces, i, b), weak=True) for i, b in enumerate(q.g.breaks)]
    if all(s is not None and s >= 0 for s in signs) and all(j >= 0 for j in jumps):
        q.ref.conditions[:] = trial.conditions
        q.tell(
            "Theorem 3 applies", "g'(r) >= 0 for all r > 0", "f is non-increasing: epsilon = sup of phi over r >= 0."
        )
        return True
    q.tell(
        "Theorem A",
        "epsilon = sup of |g(s) - g(t)| over |s - t| <= delta",
        "f is not shown to fall everywhere, so Theorem 3 is not used.",
    )
    return False


def _sign(slope: Any, ref: Reference, low: Any, high: Any) -> int | None:
    """The sign of a slope, be it a polynomial's or that of a wave about a level."""
    parts = wave(slope)
    if parts is None:
        return sign_everywhere(slope, ref, low, high)
    level, square = parts
    return 1 if ref.sign(level) > 0 and ref.sign(level**2 - square, weak=True) >= 0 else None
