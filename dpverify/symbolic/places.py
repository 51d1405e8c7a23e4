"""Every place where the supremum may sit, none of them shown to be the one: the verifier decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import sympy as sp

from dpverify.symbolic.inquiry import (
    AT_INFINITY,
    AT_ZERO,
    Candidate,
    Inquiry,
    concluded,
    jump,
    loss_at,
    loss_at_zero,
    loss_far,
    piece_near,
)
from dpverify.symbolic.reference import TINY, Undetermined
from dpverify.symbolic.sections import sections
from dpverify.symbolic.shape import equation_step
from dpverify.symbolic.shorten import shortest
from dpverify.symbolic.stationary import other_roots, positive_roots, turn
from dpverify.symbolic.to_sympy import DELTA, r


def every_place(q: Inquiry) -> Iterator[Candidate]:
    """All the places, none of them shown to be the one."""
    places: list[tuple[Any, str]] = []

    def offer(compute: Any, where: str) -> None:
        with suppress(Undetermined, TypeError, ValueError, ArithmeticError):
            places.append((compute(), where))

    offer(lambda: loss_at_zero(q), AT_ZERO)
    offer(lambda: loss_far(q), AT_INFINITY)
    for i, b in enumerate(q.g.breaks):
        for place in (b, sp.expand(b - DELTA)):
            for left in (True, False):
                if q.ref.number(place) > TINY:
                    side = "below" if left else "above"
                    offer(lambda p=place, s=left: loss_at(q, p, s), f"c = {place + DELTA}, from {side}")
        if not q.rises:
            offer(lambda k=i, x=b: -jump(q.g.pieces, k, x), f"c = {b}, across the jump")
    for low, high, loss in sections(q):
        slope = sp.diff(loss, r)
        found = turn(slope, q.ref.copy())
        if found is not None and low == 0 and high is sp.oo:
            equation_step(q, found)
        roots = positive_roots(found, q.ref) if found is not None else []
        for root in roots or other_roots(slope, q.ref):
            if _inside(q, root, low, high):
                offer(lambda x=root, p=loss: p.subs(r, x), f"c = {shortest(root + DELTA, q.ref)}")
    if not q.rises:
        turning_points(q, offer)
    for value, where in places:
        try:
            yield concluded(q.branch(), value, where, False)
        except Undetermined:
            continue


def turning_points(q: Inquiry, offer: Any) -> None:
    """For Theorem A: between two turning points of g, or the centre and one."""
    points: list[Any] = [sp.S.Zero]
    for i, slope in enumerate(q.slopes()):
        low, high = q.g.ends(i)
        for x in other_roots(slope, q.ref):
            if _inside(q, x, low, high):
                points.append(x)
    for i, a in enumerate(points):
        for b in points[i + 1 :]:
            if abs(q.ref.number(b - a)) <= q.ref.number(DELTA):
                at_a = q.at_zero if a == 0 else piece_near(q, q.ref.number(a)).subs(r, a)
                at_b = piece_near(q, q.ref.number(b)).subs(r, b)
                up = q.ref.number(at_b - at_a) > 0
                offer(lambda u=at_a, v=at_b, s=up: v - u if s else u - v, f"from r = {a} to r = {b}")
    for x in points[1:]:
        if q.ref.number(x) > q.ref.number(DELTA):
            offer(lambda p=x: loss_at(q, p - DELTA) * -1, f"c = {x}, downwards")


def _inside(q: Inquiry, x: Any, low: Any, high: Any) -> bool:
    number = q.ref.number
    return bool(number(x) > number(low) and (high is sp.oo or number(x) < number(high)))
