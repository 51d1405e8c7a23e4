"""The places of a program that a mutant changes, each by one small change of its syntax tree."""

from __future__ import annotations

import ast
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
NAMES = {"DOWN": "UP", "UP": "DOWN", "min": "max", "max": "min", "all": "any", "any": "all", "lo": "hi", "hi": "lo"}
SORTS = ("comparison", "boolean", "left out", "negation", "name", "arithmetic", "number")


@dataclass(frozen=True)
class Place:
    """One change: `new` in place of `old`, a node of the module's tree, and the lines of the statement around it."""

    sort: str
    old: ast.AST
    new: ast.AST
    line: int
    lines: range
    top: ast.stmt

    def __str__(self) -> str:
        return f"{self.line}: {short(self.old)} -> {short(self.new)}"


def short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def places(tree: ast.Module) -> list[Place]:
    """Every place that can be changed, but for the texts of messages, and each change of it."""
    found = []
    for top in tree.body:
        for node, statement in inside(top, top):
            lines = range(statement.lineno, header_end(statement) + 1)
            line = getattr(node, "lineno", statement.lineno)
            found += [Place(sort, node, new, line, lines, top) for sort, new in changes(node)]
    return sorted(found, key=lambda place: SORTS.index(place.sort))


def inside(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.AST, ast.stmt]]:
    """The nodes below a node, each with its innermost statement; without formatted texts and annotations."""
    yield node, statement
    hidden = {"annotation", "returns"}
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and name not in hidden:
                yield from inside(child, child if isinstance(child, ast.stmt) else statement)


def header_end(statement: ast.stmt) -> int:
    """The last line of a statement, or of what stands before its block."""
    body = getattr(statement, "body", None)
    return max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno or statement.lineno


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                ops = [*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]]
                yield "comparison", ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield "boolean", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for i in range(len(node.values)):
            left = [*node.values[:i], *node.values[i + 1 :]]
            yield "boolean", left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "left out", ast.Pass()
    elif isinstance(node, ast.UnaryOp):
        yield "negation", node.operand
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield "name", ast.Name(NAMES[node.id], node.ctx)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield "name", ast.Attribute(node.value, NAMES[node.attr], node.ctx)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "number", ast.Constant(node.value + 1)


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
