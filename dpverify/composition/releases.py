"""`compose`: from certificates of releases to what they guarantee together, with a certificate of that."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.composition import optimal
from dpverify.composition.whole import Sampling
from dpverify.errors import InputError
from dpverify.language import parse_rational
from dpverify.numerals import stated
from dpverify.profiles import Enclosed, Point, Profile
from dpverify.profiles.result import equals, outward, rounded

if TYPE_CHECKING:
    from dpverify.api import CheckReport

THEOREM = "optimal composition"
DIGITS = 14
MOST_TIMES = 100_000
TOLERANCE = Fraction(1, 10**9)
WHOLE = "composition of profiles"
Release = str | Path | Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """One release: its certificate, which the kernel has accepted, what that says of delta(eps), how often it is
    released, and on which sample."""

    certificate: Mapping[str, Any]
    claim: Mapping[str, Any]
    digest: str
    times: int
    assumptions: tuple[str, ...]
    sampling: Sampling | None = None

    @property
    def epsilon(self) -> Fraction | None:
        """The pure epsilon that it proves, in few digits; None where it is about a profile, or on a sample."""
        if "points" in self.claim or self.sampling is not None:
            return None
        return rounded(Fraction(self.claim["epsilon"]["upper"]), DIGITS, True)


def compose(
    releases: Iterable[Release | tuple[Release, int] | tuple[Release, int, Sampling | None]],
    *,
    epsilon: object = None,
    delta: object = None,
    tolerance: object = None,
    certificate: bool = False,
) -> Profile:
    """What several releases guarantee together, adaptively chosen and repeated: delta(eps), and eps(delta).

    From certificates of a pure epsilon alone the bound is the best for all mechanisms with these epsilons, and is
    reached by randomised response.  From certificates of profiles (whole ones, or points, which say no more than they
    say) the upper bound holds for all mechanisms with these profiles; the lower bound is of these very releases, from
    whole profiles on one grid that are not sampled, and 0 is said where nothing is known.

    Args:
        releases: certificates (files or data), or pairs of one and the number of times it is released, or triples of
            these and the `Sampling` of the records on which it is released.
        epsilon: an eps >= 0, or several, exact.
        delta: a delta in (0, 1), or several, exact.
        tolerance: the width of an enclosed eps, relative to it (default 1e-9), for pure epsilons.
        certificate: also make a certificate, which carries its parts, and have the kernel replay it.

    Raises:
        InputError: for a certificate that does not hold or claims neither, and for numbers that cannot be used.

    Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; Murtagh and Vadhan (2016), Theorem 1.5; Doroshenko et al.
    (2022) for connecting the dots; Balle, Barthe and Gaboardi (2018) for samples.
    """
    with replaying_once():
        parts = [_part(*(x if isinstance(x, tuple) else (x, 1))) for x in releases]
        return _composed(parts, epsilon, delta, tolerance, certificate)


@contextmanager
def replaying_once() -> Iterator[None]:
    """The kernel replays no certificate twice that it has accepted before."""
    from dpverify.kernel.sections.accepted import ACCEPTED

    token = ACCEPTED.set({})
    try:
        yield
    finally:
        ACCEPTED.reset(token)


def _composed(parts: Sequence[Part], epsilon: object, delta: object, tolerance: object, certificate: bool) -> Profile:
    if not parts:
        raise InputError("give at least one certificate to compose")
    width = TOLERANCE if tolerance is None else parse_rational(tolerance, "the tolerance")
    if not Fraction(1, 10**40) <= width < 1:
        raise InputError("the tolerance is relative, below 1 and at least 1e-40")
    levels, targets = _levels(epsilon, "epsilon"), _levels(delta, "delta")
    if any(x < 0 for x in levels):
        raise InputError("an epsilon must not be negative")
    if any(not 0 < x < 1 for x in targets):
        raise InputError("a delta must lie between 0 and 1")
    epsilons = [part.epsilon for part in parts]
    if None in epsilons:
        return _whole(parts, levels, targets, width, certificate)
    times: dict[Fraction, int] = {}
    for part, size in zip(parts, epsilons, strict=True):
        assert size is not None
        times[size] = times.get(size, 0) + part.times
    points = [Point(e, _outward(optimal.delta(times, e))) for e in levels]
    points += [Point(outward(Enclosed(*optimal.quantile(times, t, width)), width), t) for t in targets]
    releases_said = " and ".join(f"{n} times epsilon = {_short(e)}" for e, n in times.items())
    reason = f"{_all_said(points)}, the best guarantee that follows from {releases_said}."
    found = Profile("proved", tuple(points), reason, THEOREM, _assumed(parts), {"releases": releases_said})
    if not certificate:
        return found
    claimed, quantiles = _claimed(found, lambda e: _outward(optimal.delta(times, e)))
    claim = {
        "kind": "composition",
        "verdict": "composition",
        "parts": [{"digest": p.digest, "times": p.times, "epsilon": str(p.epsilon)} for p in parts],
        "theorem": THEOREM,
        "points": claimed,
        "quantiles": quantiles,
    }
    return _certified(found, "composition", claim, {"parts": {p.digest: p.certificate for p in parts}})


def _whole(
    parts: Sequence[Part],
    levels: Sequence[Fraction],
    targets: Sequence[Fraction],
    tolerance: Fraction,
    certificate: bool,
) -> Profile:
    """The composition of profiles."""
    from dpverify.composition import whole
    from dpverify.kernel.sections import releases as kernel

    ways = {p.sampling.kind for p in parts if p.sampling}.union(
        *(kernel.ways(p.claim, p.certificate["proof"]) for p in parts)
    )
    if len(ways) > 1:
        raise InputError("poisson and fixed samples are for other neighbours each, and cannot be composed")
    known = [whole.Release(kernel.known(part.claim), part.times, part.sampling) for part in parts]
    steps = whole.proof(known, levels, targets)
    together = whole.measured(known, steps)

    def at(epsilon: Fraction) -> Enclosed:
        found = together.delta(epsilon)
        return _outward((Fraction(found.lo), Fraction(found.hi)))

    points = [Point(e, at(e)) for e in levels]
    points += [Point(outward(Enclosed(*whole.quantile(together, t, tolerance)), tolerance), t) for t in targets]
    said = " and ".join(f"{p.times} times {_named(p)}" for p in parts)
    reason = f"{_all_said(points)}, of {said} together."
    found = Profile("proved", tuple(points), reason, WHOLE, _assumed(parts), {"releases": said})
    if not certificate:
        return found
    claimed, quantiles = _claimed(found, at)
    listed = [
        {"digest": p.digest, "times": p.times, "sampling": p.sampling.to_json() if p.sampling else None} for p in parts
    ]
    claim = {
        "kind": "releases",
        "verdict": "releases",
        "parts": listed,
        "theorem": WHOLE,
        "points": claimed,
        "quantiles": quantiles,
    }
    return _certified(found, "releases", claim, {"parts": {p.digest: p.certificate for p in parts}, **steps})


def _named(part: Part) -> str:
    """What a part is about, in short."""
    claim = part.claim
    if claim.get("kind", "profile") == "profile":
        name = f"f(y) = {claim['generator']}, d = {claim['dimension']}"
    elif "mixing" in claim:
        space = "in infinite dimension" if claim["dimension"] == "infinity" else f"d = {claim['dimension']}"
        name = f"X = V Z, V of law {claim['mixing']}, {space}"
    else:
        name = f"the composition {part.digest[:12]}"
    return name if part.sampling is None else f"{name}, on a {part.sampling.kind} sample of {part.sampling.rate}"


def _assumed(parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(a for part in parts for a in part.assumptions))


def _all_said(points: Sequence[Point]) -> str:
    return "; ".join(map(_said, points)) or "No point was asked for"


def _levels(given: object, what: str) -> tuple[Fraction, ...]:
    if given is None:
        return ()
    many = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return tuple(parse_rational(x, what) for x in many)


def _part(release: Release, times: int, sampling: Sampling | None = None) -> Part:
    from dpverify.api import check
    from dpverify.serialise import load

    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MOST_TIMES:
        raise InputError(f"a certificate is released from 1 to {MOST_TIMES} times, not {times!r}")
    name = "the certificate" if isinstance(release, Mapping) else str(release)
    data = release if isinstance(release, Mapping) else load(release)
    report = check(data)
    if not report.accepted or report.claim is None:
        raise InputError(f"{name} does not hold: {report.refusal()}")
    _keep(report)
    if "points" not in report.claim and report.claim.get("verdict") != "private":
        raise InputError(f"{name} proves no pure epsilon, and no profile; certify one with dpverify profile --curve")
    return Part(json.loads(json.dumps(data)), report.claim, report.digest, times, report.assumptions, sampling)


def _keep(report: CheckReport) -> None:
    """What the kernel has accepted it does not replay as a part."""
    from dpverify.kernel import Checked
    from dpverify.kernel.sections.accepted import ACCEPTED

    kept = ACCEPTED.get()
    if kept is not None:
        claim, proof = dict(report.claim or {}), dict(report.proof or {})
        kept[report.digest] = Checked(claim, report.assumptions, report.digest, report.rules, proof)


def _outward(bounds: tuple[Fraction, Fraction]) -> Enclosed:
    return Enclosed(rounded(bounds[0], DIGITS, False), min(Fraction(1), rounded(bounds[1], DIGITS, True)))


def _short(x: Fraction) -> str:
    return str(x) if len(str(x)) < 12 else f"{float(x):.12g}"


def _said(point: Point) -> str:
    if isinstance(point.epsilon, Fraction):
        assert isinstance(point.delta, Enclosed)
        return f"delta({stated(point.epsilon)}) {equals(point.delta)}"
    assert isinstance(point.delta, Fraction)
    return f"eps({stated(point.delta)}) {equals(point.epsilon)}"


def _claimed(found: Profile, at: Callable[[Fraction], Enclosed]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The points of the claim, those at the ends of an enclosed eps among them, and the enclosed eps."""
    points, quantiles = [], []
    for point in found.points:
        if isinstance(point.delta, Enclosed):
            points.append({"epsilon": str(point.epsilon), "delta": _ends(point.delta)})
            continue
        assert isinstance(point.epsilon, Enclosed)
        for e in sorted({point.epsilon.lower, point.epsilon.upper}):
            points.append({"epsilon": str(e), "delta": _ends(at(e))})
        quantiles.append({"delta": str(point.delta), "epsilon": _ends(point.epsilon)})
    return points, quantiles


def _certified(found: Profile, section: str, claim: dict[str, Any], proof: dict[str, Any]) -> Profile:
    """The composition's certificate, replayed."""
    from dataclasses import replace

    from dpverify.certificate.seal import replayed, sealed
    from dpverify.kernel import certificate as kernel

    kernel.load_section(section)
    support = replayed(claim, proof)
    return replace(found, certificate=sealed(claim, proof, support), assumptions=tuple(support[0]))


def _ends(value: Enclosed) -> dict[str, str]:
    return {"lower": str(value.lower), "upper": str(value.upper)}
