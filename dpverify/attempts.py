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
GENEROUS = Fraction(8)
"""A last width, relative to the lower end, where the slopes of g alone may be enough."""
BEFORE_GENEROUS = Fraction(2, 3)
"""The part of the time left that the width before it is tried for."""
T = TypeVar("T")


class Attempts(Generic[T]):
    """Tries width after width, each but the last for at most a part of the time that is left, the last for `last` of
    it; `more` are widths besides.

    Where the time ran out, the next width is left out: it would hardly be met much sooner. The last one is not, nor is
    that before one that is `generous`.
    """

    def __init__(
        self,
        asked: Fraction,
        part: Fraction,
        last: Fraction = Fraction(1),
        *more: Fraction,
        generous: bool = False,
    ) -> None:
        self.width, self.part, self.last, self.generous = asked, part, last, generous
        widths = (*WIDER, *more, GENEROUS) if generous else (*WIDER, *more)
        self.wider = [width for width in widths if width > asked]

    def __iter__(self) -> Iterator[Fraction]:
        yield self.width
        while self.wider:
            self.width = self.wider.pop(0)
            yield self.width

    def tried(self, work: Callable[[Callable[[], None]], T]) -> T | None:
        """What the work finds, called with a check to call now and then; None where its part of the time ran out."""
        try:
            with share(self._share()) as check:
                return work(check)
        except OutOfShare:
            needed = 2 if self.generous else 1
            del self.wider[: max(0, min(1, len(self.wider) - needed))]
            return None

    def _share(self) -> Fraction:
        """The part of the time left that this width is tried for."""
        if not self.wider:
            return self.last
        return max(self.part, BEFORE_GENEROUS) if self.wider == [GENEROUS] else self.part
