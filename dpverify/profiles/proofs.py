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
from dpverify.kernel.intervals import Interval, hull, interval
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
OUTWARD = {True: Fraction(1, 10**11), False: Fraction(1, 10**5)}
"""How far the ends of mu are moved outward, as a part of it: further where the checker bounds a tail anew."""
REACHES = tuple(Fraction(1, 2**k) for k in range(1, 7))
"""How far above 1 orders are bounded by that of order 1."""
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
    """Renyi divergences by integrals of their own."""
    wanted = [(m.at, m.value) for m in known if m.name == RENYI and m.at is not None and _closely(m.value)]
    found, steps = _of_their_own(claim, proof, wanted, prover)
    return [(RENYI, *ends) for ends in found], {"integrals": steps} if steps else {}


def of_rho(
    claim: dict[str, Any], proof: dict[str, Any], known: Sequence[Measure], prover: Prover
) -> tuple[Enclosed, dict[str, Any]] | None:
    """The divergence of order 1 by an integral of its own, with its step, where it is rho."""
    (value,) = [m.value for m in known if m.name == RHO] or [None]
    found, steps = ([], []) if value is None else _of_their_own(claim, proof, [(Fraction(1), value)], prover)
    if value is None or not found or found[0][2] < value.lower:
        return None
    return Enclosed(*found[0][1:]), steps[0]


def _of_their_own(
    claim: dict[str, Any], proof: dict[str, Any], wanted: Sequence[tuple[Fraction, Enclosed]], prover: Prover
) -> tuple[list[tuple[Fraction, Fraction, Fraction]], list[dict[str, Any]]]:
    """What the checker finds of these orders, where f does not rise, is not cut, and has no edges in space."""
    if not wanted or prover.theorem != THEOREM or prover.cut is not None or not proof["profile"]["mass"]:
        return [], []
    if prover.problem.dimension > 1 and prover.radial().breaks:
        return [], []
    replay = profiles.opened(claim, Steps(proof))[1]
    return by_integrals(replay, wanted, _marks(proof["profile"]))


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
    first: tuple[Enclosed, dict[str, Any]] | None = None,
) -> tuple[Found, dict[str, Any]]:
    """What follows from the claim's points, and from moments of the loss where they do not end at 0; rho from the
    divergence of order 1 too, where that is given with its step."""
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
    mu = _mu(envelope, OUTWARD[h.ended]) if wanted.gdp and (h.ended or beyond) else None
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
            step["orders"] = list(map(str, orders))
            closer = None if first is None else _rho_at_one(h, envelope, first[0])
            if first is not None and closer is not None:
                ends, reach, others = closer
                step |= {"orders": others, "beside": str(reach), "integrals": [first[1]]}
            found.append((RHO, None, Fraction(ends.lo), Fraction(ends.hi)))
    if mu is not None:
        with suppress(Rejected):
            rules.gaussian_mu(h, *mu)
            found.append((MU, None, *mu))
    return found, step


def _rho_at_one(
    h: rules.Profile, envelope: Envelope, first: Enclosed
) -> tuple[Interval, Fraction, list[str]] | None:
    """rho where that is D_1, how far above the order 1 the variance of the loss shows that, and the orders."""
    near = hull(interval(first.lower), interval(first.upper))
    for reach in REACHES:
        with suppress(Rejected, Undecided):
            if Fraction(suprema.beside_one(h, near, reach)) > first.upper * (1 + CLOSE):
                continue
            envelope.zcdp((first, 1 + reach))
            orders = list(map(str, envelope.orders))
            return suprema.rho(h, orders, (near, reach)), reach, orders
    return None


def _mu(envelope: Envelope, outward: Fraction) -> tuple[Fraction, Fraction] | None:
    """The ends of mu, moved outward."""
    try:
        found = envelope.gdp(OUTWARD[True])
    except Undecided:
        return None
    slack = found.upper * outward
    return max(Fraction(0), found.lower - slack), found.upper + slack


def _enclosed(ends: dict[str, str]) -> Enclosed:
    return Enclosed(Fraction(ends["lower"]), Fraction(ends["upper"]))
