"""Conditions on parameters, made readable: 2*beta - 1 <= 0 becomes beta <= 1/2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from dpverify.symbolic.from_sympy import to_text

TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "=="}
OPERATORS = {sp.Gt: ">", sp.Ge: ">=", sp.Lt: "<", sp.Le: "<=", sp.Eq: "=="}


def readable(conditions: Iterable[Any]) -> list[tuple[str, str, str]]:
    """(left, operator, right) for each condition, the same one written once and the stricter of two kept."""
    found: dict[tuple[str, str, str], Any] = {}
    for condition in conditions:
        if _holds_always(condition):
            continue
        left, operator, right = _isolated(condition.lhs - condition.rhs, OPERATORS[type(condition)])
        bound = right if right.is_number else None
        found[to_text(left), operator, to_text(right)] = bound
    return [key for key, bound in found.items() if not _implied(key, bound, found)]


def _holds_always(condition: Any) -> bool:
    """Whether it is one like cos(delta) <= 1."""
    number, wave = sp.expand(condition.lhs - condition.rhs).as_coeff_Add()
    size, factor = wave.as_coeff_Mul()
    if not isinstance(factor, (sp.sin, sp.cos)) or not factor.args[0].is_real:
        return False
    if isinstance(condition, sp.Le):
        return bool(number + abs(size) <= 0)
    return isinstance(condition, sp.Ge) and bool(number - abs(size) >= 0)


def _isolated(e: Any, operator: str) -> tuple[Any, str, Any]:
    """e (operator) 0 solved for a symbol in which it is linear with a numeric coefficient."""
    e = sp.expand(e)
    for symbol in sorted(e.free_symbols, key=lambda s: (str(s) in ("d", "delta"), str(s))):
        slope = sp.diff(e, symbol)
        if slope.is_number and slope != 0:
            rest = sp.factor_terms(-(e - slope * symbol) / slope)
            return symbol, operator if slope > 0 else TURNED[operator], rest
    if e.could_extract_minus_sign():
        e, operator = -e, TURNED[operator]
    negative = sp.Add(*(t for t in sp.Add.make_args(e) if t.could_extract_minus_sign()))
    return e - negative, operator, -negative


def _implied(key: tuple[str, str, str], bound: Any, others: dict[tuple[str, str, str], Any]) -> bool:
    left, operator, right = key
    for (name, sign, value), other in others.items():
        if name != left or sign[0] != operator[0] or (sign, value) == (operator, right):
            continue
        if value == right:
            if operator in (">=", "<=") and sign in (">", "<"):
                return True
        elif bound is not None and other is not None and (other > bound) == (sign[0] == ">"):
            return True
    return False
