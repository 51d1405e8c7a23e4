"""From tree to text that `parse` reads back as the same tree."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpverify.language.expression import (
    And,
    Call,
    Comparison,
    Condition,
    Constant,
    Expression,
    Not,
    Number,
    Or,
    Parameter,
    Piecewise,
    Power,
    Product,
    Radius,
    Sum,
    Truth,
)


def text_of(tree: Expression) -> str:
    """The tree as text, parenthesised throughout.

    `parse` reads it back as the same tree, as long as the text keeps within the language's limits.
    """
    match tree:
        case Number(value=value):
            return _rational(value)
        case Constant(name=name) | Parameter(name=name):
            return name
        case Radius():
            return "r"
        case Sum(terms=terms):
            return "(" + " + ".join(map(text_of, terms)) + ")"
        case Product(factors=factors):
            return "(" + "*".join(map(text_of, factors)) + ")"
        case Power(base=base, exponent=exponent):
            return f"({text_of(base)}**{text_of(exponent)})"
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(text_of, arguments))})"
        case Piecewise(branches=branches):
            pairs = (f"({text_of(v)}, {condition_text(c)})" for v, c in branches)
            return f"Piecewise({', '.join(pairs)})"
    raise TypeError(f"{type(tree).__name__} is not an expression")


def condition_text(condition: Condition) -> str:
    """A condition as text that the parser reads."""
    match condition:
        case Truth(value=value):
            return str(value)
        case Comparison(operator=operator, left=left, right=right):
            return f"({text_of(left)} {operator} {text_of(right)})"
        case And(parts=parts):
            return "(" + " and ".join(map(condition_text, parts)) + ")"
        case Or(parts=parts):
            return "(" + " or ".join(map(condition_text, parts)) + ")"
        case Not(part=part):
            return f"(not {condition_text(part)})"
    raise TypeError(f"{type(condition).__name__} is not a condition")


def _rational(value: Fraction) -> str:
    # by way of Decimal, since Python refuses to write out an int of more than 4,300 digits
    size = f"{Decimal(abs(value.numerator)):f}"
    if value.denominator != 1:
        size += f"/{Decimal(value.denominator):f}"
    if value < 0:
        size = f"-{size}"
    return size if value.denominator == 1 and value >= 0 else f"({size})"
