"""Roots of models of what may be 0 again and again, such as sqrt(1 + sin r)."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, Interval
from ..rules import BROUGHT, require, rule
from .models import Model, raised
from .series import power_of_model


@rule("K382")
def root_of_bounded(u: Model, p: Fraction) -> Model:
    """u^p for a u that is not negative, and may be 0.

    Lemma.  If u = c m, m a positive monomial and 0 <= c <= C at every r >= R, then u^p = c^p m^p
    for p > 0, and 0 <= c^p <= C^p.  Iterated logarithms are positive where those at R are.
    """
    ((m, c),), logs = u.terms.items(), u.germ.logs
    known = all(k < len(logs) and logs[k].lo > D0 for k, x in enumerate(m[1:], -1) if k >= 0 and x)
    require(known, "a model's radius is too small for its logarithms")
    assert isinstance(c, Interval)
    most = Interval(c.hi, c.hi).power(p).hi
    return Model(u.germ, {raised(m, p): Interval(D0, most)})


def power_of(u: Model, p: Fraction) -> Model:
    c = next(iter(u.terms.values())) if len(u.terms) == 1 else None
    touches = isinstance(c, Interval) and c.lo == D0 and c.hi > D0 and c.hi.is_finite()
    return root_of_bounded(u, p) if touches and p > 0 else power_of_model(u, p)


BROUGHT["a power of a model"] = power_of
