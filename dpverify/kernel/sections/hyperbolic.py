"""Functions that are others in short."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ..reader import FUNCTIONS, Function
from ..rules import rule
from ..tree import Node, add, minus, mul, num, power

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def mean(u: Node, sign: int) -> Node:
    other = Node("exp", minus(u))
    return mul(num(Fraction(1, 2)), add(Node("exp", u), other if sign > 0 else minus(other)))


def tangent(u: Node) -> Node:
    below = add(num(1), Node("exp", mul(num(2), u)))
    return add(num(1), mul(num(-2), power(below, Fraction(-1))))


def area(u: Node, sign: int) -> Node:
    root = power(add(power(u, Fraction(2)), num(sign)), Fraction(1, 2))
    return Node("log", add(u, root))


def one_more(u: Node) -> Node:
    return add(num(1), u)


SHORT: dict[str, Callable[[Node], Node]] = {
    "sinh": lambda u: mean(u, -1),
    "cosh": lambda u: mean(u, 1),
    "tanh": tangent,
    "asinh": lambda u: area(u, 1),
    "acosh": lambda u: area(u, -1),
    "log1p": lambda u: Node("log", one_more(u)),
    "expm1": lambda u: add(Node("exp", u), num(-1)),
}


@rule("K35")
def in_full(name: str, u: Node) -> Node:
    """A function that is others in short.

    Definition.  sinh u = (e^u - e^-u)/2, cosh u = (e^u + e^-u)/2, tanh u = 1 - 2/(1 + e^(2u)),
    asinh u = log(u + sqrt(u^2 + 1)), acosh u = log(u + sqrt(u^2 - 1)) for u >= 1,
    log1p u = log(1 + u) and expm1 u = e^u - 1.
    """
    return SHORT[name](u)


FUNCTIONS.update({
    **{name: Function(partial(in_full, name)) for name in SHORT},
    "acosh": Function(partial(in_full, "acosh"), needs="nonnegative",
                      of=lambda u: add(u, num(-1))),
    "log1p": Function(partial(in_full, "log1p"), needs="positive", of=one_more),
})
