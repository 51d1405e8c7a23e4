"""Truncated power series over balls: a function on a panel [m - h, m + h] as a Taylor polynomial with a remainder.

A panel's variable is x in [-1, 1], r = m + h x.  Whatever is evaluated twice, at the series of x around 0 and
around the whole of [-1, 1], has as its Taylor polynomial the first coefficients of the one, and as its remainder
the last coefficient of the other (Lagrange).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, arb_poly, arb_series, ctx, fmpq

from dpverify.enclosures import Ball, Undecided, exact
from dpverify.enclosures.ball import scaled_besselk
from dpverify.enclosures.evaluation import gamma
from dpverify.enclosures.nodes import Node
from dpverify.enclosures.special import LOGARITHMIC, Special, special
from dpverify.enclosures.special.softplus import SHORTFALL
from dpverify.enclosures.vanishing import SMALL, SMALLER, Vanishing, is_wide, over_part, vanishing
from dpverify.findings import Part, Reason
from dpverify.prover.profile.majorants import log_within, power_within, squared

UNIT, SQUARE = arb(0, 1), arb(0.5, 0.5)
POINT = 2.0**-60
"""How wide beside its middle a ball may be that counts as a point."""


class Taylor:
    """A function on a panel: its coefficients in x below `order`, and the last one, an enclosure of the remainder's."""

    __slots__ = ("coefficients",)

    def __init__(self, coefficients: Sequence[arb]) -> None:
        self.coefficients = coefficients

    @classmethod
    def of(cls, middle: arb_series, whole: arb_series, order: int) -> Taylor:
        return cls([*(middle[k] for k in range(order)), whole[order]])

    def integral(self) -> arb:
        """The integral over x in [-1, 1]; the order is even, so that the remainder keeps its sign."""
        total = arb(0)
        for k in range(0, len(self.coefficients), 2):
            total = total + self.coefficients[k] * 2 / (k + 1)
        return total

    def span(self) -> arb:
        """Every value on the panel, with the linear part's slope kept: the ends count where the rest is small."""
        return _polynomial_span(self.coefficients)

    def extent(self) -> tuple[arb, arb]:
        """Between which values it lies: the span's ends, or what divided differences at the ends say, where that is
        less.  A ball of both would blur them by a part of its radius."""
        *known, last = self.coefficients
        n, size, zero = len(known), UNIT * last.abs_upper(), arb(0)
        slopes = {end: _divided(known, end) for end in (-1, 1)}
        ends = {end: sum((c * end**k for k, c in enumerate(self.coefficients)), zero) for end in slopes}
        bent = _polynomial_span(_divided(slopes[1], -1)) + size * arb(n * (n - 1)) / 2
        lows = [self.span().lower(), ends[-1].min(ends[1]).lower() - bent.upper().max(zero)]
        highs = [self.span().upper(), ends[-1].max(ends[1]).upper() - bent.lower().min(zero)]
        for end, slope in slopes.items():
            away = -2 * end * (_polynomial_span(slope) + size * n)
            lows.append(ends[end].lower() + away.lower().min(zero))
            highs.append(ends[end].upper() + away.upper().max(zero))
        low, high = lows[0], highs[0]
        for x, y in zip(lows[1:], highs[1:], strict=True):
            low, high = low.max(x).lower(), high.min(y).upper()
        return low, high

    def most(self) -> arb:
        return self.span().abs_upper()


def _divided(c: Sequence[arb], end: int) -> list[arb]:
    """The divided difference of a polynomial from an end of [-1, 1] to x."""
    found = [arb(0)]
    for x in reversed(c[1:]):
        found.append(x + found[-1] * end)
    return found[:0:-1] or [arb(0)]


def _polynomial_span(c: Sequence[arb]) -> arb:
    """The values of a polynomial on [-1, 1]."""
    return sum((x * (UNIT if k % 2 else SQUARE) for k, x in enumerate(c[1:], 1)), c[0])


def finite(series: arb_series, order: int) -> bool:
    """Whether every coefficient up to the order is finite."""
    return all(series[k].is_finite() for k in range(order + 1))


def value(node: Node, r: arb_series) -> arb_series:
    """A smooth node at a series for r; its coefficients are not finite where it is not known to be analytic."""
    kind, args = node.kind, node.args
    if kind == "num":
        return arb_series([arb(args[0])])
    if kind == "pi":
        return arb_series([arb.pi()])
    if kind == "r":
        return r
    if kind == "gamma":
        return arb_series([gamma(args[0])])
    if kind == "pow":
        found, parts = power(value(args[0], r), args[1]), squared(args[0])
        return power_within(found, parts, value(parts.inner, r), args[1]) if parts else found
    if kind == "log":
        return logarithm(args[0], r)
    if kind == "lambertw":
        return lambert(value(args[0], r))
    if kind in ("exp", "erfc", "atan"):
        return getattr(value(args[0], r), kind)()
    if kind == "acot":
        return arb_series([arb.pi() / 2]) - value(args[0], r).atan()
    if kind in ("sin", "cos"):
        return getattr(value(args[0], r), f"{kind}_pi" if args[1] else kind)()
    if kind == "loggamma":
        return log_gamma(value(args[0], r))
    if kind in ("matern", *LOGARITHMIC):
        return logarithm(node, r).exp()
    if kind in ("add", "mul"):
        total = value(args[0], r)
        for part in args[1:]:
            total = total + value(part, r) if kind == "add" else total * value(part, r)
        return total
    raise Undecided(Reason.NO_SERIES(function=kind))


def logarithm(node: Node, r: arb_series) -> arb_series:
    """log of a node that is positive; from the logarithms of its factors."""
    kind, args = node.kind, node.args
    if kind == "exp":
        return value(args[0], r)
    if kind == "matern":
        return log_matern(args[0], value(args[1], r))
    if kind == "erfc":
        return log_erfc(value(args[0], r))
    if kind == "softplus":
        return log_softplus(value(args[0], r))
    if kind in LOGARITHMIC:
        return by_riccati(special(kind, *args[:-1]), value(args[-1], r))
    if kind == "mul" and not (args[0].kind == "num" and args[0].args[0] < 0):
        total = logarithm(args[0], r)
        for part in args[1:]:
            total = total + logarithm(part, r)
        return total
    if kind == "pow" and not (args[1].q == 1 and int(args[1]) % 2 == 0):
        return logarithm(args[0], r) * arb(args[1])
    found = vanishing(node)
    closer = _by_its_part(found, r) if found else None
    if closer is not None:
        return closer
    if node.exponential and kind in ("pow", "add"):
        try:
            if kind == "pow":
                return logarithm(args[0], r) * arb(args[1])
            return log_of_sum([logarithm(part, r) for part in args])
        except Undecided:
            pass
    inner = value(node, r)
    if not inner[0] > 0:
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM))
    parts = squared(node)
    return log_within(inner.log(), parts, value(parts.inner, r)) if parts else inner.log()


def _by_its_part(found: Vanishing, r: arb_series) -> arb_series | None:
    """log F(w) = log w + log(F(w)/w), where w is small and both have logarithms."""
    n = ctx.cap
    try:
        log = logarithm(found.part, r)
        w = log.exp()
        most = SMALL if is_wide(r[0]) else SMALLER
        if not w[0].upper() <= most:
            return None
        over = polynomial(over_part(found.function, n, w[0].upper()), w)
        return log + over.log() if over[0] > 0 and finite(over, n - 1) else None
    except Undecided:
        return None


def log_of_sum(logs: list[arb_series]) -> arb_series:
    """log(e^L + e^M + ...) = L + log(1 + e^(M - L) + ...), L the largest: what L knows exactly stays exact."""
    largest = max(logs, key=lambda log: float(log[0].mid()))
    ratio = arb_series([1])
    for log in logs:
        if log is not largest:
            ratio = ratio + (log - largest).exp()
    return largest + ratio.log()


def power(base: arb_series, p: fmpq) -> arb_series:
    """base^p; raises Undecided where the base is not proved positive and has to be."""
    if p.q == 1 and p >= 0:
        return base ** int(p)
    if p.q == 1 and (base[0] > 0 or base[0] < 0):
        return (1 / base) ** int(-p)
    if not base[0] > 0:
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.POWER))
    return (base.log() * arb(p)).exp()


def log_matern(p: fmpq, x: arb_series) -> arb_series:
    """log x^p K_p(x): its slope v = -K_(p-1)/K_p has v' = 1 - (1 - 2p) v/x - v^2 (DLMF 10.36), and is monotone."""
    centre, n = x[0], ctx.cap
    if not (centre > 0 and centre.is_finite()):
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.K_P))
    ends = [_bessel(p, end) for end in ([centre] if centre.is_exact() else [centre.lower(), centre.upper()])]
    inverse, q = 1 / x, arb(1 - 2 * p)
    slopes, rates, logs = [ends[0][1].union(ends[-1][1])], list[arb](), [ends[0][0].union(ends[-1][0])]
    for k in range(1, n):
        rate = arb(int(k == 1))
        for j in range(k):
            rate = rate - slopes[j] * (q * inverse[k - 1 - j] + slopes[k - 1 - j])
        rates.append(rate)
        slopes.append(_chain(x, rates, k))
        logs.append(_chain(x, slopes, k))
    return arb_series(logs, prec=n)


def by_riccati(function: Special, x: arb_series) -> arb_series:
    """F along a series, from the equation that its slope s solves: s' = a + b/x + (c + e/x) s - s^2; about a ball also
    from the coefficients of a function whose derivatives are monotone, which lie between those about its ends."""
    centre, n = x[0], ctx.cap
    if not (centre > 0 and centre.is_finite()):
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM))
    found = by_equation(function, x)
    if function.tilt is None or centre.rad() < centre.mid() * POINT:
        return found
    about = between_ends(function, function.tilt, centre)
    closer = composed(x, [found[0], *(about[k] for k in range(1, n))])
    kept = [p if p.rad() < q.rad() else q for p, q in ((closer[k], found[k]) for k in range(n))]
    return arb_series(kept, prec=n)


def by_equation(function: Special, x: arb_series) -> arb_series:
    """By the equation alone."""
    centre, n = x[0], ctx.cap
    a, b, c, e = map(arb, function.riccati)
    inverse, rates = 1 / x, list[arb]()
    slopes, values = [function.slope(Ball(centre)).x], [function.value(Ball(centre)).x]
    for k in range(1, n):
        rate = b * inverse[k - 1] + c * slopes[k - 1] + (a if k == 1 else 0)
        for j in range(k):
            rate = rate + slopes[j] * (e * inverse[k - 1 - j] - slopes[k - 1 - j])
        rates.append(rate)
        slopes.append(_chain(x, rates, k))
        values.append(_chain(x, slopes, k))
    return arb_series(values, prec=n)


def between_ends(function: Special, tilt: tuple[fmpq, fmpq], centre: arb) -> arb_series:
    """F's own coefficients about a ball, by those of x^-p e^(F - c x) about its ends."""
    p, c, n = *map(arb, tilt), ctx.cap

    def tilted(at: arb_series) -> arb_series:
        return at.log() * p + at * c if p != 0 else at * c

    radii = [arb_series([end, 1], prec=n) for end in (centre.lower(), centre.upper())]
    first, last = ((by_equation(function, at) - tilted(at)).exp() for at in radii)
    about = arb_series([first[k].union(last[k]) for k in range(n)], prec=n)
    return about.log() + tilted(arb_series([centre, 1], prec=n))


def log_erfc(x: arb_series) -> arb_series:
    """log erfc along a series; about a ball also by e^(x^2) erfc(x), the integral of 2 e^(-t^2 - 2 x t)/sqrt(pi) over
    t > 0, whose coefficients lie between those about its ends."""
    centre, n = x[0], ctx.cap
    direct = x.erfc()
    found = direct.log() if direct[0] > 0 else None
    if centre.rad() < POINT:
        if found is None:
            raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM))
        return found
    radii = [arb_series([end, 1], prec=n) for end in (centre.lower(), centre.upper())]
    ends = [at.erfc() * (at * at).exp() for at in radii]
    about = arb_series([ends[0][k].union(ends[1][k]) for k in range(n)], prec=n).log() - arb_series([centre, 1]) ** 2
    first = ends[0][0].log() - radii[0][0] ** 2, ends[1][0].log() - radii[1][0] ** 2
    closer = composed(x, [first[0].union(first[1]), *(about[k] for k in range(1, n))])
    if found is None:
        return closer
    return arb_series([min(closer[k], found[k], key=lambda c: c.rad()) for k in range(n)], prec=n)


def composed(x: arb_series, about: Sequence[arb]) -> arb_series:
    """F along a series from its coefficients about the first of it."""
    n = ctx.cap
    return polynomial(about, arb_series([0, *(x[k] for k in range(1, n))], prec=n))


def polynomial(coefficients: Sequence[arb], x: arb_series) -> arb_series:
    """A polynomial along a series, by Horner's rule."""
    total = arb_series([0], prec=ctx.cap)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def log_gamma(x: arb_series) -> arb_series:
    """log Gamma along a series: about a ball its coefficients, whose sizes fall, lie between those at the ends."""
    centre, n = x[0], ctx.cap
    if not (centre > 0 and centre.is_finite()):
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM))
    if centre.rad() < centre.mid() * POINT:
        return x.lgamma()
    first, last = (arb_series([end, 1], prec=n).lgamma() for end in (centre.lower(), centre.upper()))
    about = [special("loggamma").value(Ball(centre)).x, *(first[k].union(last[k]) for k in range(1, n))]
    return composed(x, about)


def lambert(x: arb_series) -> arb_series:
    """Lambert's W along a series: about a ball from (x + e^W) W' = x', coefficient by coefficient."""
    centre, n = x[0], ctx.cap
    if centre.rad() < abs(centre.mid()) * POINT:
        return x.lambertw()
    found = [special("lambertw").value(Ball(centre)).x]
    powers = [found[0].exp()]
    under = 1 / (centre + powers[0])
    for k in range(1, n):
        rest = x[k] * k
        for j in range(1, k):
            rest = rest - found[j] * (x[k - j] + powers[k - j]) * j
        found.append(rest * under / k)
        powers.append(_chain(arb_series(found, prec=n), powers, k))
    return arb_series(found, prec=n)


def log_softplus(t: arb_series) -> arb_series:
    """log log(1 + e^t) = t + k(t): with w = e^t the slope of k is 1/((1 + w) e^k) - 1."""
    n, under = ctx.cap, 1 / (1 + t.exp())
    if not t[0].is_finite():
        raise Undecided(Reason.NOT_FINITE())
    shortfalls, rates = [SHORTFALL.value(Ball(t[0])).x], list[arb]()
    powers = [(-shortfalls[0]).exp()]
    for k in range(1, n):
        rate = arb(-int(k == 1))
        for i in range(k):
            rate = rate + under[i] * powers[k - 1 - i]
        rates.append(rate)
        shortfalls.append(_chain(t, rates, k))
        fall = arb(0)
        for j in range(1, k + 1):
            fall = fall - shortfalls[j] * powers[k - j] * j
        powers.append(fall / k)
    return t + arb_series(shortfalls, prec=n)


def _chain(x: arb_series, derivative: list[arb], k: int) -> arb:
    """The k-th coefficient of F(x) from those of F'(x)."""
    total = arb(0)
    for j in range(1, k + 1):
        total = total + j * x[j] * derivative[k - j]
    return total / k


def _bessel(p: fmpq, x: arb) -> tuple[arb, arb]:
    """log x^p K_p(x) and its slope -K_(p-1)(x)/K_p(x) at a point."""
    high, low = scaled_besselk(p, x), scaled_besselk(p - 1, x)
    return high.log() - x + x.log() * p, -low / high


class Jet:
    """A function on a panel: its series at the middle, and around the whole of the panel."""

    __slots__ = ("middle", "whole")

    def __init__(self, middle: arb_series, whole: arb_series) -> None:
        self.middle, self.whole = middle, whole

    @classmethod
    def linear(cls, m: Fraction, h: Fraction) -> Jet:
        """m + h x, under `capped`."""
        return cls.polynomial((m, h))

    @classmethod
    def polynomial(cls, coefficients: Sequence[Fraction]) -> Jet:
        """A polynomial in the panel's variable, under `capped`."""
        n = ctx.cap
        given = [arb(exact(c)) for c in coefficients]
        moved = arb_poly(given)(arb_poly([UNIT, 1])).coeffs() if len(given) > 1 else given
        return cls(arb_series(given, prec=n), arb_series(moved, prec=n))

    def of(self, function: Callable[[arb_series], arb_series]) -> Jet:
        return Jet(function(self.middle), function(self.whole))

    def __add__(self, other: Jet | arb) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.middle + other.middle, self.whole + other.whole)
        return Jet(self.middle + other, self.whole + other)

    def __sub__(self, other: Jet | arb) -> Jet:
        return self + -other

    def __neg__(self) -> Jet:
        return Jet(-self.middle, -self.whole)

    def __mul__(self, other: Jet | arb) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.middle * other.middle, self.whole * other.whole)
        return Jet(self.middle * other, self.whole * other)

    def __truediv__(self, other: Jet) -> Jet:
        return Jet(self.middle / other.middle, self.whole / other.whole)

    def power(self, n: int) -> Jet:
        return Jet(self.middle**n, self.whole**n)

    def exp(self) -> Jet:
        return self.of(lambda u: u.exp())

    def log(self) -> Jet:
        if not self.whole[0] > 0:
            raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM))
        return self.of(lambda u: u.log())

    def narrow(self) -> Jet:
        """The same, with the whole's lower coefficients narrowed to what the Taylor polynomial and its remainder say
        of the derivatives: much of what intervals forget, they know."""
        order = ctx.cap - 1
        known = arb_poly([*(self.middle[k] for k in range(order)), self.whole[order]])
        said = known(arb_poly([UNIT, 1])).coeffs()
        said += [arb(0)] * (order + 1 - len(said))
        pairs = zip(said, (self.whole[k] for k in range(order)), strict=False)
        kept = [p if p.rad() < q.rad() else q for p, q in pairs]
        return Jet(self.middle, arb_series([*kept, self.whole[order]], prec=order + 1))

    def taylor(self) -> Taylor:
        order = ctx.cap - 1
        if not finite(self.whole, order):
            raise Undecided(Reason.NOT_SMOOTH())
        return Taylor.of(self.middle, self.whole, order)


@contextmanager
def capped(order: int) -> Iterator[None]:
    """Series of `order` + 1 coefficients; what is not defined on a panel is Undecided."""
    former = ctx.cap
    ctx.cap = order + 1
    try:
        yield
    except (ZeroDivisionError, ValueError) as error:
        raise Undecided(Reason.SERIES_UNDEFINED(failure=str(error))) from None
    finally:
        ctx.cap = former
