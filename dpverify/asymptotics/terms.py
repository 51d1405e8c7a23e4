"""The terms of a model: for each monomial a coefficient, exact as long as it is known and short."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from dpverify.asymptotics.germ import Exponent, Exponents

Coefficient = fmpq | arb
Terms = dict[Exponents, Coefficient]


def is_zero(c: Coefficient) -> bool:
    """Whether the coefficient is proved 0."""
    return not c if isinstance(c, fmpq) else bool(c.is_zero())


def tidy(c: Any) -> Coefficient:
    """Keep a rational exact while it is short."""
    if isinstance(c, arb):
        return c
    if type(c) is int:
        return fmpq(c)
    if c.height_bits() > 300 and int(c.p).bit_length() + int(c.q).bit_length() > 600:
        return arb(c)
    return c  # type: ignore[no-any-return]


def products(first: Terms, second: Terms) -> Terms:
    """The terms of a product, those of powers of t alone by their powers, which is quicker."""
    found: Any = {}
    powers, others = _powers(first), _powers(second)
    if powers is not None and others is not None:
        for q, k in others:
            for p, c in powers:
                n, x = p + q, c * k
                found[n] = found[n] + x if n in found else x
        return {(0, p, 0, 0, 0): c for p, c in found.items()}
    factors = list(first.items())
    for (n0, n1, n2, n3, n4), k in second.items():
        for (m0, m1, m2, m3, m4), c in factors:
            m, x = (m0 + n0, m1 + n1, m2 + n2, m3 + n3, m4 + n4), c * k
            found[m] = found[m] + x if m in found else x
    return found  # type: ignore[no-any-return]


def _powers(terms: Terms) -> list[tuple[Exponent, Any]] | None:
    """The powers of t and their coefficients; None where there is another monomial."""
    found: list[tuple[Exponent, Any]] = []
    for (rate, p, a, b, c), k in terms.items():
        if rate or a or b or c:
            return None
        found.append((p, k))
    return found
