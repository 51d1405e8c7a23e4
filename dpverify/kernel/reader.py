"""The generator's text, read by an allowlist on the standard library's ast; nothing is evaluated.

What has to hold for an operation of the text as typed to have a value is noted as a need, unless
its form meets it (sections/needs.py).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import namedtuple
from fractions import Fraction

from .rules import BROUGHT, Rejected, require, rule
from .tree import Node, add, minus, mul, never_negative, never_zero, num, power, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_TEXT, MAX_DEPTH, MAX_DIGITS = 4_000, 100, 2_000
Need = namedtuple("Need", "kind node guard")
"""What an operation asks of a node: "nonzero", "positive", "nonnegative", or of a Piecewise that
some "branch" holds; only where the guard holds, a list of (condition, truth)."""


@rule("K5")
def met_by_form(kind: str, node: Node) -> bool:
    """A need that the form meets.

    Lemma.  Wherever it has a value, r is positive, and so are pi, exponentials, positive numbers,
    and sums, products and powers of positive things; such things are not 0 and not negative;
    products and powers of what is not 0 are not 0; even powers, sums of what is not negative and
    a + b w with |w| <= 1 and a >= |b| are not negative.
    """
    return MET[kind](node)


MET: dict[str, Callable[[Node], bool]] = {
    "nonzero": never_zero, "nonnegative": never_negative, "positive": lambda node: node.positive}


class Function:
    """A function of the language: how many arguments it takes, its tree, and what it needs of its
    last argument u, or of what `of` makes of u."""

    def __init__(self, build: Callable[..., Node], least: int = 1, most: int = 1,
                 needs: str | Callable[..., str] = "",
                 of: Callable[[Node], Node] = lambda u: u) -> None:
        self.build, self.least, self.most, self.needs, self.of = build, least, most, needs, of


FUNCTIONS: dict[str, Function] = {
    "exp": Function(lambda u: Node("exp", u)),
    "log": Function(lambda u: Node("log", u), needs="positive"),
    "sqrt": Function(lambda u: power(u, Fraction(1, 2)), needs="nonnegative"),
}
"""The table of functions. Sections add theirs."""


def more_than_rational(node: ast.AST) -> bool:
    """Whether the radius, pi or e is written in it."""
    names = ("r", "y", "pi", "e")
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


class Reader:
    """Turns text into a tree; names are bound to the claim's parameters and dimension."""

    def __init__(self, text: Any, names: dict[str, Fraction], radial: bool = True) -> None:
        permitted = isinstance(text, str) and len(text) <= MAX_TEXT
        require(permitted, "the generator is not a text of permitted length", "limits")
        plain = text.isascii() and text.isprintable() and "#" not in text
        require(plain, "the generator's text has characters outside the language")
        self.text, self.names, self.radial = text.strip(), names, radial
        self.needs: list[Need] = []
        self.guard: tuple[tuple[Any, bool], ...] = ()
        self.named: set[str] = set()

    @rule("K4")
    def tree(self) -> Node:
        """The tree of the text.

        Lemma.  Wherever everything that was typed has a value, the tree has the same one: it
        differs from what was typed by the identities that head tree.py, and by the definitions of
        the functions in the table.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # such as of 1or: nothing else is written
                parsed = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Rejected("the generator's text is not an expression") from None
        tree = self.expression(parsed, 0)
        for number, node in enumerate(walk(self.roots(tree)), 1):
            node.number = number
        return tree

    def roots(self, tree: Node) -> tuple[Any, ...]:
        """The tree, and what is asked of its parts, which may be no longer in it."""
        return (tree, *((need.node, need.guard) for need in self.needs))

    def need(self, kind: str, node: Node) -> Node:
        if not met_by_form(kind, node):
            self.needs.append(Need(kind, node, self.guard))
        return node

    def expression(self, node: ast.AST, depth: int) -> Node:
        require(depth < MAX_DEPTH, "the generator's text is nested too deeply", "limits")
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            inner = self.expression(node.operand, depth + 1)
            return minus(inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            left = self.expression(node.left, depth + 1)
            right = self.expression(node.right, depth + 1)
            number = isinstance(node.op, ast.Pow) and right.kind == "num"
            if number and more_than_rational(node.right):
                self.need("positive", left)  # as of any u**v, whatever has cancelled in v
            return self.binary(node.op, left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self.call(node.func.id, node.args, depth)
        raise Rejected(f"the generator uses {type(node).__name__}, which is not in the language")

    def call(self, name: str, args: list[ast.expr], depth: int) -> Node:
        if name == "Piecewise" and name in BROUGHT:
            read: Callable[..., Node] = BROUGHT[name]
            return read(self, args, depth)
        unknown = f"the generator calls {name[:40]!r}, which the sections listed do not know"
        require(name in FUNCTIONS, unknown)
        function = FUNCTIONS[name]
        within = function.least <= len(args) <= function.most
        require(within, f"{name[:40]} takes another number of arguments")
        parts = [self.expression(a, depth + 1) for a in args]
        needs = function.needs if isinstance(function.needs, str) else function.needs(*parts)
        if needs:
            self.need(needs, function.of(parts[-1]))
        return function.build(*parts)

    def number(self, node: ast.Constant) -> Node:
        written = self.text[node.col_offset : node.end_col_offset]
        form = r"[0-9]*\.?[0-9]*([eE][+-]?[0-9]{1,4})?"
        plain = len(written) <= MAX_DIGITS and re.fullmatch(form, written)
        numeric = type(node.value) in (int, float) and bool(plain)
        require(numeric, "the generator has a constant that is not a plain number")
        return num(Fraction(written))

    def name(self, name: str) -> Node:
        if self.radial and name in ("y", "r"):
            return power(Node("r"), Fraction(2 if name == "y" else 1))
        if name in ("pi", "e"):
            return Node("pi") if name == "pi" else Node("exp", num(1))
        require(name in self.names, f"the generator uses the unbound name {name[:40]!r}")
        self.named.add(name)
        return num(self.names[name])

    def binary(self, op: ast.operator, left: Node, right: Node) -> Node:
        if isinstance(op, (ast.Add, ast.Sub)):
            return add(left, right if isinstance(op, ast.Add) else minus(right))
        if isinstance(op, ast.Mult):
            return mul(left, right)
        if isinstance(op, ast.Div):
            return mul(left, power(self.need("nonzero", right), Fraction(-1)))
        require(isinstance(op, ast.Pow), "the generator uses an operator outside the language")
        if left.kind == "exp":
            return Node("exp", mul(right, left.args[0]))
        if right.kind != "num":
            return Node("exp", mul(right, Node("log", self.need("positive", left))))
        p = right.args[0]
        if p.denominator > 1:
            self.need("nonnegative" if p > 0 else "positive", left)
        elif p <= 0:
            self.need("nonzero", left)
        return power(left, p)
