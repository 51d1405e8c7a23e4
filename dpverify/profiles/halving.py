"""Panels halved where the kernel's bounds are wider than is asked: its enclosures are wider than the prover's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval
from dpverify.prover.profile.pieces import middle

DEEPEST, HARDLY = 10, Decimal("0.7")
"""How often a panel is halved at most, and from which part of its width on two halves are hardly narrower."""
INFINITE = Decimal("Infinity")
Bounds = tuple[Interval, Interval]
"""What a panel adds, and what it costs at most."""


@dataclass(frozen=True)
class Piece:
    """A panel, and what a certificate says of it."""

    a: Fraction
    b: Fraction
    how: Any


@dataclass(frozen=True)
class Weighed:
    """A piece, the same mended where the kernel has no bounds of it, and how far apart its bounds then are."""

    given: Piece
    kept: Piece
    width: Decimal


@dataclass(frozen=True)
class Halving:
    """How pieces of one kind are bounded, and halved."""

    bounds: Callable[[Piece], Bounds]
    halves: Callable[[Piece, Fraction], tuple[Any, Any]] = lambda piece, middle: (piece.how, piece.how)
    mended: Callable[[Piece], Piece] = lambda piece: piece

    def fine(self, pieces: Sequence[Piece], allowed: Decimal) -> list[Piece]:
        """Pieces that are together known to about `allowed`, as far as halving helps."""
        each = allowed / (2 * len(pieces))
        return [part for piece in pieces for part in self._parts(self._weighed(piece), each, DEEPEST)]

    def _parts(self, whole: Weighed, allowed: Decimal, depth: int) -> list[Piece]:
        if whole.width <= allowed or not depth:
            return [whole.kept]
        given = whole.given
        m = middle(given.a, given.b)
        try:
            hows = self.halves(given, m)
        except Rejected:
            return [whole.kept]
        boxes = ((given.a, m), (m, given.b))
        both = [self._weighed(Piece(*box, how)) for box, how in zip(boxes, hows, strict=True)]
        if whole.width < INFINITE and both[0].width + both[1].width > whole.width * HARDLY:
            return [whole.kept]
        return [part for half in both for part in self._parts(half, allowed / 2, depth - 1)]

    def _weighed(self, piece: Piece) -> Weighed:
        width = self.width(piece)
        if width < INFINITE:
            return Weighed(piece, piece, width)
        kept = self.mended(piece)
        return Weighed(piece, kept, self.width(kept))

    def width(self, piece: Piece) -> Decimal:
        """How far apart the kernel's bounds of a piece are; infinite where it has none."""
        try:
            value, cost = self.bounds(piece)
            width = value.hi - value.lo + max(Decimal(0), cost.hi)
        except (Rejected, ArithmeticError):
            return INFINITE
        return width if width.is_finite() else INFINITE


def boxes(marks: Sequence[str]) -> list[tuple[Fraction, Fraction]]:
    """The panels between marks."""
    return list(pairwise(map(Fraction, marks)))


def marks_of(pieces: Sequence[Piece]) -> list[str]:
    """The marks between which adjoining pieces lie."""
    return [str(pieces[0].a), *(str(x.b) for x in pieces)]
