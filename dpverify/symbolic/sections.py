"""A g of pieces: between its breaks, and its breaks less delta, the loss is one formula."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from dpverify.symbolic.inquiry import (
    AT_INFINITY,
    AT_ZERO,
    Candidate,
    Inquiry,
    concluded,
    loss_at_zero,
    loss_far,
    piece_near,
)
from dpverify.symbolic.reference import Reference
from dpverify.symbolic.shorten import shortest
from dpverify.symbolic.signs import sign_everywhere
from dpverify.symbolic.to_sympy import DELTA, r


def by_sections(q: Inquiry) -> Candidate | None:
    """Between the breaks, and the breaks less delta, phi is monotone: the largest of its one-sided limits."""
    if not q.rises or not q.g.breaks:
        return None
    places: list[tuple[Any, str]] = []
    for low, high, loss in sections(q):
        sign = sign_everywhere(sp.diff(loss, r), q.ref, low, high)
        if sign is None:
            return None
        span = f"{low} < r" + ("" if high is sp.oo else f" < {high}")
        q.tell(
            f"The loss for {span}",
            f"phi(r) = {sp.expand(loss)}",
            ("it falls.", "it is constant.", "it rises.")[sign + 1],
        )
        if sign <= 0:
            value = loss.subs(r, low) if low != 0 else loss_at_zero(q)
            places.append((value, AT_ZERO if low == 0 else f"c = {low + DELTA}, from above"))
        elif high is sp.oo:
            places.append((loss_far(q), AT_INFINITY))
        else:
            places.append((loss.subs(r, high), f"c = {high + DELTA}, from below"))
    places = [(shortest(v, q.ref), w) for v, w in places]
    best = places[0]
    for place in places[1:]:
        if q.ref.sign(sp.expand(place[0] - best[0]), weak=True) > 0:
            best = place
    q.tell("The largest", "; ".join(dict.fromkeys(str(v) for v, _ in places)), "one-sided limits of phi, compared.")
    return concluded(q, *best, True)


def sections(q: Inquiry) -> list[tuple[Any, Any, Any]]:
    """The intervals of r on which neither r nor r + delta meets a break, with phi there."""
    cuts: list[Any] = [sp.S.Zero]
    for cut in [*q.g.breaks, *(sp.expand(b - DELTA) for b in q.g.breaks)]:
        if q.ref.sign(cut) > 0 and cut not in cuts:
            cuts.append(cut)
    cuts.sort(key=q.ref.number)
    for a, b in pairwise(cuts):
        q.ref.sign(sp.expand(b - a))
    sections = []
    for low, high in zip(cuts, [*cuts[1:], sp.oo], strict=True):
        middle = ref_middle(q.ref, low, high)
        here, ahead = (piece_near(q, m) for m in (middle, middle + q.ref.number(DELTA)))
        sections.append((low, high, ahead.subs(r, r + DELTA) - here))
    return sections


def ref_middle(ref: Reference, low: Any, high: Any) -> Any:
    """A number between the two at the reference point."""
    return ref.number(low) + 1 if high is sp.oo else (ref.number(low) + ref.number(high)) / 2
