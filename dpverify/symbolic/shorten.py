"""The shortest of several ways to write a formula; each way is compared at the reference point."""

from __future__ import annotations

from typing import Any

import sympy as sp

from dpverify.deadline import OutOfTime, deadline
from dpverify.symbolic.from_sympy import Untranslatable, to_text
from dpverify.symbolic.reference import TINY, Reference, Undetermined

SECONDS = 2.0
FAILURES = (TypeError, ValueError, ArithmeticError, NotImplementedError, AttributeError, RecursionError, OutOfTime)


def shortest(e: Any, ref: Reference) -> Any:
    """A short form of e, equal to it at the reference point and near it."""
    forms = [e]
    for rewrite in (sp.expand_log, _one_logarithm, _area, sp.factor_terms, _simplified):
        try:
            with deadline(SECONDS, of_work=True):
                found = rewrite(e)
                if found != e and _length(found) < _length(e) and _agree(e, found, ref):
                    forms.append(found)
        except (*FAILURES, sp.PolynomialError):
            continue
    return min(forms, key=_length)


def _simplified(e: Any) -> Any:
    return sp.factor_terms(sp.simplify(e))


def _logarithms(e: Any) -> tuple[Any, dict[Any, Any]]:
    """e = rest + sum of c log(u), with one u for each c."""
    rest = sp.S.Zero
    found: dict[Any, Any] = {}
    for term in sp.Add.make_args(sp.expand(sp.expand_log(e, force=True))):
        logs = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log)]
        if len(logs) != 1:
            rest += term
            continue
        c, u = term / logs[0], logs[0].args[0]
        if c.could_extract_minus_sign():
            c, u = -c, 1 / u
        found[c] = found.get(c, sp.S.One) * u
    merged: dict[Any, Any] = {}
    for c, u in found.items():  # (nu/2) log u + (d/2) log u is ((nu + d)/2) log u
        u = sp.factor(without_nested_roots(u))
        same = next((k for k, v in merged.items() if v == u), None)
        merged[c if same is None else same + c] = merged.pop(same) if same is not None else u
    return rest, merged


def _one_logarithm(e: Any) -> Any:
    rest, logs = _logarithms(e)
    return rest + sp.Add(*(sp.factor(c) * sp.log(u) for c, u in logs.items()))


def _area(e: Any) -> Any:
    """log u = 2 asinh((u - 1)/(2 sqrt(u))): the form in which a quadratic's root leaves no trace."""
    rest, logs = _logarithms(e)
    total = rest
    for c, u in logs.items():
        square = sp.factor(without_nested_roots((u - 1) ** 2 / (4 * u)))
        total += 2 * sp.factor(c) * sp.asinh(sp.sqrt(square))
    return sp.simplify(total) if len(logs) == 1 and rest == 0 else total


def without_nested_roots(e: Any) -> Any:
    """A rational function of one square root s, written (p + q s) with s^2 put in."""
    roots = {p.base for p in e.atoms(sp.Pow) if p.exp in (sp.S.Half, -sp.S.Half) and p.free_symbols and p.base.is_Add}
    if len(roots) != 1:
        return sp.cancel(sp.together(e)) if e.is_rational_function() else e
    (q,) = roots
    s = sp.Dummy("s", positive=True)
    plain = sp.together(e.replace(lambda p: p.is_Pow and p.base == q, lambda p: s ** (2 * p.exp)))
    top, bottom = (sp.rem(sp.expand(part), s**2 - q, s) for part in sp.fraction(plain))
    conjugate = bottom.subs(s, -s)
    top, bottom = (sp.rem(sp.expand(part * conjugate), s**2 - q, s) for part in (top, bottom))
    return sp.cancel(top / bottom).subs(s, sp.sqrt(q))


def _agree(e: Any, other: Any, ref: Reference) -> bool:
    nearby = Reference({s: v * sp.Rational(10007, 10000) for s, v in ref.values.items()})
    try:
        return all(abs(p.number(e) - p.number(other)) <= TINY * (1 + abs(p.number(e))) for p in (ref, nearby))
    except Undetermined:
        return False


def _length(e: Any) -> int:
    try:
        return len(to_text(e))
    except Untranslatable:
        return 10**6
