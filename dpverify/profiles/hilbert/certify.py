"""From points of a profile in infinite dimension to a certificate: panels of V that the kernel replays.

The panels are chosen with the kernel's own functions; nothing here is trusted, since whoever receives the certificate
has it checked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import floor, log2
from typing import TYPE_CHECKING, Any

from dpverify.certificate.seal import replayed, sealed
from dpverify.certificate.ways import with_taken_ways
from dpverify.enclosures import Undecided, fraction_below, precision
from dpverify.findings import Reason
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, Interval, hull, interval
from dpverify.kernel.sections import hilbert
from dpverify.kernel.steps import Steps
from dpverify.mixtures.charts import Charts, Question
from dpverify.mixtures.law import Density
from dpverify.profiles.hilbert.profile import BITS, Bounds, MixtureProfile
from dpverify.profiles.result import Profile, rounded
from dpverify.prover.breaks import breaks
from dpverify.prover.profile.inverse import quantile

if TYPE_CHECKING:
    from dpverify.profiles.hilbert.ask import Asked, Levels

ORDER, DIGITS, MOST_PANELS = 10, 11, 1_000
WIDTH, FINE, LITTLE = Fraction(1, 10**9), Fraction(1, 10**13), Fraction(1, 10**12)
"""How narrow a claim is; and of a panel's part, and of what lies beyond them all, of the whole."""
NARROWEST, FURTHEST, ROUGH = Fraction(1, 2**20), 1_000, Fraction(1, 1000)
SHORTER, LONGER = Fraction(3, 4), Fraction(5, 4)
"""How the part of v that a panel spans is changed where one is not narrow enough, and where one is."""


def certified(found: Profile, asked: Asked, prover: MixtureProfile, levels: Levels) -> Profile:
    """The same profile with a certificate, or why there is none."""
    asked.progress("the checker's panels", 0)
    try:
        certificate = _certificate(asked, prover, levels)
    except (Undecided, Rejected, ArithmeticError) as error:
        why = " ".join(str(error).split())
        return replace(found, reason=f"{found.reason} There is no certificate: {why}.")
    return replace(found, certificate=certificate)


def _certificate(asked: Asked, prover: MixtureProfile, levels: Levels) -> dict[str, Any]:
    points = [prover.at(e, WIDTH) for e in levels[0]]
    quantiles = []
    for delta in levels[1]:
        ends = quantile(prover, delta, WIDTH)
        points += ends
        low, high = (str(x.epsilon) for x in ends)
        quantiles.append({"delta": str(delta), "epsilon": {"lower": low, "upper": high}})
    unknown = {"lower": "0", "upper": "1"}
    claim: dict[str, Any] = {
        "kind": "mixture profile",
        "verdict": "profile",
        "theorem": "Theorem C",
        "mixing": asked.mixing.text,
        "parameters": {name: str(value) for name, value in asked.mixing.parameters.items()},
        "dimension": "infinity",
        "sensitivity": str(asked.sensitivity),
        "scale": str(asked.scale),
        "points": [{"epsilon": str(p.epsilon), "delta": dict(unknown)} for p in points],
        "quantiles": quantiles,
    }
    proof = _panels(asked, claim, prover, points) if isinstance(asked.mixing.law, Density) else {}
    steps = Steps(proof)
    bounds, _, problem = hilbert.bounds(claim, steps)
    proof = {name: step for name, step in proof.items() if name in steps.taken}
    if problem is not None:
        proof = with_taken_ways(proof, problem)
    for point, (lower, upper) in zip(claim["points"], bounds, strict=True):
        least, most = rounded(Fraction(lower), DIGITS, False), rounded(Fraction(upper), DIGITS, True)
        point["delta"] = {"lower": str(max(least, Fraction(0))), "upper": str(min(most, Fraction(1)))}
    return sealed(claim, proof, replayed(claim, proof))


def _panels(asked: Asked, claim: dict[str, Any], prover: MixtureProfile, points: Sequence[Bounds]) -> dict[str, Any]:
    """The charts of the density, and marks between which its panels are narrow enough at every eps."""
    text, parameters = claim["mixing"], claim["parameters"]
    charts = Charts(Question(text, parameters, 1, asked.sensitivity, asked.scale), prover.law.node)
    with precision(BITS):
        mass = fraction_below(prover.law.mass(ROUGH, LITTLE))
    search = _Search(charts, asked.shift, points, mass)
    return charts.steps | {"law": {"order": ORDER, "marks": [str(v) for v in search.marks()], "ends": charts.ends}}


class _Search:
    """Marks of V: ends beyond which there is little, and panels between them."""

    def __init__(self, charts: Charts, s: Fraction, points: Sequence[Bounds], mass: Fraction) -> None:
        self.charts, self.p, self.mass = charts, charts.problem, mass
        chosen = {0, len(points) // 2, len(points) - 1}
        self.levels = [(hilbert.Level(s, x.epsilon), x.lower) for k, x in enumerate(points) if k in chosen]

    def marks(self) -> list[Fraction]:
        low, high = self._end("zero"), self._end("infinity")
        stops = [*sorted(x for x in breaks(self.charts.node, low, high) if low < x < high), high]
        kept, before = [low], hilbert.ENDS[self.charts.ends["zero"]](self.p, low, "zero")
        part = Fraction(1, 2)
        while stops:
            a = kept[-1]
            b = min(stops[0], rounded_up(a + a * part))
            panel = self._fine((a, b), before)
            if panel is None:
                part *= SHORTER
                if part <= NARROWEST:
                    raise Undecided(Reason.MIXING_NO_PANELS(at=a))
                continue
            kept.append(b)
            before, part = panel.after, min(part * LONGER, Fraction(2))
            stops = [x for x in stops if x > b]
            if len(kept) > MOST_PANELS:
                raise Undecided(Reason.MIXING_TOO_MANY_PANELS(most=MOST_PANELS))
        return kept

    def _end(self, side: str) -> Fraction:
        """A mark beyond which what is not known of the mass, and of the means, is little."""
        outward = side == "infinity"
        at = self.p.r1 if outward else self.p.r0
        if self.charts.ends[side] == "nothing":
            return at
        for _ in range(FURTHEST):
            if self._little(at, side):
                return at
            at = at * 2 if outward else at / 2
        raise Undecided(Reason.MIXING_MASS_AT_END())

    def _little(self, at: Fraction, side: str) -> bool:
        try:
            mass = hilbert.beyond(self.p, at, side)
        except Rejected:
            return False
        whole, outward = interval(self.mass), side == "infinity"
        if not _within(mass, whole * LITTLE):
            return False
        some = hull(ZERO, mass)
        return all(_within(some * h.at(at) if outward else some, whole * (LITTLE * d)) for h, d in self.levels)

    def _fine(self, box: tuple[Fraction, Fraction], before: Interval) -> hilbert.Panel | None:
        """The panel, if its part of every mean is known well enough."""
        whole = interval(self.mass)
        try:
            panel = hilbert.Panel(self.p, 2 * ORDER, box, before)
            fine = width(panel.after) - width(before) <= (whole * FINE).lo and all(
                _within(h.part(panel), whole * (FINE * d / h.s)) for h, d in self.levels
            )
        except Rejected:
            return None
        return panel if fine else None


def rounded_up(x: Fraction) -> Fraction:
    """A rational a little above, with few bits."""
    unit = Fraction(2) ** (floor(log2(x)) - 12)
    return (x // unit + 1) * unit


def _within(found: Interval, most: Interval) -> bool:
    return width(found) <= most.lo


def width(found: Interval) -> Decimal:
    """How far an interval's ends are apart."""
    return found.hi - found.lo
