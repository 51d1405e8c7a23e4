"""Other measures of one release's privacy, enclosed: Renyi divergences, zCDP, the trade-off function, Gaussian mu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.profiles.curve import LAST, Curve
from dpverify.profiles.envelope import BITS, NO_BOUND, Envelope, ball
from dpverify.profiles.result import Enclosed, Measure

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile

TOLERANCE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Wanted:
    """Orders of Renyi divergences, type I errors of the trade-off function, and whether rho and mu are asked for."""

    renyi: tuple[Fraction, ...] = ()
    tradeoff: tuple[Fraction, ...] = ()
    zcdp: bool = False
    gdp: bool = False

    def __bool__(self) -> bool:
        return bool(self.renyi or self.tradeoff or self.zcdp or self.gdp)


def measures(prover: Profile, wanted: Wanted) -> tuple[Measure, ...]:
    """What is wanted, in the order of `Wanted`.  Raises Undecided."""
    source: Envelope | Gaussian
    if prover.rate:
        source = Gaussian(2 * prover.rate * prover.problem.delta**2)
    else:
        levels = Curve(None, LAST).levels(prover)
        if wanted.renyi and prover.pure is None and prover.at(levels[-1], TOLERANCE).upper > 0:
            raise Undecided(NO_BOUND)  # which every other level would be computed for
        found = [(e, prover.at(e, TOLERANCE)) for e in levels]
        pure = None if prover.pure is None else prover.pure[1]
        source = Envelope([(e, Enclosed(d.lower, d.upper)) for e, d in found], pure)
    asked: list[tuple[str, Fraction | None, Callable[[], Enclosed]]] = []
    asked += [("Renyi divergence", x, lambda x=x: source.renyi(x)) for x in wanted.renyi]  # type: ignore[misc]
    asked += [("type II error", x, lambda x=x: source.tradeoff(x)) for x in wanted.tradeoff]  # type: ignore[misc]
    asked += [("zCDP rho", None, source.zcdp)] if wanted.zcdp else []
    asked += [("Gaussian mu", None, source.gdp)] if wanted.gdp else []
    return tuple(Measure(name, at, value()) for name, at, value in asked)


@dataclass(frozen=True)
class Gaussian:
    """The closed forms for Gaussian noise, `square` being (Delta/sigma)^2."""

    square: Fraction

    def renyi(self, order: Fraction) -> Enclosed:
        value = order * self.square / 2
        return Enclosed(value, value)

    def zcdp(self) -> Enclosed:
        return Enclosed(self.square / 2, self.square / 2)

    def gdp(self) -> Enclosed:
        with precision(BITS):
            return _enclosed(ball(self.square).sqrt())

    def tradeoff(self, x: Fraction) -> Enclosed:
        """Phi(Phi^-1(1 - x) - mu)."""
        with precision(BITS):
            root = arb(2).sqrt()
            quantile = (1 - 2 * ball(x)).erfinv() * root
            return _enclosed(((ball(self.square).sqrt() - quantile) / root).erfc() / 2)


def _enclosed(value: arb) -> Enclosed:
    return Enclosed(max(Fraction(0), fraction_below(value)), fraction_above(value))
