"""The places of a program that a mutant changes, each by one small change of its syntax tree."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,  # which every ring of the kernel has, as it has no division
    ast.Div: ast.Mult,
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.And: "and",
    ast.Or: "or",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
NAMES = {"DOWN": "UP", "UP": "DOWN", "min": "max", "max": "min", "all": "any", "any": "all", "lo": "hi", "hi": "lo"}
SORTS = ("comparison", "boolean", "left out", "negation", "name", "arithmetic", "number")


@dataclass(frozen=True)
class Place:
    """One change: `new` in place of `old`, a node of the module's tree, the lines of the statement around it, and
    the function (`holder`) and the top-level statement that hold it, in a `file`.

    Its name says in which file and function it is, what changes, and which of several like it: it stays the same
    while other functions are edited.
    """

    sort: str
    name: str
    old: ast.AST
    new: ast.AST
    line: int
    lines: range
    holder: ast.stmt
    top: ast.stmt
    file: str

    @property
    def source(self) -> str:
        """A digest of the function, or of the statement outside of any, that holds the place, as it is unchanged."""
        return hashlib.sha256(ast.unparse(self.holder).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return f"{self.line}, {self.name}"


def short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def places(tree: ast.Module, file: str = "") -> list[Place]:
    """Every place that can be changed, but for the texts of messages and what only type checkers read, and each
    change of it."""
    found = []
    named: Counter[str] = Counter()
    for top in tree.body:
        if isinstance(top, ast.If):
            continue
        for node, statement, holder, function in inside(top, top, top, file):
            lines = range(first_line(statement), header_end(statement) + 1)
            line = getattr(node, "lineno", statement.lineno)
            for sort, new, words in changes(node):
                name = f"{function}: {words}" if function else words
                named[name] += 1
                name += f" ({named[name]})" if named[name] > 1 else ""
                found.append(Place(sort, name, node, new, line, lines, holder, top, file))
    return sorted(found, key=lambda place: SORTS.index(place.sort))


def inside(
    node: ast.AST, statement: ast.stmt, holder: ast.stmt, function: str
) -> Iterator[tuple[ast.AST, ast.stmt, ast.stmt, str]]:
    """The nodes below a node, each with its statement and function; no formatted texts and no annotations."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}" if function else node.name
        holder = node if isinstance(node, ast.FunctionDef) else holder
    yield node, statement, holder, function
    hidden = {"annotation", "returns"}
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and name not in hidden:
                yield from inside(child, child if isinstance(child, ast.stmt) else statement, holder, function)


def first_line(statement: ast.stmt) -> int:
    """That of its first decorator, where a tracer sees it called, or its own."""
    return min([statement.lineno, *(x.lineno for x in getattr(statement, "decorator_list", ()))])


def header_end(statement: ast.stmt) -> int:
    """The last line of a statement, or of what stands before its block."""
    body = getattr(statement, "body", None)
    return max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno or statement.lineno


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """The sort of each change of a node, what stands in its place, and the change in words."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                other = COMPARISONS[type(op)]
                ops = [*node.ops[:i], other(), *node.ops[i + 1 :]]
                yield "comparison", ast.Compare(node.left, ops, node.comparators), _signs(other, type(op), node)
    elif isinstance(node, ast.BoolOp):
        swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "boolean", ast.BoolOp(swapped, node.values), _signs(type(swapped), type(node.op), node)
        for i, value in enumerate(node.values):
            left = [*node.values[:i], *node.values[i + 1 :]]
            yield "boolean", left[0] if len(left) == 1 else ast.BoolOp(node.op, left), f"without `{short(value)}`"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "left out", ast.Pass(), f"without `{short(node)}`"
    elif isinstance(node, ast.UnaryOp):
        yield "negation", node.operand, f"`{short(node.operand)}` for `{short(node)}`"
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield "name", ast.Name(NAMES[node.id], node.ctx), f"`{NAMES[node.id]}` for `{node.id}`"
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield "name", ast.Attribute(node.value, NAMES[node.attr], node.ctx), f"`{NAMES[node.attr]}` for `{short(node)}`"
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        operator = ARITHMETIC[type(node.op)]
        yield "arithmetic", ast.BinOp(node.left, operator(), node.right), _signs(operator, type(node.op), node)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "number", ast.Constant(node.value + 1), f"`{node.value + 1}` for `{node.value}`"


def _signs(new: type[ast.AST], old: type[ast.AST], node: ast.AST) -> str:
    return f"`{SIGNS[new]}` for `{SIGNS[old]}` in `{short(node)}`"


class _Exchange(ast.NodeTransformer):
    def __init__(self, place: Place) -> None:
        self.place = place

    def visit(self, node: ast.AST) -> Any:
        if node is self.place.old:
            return ast.copy_location(self.place.new, node)
        return self.generic_visit(node)


def changed(place: Place) -> ast.stmt:
    """The top-level statement of a place with its change, made in the tree itself."""
    statement: ast.stmt = ast.fix_missing_locations(_Exchange(place).visit(place.top))
    return statement
