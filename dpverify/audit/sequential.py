"""Audits that stop as soon as a claim is violated, and may be looked at at any time.

Epochs of draws double. Before each one the events are chosen anew from all draws so far, and bets on them go on
from the wealth of the epochs before. The claim is refuted when the wealth against it has reached one over the
error probability, which happens to a true claim with at most that probability, however often one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nextafter
from operator import add
from typing import Any, Literal

import numpy as np

from dpverify.audit.betting import Bets, Pairs
from dpverify.audit.bounds import Stakes
from dpverify.audit.built_in import BuiltIn
from dpverify.audit.campaign import Number, checked
from dpverify.audit.choice import Part, Test
from dpverify.audit.exactly import exact_number
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.outcomes import Outcomes, joined
from dpverify.audit.plan import PARTS, centres_of, ideal_test, shares, tests_on
from dpverify.audit.scores import Array, values_of
from dpverify.audit.seeds import fresh_seed
from dpverify.audit.shared_noise import refuse_shared_noise
from dpverify.errors import InputError
from dpverify.shown import Shown

FIRST = 100
"""Draws of each output before the first bet."""
LOOKS = 8
"""Looks in an epoch."""
KEPT = 100_000
"""Draws of each output that events are chosen from at most."""
EPSILONS = *np.arange(0, 4, 0.02), *np.arange(4, 12, 0.1)
"""What bets are made against, beside the claim."""


@dataclass(frozen=True)
class SequentialReport(Shown):
    """What was seen when the audit stopped, after `draws` draws of both outputs together, of at most `samples` a side.

    epsilon >= epsilon_lower holds with the stated confidence at whatever time it is read. `part` tells whether
    the law or the bits show it; `test` is the event that was bet on last, if there was any.
    """

    epsilon_lower: float
    part: Part
    test: Test | None
    draws: int
    samples: int
    claim: Fraction
    delta: Fraction
    confidence: float
    source: str
    seed: int

    @property
    def verdict(self) -> Literal["violated", "consistent", "inconclusive"]:
        """Violated where the bound has reached the claim, which is then refuted."""
        if self.epsilon_lower > 0:
            return "violated" if Fraction(self.epsilon_lower) >= self.claim else "consistent"
        return "inconclusive"

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "verdict": self.verdict,
            "epsilon_lower": self.epsilon_lower,
            "part": self.part,
            "event": None if self.test is None else self.test.event.text,
            "test": None if self.test is None else self.test.to_json(),
            "draws": self.draws,
            "samples": self.samples,
            "claim_exact": str(self.claim),
            "delta_exact": str(self.delta),
            "confidence": self.confidence,
            "source": self.source,
            "seed": self.seed,
        }


def audit_until(
    source: BuiltIn | Mechanism,
    *,
    claim: Number,
    delta: Number = 0,
    confidence: Number = 0.99,
    seed: int | None = None,
    model: BuiltIn | None = None,
    leaks: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> SequentialReport:
    """Draw until the claim of (epsilon, delta)-privacy is refuted, or the source's number of samples is reached.

    Args:
        source: dpverify's own noise or a mechanism; files are there already, and are audited whole.
        claim, delta: what is claimed, read exactly.
        confidence: the least probability that a claim that is true is never refuted, and no bound wrong.
        seed, model, leaks: as in `audit`.
        progress: called with draws done and draws at most.

    Raises InputError as `audit` does.
    """
    claimed, at_delta = exact_number(claim, "the claim"), exact_number(delta, "delta")
    sure = float(exact_number(confidence, "the confidence"))
    if not isinstance(source, (BuiltIn, Mechanism)):
        raise InputError("an audit that stops early draws as it goes; audit files with `audit`")
    if claimed < 0:
        raise InputError("the claim must not be negative")
    checked(source, at_delta, sure, seed)
    run = _Run(source, claimed, at_delta, sure, fresh_seed() if seed is None else seed, model, leaks)
    return run.report(progress)


class _Run:
    def __init__(
        self,
        source: BuiltIn | Mechanism,
        claim: Fraction,
        delta: Fraction,
        confidence: float,
        seed: int,
        model: BuiltIn | None,
        leaks: bool,
    ) -> None:
        self.source, self.claim, self.delta, self.confidence, self.seed = source, claim, delta, confidence, seed
        self.model = model
        self.delta_up = nextafter(float(delta), 1.0) if delta else 0.0
        self.levels = {
            part: (1 - confidence) * share
            for part, share in shares(leaks and isinstance(source, Mechanism), fit=False).items()
        }
        at_claim = nextafter(float(claim), np.inf)
        grid = tuple(np.unique([*EPSILONS, at_claim]).tolist())
        self.bets = {part: Bets(grid, self.delta_up, self.levels[part]) for part in PARTS if part in self.levels}
        self.kept: dict[str, list[Outcomes]] = {"P": [], "Q": []}
        self.shown: dict[Part, Test] = {}
        self.draws, self.looks = 0, 0

    def report(self, progress: Callable[[int, int], None] | None) -> SequentialReport:
        most = 2 * self.source.samples
        if isinstance(self.source, Mechanism):
            for which in ("P", "Q"):
                self._drawn(which, FIRST)
            refuse_shared_noise(self.kept["P"][0], self.kept["Q"][0])
            self.draws, self.looks = 2 * FIRST, 1
        epoch = 2 * FIRST
        while self.draws < most and not self._violated():
            epoch = min(2 * epoch, most - self.draws)
            self._epoch(epoch, most, progress)
        part = max(self.bets, key=lambda each: self.bets[each].bound)
        return SequentialReport(
            self.bets[part].bound,
            part,
            self.shown.get(part),
            self.draws,
            self.source.samples,
            self.claim,
            self.delta,
            self.confidence,
            self.source.text,
            self.seed,
        )

    def _violated(self) -> bool:
        return any(bets.bound > 0 and Fraction(bets.bound) >= self.claim for bets in self.bets.values())

    def _epoch(self, size: int, most: int, progress: Callable[[int, int], None] | None) -> None:
        tests = self._tests(size / 2)
        pairs = {part: [Pairs()] * len(each) for part, each in tests.items()}
        shares = {part: [test.share for test in each] for part, each in tests.items()}
        for look in np.diff(np.linspace(0, size // 2, LOOKS + 1).astype(int)):
            x = self._look(int(look))
            for part, each in tests.items():
                pairs[part] = list(map(add, pairs[part], _counted(each, x)))
                self.bets[part].look(pairs[part], shares[part])
                self.shown[part] = each[0]
            if progress is not None:
                progress(self.draws, most)
            if self._violated():
                return
        for part in tests:
            self.bets[part].end_epoch(pairs[part], shares[part])

    def _tests(self, draws: float) -> dict[Part, tuple[Test, ...]]:
        stakes = {
            part: Stakes((draws, draws), self.levels[part], self.delta_up) for part in PARTS if part in self.levels
        }
        if isinstance(self.source, BuiltIn):
            return {"law": (ideal_test(self.source, stakes["law"]),)}
        lots = [(x[::2], x[1::2]) for x in (joined(self.kept[which]) for which in ("P", "Q"))]
        return tests_on(lots[0], lots[1], stakes, self.model, centres_of(self.source))

    def _look(self, size: int) -> dict[str, Outcomes]:
        """So many pairs of draws."""
        found = {which: self._drawn(which, size) for which in ("P", "Q")}
        self.looks, self.draws = self.looks + 1, self.draws + 2 * size
        return found

    def _drawn(self, which: Any, size: int) -> Outcomes:
        blocks = list(self.source.blocks(which, self.looks, size, self.seed))
        x = joined(blocks) if blocks else Outcomes(np.empty((0, self.source.dimension)))
        if isinstance(self.source, Mechanism) and sum(map(len, self.kept[which])) < KEPT:
            self.kept[which].append(x)
        return x


def _counted(tests: Sequence[Test], x: dict[str, Outcomes]) -> Iterator[Pairs]:
    """For each test the pairs of draws by what of them lies in its event; thresholds of one score share its values."""
    values: dict[int, dict[str, Array]] = {}
    for test in tests:
        score = test.event.score
        if id(score) not in values:
            values[id(score)] = {which: values_of(score, each) for which, each in x.items()}
        first, second = (test.event.holds(values[id(score)][which]) for which in test.event.direction.split("/"))
        yield Pairs.of(first, second)
