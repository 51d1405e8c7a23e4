"""The base phases of a generator's waves: lines with exact speeds, and chirps that outrun every shift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

from flint import arb

from dpverify.asymptotics import Germ, Model
from dpverify.asymptotics.germ import LINEAR, Exponents
from dpverify.enclosures import Evaluation, Undecided, exact
from dpverify.enclosures.ball import Ball
from dpverify.enclosures.nodes import Node, as_fraction, same, walk, waves
from dpverify.enclosures.torus import Torus
from dpverify.findings import Reason

SAMPLE = Fraction(97, 64)
"""A radius at which chirps are told apart and given their sign."""
LARGEST, MOST_PAIRS = 10**9, 400
SUPERLINEAR: Exponents = (0, 1, 1, 0, 0)
SMOOTH = {"num", "pi", "r", "add", "mul", "pow", "exp", "log"}
FAR = Fraction(2**20)

Form = dict[tuple[int, int], Fraction]
"""A number: the sum of q sqrt(n) pi^k, by (n, k)."""
Shape = tuple[tuple[Fraction, tuple[Node, ...]], ...]


@dataclass(frozen=True)
class Phases:
    """The torus, and what its base phases are: `lines` are exact speeds; `dense` says that every point is come near."""

    torus: Torus
    lines: tuple[Form, ...]
    dense: bool


def phases_of(node: Node) -> Phases | None:
    """The base phases of every wave that has exact ones; None where there is none, or a wave lies in a Piecewise."""
    found = waves(node)
    branched = {id(part) for n in walk(node) if n.kind == "piece" for part in waves(n)}
    found = [part for part in found if id(part) not in branched]
    turns = any(part.kind == "floor" and _line(part) is not None for part in found)
    straight: dict[Node, tuple[Form, Form]] = {}
    bent: dict[Node, tuple[Fraction, Shape, Fraction]] = {}
    for part in found:
        line = _line(part, turns)
        if line is not None and line[0]:
            straight[part] = line
        elif line is None and part.kind != "floor":
            try:
                if Evaluation(Model.power_of_t(Germ(FAR, 6), 1)).value(part.args[0]).leading()[0] > LINEAR:
                    bent[part] = _shape(part.args[0])
            except Undecided:
                continue
    if not straight and not bent:
        return None
    lines = _basis([slope for slope, _ in straight.values()])
    chirps = _chirps(bent)
    known: dict[Node, tuple[tuple[int, ...], arb]] = {}
    for part, (slope, constant) in straight.items():
        multiples = combination(slope, lines)
        assert multiples is not None
        known[part] = (*multiples, *(0 for _ in chirps)), _number(constant)
    for part, (size, _, number) in bent.items():
        row = tuple(int(size / factor) if part in members else 0 for members, factor in chirps)
        unit = arb.pi() if part.args[1] else arb(1)
        known[part] = (*(0 for _ in lines), *row), arb(exact(number)) * (unit / arb.pi() if turns else unit)
    torus = Torus(
        tuple(_number(form) for form in lines),
        len(chirps),
        known,
        frozenset(n for n in walk(node) if _holds(n, known)),
        turns,
        {part: (rational_form(c), rational_form(v)) for part, (v, c) in straight.items() if part.kind == "floor"},
    )
    return Phases(torus, tuple(lines), _outrun([next(iter(group)) for group, _ in chirps]))


def _holds(node: Node, known: dict[Node, Any]) -> bool:
    return any(part in known for part in waves(node))


def _outrun(chirps: Sequence[Node]) -> bool:
    """Whether chirps are shown to outrun every shift, and one another."""
    try:
        return _in_order(chirps)
    except Undecided:
        return False


def _in_order(chirps: Sequence[Node]) -> bool:
    """Of two it has to be known which grows faster: that their leading monomials are two does not tell."""
    leads: list[Exponents] = []
    for wave in chirps:
        argument = wave.args[0]
        if any(part.kind not in SMOOTH for part in walk(argument)):
            return False
        lead = Evaluation(Model.power_of_t(Germ(FAR, 6), 1)).value(argument).leading()[0]
        if not lead > SUPERLINEAR or not all(lead < other or other < lead for other in leads):
            return False
        leads.append(lead)
    return True


# Lines.


def rational_form(form: Form) -> Fraction | None:
    """The number that a form stands for, where it is a rational of itself."""
    return form.get((1, 0), Fraction(0)) if set(form) <= {(1, 0)} else None


def _line(node: Node, turns: bool = False) -> tuple[Form, Form] | None:
    """The speed and the constant of a wave's phase, where its argument is k r + c with both known exactly; in (half)
    turns, that of a floor being twice its argument."""
    try:
        terms = _polynomial(node.args[0])
    except Undecided:
        return None
    if any(power not in (0, 1) for power, _, _ in terms):
        return None
    jumps = node.kind == "floor"
    turn = 0 if jumps else (1 if node.args[1] else 0) - turns
    slope, constant = (
        {(n, k + turn): 2 * q if jumps else q for (p, n, k), q in terms.items() if p == power} for power in (1, 0)
    )
    return slope, constant


Polynomial = dict[tuple[int, int, int], Fraction]


def _polynomial(node: Node) -> Polynomial:
    """The node as a sum of q r^p sqrt(n) pi^k, by (p, n, k); raises Undecided."""
    kind, args = node.kind, node.args
    if kind == "num":
        return {(0, 1, 0): as_fraction(args[0])} if args[0] else {}
    if kind == "r":
        return {(1, 1, 0): Fraction(1)}
    if kind == "pi":
        return {(0, 1, 1): Fraction(1)}
    if kind == "add":
        total: Polynomial = {}
        for part in args:
            for key, q in _polynomial(part).items():
                total[key] = total.get(key, Fraction(0)) + q
        return {key: q for key, q in total.items() if q}
    if kind == "mul":
        result: Polynomial = {(0, 1, 0): Fraction(1)}
        for part in args:
            result = _times(result, _polynomial(part))
        return result
    if kind == "pow":
        base, p = args[0], as_fraction(args[1])
        if base.kind == "pi" and p.denominator == 1 and abs(p) <= 100:
            return {(0, 1, int(p)): Fraction(1)}
        if base.kind == "num" and p.denominator == 2 and base.args[0] > 0:
            x = as_fraction(base.args[0])
            square, free = squarefree(x.numerator * x.denominator)
            return {(0, free, 0): Fraction(square, x.denominator) * x ** int(p - Fraction(1, 2))}
        if p.denominator == 1 and 0 < p <= 4:
            result = factor = _polynomial(base)
            for _ in range(int(p) - 1):
                result = _times(result, factor)
            return result
    raise Undecided(Reason.PHASE_NOT_A_LINE())


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > MOST_PAIRS:  # which the kernel does not multiply
        raise Undecided(Reason.PHASE_NOT_A_LINE())
    total: Polynomial = {}
    for (p, n, k), x in a.items():
        for (s, m, j), y in b.items():
            square, free = squarefree(n * m)
            key = (p + s, free, k + j)
            total[key] = total.get(key, Fraction(0)) + x * y * square
    return {key: q for key, q in total.items() if q}


def squarefree(n: int) -> tuple[int, int]:
    """s and the squarefree m with n = s^2 m; raises Undecided where n is large."""
    if n > LARGEST:
        raise Undecided(Reason.ROOT_IN_PHASE())
    square, free, d = 1, n, 2
    while d * d <= free:
        while free % (d * d) == 0:
            square, free = square * d, free // (d * d)
        d += 1
    return square, free


def _number(form: Form) -> arb:
    total = arb(0)
    for (n, k), q in form.items():
        root = arb(isqrt(n)) if isqrt(n) ** 2 == n else arb(n).sqrt()
        total = total + root * arb.pi() ** k * exact(q)
    return total


def _basis(forms: Sequence[Form]) -> list[Form]:
    """A basis over the integers of the group that the forms generate: the rows of a Hermite form."""
    keys = sorted({key for form in forms for key in form})
    scale = lcm(*(q.denominator for form in forms for q in form.values())) if forms else 1
    rows = [[int(form.get(key, Fraction(0)) * scale) for key in keys] for form in forms]
    basis: list[list[int]] = []
    for column in range(len(keys)):
        while True:
            rows.sort(key=lambda row: (row[column] == 0, abs(row[column])))
            if not rows or not rows[0][column]:
                break
            first, moved = rows[0], False
            for i in range(1, len(rows)):
                times = rows[i][column] // first[column]
                if times:
                    rows[i] = [x - times * y for x, y in zip(rows[i], first, strict=True)]
                    moved = True
            if not moved:
                basis.append(first if first[column] > 0 else [-x for x in first])
                rows = rows[1:]
                break
    return [{key: Fraction(x, scale) for key, x in zip(keys, row, strict=True) if x} for row in basis]


def combination(form: Form, basis: Sequence[Form]) -> list[int] | None:
    """The whole multiples of the basis, in echelon form, that make up the form."""
    left, multiples = dict(form), []
    for row in basis:
        key = min(row)
        n = left.get(key, Fraction(0)) / row[key]
        if n.denominator != 1:
            return None
        multiples.append(int(n))
        left = {k: left.get(k, Fraction(0)) - n * row.get(k, Fraction(0)) for k in {*left, *row}}
    return multiples if not any(left.values()) else None


# Chirps.


def _shape(argument: Node) -> tuple[Fraction, Shape, Fraction]:
    """q, X and c where the argument is q X + c, and its first term in X has the factor 1."""
    terms = argument.args if argument.kind == "add" else (argument,)
    number = sum((as_fraction(t.args[0]) for t in terms if t.kind == "num"), Fraction(0))
    parts: list[tuple[Fraction, tuple[Node, ...]]] = []
    for t in terms:
        if t.kind == "mul" and t.args[0].kind == "num":
            parts.append((as_fraction(t.args[0].args[0]), t.args[1:]))
        elif t.kind != "num":
            parts.append((Fraction(1), t.args if t.kind == "mul" else (t,)))
    size = parts[0][0]
    return size, tuple((q / size, factors) for q, factors in parts), number


def _chirps(bent: dict[Node, tuple[Fraction, Shape, Fraction]]) -> list[tuple[set[Node], Fraction]]:
    """The waves of each chirp, and its factor: positive at the sample radius, in the order of the values there."""
    groups: list[tuple[Shape, bool, list[Node]]] = []
    for node, (_, shape, _) in bent.items():
        for known, turns, members in groups:
            if same(known, shape) and turns == node.args[1]:
                members.append(node)
                break
        else:
            groups.append((shape, node.args[1], [node]))
    found = []
    for _, _, members in groups:
        sizes = [bent[m][0] for m in members]
        factor = Fraction(gcd(*(_whole(sizes))), lcm(*(s.denominator for s in sizes)))
        size, _, number = bent[members[0]]
        value = Evaluation(Ball(arb(exact(SAMPLE)))).value(members[0].args[0]).x - exact(number)
        base = float((value / exact(size) * exact(factor)).mid())
        found.append((abs(base), set(members), factor if base > 0 else -factor))
    return [(members, factor) for _, members, factor in sorted(found, key=lambda item: item[0])]


def _whole(sizes: Sequence[Fraction]) -> list[int]:
    scale = lcm(*(s.denominator for s in sizes))
    return [int(s * scale) for s in sizes]
