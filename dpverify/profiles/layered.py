"""The steps of a certificate for an f that rises somewhere, in two dimensions and more: layers on spheres, and rows.

Nothing here is trusted: the kernel's own bounds are what is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.kernel.sections.layers import apart
from dpverify.profiles.steps import joint

if TYPE_CHECKING:
    from dpverify.prover.profile.joints import Step
    from dpverify.prover.profile.layers import Layer
    from dpverify.prover.profile.shifts import Anchor, Worst
    from dpverify.prover.profile.slope import Rows
    from dpverify.prover.profile.strips import Edge

Ends = list[tuple[Fraction, int]]


def written(worst: Worst) -> dict[str, Any]:
    """The steps as data."""
    grids = list(dict.fromkeys(c.rows for c in worst.cells if c.rows is not None))
    first = worst.cells[0]
    more: dict[str, Any] = {} if first.end is None else {"end": str(first.end)}
    if first.jumps:
        more["jumps"] = [str(j) for j in first.jumps]
    if first.patches:
        more["patches"] = [[str(x) for x in patch] for patch in first.patches]
    return {
        **more,
        "grids": [_grid(x) for x in grids],
        "anchors": [_anchor(x, all(grid.known for grid in grids)) for x in worst.anchors],
        "shifts": ["0", *(str(c.high) for c in worst.cells)],
        "cells": [grids.index(c.rows) for c in worst.cells if c.rows is not None],
    }


def _grid(rows: Rows) -> dict[str, Any]:
    return {"rows": [str(x) for x in rows.radii if x or rows.known], "start": str(rows.start), "end": str(rows.end)}


def anchored(anchor: Anchor) -> dict[str, Any]:
    """The steps of one shift, where f is not known to be bounded on the first strip from its text."""
    return _anchor(anchor, False)


def _anchor(anchor: Anchor, known: bool) -> dict[str, Any]:
    inner = [x for x in anchor.layers if x.b is not None and not x.centre]
    marks = [inner[0].a, *(x.b for x in inner if x.b is not None)]
    ends = [[], *(end for x in inner for end in (_ends(x, -1), _ends(x, 1))), []]
    joints = []
    for rho, left, right in zip(marks, ends[::2], ends[1::2], strict=True):
        own = [x for x in anchor.joints if x.rho == rho]
        joints += [joint(_within(own, pair)) for pair in apart(rho, anchor.shift, left, right) if rho]
    return {
        "shift": str(anchor.shift),
        "marks": [str(x) for x in marks],
        "layers": [_layer(x, known) for x in inner],
        "joints": joints,
    }


def _ends(x: Layer, side: int) -> Ends:
    """Where S' begins and ends on a sphere, at an end of a panel; the least radius as 0."""
    found = [(edge.at(side), edge.sign) for edge in x.edges]
    return [(Fraction(0), 1), *found] if x.lowest else found


def _within(steps: Sequence[Step], pair: tuple[Fraction, Fraction]) -> list[Step]:
    low, high = sorted(pair)
    return [x for x in steps if low <= min(x.low, x.high) < high]


def _layer(x: Layer, known: bool) -> dict[str, Any]:
    curves: list[Edge] = [how for _, _, how in x.strips if not isinstance(how, bool)]
    return {
        "strips": [str(x.strips[0][0]), *(str(high) for _, high, _ in x.strips)],
        "words": "".join(_word(how, bool(low) or known) for low, _, how in x.strips),
        "boundaries": [[str(c) for c in edge.curve] for edge in curves],
    }


def _word(how: Edge | bool, known: bool) -> str:
    """What a strip is said to be; `known` is whether f is bounded on it from its text."""
    if isinstance(how, bool):
        return "e" if not how else "f" if known else "o"
    return "+" if how.sign > 0 else "-"
