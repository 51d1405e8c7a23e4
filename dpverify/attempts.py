"""How narrow an enclosure is tried for: as narrow as was asked, and wider where that does not come off.

An enclosure that is wider than was asked says so itself, and to many a user it says enough; `undecided` says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from dpverify.deadline import OutOfShare, share

WIDER = (Fraction(1, 10**6), Fraction(1, 10**3), Fraction(1, 20))
"""Widths, relative to epsilon, that are tried after the one asked for."""
T = TypeVar("T")


class Attempts(Generic[T]):
    """Tries width after width, each but the last for at most a part of the time that is left, the last for `last` of
    it; `more` are widths besides.

    Where the time ran out, the next width is left out: it would hardly be met much sooner.
    """

    def __init__(self, asked: Fraction, part: Fraction, last: Fraction = Fraction(1), *more: Fraction) -> None:
        self.width, self.part, self.last = asked, part, last
        self.wider = [width for width in (*WIDER, *more) if width > asked]

    def __iter__(self) -> Iterator[Fraction]:
        yield self.width
        while self.wider:
            self.width = self.wider.pop(0)
            yield self.width

    def tried(self, work: Callable[[Callable[[], None]], T]) -> T | None:
        """What the work finds, called with a check to call now and then; None where its part of the time ran out."""
        try:
            with share(self.part if self.wider else self.last) as check:
                return work(check)
        except OutOfShare:
            del self.wider[: min(1, len(self.wider) - 1)]
            return None
