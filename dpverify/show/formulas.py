r"""Formulas: from text of the language to LaTeX, and from LaTeX to MathML; `typst` has them for paper.

The text is parsed and then walked as it was written, not as the prover normalises it. What comes out
consists of a fixed set of commands, digits and names of letters, so that it is safe in every document.
"""

from __future__ import annotations

import ast
import re
from functools import cache

LONGEST = 300
SMALL = "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = frozenset(f"{SMALL} Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split())
COMPARISONS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: r"\leq", ast.Gt: ">", ast.GtE: r"\geq"}
NAMED = {name: rf"\{name}" for name in ("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "max", "min")}
WORDS = ("erf", "erfc", "asinh", "acosh", "log1p", "expm1", "sign", "frac", "round", "sech", "csch", "coth")
UPRIGHT = {name: rf"\mathrm{{{name}}}" for name in WORDS}
LETTERS = {"gamma": r"\Gamma", "loggamma": r"\log\,\Gamma", "lambertw": "W", "gammainc": "P", "gammaincc": "Q"}
FUNCTIONS = {**NAMED, **UPRIGHT, **LETTERS, "Heaviside": r"\theta", "Max": r"\max", "Min": r"\min", "atan": r"\arctan"}
PARENTHESES = (("prefix", "&#x00028;"), ("postfix", "&#x00029;"))
OPEN, CLOSE = (rf'<mo stretchy="true" fence="true" form="{form}">({code})</mo>' for form, code in PARENTHESES)
LOW = re.compile(rf"{OPEN}((?:(?!mfrac|msup|munder|msqrt|mtable|mo stretchy=.true).)*){CLOSE}")
"""Parentheses around what is no higher than they are: browsers leave room beside those that may grow."""
UNARY = re.compile(r"(<mrow>|<mo [^>]*>&#x00028;</mo>)<mo>(&#x02212;)</mo>")
"""A minus that nothing stands before."""
SUM, NEGATIVE, PRODUCT, FACTOR, POWER, ATOM = range(6)


class NotTypeset(Exception):
    """The text has something in it that is better shown as it is."""


def latex(text: str) -> str | None:
    """The LaTeX of a text of the language, or None where it is too long, or not to be typeset.

    Within matplotlib's mathtext, except for Piecewise, which needs `cases`.
    """
    if len(text) > LONGEST or not (text.isascii() and text.isprintable()):
        return None
    try:
        return _of(ast.parse(text.strip(), mode="eval").body)[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, NotTypeset):
        return None


@cache
def mathml(formula: str, display: bool = False) -> str:
    """Presentation MathML of LaTeX that this package composed; what a supremum is over stands below it."""
    from latex2mathml.converter import convert

    found = convert(formula.replace("sup_", r"sup\limits_"), display="block" if display else "inline")
    while (low := LOW.sub(r'<mo stretchy="false">\1</mo>\2<mo stretchy="false">\3</mo>', found)) != found:
        found = low
    return UNARY.sub(r'\1<mo form="prefix">\2</mo>', found)


def symbol(name: str) -> str:
    """A parameter's name: a Greek letter, a letter with an index, or a word."""
    stem, _, index = name.partition("_")
    stem, digits = re.fullmatch(r"([A-Za-z]*)(.*)", stem).groups()  # type: ignore[union-attr]
    below = " ".join(part for part in (digits, index) if part)
    if not stem or not re.fullmatch(r"[A-Za-z0-9 ]*", below):
        raise NotTypeset
    base = rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    return rf"{base}_{{\mathrm{{{below}}}}}" if below else base


def _of(node: ast.AST) -> tuple[str, int]:
    """A node's LaTeX, and how tightly it binds."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return _number(repr(value))
        case ast.Name(id=name):
            return symbol(name), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_within(operand, PRODUCT)}", NEGATIVE
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _of(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_within(left, SUM)} + {_within(right, PRODUCT)}", SUM
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return f"{_within(left, SUM)} - {_within(right, PRODUCT)}", SUM
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            first, second = _within(left, NEGATIVE), _within(right, FACTOR)
            dot = (
                r" \cdot " if second[:1].isdigit() or (second.startswith(r"\dfrac") and first[-1:].isdigit()) else r"\,"
            )
            return f"{first}{dot}{second}", min(PRODUCT, _of(left)[1]) if first[:1] == "-" else PRODUCT
        case ast.BinOp(left=ast.UnaryOp(op=ast.USub(), operand=left), op=ast.Div(), right=right):
            return rf"-\dfrac{{{_of(left)[0]}}}{{{_of(right)[0]}}}", NEGATIVE
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\dfrac{{{_of(left)[0]}}}{{{_of(right)[0]}}}", FACTOR
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            raised = _of(right)[0].replace("dfrac", "frac")
            return f"{{{_within(left, ATOM)}}}^{{{raised}}}", POWER
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments)
    raise NotTypeset


def _number(written: str) -> tuple[str, int]:
    mantissa, exponent, power = written.partition("e")
    return (rf"{mantissa} \cdot 10^{{{int(power)}}}", PRODUCT) if exponent else (mantissa, ATOM)


def _within(node: ast.AST, least: int) -> str:
    text, binding = _of(node)
    return text if binding >= least else rf"\left({text}\right)"


def _call(name: str, arguments: list[ast.expr]) -> tuple[str, int]:
    if name == "Piecewise":
        return _cases(arguments)
    parts = [_of(argument)[0] for argument in arguments]
    match name:
        case "sqrt":
            return rf"\sqrt{{{parts[0]}}}", ATOM
        case "floor":
            return rf"\left\lfloor {parts[0]} \right\rfloor", ATOM
        case "ceil":
            return rf"\left\lceil {parts[0]} \right\rceil", ATOM
        case "Abs" | "abs":
            return rf"\left| {parts[0]} \right|", ATOM
        case "besselk" | "besseli":
            letter = name[-1].upper()
            return rf"{letter}_{{{parts[0].replace('dfrac', 'frac')}}}\left({parts[1]}\right)", POWER
        case _ if name in FUNCTIONS:
            return rf"{FUNCTIONS[name]}\left({', '.join(parts)}\right)", POWER
    raise NotTypeset


def _cases(branches: list[ast.expr]) -> tuple[str, int]:
    rows = []
    for branch in branches:
        if not isinstance(branch, ast.Tuple):
            raise NotTypeset
        value, condition = branch.elts
        rows.append(rf"{_of(value)[0]} & {_condition(condition)}")
    return r"\begin{cases}" + r"\\".join(rows) + r"\end{cases}", ATOM


def _condition(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=bool() as value):
            return r"\mathrm{otherwise}" if value else r"\mathrm{never}"
        case ast.Compare(left=left, ops=operators, comparators=others):
            terms = [_of(left)[0]]
            for operator, other in zip(operators, others, strict=True):
                terms += [COMPARISONS[type(operator)], _of(other)[0]]
            return " ".join(terms)
    raise NotTypeset
