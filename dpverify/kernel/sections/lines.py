"""Lines: arguments k r + c of a wave, k and c known exactly as sums of q sqrt(n) pi^k."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from ..intervals import ZERO, Interval, add_up, interval
from ..rules import Rejected, require, rule
from ..tree import MAX_BITS, Node, length
from .constants import PI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Form: TypeAlias = dict[tuple[int, int], Fraction]
    Polynomial = dict[tuple[int, int, int], Fraction]

LARGEST, HIGHEST, MOST_PAIRS, HIGHEST_ROOT = 10**9, 4, 400, Fraction(199, 2)


@rule("K186")
def line(node: Node, turns: bool = False) -> tuple[Form, Form]:
    """The speed and the constant of a wave's phase.

    Lemma.  Sums, products and small powers of numbers, of roots of rationals, of pi and of r are
    multiplied out exactly; sqrt(p/q) = sqrt(p q)/q, and sqrt(m^2 n) = m sqrt(n).  In (half) turns
    the phase of a sine or cosine is its argument over pi, and that of a floor twice its argument.
    """
    terms = polynomial(node.args[0])
    require(all(power in (0, 1) for power, _, _ in terms), "a wave's phase is not a line")
    jumps = node.kind == "floor"
    turn = 0 if jumps else (1 if node.args[1] else 0) - turns
    slope, constant = ({(n, k + turn): 2 * q if jumps else q
                        for (p, n, k), q in terms.items() if p == power} for power in (1, 0))
    return slope, constant


def polynomial(node: Node) -> Polynomial:
    """The node as a sum of q r^p sqrt(n) pi^k, by (p, n, k)."""
    if node.kind == "num":
        return {(0, 1, 0): node.args[0]} if node.args[0] else {}
    if node.kind in ("r", "pi"):
        return {(1, 1, 0) if node.kind == "r" else (0, 1, 1): Fraction(1)}
    if node.kind == "add":
        return gathered(item for part in node.args for item in polynomial(part).items())
    if node.kind == "mul":
        total: Polynomial = {(0, 1, 0): Fraction(1)}
        for part in node.args:
            total = product(total, polynomial(part))
        return total
    if node.kind == "pow":
        return power_of(*node.args)
    raise Rejected("a wave's phase is not a line")


def gathered(items: object) -> Polynomial:
    total: Polynomial = {}
    for key, q in items:  # type: ignore[attr-defined]
        total[key] = total.get(key, Fraction(0)) + q
    short = all(length(q) <= MAX_BITS for q in total.values())
    require(short, "a wave's phase has too long a number", "limits")
    return {key: q for key, q in total.items() if q}


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    short = len(a) * len(b) <= MOST_PAIRS
    require(short, "a wave's phase is a product of too many terms", "limits")
    found = []
    for (p, n, k), x in a.items():
        for (s, m, j), y in b.items():
            square, free = squarefree(n * m)
            found.append(((p + s, free, k + j), x * y * square))
    return gathered(found)


def power_of(base: Node, p: Fraction) -> Polynomial:
    if base.kind == "pi" and p.denominator == 1 and abs(p) <= 100:
        return {(0, 1, int(p)): Fraction(1)}
    if base.kind == "num" and p.denominator == 2 and base.args[0] > 0:
        x = base.args[0]
        require(abs(p) <= HIGHEST_ROOT, "a root in a wave's phase has too high a power", "limits")
        square, free = squarefree(x.numerator * x.denominator)
        return {(0, free, 0): Fraction(square, x.denominator) * x ** int(p - Fraction(1, 2))}
    require(p.denominator == 1 and 0 < p <= HIGHEST, "a wave's phase is not a line")
    factor, total = polynomial(base), polynomial(base)
    for _ in range(int(p) - 1):
        total = product(total, factor)
    return total


@lru_cache(2_000)
def squarefree(n: int) -> tuple[int, int]:
    """s and the squarefree m with n = s^2 m."""
    require(n <= LARGEST, "a root in a wave's phase is too large")
    square, free, d = 1, n, 2
    while d * d <= free:
        while free % (d * d) == 0:
            square, free = square * d, free // (d * d)
        d += 1
    return square, free


def is_squarefree(n: int) -> bool:
    return squarefree(n) == (1, n)


def value_of_form(form: Form) -> Interval:
    """The number that a form stands for."""
    return add_up([ZERO, *(term(n, k, q) for (n, k), q in form.items())])


def term(n: int, k: int, q: Fraction) -> Interval:
    root = interval(isqrt(n)) if isqrt(n) ** 2 == n else interval(n).power(Fraction(1, 2))
    return root * PI.power(Fraction(k)) * q if k else root * q
