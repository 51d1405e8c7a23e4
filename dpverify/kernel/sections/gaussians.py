"""Other measures of a Gaussian's privacy, by their closed forms."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, interval
from ..rules import BROUGHT, require, rule
from ..steps import rational, record
from .charts import Problem
from .erfc import log_erfc
from .fields import ends, points
from .measures import ERROR, HALF, MU, RENYI, inside
from .normal import rate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def beyond(z: Interval) -> Interval:
    """Phi(-z)."""
    return log_erfc(z * interval(2).power(HALF).inverse()).exp() * HALF


@rule("K245")
def of_gaussian(p: Problem, claimed: Any, given: Any) -> None:
    """The measures of a Gaussian lie between their bounds.

    Lemma (Bun and Steinke 2016; Dong, Roth and Su 2022).  If f(y) = c e^(-k y), k > 0, then in
    every dimension, with m = s sqrt(2k), D_L = L m^2/2, rho = m^2/2 and mu = m; and the least type
    II error T falls and meets Phi(-z) with Phi(z - m) for every z, so that T(x) >= Phi(z - m) if
    Phi(-z) >= x, and T(x) <= Phi(z - m) if Phi(-z) <= x.
    """
    k = rate(p.tree)
    require(k is not None and k > 0, "f is not seen to be a Gaussian")
    square = 2 * (k or Fraction(0)) * p.delta**2
    step = record(given, "measures", {"normal"})
    levels = points(step["normal"], "measures.normal")
    errors = [m for m in claimed if m["name"] == ERROR]
    require(len(levels) == 2 * len(errors), "the levels do not match the errors", "steps")
    m, pairs = interval(square).power(HALF), iter(zip(levels[::2], levels[1::2], strict=True))
    for measure in claimed:
        low, high = ends(measure["value"], "value")
        if measure["name"] == ERROR:
            x, (first, last) = rational(measure["at"], "at"), next(pairs)
            fits = 0 < x < 1 and beyond(interval(first)).lo >= x and beyond(interval(last)).hi <= x
            require(fits, "the levels are not on either side of an error")
            found = (beyond(m - first), beyond(m - last))
            inside((low, high), Interval(found[0].lo, found[1].hi), "K245")
        elif measure["name"] == MU:
            between = low >= 0 and low**2 <= square <= high**2
            require(between, "a mu is not shown between its bounds")
        else:
            order = rational(measure["at"], "at") if measure["name"] == RENYI else Fraction(1)
            value = order * square / 2
            require(order > 0 and low <= value <= high, "a measure is not shown between its bounds")


BROUGHT["the measures of a Gaussian"] = of_gaussian
