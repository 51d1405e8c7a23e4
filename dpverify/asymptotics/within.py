"""A model on a box of radii beyond its own: what holds on all of [R, oo) holds there, and says more."""

from __future__ import annotations

from flint import arb, fmpq

from dpverify.asymptotics.germ import Exponents, Rate, coefficient
from dpverify.asymptotics.model import Model
from dpverify.enclosures.ball import Undecided, hull
from dpverify.findings import Part, Reason


class Radii:
    """The radii of [low, high], their logarithms, and how large monomials are on them."""

    def __init__(self, low: arb, high: arb) -> None:
        self.scales = [(low, high)]
        while len(self.scales) < 5 and self.scales[-1][0] > 1:
            a, b = self.scales[-1]
            self.scales.append((a.log(), b.log()))

    def values(self, model: Model) -> arb:
        """The model's values there: each term's coefficient times its monomial."""
        total = arb(0)
        for m, c in model.terms.items():
            total = total + self.size(m) * c
        return total

    def size(self, m: Exponents) -> arb:
        """A monomial on the box: t, log t, log log t and log log log t are monotone, and so are their powers."""
        product = arb(1)
        if isinstance(m[0], Rate) and m[0].towers:
            raise Undecided(Reason.EXPONENTIAL_GROWS())
        if isinstance(m[0], Rate):
            product = sum((self._power(0, coefficient(p)) * coefficient(k) for p, k in m[0].terms), arb(0)).exp()
        for i, x in enumerate(m[1:]):
            if x != 0:
                product = product * self._power(i, coefficient(x))
        return product

    def _power(self, i: int, p: fmpq) -> arb:
        if i >= len(self.scales):
            raise Undecided(Reason.RADIUS_TOO_SMALL(what=Part.LOGARITHMS))
        return hull(*(arb(end) ** p for end in self.scales[i]))
