"""A mixture at single radii: log f, and the means E_s[V^-2] and E_s[V^-4] of the tilted law."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval
from ..rules import require
from ..steps import rational, whole
from .messages import shown
from .tilted import Law

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Tilted:
    """log f, m and E_s[V^-4] at single radii, each with the panels that the certificate names for
    it."""

    def __init__(self, law: Law, given: Any, delta: Fraction) -> None:
        require(isinstance(given, dict), "windows is not an object", "format")
        self.law, self.delta, self.left = law, delta, set(given)
        self.windows = {
            rational(s, "windows"): window(pair, len(law.panels)) for s, pair in given.items()}
        self.known: dict[Fraction, tuple[Interval, Interval, Interval]] = {}

    def named(self, s: Fraction) -> tuple[int, int]:
        require(s in self.windows, f"no panels are named for the radius {shown(s)}", "steps")
        self.left.discard(str(s))
        return self.windows[s]

    def at(self, s: Fraction) -> tuple[Interval, Interval, Interval]:
        """f, and the means m and E_s[V^-4]."""
        if s not in self.known:
            i0, i1, i2 = self.law.at(s, *self.named(s))
            require(i0.lo > 0 and i0.hi.is_finite(), "f is not shown positive and finite", "K204")
            under = i0.inverse()
            self.known[s] = i0, i1 * under * 2, i2 * under * 4
        return self.known[s]

    def rise(self, r: Fraction, s: Fraction) -> Interval:
        """g(s) - g(r)."""
        return (self.at(r)[0] * self.at(s)[0].inverse()).log()

    def loss(self, r: Fraction) -> Interval:
        return self.rise(r, r + self.delta)


def window(given: Any, most: int) -> tuple[int, int]:
    pair = isinstance(given, list) and len(given) == 2
    require(pair, "a window is not a pair of panels", "format")
    return whole(given[0], "windows", 0, most), whole(given[1], "windows", 0, most)
