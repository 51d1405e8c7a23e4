"""Which lines of the kernel some work executes: each of its functions marks its statements as it comes to them.

Marks take a small part of the time that a tracer does, so that one run tells both how long a check takes and its lines.
"""

from __future__ import annotations

import ast
import builtins
import gc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from soundness.places import first_line, header_end

SEEN = "_seen_"
Spans = list[tuple[str, int, int]]
"""Of each mark its module, and the first and the last line of its statement or lambda."""


class _Marking(ast.NodeTransformer):
    """Puts a mark before every statement of a function, one where it begins, and one into every lambda."""

    def __init__(self, module: str, spans: Spans) -> None:
        self.module, self.spans = module, spans

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        head = self._mark(first_line(node), header_end(node))
        self.generic_visit(node)
        told = ast.get_docstring(node, clean=False) is not None
        node.body = [*node.body[:told], head, *self._marked(node.body[told:])]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        number = self._number(node.lineno, node.end_lineno or node.lineno)
        setting = ast.parse(f"{SEEN}.__setitem__({number}, 1)", mode="eval").body
        both = ast.Tuple([setting, node.body], ast.Load())
        node.body = ast.Subscript(both, ast.Constant(1), ast.Load())
        return node

    def _marked(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A block of a function, and the blocks within it, with marks; functions within have theirs already."""
        found: list[ast.stmt] = []
        for statement in body:
            found += [self._mark(first_line(statement), header_end(statement)), statement]
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                for held in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                    for block in ("body", "orelse", "finalbody"):
                        if getattr(held, block, None):
                            setattr(held, block, self._marked(getattr(held, block)))
        return found

    def _number(self, first: int, last: int) -> int:
        self.spans.append((self.module, first, last))
        return len(self.spans) - 1

    def _mark(self, first: int, last: int) -> ast.stmt:
        return ast.parse(f"{SEEN}[{self._number(first, last)}] = 1").body[0]


def codes(code: CodeType) -> Iterator[CodeType]:
    """The codes of the functions in a module's code, or a function's."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from codes(inner)


def mark(paths: Mapping[str, str]) -> Spans:
    """Give marks to all functions of this process that come from some files, by their modules' names."""
    spans: Spans = []
    twins: dict[tuple[str, CodeType], CodeType] = {}
    for module, path in paths.items():
        text = Path(path).read_text()
        plain = compile(text, path, "exec", dont_inherit=True)
        tree = ast.fix_missing_locations(_Marking(module, spans).visit(ast.parse(text)))
        marked = compile(tree, path, "exec", dont_inherit=True)
        twins |= {(path, one): other for one, other in zip(codes(plain), codes(marked), strict=True)}
    gc.unfreeze()  # what is frozen is not among the objects
    functions = [x for x in gc.get_objects() if isinstance(x, FunctionType)]
    gc.freeze()
    living = [x for x in functions if (x.__code__.co_filename, x.__code__) in twins]
    if not living:
        raise RuntimeError("no function of these files is loaded")
    for function in living:
        function.__code__ = twins[function.__code__.co_filename, function.__code__]
    setattr(builtins, SEEN, bytearray(len(spans)))
    return spans


def executed(spans: Spans, work: Callable[[], Any]) -> tuple[Any, dict[str, list[int]]]:
    """What some work gives, and the lines of each module that it executes, a statement's all together."""
    seen = getattr(builtins, SEEN)
    seen[:] = bytes(len(seen))
    given = work()
    found: dict[str, set[int]] = {}
    for (module, first, last), marked in zip(spans, seen, strict=True):
        if marked:
            found.setdefault(module, set()).update(range(first, last + 1))
    return given, {module: sorted(lines) for module, lines in found.items()}
