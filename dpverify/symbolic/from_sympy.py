"""From SymPy to text of the language, which `dpverify.language.parse` reads."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from dpverify.language import FUNCTIONS


class Untranslatable(Exception):
    """The expression uses something that the language has no word for."""


class _Printer(StrPrinter):  # type: ignore[misc]
    def _print_Exp1(self, expr: Any) -> str:  # noqa: N802
        return "e"

    def _print_Function(self, expr: Any) -> str:  # noqa: N802
        name = expr.func.__name__
        if name not in FUNCTIONS:
            raise Untranslatable(name)
        return f"{name}({', '.join(self._print(a) for a in expr.args)})"

    def _print_ceiling(self, expr: Any) -> str:
        return f"(-floor({self._print(-expr.args[0])}))"

    def _print_Relational(self, expr: Any) -> str:  # noqa: N802
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"


def to_text(expression: Any) -> str:
    """A SymPy expression or comparison as text of the language. Raises Untranslatable."""
    if expression.has(sp.zoo, sp.nan, sp.oo, sp.I, sp.Float):
        raise Untranslatable(str(expression)[:80])
    return str(_Printer({"order": None}).doprint(expression))
