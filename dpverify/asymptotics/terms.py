"""The terms of a model: for each monomial a coefficient, exact as long as it is known and short."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics.germ import Exponents, power_of_t

Coefficient = fmpq | arb
Terms = dict[Exponents, Coefficient]


def is_zero(c: Coefficient) -> bool:
    """Whether the coefficient is proved 0."""
    return not c if isinstance(c, fmpq) else bool(c.is_zero())


def tidy(c: Any) -> Coefficient:
    """Keep a rational exact while it is short."""
    if isinstance(c, arb):
        return c
    c = fmpq(c) if isinstance(c, int) else c
    if c.height_bits() > 300 and int(c.p).bit_length() + int(c.q).bit_length() > 600:
        return arb(c)
    return c  # type: ignore[no-any-return]


def products(first: Terms, second: Terms) -> Terms:
    """The terms of a product, those of powers of t alone by their powers, which is quicker."""
    found: Any = {}
    if not any(a or b or c or e for a, _, b, c, e in (*first, *second)):
        powers = [(p, c) for (_, p, _, _, _), c in first.items()]
        for (_, q, _, _, _), k in second.items():
            for p, c in powers:
                found[p + q] = found[p + q] + c * k if p + q in found else c * k
        return {power_of_t(p): c for p, c in found.items()}
    factors = list(first.items())
    for (n0, n1, n2, n3, n4), k in second.items():
        for (m0, m1, m2, m3, m4), c in factors:
            m = (m0 + n0, m1 + n1, m2 + n2, m3 + n3, m4 + n4)
            found[m] = found[m] + c * k if m in found else c * k
    return found  # type: ignore[no-any-return]
