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

exp, log, HALF = partial(Node, "exp"), partial(Node, "log"), Fraction(1, 2)


def inverse(u: Node) -> Node:
    return power(u, Fraction(-1))


def area(u: Node, sign: int) -> Node:
    return log(add(u, power(add(power(u, Fraction(2)), num(sign)), HALF)))


SHORT: dict[str, Callable[[Node], Node]] = {
    "sinh": lambda u: mul(num(HALF), add(exp(u), minus(exp(minus(u))))),
    "cosh": lambda u: mul(num(HALF), add(exp(u), exp(minus(u)))),
    "tanh": lambda u: add(num(1), mul(num(-2), inverse(add(num(1), exp(mul(num(2), u)))))),
    "asinh": lambda u: area(u, 1),
    "acosh": lambda u: area(u, -1),
    "log1p": lambda u: log(add(num(1), u)),
    "expm1": lambda u: add(exp(u), num(-1)),
    "sech": lambda u: inverse(SHORT["cosh"](u)),
    "csch": lambda u: inverse(SHORT["sinh"](u)),
    "coth": lambda u: inverse(SHORT["tanh"](u)),
}
NEEDS = {"acosh": ("nonnegative", -1), "log1p": ("positive", 1), "csch": ("nonzero", 0),
         "coth": ("nonzero", 0)}
"""What is asked of u and a number in sum; of the others nothing."""


@rule("K35")
def in_full(name: str, u: Node) -> Node:
    """A function that is others in short.

    Definition.  sinh u = (e^u - e^-u)/2, cosh u = (e^u + e^-u)/2, tanh u = 1 - 2/(1 + e^(2u)),
    asinh u = log(u + sqrt(u^2 + 1)), acosh u = log(u + sqrt(u^2 - 1)) for u >= 1,
    log1p u = log(1 + u) and expm1 u = e^u - 1; sech u = 1/cosh u, and, for u not 0, csch u =
    1/sinh u and coth u = 1/tanh u.
    """
    return SHORT[name](u)


for name in SHORT:
    need, more = NEEDS.get(name, ("", 0))
    of = partial(add, num(more))
    FUNCTIONS[name] = Function(partial(in_full, name), needs=need, of=of)
