"""erfc far out, with the square of its argument as the text has it: (r/sqrt(2))^2 = r^2/2."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from ..intervals import SIGNED_UNIT, UNIT
from ..rules import require, rule
from ..tree import Node, add, mul, num, power
from .constants import PI
from .erfc import HALF, erfc_series
from .increments import Shift
from .models import CONSTANT, Model
from .shapes import factors_of
from .short import far_ahead
from .slopes import Slope
from .ways import FURTHER_WAYS, TWO_WAYS, EitherWay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K364")
def by_its_square(at: EitherWay, node: Node) -> Any:
    """log erfc(u) far out, as -u^2 and what is left.

    Lemma.  u^2 is the sum of the squares of u's terms and of twice the products of two; the square
    of a product is that of its factors, and (a^p)^2 = a^(2p) for positive a.  log erfc(u) + u^2 =
    -log u - log(pi)/2 + log S(u), S being the series of K88, has the slope 2 u u' (1 - 1/S(u)).
    """
    u = at.value(node.args[0])
    return -at.value(squared(node.args[0])) + left(u)


@lru_cache(maxsize=1_000)
def squared(u: Node) -> Node:
    """The square of a node, multiplied out."""
    terms = u.args if u.kind == "add" else (u,)
    squares = (mul(*(power(f, Fraction(2)) for f in factors_of(t))) for t in terms)
    return add(*squares, *(mul(num(2), a, b) for a, b in combinations(terms, 2)))


def left(u: Any) -> Any:
    """log erfc(u) + u^2."""
    if isinstance(u, Shift):
        require(far_ahead(u), "the argument of erfc is not shown to grow")
        return rest(u, u.u.germ.order, Shift(u.u.const(UNIT), u.u.const(SIGNED_UNIT)))
    if type(u) is Slope:
        found, x = left(u.u), u.u
        series = erfc_series(x, x.germ.order, x.const(UNIT))
        return Slope(found, u.du * x * (-series.inverse() + 1) * 2)
    require(isinstance(u, Model), "erfc is taken by its square far out alone")
    lead, c = u.leading()
    require(lead > CONSTANT and c.lo > 0, "the argument of erfc is not shown to grow")
    return rest(u, u.germ.order, u.const(UNIT))


def rest(x: Any, order: int, theta: Any) -> Any:
    return -x.log() + erfc_series(x, order, theta).log() - PI.log() * HALF


SQUARED = {"erfc": by_its_square}
TWO_WAYS.update(dict.fromkeys(SQUARED, "square"))
FURTHER_WAYS.update(SQUARED)
