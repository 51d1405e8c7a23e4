"""The step that names free phases: which wave's phase is which sum of base phases, by the kernel's own nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.charts import Subject
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.lines import line
from dpverify.kernel.sections.models import LINEAR, Germ, Model
from dpverify.kernel.sections.torus import form_of, shape_of
from dpverify.kernel.tree import Node, same, walk
from dpverify.prover.phases import combination

FAR = Germ(Fraction(2**20), 6)
SAMPLE = interval(Fraction(97, 64))
"""A radius at which chirps are told apart and given their sign."""


def torus_step(subject: Subject, found: Mapping[str, Any]) -> dict[str, Any]:
    """The step "torus" from what the prover found; raises Rejected where its phases are not those of the text."""
    lines = [[[str(x) for x in term] for term in form] for form in found["lines"]]
    forms = [form_of(given) for given in lines]
    tree = subject.tree
    apart = {part.number for n in walk(tree) if n.kind == "piece" for part in walk(n.args)}
    nodes = [n for n in walk(tree) if n.kind in ("sin", "cos", "floor") and n.number not in apart]
    turns = any(n.kind == "floor" and possible(lambda n=n: line(n)) for n in nodes)  # type: ignore[misc]
    chirps: list[tuple[float, list[Node], Fraction]] = []
    waves: dict[str, list[int]] = {}
    bent = []
    for node in nodes:
        if possible(lambda node=node: line(node)):  # type: ignore[misc]
            multiples = combination(line(node, turns)[0], forms)
            if multiples is not None and any(multiples):
                waves[str(node.number)] = [*multiples, *[0] * found["chirps"]]
        elif node.kind != "floor" and possible(lambda node=node: outgrows_lines(node)):  # type: ignore[misc]
            bent.append(node)
    for members in _alike(bent):
        sizes = [shape_of(node.args[0])[0] for node in members]
        scale = lcm(*(s.denominator for s in sizes))
        factor = Fraction(gcd(*(int(s * scale) for s in sizes)), scale)
        value = Evaluation(SAMPLE).value(members[0].args[0]) - shape_of(members[0].args[0])[2]
        base = float(value.lo) / float(sizes[0]) * float(factor)
        chirps.append((abs(base), members, factor if base > 0 else -factor))
    if len(chirps) != found["chirps"]:
        raise Rejected("the chirps found are not those of the text", "steps")
    chirps.sort(key=lambda item: item[0])
    for i, (_, members, factor) in enumerate(chirps):
        for node in members:
            row = [0] * len(chirps)
            row[i] = int(shape_of(node.args[0])[0] / factor)
            waves[str(node.number)] = [*[0] * len(forms), *row]
    named = [{"wave": str(members[0].number), "factor": str(factor)} for _, members, factor in chirps]
    return {"lines": lines, "chirps": named, "waves": waves, "cells": found["cells"], "peak": found["peak"]}


def outgrows_lines(node: Node) -> bool:
    """Whether a wave's argument grows faster than r: one that does not hangs on no phase of its own."""
    r = Model(FAR, {LINEAR: 1})
    return bool(Evaluation(r).value(node.args[0]).leading()[0] > LINEAR)


def _alike(nodes: Sequence[Node]) -> list[list[Node]]:
    """The waves whose arguments are multiples of one shape, but for a number."""
    groups: list[list[Node]] = []
    for node in nodes:
        for members in groups:
            first = members[0]
            if node.args[1] == first.args[1] and same(shape_of(node.args[0])[1], shape_of(first.args[0])[1]):
                members.append(node)
                break
        else:
            groups.append([node])
    return groups
