"""Profiles of an f that is 0 beyond some radius and may rise before it."""

from __future__ import annotations

from decimal import Decimal

from ..intervals import Interval
from ..rules import BROUGHT, rule
from .supports import Cut, widened


@rule("K410")
def at_every_shift(found: tuple[Decimal, Decimal], cut: Cut, z: Interval, epsilon: Interval
                   ) -> tuple[Decimal, Decimal]:
    """delta(eps) of an f that may rise from that of h.

    Lemma (Theorem E).  If f and h are densities but for factors, and |f - h| has the integral D (as
    Z is one), their divergences differ at every shift by at most 2 (1 + e^eps) D/Z, Z being that of
    h; so do the suprema of these over the shifts up to the longest, which are delta(eps) and
    delta_h(eps).
    """
    return widened(found, cut, z, epsilon)


BROUGHT["the worst of all shifts from that of a cut"] = at_every_shift
