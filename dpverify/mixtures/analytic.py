"""The mixing density as pieces that are analytic in x = log v, and the slivers around its breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq

from dpverify.enclosures import Ball, Evaluation, Slope, Undecided, exact
from dpverify.enclosures.evaluation import gamma
from dpverify.enclosures.nodes import Node
from dpverify.findings import Part, Reason

NARROWEST = Fraction(1, 2**72)
MOST_BOXES = 20_000
Complex = Callable[[acb, acb, bool], acb]


class Analytic:
    """A node as a function of complex x, with v = e^x; not finite where it is not known to be analytic."""

    def __init__(self, node: Node) -> None:
        self.zero = node.kind == "num" and node.args[0] == 0
        self._function = _compiled(node)

    def __call__(self, x: acb, analytic: bool) -> acb:
        return self._function(x, x.exp(), analytic)

    def at(self, x: arb) -> arb:
        """The value at a real x."""
        return self(acb(x), False).real


@dataclass(frozen=True, slots=True)
class Piece:
    """p on low <= x <= high, one analytic function there."""

    low: Fraction
    high: Fraction
    function: Analytic
    choices: tuple[object, ...]

    def within(self, low: Fraction, high: Fraction) -> Piece | None:
        """The part that lies in [low, high], None where that is a point or nothing."""
        a, b = max(low, self.low), min(high, self.high)
        return Piece(a, b, self.function, self.choices) if a < b else None


@dataclass(frozen=True, slots=True)
class Sliver:
    """0 <= p <= height on low <= x <= high."""

    low: Fraction
    high: Fraction
    height: arb

    def within(self, low: Fraction, high: Fraction) -> Sliver | None:
        """The sliver itself where it meets [low, high]: the bound of its integral is none the worse."""
        a, b = max(low, self.low), min(high, self.high)
        return self if a < b else None


def partition(node: Node, low: Fraction, high: Fraction) -> Iterator[Piece | Sliver]:
    """[low, high] in order, neighbours with the same branches joined."""
    held: Piece | None = None
    for part in _bisected(node, low, high):
        if isinstance(part, Piece) and held is not None and held.choices == part.choices:
            held = Piece(held.low, part.high, held.function, held.choices)
            continue
        if held is not None:
            yield held
        held = part if isinstance(part, Piece) else None
        if isinstance(part, Sliver):
            yield part
    if held is not None:
        yield held


def _bisected(node: Node, low: Fraction, high: Fraction) -> Iterator[Piece | Sliver]:
    stack, boxes = [(low, high)], 0
    while stack:
        a, b = stack.pop()
        boxes += 1
        if boxes > MOST_BOXES:
            raise Undecided(Reason.MIXING_TOO_MANY_BREAKS())
        box = arb(exact(a)).union(arb(exact(b))).exp()
        evaluation = Evaluation(Slope(Ball(box), Ball(arb(1))))
        choices: list[object] = []
        try:
            resolved = _resolved(node, evaluation, choices)
        except Undecided:
            if b - a < NARROWEST * max(Fraction(1), abs(a)):
                yield Sliver(a, b, evaluation.value(node).u.x.abs_upper())
            else:
                middle = (a + b) / 2
                stack += [(middle, b), (a, middle)]
            continue
        yield Piece(a, b, Analytic(resolved), tuple(choices))


def _resolved(node: Node, evaluation: Evaluation, choices: list[object]) -> Node:
    """The node with the branch that holds in place of each choice; raises Undecided where that changes."""
    if node.kind == "max":
        chosen = next((i for i in range(len(node.args)) if _is_largest(node.args, i, evaluation)), None)
        if chosen is None:
            raise Undecided(Reason.CHANGES(what=Part.LARGEST))
        choices.append(chosen)
        return _resolved(node.args[chosen], evaluation, choices)
    if node.kind == "piece":
        for i, (value, condition) in enumerate(node.args):
            if _holds(condition, evaluation):
                choices.append(i)
                return _resolved(value, evaluation, choices)
        raise Undecided(Reason.NO_BRANCH())
    if node.kind == "floor":
        value = evaluation.value(node).u.x
        whole = value.unique_fmpz() if value.is_exact() else None
        if whole is None:
            raise Undecided(Reason.CHANGES(what=Part.FLOOR))
        choices.append(int(whole))
        return Node("num", exact(int(whole)))
    args = [_resolved(a, evaluation, choices) if isinstance(a, Node) else a for a in node.args]
    return Node(node.kind, *args)


def _is_largest(parts: tuple[Node, ...], i: int, evaluation: Evaluation) -> bool:
    others = (part for j, part in enumerate(parts) if j != i)
    return all(_is_at_least(parts[i], other, evaluation) for other in others)


def _is_at_least(a: Node, b: Node, evaluation: Evaluation) -> bool:
    """By the difference, or by that of the logarithms: far out both values are next to nothing."""
    if (evaluation.value(a) - evaluation.value(b)).u.x >= 0:
        return True
    try:
        (sign, larger), (other_sign, smaller) = evaluation.log(a), evaluation.log(b)
    except Undecided:
        return False
    return sign == other_sign == 1 and bool((larger - smaller).u.x >= 0)


def _holds(condition: tuple, evaluation: Evaluation) -> bool:  # type: ignore[type-arg]
    """Whether a condition holds throughout, or fails throughout; raises Undecided where neither is proved."""
    kind = condition[0]
    if kind == "true":
        return True
    if kind == "not":
        return not _holds(condition[1], evaluation)
    if kind in ("and", "or"):
        return (all if kind == "and" else any)(_holds(part, evaluation) for part in condition[1:])
    value = evaluation.value(condition[1]).u.x
    if value > 0:
        return True
    if value < 0:
        return False
    raise Undecided(Reason.CHANGES(what=Part.CONDITION))


def _compiled(node: Node) -> Complex:
    kind, args = node.kind, node.args
    if kind == "num":
        number = acb(arb(args[0]))
        return lambda x, v, analytic: number
    if kind == "pi":
        return lambda x, v, analytic: acb.pi()
    if kind == "r":
        return lambda x, v, analytic: v
    if kind == "gamma":
        constant = acb(gamma(args[0]))
        return lambda x, v, analytic: constant
    if kind == "pow":
        return _power(args[0], args[1])
    if kind not in ("add", "mul", "log", "exp", "sin", "cos", "erfc"):
        raise Undecided(Reason.NO_CONTINUATION(function=kind))
    if kind in ("sin", "cos"):
        inner, function = _compiled(args[0]), f"{kind}_pi" if args[1] else kind
        return lambda x, v, analytic: getattr(inner(x, v, analytic), function)()
    parts = [_compiled(a) for a in args]
    if kind == "add":
        return lambda x, v, analytic: _sum(part(x, v, analytic) for part in parts)
    if kind == "mul":
        return lambda x, v, analytic: _product(part(x, v, analytic) for part in parts)
    if kind == "log":
        return lambda x, v, analytic: parts[0](x, v, analytic).log(analytic=analytic)
    return lambda x, v, analytic: getattr(parts[0](x, v, analytic), kind)()


def _power(base: Node, p: fmpq) -> Complex:
    exponent = acb(arb(p))
    if base.kind == "r":
        return lambda x, v, analytic: (x * exponent).exp()
    inner = _compiled(base)
    return lambda x, v, analytic: inner(x, v, analytic).pow(exponent, analytic=analytic)


def _sum(values: Iterator[acb]) -> acb:
    total = next(values)
    for value in values:
        total = total + value
    return total


def _product(values: Iterator[acb]) -> acb:
    total = next(values)
    for value in values:
        total = total * value
    return total
