"""The kernel as a text to be read: how long it is, where its rules stand, and the one file that it packs into.

Only the standard library, and nothing of dpverify: `python -m dpverify.source FILE` packs the kernel with any Python,
and the wheel's build does the same.
"""

from __future__ import annotations

import ast
import hashlib
import io
import sys
import tokenize
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KERNEL = Path(__file__).parent / "kernel"
PACKED = "dpverify-kernel.pyz"
START = '"""The checker, packed into one file: run it as it is."""\n\nfrom kernel.main import run\n\nrun()\n'
LAYOUT = {
    *(tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip can say: the same files give the same bytes, whenever they are packed."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the kernel: the first sentence of its docstring, and its lines, decorator and all."""

    number: str
    title: str
    section: str
    file: str
    first: int
    last: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.first}-{self.last}"

    def to_json(self) -> dict[str, str | int]:
        place: dict[str, str | int] = {"file": self.file, "first_line": self.first, "last_line": self.last}
        return {"number": self.number, "title": self.title, "section": self.section, **place}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a certificate asks of its reader: its rules, and the files of the sections that hold them and that these
    import."""

    rules: tuple[Rule, ...]
    sections: Mapping[str, int]
    code: int
    """How many of the lines are code, and not statements, comments or blank."""

    @property
    def lines(self) -> int:
        return sum(self.sections.values())

    def to_json(self) -> dict[str, object]:
        listed = [rule.to_json() for rule in self.rules]
        return {"rules": listed, "lines": self.lines, "code": self.code, "sections": dict(self.sections)}


@cache
def files() -> dict[str, bytes]:
    """The kernel's files by their place in its folder."""
    found = sorted(path.relative_to(KERNEL).as_posix() for path in KERNEL.rglob("*.py"))
    return {name: (KERNEL / name).read_bytes() for name in found}


def sizes(
    count: Callable[[bytes], int] = lambda data: len(data.splitlines()), among: Collection[str] | None = None
) -> dict[str, int]:
    """Lines of the core, which every certificate needs, and of each section, or of those asked for."""
    found = {"core": 0}
    for name, data in files().items():
        section = _section(name)
        if among is None or section in among:
            found[section] = found.get(section, 0) + count(data)
    return found


@cache
def code_lines(data: bytes) -> int:
    """Lines with code on them: what is left without docstrings, comments and blank lines."""
    stated = {
        line
        for node in ast.walk(ast.parse(data))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = [token for token in tokenize.tokenize(io.BytesIO(data).readline) if token.type not in LAYOUT]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return len(lines - stated - {0})


@cache
def rules() -> dict[str, Rule]:
    """All rules by their numbers, in order; from the text alone, so that nothing is run."""
    found = [rule for name, data in files().items() for rule in _rules_of(name, data)]
    return {rule.number: rule for rule in sorted(found, key=lambda rule: int(rule.number[1:]))}


def reading(numbers: Iterable[str]) -> Reading:
    """What there is to read for a certificate that rests on these rules."""
    chosen = set(numbers)
    listed = tuple(rule for number, rule in rules().items() if number in chosen)
    needed = {"core"}.union(*(_with_imports(section) for section in {rule.section for rule in listed}))
    return Reading(listed, sizes(among=needed), sum(sizes(code_lines, needed).values()))


def packed() -> bytes:
    """The kernel as a zip that Python runs: `python -I -S dpverify-kernel.pyz CERTIFICATE.json`.

    Nothing is compressed, since compressors differ in their bytes.
    """
    entries = {"__main__.py": START.encode(), **{f"kernel/{name}": data for name, data in files().items()}}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, data)
    return file.getvalue()


def digest() -> str:
    """SHA-256 of the packed kernel."""
    return hashlib.sha256(packed()).hexdigest()


def _section(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return file.removesuffix(".py") if folder == "sections" and file != "__init__.py" else "core"


@cache
def _with_imports(section: str) -> frozenset[str]:
    """A section, and those whose files it imports."""
    data = files().get(f"sections/{section}.py", b"")
    imported = [node.module for node in ast.parse(data).body if isinstance(node, ast.ImportFrom) and node.level == 1]
    return frozenset({section}).union(*(_with_imports(name) for name in imported if name))


def _rules_of(name: str, data: bytes) -> Iterable[Rule]:
    for node in ast.walk(ast.parse(data)):
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                assert isinstance(node, ast.FunctionDef) and isinstance(mark.args[0], ast.Constant)
                title, number = _title(ast.get_docstring(node) or node.name), str(mark.args[0].value)
                yield Rule(number, title, _section(name), name, mark.lineno, node.end_lineno or mark.lineno)


def _title(text: str) -> str:
    """The first paragraph, on one line, without its full stop."""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def main(path: str) -> None:
    """Pack the kernel into a file."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(packed())
    print(f"{target}: sha256 {digest()}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else PACKED)
