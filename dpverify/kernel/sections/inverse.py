"""Inverse functions: atan with its complement pi/2 - atan, and Lambert's W."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ..intervals import D0, D1, NEAR, ONE, ZERO, Interval, add_up, hull
from ..reader import FUNCTIONS, Function
from ..rules import require, rule
from ..tree import (
    JOINED, NEVER_NEGATIVE, POSITIVE, Node, add, minus, mul, never_negative, num, power)
from .constants import PI
from .evaluation import LOGS, VALUES, Evaluation, log_of_value
from .models import Model
from .shapes import ANALYTIC, FALLING, ON_THE_LINE, RISING, factors_of
from .slopes import innermost, sides
from .smooth import Smooth, either, grows, order_of, points, remainder, tending, vanishes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF = Fraction(1, 2)
SPREAD = Interval(D0, Decimal("1.2"))


def power_series(w: Any) -> Any:
    """w times the sum of (-1)^k w^(2k)/(2k + 1), k < n, and theta times the next term."""
    n = order_of(w) // 2 + 1
    square, total = w * w, remainder(w) * Fraction((-1) ** n, 2 * n + 1)
    for k in range(n - 1, -1, -1):
        total = total * square + Fraction((-1) ** k, 2 * k + 1)
    return w * total


@rule("K122")
@lru_cache(20_000)
def atan_point(x: Decimal) -> Interval:
    """atan at a point.

    Lemma.  atan is odd; for x > 1 it is pi/2 - atan(1/x); atan x = 2 atan(x/(1 + sqrt(1 + x^2)));
    and atan w is the sum of (-1)^k w^(2k+1)/(2k+1), k < n, plus theta times the next term,
    0 <= theta <= 1, for every real w.
    """
    size = x.copy_abs()
    if size.is_infinite():
        return PI * (HALF if x > 0 else -HALF)
    at = Interval(size, size)
    angle = small_atan(at) if size <= 1 else PI * HALF - small_atan(at.inverse())
    return angle if x >= 0 else -angle


def small_atan(x: Interval) -> Interval:
    halvings = 0
    while x.hi > Decimal("0.1"):
        x, halvings = x * (ONE + (ONE + x * x).power(HALF)).inverse(), halvings + 1
    return power_series(x) * 2**halvings if x.hi else ZERO


class Arctangent(Smooth):
    """atan; its slope 1/(1 + x^2) is elementary, over any ring."""

    zeros: tuple[int, ...] = (0,)

    def value(self, x: Interval) -> Interval:
        """atan rises, from -pi/2 to pi/2."""
        return hull(atan_point(x.lo), atan_point(x.hi))

    def slope(self, x: Interval) -> Interval:
        """1/(1 + x^2), where x^2 is the square of an interval."""
        return (x.power(Fraction(2)) + 1).inverse()

    def slope_model(self, x: Model) -> Model:
        return (x * x + 1).inverse()

    def model(self, x: Model) -> Model:
        if grows(x) or vanishes(x):
            return atan_at_an_end(x)
        return super().model(x)

    def along(self, x: Any) -> Any:
        return x.along(self.value(x.c[0]), (x * x + 1).inverse())

    @rule("K124")
    def increment(self, u: Any, ahead: Any, du: Any) -> Any:
        """The increment of atan.

        Lemma.  Where 1 + u v > 0, atan v - atan u = atan((v - u)/(1 + u v)); otherwise it is the
        difference of the two.
        """
        below = u * ahead + 1
        if below.sign() == 1:
            return self.of(du * below.inverse())
        return self.of(ahead) - self.of(u)


@rule("K123")
def atan_at_an_end(x: Model) -> Model:
    """atan where x tends to 0, to oo or to -oo.

    Lemma.  atan w is its series with n terms, and theta times the next one (K122); for x > 0 it is
    pi/2 - atan(1/x), for x < 0 it is -pi/2 - atan(1/x).
    """
    if not grows(x):
        return power_series(x)
    sign = x.leading()[1].sign()
    require(sign in (1, -1), "a leading coefficient has no proved sign")
    return -power_series(x.inverse()) + PI * (HALF * (sign or 0))


@rule("K217")
def complement_point(x: Decimal) -> Interval:
    """pi/2 - atan x at a point, near to its own size.

    Lemma.  For x > 0 it is atan(1/x).
    """
    if x <= 1:
        return PI * HALF - atan_point(x)
    return ZERO if x.is_infinite() else small_atan(Interval(x, x).inverse())


class Complement(Arctangent):
    """pi/2 - atan, which is positive and falls from pi to 0; its slope is -1/(1 + x^2)."""

    zeros = ()

    def value(self, x: Interval) -> Interval:
        return hull(complement_point(x.lo), complement_point(x.hi))

    def slope(self, x: Interval) -> Interval:
        return -super().slope(x)

    def slope_model(self, x: Model) -> Model:
        return -super().slope_model(x)

    def model(self, x: Model) -> Model:
        return complement_at_an_end(x) if grows(x) or vanishes(x) else tending(self, x)

    def along(self, x: Any) -> Any:
        return x.along(self.value(x.c[0]), -(x * x + 1).inverse())

    @rule("K218")
    def increment(self, u: Any, ahead: Any, du: Any) -> Any:
        """The increment of pi/2 - atan.

        Lemma.  It is minus that of atan (K124) where 1 + u v > 0, otherwise the difference of the
        two.
        """
        below = u * ahead + 1
        if below.sign() == 1:
            return -ATAN.of(du * below.inverse())
        return self.of(ahead) - self.of(u)


@rule("K219")
def complement_at_an_end(x: Model) -> Model:
    """pi/2 - atan where x tends to 0, to oo or to -oo.

    Lemma.  For x > 0 it is atan(1/x), for x < 0 it is pi + atan(1/x), with the series of atan
    (K123).
    """
    if not grows(x):
        return -power_series(x) + PI * HALF
    sign = x.leading()[1].sign()
    require(sign in (1, -1), "a leading coefficient has no proved sign")
    return power_series(x.inverse()) + (PI if sign == -1 else 0)


@rule("K125")
@lru_cache(20_000)
def lambert_point(x: Decimal) -> Interval:
    """Lambert's W at a point.

    Lemma.  w e^w rises on [-1, oo), so that W(x) lies between a and b where -1 <= a <= b, a
    e^a <= x and x <= b e^b.  Such a and b are found beside the limit of Newton's steps, and
    checked; for x >= 0 near 0 they are x (1 - x) and x.
    """
    if not x:
        return ZERO
    if x > 0 and x.adjusted() <= -1000:
        at = Interval(x, x)
        return Interval((at * (ONE - at)).lo, x)
    near = x.is_finite() and abs(x.adjusted()) < 1000 and x > Decimal("-0.3678794411714423")
    require(near, "lambertw is taken too near -1/e, or too far out", "limits")
    w = NEAR.ln(NEAR.add(D1, x)) if x > 0 else D0
    for _ in range(200):
        e = NEAR.exp(w)
        miss = NEAR.subtract(NEAR.multiply(w, e), x)
        step = NEAR.divide(miss, NEAR.multiply(e, NEAR.add(w, D1)))
        w = NEAR.subtract(w, step)
        if step.copy_abs() <= w.copy_abs().scaleb(-54, NEAR):
            break
    reach = w.copy_abs().scaleb(-50, NEAR)
    low, high = (Interval(end, end) for end in (NEAR.subtract(w, reach), NEAR.add(w, reach)))
    encloses = low.lo >= -1 and (low * low.exp()).hi <= x <= (high * high.exp()).lo
    require(encloses, "lambertw is not known closely")
    return Interval(low.lo, high.hi)


class Lambert(Smooth):
    """W, the inverse of w e^w on [-1, oo); it rises, and W' falls."""

    zeros = (0,)
    rises_from = 0

    def value(self, x: Interval) -> Interval:
        low, high = points(x)
        return hull(lambert_point(low.lo), lambert_point(high.lo))

    @rule("K126")
    def slope(self, x: Interval) -> Interval:
        """The slope of Lambert's W.

        Lemma.  From W e^W = x follows W' = 1/(x + e^W), positive for W > -1; x and W rise, so W'
        falls.
        """
        ends = [(end + lambert_point(end.lo).exp()) for end in points(x)]
        return hull(*(end.inverse() for end in ends))

    @rule("K252")
    def bend(self, x: Interval) -> Interval:
        """The second derivative of Lambert's W.

        Lemma.  From W' = 1/(x + e^W) follows W'' = -W'^2 (1 + e^W W').
        """
        slope = self.slope(x)
        return -(slope * slope * (self.value(x).exp() * slope + 1))

    def along(self, x: Any) -> Any:
        """(x + e^W) W' = x', coefficient by coefficient."""
        found = [self.value(x.c[0])]
        powers = [found[0].exp()]
        under = (x.c[0] + powers[0]).inverse()
        for k in range(1, len(x.c)):
            known = [found[j] * (x.c[k - j] + powers[k - j]) * j for j in range(1, k)]
            found.append((x.c[k] * k - add_up([ZERO, *known])) * under * Fraction(1, k))
            terms = (found[j] * powers[k - j] * j for j in range(1, k + 1))
            powers.append(add_up(terms) * Fraction(1, k))
        return type(x)(found)

    def model(self, x: Model) -> Model:
        return lambert_far(x) if grows(x) else super().model(x)

    def large_slope(self, x: Model) -> Model:
        """W' = W/(x (1 + W)), from e^W = x/W."""
        w = lambert_far(x)
        return w * (x * (w + 1)).inverse()

    def increment(self, u: Any, ahead: Any, du: Any) -> Any:
        steep = isinstance(u, Model) and grows(u) and du.leading()[0] >= u.leading()[0]
        return lambert_ahead(u, ahead, du) if steep else None


@rule("K127")
def lambert_far(x: Model) -> Model:
    """Lambert's W far out.

    Lemma.  Where L = log x >= 1, W = L - log L + theta log(L)/L with 0 <= theta <= 1.2.
    """
    log = x.log()
    require(log.span().lo >= 1, "a model's radius is too small for lambertw")
    second = log.log()
    return log - second + second * log.inverse() * SPREAD


@rule("K517")
def lambert_ahead(u: Model, ahead: Model, du: Model) -> Model:
    """The increment of Lambert's W far out, where its argument grows by more than a small part.

    Lemma.  Let w = W(u) and v = W(u + du).  Then v - w = log(1 + du/u) x/(1 + x) for some x between
    w and v, and x/(1 + x) rises: it lies between w/(1 + w) and v/(1 + v).
    """
    here, there = (w * (w + 1).inverse() for w in map(lambert_far, (u, ahead)))
    return (du * u.inverse() + 1).log() * either(here, there)


ATAN, COMPLEMENT, LAMBERT = Arctangent(), Complement(), Lambert()
FUNCTION = {"atan": ATAN, "acot": COMPLEMENT, "lambertw": LAMBERT}


@rule("K128")
def read_inverse(kind: str, u: Node) -> Node:
    """atan and lambertw as they are read.

    Definition.  atan is the inverse of the tangent on (-pi/2, pi/2); W(x), for x >= -1/e, is the
    number w >= -1 with w e^w = x.  Its need is that x + 1/e is not negative.
    Lemma.  For v > 0 atan(1/v) = pi/2 - atan v, which is kept as one function (K220).
    """
    if kind == "atan" and is_reciprocal(u):
        return Node("acot", power(u, Fraction(-1)))
    return Node(kind, u)


def is_reciprocal(u: Node) -> bool:
    """Whether it is made of negative powers of what is positive by its form, and of positive
    numbers."""
    factors = factors_of(u)
    powers = [f for f in factors if f.kind == "pow" and f.args[1] < 0 and f.args[0].positive]
    others = [f for f in factors if f not in powers]
    return bool(powers) and all(f.kind in ("num", "pi") and f.positive for f in others)


@rule("K220")
def joined(parts: list[Node]) -> list[Node]:
    """The terms of a sum, an atan with its limit among them made one function.

    Lemma.  pi/2 - atan u is kept as one function acot u, which is positive, falls, and is analytic
    on the line; a pi^j atan u - (a/2) pi^(j+1) = -a pi^j acot u, and a pi^j atan u + (a/2)
    pi^(j+1) = a pi^j acot(-u), for every real u.
    """
    numbers = {multiple[:2]: i for i, part in enumerate(parts)
               if (multiple := multiple_of(part, None)) is not None}
    for i, part in enumerate(parts):
        multiple = multiple_of(part, "atan")
        if multiple is None:
            continue
        a, j, u = multiple
        for sign in (-1, 1):
            k = numbers.get((sign * a / 2, j + 1))
            if k is not None:
                one = Node("acot", u if sign < 0 else minus(u))
                scale = (num(sign * a), power(Node("pi"), j)) if j else (num(sign * a),)
                whole = mul(*scale, one)
                rest = [p for n, p in enumerate(parts) if n not in (i, k)]
                last = [p for p in rest if p.kind == "num"]
                return joined([*(p for p in rest if p.kind != "num"), whole, *last])
    return parts


def with_limits(parts: list[Node]) -> list[Node]:
    """The terms of a sum, joined where an atan is among their factors."""
    there = any(a.kind == "atan" for part in parts for a in factors_of(part))
    return joined(parts) if there else parts


def multiple_of(node: Node, kind: str | None) -> tuple[Fraction, Fraction, Any] | None:
    """(a, j, u) where the node is a pi^j F(u), F of that kind, or a pi^j for None."""
    a, j, u = Fraction(1), Fraction(0), None
    for part in factors_of(node):
        if part.kind == "num":
            a *= part.args[0]
        elif part.kind == "pi":
            j += 1
        elif part.kind == "pow" and part.args[0].kind == "pi":
            j += part.args[1]
        elif part.kind == kind and u is None:
            u = part.args[0]
        else:
            return None
    return (a, j, u) if (u is None) == (kind is None) else None


def value_of_inverse(at: Evaluation, node: Node) -> Any:
    return FUNCTION[node.kind].of(at.value(node.args[0]))


@rule("K129")
def log_of_lambert(at: Evaluation, node: Node) -> tuple[int, Any]:
    """The logarithm of Lambert's W of an exponential.

    Lemma.  W e^W = x with W of the sign of x, so that log W = log x - W where x > 0: what is linear
    in log x stays exact.
    """
    if not node.args[0].exponential:
        return log_of_value(at, node)
    sign, log = at.log(node.args[0])
    if sign != 1 or (at.on_model and grows(innermost(sides(at.value(node.args[0]))[0]))):
        return log_of_value(at, node)
    return 1, log - at.value(node)


FUNCTIONS.update({
    "atan": Function(lambda u: read_inverse("atan", u)),
    "lambertw": Function(lambda u: read_inverse("lambertw", u), needs="nonnegative",
                         of=lambda u: add(u, Node("exp", num(-1)))),
})
VALUES.update(dict.fromkeys(FUNCTION, value_of_inverse))
LOGS["lambertw"] = log_of_lambert
RISING.update({"atan", "lambertw"})
FALLING.add("acot")
POSITIVE.add("acot")
JOINED["atan"] = with_limits
ON_THE_LINE.update({"atan", "acot"})
ANALYTIC.add("lambertw")
NEVER_NEGATIVE.update({
    kind: lambda node: never_negative(node.args[0]) for kind in ("atan", "lambertw")})
