"""Power series of functions whose slope solves an equation of Riccati's."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, add_up, interval
from ..rules import BROUGHT, require, rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .smooth import Smooth


@rule("K373")
def along_series(f: Smooth, x: Any) -> Any:
    """F(u) along a power series (K150) where F's slope s solves s' = a + b/x + (c + e/x) s - s^2.

    Lemma.  For x > 0 that is so of log P and log Q, with a, b, c, e = 0, 0, -1, p - 1 for their
    order p; of log G with 0, -p, -1, -(p + 1); and of log B of order p, x^p B(x) = I_p(x), with
    1, 0, 0, -(2 p + 1).  The coefficients of s(u) follow one by one from s'(u) u'.
    """
    a, b, c, e = map(interval, f.riccati)
    first = x.c[0]
    require(first.lo > 0, "a special function's series is about something not proved positive")
    inverse, s, rates = x.inverse().c, [f.slope(first)], list[Interval]()
    for k in range(1, len(x.c)):
        rate = b * inverse[k - 1] + c * s[k - 1] + add_up(
            s[j] * (e * inverse[k - 1 - j] - s[k - 1 - j]) for j in range(k))
        rates.append(rate + a if k == 1 else rate)
        s.append(add_up(x.c[j] * rates[k - j] * j for j in range(1, k + 1)) * Fraction(1, k))
    return x.along(f.value(first), type(x)(s))


BROUGHT["a series by the slope's equation"] = along_series
