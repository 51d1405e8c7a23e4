"""Other measures of one release's privacy, enclosed: Renyi divergences, zCDP, the trade-off function, Gaussian mu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from dpverify.deadline import OutOfShare, share
from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.profiles.curve import LAST, CurveGrid, usual
from dpverify.profiles.envelope import BITS, Envelope, ball
from dpverify.profiles.randomised import Randomised
from dpverify.profiles.result import Enclosed, Measure
from dpverify.profiles.tails import tail
from dpverify.profiles.unbounded import ZERO, Unbounded, unbounded
from dpverify.prover.profile import RISING

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile

TOLERANCE = Fraction(1, 10**9)
PART = Fraction(1, 2)
"""The part of the time left that a whole profile may take where bounds by the pure epsilon can follow."""
FAR = Fraction(1, 10**60)
"""Where the grid ends under a tail that is bounded more crudely than it."""
RENYI, ERROR, RHO, MU = "Renyi divergence", "type II error", "zCDP rho", "Gaussian mu"


@dataclass(frozen=True)
class Wanted:
    """Orders of Renyi divergences, type I errors of the trade-off function, and whether rho and mu are asked for."""

    renyi: tuple[Fraction, ...] = ()
    tradeoff: tuple[Fraction, ...] = ()
    zcdp: bool = False
    gdp: bool = False

    @property
    def count(self) -> int:
        """How many measures that are."""
        return len(self.renyi) + len(self.tradeoff) + self.zcdp + self.gdp

    def __bool__(self) -> bool:
        return self.count > 0


def infinite(wanted: Wanted, why: Unbounded) -> tuple[Measure, ...]:
    """Those of the measures wanted that are infinite."""
    found = [Measure(RENYI, x, None, why.reason) for x in wanted.renyi if why.covers(x)]
    found += [Measure(RHO, None, None, why.reason)] if wanted.zcdp else []
    found += [Measure(MU, None, None, why.reason)] if wanted.gdp else []
    return tuple(found)


def measures(prover: Profile, wanted: Wanted, curve: CurveGrid | None = None) -> tuple[Measure, ...]:
    """What is wanted, in the order of `Wanted`, from the curve that was asked for, if one was; what is not decided says
    why."""
    found = {(m.name, m.at): m for m in infinite(wanted, why)} if (why := _unbounded(prover)) else {}
    asked: list[tuple[str, Fraction | None, Callable[[Source], Enclosed]]] = []
    asked += [(RENYI, x, lambda source, x=x: source.renyi(x)) for x in wanted.renyi]  # type: ignore[misc]
    asked += [(ERROR, x, lambda source, x=x: source.tradeoff(x)) for x in wanted.tradeoff]  # type: ignore[misc]
    asked += [(RHO, None, lambda source: source.zcdp())] if wanted.zcdp else []
    asked += [(MU, None, lambda source: source.gdp())] if wanted.gdp else []
    if len(found) < len(asked):
        open_measures = [name for name, at, _ in asked if (name, at) not in found]
        sources, failure = _sources(prover, any(name != ERROR for name in open_measures), curve)
        for name, at, value in asked:
            if (name, at) not in found:
                found[name, at] = _measure(name, at, value, sources, failure)
    return tuple(found[name, at] for name, at, _ in asked)


def _sources(prover: Profile, beyond: bool, curve: CurveGrid | None) -> tuple[list[Source], str]:
    """Where measures are read off, the closest first; and why not off the profile, if not."""
    known = prover.pure is not None and prover.cut is None
    rough: list[Source] = [Randomised(prover.pure[1])] if known and prover.pure else []
    if prover.only_roughly and rough:
        return rough, ""
    try:
        with share(PART if rough else Fraction(1)):
            return [_source(prover, beyond, curve), *rough], ""
    except Undecided as error:
        return rough, str(error)
    except OutOfShare:
        return rough, ""


def _measure(
    name: str, at: Fraction | None, value: Callable[[Source], Enclosed], sources: list[Source], failure: str
) -> Measure:
    for source in sources:
        try:
            return Measure(name, at, value(source))
        except Undecided as error:
            failure = failure or str(error)
    return Measure(name, at, None, failure, decided=False)


def _unbounded(prover: Profile) -> Unbounded | None:
    if prover.cut is not None:
        return ZERO
    return unbounded(prover.problem) if prover.pure is None and not prover.rate else None


def _source(prover: Profile, beyond: bool, curve: CurveGrid | None) -> Source:
    """Where measures are read off; `beyond` where they need to know of losses beyond the last point."""
    if prover.rate:
        return Gaussian(2 * prover.rate * prover.problem.delta**2)
    if prover.theorem == RISING:
        raise Undecided(Reason.NO_ONE_PAIR())
    atom = prover.atom(TOLERANCE)
    known = tail(prover) if beyond and prover.pure is None and atom is None else None
    grid = CurveGrid(None, LAST if known is None else FAR)
    levels = (curve if curve and (known is None or curve.step) else grid).levels(prover, usual(prover))
    found = [(e, prover.at(e, TOLERANCE)) for e in levels]
    pure = None if prover.pure is None else prover.pure[1]
    points = [(e, Enclosed(d.lower, d.upper)) for e, d in found]
    return Envelope(points, pure, known, None if atom is None else atom.lower)


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


Source = Envelope | Gaussian | Randomised


def _enclosed(value: arb) -> Enclosed:
    return Enclosed(max(Fraction(0), fraction_below(value)), fraction_above(value))
