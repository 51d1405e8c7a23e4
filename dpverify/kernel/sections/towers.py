"""Exponentials that grow with an exponent that is no exact sum, such as exp(r log r) and 2^r, as
monomials of their own: with these models reach f = exp(-r^r)."""

from __future__ import annotations

from fractions import Fraction
from functools import total_ordering

from ..intervals import D0, INF, Interval
from ..rules import BROUGHT, require, rule
from .exponentials import Rate
from .models import LOG_T, SCALES, Germ, Model, coefficient, power_of_t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .models import Exponents


@total_ordering
class Height:
    """An exponent that grows, u, in a Rate beside powers of t; ordered as u and they grow."""

    __slots__ = ("lead", "u")

    def __init__(self, u: Model) -> None:
        self.u, self.lead = u, u.leading()[0]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __lt__(self, other: Any) -> bool:
        theirs = other.lead if isinstance(other, Height) else power_of_t(other)
        require(self.lead != theirs, "two exponentials grow alike")
        return bool(self.lead < theirs)


@rule("K462")
def tower(u: Model) -> Model:
    """An exponential that outgrows powers as a monomial of its own.

    Lemma.  Let u = F m, where m grows faster than log t and 0 < c <= F <= C on [R, oo).  Then e^u
    grows faster than every t^a (log t)^b (log log t)^e, and e^(k u + q) tends to oo for k > 0, and
    to 0 for k < 0, for every sum q of exponents whose leading monomials grow more slowly than m;
    two exponents of which one grows as the other does are not compared.  Its logarithm is u.
    """
    lead, factor = u.bracket()
    known = lead > LOG_T and factor.lo > 0 and factor.hi.is_finite()
    require(known, "an exponential grows, or has no proved sign")
    return Model(u.germ, {(alone(Height(u)), 0, 0, 0, 0): Fraction(1)})


def alone(height: Any) -> Rate:
    """The Rate of this exponent alone."""
    return Rate(((height, 1),))


@rule("K463")
def size_of_tower(germ: Germ, m: Exponents) -> Interval:
    """The size of a monomial with exponents that are models.

    Lemma.  Its logarithm is a model, and where the span of that is bounded on one side, the
    monomial lies in (0, e^x] or [e^x, oo).
    """
    found = logarithm_of(germ, m).span()
    size = found.exp()
    require(size.lo > 0 or size.hi.is_finite(), "a monomial of a model has no bound")
    return Interval(size.lo, INF) if size.lo > 0 else Interval(D0, size.hi)


def logarithm_of(germ: Germ, m: Exponents) -> Model:
    terms = {s: coefficient(x) for s, x in zip(SCALES, m[1:], strict=False) if x}
    for i in range(4):
        shown = not m[i + 1] or (i < len(germ.logs) and germ.logs[i].lo > 0)
        require(shown, "a model's radius is too small for its logarithms")
    require(not m[4], "a fourth iterated logarithm is beyond the models")
    total = Model(germ, terms)
    for p, k in m[0].terms:
        rest = p.u if isinstance(p, Height) else Model(germ, {power_of_t(p): Fraction(1)})
        total = total + rest * coefficient(k)
    return total


BROUGHT.update({
    "an exponential that outgrows powers": tower,
    "the size of what outgrows powers": size_of_tower})
