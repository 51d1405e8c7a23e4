"""Logarithms of what vanishes with a part of it, as sin(exp(-r)) does with exp(-r), on panels."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise

from ..intervals import ONE, UP, ZERO, Interval, hull, interval
from ..rules import LEDGER, rule
from ..tree import Node, power, same, walk
from .evaluation import CLOSER, SUMS, Evaluation
from .jets import WIDE, Series
from .optional import may_use
from .slopes import Slope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

AT_ZERO: dict[tuple[str, Fraction | int], Fraction] = {
    ("exp", 0): Fraction(1), ("log", 1): Fraction(0), ("sin", 0): Fraction(0),
    ("cos", 0): Fraction(1), ("atan", 0): Fraction(0)}
"""What functions are, exactly, by where they are so."""
SMALL, SMALLER = Decimal("0.5"), Decimal("0.015625")
"""How large a part may be on a panel, and about a point, where the recurrence forgets little."""
ORDER = 12
"""To which one F is expanded on a box."""
PARTS, MOST_NODES = 8, 200
"""On how many parts of [0, c] F is looked at, each alone; and how large a tree it may be."""
POSITIVE_OF = {"log", "pow"}
"""Kinds whose argument must be positive, but for powers 1, 2, 3, ..."""


def by_its_part(at: Evaluation, node: Node) -> tuple[int, Any] | None:
    """The logarithm of what vanishes with a small part, along a series, or on a box where its
    value has no sign; of anything else None."""
    known = type(at.r) in (Series, Slope, Interval) and type(first(at.r)) is Interval
    parts = vanishing(node) if known and may_use("K564") else None
    if parts is None or (type(at.r) is not Series and at.value(node).sign() is not None):
        return None
    function, part = parts
    w, r = at.value(part), first(at.r)
    most = SMALL if UP.multiply(r.lo, WIDE) < r.hi else SMALLER
    if first(w).hi > most:
        return None
    rate = over(function, w)
    return (1, at.log(part)[1] + rate.log()) if first(rate).lo > 0 else None


def first(element: Any) -> Interval:
    """The values of a series, or of a pair of them and their slopes."""
    return element.u if isinstance(element, Slope) else element  # type: ignore[no-any-return]


@rule("K564")
def over(function: Node, w: Any) -> Any:
    """F(w)/w along a series w, or on a box, for F with F(0) = 0, analytic on [0, c], 0 < w <= c.

    Lemma.  G(z) = F(z)/z is the integral of F'(t z) over 0 < t < 1.  So G is analytic on [0, c],
    and its k-th coefficient about z is the integral of (k + 1) t^k F_(k+1)(t z), F_(k+1) being
    the (k+1)-th coefficient of F about t z: F_(k+1)(0) at 0, and elsewhere a mean of such about
    points of [0, c].  By Taylor's theorem the j-th about w is the sum over k < n of binomial(k, j)
    F_(k+1)(0) w^(k-j), and binomial(n, j) w^(n-j) times a mean of F_(n+1).  Horner's rule over
    intervals encloses G(w) so, as each product in it has a mean of its own; and the slopes of G(w)
    are means of G'(w) times those of w.  And log F(w) = log w
    + log G(w) where G(w) > 0.
    """
    order = len(w.c) if isinstance(w, Series) else ORDER
    *rates, last = coefficients(function, order, halvings(first(w).hi))
    total = w.const(last)
    for c in reversed(rates):
        total = total * w + c
    return total


def halvings(most: Decimal) -> int:
    """The largest k up to 40 with most <= 2^-k, for most <= 1."""
    return sum(most <= Fraction(1, 2**k) for k in range(1, 41))


def coefficients(function: Node, n: int, k: int) -> list[Interval]:
    """F_1(0) to F_n(0), and what F_(n+1) is on [0, 2^-k]; in one replay found once."""
    ledger = LEDGER.get(None)
    known = {} if ledger is None else ledger.known
    key = function, n, k
    if key not in known:
        ends = [interval(Fraction(i, PARTS * 2**k)) for i in range(PARTS + 1)]
        places = ZERO, *(hull(*pair) for pair in pairwise(ends))
        at_0, *about = (
            Evaluation(Series([x, ONE, *[ZERO] * n])).value(function).c for x in places)
        known[key] = [*at_0[1:-1], reduce(hull, [c[-1] for c in about])]
    return known[key]


@lru_cache(maxsize=1_000)
def vanishing(node: Node) -> tuple[Node, Node] | None:
    """F and w where the node is F(w), F(0) = 0, r being in the positive w alone; in F, w is r."""
    if node.kind == "acot" and node.args[0].positive:
        node = Node("atan", power(node.args[0], Fraction(-1)))
    if node.positive or node.size > MOST_NODES:
        return None
    for part in small_parts(node):
        function = in_part(node, part)
        if function is not None and at_zero(function) == 0:
            return function, part
    return None


def small_parts(node: Node) -> Iterator[Node]:
    """Exponentials and negative powers with r in them, the outermost first."""
    for part in reversed(walk(node)):
        small = part.kind == "exp" or (part.kind == "pow" and part.args[1] < 0)
        if small and part.positive and any(x.kind == "r" for x in walk(part)):
            yield part


def in_part(node: Node, part: Node) -> Node | None:
    """The node with r in the place of the part; None where r is left beside it."""
    if same(node, part):
        return Node("r")
    if node.kind == "r":
        return None
    found = [in_part(a, part) if isinstance(a, Node) else a for a in node.args]
    elsewhere = any(a is None or isinstance(a, tuple) for a in found)
    return None if elsewhere else Node(node.kind, *found)


def at_zero(node: Node) -> Fraction | None:
    """The value at r = 0 of what is analytic from there on by its form, where that is exact."""
    kind, args = node.kind, node.args
    if kind in ("num", "r"):
        return args[0] if kind == "num" else Fraction(0)  # type: ignore[no-any-return]
    values = [at_zero(a) for a in args if isinstance(a, Node)]
    if not values or None in values:
        return None
    first: Fraction = values[0]  # type: ignore[assignment]
    whole = kind == "pow" and args[1] > 0 and args[1].denominator == 1
    if kind in POSITIVE_OF and not whole and not (args[0].positive and first):
        return None
    if kind == "pow":
        return first if first == 1 else first ** int(args[1]) if args[1].denominator == 1 else None
    if kind == "add":
        return sum(values, Fraction(0))  # type: ignore[arg-type,type-var]
    if kind == "mul":
        total = Fraction(1)
        for x in values:
            total *= x  # type: ignore[operator]
        return total
    return AT_ZERO.get((kind, first))


CLOSER.append(by_its_part)
SUMS.append(by_its_part)
