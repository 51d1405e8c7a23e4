"""Mutants of the kernel itself: each a small change of one place, which the tests must notice.

python -m soundness.mutants --seed 1 --count 100 --jobs 2
"""

from __future__ import annotations

import ast
import copy
import functools
import os
import random
import resource
import sys
import types
from collections import Counter
from pathlib import Path
from typing import Any

import click

import dpverify
from soundness import shards
from soundness.corpus import gallery

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
SLOW = " or ".join(
    (
        "(ill_typed and (plus or student or multivariate or algebraic))",
        "trapezoidal",
        "exchanged",
        "monotone_lemma",
        "((increments or contain) and (bessel or erf or log or cosh or sinh or tanh or 1000))",
    )
)
"""Tests left out, since a survivor passes through all the others."""
TESTS = ["test_guards", "test_forgeries", "test_phases", "test_arithmetic", "test_models", "test_must_fail"]
EXAMPLES, GALLERY_SECONDS, SECONDS = 25, 8, 40
"""Hypothesis' examples of each test, and the processor time after which a mutant counts as hanging."""


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
        elif isinstance(node, ast.UnaryOp):
            places.append((node, "without its sign"))
        if isinstance(node, ast.BoolOp):
            places += [(node, f"without part {i}") for i in range(len(node.values))]
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
    elif how == "without its sign":
        node.op = ast.Not() if isinstance(node.op, ast.Not) else ast.UAdd()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif how.startswith("without part"):
        del node.values[int(how.split()[-1])]
    elif how == "operator":
        node.op = SWAPS[type(node.op)]()
    else:
        i = int(how.split()[1])
        node.ops[i] = SWAPS[type(node.ops[i])]()
    return f"line {node.lineno}: {before} -> {ast.unparse(node)}"


def survives(source: str) -> bool:
    """Whether the gallery is accepted and the kernel's tests pass with this kernel in place of ours, in a child."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (GALLERY_SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            os._exit(0 if passes(source) else 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def passes(source: str) -> bool:
    import hypothesis
    import pytest

    dpverify.kernel = sys.modules["dpverify.kernel"] = module = types.ModuleType("dpverify.kernel")
    module.__file__ = str(KERNEL)
    exec(compile(source, str(KERNEL), "exec"), module.__dict__)
    for data in gallery():
        module.check_bytes(data)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    whole = hypothesis.settings.__init__

    def capped(self: Any, parent: Any = None, **options: Any) -> None:
        examples = min(EXAMPLES, options.pop("max_examples", EXAMPLES))
        whole(self, parent, **{**options, "max_examples": examples, "derandomize": True, "database": None})

    hypothesis.settings.__init__ = capped  # type: ignore[method-assign]
    files = [str(ROOT / "tests" / "kernel" / f"{name}.py") for name in TESTS]
    return pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-k", f"not ({SLOW})", *files]) == 0


def shard(seed: int, number: int, count: int, what: str = "") -> dict[str, Any]:
    import flint  # noqa: F401  imported once, and not by every child
    import hypothesis  # noqa: F401
    import mpmath  # noqa: F401

    tree = ast.parse(KERNEL.read_text())
    places = [i for i, (_, how) in enumerate(changes(tree)) if how.startswith(what)]
    order = random.Random(seed).sample(places, k=len(places))
    survivors, kinds = [], Counter[str]()
    for index in order[number * count : (number + 1) * count]:
        mutated = copy.deepcopy(tree)
        said = change(*changes(mutated)[index])
        alive = survives(ast.unparse(mutated))
        kinds["survived" if alive else "killed"] += 1
        survivors += [said] if alive else []
    return {"survivors": survivors, "kinds": kinds, "places": len(places)}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--count", default=100, show_default=True, help="How many mutants of the kernel.")
@click.option("--what", default="", help="Only changes of one sort: left out, operator, number, name, without.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, what: str, jobs: int, log: Path | None) -> None:
    """List the mutants of the kernel that its tests do not notice; soundness/SURVIVORS.md explains them."""
    work = functools.partial(shard, what=what)
    found = shards.run(work, seed=seed, count=count, size=1, jobs=jobs, log=log)
    kinds = sum((Counter(f["kinds"]) for f in found), Counter[str]())
    print(f"{kinds['killed']} killed, {kinds['survived']} survived, of {found[0]['places']} places", end="\n\n")
    print(*(f"- {s}" for f in found for s in f["survivors"]), sep="\n")


if __name__ == "__main__":
    main()
