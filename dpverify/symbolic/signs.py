"""The sign of a function of r on all of r > 0, by exact polynomial arithmetic.

Exponentials and radicals are positive letters; a polynomial whose coefficients all have one sign
has that sign wherever its letters are positive. Where that does not show it at once, letters that
exceed 1 are written 1 + s, a radical's square is put in, and a polynomial without parameters is
settled by Sturm's count of roots. What is not shown is None, never a guess.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.to_sympy import r

HYPERBOLIC = (sp.cosh, sp.sinh, sp.tanh, sp.sech, sp.csch, sp.coth)


def tidy(e: Any) -> Any:
    """One fraction, factored, with hyperbolic functions as exponentials."""
    if e.has(*HYPERBOLIC):
        e = e.rewrite(sp.exp)
    e = sp.powsimp(sp.expand_power_exp(e))
    return sp.factor(sp.cancel(sp.together(e))) if e.is_rational_function() else sp.factor(sp.together(e))


def sign_everywhere(e: Any, ref: Reference, start: Any = sp.S.Zero, stop: Any = sp.oo) -> int | None:
    """1, -1 or 0: e >= 0, e <= 0, or e = 0 for all start < r < stop; None where that is not shown.

    Conditions are remembered in `ref` only where a sign is returned.
    """
    trial = ref.copy()
    s = sp.Symbol("s", positive=True)
    if stop is not sp.oo:  # r = (start + stop s)/(1 + s) runs through the interval
        e = e.subs(r, (start + stop * s) / (1 + s)).subs(s, r)
    elif start is not sp.S.Zero:
        e = e.subs(r, start + r)
    try:
        sign = _sign(tidy(e), trial)
    except (Undetermined, sp.PolynomialError, NotImplementedError):
        return None
    if sign is not None:
        ref.conditions[:] = trial.conditions
    return sign


def _sign(e: Any, ref: Reference) -> int | None:
    total = 1
    for part in sp.Mul.make_args(e):
        sign = factor_sign(part, ref)
        if sign is None:
            return None
        total *= sign
    return total


def factor_sign(part: Any, ref: Reference) -> int | None:
    """The sign of one factor for all r > 0 at the reference point, None where it is not known."""
    if part.is_zero:
        return 0
    if part.is_positive:
        return 1
    if part.is_negative:
        return -1
    if not part.has(r):
        return ref.sign(part, weak=True)
    if isinstance(part, sp.exp):
        return 1
    if isinstance(part, sp.log):
        return _sign(tidy(part.args[0] - 1), ref)
    if isinstance(part, sp.Pow):
        if part.exp.is_integer:
            inner = factor_sign(part.base, ref)
            return inner if inner is None or part.exp.is_odd else abs(inner)
        return 1 if _sign(tidy(part.base), ref) == 1 else None
    if isinstance(part, sp.Add):
        return _sum_sign(part, ref)
    return None


def _sum_sign(e: Any, ref: Reference) -> int | None:
    letters = lettered(e, ref)
    if letters is None:
        return None
    plain, names = letters
    for attempt in (plain, *_shifted(plain, names)):
        trial = ref.copy()
        sign = _one_sign(coefficients(attempt, trial))
        if sign is not None:
            ref.conditions[:] = trial.conditions
            return sign
    return _sturm(e)


def lettered(e: Any, ref: Reference) -> tuple[Any, dict[Any, Any]] | None:
    """e as a polynomial in r and positive letters, and what each letter stands for; None if it is none."""
    try:
        polynomial = sp.Poly(e)
    except sp.PolynomialError:
        return None
    names: dict[Any, Any] = {}
    for generator in polynomial.gens:
        if generator.is_Symbol:
            continue
        if isinstance(generator, (sp.sin, sp.cos, sp.floor)):
            return None
        if not (generator.is_positive or factor_sign(generator, ref) == 1):
            return None
        names[generator] = sp.Dummy(f"t{len(names)}", positive=True)
    replaced = polynomial.as_expr(*(names.get(g, g) for g in polynomial.gens))
    return replaced, {letter: generator for generator, letter in names.items()}


def _shifted(plain: Any, names: dict[Any, Any]) -> list[Any]:
    """The same polynomial with letters that exceed 1 written 1 + s, and squares of radicals put in."""
    found: list[Any] = []
    grown = plain
    for letter, meaning in names.items():
        if isinstance(meaning, sp.exp) and meaning.args[0].is_positive:
            grown = grown.subs(letter, 1 + letter)
        if isinstance(meaning, sp.exp) and meaning.args[0].is_negative:
            grown = sp.numer(sp.together(grown.subs(letter, 1 / (1 + letter))))
        if isinstance(meaning, sp.Pow) and meaning.exp in (sp.S.Half, -sp.S.Half):
            rest = sp.expand(meaning.base - r**2)
            if not rest.has(r) and rest.is_positive:
                # t = sqrt(r^2 + q): r^2 = t^2 - q, and t = sqrt(q) + s
                by_t = sp.expand(_even_powers(plain, r, letter**2 - rest))
                found.append(by_t)
                found.append(sp.expand(by_t.subs(letter, sp.sqrt(rest) + letter)))
    if grown is not plain:
        found.append(sp.expand(grown))
    return found


def _even_powers(e: Any, x: Any, square: Any) -> Any:
    polynomial = sp.Poly(e, x)
    return sp.Add(*(c * square ** (k // 2) * x ** (k % 2) for (k,), c in polynomial.terms()))


def coefficients(e: Any, ref: Reference) -> list[int]:
    """The signs of the coefficients, in falling order, of a polynomial in r and in letters."""
    moving = [s for s in e.free_symbols if s is r or isinstance(s, sp.Dummy)]
    if not moving:
        return [ref.sign(e, weak=True)]
    return [ref.sign(c, weak=True) for _, c in sp.Poly(e, *moving).terms()]


def _one_sign(signs: list[int]) -> int | None:
    found = set(signs) - {0}
    return found.pop() if len(found) == 1 else (0 if not found else None)


def _sturm(e: Any) -> int | None:
    """For a polynomial in r alone, with rational coefficients: no root on (0, oo), so one sign."""
    if e.free_symbols != {r} or not e.is_polynomial(r):
        return None
    polynomial = sp.Poly(e, r)
    if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
        return None
    if polynomial.is_zero:
        return 0
    _, polynomial = polynomial.terms_gcd()  # the factor r^k is positive
    if polynomial.count_roots(0, None) == 0:
        return 1 if polynomial.LC() > 0 else -1
    return None
