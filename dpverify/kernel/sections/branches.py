"""Branches and jumps: Piecewise, Max (with Min and Abs) and floor."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from ..intervals import ANY, D0, INF, NEG_INF, Interval, hull, interval
from ..reader import FUNCTIONS, MAX_DEPTH, Function, Need, Reader
from ..rules import BROUGHT, Rejected, require, rule
from ..tree import INHERITING, NEVER_NEGATIVE, Node, add, minus
from ..tree import never_negative, num, same, walk
from .conditions import comparison, exhaustive
from .evaluation import LOGS, VALUES, Evaluation, log_of_value
from .floors import floor
from .increments import Shift
from .models import CONSTANT, Model
from .optional import may_use
from .shapes import JUMPS, RISING, absolute_of
from .signs import CHOOSING, at_ends, exact_value, sign
from .slopes import Slope, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Condition(tuple):  # type: ignore[type-arg]
    """("less", w, weak) for 0 < w or 0 <= w, and "and", "or", "not" over such."""

    def truth(self, at: Evaluation, side: int = 0) -> bool | None:
        """Whether it holds at almost every radius; None where that is not decided."""
        if self[0] == "less":
            least, most = signs_in_condition(at, self[1], side)
            holds, fails = (least >= 0, most < 0) if self[2] else (least > 0, most <= 0)
            return holds if holds or fails else None
        parts = [part.truth(at, side) for part in self[1:]]
        if self[0] == "not":
            return None if parts[0] is None else not parts[0]
        decisive = self[0] == "or"
        return decisive if decisive in parts else None if None in parts else not decisive


def signs_in_condition(at: Evaluation, node: Node, side: int) -> tuple[int, int]:
    """The least and the greatest sign that a node has."""
    known = sign(at, node, side)
    if known is not None:
        return known, known
    whole = maximum(node) if may_use("K461") else None
    return (-1, 1) if whole is None else from_parts(at, *whole, side)


def maximum(node: Node) -> tuple[bool, Node] | None:
    """Whether the number is positive of which the node is a multiple of a maximum, and that."""
    scaled = node.kind == "mul" and len(node.args) == 2 and node.args[0].kind == "num"
    inner = node.args[1] if scaled else node
    positive = not scaled or node.args[0].args[0] > 0
    return (positive, inner) if inner.kind == "max" else None


@rule("K461")
def from_parts(at: Evaluation, positive: bool, node: Node, side: int) -> tuple[int, int]:
    """The signs that a multiple of a maximum may have in a condition, from those of its parts.

    Lemma.  The sign of a maximum is the largest of the signs of its parts, so it lies between the
    largest of what they are at least and the largest of what they are at most; what holds of each
    part at almost every radius of a box holds of all of them at almost every one.
    """
    parts = [signs_in_condition(at, part, side) for part in node.args]
    least, most = (max(ends) for ends in zip(*parts, strict=True))
    return (least, most) if positive else (-most, -least)


@rule("K63")
def read_piecewise(reader: Reader, branches: list[ast.expr], depth: int) -> Node:
    """Piecewise as it is read.

    Lemma.  It is the first branch whose condition holds, And, Or and Not being and, or
    and not.  So what is needed in a condition or a branch is needed where the conditions before it
    do not hold, in a branch only where its own does; and where no condition is True, some condition
    has to hold almost everywhere.
    """
    parts: list[tuple[Node, Condition]] = []
    outside, earlier = reader.guard, reader.guard
    require(0 < len(branches) <= 50, "a Piecewise has no branch or too many")
    for branch in branches:
        pair = isinstance(branch, ast.Tuple) and len(branch.elts) == 2
        require(pair, "a Piecewise branch is not a pair")
        value, test = branch.elts  # type: ignore[attr-defined]
        reader.guard = earlier
        condition = read_condition(reader, test, depth + 1)
        reader.guard = (*earlier, (condition, True))
        parts.append((reader.expression(value, depth + 1), condition))
        earlier = (*earlier, (condition, False))
    reader.guard = outside
    if not any(condition == ("and",) for _, condition in parts):
        reader.needs.append(Need("branch", tuple(c for _, c in parts), outside))
    return Node("piece", *parts)


def read_condition(reader: Reader, node: ast.AST, depth: int) -> Condition:
    require(depth < MAX_DEPTH, "the generator's text is nested too deeply", "limits")
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return Condition(("and",) if node.value else ("or",))
    if isinstance(node, ast.Compare):
        sides = [reader.expression(s, depth + 1) for s in (node.left, *node.comparators)]
        tests = []
        for op, a, b in zip(node.ops, sides, sides[1:], strict=False):
            known = isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
            require(known, "a condition is outside the language")
            low, high = (a, b) if isinstance(op, (ast.Lt, ast.LtE)) else (b, a)
            weak = isinstance(op, (ast.LtE, ast.GtE))
            tests.append(Condition(("less", add(high, minus(low)), weak)))
        return Condition(("and", *tests))
    if isinstance(node, ast.BoolOp):
        word = "and" if isinstance(node.op, ast.And) else "or"
        return Condition((word, *(read_condition(reader, v, depth + 1) for v in node.values)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        word = "and" if isinstance(node.op, ast.BitAnd) else "or"
        parts = [read_condition(reader, side, depth + 1) for side in (node.left, node.right)]
        return Condition((word, *parts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        return Condition(("not", read_condition(reader, node.operand, depth + 1)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        name, count = node.func.id, len(node.args)
        if (name in ("And", "Or") and count) or (name == "Not" and count == 1):
            parts = [read_condition(reader, part, depth + 1) for part in node.args]
            return Condition((name.lower(), *parts))
    raise Rejected("a condition is outside the language")


@rule("K64")
def read_jump(kind: str, *args: Node) -> Node:
    """floor, Max, Min, Abs, ceil, frac, round, sign and Heaviside as they are read.

    Lemma.  |u| = max(u, -u), and u itself where u is positive; min(u, v) = -max(-u, -v); the least
    integer that is not below u is -floor(-u), and u - floor(u) is what u exceeds its floor by; the
    sign of u is -1 where u < 0, else 0 where u <= 0, else 1; Heaviside(u) is 0, 1/2 and 1 there;
    round(u) is floor(u + 1/2).
    """
    if kind == "ceil":
        return minus(Node("floor", minus(args[0])))
    if kind == "frac":
        return add(args[0], minus(Node("floor", args[0])))
    if kind == "round":
        return Node("floor", add(args[0], num(Fraction(1, 2))))
    if kind in ("sign", "Heaviside"):
        low, middle = (-1, 0) if kind == "sign" else (0, Fraction(1, 2))
        below, weakly = (Condition(("less", minus(args[0]), weak)) for weak in (False, True))
        branches = ((num(low), below), (num(middle), weakly), (num(1), Condition(("and",))))
        return Node("piece", *branches)
    if kind == "Abs":
        return args[0] if args[0].positive else Node("max", args[0], minus(args[0]))
    if kind == "Min":
        return minus(Node("max", *(minus(a) for a in args)))
    return Node(kind, *args)


@rule("K62")
def value_of_floor(at: Evaluation, node: Node) -> Any:
    """floor(u).

    Lemma.  u - 1 < floor(u) <= u; floor rises; where u is rational and strictly monotone on an
    open box and its exact values at the ends lie in [n, n + 1], it is n on the box; on a cell
    of phases of u = n x + c it is known up to whole periods.  Its slopes have the signs of u's;
    floor(u + v) - floor(u) is floor(v) or one more.
    """
    element = at.value(node.args[0])
    integers = whole_roots(at, node.args[0], len(sides(element)))
    for side, part in enumerate(sides(element)) if not integers else ():
        ends = at_ends(at, node.args[0], part, side)
        constant = ends is not None and max(ends) <= min(ends) // 1 + 1
        integers += [min(ends) // 1] if ends is not None and constant else []
    if len(integers) < 2:
        return floor(element)
    if not isinstance(element, Shift):
        return element.const(integers[0])
    return Shift(element.u.const(integers[0]), element.u.const(integers[1] - integers[0]))


def whole_roots(at: Evaluation, node: Node, count: int) -> list[int]:
    """floor(a r^p) on the box, and on the box moved by the shift, where it is known on both."""
    form = power_of_radius(node)
    if form is None or at.ends is None:
        return []
    found = [steps_between(*form, *(end + at.shift * k for end in at.ends)) for k in range(count)]
    return [n for n in found if n is not None] if None not in found else []


def power_of_radius(node: Node) -> tuple[Fraction, Fraction] | None:
    """(a, p) where the node is a r^p, a > 0 and p > 0 a short fraction that is not whole."""
    factors = node.args if node.kind == "mul" else (node,)
    a = factors[0].args[0] if factors[0].kind == "num" else Fraction(1)
    rest = factors[1:] if factors[0].kind == "num" else factors
    if a <= 0 or len(rest) != 1 or rest[0].kind != "pow" or rest[0].args[0].kind != "r":
        return None
    p = rest[0].args[1]
    return (a, p) if p > 0 and 1 < p.denominator <= 8 and p.numerator <= 8 else None


@rule("K225")
def steps_between(a: Fraction, p: Fraction, low: Fraction, high: Fraction) -> int | None:
    """floor(a r^p) for low < r < high, where it is one number.

    Lemma.  With p = k/q it is the largest n with n^q <= a^q r^k, which rises with r; so it is at
    least that of low, and at most that of high, less 1 where n^q = a^q high^k.
    """
    (first, _), (last, exact) = (whole_root(a**p.denominator * r**p.numerator, p.denominator)
                                 for r in (max(low, Fraction(0)), high))
    last -= exact
    return first if first == last else None


def whole_root(x: Fraction, q: int) -> tuple[int, bool]:
    """The largest n with n^q <= x, and whether n^q = x."""
    n = 1 << (int(x).bit_length() // q + 1)
    while n**q > x:  # Newton's steps from above stay above the root
        n = min(n - 1, ((q - 1) * n + int(x) // n ** (q - 1)) // q)
    return n, n**q == x


@rule("K61")
def value_of_max(at: Evaluation, node: Node) -> Any:
    """The largest of several.

    Lemma.  An element that another one exceeds throughout is not the largest; the largest lies
    between the largest of the lower and the largest of the upper bounds of the others, and its
    slopes in the hull of theirs.  The larger of u and -u is not negative.
    """
    values = [at.value(a) for a in node.args]
    base, ahead = largest(at, node.args, values, values_lead)
    found = choose(values, base, ahead)
    return found if absolute_of(node) is None else not_negative(found)


def not_negative(x: Any) -> Any:
    """The same of what is not negative, where it is an interval, or a model bounded alone."""
    u = x.u if type(x) is Slope else x  # an increment, a Slope too, may be negative
    c = u.terms.get(CONSTANT) if isinstance(u, Model) and len(u.terms) == 1 else u
    if not isinstance(c, Interval):
        return x
    u = u.const(Interval(max(D0, c.lo), c.hi))
    return Slope(u, x.du) if type(x) is Slope else u


def log_of_max(at: Evaluation, node: Node) -> tuple[int, Any]:
    """Where the form shows all of one sign, from their logarithms: max(-e^L, -e^M) =
    -e^min(L, M)."""
    signs = {sign_of_form(a) for a in node.args}
    if not node.exponential or signs not in ({1}, {-1}):
        return log_of_value(at, node)
    sign = signs.pop()
    assert sign is not None

    def height(there: Evaluation, a: Node) -> Any:
        return there.log(a)[1] * sign

    heights = [height(at, a) for a in node.args]
    base, ahead = largest(at, node.args, heights, partial(enclosures_lead, height))
    return sign, choose(heights, base, ahead) * sign


def sign_of_form(node: Node) -> int | None:
    if node.kind == "num" and node.args[0] < 0:
        return -1
    if node.kind == "mul" and node.args[0].kind == "num" and node.args[0].args[0]:
        rest = [1 if a.positive else sign_of_maximum(a) for a in node.args[1:]]
        front = 1 if node.args[0].args[0] > 0 else -1
        return None if None in rest else front * (-1) ** rest.count(-1)
    return 1 if node.positive else sign_of_maximum(node)


def sign_of_maximum(node: Node) -> int | None:
    """The sign of a maximum by its form, where that tells."""
    if node.kind != "max" or not may_use("K446"):
        return None
    signs = {sign_of_form(a) for a in node.args}
    return by_parts(signs) if 1 in signs or signs == {-1} else None


@rule("K446")
def by_parts(signs: set[int | None]) -> int:
    """The sign of a maximum from those of its parts.

    Lemma.  It is positive if one of them is, and negative if all are.
    """
    return 1 if 1 in signs else -1


def largest(at: Evaluation, nodes: tuple[Node, ...], elements: list[Any],
            leads: Callable[[Evaluation, Node, Node, Any, int], bool]) -> list[set[int]]:
    """Which elements may be the largest, where r is and where r + h is.

    An element is a node's value, or, of nodes of one sign, its logarithm, minus that where they are
    negative; where the gap of two has no sign, `leads` tells whether the first is no less."""
    result, pairs = list[set[int]](), [sides(e) for e in elements]
    for side in range(2):
        if side and all(here is there for here, there in pairs):
            return result * 2
        parts, live = [pair[side] for pair in pairs], set(range(len(elements)))
        for i in range(len(parts)):
            gaps = ((j, parts[j] - parts[i]) for j in sorted(live - {i}))
            if any(gap.sign() in (1, 0) or leads(at, nodes[j], nodes[i], gap, side)
                   for j, gap in gaps):
                live.discard(i)
        result.append(live)
    return result


def values_lead(at: Evaluation, j: Node, i: Node, gap: Any, side: int) -> bool:
    """Whether a value is at least another, by those at the box's ends: exact ones, or enclosed."""
    above, below = (at_ends(at, node, gap, side) for node in (j, i))
    if above is not None and below is not None:
        return all(a >= b for a, b in zip(above, below, strict=True))
    return enclosures_lead(lambda there, part: there.value(part), at, j, i, gap, side)


def enclosures_lead(part: Callable[[Evaluation, Node], Any], at: Evaluation, j: Node, i: Node,
                    gap: Any, side: int) -> bool:
    """Whether what is made of a part is at least that of another, by what it is enclosed by at the
    box's ends, where the proof lists the rule of it."""
    return may_use("K560") and leads_at_ends(at, j, i, gap, side, part)


@rule("K560")
def leads_at_ends(at: Evaluation, j: Node, i: Node, gap: Any, side: int,
                  part: Callable[[Evaluation, Node], Any]) -> bool:
    """Whether a part of a maximum is at least another one on a box, from what is enclosed at its
    ends.

    Lemma.  The gap is monotone in the box, and both parts are made of functions without jumps; at
    both ends of the box they have finite enclosures, and the gap is not negative there, or exact
    values other than 0, of which the one is not below the other.
    """
    slopes = gap.du if isinstance(gap, Slope) else None
    known = isinstance(slopes, Interval) and slopes.finite() and not slopes.lo < D0 < slopes.hi
    if at.ends is None or not known or has_jumps(j) or has_jumps(i):
        return False
    return all(no_less(at, j, i, end + at.shift * side, part) for end in at.ends)


def no_less(at: Evaluation, j: Node, i: Node, radius: Fraction,
            part: Callable[[Evaluation, Node], Any]) -> bool:
    above, below = (exact_value(node, radius) for node in (j, i))
    if above and below:
        return above >= below
    there = at.elsewhere(interval(radius))
    gap = part(there, j) - part(there, i)
    return bool(gap.lo >= D0 and gap.finite())


def has_jumps(node: Node) -> bool:
    """Whether what the node is made of may be discontinuous."""
    return any(part.kind in JUMPS for part in walk(node))


def choose(elements: list[Any], base: set[int], ahead: set[int]) -> Any:
    if len(base) == 1 and base == ahead:
        return elements[min(base)]
    here = hull_of([sides(elements[i])[0] for i in base], jumps=False)
    first = elements[min(base)]
    if not isinstance(first, Shift):
        return here
    there = hull_of([sides(elements[i])[1] for i in ahead], jumps=False)
    return first.largest(here, there, [elements[i].du for i in base | ahead])


def branches_at(at: Evaluation, args: Sequence[tuple[Node, Condition]]) -> list[set[int]]:
    """Which branches may be the first that holds, where r is and where r + h is."""
    result = []
    for side in range(2 if isinstance(at.r, Shift) else 1):
        live: set[int] = set()
        for i, (_, condition) in enumerate(args):
            holds = condition.truth(at, side)
            live |= set() if holds is False else {i}
            if holds:
                break
        else:
            known = exhaustive(condition for _, condition in args)
            require(known, "no branch of a Piecewise is proved to hold")
        result.append(live)
    return [result[0], result[-1]]


@rule("K60")
def piece(at: Evaluation, node: Node, of: Callable[[Evaluation, Node], Any]) -> Any:
    """The first branch whose condition holds.

    Lemma.  Branches whose conditions are decided not to hold do not count; of the others f is one
    at each radius, as one holds surely, or two have opposite conditions (K99), with any slope where
    it may jump.  Where r and r + h may lie in different
    branches, each is asked where it holds, and the increment is the difference.
    """
    args = node.args
    base, ahead = branches_at(at, args)
    if not isinstance(at.r, Shift) or len(base | ahead) == 1:
        parts = [of(at, args[i][0]) for i in sorted(base)]
        first_ends = may_use("K565") and jumps_once(at, [args[i][1] for i in sorted(base)], parts)
        return one_way(first_ends, *parts) if first_ends else hull_of(parts, jumps=True)
    here = there = None
    if at.ends is not None:
        here, there = at.ends, (at.ends[0] + at.shift, at.ends[1] + at.shift)
    both = zip(sides(at.r), (here, there), strict=True)
    below, above = (at.elsewhere(r, ends) for r, ends in both)
    first = hull_of([of(below, args[i][0]) for i in base], jumps=True)
    there = hull_of([of(above, args[i][0]) for i in ahead], jumps=True)
    return at.r.of_sides(first, there)


def jumps_once(at: Evaluation, conditions: Sequence[Condition], parts: Sequence[Any]) -> int | None:
    """-1 where the second of two branches holds below a radius of the box and the first from there
    on, 1 where the first holds below it and the second from there on; else None."""
    known = len(parts) == 2 and all(
        type(x) is Slope and type(x.u) is type(x.du) is Interval for x in parts)
    if not known or conditions[1].truth(at) is not True:
        return None
    compared = comparison(conditions[0])
    way = at.value(compared[0][0]).du.sign() if compared else None
    return -way if way else None


@rule("K565")
def one_way(first_ends: int, first: Slope, second: Slope) -> Slope:
    """Two branches that change once on a box, and what their slopes leave open.

    Lemma.  The second branch holds wherever the first does not, and the first holds where 0 < w, or
    0 <= w, of a w that is strictly monotone: so one of the two holds below some radius of the box,
    the other from there on.  If no value of the one is below one of the other, f does not rise from
    the one to the other, so that no slope of f is larger than the largest of both and 0; if none is
    above, no slope is smaller than the smallest of both and 0.
    """
    before, after = (first, second) if first_ends == 1 else (second, first)
    low, high = NEG_INF, INF
    if before.u.lo >= after.u.hi:
        high = max(before.du.hi, after.du.hi, D0)
    elif before.u.hi <= after.u.lo:
        low = min(before.du.lo, after.du.lo, D0)
    return Slope(hull(before.u, after.u), Interval(low, high))


def value_of_piece(at: Evaluation, node: Node) -> Any:
    return piece(at, node, Evaluation.value)


def log_of_piece(at: Evaluation, node: Node) -> tuple[int, Any]:
    signs: set[int] = set()

    def log(evaluation: Evaluation, branch: Node) -> Any:
        sign, value = evaluation.log(branch)
        signs.add(sign)
        return value

    whole_log = piece(at, node, log)
    require(len(signs) == 1, "a branch has no proved sign")
    return signs.pop(), whole_log


def hull_of(elements: list[Any], jumps: bool) -> Any:
    """Whichever element holds: one of the branches (which may jump), or the largest of a Max."""

    def either(a: Any, b: Any) -> Any:
        if isinstance(a, Model):
            terms = {*a.terms, *b.terms}
            pairs = {m: (interval(a.terms.get(m, 0)), interval(b.terms.get(m, 0))) for m in terms}
            return Model(a.germ, {m: hull(*pair) for m, pair in pairs.items()})
        if jumps:
            return hull(a, b)
        return Interval(max(a.lo, b.lo), max(a.hi, b.hi))

    def either_slope(a: Any, b: Any) -> Any:
        if jumps:
            return a.const(ANY)
        return either(a, b) if isinstance(a, Model) else hull(a, b)

    result = elements[0]
    for e in elements[1:]:
        if isinstance(e, Slope):
            result = Slope(either(result.u, e.u), either_slope(result.du, e.du))
        else:
            result = either(result, e)
    return result


def max_never_negative(node: Node) -> bool:
    pair = len(node.args) == 2 and same(node.args[1], minus(node.args[0]))
    return pair or any(map(never_negative, node.args))


FUNCTIONS.update({
    **{kind: Function(lambda u, kind=kind: read_jump(kind, u))
       for kind in ("floor", "ceil", "frac", "round", "sign", "Heaviside", "Abs")},
    "Max": Function(lambda *args: read_jump("max", *args), 2, 20),
    "Min": Function(lambda *args: read_jump("Min", *args), 2, 20),
})
FUNCTIONS.update({"abs": FUNCTIONS["Abs"], "max": FUNCTIONS["Max"], "min": FUNCTIONS["Min"]})
BROUGHT["Piecewise"] = read_piecewise
VALUES.update({"floor": value_of_floor, "max": value_of_max, "piece": value_of_piece})
LOGS.update({"max": log_of_max, "piece": log_of_piece})
NEVER_NEGATIVE.update({
    "floor": lambda node: never_negative(node.args[0]),
    "max": max_never_negative,
    "piece": lambda node: all(never_negative(value) for value, _ in node.args),
})
INHERITING.update({"max", "piece"})
CHOOSING["max"] = max
JUMPS.update({"floor", "piece"})
RISING.add("floor")
