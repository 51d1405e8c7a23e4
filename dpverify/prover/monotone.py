"""Monotonicity that can be read off a formula: enough for jumps that no slope can describe."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from dpverify.enclosures.nodes import MINUS, Node, absolute_of, add, factors_of, kinds, mul, same
from dpverify.enclosures.saws import line_of, saw
from dpverify.enclosures.special import FALLING, LOGARITHMIC, RISING

ABOVE_PI = fmpq(22, 7)


def direction(node: Node) -> int | None:
    """1 for non-decreasing in r, -1 for non-increasing, 0 for constant, None where the form does not tell."""
    kind, args = node.kind, node.args
    if kind in ("num", "pi", "gamma"):
        return 0
    if kind == "r":
        return 1
    if kind in ("exp", "log", "floor", *RISING):
        return direction(args[-1])
    if kind in ("erfc", "matern", *FALLING):
        return _times(-1, direction(args[-1]))
    if kind == "pow":
        inner = direction(args[0])
        rooted = _not_below_zero(args[0])
        return None if inner is None or not rooted else inner if args[1] > 0 else -inner
    if kind == "max":
        return _agree([direction(a) for a in args])
    if kind == "add":
        swaying, others = _swaying(args)
        together, others = _of_powers(others)
        return _agree([swaying, *together, *map(direction, others)])
    if kind == "mul":
        sign = 1
        rest = []
        for a in args:
            if a.kind == "num":
                sign = sign if a.args[0] > 0 else -sign
            elif _not_below_zero(a):
                rest.append(direction(a))
            else:
                return None if len(args) > 2 or args[0].kind != "num" else _times(sign, direction(a))
        return _times(sign, _agree(rest))
    return None


def _swaying(terms: tuple[Node, ...]) -> tuple[int | None, list[Node]]:
    """The direction of a r + sum of b cos(w r + c) within a sum, at most sum |b w| steep beside a; the others."""
    a, reach, others = fmpq(0), fmpq(0), []
    for term in terms:
        scaled = term.kind == "mul" and len(term.args) == 2 and term.args[0].kind == "num"
        b, inner = (term.args[0].args[0], term.args[1]) if scaled else (fmpq(1), term)
        w = _rate(inner.args[0]) if inner.kind in ("cos", "sin") else None
        if w is not None:
            reach = reach + abs(b * w) * (ABOVE_PI if inner.args[1] else 1)
        elif inner.kind == "r":
            a = a + b
        else:
            others.append(term)
    return (None if abs(a) < reach else (a > 0) - (a < 0)), others


def _of_powers(terms: list[Node]) -> tuple[list[int | None], list[Node]]:
    """The directions of sums of c v^p within a sum, v >= 1 the same in each; the others."""
    bases: list[tuple[Node, list[tuple[fmpq, fmpq]], list[Node]]] = []
    for term in terms:
        c, inner = _as_multiple(term)
        if inner.kind not in ("exp", "pow"):
            continue
        p, u = _as_multiple(inner.args[0]) if inner.kind == "exp" else (inner.args[1], inner.args[0])
        level = u if inner.kind == "exp" else Node("log", u)
        base = next((base for base in bases if same(base[0], level)), None)
        if base is None:
            bases.append(base := (level, [], []))
        base[1].append((p, c * p))
        base[2].append(term)
    several = [base for base in bases if len(base[1]) > 1 and _not_below_zero(base[0])]
    taken = [term for _, _, powers in several for term in powers]
    ways: list[int | None] = []
    for level, slopes, _ in several:
        sign = _leaning(slopes)
        ways.append(None if sign is None else _times(sign, direction(level)))
    return ways, [term for term in terms if not any(term is other for other in taken)]


def _as_multiple(node: Node) -> tuple[fmpq, Node]:
    """c and u where the node is c u, and the first term of a sum u has no negative number in front."""
    scaled = node.kind == "mul" and node.args[0].kind == "num"
    c, u = (node.args[0].args[0], mul(*node.args[1:])) if scaled else (fmpq(1), node)
    first = u.args[0].args[0] if u.kind == "add" and u.args[0].kind == "mul" else u
    below = u.kind == "add" and first.kind == "num" and first.args[0] < 0
    return (-c, mul(MINUS, u)) if below else (c, u)


def _leaning(slopes: list[tuple[fmpq, fmpq]]) -> int | None:
    """The sign of the sum of s v^p at each v >= 1, if sums from the greatest p down all have it."""
    total, signs = fmpq(0), set()
    for _, s in sorted(slopes, reverse=True):
        total = total + s
        signs.add((total > 0) - (total < 0))
    signs -= {0}
    return None if len(signs) > 1 else sum(signs)


def _rate(node: Node) -> fmpq | None:
    """w where the node is w r + c, w rational and c without r; else None."""
    if node.kind == "r" or "r" not in kinds(node):
        return fmpq(int(node.kind == "r"))
    if node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num":
        inner = _rate(node.args[1])
        return None if inner is None else inner * node.args[0].args[0]
    rates = [_rate(part) for part in node.args] if node.kind == "add" else [None]
    return None if None in rates else sum(rates, fmpq(0))  # type: ignore[type-var]


def _times(sign: int, d: int | None) -> int | None:
    return None if d is None else sign * d


def _agree(directions: list[int | None]) -> int | None:
    if None in directions:
        return None
    signs = {d for d in directions if d}
    return (signs.pop() if signs else 0) if len(signs) <= 1 else None


def _not_below_zero(node: Node) -> bool:
    """The same as `nonnegative`, and for the logarithm of a sum of 1 or more and of what is never negative, or a
    product of such."""
    if node.kind == "mul":
        return all(map(_not_below_zero, node.args))
    inner = node.args[0] if node.kind == "log" else node
    if inner is node or inner.kind != "add":
        return nonnegative(node, logs=False)
    numbers = [a.args[0] for a in inner.args if a.kind == "num"]
    return sum(numbers) >= 1 and all(nonnegative(a, logs=False) for a in inner.args if a.kind != "num")


def not_below_one(node: Node) -> bool:
    """Whether the form shows that the node is never below 1."""
    kind, args = node.kind, node.args
    if kind == "num":
        return bool(args[0] >= 1)
    if kind == "exp":
        return nonnegative(args[0])
    if kind == "pow":
        return bool(args[1] > 0) and not_below_one(args[0])
    if kind == "mul":
        return all(map(not_below_one, args))
    if kind == "add":
        rest = [a for a in args if not not_below_one(a)]
        return len(rest) < len(args) and all(map(nonnegative, rest))
    return kind == "max" and any(map(not_below_one, args))


def nonnegative(node: Node, logs: bool = True) -> bool:
    """Whether the form shows that the node is never negative; `logs` says whether logarithms of 1 and more count."""
    kind, args = node.kind, node.args
    if kind == "num":
        return bool(args[0] >= 0)
    if kind in ("r", "pi", "exp", "acot", "matern", "erfc", *LOGARITHMIC):
        return True
    if kind in ("floor", "atan", "lambertw"):
        return nonnegative(args[0], logs)
    if kind == "log":
        return logs and not_below_one(args[0])
    if kind == "pow":
        return nonnegative(args[0], logs) or (args[1].q == 1 and int(args[1].p) % 2 == 0)
    if kind == "add":
        waves = sum(abs(_wave(a)) for a in args)
        rest = [a for a in args if not _wave(a)]
        numbers = sum(a.args[0] for a in rest if a.kind == "num")
        return bool(numbers >= waves) and all(nonnegative(a, logs) for a in rest if a.kind != "num")
    if kind == "mul":
        return all(nonnegative(a, logs) for a in args)
    if kind == "piece":
        return all(nonnegative(value, logs) for value, _ in args)
    return kind == "max" and (absolute_of(node) is not None or any(nonnegative(a, logs) for a in args))


def never_below_zero(node: Node) -> bool:
    """Whether f is a product of what is not negative by its form, and of saws that are not, and powers of such."""
    if node.kind == "pow" and not nonnegative(node):
        return never_below_zero(node.args[0])
    if node.kind == "mul":
        return all(map(never_below_zero, node.args))
    return nonnegative(node) or _is_fractional_part(node) or _is_saw(node) or _is_ramp(node)


def _is_ramp(node: Node) -> bool:
    """Whether a node is c max(u, ...) - c u + b for a line u, c > 0 and b >= 0."""
    for term in node.args if node.kind == "add" else ():
        *front, inner = factors_of(term)
        rest = line_of(_without(node, term))
        if inner.kind != "max" or rest is None or not all(a.kind == "num" for a in front):
            continue
        c = front[0].args[0] if front else fmpq(1)
        lines = [line_of(u) for u in inner.args if c > 0]
        if any(u is not None and rest[0] == -c * u[0] and rest[1] >= -c * u[1] for u in lines):
            return True
    return False


def _is_saw(node: Node) -> bool:
    """Whether a node is b - sum c theta, every theta in [0, 1), and at least b less the positive c >= 0."""
    lines = saw(node)
    if lines is None or lines.slope != 0 or not all(q > 0 and nonnegative(other) for q, other in lines.others):
        return False
    return bool(lines.level >= sum(c for c, _ in lines.teeth if c > 0))


def _is_fractional_part(node: Node) -> bool:
    """Whether a node is u - floor(u)."""
    return node.kind == "add" and any(same(part, mul(MINUS, Node("floor", _without(node, part)))) for part in node.args)


def _without(node: Node, part: Node) -> Node:
    return add(*(other for other in node.args if other is not part))


def positive(node: Node) -> bool:
    """Whether the form shows that the node is positive at every r > 0."""
    kind, args = node.kind, node.args
    if kind == "num":
        return bool(args[0] > 0)
    if kind in ("r", "pi", "exp", "acot", "matern", "erfc", "uppergamma", "kummer", "besseli", "softplus"):
        return True
    if kind in ("pow", "atan", "lambertw"):
        return positive(args[0])
    if kind == "lowergamma":
        return positive(args[1])
    if kind == "mul":
        return all(map(positive, args))
    if kind == "add":
        waves = sum(abs(_wave(a)) for a in args)
        numbers = sum(a.args[0] for a in args if a.kind == "num")
        rest = [a for a in args if not _wave(a) and a.kind != "num"]
        if not all(nonnegative(a, logs=False) for a in rest):
            return False
        return bool(numbers > waves) or (bool(numbers >= waves) and any(map(positive, rest)))
    if kind == "piece":
        return all(positive(value) for value, _ in args)
    return kind == "max" and any(map(positive, args))


def _wave(node: Node) -> Any:
    """The amplitude of a multiple of a sine or cosine; 0 for anything else."""
    if node.kind in ("sin", "cos"):
        return 1
    parts = node.args if node.kind == "mul" and len(node.args) == 2 else ()
    if parts and parts[0].kind == "num" and parts[1].kind in ("sin", "cos"):
        return parts[0].args[0]
    return 0
