"""Sums of integrals over panels, refined where they are least known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from flint import arb

from dpverify.enclosures import Undecided, exact
from dpverify.findings import Reason

MOST_PIECES = 20_000
MOST_ROUNDS = 400
MOST_PARTS = 6


class Piece(Protocol):
    """One part of a sum: its value lies in `value` + [0, cost]."""

    @property
    def value(self) -> arb: ...

    @property
    def cost(self) -> arb: ...


P = TypeVar("P", bound=Piece)


def uncertainty(piece: Piece) -> arb:
    """The width that a piece adds."""
    width = piece.cost + piece.value.rad() * 2
    return width.upper() if width.is_finite() else arb.pos_inf()


def total(pieces: Sequence[Piece]) -> tuple[arb, arb]:
    """A lower and an upper bound of the sum."""
    low = high = arb(0)
    for piece in pieces:
        low = low + piece.value
        high = high + piece.value + piece.cost
    return low, high


def refined(
    pieces: list[P],
    split: Callable[[P], Sequence[P]],
    allowed: Callable[[arb], arb],
    tick: Callable[[], None],
    nothing: arb | None = None,
) -> list[P]:
    """Split the pieces, in order, until what is unknown is at most `allowed` of the sum's lower bound, or the sum is
    known to be at most `nothing`.

    Raises Undecided where that takes too many.
    """
    return divided(pieces, lambda piece, excess: split(piece), allowed, tick, nothing)


def divided(
    pieces: list[P],
    split: Callable[[P, float], Sequence[P]],
    allowed: Callable[[arb], arb],
    tick: Callable[[], None],
    nothing: arb | None = None,
) -> list[P]:
    """The same, `split` being told how many times what it may be a piece's uncertainty is."""
    for _ in range(MOST_ROUNDS):
        widths = [uncertainty(p) for p in pieces]
        low, _ = total(pieces)
        most = allowed(low)
        unknown = arb(0)
        for width in widths:
            unknown = unknown + width
        if unknown <= most or (nothing is not None and low + unknown <= nothing):
            return pieces
        share = tolerable(widths, most)
        worst = max(widths, key=height)
        refine = [not width <= share for width in widths] if most > 0 else [not width * 16 < worst for width in widths]
        if not any(refine):
            refine = [bool(width == worst) for width in widths]
        after: list[P] = []
        for piece, chosen, width in zip(pieces, refine, widths, strict=True):
            tick()
            after += split(piece, float((width / share).upper()) if share > 0 else math.inf) if chosen else [piece]
        pieces = after
        if len(pieces) > MOST_PIECES:
            break
    raise Undecided(Reason.NOT_ENCLOSED_CLOSELY())


def tolerable(widths: Sequence[arb], most: arb) -> arb:
    """What a piece may be unknown by, so that those that are no more unknown than that leave a quarter of the whole to
    the parts of the others; at least an equal part of half of it."""
    equal, left = most / (2 * len(widths) + 1), most * 3 / 4
    if not most > 0:
        return equal
    best = equal
    for width in sorted((w for w in widths if w.is_finite() and w < left), key=height):
        left -= width
        if not left > 0:
            break
        best = width
    return best if best > equal else equal


def height(width: arb) -> float:
    """The logarithm of a width, for comparisons."""
    if not width.is_finite():
        return math.inf
    return float(width.log().mid()) if width > 0 else -math.inf


def middle(a: Fraction, b: Fraction) -> Fraction:
    """Where a panel is halved: in the geometric middle where it spans octaves, with few digits."""
    if a > 0 and b > 4 * a:
        seen = b < 2**500 and a > Fraction(1, 2**500)
        return simple(math.sqrt(float(a) * float(b))) if seen else a * Fraction(2) ** (_octaves(b / a) // 2)
    return b / 8 if a == 0 else (a + b) / 2


def octave(x: Fraction) -> Fraction:
    """A power of two near a positive number that floats may not tell from 0 or from infinity."""
    return Fraction(2) ** _octaves(x)


def _octaves(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def parts(excess: float, order: int) -> int:
    """Into how many equal parts a panel is cut whose uncertainty, of Taylor polynomials of an order, is so many times
    what it may be: halving divides it by more than 2^order."""
    return min(MOST_PARTS, max(2, math.ceil(excess ** (0.5 / order)))) if math.isfinite(excess) else 2


def graded(a: Fraction, b: Fraction, count: int, pole: Fraction = Fraction(0)) -> list[Fraction]:
    """Radii from a to b whose distances from a pole have about the same ratio, with few digits."""
    if not all(Fraction(1, 2**900) < abs(x - pole) < 2**900 for x in (a, b)):
        return [a, middle(a, b), b]
    near, far = float(a - pole), float(b - pole)
    unit = Fraction(2) ** (math.frexp(float(b - a))[1] - 12)
    inner = {pole + round((near * (far / near) ** (k / count)) / float(unit)) * unit for k in range(1, count)}
    return [a, *sorted(x for x in inner if a < x < b), b]


def simple(x: float, bits: int = 12) -> Fraction:
    """A rational near a positive float, with few bits."""
    mantissa, exponent = math.frexp(x)
    return Fraction(round(mantissa * 2**bits)) * Fraction(2) ** (exponent - bits)


def ball(x: Fraction) -> arb:
    """A rational as a ball."""
    return arb(exact(x))
