"""What a certificate claims of other measures than delta(eps), as the checker's own rules find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeGuard

from flint import arb

from dpverify.enclosures import Undecided, fraction_above, fraction_below, precision
from dpverify.kernel import Rejected
from dpverify.kernel.sections import measures as rules
from dpverify.kernel.sections import moments, profiles, suprema
from dpverify.kernel.steps import Steps
from dpverify.profiles.cells import by_integrals
from dpverify.profiles.envelope import BITS, Envelope, ball
from dpverify.profiles.measures import ERROR, MU, RENYI, RHO, Wanted
from dpverify.profiles.measures import Gaussian as Closed
from dpverify.profiles.question import THEOREM
from dpverify.profiles.result import Enclosed, Measure
from dpverify.profiles.tails import tail

if TYPE_CHECKING:
    from dpverify.prover.profile import Profile as Prover
    from dpverify.prover.profile.mass import Part

Found = list[tuple[str, Fraction | None, Fraction, Fraction]]
CLOSE, CLOSELY, SHORTER = Fraction(1, 10**12), Fraction(1, 10**6), 8


def gaussian(prover: Prover, wanted: Wanted) -> tuple[Found, dict[str, Any]]:
    """The closed forms, and for each error levels z on either side of it."""
    assert prover.rate is not None
    square = 2 * prover.rate * prover.problem.delta**2
    closed, levels, found = Closed(square), list[str](), Found()
    for x in wanted.renyi:
        found.append((RENYI, x, x * square / 2, x * square / 2))
    for x in wanted.tradeoff:
        with precision(BITS):
            z = (1 - 2 * ball(x)).erfinv() * arb(2).sqrt()
            levels += [str(fraction_below(z - ball(CLOSE))), str(fraction_above(z + ball(CLOSE)))]
        value = closed.tradeoff(x)
        slack = CLOSE * 2
        found.append((ERROR, x, max(Fraction(0), value.lower - slack), value.upper + slack))
    if wanted.zcdp:
        found.append((RHO, None, square / 2, square / 2))
    if wanted.gdp:
        mu = closed.gdp()
        found.append((MU, None, mu.lower, mu.upper))
    return found, {"normal": [_short(x) for x in levels]}


def _short(x: str) -> str:
    """A level to forty bits beyond the point."""
    return str(Fraction(round(Fraction(x) * 2**60), 2**60))


def of_orders(
    claim: dict[str, Any], proof: dict[str, Any], known: Sequence[Measure], prover: Prover
) -> tuple[Found, dict[str, Any]]:
    """Renyi divergences by integrals of their own, where f does not rise, is not cut, and has no edges in space."""
    wanted = [(m.at, m.value) for m in known if m.name == RENYI and m.at is not None and _closely(m.value)]
    if not wanted or prover.theorem != THEOREM or prover.cut is not None or not proof["profile"]["mass"]:
        return [], {}
    if prover.problem.dimension > 1 and prover.radial().breaks:
        return [], {}
    replay = profiles.opened(claim, Steps(proof))[1]
    found, steps = by_integrals(replay, wanted, _marks(proof["profile"]))
    return [(RENYI, *ends) for ends in found], {"integrals": steps} if steps else {}


def _marks(profile: dict[str, Any]) -> list[str]:
    """Those of the mass; closer together where it rests on f itself, whose series reach further than those of log f."""
    marks = [Fraction(m) for m in profile["mass"]]
    found = [str(marks[0])]
    for k, (a, b) in enumerate(pairwise(marks)):
        count = SHORTER if k in profile.get("values", ()) else 1
        found += [str(a + (b - a) * j / count) for j in range(1, count + 1)]
    return found


def _closely(value: Enclosed | None) -> TypeGuard[Enclosed]:
    """Whether a divergence was found by an integral, and not read off the points that were asked for."""
    return value is not None and value.upper - value.lower <= CLOSELY * value.lower


def by_points(
    claim: dict[str, Any],
    proof: dict[str, Any],
    wanted: Wanted,
    prover: Prover,
    marks_of: Callable[[Sequence[Part]], list[str]],
) -> tuple[Found, dict[str, Any]]:
    """What follows from the claim's points, and from moments of the loss where they do not end at 0."""
    h = rules.Profile(claim["points"], Fraction(claim.get("infinite", 0)))
    known = [(Fraction(p["epsilon"]), _enclosed(p["delta"])) for p in claim["points"]]
    last, step, found = known[-1][0], dict[str, Any](), Found()
    beyond = None
    if not h.ended and not h.atom.hi and (wanted.renyi or wanted.zcdp or wanted.gdp):
        with suppress(Undecided):
            beyond = tail(prover)
    pure = None if beyond or h.atom.hi else last
    envelope = Envelope(known, pure, beyond, Fraction(claim["infinite"]) if h.atom.hi else None)
    orders: tuple[Fraction, ...] = ()
    if wanted.zcdp and (h.ended or beyond):
        with suppress(Undecided):
            envelope.zcdp()
            orders = envelope.orders
    mu = _mu(envelope, exactly=h.ended) if wanted.gdp and (h.ended or beyond) else None
    if beyond is not None and (wanted.renyi or orders or mu):
        step["tail"] = beyond.step([*wanted.renyi, *orders], mu[1] if mu else None, last, marks_of)
        try:
            replay = profiles.opened(claim, Steps(proof))[1]
            h.tail = moments.tail(replay, last, step["tail"])
        except Rejected:
            step, orders, mu = {}, (), None
    for name, places, of in ((RENYI, wanted.renyi, rules.renyi), (ERROR, wanted.tradeoff, rules.trade_off)):
        for at in places:
            with suppress(Rejected):
                ends = of(h, at)
                found.append((name, at, Fraction(ends.lo), Fraction(ends.hi)))
    if orders:
        with suppress(Rejected):
            ends = suprema.rho(h, list(map(str, orders)))
            found.append((RHO, None, Fraction(ends.lo), Fraction(ends.hi)))
            step["orders"] = list(map(str, orders))
    if mu is not None:
        with suppress(Rejected):
            rules.gaussian_mu(h, *mu)
            found.append((MU, None, *mu))
    return found, step


def _mu(envelope: Envelope, exactly: bool) -> tuple[Fraction, Fraction] | None:
    """The ends of mu, moved outward: further where the checker bounds a tail anew."""
    try:
        found = envelope.gdp()
    except Undecided:
        return None
    slack = found.upper / (10**9 if exactly else 10**5)
    return max(Fraction(0), found.lower - slack), found.upper + slack


def _enclosed(ends: dict[str, str]) -> Enclosed:
    return Enclosed(Fraction(ends["lower"]), Fraction(ends["upper"]))
