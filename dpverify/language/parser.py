"""From text to tree, by an allowlist on the standard library's `ast`. Nothing is ever evaluated."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, cast

from dpverify.errors import InputError
from dpverify.language import limits
from dpverify.language.expression import (
    And,
    Comparison,
    Condition,
    Constant,
    Expression,
    Not,
    Number,
    Or,
    Parameter,
    Piecewise,
    Radius,
    Truth,
)
from dpverify.language.meant import CASES, MEANT, meant
from dpverify.language.natural import natural
from dpverify.language.needs import Guard, Need, Operation
from dpverify.language.rational import parse_rational
from dpverify.language.simplify import (
    MINUS_ONE,
    make_call,
    make_power,
    make_product,
    make_sum,
    negative,
)
from dpverify.language.spelling import columns_of_bars, hint, without_bars
from dpverify.language.sugar import NEEDS, SUGAR

FUNCTIONS = {
    "exp": (1, 1),
    "log": (1, 1),
    "sqrt": (1, 1),
    "cosh": (1, 1),
    "sinh": (1, 1),
    "tanh": (1, 1),
    "asinh": (1, 1),
    "sin": (1, 1),
    "cos": (1, 1),
    "Abs": (1, 1),
    "Max": (2, 20),
    "Min": (2, 20),
    "floor": (1, 1),
    "besselk": (2, 2),
    "gamma": (1, 1),
    "erf": (1, 1),
    "erfc": (1, 1),
    "atan": (1, 1),
    "loggamma": (1, 1),
    "lambertw": (1, 1),
    "gammainc": (2, 2),
    "gammaincc": (2, 2),
    "besseli": (2, 2),
    **dict.fromkeys(SUGAR, (1, 1)),
}
"""The functions of the language, and how few and how many arguments each takes."""

RESERVED = ("Delta", "delta", "epsilon", "sigma")
"""Names that verdicts and formulas use; no parameter may have one."""

REFUSED = "#\\'\""
"""A comment or a continued line would be text that is silently not read."""

ALIASES = {"abs": "Abs", "max": "Max", "min": "Min"}
PARTIAL = {"sqrt": 0, "log": 0, "gamma": 0, "besselk": 1, "besseli": 1}
"""The functions that have no value for some arguments, and which argument decides."""
EQUATION = re.compile(r"\s*\w+\s*(\([\w\s]*\))?\s*:?=(?!=)", re.ASCII)
"""What comes before the formula in `f(y) = exp(-y)`."""
PLAIN_NUMBER = re.compile(r"[0-9]*\.?[0-9]*([eE][+-]?[0-9]+)?")
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
JOINING: dict[str, Callable[[tuple[Condition, ...]], Condition]] = {"And": And, "Or": Or}
"""How SymPy joins conditions; Not takes one."""
WORDS = ("Piecewise", *JOINING, "Not")
"""What is called and is no function of numbers."""
OPERATORS: dict[type[ast.operator], str] = {
    ast.BitAnd: "the sign & joins comparisons; put each in parentheses, or write and",
    ast.BitOr: "the sign | joins comparisons; put each in parentheses, or write or",
    ast.FloorDiv: "the sign // is not in the language; write floor(a/b)",
    ast.Mod: "the sign % is not in the language; write b*frac(a/b)",
}
OTHERS: dict[type[ast.AST], str] = {
    ast.IfExp: "if and else are not in the language; write Piecewise((value, condition), (other, True))",
    ast.Compare: "a comparison is no number; it stands in Piecewise((value, condition), (other, True))",
    ast.BoolOp: "and, or stand between the conditions of Piecewise((value, condition), (other, True))",
    ast.Tuple: "a list of values is no formula; write one expression in y or r",
    ast.Subscript: "brackets [...] are not in the language; write parentheses",
    ast.List: "brackets [...] are not in the language; write parentheses",
    ast.Lambda: "write the formula alone, in y or r",
    ast.Attribute: "a point between names is not in the language; write the function's name alone",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's tree, what its parts need in order to have values, the innermost first, and the text without bars."""

    expression: Expression
    needs: tuple[Need, ...]
    text: str


def check_names(names: Iterable[str]) -> None:
    """Raise InputError where a parameter has a name that means something else."""
    for name in sorted(names):
        if name in RESERVED or name in FUNCTIONS or name in ALIASES or name in WORDS:
            what = "is a function" if name not in RESERVED else "means something else here"
            raise InputError(f"no parameter may be called {name}, which {what}; call it something else")


def parse(text: str) -> Expression:
    """The tree of a generator's text, its parameters still unbound; raises what `read` raises."""
    return read(text).expression


def read(text: str) -> Reading:
    """The tree of a generator's text and the needs of its parts, the parameters still unbound.

    Raises InputError, with the column, for anything outside the language.
    """
    if not isinstance(text, str):
        raise InputError(f"a generator is a text, not {type(text).__name__}")
    if not text.strip():
        raise InputError("the generator's text is empty; write for example exp(-sqrt(y))")
    if len(text) > limits.MAX_TEXT:
        raise InputError(f"the generator's text is longer than {limits.MAX_TEXT} characters")
    if equation := EQUATION.match(text):
        raise InputError(f"column {equation.end()}: write the formula alone, without {equation[0].strip()}")
    text, typed = natural(text)
    for column, character in enumerate(text, 1):
        if not (character.isascii() and character.isprintable()):
            raise InputError(
                f"column {typed(column)}: the character U+{ord(character):04X} is not in the language; "
                f"{hint(character)}"
            )
        if character in REFUSED:
            raise InputError(f"column {typed(column)}: the character {character} is not in the language")
    barred = columns_of_bars(text, typed)
    text = without_bars(text)
    if len(text) > limits.MAX_TEXT:
        raise InputError(f"the generator's text is longer than {limits.MAX_TEXT} characters, as it is read")

    def columns(column: int) -> int:
        return typed(barred(column))

    margin = len(text) - len(text.lstrip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        where = f"column {columns(error.offset + margin)}: " if error.offset else ""
        if re.search(r"\blambda\b", text):
            raise InputError(f"{where}no parameter may be called lambda; call it lam") from None
        raise InputError(f"{where}not an expression ({_first_sentence(error.msg)})") from None
    except (ValueError, RecursionError, MemoryError):
        raise InputError("the generator's text is nested too deeply or holds too long a number") from None
    reader = _Reader(text.strip(), margin, columns)
    return Reading(reader.expression(parsed, 0), tuple(reader.needs), text.strip())


def more_than_rational(node: ast.AST) -> bool:
    """Whether the radius, pi or e is written in it."""
    return any(isinstance(part, ast.Name) and part.id in ("r", "y", "pi", "e") for part in ast.walk(node))


def _first_sentence(message: str) -> str:
    """Without the hints that follow it, which are for programs and not for formulas."""
    said = re.split(r"[.;] ", " ".join(str(message).split()))[0][:100]
    return "a sign, a number or a parenthesis is missing or too many" if said == "invalid syntax" else said


class _Reader:
    def __init__(self, text: str, margin: int, columns: Callable[[int], int]) -> None:
        self.text, self.margin, self.columns = text, margin, columns
        self.needs: list[Need] = []
        self.guard: Guard = ()

    def written(self, node: ast.expr) -> str:
        """The part of the text that a node was read from."""
        return self.text[node.col_offset : node.end_col_offset]

    def note(self, operation: Operation, arguments: tuple[Expression, ...], node: ast.expr, subject: str) -> None:
        self.needs.append(Need(operation, arguments, self.guard, self.written(node), subject))

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        raise InputError(f"column {self.columns(getattr(node, 'col_offset', 0) + self.margin + 1)}: {why}")

    def expression(self, node: ast.AST, depth: int) -> Expression:
        if depth >= limits.MAX_DEPTH:
            self.refuse(node, f"nested more than {limits.MAX_DEPTH} levels deep")
        try:
            return self._expression(node, depth)
        except InputError as error:
            if str(error).startswith("column"):
                raise
            self.refuse(node, str(error))

    def _expression(self, node: ast.AST, depth: int) -> Expression:
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            inner = self.expression(node.operand, depth + 1)
            return negative(inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            return self.binary(node, depth)
        if isinstance(node, ast.Call):
            return self.call(node, depth)
        self.refuse(node, OTHERS.get(type(node), "this is not in the language, which has numbers, names, + - * / **"))

    def number(self, node: ast.Constant) -> Expression:
        if type(node.value) not in (int, float):
            self.refuse(node, f"{self.written(node)[:40]} is no number of the language")
        written = self.written(node)
        if not PLAIN_NUMBER.fullmatch(written):
            self.refuse(node, f"the number {written[:40]!r} is not plain; write decimal digits only")
        return Number(parse_rational(written, "the number", limits.MAX_BITS))

    def name(self, node: ast.Name) -> Expression:
        name = node.id
        if name == "y":
            return make_power(Radius(), Number(Fraction(2)))
        if name == "r":
            return Radius()
        if name in ("pi", "e"):
            return Constant(name)  # type: ignore[arg-type]
        if name in FUNCTIONS or name in ALIASES or name in WORDS:
            self.refuse(node, f"{name} is a function; write {name}(...)")
        if len(name) > 40 or name.startswith("_") or "__" in name:
            self.refuse(node, f"{name[:40]!r} is not a name of the language")
        return Parameter(name)

    def binary(self, node: ast.BinOp, depth: int) -> Expression:
        left, right = self.expression(node.left, depth + 1), self.expression(node.right, depth + 1)
        if isinstance(node.op, ast.Add):
            return make_sum(left, right)
        if isinstance(node.op, ast.Sub):
            return make_sum(left, negative(right))
        if isinstance(node.op, ast.Mult):
            return make_product(left, right)
        if isinstance(node.op, ast.Div):
            self.note("quotient", (right, MINUS_ONE), node, self.written(node.right))
            return make_product(left, make_power(right, MINUS_ONE))
        if isinstance(node.op, ast.Pow):
            typed = (Radius(),) if more_than_rational(node.right) else ()
            self.note("power", (left, right, *typed), node, self.written(node.left))
            return make_power(left, right)
        self.refuse(node, OPERATORS.get(type(node.op), "this operator is not in the language"))

    def call(self, node: ast.Call, depth: int) -> Expression:
        if not isinstance(node.func, ast.Name):
            attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            known = attribute in FUNCTIONS or attribute in ALIASES
            short = f"; write {attribute}(...) alone" if known else ""
            short = short or (meant(attribute, FUNCTIONS) if attribute in MEANT else "")
            self.refuse(node, f"only the functions of the language can be called{short}")
        name = ALIASES.get(node.func.id, node.func.id)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            self.refuse(node, f"{name[:40]} takes plain arguments only")
        if name == "Piecewise":
            return self.piecewise(node, depth)
        if name in WORDS:
            self.refuse(node, f"{name} stands among conditions, as in {CASES}")
        if name not in FUNCTIONS:
            self.refuse(node, f"the function {name[:40]!r} is not in the language{meant(name, FUNCTIONS)}")
        low, high = FUNCTIONS[name]
        if not low <= len(node.args) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            self.refuse(node, f"{name} takes {wanted} argument(s), not {len(node.args)}")
        arguments = tuple(self.expression(a, depth + 1) for a in node.args)
        if name in PARTIAL:
            self.note(cast(Operation, name), arguments, node, self.written(node.args[PARTIAL[name]]))
        if name in NEEDS:
            operation, argument, subject = NEEDS[name]
            needed = (argument(arguments[-1]),)
            inner = self.written(node.args[-1])
            plain = isinstance(node.args[-1], ast.Name | ast.Constant)
            self.note(cast(Operation, operation), needed, node, subject.format(inner if plain else f"({inner})"))
        return SUGAR[name](arguments[0]) if name in SUGAR else make_call(name, *arguments)

    def piecewise(self, node: ast.Call, depth: int) -> Expression:
        branches: list[tuple[Expression, Condition]] = []
        outer = self.guard
        for branch in node.args:
            if not (isinstance(branch, ast.Tuple) and len(branch.elts) == 2):
                self.refuse(branch, "a branch of Piecewise is a pair (value, condition)")
            first, place = len(self.needs), len(self.guard)
            value = self.expression(branch.elts[0], depth + 1)
            last = len(self.needs)
            condition = self.condition(branch.elts[1], depth + 1)
            self.needs[first:last] = [need.inside(place, condition) for need in self.needs[first:last]]
            self.guard = (*self.guard, (condition, False))
            branches.append((value, condition))
        if not 0 < len(branches) <= 50:
            self.refuse(node, "Piecewise takes 1 to 50 branches")
        self.note("Piecewise", (), node, self.written(node))
        self.guard = outer
        return Piecewise(tuple(branches))

    def condition(self, node: ast.AST, depth: int) -> Condition:
        if depth >= limits.MAX_DEPTH:
            self.refuse(node, f"nested more than {limits.MAX_DEPTH} levels deep")
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return Truth(node.value)
        if isinstance(node, ast.Compare):
            return self.comparison(node, depth)
        if isinstance(node, ast.BoolOp):
            parts = tuple(self.condition(v, depth + 1) for v in node.values)
            return And(parts) if isinstance(node.op, ast.And) else Or(parts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            parts = (self.condition(node.left, depth + 1), self.condition(node.right, depth + 1))
            return And(parts) if isinstance(node.op, ast.BitAnd) else Or(parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
            return Not(self.condition(node.operand, depth + 1))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            name, parts = node.func.id, tuple(self.condition(a, depth + 1) for a in node.args)
            if name in JOINING and parts:
                return JOINING[name](parts)
            if name == "Not" and len(parts) == 1:
                return Not(parts[0])
        self.refuse(node, "a condition is a comparison such as y < 4, or True")

    def comparison(self, node: ast.Compare, depth: int) -> Condition:
        sides = [self.expression(s, depth + 1) for s in (node.left, *node.comparators)]
        tests: list[Condition] = []
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            symbol = COMPARISONS.get(type(operator))
            if symbol is None:
                self.refuse(node, "conditions compare with <, <=, > or >=")
            tests.append(Comparison(symbol, left, right))  # type: ignore[arg-type]
        return tests[0] if len(tests) == 1 else And(tuple(tests))
