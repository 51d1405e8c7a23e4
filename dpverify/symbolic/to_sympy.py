"""From the language's tree to SymPy, node by node. No text is ever read by SymPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from dpverify.language import expression as tree

r = sp.Symbol("r", positive=True)
DELTA = sp.Symbol("delta", positive=True)
FUNCTIONS = {
    "exp": sp.exp,
    "log": sp.log,
    "cosh": sp.cosh,
    "sinh": sp.sinh,
    "tanh": sp.tanh,
    "asinh": sp.asinh,
    "sin": sp.sin,
    "cos": sp.cos,
    "Abs": sp.Abs,
    "Max": sp.Max,
    "Min": sp.Min,
    "floor": sp.floor,
    "besselk": sp.besselk,
    "gamma": sp.gamma,
    "erf": sp.erf,
    "erfc": sp.erfc,
    "atan": sp.atan,
    "loggamma": sp.loggamma,
    "lambertw": sp.LambertW,
    "besseli": sp.besseli,
    "gammainc": lambda a, x: sp.lowergamma(a, x) / sp.gamma(a),
    "gammaincc": lambda a, x: sp.uppergamma(a, x) / sp.gamma(a),
}
COMPARISONS = {"<": sp.StrictLessThan, "<=": sp.LessThan, ">": sp.StrictGreaterThan, ">=": sp.GreaterThan}


def to_sympy(node: tree.Expression, values: Mapping[str, Any]) -> Any:
    """The SymPy expression in `r`; each parameter becomes what `values` says it is."""
    match node:
        case tree.Number(value=value):
            return sp.Rational(value.numerator, value.denominator)
        case tree.Constant(name=name):
            return sp.pi if name == "pi" else sp.E
        case tree.Radius():
            return r
        case tree.Parameter(name=name):
            return values[name]
        case tree.Sum(terms=terms):
            return sp.Add(*(to_sympy(t, values) for t in terms))
        case tree.Product(factors=factors):
            return sp.Mul(*(to_sympy(f, values) for f in factors))
        case tree.Power(base=base, exponent=exponent):
            return sp.Pow(to_sympy(base, values), to_sympy(exponent, values))
        case tree.Call(function=function, arguments=arguments):
            return FUNCTIONS[function](*(to_sympy(a, values) for a in arguments))
        case tree.Piecewise(branches=branches):
            return sp.Piecewise(*((to_sympy(v, values), _condition(c, values)) for v, c in branches))
    raise TypeError(f"{type(node).__name__} is not an expression")


def _condition(condition: tree.Condition, values: Mapping[str, Any]) -> Any:
    match condition:
        case tree.Truth(value=value):
            return sp.true if value else sp.false
        case tree.Comparison(operator=operator, left=left, right=right):
            return COMPARISONS[operator](to_sympy(left, values), to_sympy(right, values))
        case tree.And(parts=parts):
            return sp.And(*(_condition(p, values) for p in parts))
        case tree.Or(parts=parts):
            return sp.Or(*(_condition(p, values) for p in parts))
        case tree.Not(part=part):
            return sp.Not(_condition(part, values))
    raise TypeError(f"{type(condition).__name__} is not a condition")
