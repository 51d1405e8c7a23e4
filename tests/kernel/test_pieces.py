"""Floors of waves as pieces, and sums with a piece as pieces of sums: beside plain arithmetic, and forged ones."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections.pieces import rewritten, spread, steps_of_waves
from dpverify.kernel.tree import walk
from dpverify.serialise import digest
from tests.kernel.problems import tree

STEPS = Path(__file__).parents[2] / "certificates" / "steps-of-a-wave.json"
RADII = [0.1 + 0.37 * k for k in range(60)]


def at(node: Any, r: float) -> float:
    """The node over floats."""
    kind, args = node.kind, node.args
    if kind == "num":
        return float(args[0])
    if kind == "r":
        return r
    if kind == "piece":
        return next(at(value, r) for value, condition in args if holds(condition, r))
    parts = [at(a, r) for a in args if hasattr(a, "kind")]
    if kind == "add":
        return math.fsum(parts)
    if kind == "mul":
        return math.prod(parts)
    if kind == "pow":
        return float(parts[0] ** float(args[1]))
    if kind == "pi":
        return math.pi
    turned = parts[0] * (math.pi if kind in ("sin", "cos") and args[1] else 1)
    return float({"sin": math.sin, "cos": math.cos, "exp": math.exp, "floor": math.floor}[kind](turned))


def holds(condition: Any, r: float) -> bool:
    if condition[0] == "less":
        value = at(condition[1], r)
        return value > 0 or (value == 0 and condition[2])
    truths = [holds(part, r) for part in condition[1:]]
    return not truths[0] if condition[0] == "not" else all(truths) if condition[0] == "and" else any(truths)


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("cos(r)", 2),
        ("2*cos(r)", 4),
        ("sin(r)+cos(r)", 4),
        ("1/2+cos(r)/4", 1),
        ("1/2+sin(pi*r)", 3),
        ("7/2-3*sin(y)", 7),
        ("cos(exp(r))-cos(2*r)/2", 4),
        ("cos(0*r)-sin(r-r)", 4),
    ],
)
def test_floors_of_waves(text: str, branches: int) -> None:
    node = tree(f"floor({text})")
    found = steps_of_waves(node)
    assert (len(found.args) if found.kind == "piece" else 1) == branches
    assert all(at(found, r) == at(node, r) for r in RADII)


@pytest.mark.parametrize(
    "text", ["r", "cos(r)*sin(2*r)+r", "exp(-r)", "2*exp(cos(r))", "50*cos(r)", "cos(floor(r))", "cos(r-r)"]
)
def test_other_floors_are_refused(text: str) -> None:
    """One that is highest on an interval, as cos(0) is, has a step there that the lemma leaves out."""
    with pytest.raises(Rejected):
        steps_of_waves(tree(f"floor({text})"))


@pytest.mark.parametrize(
    "text",
    ["2+sign(cos(r))", "3-2*sign(sin(r))+r", "5+sign(cos(r))+sign(sin(2*r))/2",
     "Piecewise((1,r<1),(r,r<3),(2,True))+cos(r)", "2+r*sign(r-1)", "Heaviside(1-r)*(2-r)+Heaviside(r-1)*exp(1-r)",
     "Heaviside(r-5)*exp(-r)+exp(-2*r)", "exp(-r)*sign(cos(r))*sign(sin(2*r))+2*exp(-r)"],
)  # fmt: skip
def test_sums_with_a_piece(text: str) -> None:
    node = tree(text)
    found = spread(node)
    assert found is not None and found.kind == "piece"
    assert all(math.isclose(at(found, r), at(node, r)) for r in RADII)


@pytest.mark.parametrize("text", ["2+r", "sign(r-1)", "2*sign(r-1)", "r*sign(r-1)", "1+exp(sign(r-1))"])
def test_what_is_no_sum_with_a_piece(text: str) -> None:
    assert spread(tree(text)) is None
    with pytest.raises(Rejected):
        rewritten(tree(text), {"floors": [], "sums": [max(node.number for node in walk(tree(text)))]})


LEAVES: list[tuple[str, int]] = [
    ("2+r*sign(r-1)", 3),
    ("Heaviside(1-r)*(2-r)+Heaviside(r-1)*exp(1-r)", 3),
    ("Heaviside(r-1)*(2-r)+3*Heaviside(r-1)*exp(1-r)", 3),
    ("Piecewise((1,r<1),(2,True))+Piecewise((3,r<1),(4,True))*r", 2),
    ("Piecewise((1,r<1),(2,True))+Piecewise((3,r<=1),(4,True))*r", 3),
    ("Piecewise((1,r<=1),(2,True))+Piecewise((3,r<1),(4,True))*r", 3),
    ("Piecewise((1,r<1),(2,True))+Piecewise((3,r>1),(4,True))*r", 3),
    ("Piecewise((1,r<1),(2,True))+Piecewise((3,r>=1),(4,True))*r", 2),
    ("Piecewise((1,r<1),(2,True))+Piecewise((3,r<2),(4,True))*r", 4),
    ("Piecewise((1,(r<1)&(cos(r)<1/2)),(2,True))+Piecewise((3,cos(r)>=1/2),(4,True))*r", 3),
    ("Piecewise((1,r<1),(2,r<2),(3,True))+Piecewise((4,r>=2),(5,r>=1),(6,True))*r", 4),
]
"""How many branches are left: where r < 1 neither r <= 1 nor r > 1 need be asked, but at r = 1 it has to be."""


def leaves(node: Any) -> int:
    return sum(leaves(value) for value, _ in node.args) if node.kind == "piece" else 1


@pytest.mark.parametrize(("text", "number"), LEAVES)
def test_branches_that_cannot_hold_are_left_out(text: str, number: int) -> None:
    node = tree(text)
    found = spread(node)
    assert found is not None and leaves(found) == number
    assert all(math.isclose(at(found, r), at(node, r)) for r in (*RADII, 1.0, 2.0))


def test_a_sum_with_very_many_branches_stays_as_it_is() -> None:
    """Products with pieces that could make more than 256 branches are no sums with a piece; multiples of one are."""
    many = [f"2*r*sign(r-{k})" for k in range(1, 7)]
    assert spread(tree("+".join(many[:5]))) is not None
    assert spread(tree("+".join(many))) is None
    few = spread(tree("+".join([*many, "2*sign(r-9)"])))
    assert few is not None and few.kind == "piece"
    assert spread(tree("+".join([*many, "sign(r-9)"]))) is not None
    four = [f"r*Piecewise((1,r<{k}),(2,r<{k + 10}),(3,r<{k + 20}),(4,True))" for k in range(1, 5)]
    assert spread(tree("+".join(four))) is not None
    assert spread(tree("+".join([*four, "r*sign(r-9)"]))) is None


@pytest.mark.parametrize(
    "text", ["Heaviside(1-r)*(2-r)+Heaviside(r-1)*exp(1-r)", "sign(r-1)+exp(-r)*(2+sign(r-1))+exp(r)*sign(1-r)"]
)
def test_what_is_decided_within_a_branch_is_no_piece_there(text: str) -> None:
    found = spread(tree(text))
    assert found is not None
    assert not any(part.kind == "piece" for value, _ in found.args for part in walk(value))


def changed(**change: Any) -> bytes:
    c = json.loads(STEPS.read_text())
    for name, value in change.items():
        part = c["proof"]["pieces"] if name in ("floors", "sums") else c["claim"]
        part[name] = value
    c["digest"] = digest(c)
    return json.dumps(c).encode()


@pytest.mark.slow
def test_forged_steps_are_refused() -> None:
    assert check_bytes(changed())
    text = json.loads(STEPS.read_text())["claim"]["generator"]
    others = ["floor(1+cos(r))", "floor(2*cos(r))", "floor(1/2+cos(r))", "cos(r)"]
    forged: list[dict[str, Any]] = [{"generator": text.replace("floor(cos(r))", other)} for other in others]
    forged += [{"floors": []}, {"sums": []}, {"floors": [1]}, {"sums": [1]}, {"floors": ["3"]}, {"sums": None}]
    given = copy.deepcopy(json.loads(STEPS.read_text())["proof"]["pieces"])
    forged += [{"floors": given["sums"], "sums": given["floors"]}, {"floors": given["floors"] * 2}]
    for change in forged:
        with pytest.raises(Rejected):
            check_bytes(changed(**change))
