"""Other measures of one release's privacy, enclosed: Renyi divergences, zCDP, the trade-off function, Gaussian mu."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from dpverify.deadline import OutOfShare, share
from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.findings import Reason
from dpverify.profiles.curve import LAST, CurveGrid, usual
from dpverify.profiles.divergences import Divergences
from dpverify.profiles.envelope import BITS, Envelope, ball
from dpverify.profiles.question import THEOREM
from dpverify.profiles.randomised import Randomised
from dpverify.profiles.result import Enclosed, Measure
from dpverify.profiles.tails import Tail, tail
from dpverify.profiles.unbounded import ZERO, Unbounded, unbounded
from dpverify.prover.hellinger import infinite as is_infinite
from dpverify.prover.profile import RISING
from dpverify.prover.profile.cut import Cut
from dpverify.prover.profile.patches import Patches

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile

TOLERANCE = Fraction(1, 10**9)
PART = Fraction(1, 2)
"""The part of the time left that a whole profile may take where bounds by the pure epsilon can follow."""
NEAR = Fraction(1, 10**10)
"""Where it ends for errors of tests alone."""
MOST_ROUNDS, FINER = 20, 1000
"""How often cells are halved for the trade-off function, and by how much closer points are to be known for it."""
FAR = Fraction(1, 10**60)
"""Where the grid ends under a tail that is bounded more crudely than it."""
INFINITE_MEAN = "the integral of p^L q^(1-L) diverges"
LARGEST = "Renyi divergence at infinity"
RENYI, ERROR, RHO, MU = "Renyi divergence", "type II error", "zCDP rho", "Gaussian mu"


@dataclass(frozen=True)
class Wanted:
    """Orders of Renyi divergences, type I errors of the trade-off function, and whether rho and mu are asked for."""

    renyi: tuple[Fraction, ...] = ()
    tradeoff: tuple[Fraction, ...] = ()
    zcdp: bool = False
    gdp: bool = False
    largest: bool = False
    """Whether the divergence of infinite order is asked for, which is the pure epsilon."""

    @property
    def count(self) -> int:
        """How many measures that are."""
        return len(self.renyi) + len(self.tradeoff) + self.zcdp + self.gdp + self.largest

    def __bool__(self) -> bool:
        return self.count > 0


def infinite(wanted: Wanted, why: Unbounded) -> tuple[Measure, ...]:
    """Those of the measures wanted that are infinite."""
    found = [Measure(RENYI, x, None, why.reason) for x in wanted.renyi if why.covers(x)]
    found += [Measure(RHO, None, None, why.reason)] if wanted.zcdp else []
    found += [Measure(MU, None, None, why.reason)] if wanted.gdp else []
    return tuple(found)


def measures(
    prover: Profile,
    wanted: Wanted,
    curve: CurveGrid | None = None,
    tolerance: Fraction = TOLERANCE,
    certificate: bool = False,
) -> tuple[Measure, ...]:
    """What is wanted, in the order of `Wanted`; what is not decided says why.  It is read off the curve that was asked
    for, if one was, as a checker does, or where no certificate is asked for by integrals of its own."""
    found = {(m.name, m.at): m for m in _infinite(prover, wanted)}
    asked: list[tuple[str, Fraction | None, Callable[[Any], Enclosed]]] = []
    asked += [(RENYI, x, lambda source, x=x: source.renyi(x)) for x in wanted.renyi]  # type: ignore[misc]
    asked += [(ERROR, x, lambda source, x=x: source.tradeoff(x)) for x in wanted.tradeoff]  # type: ignore[misc]
    asked += [(RHO, None, lambda source: source.zcdp())] if wanted.zcdp else []
    asked += [(MU, None, lambda source: source.gdp())] if wanted.gdp else []
    open_measures = [name for name, at, _ in asked if (name, at) not in found]
    few = not certificate and curve is None and all(name in (ERROR, MU) for name in open_measures)
    sources = _Sources(prover, any(name != ERROR for name in open_measures), curve, tolerance, few)
    for name, at, value in asked:
        if (name, at) not in found:
            found[name, at] = _measure(name, at, value, sources.of(name, certificate))
    return tuple(found[name, at] for name, at, _ in asked)


def _infinite(prover: Profile, wanted: Wanted) -> tuple[Measure, ...]:
    """Those that are proved to be infinite."""
    why = _unbounded(prover)
    found = list(infinite(wanted, why)) if why else []
    if prover.cut is None and prover.pure is None and not prover.rate and prover.theorem == THEOREM:
        known = {m.at for m in found if m.name == RENYI}
        found += [
            Measure(RENYI, x, None, INFINITE_MEAN)
            for x in wanted.renyi
            if x > 1 and x not in known and is_infinite(prover.problem, x)
        ]
    return tuple(found)


class _Sources:
    """Where measures are read off, the closest first, each made when it is first needed."""

    def __init__(self, prover: Profile, beyond: bool, curve: CurveGrid | None, tolerance: Fraction, few: bool) -> None:
        self.prover, self.beyond, self.curve, self.tolerance, self.few = prover, beyond, curve, tolerance, few
        known = prover.pure is not None and prover.cut is None
        self.rough = Randomised(prover.pure[1]) if known and prover.pure else None
        self._integrals: Divergences | None = None
        self._envelope: Source | Undecided | None = None

    def of(self, name: str, certificate: bool) -> Iterator[Callable[[], Source]]:
        """For one measure: functions that find the source, or raise what kept it from being found."""
        if self.prover.only_roughly and self.rough is not None:
            yield self._roughly
            return
        own = name in (RENYI, RHO) and not self.prover.rate and self.prover.cut is None
        own = own and self.prover.theorem == THEOREM
        first = not certificate or (name == RENYI and self.curve is None)
        if own and first:
            yield self._by_integrals
        yield self._by_finer_points if name in (ERROR, MU) and not certificate else self._by_points
        if own and not first:
            yield self._by_integrals
        if self.rough is not None:
            yield self._roughly

    @property
    def part(self) -> Fraction:
        """The part of the time left that one of them may take."""
        return PART if self.rough is not None else Fraction(1)

    def _by_finer_points(self) -> Source:
        found = self._by_points()
        return Finer(self.prover, found, self.tolerance) if isinstance(found, Envelope) else found

    def _roughly(self) -> Source:
        assert self.rough is not None
        return self.rough

    def _by_integrals(self) -> Source:
        if self._integrals is None:
            self._integrals = Divergences(self.prover, self.tolerance)
        return self._integrals

    def _by_points(self) -> Source:
        if self._envelope is None:
            try:
                self._envelope = _source(self.prover, self.beyond, self.curve, self.few)
            except Undecided as error:
                self._envelope = error
        if isinstance(self._envelope, Undecided):
            raise self._envelope
        return self._envelope


def _measure(
    name: str, at: Fraction | None, value: Callable[[Any], Enclosed], sources: Iterator[Callable[[], Source]]
) -> Measure:
    failure = ""
    for source in sources:
        try:
            with share(PART):
                return Measure(name, at, value(source()))
        except Undecided as error:
            failure = failure or str(error)
        except OutOfShare:
            failure = failure or str(Undecided(Reason.NOT_ENCLOSED_CLOSELY()))
    return Measure(name, at, None, failure, decided=False)


def _unbounded(prover: Profile) -> Unbounded | None:
    if prover.cut is not None:
        return ZERO if isinstance(prover.cut, Cut) else None
    return unbounded(prover.problem) if prover.pure is None and not prover.rate else None


def _source(prover: Profile, beyond: bool, curve: CurveGrid | None, few: bool = False) -> Source:
    """What measures are read off a whole profile; `beyond` where they need to know of losses beyond the last point,
    `few` where more points follow where they count."""
    if prover.rate:
        return Gaussian(2 * prover.rate * prover.problem.delta**2)
    if prover.theorem == RISING or isinstance(prover.cut, Patches):
        raise Undecided(Reason.NO_ONE_PAIR())
    known = _beyond(prover) if beyond else None
    grid = CurveGrid(None, FAR if known else LAST if beyond or not few else NEAR)
    many = usual(prover) // 4 if few else usual(prover)
    return _through(prover, (curve if curve and (known is None or curve.step) else grid).levels(prover, many), known)


def _beyond(prover: Profile) -> Tail | None:
    """What is known of losses beyond a whole profile's last point, where some lie there."""
    if prover.pure is None and prover.atom(TOLERANCE) is None:
        with suppress(Undecided):
            return tail(prover)
    return None


def _through(prover: Profile, levels: Sequence[Fraction], known: Tail | None) -> Envelope:
    """The envelope through points at these eps."""
    found = [(e, prover.at(e, TOLERANCE)) for e in levels]
    atom, pure = prover.atom(TOLERANCE), None if prover.pure is None else prover.pure[1]
    points = [(e, Enclosed(d.lower, d.upper)) for e, d in found]
    return Envelope(points, pure, known, None if atom is None else atom.lower)


def closer(
    prover: Profile, wanted: Wanted, levels: tuple[Fraction, ...], tolerance: Fraction
) -> tuple[Fraction, ...]:
    """The eps of a whole profile's points, and of more about those on which errors of tests and mu rest."""
    if not (wanted.tradeoff or wanted.gdp) or prover.rate or prover.cut is not None or prover.theorem != THEOREM:
        return levels
    finer = Finer(prover, _through(prover, levels, _beyond(prover) if wanted.gdp else None), tolerance)
    for x in wanted.tradeoff:
        finer.tradeoff(x)
    if wanted.gdp:
        with suppress(Undecided):
            finer.gdp()
    return tuple(finer.envelope.levels)


class Finer:
    """The trade-off function and mu by more points of the profile, about those on which their bounds rest, which are
    those of its envelope then."""

    def __init__(self, prover: Profile, envelope: Envelope, tolerance: Fraction) -> None:
        self.prover, self.envelope, self.tolerance = prover, envelope, tolerance

    def tradeoff(self, x: Fraction) -> Enclosed:
        """T(x), 0 < x < 1."""
        return self._closer(lambda envelope: envelope.tradeoff(x))

    def gdp(self) -> Enclosed:
        """The least mu."""
        return self._closer(lambda envelope: envelope.gdp(self.tolerance / 4))

    def _closer(self, of: Callable[[Envelope], Enclosed]) -> Enclosed:
        """To the tolerance, or as near to it as some rounds bring it, each of which halves cells."""
        best = of(self.envelope)
        for _ in range(MOST_ROUNDS):
            if best.upper - best.lower <= self.tolerance * best.lower:
                break
            width = self.tolerance / FINER
            try:
                found = [(e, self.prover.at(e, width)) for e in self.envelope.around_worst()]
            except Undecided:
                break
            points = dict(self.envelope.points) | {e: Enclosed(d.lower, d.upper) for e, d in found}
            self.envelope = self.envelope.with_points(sorted(points.items()))
            value = of(self.envelope)
            best = Enclosed(max(best.lower, value.lower), min(best.upper, value.upper))
        return best


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


Source = Envelope | Finer | Gaussian | Randomised | Divergences


def _enclosed(value: arb) -> Enclosed:
    return Enclosed(max(Fraction(0), fraction_below(value)), fraction_above(value))
