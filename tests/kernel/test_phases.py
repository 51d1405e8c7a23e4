"""Oscillating tails and kinks: what the kernel says of cells of phases and of boxes contains what is sampled there."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.kernel.sections.theorem_a import on_box, on_cell
from dpverify.kernel.sections.waves import TINY
from tests.kernel.problems import cell, in_phases, on_charts

G: dict[str, tuple[bool, Callable[[float], float]]] = {  # whether in turns, and g = -log f
    "exp(-2*r-Max(cos(r),1/2))": (False, lambda r: 2 * r + max(math.cos(r), 0.5)),
    "exp(-2*r-Abs(sin(r)))": (False, lambda r: 2 * r + abs(math.sin(r))),
    "exp(-2*r)*Max(2,3+2*cos(r))": (False, lambda r: 2 * r - math.log(max(2, 3 + 2 * math.cos(r)))),
    "exp(-2*r-Min(cos(r),sin(2*r)))": (False, lambda r: 2 * r + min(math.cos(r), math.sin(2 * r))),
    "exp(-3*r-Max(1/r,cos(r)/2+1/2))": (False, lambda r: 3 * r + max(1 / r, math.cos(r) / 2 + 0.5)),
    "Max(exp(-2*r),2*exp(-2*r-cos(r)))": (False, lambda r: -max(-2 * r, math.log(2) - 2 * r - math.cos(r))),
    "exp(-3*r-Max(r-floor(r),1/2))": (True, lambda r: 3 * r + max(r - math.floor(r), 0.5)),
    "exp(-2*r-Abs(r-2*floor(r/2)-1))": (True, lambda r: 2 * r + abs(r - 2 * math.floor(r / 2) - 1)),
    "exp(-3*r+floor(r)/3-Max(0,floor(r/2+1/3)-r/2))": (
        True,
        lambda r: 3 * r - math.floor(r) / 3 + max(0, math.floor(r / 2 + 1 / 3) - r / 2),
    ),
    "exp(-3*r-Max(cos(pi*r),r-floor(r)))": (True, lambda r: 3 * r + max(math.cos(math.pi * r), r - math.floor(r))),
    "exp(-3*r-floor(r+1/r))": (True, lambda r: 3 * r + math.floor(r + 1 / r)),
    "exp(-3*r-floor(-r))": (True, lambda r: 3 * r + math.floor(-r)),
}
UNTOLD = {"exp(-3*r-Max(1/r,cos(r)/2+1/2))"}
WORDS = {"r": "not shown monotone in the shift", "m": "slopes of the loss are not shown finite"}


def losses(bound: Callable[[str], Interval]) -> list[Interval]:
    """What each rule encloses: the heights always, the others where their condition on the slopes holds."""
    shown = [bound("h")]
    for word, unmet in WORDS.items():
        try:
            shown.append(bound(word))
        except Rejected as refusal:
            if unmet not in str(refusal):
                raise
    return shown


PARTS = st.fractions(0, 1, max_denominator=24)


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize("text", sorted(G))
@given(st.sampled_from([1, 3, 12]), PARTS, PARTS, PARTS)
@settings(max_examples=12, deadline=None)
def test_losses_on_a_cell_of_phases(text: str, cells: int, at: Fraction, h: Fraction, more: Fraction) -> None:
    turns, g = G[text]
    period = Fraction(2) if turns else Fraction("6.283185")
    low, width = at * period, period / 24 / cells
    proof = in_phases(text, turns)
    top, p = h + more * Fraction(1, 8), proof.problem
    try:
        shown = losses(lambda word: on_cell(proof, word, cell(proof, low, low + width), h, top)) if top > h else []
    except Rejected:  # where it cannot tell; most cells and shifts must be told
        assert text in UNTOLD
        return
    limit = p.far_loss(cell(proof, low, low + TINY)) if turns else None
    for k in range(4, 40, 5):
        for inner in (0.1, 0.5, 0.9):
            r = float(low) + float(width) * inner + (2.0 if turns else 2 * math.pi) * k
            step = float(h) + float(top - h) * inner
            loss = g(r + step) - g(r)
            if r >= 23:
                assert all(float(x.lo) - 1e-6 <= loss <= float(x.hi) + 1e-6 for x in shown), (r, step)
    if limit is not None:
        span = limit.span()
        loss = g(float(low) + 2000 + 1e-9 + 1) - g(float(low) + 2000 + 1e-9)
        assert float(span.lo) - 1e-6 <= loss <= float(span.hi) + 1e-6


KINKS: dict[str, Callable[[float], float]] = {
    "exp(-Max(r,2*r-1))": lambda r: max(r, 2 * r - 1),
    "exp(-Max(r**2,2-r))": lambda r: max(r * r, 2 - r),
    "exp(-r-Abs(r-1))": lambda r: r + abs(r - 1),
    "exp(-Max(1/r,r,3-r))": lambda r: max(1 / r, r, 3 - r),
    "exp(-Min(3*r,2+r)-Max(r/2,r-1/2))": lambda r: min(3 * r, 2 + r) + max(r / 2, r - 0.5),
    "Max(exp(-r),3*exp(-2*r))": lambda r: -max(-r, math.log(3) - 2 * r),
    "exp(-Max(floor(2*r),r))": lambda r: max(math.floor(2 * r), r),
    "exp(-r-Max(1-r,r-1,0)*2)": lambda r: r + 2 * abs(1 - r),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", sorted(KINKS))
@given(st.integers(1, 20), st.integers(1, 8), st.integers(0, 8), PARTS)
@settings(max_examples=25, deadline=None)
def test_boxes_that_end_at_kinks(text: str, start: int, width: int, shift: int, at: Fraction) -> None:
    """Ends and shifts in eighths, so that kinks and jumps fall upon them."""
    a, b, h = Fraction(start, 8), Fraction(start + width, 8), Fraction(shift, 8)
    g, p = KINKS[text], on_charts(text)
    log, low, top = p.on_box(a, b), h / 2, h
    radii = [float(a) + float(b - a) * x for x in (0.001, 0.2, float(at) * 0.99 + 0.005, 0.8, 0.999)]
    for r in radii:
        assert float(log.u.lo) - 1e-9 <= -g(r) <= float(log.u.hi) + 1e-9
        for s in radii:
            if s > r + 1e-6:
                slope = (g(r) - g(s)) / (s - r)
                assert float(log.du.lo) - 1e-6 <= slope <= float(log.du.hi) + 1e-6
    if h:
        cuts = [(2 * a + b) / 3 + low]
        one, many = p.loss(a, b, h), losses(lambda word: on_box(p, word, (a, b), (low, top), cuts))
        for r in radii:
            assert float(one.lo) - 1e-9 <= g(r + float(h)) - g(r) <= float(one.hi) + 1e-9
            for step in (float(low) + 1e-7, float(low + top) / 2 + 1e-7, float(top) - 1e-7):
                loss = g(r + step) - g(r)
                assert all(float(x.lo) - 1e-9 <= loss <= float(x.hi) + 1e-9 for x in many)
