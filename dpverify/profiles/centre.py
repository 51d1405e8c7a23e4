"""The sums that are taken by their values, where their logarithms would ask for that of r and a panel begins at 0."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel.sections import profiles
from dpverify.kernel.sections.jets import Series
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.ways import TWO_WAYS, Ways
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import Node

SUM = "add"


def finite_series(log: Any) -> bool:
    """Whether it is a series with bounds: of a maximum that changes hands at once there is none, slopes alone."""
    return isinstance(log, Series) and all(x.finite() for x in log.c)


def with_values(claim: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with second ways there, where log f has no series on the panel about the centre without."""
    step = proof["profile"]
    if not step["mass"] or Fraction(step["mass"][0]):
        return proof
    subject, replay, _ = profiles.opened(claim, Steps(dict(proof)))
    ends = Fraction(0), Fraction(step["mass"][1])
    r = Noise(replay.problem, 2 * step["order"], Fraction(0)).radius(*ends).whole
    chosen = {int(n) for n in proof.get("ways", {}).get("centre", {})}

    def works(ways: set[int], node: Node) -> bool:
        at: Any = Ways(ways) if ways else replay.problem.at_box
        return possible(lambda: finite_series(at(r, ends).log(node)[1]))

    if works(chosen, subject.tree):
        return proof
    for node in subject.nodes():
        fails = node.kind == SUM and node.exponential and not works(chosen, node)
        if fails and works({*chosen, node.number}, node):
            chosen.add(node.number)
    if not works(chosen, subject.tree):
        return proof
    kinds = {node.number: node.kind for node in subject.nodes()}
    sums = {str(n): TWO_WAYS[kinds[n]] for n in sorted(chosen)}
    return {**proof, "ways": {**proof.get("ways", {}), "centre": sums}}
