"""What the form of a node alone shows, wherever the node has a value.

Each question has a table from kinds of node to answers, to which sections add theirs.
"""

from __future__ import annotations

from fractions import Fraction

from .rules import rule
from .tree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Predicate = Callable[[Node], bool]

WAVES: set[str] = set()
"""Kinds with values in [-1, 1]."""


def amplitude(node: Node) -> Fraction:
    """b where the node is b times something in [-1, 1], else 0."""
    if node.kind in WAVES:
        return Fraction(1)
    pair = node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num"
    return node.args[0].args[0] if pair and node.args[1].kind in WAVES else Fraction(0)


def _sum_never_negative(node: Node) -> bool:
    waves = sum(abs(amplitude(a)) for a in node.args)
    rest = [a for a in node.args if not amplitude(a)]
    numbers = sum(a.args[0] for a in rest if a.kind == "num")
    return numbers >= waves and all(never_negative(a) for a in rest if a.kind != "num")


NEVER_NEGATIVE: dict[str, Predicate] = {
    "num": lambda node: node.args[0] >= 0,
    "add": _sum_never_negative,
    "mul": lambda node: all(map(never_negative, node.args)),
    "pow": lambda node: never_negative(node.args[0])
    or (node.args[1].denominator == 1 and node.args[1] % 2 == 0),
}


def never_negative(node: Node) -> bool:
    """Squares, |u|, exponentials, a + b cos u with a >= |b|, and what is made of them."""
    return node.positive or (node.kind in NEVER_NEGATIVE and NEVER_NEGATIVE[node.kind](node))


def never_zero(node: Node) -> bool:
    """Positive things, numbers other than 0, and products and powers of such."""
    if node.kind == "mul":
        return all(map(never_zero, node.args))
    if node.kind == "pow":
        return never_zero(node.args[0])
    return node.positive or (node.kind == "num" and node.args[0] != 0)


RISING, FALLING = {"exp", "log"}, set[str]()
"""Kinds that rise, or fall, with their last argument."""


def direction(node: Node) -> int | None:
    """1 where the node never falls as r grows, -1 where it never rises, 0 where it is constant;
    None where the form does not tell."""
    kind, parts, sign = node.kind, list(node.args), 1
    if kind in ("num", "pi", "gamma", "r"):
        return int(kind == "r")
    if kind in RISING:
        return direction(parts[-1])
    if kind in FALLING or kind == "pow":
        known = kind != "pow" or never_negative(parts[0])
        inner = direction(parts[0 if kind == "pow" else -1]) if known else None
        return inner if inner is None or (kind == "pow" and parts[1] > 0) else -inner
    if kind == "mul" and parts[0].kind == "num":
        sign = 1 if parts.pop(0).args[0] > 0 else -1
    if kind not in ("add", "max", "mul"):
        return None
    if kind == "mul" and len(parts) > 1 and not all(map(never_negative, parts)):
        return None
    found = {direction(part) for part in parts} - {0}
    return None if None in found or len(found) > 1 else sign * sum(found)  # type: ignore[arg-type]


ENTIRE, ANALYTIC, ON_THE_LINE = {"exp"}, {"log"}, set[str]()
"""Kinds that are entire functions, kinds analytic where their last argument is positive, and kinds
analytic where it is real: such a one may jump where that has a pole."""


def analytic(node: Node, poles: bool = True) -> bool:
    """Whether the node is analytic on (0, oo), less a closed countable set if `poles`."""
    kind, args = node.kind, node.args
    if kind in ("num", "pi", "gamma", "r"):
        return True
    if kind in ("add", "mul") or kind in ENTIRE:
        return all(analytic(a, poles) for a in args if isinstance(a, Node))
    if kind == "pow" and args[1].denominator == 1 and (args[1] >= 0 or poles):
        return analytic(args[0], poles)
    if kind in ON_THE_LINE:
        return analytic(args[-1], False)
    if kind == "pow" or kind in ANALYTIC:
        inner = args[0] if kind == "pow" else args[-1]
        return inner.positive and analytic(inner, False)
    return False


ROOTS: dict[str, Callable[[Node], Node | None]] = {}
"""By kind: g where the node is |g|^p with p > 0, up to a constant."""
JUMPS: set[str] = set()
"""Kinds that may be discontinuous."""


def may_jump(node: Node) -> bool:
    """Whether f may be discontinuous: by its branches, a floor, or a pole (of a power, or of a
    logarithm), beside which exp(1/u) is 0 and infinite."""
    power = node.kind == "pow" and node.args[1] < 0 and not node.args[0].positive
    pole = power or (node.kind in ANALYTIC and not node.args[-1].positive)
    return pole or node.kind in JUMPS or any(may_jump(a) for a in node.args if isinstance(a, Node))


@rule("K5")
def met_by_form(kind: str, node: Node) -> bool:
    """A need that the form meets.

    Lemma.  Wherever it has a value, r is positive, and so are pi, exponentials, positive numbers,
    and sums, products and powers of positive things; such things are not 0 and not negative;
    products and powers of what is not 0 are not 0; even powers, sums of what is not negative and
    a + b w with |w| <= 1 and a >= |b| are not negative.
    """
    return MET[kind](node)


MET: dict[str, Predicate] = {
    "nonzero": never_zero, "nonnegative": never_negative, "positive": lambda node: node.positive}
