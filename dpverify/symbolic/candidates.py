"""Where the supremum of the loss can sit, and the formula of the loss there.

r -> 0, r -> oo, either side of a break or of a break less delta, and the stationary radii. The
shape of g decides between them where polynomial arithmetic can show it; else every place is a
candidate, and the verifier decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from dpverify.symbolic.hypotheses import hypotheses, potential_steps
from dpverify.symbolic.inquiry import Candidate, Inquiry
from dpverify.symbolic.periodic import by_wave, staircase
from dpverify.symbolic.places import every_place
from dpverify.symbolic.potential import potential
from dpverify.symbolic.reference import Reference, Undetermined
from dpverify.symbolic.sections import by_sections
from dpverify.symbolic.shape import by_descent, by_shape, by_turn

WAYS = (by_shape, by_turn, by_sections, by_wave, by_descent)


def candidates(f: Any, dimension: Any, ref: Reference) -> Iterator[Candidate]:
    """Candidates for the answer at the reference point, those that follow for all parameters first."""
    if f.has(sp.floor):
        yield from staircase(f, ref)
        return
    start = Inquiry(potential(f, ref), ref)
    potential_steps(start)
    settled = hypotheses(start, dimension)
    if settled is not None:
        yield settled
        return
    for way in WAYS:
        try:
            found = way(start.branch())
        except (Undetermined, sp.PolynomialError, NotImplementedError):
            continue
        if found is not None:
            yield found
            if found.proved:
                return
    yield from every_place(start.branch())
