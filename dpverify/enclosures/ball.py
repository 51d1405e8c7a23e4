"""Balls: real intervals over Arb, the ring on which every enclosure of the prover rests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Self

from flint import arb, ctx, fmpq

from dpverify.findings import Finding, Part, Reason

NARROW = arb(2) ** (-60)
HALF = fmpq(1, 2)
ACCURATE = 16
"""Bits from which on a ball counts as narrow for a power."""
FEW_BITS, MANY, LOST, MANY_BITS = 2.0, 7.0, 3.0, 10_000
"""As parts of x: up to how many bits an asymptotic series of K_p(x) is accurate, from which Arb takes a convergent one,
how many that loses; and from how many bits all that is left to Arb."""


class Undecided(ArithmeticError):
    """Rigorous arithmetic could not decide what was asked; the finding is the reason, and the message its words."""

    def __init__(self, reason: Finding) -> None:
        self.finding = reason

    def __str__(self) -> str:
        return str(self.finding)

    def wants_further(self) -> bool:
        """Whether nothing but the radius of a model was too small."""
        return self.finding.why in (Reason.RADIUS_TOO_SMALL, Reason.RADIUS_NOT_ABOVE_1)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Run the block at a working precision of `bits`, and restore the former one after it."""
    former = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = former


def exact(value: Fraction | int) -> fmpq:
    """The same rational, in FLINT's type."""
    return fmpq(value.numerator, value.denominator)


def _fraction(end: arb) -> Fraction:
    if not end.is_finite():
        raise Undecided(Reason.NOT_FINITE())
    rational = end.fmpq()
    return Fraction(int(rational.p), int(rational.q))


def fraction_below(x: arb) -> Fraction:
    """A rational that is at most every point of the ball."""
    return _fraction(x.lower())


def fraction_above(x: arb) -> Fraction:
    """A rational that is at least every point of the ball."""
    return _fraction(x.upper())


def hull(a: arb, b: arb) -> arb:
    """A ball that contains both."""
    if not (a.is_finite() and b.is_finite()):
        return arb(0, arb.pos_inf())
    return a.union(b)


def between(low: fmpq, high: fmpq) -> arb:
    """The narrowest ball that contains the interval."""
    return arb((low + high) / 2) + arb(0, arb((high - low) / 2).upper())


def meet(a: arb, b: arb) -> arb:
    """The narrower of two enclosures of one quantity, or their intersection."""
    if not a.is_finite():
        return b
    if not b.is_finite():
        return a
    low, high = a.lower().max(b.lower()), a.upper().min(b.upper())
    return hull(low, high)


def whole_power(x: arb, n: int) -> arb:
    """x^n for n > 0: of a wide ball, which a product of itself would widen more, from its ends."""
    if n == 1:  # Arb's power of a ball about 0 is no number
        return x
    if not x.is_finite() or x.rel_accuracy_bits() >= ACCURATE:
        return x**n
    low, high = x.lower(), x.upper()
    if n % 2 or low >= 0 or high <= 0:
        return hull(low**n, high**n)
    return hull(arb(0), low.max(-low).max(high.max(-high)) ** n)


def lower_end(x: arb) -> arb:
    """The lower end of a ball, -oo where it is not finite."""
    return x.lower() if x.is_finite() else arb.neg_inf()


def upper_end(x: arb) -> arb:
    """The upper end of a ball, +oo where it is not finite."""
    return x.upper() if x.is_finite() else arb.pos_inf()


class Ball:
    """A real number known to lie in an Arb ball.

    Operations raise `Undecided` where the ball does not settle whether they are defined.
    """

    __slots__ = ("x",)

    def __init__(self, x: arb) -> None:
        self.x = x

    @classmethod
    def between(cls, a: Fraction, b: Fraction) -> Ball:
        """The narrowest ball that contains the interval [a, b]."""
        return cls(between(exact(a), exact(b)))

    def const(self, value: fmpq | arb | int) -> Ball:
        """A constant, on the same chart or box."""
        return Ball(arb(value))

    def not_negative(self) -> Ball:
        """The same, of what is not negative."""
        return self if self.x > 0 else NotNegative(hull(arb(0), self.x.upper()))

    def __neg__(self) -> Ball:
        return Ball(-self.x)

    def __add__(self, other: Ball | fmpq | arb | int) -> Ball:
        return Ball(self.x + (other.x if isinstance(other, Ball) else other))

    def __sub__(self, other: Ball | fmpq | arb | int) -> Ball:
        return Ball(self.x - (other.x if isinstance(other, Ball) else other))

    def __mul__(self, other: Ball | fmpq | arb | int) -> Ball:
        if type(other) is NotNegative:
            return other * self
        return Ball(self.x * (other.x if isinstance(other, Ball) else other))

    def inverse(self) -> Ball:
        """1 over the function; raises Undecided where it may be 0."""
        return Ball(1 / signed(self.x))

    def log(self) -> Ball:
        """The natural logarithm; raises Undecided where the function is not proved positive."""
        return Ball(positive(self.x).log())

    def log_from_ends(self) -> Ball:
        """The same, no wider than it has to be, however wide the ball is: Arb's own bounds are about the middle."""
        return Ball(_at_ends(positive(self.x), arb.log))

    def exp(self) -> Ball:
        """The exponential."""
        return Ball(self.x.exp())

    def power(self, p: fmpq) -> Ball:
        """self ** p; a fractional p needs self > 0, or self = 0 and p > 0; a negative one self != 0."""
        if p.q == 1 and -64 <= (n := int(p)) <= 64:
            if n < 0:
                return self.power(-p).inverse()
            return Ball(whole_power(self.x, n) if n else arb(1))
        if self.x.is_zero() and p > 0:
            return self
        x = positive(self.x)
        return Ball(x.sqrt() if p == HALF else (x.log() * p).exp())

    def softplus(self, sign: int) -> Ball:
        """log(1 + sign * e^self), a monotone function; sign = -1 needs self < 0."""
        if sign < 0 and not self.x < 0:
            raise Undecided(Reason.NOT_SMALLER())
        return Ball(_at_ends(self.x, lambda t: _softplus_at(t, sign)))

    def logistic(self, sign: int) -> Ball:
        """sign * e^self / (1 + sign * e^self), the derivative of softplus."""
        if sign < 0 and not self.x < 0:
            raise Undecided(Reason.NOT_SMALLER())
        return Ball(_at_ends(self.x, lambda t: 1 / (1 + sign * (-t).exp())))

    def cos(self, turns: bool = False) -> Ball:
        """cos(self), or cos(pi self) where self is given in (half) turns."""
        return Ball(sine_and_cosine(self.x, turns)[1])

    def sin(self, turns: bool = False) -> Ball:
        """The sine of u, or of pi u for `turns`."""
        return Ball(sine_and_cosine(self.x, turns)[0])

    def floor(self) -> Ball:
        """The greatest integer not above the function."""
        return Ball(self.x.floor())

    def log_matern(self, p: fmpq) -> Ball:
        """log x^p K_p(x), p >= 0: decreasing in x > 0 (DLMF 10.29.4), so from the ball's two ends."""
        x = positive(self.x)
        if not x.is_finite():
            raise Undecided(Reason.OF_UNBOUNDED(what=Part.K_P))
        values = [_log_besselk_at(end, p) + end.log() * p for end in _ends(x)]
        return Ball(hull(values[0], values[-1]))

    def besselk_ratio(self, p: fmpq) -> Ball:
        """K_(p-1)/K_p, monotone in x > 0, so from the ball's two ends.

        It is the mean of cosh((p-1)t)/cosh(pt), itself monotone in t, under the weights
        exp(-x cosh t) cosh(pt), which move towards t = 0 as x grows (DLMF 10.32.9).
        """
        x = positive(self.x)
        if not x.is_finite():
            raise Undecided(Reason.OF_UNBOUNDED(what=Part.K_P))
        values = [(_log_besselk_at(t, abs(p - 1)) - _log_besselk_at(t, p)).exp() for t in _ends(x)]
        return Ball(hull(values[0], values[-1]))

    def log_matern_bend(self, p: fmpq) -> Ball:
        """The second derivative of log x^p K_p: of the first, v, it is 1 - v ((1 - 2p)/x + v)."""
        v = -self.besselk_ratio(p)
        return -(v * (self.inverse() * (1 - 2 * p) + v)) + 1

    def log_erfc_bend(self) -> Ball:
        """The second derivative of log erfc: minus h (h - 2x), h the hazard, which lies between 0 and 2."""
        h = self.erfc_hazard()
        inner = (h * (h - self * 2)).x
        return Ball(-hull(inner.lower().max(arb(0)), inner.upper().min(arb(2))))

    def log_erfc(self) -> Ball:
        """log erfc, a decreasing function, from the ball's two ends."""
        return Ball(_at_ends(self.x, _log_erfc_at))

    def erfc_hazard(self) -> Ball:
        """(2/sqrt(pi)) exp(-x^2) / erfc(x) = -(log erfc)', an increasing function."""
        return Ball(_at_ends(self.x, lambda t: (-t * t - _log_erfc_at(t)).exp() * 2 / arb.pi().sqrt()))

    def apply(self, f: Any) -> Ball:
        """A special function's value."""
        return f.value(self)  # type: ignore[no-any-return]

    def slope_of(self, f: Any) -> Ball:
        """A special function's slope."""
        return f.slope(self)  # type: ignore[no-any-return]

    def hull(self, other: Ball) -> Ball:
        """Either of the two."""
        return Ball(hull(self.x, other.x))

    def sign(self) -> int | None:
        """1, -1, 0 where every point has that sign, else None."""
        if self.x > 0:
            return 1
        if self.x < 0:
            return -1
        return 0 if self.x.is_zero() else None

    def span(self) -> Self:
        """The values themselves."""
        return self


class NotNegative(Ball):
    """A number that is not negative, though the ball that is the hull of 0 and its upper end goes a little below."""

    __slots__ = ()

    def __mul__(self, other: Ball | fmpq | arb | int) -> Ball:
        product = Ball(self.x * (other.x if isinstance(other, Ball) else other))
        sign = other.x.lower() if isinstance(other, Ball) else arb(other)
        return product.not_negative() if isinstance(other, NotNegative) or sign >= 0 else product

    def floor(self) -> Ball:
        """The greatest integer not above the number: not negative either."""
        return Ball(self.x.floor()).not_negative()

    def power(self, p: fmpq) -> Ball:
        """self ** p; a fractional p asks for no more than that self is not negative."""
        if p.q == 1 or self.x > 0:
            return super().power(p)
        end = Ball(self.x.upper()).power(p).x
        return NotNegative(hull(arb(0), end.upper()) if p > 0 else arb(0, arb.pos_inf()))


def positive(x: arb) -> arb:
    """The ball, if it is proved positive; else raises Undecided."""
    if not x > 0:
        raise Undecided(Reason.OF_NOT_POSITIVE(what=Part.LOGARITHM_OR_POWER))
    return x


def signed(x: arb) -> arb:
    """The ball, if it is proved other than 0; else raises Undecided."""
    if not (x > 0 or x < 0):
        raise Undecided(Reason.MAY_BE_ZERO())
    return x


def scaled_besselk(p: fmpq, x: arb) -> arb:
    """e^x K_p(x), with the bits that a convergent series loses, and so many that Arb takes that: it is slow where it
    adds many terms of an asymptotic series that is hardly accurate enough."""
    bits, size = ctx.prec, float(x.mid())
    if not FEW_BITS * size < bits < MANY_BITS:
        return x.bessel_k(arb(p), scaled=True)
    with precision(int(max(MANY * size, bits + LOST * size)) + 10):
        return x.bessel_k(arb(p), scaled=True)


def _log_besselk_at(x: arb, p: fmpq) -> arb:
    former = ctx.prec
    try:
        for _ in range(6):
            value = scaled_besselk(p, x)
            if value > 0 and value.rel_accuracy_bits() > former // 2:
                return value.log() - x
            ctx.prec = ctx.prec * 2
    finally:
        ctx.prec = former
    raise Undecided(Reason.CANNOT_BE_ENCLOSED(what=Part.K_P))


def _log_erfc_at(x: arb) -> arb:
    value = x.erfc()
    if not value > 0 and not x.is_exact():  # far out Arb encloses erfc at points alone
        return hull(_log_erfc_at(x.lower()), _log_erfc_at(x.upper()))
    if not value > 0:
        raise Undecided(Reason.CANNOT_BE_ENCLOSED(what=Part.ERFC))
    return value.log()


def _softplus_at(t: arb, sign: int) -> arb:
    if sign > 0 and t > 0:
        return t + (-t).exp().log1p()
    if sign < 0 and t > -1:
        return (-t.expm1()).log()
    return (sign * t.exp()).log1p()


def sine_and_cosine(x: arb, turns: bool = False) -> tuple[arb, arb]:
    """sin and cos of x, or of pi x, over a ball m +- h by cos(m + h) = cos m cos h - sin m sin h.

    Arb's own bounds widen by the radius, however small the slope is, and near a crest it is small.
    """
    m, h = x.mid(), (x.rad() * arb.pi()).upper() if turns else x.rad()
    if h < NARROW or not h < 1:
        return x.sin_cos_pi() if turns else x.sin_cos()
    sine, cosine = m.sin_cos_pi() if turns else m.sin_cos()
    fall, swing = 1 - arb(h * h / 4, (h * h / 4).upper()), arb(0, h)  # cos h and sin h
    return sine * fall + cosine * swing, cosine * fall - sine * swing


def _ends(x: arb) -> list[arb]:
    return [x] if x.is_exact() else [x.lower(), x.upper()]


def _at_ends(x: arb, function: Callable[[arb], arb]) -> arb:
    """Encloses a monotone function: exactly at a narrow ball, else from the ball's two ends."""
    if x.rad() < arb(2) ** (-20):
        return function(x)
    return hull(function(x.lower()), function(x.upper()))
