"""A factor of f that comes near 0 far out: two waves or more, free in phase, and as much as they take away."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.enclosures import Evaluation, Shift, Undecided, exact
from dpverify.enclosures.nodes import Node, mul
from dpverify.prover.charts import ORDER
from dpverify.prover.phases import Phases, phases_of
from dpverify.prover.problem import Problem

RADIUS = Fraction(16)
SHIFTS = (1, 2, 3, 5)


def vanishing_far_out(problem: Problem) -> tuple[Phases, Fraction] | None:
    """The phases, and a shift from radii where f is not small to such where it is as small as one likes."""
    phases = phases_of(problem.node)
    if phases is None or not phases.dense:
        return None
    factors = list(problem.node.args) if problem.node.kind == "mul" else [problem.node]
    for i, factor in enumerate(factors):
        u = factor.args[0] if factor.kind == "pow" and factor.args[1] > 0 else factor
        waves = _sum_of_waves(u)
        if len(waves) < 2 or not _independent(phases, [wave for _, wave in waves]):
            continue
        for part in SHIFTS:
            shift = problem.delta / part
            if _differs(phases, waves, shift) and _rest_is_bounded(factors[:i] + factors[i + 1 :], shift):
                return phases, shift
    return None


def _sum_of_waves(u: Node) -> list[tuple[fmpq, Node]]:
    """|a_i| and w_i where u = sum |a_i| + sum a_i w_i; nothing where it is not so."""
    if u.kind != "add":
        return []
    total, found = fmpq(0), []
    for term in u.args:
        if term.kind == "num":
            total += term.args[0]
        elif term.kind in ("sin", "cos"):
            found.append((fmpq(1), term))
        elif term.kind == "mul" and len(term.args) == 2 and term.args[0].kind == "num":
            found.append((abs(term.args[0].args[0]), term.args[1]))
        else:
            return []
    right = all(wave.kind in ("sin", "cos") for _, wave in found) and total == sum((a for a, _ in found), fmpq(0))
    return found if right else []


def _independent(phases: Phases, waves: list[Node]) -> bool:
    """Whether the waves' phases come near every point of their torus, all being sums of lines."""
    torus, lines = phases.torus, len(phases.lines)
    if any(wave not in torus.waves or any(torus.waves[wave][0][lines:]) for wave in waves):
        return False
    rows = [[Fraction(n) for n in torus.waves[wave][0]] for wave in waves]
    found = 0
    for column in range(lines):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is not None:
            found += 1
            rows = [
                [x - row[column] / pivot[column] * y for x, y in zip(row, pivot, strict=True)]
                for row in rows
                if row is not pivot
            ]
    return found == len(waves)


def _differs(phases: Phases, waves: list[tuple[fmpq, Node]], shift: Fraction) -> bool:
    total = arb(0)
    for size, wave in waves:
        speed = sum((v * n for n, v in zip(phases.torus.waves[wave][0], phases.torus.speeds, strict=False)), arb(0))
        angle = speed * exact(shift)
        total = total + (1 - (angle.cos_pi() if phases.torus.turns else angle.cos())) * size
    return bool(total > 0)


def _rest_is_bounded(factors: list[Node], shift: Fraction) -> bool:
    r = Model.power_of_t(Germ(RADIUS, ORDER), 1)
    try:
        sign, log = Evaluation(Shift(r, r.const(exact(shift)))).log(mul(*factors))
        lead, c = log.du.leading()
        return sign == 1 and (lead <= CONSTANT or bool(c < 0))
    except Undecided:
        return False
