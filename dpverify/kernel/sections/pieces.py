"""Floors of bounded waves as pieces, and sums with a piece as a piece of sums: f factor by factor,
each branch."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, prod

from ..intervals import hull, interval
from ..rules import require, rule
from ..steps import record, whole
from ..tree import Node, add, minus, mul, num, same
from .algebra import renewed
from .analytic import analytic
from .branches import Condition
from .charts import REWRITINGS
from .conditions import compared, comparison
from .evaluation import Evaluation
from .shapes import factors_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Signs: TypeAlias = tuple[tuple[Node, bool], ...]

MAX_STEPS, MAX_REWRITTEN, MOST_BRANCHES = 40, 40, 256
ALWAYS = Condition(("and",))
PLACES = (Fraction(1), Fraction(3, 7), Fraction(5, 2), Fraction(17, 3))
"""Radii at which a wave is shown below its height."""


def heights(node: Node) -> tuple[Fraction, Fraction] | None:
    """c - A and c + A, where the node is c and waves whose amplitudes add up to A; else None."""
    middle = reach = Fraction(0)
    for term in node.args if node.kind == "add" else (node,):
        parts = factors_of(term)
        size = parts[0].args[0] if parts[0].kind == "num" else Fraction(1)
        rest = parts[1:] if parts[0].kind == "num" else parts
        if not rest:
            middle += size
        elif len(rest) == 1 and rest[0].kind in ("sin", "cos"):
            reach += abs(size)
        else:
            return None
    return middle - reach, middle + reach


@rule("K242")
def steps_of_waves(node: Node) -> Node:
    """floor(v) of a number and waves as a piece.

    Lemma.  v is c and a sum of multiples a_i of sines and cosines, A the sum of all |a_i|, so that
    it lies in [c - A, c + A]; it is analytic, and below c + A near one radius.  So v < c + A almost
    everywhere, and floor(v) is the largest n with n <= v, of the whole n from floor(c - A) on that
    are less than c + A; and floor(c - A) where v is less than all others.
    """
    bounds = heights(node.args[0]) if node.kind == "floor" else None
    require(bounds is not None, "a node is no floor of a number and waves")
    assert bounds is not None
    v, (low, high) = node.args[0], bounds
    first, last = floor(low), ceil(high) - 1
    require(last - first <= MAX_STEPS, "a floor has too many steps", "limits")
    below = analytic(v) and any(below_at(v, high, place) for place in PLACES)
    require(below, "a sum of waves is not shown analytic, and below its height")
    steps = [(num(n), Condition(("less", add(v, num(-n)), True))) for n in range(last, first, -1)]
    return Node("piece", *steps, (num(first), ALWAYS)) if steps else num(first)


def below_at(v: Node, high: Fraction, place: Fraction) -> bool:
    beside = Evaluation(hull(interval(place), interval(place + place / 10**30)))
    return (beside.value(v) + (-high)).sign() == -1  # type: ignore[no-any-return]


@rule("K243")
def sum_of_a_piece(node: Node) -> Node:
    """A sum, a term of which is a product with a piece, as a piece of sums.

    Lemma.  At each radius the piece is the value of the first branch whose condition holds; the sum
    then is that of this value, times its factors, and the other terms.  Where a branch holds, and
    those before it do not, their comparisons tell signs, by which conditions of pieces within are
    decided: what cannot hold there is left out.
    """
    found = spread(node)
    require(found is not None, "a node is no sum with a piece")
    assert found is not None
    return found


def spread(node: Node, known: Signs = ()) -> Node | None:
    """A sum as a piece of sums, where the `known` nodes are not negative, or positive."""
    terms = node.args if node.kind == "add" else (node,)
    for i, term in enumerate(terms if node.kind == "add" or known else ()):
        parts = factors_of(term)
        part = next((p for p in parts if branches(p) > 1), None)
        scaled = len(parts) == 1 or (len(parts) == 2 and parts[0].kind == "num")
        if part is None or not (scaled or branches(node) <= MOST_BRANCHES):
            continue
        piece = part if part.kind == "piece" else spread(part, known)
        if piece is None:
            continue
        sums: list[tuple[Node, Any]] = []
        for v, condition in piece.args if piece.kind == "piece" else ((piece, ALWAYS),):
            truth = decided(condition, known)
            if truth is False:
                continue
            zero = v.kind == "num" and v.args[0] == 0
            product = v if zero else mul(*(v if p is part else p for p in parts))
            total, inner = add(*terms[:i], product, *terms[i + 1:]), compared(condition, True)
            total = spread(total, (*known, *inner)) or total
            sums.append((total, ALWAYS if truth else condition))
            if truth:
                break
            known = (*known, *compared(condition, False))
        if sums:
            return sums[0][0] if sums[0][1] == ALWAYS else Node("piece", *sums)
    return None


def branches(node: Node) -> int:
    """How many branches a piece of sums may have, of a node without a piece 1."""
    if node.kind == "piece":
        return len(node.args)
    return prod(map(branches, node.args)) if node.kind in ("add", "mul") else 1


def decided(condition: Any, known: Signs) -> bool | None:
    """Whether a condition holds where these nodes are not negative, or positive; None where that
    does not tell."""
    for w, strict in comparison(condition):
        for v, positive in known:
            if same(v, w) and (positive or not strict):
                return True
            if same(v, minus(w)) and (positive or strict):
                return False
    return None


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with pieces in the place of the floors and sums that the step names, in this
    order."""
    step = record(given, "pieces", {"floors", "sums"})
    for name, form in (("floors", steps_of_waves), ("sums", sum_of_a_piece)):
        listed = isinstance(step[name], list) and len(step[name]) <= MAX_REWRITTEN
        require(listed, f"pieces.{name} is not a list", "format")
        for given_number in step[name]:
            tree = renewed(tree, whole(given_number, f"pieces.{name}", 1, 10**6), form)
    require(bool(step["floors"] or step["sums"]), "pieces names no node", "steps")
    return tree


REWRITINGS["pieces"] = rewritten
