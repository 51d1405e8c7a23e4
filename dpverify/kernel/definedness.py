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
from .tree import Node, length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
    node that is not negative on the chart and strictly monotone is positive but for one radius; a
    positive one is no pole of gamma; one that is strictly monotone is not 0 but for one radius (K7), in
    each interval of a cell.
    """
    if any(condition.truth(at) is (not holds) for condition, holds in need.guard):
        return True
    if need.kind == "branch":
        return any(condition.truth(at) for condition in need.node)
    if need.kind not in SIGNS:
        return need.kind == "no pole" and at.sign(need.node) == 1
    element = at.value(need.node)
    sign, least = at.sign(need.node), innermost(element).span().lo
    monotone = isinstance(element, Slope) and element.monotone()
    return {
        "nonzero": sign in (1, -1) or monotone,
        "positive": sign == 1 or (monotone and least >= 0),
        "nonnegative": sign in (1, 0) or least >= 0,
    }[need.kind]


def beside(p: Problem, radius: Fraction) -> Evaluation:
    """An evaluation on a short box that begins at a radius."""
    return p.at_box(hull(interval(radius), interval(radius + radius / 10**30)))


@rule("K8")
def zeros_isolated(at: Evaluation, need: Need) -> None:
    """A need for a node that is not 0, met by analyticity.

    Lemma.  The node is built from r, numbers and entire functions by sums, products, whole powers,
    and by functions analytic on the line (atan), or on (0, oo) (powers, logarithms and others), of
    what is analytic, and positive for the latter, on all of (0, oo).  So it is
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
