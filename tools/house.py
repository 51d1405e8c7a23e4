"""The rooms of the package and who imports whom, measured in the code; and the picture of it.

`python -m tools.house FILE.svg` draws it: an arrow from a room to those that it imports, without the arrows
that follow from others, and in red what points upwards. A wider box is a room of more lines.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "dpverify"

ROWS: tuple[tuple[str, ...], ...] = (
    ("__main__",),
    ("__init__", "cli"),
    ("classroom",),
    ("app", "pytest_plugin"),
    ("show",),
    ("gallery", "reproduce"),
    ("theorems", "audit", "export", "recognition"),
    ("mechanisms",),
    ("calibration", "composition"),
    ("profiles",),
    ("mahalanobis", "sampling", "ledger", "bundle"),
    ("api",),
    ("requirement", "algebraic"),
    ("symbolic", "mixtures"),
    ("certificate",),
    ("prover",),
    ("kernel", "outcome", "asymptotics"),
    ("results", "enclosures"),
    ("generators",),
    ("language", "serialise"),
    ("attempts", "files", "log", "schemas"),
    ("errors", "findings", "version", "called", "deadline", "integration", "numerals", "shown", "source", "evidence"),
)
"""The house from its top to its ground: a room imports rooms of lower rows only."""

ORDER = [room for row in ROWS for room in row]


@dataclass(frozen=True, slots=True)
class Import:
    """A module that a file imports, and whether only when a function runs."""

    file: Path
    line: int
    module: str
    late: bool


def room(path: Path, root: Path = ROOT) -> str:
    """The folder or the single module of the package that the file belongs to."""
    return path.relative_to(root).with_suffix("").parts[0]


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Every absolute import of the file, those inside functions and those for types alone too."""

    def walk(node: ast.AST, late: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(path, child.lineno, alias.name, late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom) and not child.level and child.module == "dpverify":
                yield from (Import(path, child.lineno, f"dpverify.{alias.name}", late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom) and not child.level:
                yield Import(path, child.lineno, child.module or "", late)
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from walk(child, late or inside)

    return tuple(walk(ast.parse(path.read_text()), False))


@cache
def target(module: str, root: Path = ROOT) -> str | None:
    """The room that a module of the package belongs to; None for other packages."""
    parts = module.split(".")
    if parts[0] != root.name:
        return None
    name = parts[1] if len(parts) > 1 else ""
    return name if ((root / name).is_dir() and name) or (root / f"{name}.py").exists() else "__init__"


def arrows(root: Path = ROOT) -> dict[str, dict[str, list[Import]]]:
    """For each room the other rooms that it imports, with the places."""
    found: dict[str, dict[str, list[Import]]] = {}
    for path in sorted(root.rglob("*.py")):
        here = room(path, root)
        reached = found.setdefault(here, {})
        for each in imports(path):
            there = target(each.module, root)
            if there is not None and there != here:
                reached.setdefault(there, []).append(each)
    return found


def lines(root: Path = ROOT) -> dict[str, int]:
    """How many lines each room has."""
    found: dict[str, int] = {}
    for path in root.rglob("*.py"):
        found[room(path, root)] = found.get(room(path, root), 0) + len(path.read_text().splitlines())
    return found


def essential(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The arrows of a graph without circles that do not follow from others."""

    def reach(start: str, seen: set[str]) -> set[str]:
        for there in graph.get(start, set()) - seen:
            seen.add(there)
            reach(there, seen)
        return seen

    far = {here: reach(here, set()) for here in graph}
    return {here: {t for t in to if not any(t in far[other] for other in to - {t})} for here, to in graph.items()}


WIDTH, ROW, TALL = 1180, 92, 40
FONT, DOWN, UP = 'font-family="DejaVu Sans, Verdana, sans-serif" font-size="15"', "#567", "#c33"
Place = tuple[float, float, float]
"""The middle of a box, and its width."""


def svg(root: Path = ROOT) -> str:
    """The house as a picture."""
    sizes = lines(root)
    rows = [[name for name in row if name in sizes] for row in ROWS]
    left_over = sorted(set(sizes) - {name for row in rows for name in row})
    rows = [row for row in [*rows, left_over] if row]
    level = {name: i for i, row in enumerate(rows) for name in row}
    graph = {here: set(to) for here, to in arrows(root).items()}
    falling = essential({here: {t for t in to if level[t] > level[here]} for here, to in graph.items()})
    rising = {here: {t for t in to if level[t] <= level[here]} for here, to in graph.items()}
    at: dict[str, Place] = {}
    for i, row in enumerate(rows):
        for j, name in enumerate(row):
            width = max(84.0, 9.0 * len(label(name)) + 24, (sizes[name] / 40) ** 0.5 * 22)
            at[name] = (
                WIDTH * (j + (0.62 if i % 2 else 0.38 if len(row) == 1 else 0.5)) / len(row),
                50 + ROW * i,
                width,
            )
    height = 2 * 50 + ROW * (len(rows) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" {FONT}>',
        "<title>The rooms of dpverify: each imports those that its arrows point at, all of them below</title>",
        f"<defs>{_tip('tip', DOWN)}{_tip('up', UP)}</defs>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for here in sorted(graph):
        parts += [_arrow(at[here], at[there]) for there in sorted(falling[here] | rising[here])]
    parts += [_box(name, place, sizes[name]) for name, place in at.items()]
    return "\n".join([*parts, "</svg>"]) + "\n"


def label(name: str) -> str:
    """What a box says."""
    return {"__init__": "dpverify", "__main__": "python -m"}.get(name, name)


def _tip(name: str, color: str) -> str:
    shape = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"'
    return f'<marker id="{name}" {shape}><path d="M0 0 8 4 0 8z" fill="{color}"/></marker>'


def _box(name: str, place: Place, size: int) -> str:
    x, y, width = place
    corner = f'x="{x - width / 2:.0f}" y="{y - TALL / 2:.0f}"'
    return (
        f'<rect {corner} width="{width:.0f}" height="{TALL}" rx="6" fill="#eef3f7" stroke="#357"/>'
        f'<text x="{x:.0f}" y="{y - 1:.0f}" text-anchor="middle">{escape(label(name))}</text>'
        f'<text x="{x:.0f}" y="{y + 14:.0f}" text-anchor="middle" font-size="11" fill="{DOWN}">{size:,} lines</text>'
    )


def _arrow(start: Place, end: Place) -> str:
    (x, y, _), (u, v, _) = start, end
    down = v > y
    y, v = (y + TALL / 2, v - TALL / 2 - 2) if down else (y - TALL / 2, v + TALL / 2 + 2)
    bend = (v - y) / 2 if down else -60
    color, tip = (DOWN, "tip") if down else (UP, "up")
    return (
        f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {u:.0f} {v - bend:.0f} {u:.0f} {v:.0f}" fill="none" '
        f'stroke="{color}" stroke-opacity="0.75" marker-end="url(#{tip})"/>'
    )


def main() -> None:
    """Draw the house of a package (default: this one's) into a file."""
    target_file = Path(sys.argv[1] if len(sys.argv) > 1 else "tools/house.svg")
    root = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT
    target_file.write_text(svg(root))
    print(target_file)


if __name__ == "__main__":
    main()
