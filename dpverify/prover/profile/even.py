"""Fewer panels for the same sum: marks placed anew, so that each panel is about as unknown as it may be.

Panels halved until each is known well enough are often known far better, a Taylor remainder being of a high power of a
panel's length.  A checker evaluates each of them, so that fewer are worth a second look here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Generic, Protocol, TypeVar

from flint import arb

from dpverify.prover.profile.pieces import Piece, uncertainty

LOOSER = 3
"""How many times as unknown fewer panels may be together as those that they take the place of may."""
LEAST, UNLIKE, ROOM, DIGITS, ROUNDS = 0.2, 2.0, 0.7, 10, 5
"""As which part of a new panel an old one counts at least, and as how many one that is not like its neighbours; of what
may be unknown, the part aimed at; binary digits of a mark, beside a panel's length; how often a run is cut anew."""
MOST, LARGEST, TINY = 8.0, Fraction(2) ** 900, 1e-280
"""As how many panels one counts at most; radii, and what may be unknown, with which floats can do."""


class Stretch(Piece, Protocol):
    """A piece of the radii from a to b."""

    @property
    def a(self) -> Fraction: ...

    @property
    def b(self) -> Fraction | None: ...


P = TypeVar("P", bound=Stretch)


@dataclass(frozen=True)
class Evening(Generic[P]):
    """`remade` is the piece between two radii, of Taylor polynomials of an order; those of one run of neighbours may be
    cut elsewhere if they are `alike`, which None is not."""

    remade: Callable[[Fraction, Fraction], P]
    alike: Callable[[P], Hashable]
    order: int

    def evened(self, pieces: Sequence[P], allowed: arb) -> list[P]:
        """Pieces that are together unknown by no more than `allowed`, if these are."""
        runs = [(key, list(run)) for key, run in groupby(pieces, key=self._key)]
        fixed = [uncertain(run) for key, run in runs if key is None]
        left = (float(allowed) - sum(fixed)) * ROOM
        free = [_widths(run) for key, run in runs if key is not None]
        count = sum(map(len, free))
        if not (count and TINY < left < math.inf):
            return list(pieces)
        for _ in range(ROUNDS):
            count = sum(math.ceil(sum(self._shares(w, left / count))) for w in free)
        return [x for key, run in runs for x in (run if key is None else self._run(run, left / count))]

    def _key(self, piece: P) -> Hashable:
        right = piece.b is not None and piece.b < LARGEST and (piece.b - piece.a) * LARGEST > 1
        return self.alike(piece) if right else None

    def _run(self, run: list[P], each: float) -> list[P]:
        """The run in fewer pieces, about as unknown as `each`: cut anew by how unknown those before are, the closer
        where one is not like the others."""
        key, best, now, allowed = self.alike(run[0]), run, run, 0.0
        for _ in range(ROUNDS):
            worth = self._shares(_widths(now), each)
            shares = [x if self.alike(p) == key else UNLIKE for p, x in zip(now, worth, strict=True)]
            count = max(1, math.ceil(sum(shares)))
            allowed = allowed or each * count / ROOM
            if count >= len(best):
                break
            now = [self.remade(a, b) for a, b in pairwise(_marks(now, shares, count))]
            if all(self.alike(x) == key for x in now) and uncertain(now) <= allowed:
                best = now
        return best

    def _shares(self, widths: Sequence[float], each: float) -> list[float]:
        """How many pieces that are unknown by `each` others are worth."""
        return [min(MOST, max(LEAST, (w / each) ** (1 / (self.order + 1)))) for w in widths]


def uncertain(pieces: Sequence[Piece]) -> float:
    """About how unknown the sum of pieces is."""
    return sum(_widths(pieces))


def _widths(pieces: Sequence[Piece]) -> list[float]:
    return [float(uncertainty(x)) for x in pieces]


def _marks(run: Sequence[Stretch], shares: Sequence[float], count: int) -> list[Fraction]:
    """Radii between which lie equal parts of the sum of the shares, with few digits."""
    marks, filled, step = [run[0].a], 0.0, sum(shares) / count
    for piece, share in zip(run, shares, strict=True):
        assert piece.b is not None
        length = float(piece.b - piece.a)
        unit = Fraction(2) ** (math.frexp(length)[1] - DIGITS)
        while len(marks) < count and step * len(marks) <= filled + share:
            x = piece.a + Fraction(length * (step * len(marks) - filled) / share)
            marks.append(round(x / unit) * unit)
        filled += share
    end = run[-1].b
    assert end is not None
    return sorted({*(x for x in marks if x < end), end})
