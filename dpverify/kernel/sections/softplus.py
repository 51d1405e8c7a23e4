"""log(1 + e^t) as a factor of f: its logarithm is t, and what is left of it where e^t is small."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import SIGNED_UNIT, UNIT, Interval, add_up, hull, meet
from ..rules import require, rule
from ..tree import EXPONENTIAL, POSITIVE, Node, add, minus, num
from .algebra import each_renewed
from .charts import REWRITINGS
from .evaluation import LOGS, VALUES, Evaluation
from .exponentials import logistic, softplus_point
from .models import Model
from .shapes import ON_THE_LINE, RISING
from .smooth import Smooth, grows, points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF = Fraction(1, 2)
SMALL = Decimal(-24)


@rule("K271")
def as_softplus(node: Node) -> Node:
    """log(1 + v) for positive v, as a function of log v.

    Lemma.  Where v > 0, v = e^t with t = log v, and log(1 + v) = log(1 + e^t) > 0.
    """
    sum_of = node.args[0] if node.kind == "log" else None
    fits = sum_of is not None and sum_of.kind == "add" and [
        a.args[0] for a in sum_of.args if a.kind == "num"] == [1]
    require(fits, "a node is no logarithm of 1 and something else")
    assert sum_of is not None
    rest = add(*(a for a in sum_of.args if a.kind != "num"))
    if minus(rest).positive:
        return of_less_than_one(minus(rest))
    require(rest.positive, "what is added to 1 is not positive by its form")
    return Node("softplus", Node("log", rest))


@rule("K443")
def of_less_than_one(v: Node) -> Node:
    """log(1 - v) for positive v, as minus a function of log v - log(1 - v).

    Lemma.  Where log(1 - v) has a value, 1 - v > 0, and -log(1 - v) = log(1 + w) with
    w = v/(1 - v) > 0 (K271).
    """
    t = add(Node("log", v), minus(Node("log", add(num(1), minus(v)))))
    return minus(Node("softplus", t))


class Shortfall(Smooth):
    """k(t) = log(log(1 + e^t)/e^t), of which nothing is said where t tends to oo."""

    def value(self, x: Interval) -> Interval:
        low, high = points(x)
        return hull(shortfall(low), shortfall(high))

    def slope(self, x: Interval) -> Interval:
        low, high = points(x)
        return hull(slope_of_shortfall(low), slope_of_shortfall(high))

    @staticmethod
    @rule("K275")
    def bend(x: Interval) -> Interval:
        """k'' on an interval.

        Lemma.  With s = w/(1 + w) and l = 1 + k' = s/log(1 + w), the derivative of l is l
        (1 - s - l); and l lies between 1 - s and 1 (K273), so that it lies between -1 and 0.
        """
        low, high = points(x)
        l = SHORTFALL.slope(x) + 1  # noqa: E741  the letter of the lemma
        found = l * (-(hull(logistic(low, 1), logistic(high, 1)) + l) + 1)
        return meet(found, -UNIT)

    @rule("K290")
    def along(self, x: Any) -> Any:
        """k along a power series.

        Lemma.  k(t)' = (1/((1 + w) e^k) - 1) t', w = e^t; and (e^-k)' = -k' e^-k, coefficient by
        coefficient.
        """
        under, found, rates = (x.exp() + 1).inverse().c, [self.value(x.c[0])], list[Interval]()
        powers = [(-found[0]).exp()]
        for n in range(1, len(x.c)):
            rate = add_up(under[i] * powers[n - 1 - i] for i in range(n))
            rates.append(rate + (-1 if n == 1 else 0))
            rises = (x.c[j] * rates[n - j] * j for j in range(1, n + 1))
            found.append(add_up(rises) * Fraction(1, n))
            falls = (found[j] * powers[n - j] * j for j in range(1, n + 1))
            powers.append(add_up(falls) * Fraction(-1, n))
        return type(x)(found)

    def model(self, x: Model) -> Model:
        return vanishing_shortfall(x) if falls_away(x) else super().model(x)

    def slope_model(self, x: Model) -> Model:
        return vanishing_shortfall(x) if falls_away(x) else super().slope_model(x)


@rule("K272")
def shortfall(t: Interval) -> Interval:
    """k(t) = log(log(1 + e^t)/e^t) at a point.

    Lemma.  k falls: its slope is below 0, since w/(1 + w) < log(1 + w).  With w = e^t < 1/2,
    1 - w/2 <= log(1 + w)/w <= 1 - w/2 + w^2/3, so that k lies between -w/2 - w^2/4 and
    -w/2 + w^2/3.
    """
    if t.lo < SMALL:
        w = t.exp()
        return w * -HALF + w * w * SIGNED_UNIT * HALF
    return softplus_point(t.lo, 1).log() - t


@rule("K273")
def slope_of_shortfall(t: Interval) -> Interval:
    """k'(t) = w/((1 + w) log(1 + w)) - 1, w = e^t, at a point.

    Lemma.  It falls, since log(1 + w) <= w.  For w < 1/2, w + w^2/2 - w^3/6 <= (1 + w)
    log(1 + w) <= w + w^2/2, so that it lies between -w/2 and -w/2 + w^2/2.
    """
    if t.lo < SMALL:
        w = t.exp()
        return w * -HALF + w * w * UNIT * HALF
    return logistic(t, 1) * softplus_point(t.lo, 1).inverse() - Interval(Decimal(1), Decimal(1))


def falls_away(x: Model) -> bool:
    return grows(x) and x.leading()[1].hi < 0


@rule("K274")
def vanishing_shortfall(x: Model) -> Model:
    """k and k' far out, where t tends to -oo.

    Lemma.  For w = e^t > 0, log(1 + w) >= w e^(-w/2), since 1/(1 + w) >= e^(-w/2) (1 - w/2); so
    -w/2 <= k <= 0.  And (1 + w) log(1 + w) <= w + w^2/2, so that k' >= 1/(1 + w/2) - 1 >= -w/2; and
    k' <= 0.
    """
    return x.exp() * -HALF * UNIT


SHORTFALL = Shortfall()


def log_of_softplus(at: Evaluation, node: Node) -> tuple[int, Any]:
    t = at.value(node.args[0])
    return 1, t + SHORTFALL.of(t)


def rewritten(tree: Node, given: Any) -> Node:
    """The tree with the logarithms of these numbers as functions of a logarithm."""
    return each_renewed(tree, given, "softplus", as_softplus)


REWRITINGS["softplus"] = rewritten
VALUES["softplus"] = lambda at, node: at.log(node)[1].exp()
LOGS["softplus"] = log_of_softplus
RISING.add("softplus")
POSITIVE.add("softplus")
EXPONENTIAL.add("softplus")
ON_THE_LINE.add("softplus")
