"""Around the largest loss, where boxes would have to be narrow for slopes to bound it: its curvature."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpverify.enclosures import Ball, Shift, Slope, Undecided, exact
from dpverify.enclosures.ball import upper_end
from dpverify.enclosures.nodes import kinds
from dpverify.enclosures.swept import OnBox
from dpverify.prover.cover import Box
from dpverify.prover.problem import Problem

SMOOTH = {"num", "pi", "gamma", "r", "add", "mul", "pow", "exp", "log", "sin", "cos", "matern", "erfc"}
"""What nodes are made of whose slopes of slopes are enclosed, here and by the checker, and that are analytic where they
are defined."""
WIDTHS = tuple(Fraction(1, 2**k) for k in range(1, 9))
"""Half the widths of the boxes that are tried, beside the radius."""
MARGIN = 4
"""How many times as large curvature is at its middle as where it is least: the checker's is enclosed a little wider."""


def widest_bounded(problem: Problem, within: Box, peak: Fraction, enough: Callable[[arb], bool]) -> Box | None:
    """The widest box around the peak that is tried, inside another, on which the loss is concave and its bound is
    `enough`; None where there is none."""
    if problem.series is not None or problem.apart is not None or kinds(problem.node) - SMOOTH:
        return None
    at_peak = _loss(problem, OnBox.radius(arb(exact(peak))))
    for share in WIDTHS:
        a, b = around(within, peak, share)
        if a < peak < b and enough(_highest(problem, a, b, at_peak)):
            return a, b
    return None


def around(within: Box, peak: Fraction, share: Fraction) -> Box:
    """A box that reaches on either side of the peak about that share of it, with short ends, inside another."""
    reach = peak * share
    unit = Fraction(2) ** (reach.numerator.bit_length() - reach.denominator.bit_length() - 4)
    low, high = round(peak * (1 - share) / unit) * unit, round(peak * (1 + share) / unit) * unit
    return max(within[0], low), min(within[1], high)


def _highest(problem: Problem, a: Fraction, b: Fraction, top: Slope | None) -> arb:
    """A bound of phi_delta on (a, b), where it is concave, from its value and slope at a radius c in there.

    phi(r) <= phi(c) + phi'(c) (r - c) - m (r - c)^2/2 <= phi(c) + phi'(c)^2/(2 m); infinite where m > 0 is not seen.
    """
    radius = OnBox.radius(Ball.between(a, b).x)
    whole = _loss(problem, Slope(radius, radius.const(1)))
    if whole is None or top is None:
        return arb.pos_inf()
    bend = whole.du.du.x
    if not (bend.is_finite() and bend.upper() * MARGIN < bend.mid()):
        return arb.pos_inf()
    return upper_end(top.u.x + top.du.x * top.du.x / (bend * -2))


def _loss(problem: Problem, r: Slope) -> Slope | None:
    """phi_delta and its slopes at r; None where they are not enclosed."""
    try:
        return -problem.positive_log(Shift(r, r.const(exact(problem.delta)))).du  # type: ignore[no-any-return]
    except Undecided:
        return None
