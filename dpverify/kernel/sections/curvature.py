"""Curvature: around a maximum, where a box would have to be narrow for its slopes to bound it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import interval
from ..rules import BROUGHT, require, rule
from ..tree import walk
from .charts import Problem, radii
from .increments import with_shift
from .shapes import ANALYTIC, ENTIRE
from .slopes import with_slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SMOOTH = {"num", "pi", "gamma", "r", "add", "mul", "pow"}


@rule("K34")
def highest_by_curvature(p: Problem, a: Fraction, b: Fraction, c: Fraction) -> Decimal:
    """An upper bound of phi_delta on an open box where it is concave.

    Lemma.  If f is made of numbers, r, sums, products, powers and functions that are analytic where
    they are defined, and slopes of slopes of phi_delta are enclosed by finite bounds, they enclose
    its second derivative.  If that is at most -m < 0 and c is in the box, then by Taylor phi(r) <=
    phi(c) + phi'(c) (r - c) - m (r - c)^2/2 <= phi(c) + phi'(c)^2/(2 m) for every r of the box.
    """
    kinds = {node.kind for node in walk(p.tree)}
    require(kinds <= SMOOTH | ENTIRE | ANALYTIC, "f may have a kink")
    require(a < c < b, "the radius is not in the box")
    bend = increment(p, with_slope(with_slope(radii(a, b).u))).du.du
    require(bend.finite() and bend.hi < 0, "the loss is not shown concave")
    top = increment(p, with_slope(interval(c)))
    return (top.u + top.du * top.du * (bend * -2).inverse()).hi


def increment(p: Problem, r: Any) -> Any:
    """phi_delta with its slopes."""
    return -p.log_f(p.at_box(with_shift(r, r.const(interval(p.delta))))).du


BROUGHT["a bound by curvature"] = highest_by_curvature
