"""Leading terms c e^h r^a (log r)^b as r -> oo or r -> 0, with exponents that may hold parameters.

SymPy's own limits do not know which of r^(2 beta - 1) and r is larger; the reference point does,
and the answer is remembered as a condition. Every result is a hint, to be confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from dpverify.deadline import OutOfTime, deadline
from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.signs import HYPERBOLIC
from dpverify.symbolic.to_sympy import r

SECONDS = 4.0


@dataclass(frozen=True)
class Lead:
    """c e^h r^a (log r)^b: h is 0 or grows without bound."""

    c: Any
    h: Any = sp.S.Zero
    a: Any = sp.S.Zero
    b: Any = sp.S.Zero

    def times(self, other: Lead) -> Lead:
        """The leading term of a product."""
        return Lead(self.c * other.c, self.h + other.h, self.a + other.a, self.b + other.b)

    def power(self, p: Any) -> Lead:
        """The leading term of a power."""
        return Lead(self.c**p, self.h * p, self.a * p, self.b * p)


def limit(e: Any, ref: Reference) -> Any:
    """The limit as r -> oo: an expression without r, or +-oo. Raises Undetermined."""
    trial = ref.copy()
    try:
        found = _limit_of(lead(_ready(e), trial), trial)
    except Undetermined:
        found = _by_sympy(e)
        trial = ref.copy()
    ref.conditions[:] = trial.conditions
    return found


def limit_at_zero(e: Any, ref: Reference) -> Any:
    """The limit as r -> 0+. Raises Undetermined."""
    try:
        value = e.subs(r, 0)
        if value.is_finite is not False and not value.has(sp.nan, sp.zoo, sp.oo, r) and not _singular(e):
            return value
    except (ValueError, TypeError, ArithmeticError):
        pass
    return limit(e.subs(r, 1 / r), ref)


def _singular(e: Any) -> bool:
    """Whether a power with parameters in its exponent meets r = 0."""
    return any(
        isinstance(p, sp.Pow) and p.exp.free_symbols and p.base.subs(r, 0) == 0 for p in sp.preorder_traversal(e)
    )


def _by_sympy(e: Any) -> Any:
    if e.has(sp.sin, sp.cos, sp.floor):
        raise Undetermined("an oscillating limit")
    try:
        with deadline(SECONDS, of_work=True):
            found = sp.limit(e, r, sp.oo)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError, OutOfTime):
        raise Undetermined("no limit") from None
    if found.has(sp.Limit, sp.AccumBounds, sp.nan, sp.sign, sp.Heaviside, sp.I) or r in found.free_symbols:
        raise Undetermined("no limit")
    return found


def _ready(e: Any) -> Any:
    e = e.rewrite(sp.exp) if e.has(*HYPERBOLIC) else e
    return sp.powsimp(e)


def _limit_of(leading: Lead, ref: Reference) -> Any:
    tends = _size(leading, ref)
    if tends == 0:
        return leading.c
    return sp.S.Zero if tends < 0 else sp.oo * ref.sign(leading.c)


def _size(x: Lead, ref: Reference) -> int:
    """1 if it grows, -1 if it vanishes, 0 if it tends to c."""
    if x.h != 0:
        return _direction(x.h, ref)
    if x.a != 0:
        sign = ref.sign(x.a)
        if sign:
            return sign
    return ref.sign(x.b) if x.b != 0 else 0


def _direction(h: Any, ref: Reference) -> int:
    """Whether h -> oo or -oo."""
    leading = lead(h, ref)
    size = _size(leading, ref)
    if size <= 0:
        raise Undetermined("an exponent does not grow")
    return ref.sign(leading.c)


def lead(e: Any, ref: Reference) -> Lead:
    """The leading term of e as r -> oo. Raises Undetermined where terms cancel."""
    if not e.has(r):
        return Lead(e)
    if e == r:
        return Lead(sp.S.One, a=sp.S.One)
    if isinstance(e, sp.Mul):
        total = Lead(sp.S.One)
        for factor in e.args:
            total = total.times(lead(factor, ref))
        return total
    if isinstance(e, sp.exp):
        return _exponential(e.args[0], ref)
    if isinstance(e, sp.Pow) and not e.exp.has(r):
        return lead(e.base, ref).power(e.exp)
    if isinstance(e, sp.Pow):
        return _exponential(e.exp * sp.log(e.base), ref)
    if isinstance(e, sp.log):
        return _logarithm(e.args[0], ref)
    if isinstance(e, sp.Add):
        return _sum(e, ref)
    if isinstance(e, sp.besselk):
        return _bessel(e.args[0], e.args[1], ref)
    raise Undetermined(f"no leading term of {e.func}")


def _exponential(u: Any, ref: Reference) -> Lead:
    grows, constant = sp.S.Zero, sp.S.Zero
    for term in sp.Add.make_args(sp.expand(u)):
        leading = lead(term, ref)
        size = _size(leading, ref)
        if size > 0:
            grows += term
        elif size == 0:
            constant += leading.c
    return Lead(sp.exp(constant), h=grows)


def _logarithm(u: Any, ref: Reference) -> Lead:
    leading = lead(u, ref)
    if leading.h != 0:
        return lead(leading.h, ref)
    if leading.a != 0 and ref.sign(leading.a):
        return Lead(leading.a, b=sp.S.One)
    if leading.b != 0:
        raise Undetermined("a logarithm of a logarithm")
    if leading.c == 1:
        return lead(sp.expand(u - 1), ref)
    return Lead(sp.log(leading.c))


def _sum(e: Any, ref: Reference) -> Lead:
    best: list[Lead] = []
    for term in e.args:
        x = lead(term, ref)
        order = _compare(x, best[0], ref) if best else 1
        if order > 0:
            best = [x]
        elif order == 0:
            best.append(x)
    total = sp.simplify(sp.Add(*(x.c for x in best)))
    if total == 0:
        raise Undetermined("the leading terms cancel")
    return Lead(total, best[0].h, best[0].a, best[0].b)


def _compare(x: Lead, y: Lead, ref: Reference) -> int:
    h = sp.expand(x.h - y.h)
    if h != 0:
        return _size(Lead(sp.S.One, h), ref)
    return _size(Lead(sp.S.One, sp.S.Zero, sp.simplify(x.a - y.a), sp.simplify(x.b - y.b)), ref)


def _bessel(order: Any, x: Any, ref: Reference) -> Lead:
    """K_p(x) ~ sqrt(pi/(2x)) e^-x as x -> oo (DLMF 10.25.3), Gamma(|p|)/2 (2/x)^|p| as x -> 0 (10.30.2)."""
    leading = lead(x, ref)
    size = _size(leading, ref)
    if size > 0:
        root = lead(sp.sqrt(sp.pi / 2 / x), ref)
        return root.times(_exponential(-x, ref))
    if size == 0:
        return Lead(sp.besselk(order, leading.c))
    p = order * ref.sign(order)
    if p == 0:
        return _logarithm(1 / x, ref)
    return Lead(sp.gamma(p) / 2 * 2**p).times(leading.power(-p))
