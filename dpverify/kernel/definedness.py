"""Whether f exists: every operation of the text, as typed, has a value at almost every radius.

The reader's needs come in the order in which a reader meets them, inner before outer.  By
induction over that order: if all earlier needs are met, the node of the next one is what was
typed (K4) almost everywhere, and to bound the node is to bound what was typed.  Needs that the
form meets (K5) are not in the list; the others are met one by one by the rules here.
"""

from __future__ import annotations

from fractions import Fraction

from .charts import radii, with_slope
from .evaluation import Evaluation
from .forms import MET, analytic
from .intervals import hull, interval
from .models import LINEAR, Germ, Model, power_of_t
from .pairs import Slope, innermost
from .reader import Need
from .rules import require, rule
from .tree import Node, length, minus, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .charts import Box, Problem

MAX_DEGREE, MAX_COEFFICIENT = 64, 2_000
SIGNS = ("nonzero", "positive", "nonnegative")


def charts(p: Problem, boxes: list[Box], cells: list[Germ]) -> Iterable[Evaluation]:
    """An evaluation on each chart: the end at zero, the boxes, the cells of the tail."""
    r = Model(p.zero, {power_of_t(-1): 1})
    yield p.at_zero(with_slope(r))
    for a, b in boxes:
        yield p.at_box(radii(a, b), (a, b))
    for germ in cells:
        r = Model(germ, {LINEAR: 1})
        yield p.at_infinity(with_slope(r))


@rule("K6")
def met_on(at: Evaluation, need: Need) -> bool:
    """A need that the enclosures on one chart meet at almost every radius of it.

    Lemma.  It is met where its guard does not hold, and where the node has the sign asked for.  A
    node that is not negative on the chart and strictly monotone is positive but for one radius;
    one that is strictly monotone is not 0 but for one radius (K7), in each interval of a cell.
    """
    if any(condition.truth(at) is (not holds) for condition, holds in need.guard):
        return True
    if need.kind == "branch":
        return any(condition.truth(at) for condition in need.node)
    if need.kind not in SIGNS:
        return False
    element = at.value(need.node)
    sign, least = at.sign(need.node), innermost(element).span().lo
    monotone = isinstance(element, Slope) and element.monotone()
    return {
        "nonzero": sign in (1, -1) or monotone,
        "positive": sign == 1 or (monotone and least >= 0),
        "nonnegative": sign in (1, 0) or least >= 0,
    }[need.kind]


def bared(condition: Any) -> Any:
    """The condition without parts that hold at every radius, as 0 < r does, and without an "and" or
    "or" of one part."""
    if condition[0] == "and":
        kept = [c for c in map(bared, condition[1:])
                if c != ("and",) and not (c[0] == "less" and c[1].positive)]
        return kept[0] if len(kept) == 1 else ("and", *kept)
    return bared(condition[1]) if condition[0] == "or" and len(condition) == 2 else condition


def compared(condition: Any, truth: bool) -> list[tuple[Node, bool]]:
    """Nodes that are not negative where the condition has that truth value, and whether they are
    positive there."""
    condition = bared(condition)
    if condition[0] == "not":
        return compared(condition[1], not truth)
    if condition[0] == "less":
        w, weak = condition[1:]
        return [(w if truth else minus(w), weak is not truth)]
    if (condition[0] == "and") is truth or len(condition) == 2:  # all hold, or all fail
        return [pair for part in condition[1:] for pair in compared(part, truth)]
    return []


def comparison(condition: Any, truth: bool = True) -> list[tuple[Node, bool]]:
    """w, and whether 0 < w rather than 0 <= w, where the condition is equivalent to that; else []."""
    condition = bared(condition)
    while len(condition) == 2:
        condition, truth = bared(condition[1]), truth is not (condition[0] == "not")
    return compared(condition, truth) if condition[0] == "less" else []


def exhaustive(conditions: Iterable[Any]) -> bool:
    """Whether one of two of the conditions holds at almost every radius: 0 < w and 0 < -w, where w
    is a rational function other than 0, or either allows 0."""
    found = [pair for c in conditions for pair in comparison(c)]
    for i, (w, strict) in enumerate(found):
        top = polynomial(w)
        for v, other in found[:i]:
            few = not strict or not other or (top is not None and bool(top[0]))
            if few and same(v, minus(w)):
                return True
    return False


@rule("K99")
def met_by_guard(need: Need) -> bool:
    """A need that its own guard meets.

    Lemma.  Where a condition 0 < w or 0 <= w of the guard holds, or fails, w or -w is positive, or
    not negative.  A need for that sign of the same node is met at every radius at which it counts;
    where the sign leaves 0 open, the node is a rational function other than 0, with few zeros.  A
    branch holds almost everywhere where two of the conditions are 0 < w and 0 < -w for such a w, or
    0 <= w and 0 <= -w for any.
    """
    if need.kind == "branch":
        return exhaustive(need.node)
    found = polynomial(need.node) if isinstance(need.node, Node) else None
    isolated = found is not None and bool(found[0])
    for condition, truth in need.guard:
        for w, strict in compared(condition, truth):
            if same(w, need.node) and (strict or isolated or need.kind == "nonnegative"):
                return True
            if need.kind == "nonzero" and strict and same(w, minus(need.node)):
                return True
    return False


def absolute_of(node: Node) -> Node | None:
    """u where the node is |u| = max(u, -u)."""
    pair = node.kind == "max" and len(node.args) == 2
    return node.args[0] if pair and same(node.args[1], minus(node.args[0])) else None


def bare(need: Need) -> Need:
    """A need as one for a simpler node not to be 0: |u|, even and fractional powers are never
    negative where they have a value, so positive where they are not 0; and powers are 0 where their
    base is alone."""
    node, kind = need.node, need.kind
    while kind in ("positive", "nonzero") and isinstance(node, Node):
        inner = absolute_of(node)
        if node.kind == "pow":
            p = node.args[1]
            never = p.denominator > 1 or p % 2 == 0
            inner = node.args[0] if never or kind == "nonzero" else None
        if inner is None:
            break
        node, kind = inner, "nonzero"
    return need if node is need.node else Need(kind, node, need.guard)


def beside(p: Problem, radius: Fraction) -> Evaluation:
    """An evaluation on a short box that begins at a radius."""
    return p.at_box(hull(interval(radius), interval(radius + radius / 10**30)))


@rule("K8")
def zeros_isolated(at: Evaluation, need: Need) -> None:
    """A need for a node that is not 0, met by analyticity.

    Lemma.  The node is built from r, numbers and entire functions by sums, products, whole powers,
    and by powers and logarithms of what is analytic and positive on all of (0, oo).  So it is
    analytic on a neighbourhood of (0, oo) less a closed countable set, which is connected.  By the
    identity theorem it is 0 at countably many radii only, or everywhere; on a short box it is not
    0.  (A single radius would not do: what is enclosed there need not have a value there, and 0
    times the inverse of something about 0 is enclosed by 0.)
    """
    require(need.kind == "nonzero", "zeros are isolated, but the need is for a sign")
    require(analytic(need.node), "a divisor is not shown analytic")
    require(at.value(need.node).sign() in (1, -1), "a divisor is not shown other than 0 there")


@rule("K9")
def unmet(at: Evaluation, need: Need) -> None:
    """A need that fails at almost every radius of an open box: the text has no value there.

    Lemma.  Either an earlier need fails on a part of the box that is no null set, or the node is
    what was typed almost everywhere on it, and this need fails: the guard holds on the box, and the
    node is 0 where it must not be, or nowhere positive where it must be, or negative where it must
    not be.  It is 0 where its enclosure is the point 0, and where it is a rational function whose
    numerator is the polynomial 0.  Of gamma only a number is known to be a pole.
    """
    holds = all(condition.truth(at) is truth for condition, truth in need.guard)
    require(holds, "the guard of the operation is not shown to hold on the box")
    if need.kind == "branch":
        none = all(condition.truth(at) is False for condition in need.node)
        require(none, "no value is missing: a branch may hold")
        return
    if need.kind not in SIGNS:
        pole = need.node.kind == "num" and not MET[need.kind](need.node)
        require(pole, "no value is missing")
        return
    if polynomial(need.node) == ([], [Fraction(1)]) and need.kind != "nonnegative":
        return
    value = innermost(at.value(need.node)).span()
    sign = at.sign(need.node)
    fails = {
        "nonzero": sign == 0,
        "positive": sign in (0, -1) or value.hi <= 0,
        "nonnegative": sign == -1 or value.hi < 0,
    }[need.kind]
    require(fails, "the operation is not shown to have no value on the box")


def polynomial(node: Node) -> tuple[list[Fraction], list[Fraction]] | None:
    """Numerator and denominator of a rational node in r, lowest powers first; the zero function is
    ([], [1]). None where the node is not rational, divides by zero, or is too large."""
    kind, args = node.kind, node.args
    if not node.rational:
        return None
    if kind in ("num", "r"):
        zero = kind == "num" and args[0] == 0
        top = [args[0]] if kind == "num" else [Fraction(0), Fraction(1)]
        return ([] if zero else top), [Fraction(1)]
    parts = [polynomial(a) for a in args if isinstance(a, Node)]
    if kind == "pow":
        if parts[0] is None or abs(args[1]) * max(map(len, parts[0])) > MAX_DEGREE:
            return None
        factors = [parts[0] if args[1] > 0 else parts[0][::-1]] * int(abs(args[1]))
        parts, kind = [([Fraction(1)], [Fraction(1)]), *factors], "mul"
    top, below = ([Fraction(1)], [Fraction(1)]) if kind == "mul" else ([], [Fraction(1)])
    for part in parts:
        if part is None or not part[1]:
            return None
        if kind == "mul":
            top = times(top, part[0])
        else:
            top = plus(times(top, part[1]), times(part[0], below))
        below = times(below, part[1])
        long = any(length(c) > MAX_COEFFICIENT for c in (*top, *below))
        if long or max(len(top), len(below)) > MAX_DEGREE:
            return None
    return (top, below) if top else ([], [Fraction(1)])


def times(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    result = [Fraction(0)] * (len(a) + len(b) - 1 if a and b else 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return trimmed(result)


def plus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    size = max(len(a), len(b))
    pairs = zip(a + [Fraction(0)] * (size - len(a)), b + [Fraction(0)] * (size - len(b)))
    return trimmed([x + y for x, y in pairs])


def trimmed(a: list[Fraction]) -> list[Fraction]:
    while a and not a[-1]:
        a.pop()
    return a
