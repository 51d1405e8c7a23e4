"""The boxes between the ends on which f is to be positive, halved where the kernel does not see that it is: of an f
that is 0 at its centre no claim of the pure epsilon has looked at them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.certificate.possible import possible
from dpverify.kernel.sections import profiles
from dpverify.kernel.steps import Steps

MOST_HALVINGS = 60


def with_cover(claim: dict[str, Any], proof: dict[str, Any]) -> dict[str, Any]:
    """The proof with a cover of boxes on which log f is finite, as far as halving them shows that."""
    problem = profiles.opened(claim, Steps(dict(proof)))[1].problem
    marks = [Fraction(x) for x in proof["cover"]]
    found, boxes = marks[:1], [(box, 0) for box in pairwise(marks)][::-1]
    while boxes:
        (a, b), depth = boxes.pop()
        if depth == MOST_HALVINGS or possible(lambda a=a, b=b: problem.on_box(a, b).u.finite()):  # type: ignore[misc]
            found.append(b)
            continue
        middle = (a + b) / 2
        boxes += [((middle, b), depth + 1), ((a, middle), depth + 1)]
    return {**proof, "cover": [str(x) for x in found]}
