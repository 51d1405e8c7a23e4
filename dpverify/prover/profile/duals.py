"""log f and its slope at a radius, a ball of real or of complex numbers: what the integrals by nodes evaluate.

Of complex balls every logarithm and root keeps off its cut, so that what is found is analytic on the ball and real
at its real radii; where it would not, no finite number is found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from flint import acb, arb, ctx, fmpq

from dpverify.enclosures import Ball, Undecided
from dpverify.enclosures.evaluation import gamma
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.special import LOGARITHMIC, special
from dpverify.enclosures.special.base import Special
from dpverify.findings import Reason

Pair = tuple[Any, Any]
Dual = Callable[[Any], Pair]
"""From a ball to a function's value on it and its derivative's."""
NONE = arb(0)
UNKNOWN = acb(arb.nan())
WIDER = (1.25, 1.75, 2.5, 4.0)
"""By how much a rectangle is wider than the last, which is tried as one that slopes do not leave."""
R, LOG, SQUARE = 1, 0, 2
"""By what a derivative is taken: r, log r, r^2."""
_RIGHT_OF = {"loggamma": fmpq(0), "lambertw": fmpq(-1, 3)}
"""Right of where functions are analytic."""


def inverse(u: Any) -> Any:
    """1/u, about the middle, as quotients of complex balls are several times too wide."""
    if not isinstance(u, acb):
        return 1 / u
    middle = 1 / u.mid()
    return middle * (1 - (u - u.mid()) / u)


def _log(u: Any) -> Any:
    return u.log(analytic=True) if isinstance(u, acb) else u.log()


def _raised(u: Any, p: fmpq) -> Any:
    return (_log(u) * arb(p)).exp()


def value(node: Node, by: int = R) -> Dual:
    """A node and its derivative; Undecided for kinds that are not known here."""
    kind, args = node.kind, node.args
    if kind in ("num", "pi", "gamma"):
        constant = arb(args[0]) if kind == "num" else arb.pi() if kind == "pi" else gamma(args[0])
        return lambda r: (constant, 0)
    if kind == "r":
        return _radius(fmpq(1), by)
    if kind == "pow" and args[0].kind == "r":
        return _radius(args[1], by)
    if kind == "pow":
        usual, far = _power(value(args[0], by), args[1]), _power_beyond(args[0], args[1], by)
        return usual if far is None else _first_finite(far, usual)
    if kind == "add":
        return _folded([value(a, by) for a in args], _sum)
    if kind == "mul":
        if args[0].kind == "num":
            rest = args[1:]
            return _scaled(_folded([value(a, by) for a in rest], _product), arb(args[0].args[0]))
        return _folded([value(a, by) for a in args], _product)
    if kind == "log":
        return logarithm(args[0], by)
    if kind == "matern" or _has_riccati(node):
        return _exponential(logarithm(node, by))
    inner = value(args[0], by) if args and isinstance(args[0], Node) else None
    if kind == "exp" and inner:
        return _exponential(inner)
    if kind in ("sin", "cos") and inner:
        return _wave(_scaled(inner, arb.pi()) if args[1] else inner, kind)
    if kind == "erfc" and inner:
        return _erfc(inner)
    if kind in ("atan", "acot") and inner:
        return _arctangent(inner, kind)
    if kind in _RIGHT_OF and inner:
        return _cut_on_the_left(inner, kind)
    raise Undecided(Reason.NO_COMPLEX_ENCLOSURE(function=kind))


def logarithm(node: Node, by: int = R) -> Dual:
    """log of a node that is positive at real radii, from the logarithms of its factors, and its derivative."""
    kind, args = node.kind, node.args
    if kind == "exp":
        return value(args[0], by)
    if kind == "num" and args[0] > 0:
        constant = arb(args[0]).log()
        return lambda r: (constant, 0)
    if kind == "r":
        return lambda r: (_log(r), 1 if by == LOG else inverse(r) if by == R else inverse(r * r * 2))
    if kind == "matern":
        return _by_riccati(Matern(args[0]), value(args[1], by))
    if _has_riccati(node):
        return _by_riccati(special(kind, *args[:-1]), value(args[-1], by))
    if kind == "mul" and not (args[0].kind == "num" and args[0].args[0] < 0):
        return _folded([logarithm(a, by) for a in args], _sum)
    if kind == "pow" and (node.exponential or args[0].kind == "r" or args[1].q > 1 or int(args[1]) % 2):
        return _scaled(logarithm(args[0], by), arb(args[1]))
    if kind == "add" and node.exponential:
        return _first_finite(_log_of_sum([_signed(a, by) for a in args]), _log_of_value(node, by))
    if kind == "add" and len(args) == 2 and args[1].kind == "num" and by == LOG and _monomial(args[0]):
        return _log_beyond(logarithm(args[0], by), arb(args[1].args[0]))
    return _log_of_value(node, by)


def _has_riccati(node: Node) -> bool:
    """Whether a node is a function whose logarithm is known by the equation of its slope."""
    return node.kind in LOGARITHMIC and bool(special(node.kind, *node.args[:-1]).riccati)


def _log_of_value(node: Node, by: int) -> Dual:
    inner = value(node, by)

    def found(r: Any) -> Pair:
        u, slope = inner(r)
        return _log(u), slope * inverse(u)

    return found


def _first_finite(dual: Dual, other: Dual) -> Dual:
    """Two forms of one function: the second where nothing is known from the first."""

    def found(r: Any) -> Pair:
        pair = dual(r)
        return pair if pair[0].is_finite() and pair[1].is_finite() else other(r)

    return found


def _signed(node: Node, by: int) -> tuple[int, Dual]:
    """A term's sign, by its leading number, and the logarithm of its size."""
    if node.kind == "mul" and node.args[0].kind == "num" and node.args[0].args[0] < 0:
        size = arb(-node.args[0].args[0]).log()
        return -1, shifted(_folded([logarithm(a, by) for a in node.args[1:]], _sum), -size)
    if node.kind == "num" and node.args[0] < 0:
        size = arb(-node.args[0]).log()
        return -1, lambda r: (size, 0)
    return 1, logarithm(node, by)


def _radius(p: fmpq, by: int) -> Dual:
    """r^p."""
    if p == 1:
        return {R: lambda r: (r, 1), LOG: lambda r: (r, r), SQUARE: lambda r: (r, inverse(r * 2))}[by]
    lower, factor = p - by, arb(p if by < SQUARE else p / 2)

    def found(r: Any) -> Pair:
        power = _power_of(r, p)
        return power, (power if by == LOG else _power_of(r, lower)) * factor

    return found


def _power_of(u: Any, p: fmpq) -> Any:
    if p.q > 1:
        return _raised(u, p)
    return u ** int(p) if p >= 0 else inverse(u) ** int(-p)


def _monomial(node: Node) -> bool:
    """Whether a node is c r^p, c > 0."""
    if node.kind == "mul":
        return all(_monomial(a) for a in node.args)
    if node.kind == "num":
        return bool(node.args[0] > 0)
    return node.kind == "r" or (node.kind == "pow" and node.args[0].kind == "r")


def _as_power(monomial: Node) -> tuple[arb, fmpq]:
    """c and p."""
    if monomial.kind == "num":
        return arb(monomial.args[0]), fmpq(0)
    if monomial.kind == "mul":
        factors = [_as_power(a) for a in monomial.args]
        return reduce(lambda c, x: c * x[0], factors, arb(1)), sum((x[1] for x in factors), fmpq(0))
    return arb(1), fmpq(1) if monomial.kind == "r" else monomial.args[1]


def _scaled(inner: Dual, factor: arb) -> Dual:
    def found(r: Any) -> Pair:
        u, du = inner(r)
        return u * factor, du * factor

    return found


def _folded(parts: list[Dual], joined: Callable[[Pair, Pair], Pair]) -> Dual:
    """What comes of parts, joined one after the other; a part alone is itself."""
    return parts[0] if len(parts) == 1 else lambda r: reduce(joined, (part(r) for part in parts))


def _sum(one: Pair, other: Pair) -> Pair:
    return one[0] + other[0], one[1] + other[1]


def _product(one: Pair, other: Pair) -> Pair:
    (u, du), (v, dv) = one, other
    return u * v, v * du + u * dv


def _power(base: Dual, p: fmpq) -> Dual:
    if p.q == 1 and p > 0:
        n = int(p)

        def whole(r: Any) -> Pair:
            u, du = base(r)
            below = u ** (n - 1)
            return below * u, below * du * n

        return whole

    def found(r: Any) -> Pair:
        u, du = base(r)
        power = _power_of(u, p)
        return power, power * inverse(u) * du * arb(p)

    return found


def _exponential(inner: Dual) -> Dual:
    def found(r: Any) -> Pair:
        u, du = inner(r)
        grown = u.exp()
        return grown, grown * du

    return found


def _wave(inner: Dual, kind: str) -> Dual:
    def found(r: Any) -> Pair:
        u, du = inner(r)
        sine, cosine = u.sin_cos()
        return (sine, cosine * du) if kind == "sin" else (cosine, -sine * du)

    return found


def _erfc(inner: Dual) -> Dual:
    def found(r: Any) -> Pair:
        u, du = inner(r)
        return u.erfc(), -2 * du * (-(u * u)).exp() / arb.pi().sqrt()

    return found


def _arctangent(inner: Dual, kind: str) -> Dual:
    """By two logarithms on complex balls, as these keep off their cuts."""

    def found(r: Any) -> Pair:
        u, du = inner(r)
        if isinstance(u, acb):
            turned = u * acb(0, 1)
            angle = (_log(turned + 1) - _log(1 - turned)) * acb(0, fmpq(-1, 2))
        else:
            angle = u.atan()
        slope = du * inverse(u * u + 1)
        return (angle, slope) if kind == "atan" else (arb.pi() / 2 - angle, -slope)

    return found


def _cut_on_the_left(inner: Dual, kind: str) -> Dual:
    """A function that is analytic right of a real number, on balls that lie there."""

    def found(r: Any) -> Pair:
        u, du = inner(r)
        if not (u.real if isinstance(u, acb) else u) > arb(_RIGHT_OF[kind]):
            return UNKNOWN, UNKNOWN
        if kind == "loggamma":
            return u.lgamma(), u.digamma() * du
        w = u.lambertw()
        return w, (-w).exp() * inverse(w + 1) * du

    return found


def _log_of_sum(terms: list[tuple[int, Dual]]) -> Dual:
    """log(e^L + e^M - e^N ...) = L + log(1 + e^(M - L) - e^(N - L) ...), L the largest."""
    signs = [sign for sign, _ in terms]

    def found(r: Any) -> Pair:
        pairs = [log(r) for _, log in terms]
        largest = max(range(len(pairs)), key=lambda k: float(pairs[k][0].real.mid()))
        top, slope = pairs[largest]
        whole, change = signs[largest], 0
        for k, (u, du) in enumerate(pairs):
            if k != largest:
                part = (u - top).exp() * signs[k]
                whole, change = part + whole, part * (du - slope) + change
        return top + _log(whole), slope + change * inverse(whole)

    return found


def _log_beyond(inner: Dual, constant: arb) -> Dual:
    """log(c + e^L), whose slope is that of L over 1 + c e^-L: exact for powers by the logarithm of r."""

    def found(r: Any) -> Pair:
        u, du = inner(r)
        grown = u.exp()
        return _log(grown + constant), du * inverse(constant * inverse(grown) + 1)

    return found


def _power_beyond(base: Node, p: fmpq, by: int) -> Dual | None:
    """(k r^q + c)^p where k r^q is the larger part: the slope of (k r^q)^p times (1 + c/(k r^q))^(p-1), so that
    what is almost a power of r has a slope that is almost known; None where the base is no such sum."""
    if base.kind != "add" or len(base.args) != 2 or base.args[1].kind != "num" or not _monomial(base.args[0]):
        return None
    (k, q), constant, whole = _as_power(base.args[0]), arb(base.args[1].args[0]), value(base, by)
    power, slope, factor = _radius(q, by), _radius(p * q, by), _raised(k, p)

    def found(r: Any) -> Pair:
        part = constant * inverse(power(r)[0] * k)
        if not abs(part) < 1:
            return UNKNOWN, UNKNOWN
        return _power_of(whole(r)[0], p), slope(r)[1] * factor * _raised(part + 1, p - 1)

    return found


class Matern(Special):
    """log x^p K_p(x), p >= 0, whose slope is -K_(p-1)/K_p (DLMF 10.36)."""

    def __init__(self, p: fmpq) -> None:
        self.p, self.riccati = p, (fmpq(1), fmpq(0), fmpq(0), 2 * p - 1)

    def value(self, x: Ball) -> Ball:
        return x.log_matern(self.p)

    def slope(self, x: Ball) -> Ball:
        return -x.besselk_ratio(self.p)


def _by_riccati(function: Special, inner: Dual) -> Dual:
    """F at real x, and on complex balls right of 0 from there: where v + (z - c) (a + b/z + (c + e/z) s - s^2), v the
    slope at the middle c, lies inside of a rectangle for all s of it and z of the ball, the slope lies there (it could
    not leave on the way from c), so that F is analytic on the ball, by its convexity."""
    a, b, c, e = map(arb, function.riccati)

    def found(r: Any) -> Pair:
        x, dx = inner(r)
        if not (x.real if isinstance(x, acb) else x) > 0:
            return UNKNOWN, UNKNOWN
        if not isinstance(x, acb):
            ball = Ball(x)
            return function.value(ball).x, function.slope(ball).x * dx
        middle = Ball(x.real.mid())
        at, off, far = function.slope(middle).x, x - middle.x, inverse(x)

        def moved(s: Any) -> acb:
            return off * (far * b + (far * e + c - s) * s + a) + at

        box, little = moved(acb(at)), abs(at) * arb(2) ** (8 - ctx.prec) + at.rad() * 2
        for part in WIDER:
            wide = acb(*(arb(y.mid(), (y.rad() * part + little).upper()) for y in (box.real.union(at), box.imag)))
            box = moved(wide)
            if wide.contains_interior(box):
                box = moved(box)
                return box * off + function.value(middle).x, box * dx
            if not box.is_finite():
                break
        return UNKNOWN, UNKNOWN

    return found


def shifted(dual: Dual, constant: arb) -> Dual:
    """The same less a constant."""

    def found(r: Any) -> Pair:
        u, du = dual(r)
        return u - constant, du + NONE

    return found
