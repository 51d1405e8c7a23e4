"""`compose`: from certificates of single releases to what they guarantee together, with a certificate of that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.composition import optimal
from dpverify.errors import InputError
from dpverify.language import parse_rational
from dpverify.profiles import Enclosed, Point, Profile
from dpverify.profiles.result import rounded

THEOREM = "optimal composition"
DIGITS = 14
MOST_TIMES = 100_000
TOLERANCE = Fraction(1, 10**9)
Release = str | Path | Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """One release: its certificate, which the kernel has accepted, how often it is made, and its epsilon."""

    certificate: Mapping[str, Any]
    digest: str
    times: int
    epsilon: Fraction
    assumptions: tuple[str, ...]


def compose(
    releases: Iterable[Release | tuple[Release, int]],
    *,
    epsilon: object = None,
    delta: object = None,
    tolerance: object = None,
    certificate: bool = False,
) -> Profile:
    """What several releases guarantee together, adaptively chosen and repeated: delta(eps), and eps(delta).

    From certificates of a pure epsilon alone, so the bound is the best for all mechanisms with these epsilons,
    and is reached by randomised response; what is known of the noise beyond its epsilon is not used.

    Args:
        releases: certificates (files or data), or pairs of one and the number of times it is released.
        epsilon: an eps >= 0, or several, exact.
        delta: a delta in (0, 1), or several, exact.
        tolerance: the width of an enclosed eps, relative to it (default 1e-9).
        certificate: also make a certificate, which carries its parts, and have the kernel replay it.

    Raises:
        InputError: for a certificate that does not hold or claims no epsilon, and for numbers that cannot be used.

    Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; Murtagh and Vadhan (2016), Theorem 1.5.
    """
    parts = [_part(*(x if isinstance(x, tuple) else (x, 1))) for x in releases]
    if not parts:
        raise InputError("give at least one certificate to compose")
    width = TOLERANCE if tolerance is None else parse_rational(tolerance, "the tolerance")
    if not Fraction(1, 10**40) <= width < 1:
        raise InputError("the tolerance is relative, below 1 and at least 1e-40")
    levels, targets = _levels(epsilon, "epsilon"), _levels(delta, "delta")
    if any(x < 0 for x in levels) or any(not 0 < x < 1 for x in targets):
        raise InputError("an epsilon must not be negative, and a delta must lie between 0 and 1")
    times: dict[Fraction, int] = {}
    for part in parts:
        times[part.epsilon] = times.get(part.epsilon, 0) + part.times
    points = [Point(e, _outward(optimal.delta(times, e))) for e in levels]
    points += [Point(Enclosed(*optimal.quantile(times, t, width)), t) for t in targets]
    assumptions = tuple(dict.fromkeys(a for part in parts for a in part.assumptions))
    said = "; ".join(map(_said, points)) or "No point was asked for"
    releases_said = " and ".join(f"{n} times epsilon = {_short(e)}" for e, n in times.items())
    reason = f"{said}, the best guarantee that follows from {releases_said}."
    found = Profile("proved", tuple(points), reason, THEOREM, assumptions, {"releases": releases_said})
    return _certified(found, parts, times) if certificate else found


def _levels(given: object, what: str) -> tuple[Fraction, ...]:
    if given is None:
        return ()
    many = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    return tuple(parse_rational(x, what) for x in many)


def _part(release: Release, times: int) -> Part:
    from dpverify.api import check
    from dpverify.serialise import load

    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MOST_TIMES:
        raise InputError(f"a certificate is released from 1 to {MOST_TIMES} times, not {times!r}")
    name = "the certificate" if isinstance(release, Mapping) else str(release)
    data = release if isinstance(release, Mapping) else load(release)
    report = check(data)
    if not report.accepted or report.claim is None:
        raise InputError(f"{name} does not hold: {report.refusal()}")
    if report.claim.get("verdict") != "private":
        raise InputError(f"{name} proves no pure epsilon, and only such certificates are composed yet")
    epsilon = rounded(Fraction(report.claim["epsilon"]["upper"]), DIGITS, True)
    return Part(json.loads(json.dumps(data)), report.digest, times, epsilon, report.assumptions)


def _outward(bounds: tuple[Fraction, Fraction]) -> Enclosed:
    return Enclosed(rounded(bounds[0], DIGITS, False), min(Fraction(1), rounded(bounds[1], DIGITS, True)))


def _short(x: Fraction) -> str:
    return str(x) if len(str(x)) < 12 else f"{float(x):.12g}"


def _said(point: Point) -> str:
    if isinstance(point.epsilon, Fraction):
        assert isinstance(point.delta, Enclosed)
        return f"delta({point.epsilon}) = {point.delta.decimal}"
    return f"eps({point.delta}) = {point.epsilon.decimal}"


def _certified(found: Profile, parts: list[Part], times: dict[Fraction, int]) -> Profile:
    """The composition's certificate, replayed."""
    from dataclasses import replace

    from dpverify.kernel import FORMAT, VERSION
    from dpverify.kernel import certificate as kernel
    from dpverify.kernel.rules import Ledger, by_section
    from dpverify.serialise import digest
    from dpverify.version import __version__

    kernel.load_section("composition")
    points, quantiles = [], []
    for point in found.points:
        if isinstance(point.delta, Enclosed):
            points.append({"epsilon": str(point.epsilon), "delta": _ends(point.delta)})
            continue
        assert isinstance(point.epsilon, Enclosed)
        for e in sorted({point.epsilon.lower, point.epsilon.upper}):
            points.append({"epsilon": str(e), "delta": _ends(_outward(optimal.delta(times, e)))})
        quantiles.append({"delta": str(point.delta), "epsilon": _ends(point.epsilon)})
    claim = {
        "kind": "composition",
        "verdict": "composition",
        "parts": [{"digest": p.digest, "times": p.times, "epsilon": str(p.epsilon)} for p in parts],
        "theorem": THEOREM,
        "points": points,
        "quantiles": quantiles,
    }
    proof = {"parts": {p.digest: p.certificate for p in parts}}
    ledger = Ledger()
    assumptions = kernel.replay(claim, proof, ledger)
    certificate = {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "dpverify", "version": __version__},
        "claim": claim,
        "rules": by_section(ledger.used),
        "proof": proof,
        "assumptions": assumptions,
    }
    certificate["digest"] = digest(certificate)
    return replace(found, certificate=certificate, assumptions=tuple(assumptions))


def _ends(value: Enclosed) -> dict[str, str]:
    return {"lower": str(value.lower), "upper": str(value.upper)}
