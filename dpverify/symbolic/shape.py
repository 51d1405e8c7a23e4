"""The shape of g decides where the loss is largest: convex, concave, or phi' with one change of sign."""

from __future__ import annotations

import sympy as sp

from dpverify.symbolic import growth
from dpverify.symbolic.inquiry import (
    AT_INFINITY,
    AT_ZERO,
    SOME,
    Candidate,
    Inquiry,
    cases,
    concluded,
    jump,
    loss_at,
    loss_at_zero,
    loss_far,
)
from dpverify.symbolic.shorten import shortest
from dpverify.symbolic.signs import sign_everywhere
from dpverify.symbolic.stationary import Turn, other_roots, positive_roots, turn
from dpverify.symbolic.to_sympy import DELTA, r


def by_shape(q: Inquiry) -> Candidate | None:
    """g convex: the limit. g concave: r -> 0. Both: everywhere."""
    if not q.rises:
        return None
    slopes = q.slopes()
    signs = [sign_everywhere(sp.diff(s, r), q.ref, *q.g.ends(i)) for i, s in enumerate(slopes)]
    for i, b in enumerate(q.g.breaks):
        if sp.simplify(jump(q.g.pieces, i, b)) != 0:
            return None
        signs.append(q.ref.sign(jump(slopes, i, b), weak=True))
    if None in signs:
        return None
    curved = cases(q.g, "g''(r)", [sp.factor(sp.diff(s, r)) for s in slopes])
    corners = " and the slope rises at every break" if q.g.breaks else ""
    if all(s == 0 for s in signs):
        q.tell("The shape of g", curved, "g is linear, so the loss is the same everywhere.")
        value, where = loss_at_zero(q), "every c >= delta"
    elif all(s >= 0 for s in signs):  # type: ignore[operator]
        q.tell("The shape of g", curved, f"g'' >= 0{corners}: g is convex, phi rises, and its supremum is its limit.")
        value, where = loss_far(q), AT_INFINITY
        q.tell("The limit", f"g'(r) -> {q.slope_at_infinity} as r -> oo", "phi(r) -> delta times that limit.", SOME)
    elif all(s <= 0 for s in signs):  # type: ignore[operator]
        corners = corners.replace("rises", "falls")
        q.tell("The shape of g", curved, f"g'' <= 0{corners}: g is concave, phi falls, and is largest as r -> 0.")
        value, where = loss_at_zero(q), AT_ZERO
    else:
        return None
    return concluded(q, value, where, True)


def by_turn(q: Inquiry) -> Candidate | None:
    """phi' changes its sign once: one stationary maximum, or the larger of the two ends."""
    if not q.rises or q.g.breaks:
        return None
    g = q.g.pieces[0]
    slope = sp.diff(g, r)
    found = turn(slope.subs(r, r + DELTA) - slope, q.ref)
    if found is None or found.variations != 1:
        return None
    equation_step(q, found)
    if found.last > 0:
        q.tell("One sign change", "phi' < 0 first, then phi' > 0", "phi falls, then rises: it is largest at an end.")
        near, far = loss_at_zero(q), loss_far(q)
        q.tell("The ends", f"phi(0+) = {near}; phi(oo) = {far}", "the larger of the two is epsilon.", SOME)
        return concluded(q, sp.Max(near, far), "c = delta (r -> 0), or the limit c -> oo, whichever is larger", True)
    roots = positive_roots(found, q.ref)
    if not roots:
        return None
    root = shortest(roots[0], q.ref)
    q.tell(
        "The root",
        f"r = {root}, c = r + delta = {shortest(root + DELTA, q.ref)}",
        "By Descartes' rule of signs it is the only one with r > 0; phi' > 0 before it and phi' < 0 after it, so phi "
        "is largest there, larger than its limits at r -> 0 and r -> oo.",
    )
    return concluded(q, loss_at(q, root), f"c = {shortest(root + DELTA, q.ref)}", True)


def equation_step(q: Inquiry, found: Turn) -> None:
    """Tell the stationary equation."""
    letter = "" if found.rate is None else f", where r stands for exp({found.rate}*r) - 1"
    q.tell(
        "The stationary equation",
        f"g'(r + delta) = g'(r), that is {found.equation} = 0{letter}",
        "phi'(r) has the sign of its left side once what is positive is divided out.",
    )


def by_descent(q: Inquiry) -> Candidate | None:
    """g convex but falling at first: the limit, or the descent from r = 0 to the lowest point."""
    if q.rises or q.g.breaks:
        return None
    g = q.g.pieces[0]
    slope = sp.diff(g, r)
    if sign_everywhere(sp.diff(slope, r), q.ref) != 1:
        return None
    far = loss_far(q)
    steepest = -growth.limit_at_zero(slope, q.ref)
    if q.ref.sign(steepest) <= 0:
        return None
    q.tell(
        "The shape of g",
        f"g''(r) = {sp.factor(sp.diff(slope, r))}",
        "g is convex: over a distance delta it rises by at most its limit, and it falls most from r = 0 on.",
    )
    q.tell("The limit", f"g'(r) -> {q.slope_at_infinity} as r -> oo", "phi(r) -> delta times that limit.", SOME)
    if q.ref.sign(q.slope_at_infinity - steepest, weak=True) >= 0:
        q.tell(
            "The descent", f"-g'(0) = {sp.factor(steepest)}", "no slope is steeper than the limit's: the limit wins."
        )
        return concluded(q, far, AT_INFINITY, True)
    lowest = next((x for x in other_roots(slope, q.ref)), None)
    if lowest is None:
        return None
    h = sp.Min(DELTA, lowest)
    q.tell("The descent", f"g'(r) = 0 at r = {lowest}", "g falls from r = 0 to there, or as far as delta reaches.")
    return concluded(
        q, sp.Max(far, q.at_zero - g.subs(r, h)), "the limit c -> oo, or between r = 0 and the top of f", True
    )
