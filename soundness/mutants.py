"""Mutants of the kernel itself: each a small change of one place, which the tests must notice.

python -m soundness.mutants --seed 1 --count 100 --jobs 2
"""

from __future__ import annotations

import ast
import copy
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import click

from soundness import shards

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "dpverify" / "kernel.py"
SWAPS: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
NAMES = {"DOWN": "UP", "UP": "DOWN", "min": "max", "max": "min", "all": "any", "any": "all", "lo": "hi", "hi": "lo"}
KILLERS = (
    "tests/kernel/test_forgeries.py",
    "tests/kernel/test_arithmetic.py",
    "tests/kernel/test_must_fail.py",
    "tests/kernel/test_models.py",
)


def changes(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """The places that can be changed, and how."""
    places: list[tuple[ast.AST, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            places += [(node, f"operator {i}") for i, op in enumerate(node.ops) if type(op) in SWAPS]
        elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS:
            places.append((node, "operator"))
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            places.append((node, "number"))
        elif (isinstance(node, ast.Name) and node.id in NAMES) or (
            isinstance(node, ast.Attribute) and node.attr in NAMES
        ):
            places.append((node, "name"))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            places.append((node, "left out"))
    return places


def change(node: Any, how: str) -> str:
    """Change a node in place, and say what was changed."""
    before = ast.unparse(node)
    if how == "number":
        node.value += 1
    elif how == "left out":
        node.value = ast.Constant(None)
    elif how == "name":
        field = "id" if isinstance(node, ast.Name) else "attr"
        setattr(node, field, NAMES[getattr(node, field)])
    elif how == "operator":
        node.op = SWAPS[type(node.op)]()
    else:
        i = int(how.split()[1])
        node.ops[i] = SWAPS[type(node.ops[i])]()
    return f"line {node.lineno}: {before} -> {ast.unparse(node)}"


def survives(source: str) -> bool:
    """Whether the tests pass with this kernel in place of ours, in a copy of the package."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder)
        for name in ("dpverify", "tests", "certificates", "pyproject.toml", "docs"):
            target = copied / name
            subprocess.run(["cp", "-r", str(ROOT / name), str(target)], check=True)
        (copied / "dpverify" / "kernel.py").write_text(source)
        gallery = [str(p) for p in sorted((copied / "certificates").glob("*.json"))]
        try:
            alone = subprocess.run(
                [sys.executable, "dpverify/kernel.py", *gallery],
                cwd=copied,
                capture_output=True,
                timeout=60,
                check=False,
            )
            if alone.returncode != 0:
                return False
            tests = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *KILLERS]
            return subprocess.run(tests, cwd=copied, capture_output=True, timeout=300, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    tree = ast.parse(KERNEL.read_text())
    places = changes(tree)
    chosen = random.Random(seed).sample(range(len(places)), k=min(len(places), (number + 1) * count))
    survivors, kinds = [], Counter[str]()
    for index in chosen[number * count :]:
        mutated = copy.deepcopy(tree)
        what = change(*changes(mutated)[index])
        alive = survives(ast.unparse(mutated))
        kinds["survived" if alive else "killed"] += 1
        survivors += [what] if alive else []
    return {"survivors": survivors, "kinds": kinds, "places": len(places)}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--count", default=100, show_default=True, help="How many mutants of the kernel.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """List the mutants of the kernel that its tests do not notice; soundness/SURVIVORS.md explains them."""
    found = shards.run(shard, seed=seed, count=count, size=1, jobs=jobs, log=log)
    kinds = sum((Counter(f["kinds"]) for f in found), Counter[str]())
    print(f"{kinds['killed']} killed, {kinds['survived']} survived, of {found[0]['places']} places", end="\n\n")
    print(*(f"- {s}" for f in found for s in f["survivors"]), sep="\n")


if __name__ == "__main__":
    main()
