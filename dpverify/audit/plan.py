"""What is fixed before the counting: the tests, and what else the pilot shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from dpverify.audit.bounds import Stakes
from dpverify.audit.built_in import BuiltIn
from dpverify.audit.choice import Candidate, Part, Test, best_thresholds, choose, choose_ideal, given
from dpverify.audit.fit import Fit, fit_of
from dpverify.audit.fitting import (
    Centres,
    Lot,
    bit_scores,
    fitted_bit_scores,
    fitted_scores,
    is_discrete,
    plain_scores,
)
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.outcomes import Outcomes, joined
from dpverify.audit.sample_files import Files
from dpverify.audit.scores import PrivacyLoss, Score
from dpverify.audit.shared_noise import refuse_shared_noise
from dpverify.audit.sources import Source
from dpverify.audit.warnings import warnings_of
from dpverify.errors import InputError

PARTS: tuple[Part, ...] = ("law", "bits")
WEIGHTS: dict[str, float] = {"law": 0.8, "bits": 0.15, "fit": 0.05}
"""How the error probability is shared out among what is examined."""
BIT_SCORES = 4
"""Scores of the bits that are tested: a small pilot does not tell the best from those that look as good by chance."""


def shares(bits: bool, fit: bool) -> dict[str, float]:
    """The part of alpha that each thing examined spends."""
    examined = {"law": True, "bits": bits, "fit": fit}
    total = sum(WEIGHTS[name] for name, yes in examined.items() if yes)
    return {name: WEIGHTS[name] / total for name, yes in examined.items() if yes}


@dataclass(frozen=True)
class Plan:
    """The tests of each part by what they show, warnings about the samples, and how well they fit a given law."""

    tests: dict[Part, tuple[Test, ...]]
    warnings: tuple[str, ...] = ()
    fit: Fit | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "tests": {part: [test.to_json() for test in tests] for part, tests in self.tests.items()},
            "warnings": list(self.warnings),
            "fit": self.fit and asdict(self.fit),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """What `to_json` wrote down."""
        tests = {part: tuple(map(Test.from_json, each)) for part, each in data["tests"].items()}
        fit = data["fit"]
        return cls(tests, tuple(data["warnings"]), None if fit is None else Fit(**fit))


def plan(
    source: BuiltIn | Mechanism | Files,
    seed: int,
    levels: Mapping[str, float],
    delta: float,
    model: BuiltIn | None = None,
    scores: Sequence[Score] = (),
) -> Plan:
    """The events to count, from the pilot; for dpverify's own noise, from draws that depend on no seed.

    `levels` gives the error probability of each thing that is examined; `scores` compete with those of the audit.
    """
    if isinstance(source, BuiltIn):
        return Plan({"law": (ideal_test(source, _stakes(source, levels["law"], delta)),)})
    p, q = source.pilot("P", seed), source.pilot("Q", seed)
    if isinstance(source, Mechanism):
        for lot_p, lot_q in zip(p, q, strict=True):
            refuse_shared_noise(lot_p, lot_q)
    if model is not None and model.dimension != source.dimension:
        raise InputError(f"the outputs have {source.dimension} coordinate(s), and the model {model.dimension}")
    stakes = {part: _stakes(source, levels[part], delta) for part in PARTS if part in levels}
    tests = tests_on(p, q, stakes, model, centres_of(source), scores)
    fit = fit_of(model, (joined(p), joined(q)), levels["fit"]) if model is not None and "fit" in levels else None
    ordered = source.heads() if isinstance(source, Files) else (p[0], q[0])
    return Plan(tests, warnings_of(*ordered), fit)


def tests_on(
    p: Lot,
    q: Lot,
    stakes: Mapping[Part, Stakes],
    model: BuiltIn | None,
    centres: Centres | None,
    scores: Sequence[Score] = (),
) -> dict[Part, tuple[Test, ...]]:
    """For each part that has stakes its tests, from two lots of samples a side."""
    whole = joined(p), joined(q)
    discrete = is_discrete(joined(whole))
    of_law = _of_law(p, q, whole, discrete, model, stakes["law"], centres, scores)
    tests: dict[Part, tuple[Test, ...]] = {"law": choose(of_law, stakes["law"])}
    if "bits" in stakes and not discrete:  # of few values each is an event of the law
        found = list(_of_bits(p, q, whole, stakes["bits"], centres))
        if found:
            tests["bits"] = choose(found, stakes["bits"], BIT_SCORES)
    return tests


def _of_law(
    p: Lot,
    q: Lot,
    whole: tuple[Outcomes, Outcomes],
    discrete: bool,
    model: BuiltIn | None,
    stakes: Stakes,
    centres: Centres | None,
    scores: Sequence[Score],
) -> Iterator[Candidate]:
    if model is not None:
        event = ideal_test(model, stakes).event
        yield given(event, *whole, stakes)
        yield given(replace(event, side="<", threshold=-event.threshold, direction="Q/P"), *whole, stakes)
        yield from best_thresholds(event.score, *whole, stakes)
    for score in (*scores, *plain_scores(whole[0].dimension)):
        yield from best_thresholds(score, *whole, stakes)
    for score in fitted_scores(p[0], q[0], discrete, centres):
        yield from best_thresholds(score, p[1], q[1], stakes)


def centres_of(source: Mechanism | Files) -> Centres | None:
    """Around what P and Q lie, where a mechanism is given arrays and gives arrays of their length."""
    if not isinstance(source, Mechanism) or source.centres is None or len(source.centres[0]) != source.dimension:
        return None
    first, second = (tuple(np.asarray(centre, dtype=np.float64).tolist()) for centre in source.centres)
    return first, second


def _of_bits(
    p: Lot, q: Lot, whole: tuple[Outcomes, Outcomes], stakes: Stakes, centres: Centres | None
) -> Iterator[Candidate]:
    if not all(np.isfinite(x.numbers).any() for x in whole):
        return
    for score in bit_scores(*whole, centres):
        yield from best_thresholds(score, *whole, stakes)
    for score in fitted_bit_scores(p[0], q[0]):
        yield from best_thresholds(score, p[1], q[1], stakes)


def ideal_test(source: BuiltIn, stakes: Stakes) -> Test:
    """The test of a known noise: by its exact privacy loss, at the threshold that its own law makes best."""
    loss = PrivacyLoss.of(source.noise, source.shift)
    return choose_ideal(loss, np.concatenate([loss(x) for x in source.ideal()]), stakes)


def _stakes(source: Source, alpha: float, delta: float) -> Stakes:
    return Stakes((float(source.size("P")), float(source.size("Q"))), alpha, delta)
