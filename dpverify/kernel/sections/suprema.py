"""rho of zero-concentrated privacy: the supremum of D_L/L over all orders L > 1."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ..intervals import INF, Interval, interval
from ..rules import BROUGHT, require, rule
from .fields import points
from .measures import HALF, Profile, renyi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_ORDERS = 200


@rule("K246")
def rho(h: Profile, given: Any, near: tuple[Interval, Fraction] | None = None) -> Interval:
    """The least rho, from bounds of D_L at increasing orders, of which the first is 1.

    Lemma (Bun and Steinke 2016). It is the supremum of D_L/L over L > 1, and so at least each.
    D_L rises with L, so it is at most D_b/a between two orders a < b; and since k D_(k+1) is
    convex in k = L - 1, the line p + q k through its bounds at both orders lies above it, so
    that D_L/L is at most (p + q k)/(k (k + 1)), which for p < 0 < q rises to its largest value
    at the positive root of q k^2 + 2 p k + p and falls from there. From the last order on D_L
    is at most the last level of a profile that ends at 0, or K247 bounds D_L/L.
    """
    orders = points(given, "measures.orders")
    rising = 2 <= len(orders) <= MOST_ORDERS and orders[0] == 1 and all(
        a < b for a, b in pairwise(orders))
    require(rising, "the orders do not rise from 1 on", "steps")
    first = renyi(h, orders[0]) if near is None else near[0]
    bounds = [(orders[0], first), *((order, renyi(h, order)) for order in orders[1:])]
    low = max((x * (1 / order)).lo for order, x in bounds)
    if h.tail is not None:
        high = h.tail.share(orders[-1]).hi
    else:
        h.needs_end()
        high = interval(h.levels[-1] / orders[-1]).hi
    if near is not None:
        require(orders[1] == 1 + near[1], "rho is not bounded between two of its orders", "steps")
        high, bounds = max(high, beside_one(h, *near)), bounds[1:]
    for (a, first), (b, last) in pairwise(bounds):
        high = max(high, min((last * (1 / a)).hi, between(a, first, b, last)))
    return Interval(low, high)


@rule("K575")
def beside_one(h: Profile, first: Interval, j: Fraction) -> Decimal:
    """At least D_L/L for 1 < L <= 1 + j, from D_1.

    Lemma.  With M(k) = E e^(k l) = e^(k D_(k+1)) under p, D_(k+1) is at most D_1 + k V/2 for
    0 < k <= j < 1, if for one c V is at least (e^(-c j) M(j) + e^(c j) M(-j) - 2)/j^2 and
    (e^(-c j) M(2j) + e^(c j) - 2 M(j))/j^2.  So D_L/L is at most what (D_1 + k V/2)/(k + 1) is at
    an end.
    """
    require(0 < j < 1, "what is beside the order 1 is not between 0 and 1", "steps")
    before, after, last = ((renyi(h, 1 + k) * k).exp() for k in (-j, j, 2 * j))
    c = Interval(first.hi, first.hi)
    less, more = (c * -j).exp(), (c * j).exp()
    most = max((less * x + more * y - z - z).hi for x, y, z in
               ((after, before, interval(1)), (last, interval(1), after)))
    variance = Interval(most, most) * (1 / (j * j))
    return max(first.hi, ((first + variance * (j / 2)) * (1 / (1 + j))).hi)


def between(a: Fraction, first: Interval, b: Fraction, last: Interval) -> Decimal:
    """At least D_L/L for a <= L <= b, by convexity; infinite where that tells nothing."""
    k, n = a - 1, b - 1
    low, high = (Interval(x.hi, x.hi) for x in (first, last))
    q = (high * n - low * k) * (1 / (n - k))
    p = (low - q) * k
    if not (p.hi < 0 < q.lo):
        return INF
    turn = ((p * p - p * q).power(HALF) - p) * q.inverse()
    least, most = interval(k).lo, interval(n).hi
    at = Interval(min(max(turn.lo, least), most), max(min(turn.hi, most), least))
    return ((p + q * at) * (at * (at + 1)).inverse()).hi


BROUGHT["rho from a profile"] = rho
