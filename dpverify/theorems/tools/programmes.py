"""Linear programmes with an exact certificate: HiGHS finds two vertices, rational arithmetic checks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpverify.enclosures.ball import Undecided, exact
from dpverify.findings import Gap

Row = Sequence[Fraction]
Rows = Sequence[tuple[Row, Fraction]]
SLACK = 1e-9


@dataclass(frozen=True)
class Programme:
    """Minimise cost . x over x >= 0 with `at_most` rows a . x <= b and `equal` rows a . x = b."""

    cost: Row
    at_most: Rows
    equal: Rows


@dataclass(frozen=True)
class Optimum:
    """The exact minimum and a minimiser; a dual solution of the same value was checked too."""

    value: Fraction
    solution: tuple[Fraction, ...]


def minimum(programme: Programme) -> Optimum:
    """Solve exactly; raises Undecided where the rational vertices are infeasible or leave a gap."""
    primal = _vertex(programme)
    dual = _vertex(_dual(programme))
    value, bound = _dot(programme.cost, primal), -_dot(_dual(programme).cost, dual)
    if value != bound:
        raise Undecided(Gap.PROGRAMME_GAP(value=value, bound=bound))
    return Optimum(value, primal)


def _dot(a: Row, b: Row) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), Fraction(0))


def _dual(p: Programme) -> Programme:
    """max f.y - b.mu with E'y - A'mu <= cost, written as a minimum over mu, y+, y- >= 0."""
    cost = [b for _, b in p.at_most] + [-f for _, f in p.equal] + [f for _, f in p.equal]
    rows = []
    for i, c in enumerate(p.cost):
        column = [-a[i] for a, _ in p.at_most] + [e[i] for e, _ in p.equal] + [-e[i] for e, _ in p.equal]
        rows.append((column, c))
    return Programme(cost, rows, [])


def _vertex(p: Programme) -> tuple[Fraction, ...]:
    import numpy as np
    from scipy.optimize import linprog

    def floats(rows: Rows) -> tuple[object, object]:
        if not rows:
            return None, None
        return np.array([[float(x) for x in a] for a, _ in rows]), np.array([float(b) for _, b in rows])

    a_ub, b_ub = floats(p.at_most)
    a_eq, b_eq = floats(p.equal)
    found = linprog([float(c) for c in p.cost], a_ub, b_ub, a_eq, b_eq, method="highs-ds")
    if found.x is None:
        raise Undecided(Gap.PROGRAMME_NO_SOLUTION(message=found.message))
    tight = list(p.equal)
    tight += [
        (a, b)
        for a, b in p.at_most
        if abs(sum(float(x) * y for x, y in zip(a, found.x, strict=True)) - float(b)) < SLACK
    ]
    zero = {i for i, x in enumerate(found.x) if x < SLACK}
    x = _solve(tight, [i for i in range(len(p.cost)) if i not in zero], len(p.cost))
    if min(x) < 0 or any(_dot(a, x) > b for a, b in p.at_most) or any(_dot(a, x) != b for a, b in p.equal):
        raise Undecided(Gap.PROGRAMME_NOT_FEASIBLE())
    return x


def _solve(rows: Rows, free: list[int], size: int) -> tuple[Fraction, ...]:
    """The solution of the tight rows that is zero outside `free` and at undetermined unknowns."""
    from flint import fmpq_mat

    table = fmpq_mat(len(rows), len(free) + 1, [exact(v) for a, b in rows for v in (*(a[i] for i in free), b)])
    reduced, rank = table.rref()
    x = [Fraction(0)] * size
    for r in range(rank):
        pivot = next(c for c in range(len(free) + 1) if reduced[r, c] != 0)
        if pivot == len(free):
            raise Undecided(Gap.PROGRAMME_CONTRADICTS())
        value = reduced[r, len(free)]
        x[free[pivot]] = Fraction(int(value.p), int(value.q))
    return tuple(x)
