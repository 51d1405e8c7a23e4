"""Whole curves from one audit: epsilon at every delta, mu, rho and the trade-off, by one simultaneous band.

A score and a ladder of thresholds are chosen on the pilot. On the other samples the probabilities p and q of
each event {score >= t} under P and Q get Clopper-Pearson bounds on both sides, each at the same share of alpha, so
that all of them hold at once with the stated confidence. What follows from them needs no further correction:
epsilon >= log((p - delta)/q) at every delta; delta >= p - e^epsilon q at every epsilon; as a test with errors q
and 1 - p, mu >= Phi^-1(p) - Phi^-1(q) (Dong, Roth and Su 2022, Definition 4) and rho >= D_a(p, q)/a at every
order a > 1, D_a being Renyi's divergence of two coins (Bun and Steinke 2016, Definition 1.1; post-processing).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log, nextafter
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from dpverify.audit.bounds import SLACK, Counts, Procedure, clopper_pearson_lower, clopper_pearson_upper
from dpverify.audit.built_in import BuiltIn
from dpverify.audit.campaign import Number, Progress, checked
from dpverify.audit.choice import Test, in_order, steps, within
from dpverify.audit.counting import Task
from dpverify.audit.engine import counted
from dpverify.audit.events import Event
from dpverify.audit.exactly import exact_number
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.outcomes import joined
from dpverify.audit.plan import plan
from dpverify.audit.report import save
from dpverify.audit.sample_files import Files
from dpverify.audit.scores import Array, Score, score_to_json, values_of
from dpverify.audit.seeds import fresh_seed
from dpverify.errors import InputError
from dpverify.shown import Shown

RUNGS = 12
"""Thresholds on each side of the median."""
FEWEST_BEYOND = 3
"""Samples of the pilot beyond the outermost threshold."""
ORDERS = 1 + np.geomspace(1e-3, 1e3, 61)
LOOKED_AT = 1e-2
"""The delta for which the score is chosen: one that sees the bulk of the outputs and not the tails alone."""


@dataclass(frozen=True)
class Banded:
    """An event {score >= threshold} or its complement: p >= `p` under the first output, q <= `q` under the second."""

    side: str
    threshold: float
    direction: str
    p: float
    q: float


@dataclass(frozen=True)
class Certified:
    """What a certificate of a profile proves: delta at epsilon is at most `delta`."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class CurveReport(Shown):
    """What one band shows; all of it holds at once with the stated confidence.

    `band` has the events with their bounds, `certified` the points of a certificate's curve.
    """

    score: Score
    band: tuple[Banded, ...]
    confidence: float
    samples: int
    source: str
    seed: int
    certified: tuple[Certified, ...] = ()
    file: str | None = None

    def epsilon(self, delta: Number) -> float:
        """A lower bound on epsilon at this delta."""
        at = float(exact_number(delta, "delta"))
        return max([0.0, *(log((e.p - at) / e.q) - SLACK for e in self.band if e.p > at and e.q > 0)])

    def delta(self, epsilon: Number) -> float:
        """A lower bound on delta at this epsilon."""
        at = exp(float(exact_number(epsilon, "epsilon")))
        return max([0.0, *(e.p - at * e.q - SLACK for e in self.band)])

    @property
    def mu(self) -> float:
        """A lower bound on mu of Gaussian privacy."""
        return max([0.0, *(float(special.ndtri(e.p) - special.ndtri(e.q)) - SLACK for e in self.band if e.p > 0)])

    @property
    def rho(self) -> float:
        """A lower bound on rho of zero-concentrated privacy."""
        found = [_concentrated(e.p, e.q) for e in self.band if 0 < e.q < e.p < 1]
        return max([0.0, *(value - SLACK for value in found)])

    @property
    def trade_off(self) -> list[tuple[float, float]]:
        """Corners of a curve that the trade-off function does not pass: errors of the first and the second kind."""
        corners = sorted({(0.0, 1.0), (1.0, 0.0), *((e.q, 1 - e.p) for e in self.band if e.p > e.q)})
        hull: list[tuple[float, float]] = []
        for corner in corners:
            while len(hull) > 1 and _above(hull[-2], hull[-1], corner):
                hull.pop()
            hull.append(corner)
        return hull

    @property
    def violated(self) -> tuple[Certified, ...]:
        """The certified points that the samples contradict."""
        return tuple(point for point in self.certified if self.delta(point.epsilon) > point.delta)

    @property
    def verdict(self) -> str:
        """Violated where a certified point is contradicted, else consistent; no_claim where there is none."""
        return "no_claim" if not self.certified else "violated" if self.violated else "consistent"

    def to_json(self) -> dict[str, Any]:
        """All that is told as plain data, with the band that it follows from."""
        return {
            "verdict": self.verdict,
            "confidence": self.confidence,
            "samples": self.samples,
            "source": self.source,
            "seed": self.seed,
            "mu_lower": self.mu,
            "rho_lower": self.rho,
            "epsilon_lower": {str(delta): self.epsilon(delta) for delta in DELTAS},
            "trade_off": self.trade_off,
            "score": score_to_json(self.score),
            "band": [[e.direction, e.side, e.threshold, e.p, e.q] for e in self.band],
            "certified": [
                {"epsilon": str(c.epsilon), "delta_upper": str(c.delta), "delta_lower": self.delta(c.epsilon)}
                for c in self.certified
            ],
        }

    def save(self, path: str | Path) -> Path:
        """Write the report as JSON to a new file; raises InputError where that fails, or the file exists."""
        return save(self.to_json(), path)


DELTAS = ("0", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1")


def audit_curve(
    source: BuiltIn | Mechanism | Files,
    *,
    confidence: Number = 0.99,
    seed: int | None = None,
    model: BuiltIn | None = None,
    scores: Sequence[Score] = (),
    certified: Sequence[Certified] = (),
    file: str | None = None,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> CurveReport:
    """Lower bounds on the whole privacy curve, which hold together with the stated confidence.

    Args:
        source: BuiltIn, Mechanism or Files; samples must be independent.
        confidence: the least probability that all bounds hold.
        seed: an integer from 0; None for a fresh one.
        model: what P and Q are thought to be; its exact privacy loss competes with the other scores.
        scores: of one's own, as in `audit`.
        certified: points of a certified curve to compare with; `file` is where they are from.
        jobs, progress: as in `audit`.

    Raises InputError as `audit` does. Bits are not examined: this is about the law.
    """
    sure = float(exact_number(confidence, "the confidence"))
    checked(source, Fraction(0), sure, seed)
    chosen = fresh_seed() if seed is None else seed
    planned = plan(source, chosen, {"law": 1 - sure}, nextafter(LOOKED_AT, 1), model, scores)
    score = planned.tests["law"][0].event.score
    tests = tuple(
        Test(Event(score, ">=", t, "P/Q"), Procedure("paired")) for t in _thresholds(_values(source, score, chosen))
    )
    total = (Counts(),) * len(tests)
    task, done = Task(source, tests, chosen), 0
    for counts in counted(task, range(source.chunks()), jobs):
        total, done = tuple(map(add, total, counts)), done + 1
        if progress is not None:
            progress(done, source.chunks())
    level = (1 - sure) / (4 * len(tests))
    band = [e for test, counts in zip(tests, total, strict=True) for e in _banded(test.event.threshold, counts, level)]
    return CurveReport(score, tuple(band), sure, source.given, source.text, chosen, tuple(certified), file)


def certified_by(path: str | Path) -> tuple[tuple[Certified, ...], Mapping[str, Any]]:
    """The points that the certificate in a file proves, and its claim: a profile's, or delta = 0 at a proved epsilon.

    Raises InputError where the kernel does not accept it.
    """
    from dpverify.api import check

    report = check(path)
    if not report.accepted or report.claim is None:
        raise InputError(f"{path}: the certificate does not hold ({report.refusal()})")
    claim = report.claim
    if "points" in claim and "parts" not in claim:
        return certified_points(claim), claim
    if claim.get("epsilon") is None:
        raise InputError(f"{path}: the certificate proves no point of a privacy curve")
    return (Certified(Fraction(claim["epsilon"]["upper"]), Fraction(0)),), claim


def certified_points(claim: Mapping[str, Any]) -> tuple[Certified, ...]:
    """The points that the claim of a profile's certificate proves, those of its quantiles among them."""
    points = [(p["epsilon"], p["delta"]["upper"]) for p in claim["points"]]
    points += [(q["epsilon"]["upper"], q["delta"]) for q in claim["quantiles"]]
    return tuple(Certified(Fraction(epsilon), Fraction(delta)) for epsilon, delta in points)


def _values(source: BuiltIn | Mechanism | Files, score: Score, seed: int) -> Array:
    if isinstance(source, BuiltIn):
        values = np.concatenate([score(x) for x in source.ideal()])
        return np.concatenate([values, -values])  # around two centres the laws mirror each other
    lots = [joined(source.pilot(which, seed)) for which in ("P", "Q")]  # type: ignore[arg-type]
    return np.concatenate([values_of(score, lot) for lot in lots])


def _thresholds(values: Array) -> list[float]:
    """From the median to both ends of the pilot in even ratios of what lies beyond, none between rounding errors."""
    if np.isnan(values).all():
        raise InputError("the outputs are no numbers that a curve can be drawn of")
    ordered = in_order(values)
    found = within(*steps(ordered, ordered), ">=")
    share = 1 - np.searchsorted(ordered, found) / len(ordered)
    least = min(0.4, FEWEST_BEYOND / len(ordered))
    tails = np.geomspace(0.5, least, RUNGS)
    wanted, odds = special.logit(np.concatenate([tails, 1 - tails])), special.logit(np.clip(share, 1e-12, 1 - 1e-12))
    return sorted({float(found[np.argmin(np.abs(odds - each))]) for each in wanted})


def _banded(threshold: float, counts: Counts, level: float) -> list[Banded]:
    """The event and its complement, in both directions."""
    n, m = counts.first, counts.second
    p = clopper_pearson_lower(counts.first_in, n, level), clopper_pearson_upper(counts.first_in, n, level)
    q = clopper_pearson_lower(counts.second_in, m, level), clopper_pearson_upper(counts.second_in, m, level)
    return [
        Banded(">=", threshold, "P/Q", p[0], q[1]),
        Banded(">=", threshold, "Q/P", q[0], p[1]),
        Banded("<", threshold, "P/Q", 1 - p[1], 1 - q[0]),
        Banded("<", threshold, "Q/P", 1 - q[1], 1 - p[0]),
    ]


def _concentrated(p: float, q: float) -> float:
    """The largest D_a(p, q)/a over some orders a: each of them is a lower bound of rho."""
    with np.errstate(over="ignore"):
        inside = ORDERS * log(p) + (1 - ORDERS) * log(q)
        outside = ORDERS * np.log1p(-p) + (1 - ORDERS) * np.log1p(-q)
    divergences = np.logaddexp(inside, outside) / (ORDERS - 1)
    return float(np.max(divergences / ORDERS, initial=-inf))


def _above(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether b lies on or above the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) >= (c[1] - a[1]) * (b[0] - a[0])
