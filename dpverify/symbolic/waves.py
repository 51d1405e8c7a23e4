"""One wave about a level: A + B cos(w r) + C sin(w r)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from dpverify.symbolic.to_sympy import r


def wave(e: Any) -> tuple[Any, Any] | None:
    """(A, B^2 + C^2) where e = A + B cos(w r) + C sin(w r), with one frequency w > 0; None where it is not."""
    rates = {sp.diff(u.args[0], r) for u in e.atoms(sp.sin, sp.cos) if u.has(r)}
    if len(rates) != 1 or next(iter(rates)).has(r):
        return None
    (w,) = rates
    c, s = sp.Dummy("c"), sp.Dummy("s")

    def cosine(u: Any) -> Any:
        phase = sp.expand(u - w * r)
        return c * sp.cos(phase) - s * sp.sin(phase) if u.has(r) else sp.cos(u)

    def sine(u: Any) -> Any:
        phase = sp.expand(u - w * r)
        return s * sp.cos(phase) + c * sp.sin(phase) if u.has(r) else sp.sin(u)

    e = sp.expand(e.replace(sp.cos, cosine).replace(sp.sin, sine))
    if e.has(r):
        return None
    level, b, d = e.subs({c: 0, s: 0}), sp.diff(e, c), sp.diff(e, s)
    if b.has(c, s) or d.has(c, s):
        return None
    return level, sp.simplify(b**2 + d**2)
