"""Where the loss is stationary: g'(r + delta) = g'(r), solved where it is an equation of low degree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp

from dpverify.symbolic.potential import solutions
from dpverify.symbolic.reference import TINY, Reference, Undetermined
from dpverify.symbolic.signs import factor_sign, lettered, tidy
from dpverify.symbolic.to_sympy import DELTA, r


@dataclass(frozen=True)
class Turn:
    """A polynomial in r, or in E = e^(rate r), that has the sign of phi', and its sign changes by Descartes' rule."""

    equation: Any
    variations: int
    first: int  # its sign as r falls to where the section begins
    last: int  # its sign as r -> oo
    rate: Any  # None for a polynomial in r


def turn(slope: Any, ref: Reference) -> Turn | None:
    """The equation phi' = 0 with everything of one sign divided out; None where it is no polynomial."""
    sign, rest = 1, sp.S.One
    for part in sp.Mul.make_args(tidy(slope)):
        trial = ref.copy()
        try:
            known = factor_sign(part, trial)
        except (Undetermined, sp.PolynomialError):
            known = None
        if known is None:
            rest *= part
            continue
        sign *= known
        ref.conditions[:] = trial.conditions
    if rest == 1 or sign == 0:
        return None
    rest = sp.expand(sign * rest)
    variable, rate = r, None
    if not rest.is_polynomial(r):
        letters = lettered(rest, ref)
        if letters is None or len(letters[1]) != 1:
            return None
        ((letter, meaning),) = letters[1].items()
        rate = sp.diff(sp.log(meaning), r)
        if not isinstance(meaning, sp.exp) or rate.has(r) or letters[0].has(r):
            return None
        rest, variable = letters[0].subs(letter, r + 1 if rate.is_positive else r), r
        if not rate.is_positive:
            return None
    try:
        signs = [s for s in (ref.sign(c) for c in sp.Poly(rest, variable).all_coeffs()) if s]
    except (sp.PolynomialError, Undetermined):
        return None
    changes = sum(a != b for a, b in pairwise(signs))
    return Turn(sp.factor(rest), changes, signs[-1], signs[0], rate)


def positive_roots(found: Turn, ref: Reference) -> list[Any]:
    """The radii r > 0 at which phi' = 0, as formulas, where the degree permits."""
    roots: list[Any] = []
    for candidate in _roots(found.equation):
        radius = candidate if found.rate is None else sp.log(1 + candidate) / found.rate
        try:
            if ref.number(radius) > TINY:
                roots.append(radius)
        except Undetermined:
            continue
    return roots


def _roots(equation: Any) -> list[Any]:
    """Roots of a polynomial in r; for an even potential it is one in m^2, m = r + delta/2, of half the degree."""
    m = sp.Symbol("m", positive=True)
    centred = sp.Poly(sp.expand(equation.subs(r, m - DELTA / 2)), m)
    if all(k % 2 == 0 for (k,), _ in centred.terms()):
        halved = sp.Poly(sum(c * m ** (k // 2) for (k,), c in centred.terms()), m)
        if halved.degree() <= 2:
            return [sp.sqrt(sp.factor(q)) - DELTA / 2 for q in sp.roots(halved, m)]
    polynomial = sp.Poly(equation, r)
    if polynomial.degree() <= 2:
        return list(sp.roots(polynomial, r))
    return list(sp.roots(polynomial, r)) if polynomial.degree() <= 4 else []


def other_roots(slope: Any, ref: Reference) -> list[Any]:
    """Stationary radii that SymPy's general solver finds; checked against the equation at the reference point."""
    roots = []
    for candidate in solutions(slope):
        try:
            value = ref.number(candidate)
            if value > TINY and abs(ref.number(slope.subs(r, candidate))) < TINY:
                roots.append(candidate)
        except Undetermined:
            continue
    return roots
