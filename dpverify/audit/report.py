"""What an audit says: the bound, the event that shows it, and the verdict beside a claim or a certificate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from dpverify import files
from dpverify.audit.bounds import Counts
from dpverify.audit.choice import Test
from dpverify.errors import InputError
from dpverify.numerals import six_down
from dpverify.shown import Shown

Verdict = Literal["consistent", "violated", "no_claim"]


@dataclass(frozen=True)
class Proved:
    """What a certificate that the kernel accepts proves: epsilon <= upper, or (None) that there is no epsilon."""

    file: str
    digest: str
    upper: Fraction | None


@dataclass(frozen=True)
class AuditReport(Shown):
    """observed: epsilon >= epsilon_lower, with the stated confidence.

    `samples` is the number of samples of each output, the pilot among them; `counts` are in the order
    of the event's direction; `claim` is the epsilon that was claimed, and `proved` what a certificate says.
    """

    epsilon_lower: float
    delta: float
    confidence: float
    claim: Fraction | None
    test: Test
    counts: Counts
    samples: int
    source: str
    seed: int
    proved: Proved | None = None

    @property
    def verdict(self) -> Verdict:
        """ "violated" where the bound is above what is claimed or proved; "no_claim" without either."""
        bounds = [b for b in (self.claim, self.proved.upper if self.proved else None) if b is not None]
        if not bounds:
            return "no_claim"
        return "violated" if Fraction(self.epsilon_lower) > min(bounds) else "consistent"

    @property
    def event(self) -> str:
        return self.test.event.text

    @property
    def method(self) -> str:
        """How the bound follows from the counts, in one line."""
        c, p = self.counts, self.test.procedure
        first, second = self.test.event.direction.split("/")
        if p.method == "conditional":
            return (
                f"Clopper-Pearson for the origin of the {c.first_in + c.second_in} draws in the event: "
                f"{c.first_in} from {first}, {c.second_in} from {second}, {first} drawn with probability {p.weight:.6g}"
            )
        return (
            f"Clopper-Pearson pair: {c.first_in} of {c.first} from {first}, {c.second_in} of {c.second} from {second}, "
            f"alpha shared {p.share:g} to {1 - p.share:.2g}"
        )

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, with all that is needed to count the event again."""
        claim = self.claim
        return {
            "epsilon_lower": self.epsilon_lower,
            "delta": self.delta,
            "confidence": self.confidence,
            "samples": self.samples,
            "claim": None if claim is None else float(claim),
            "verdict": self.verdict,
            "event": self.event,
            "method": self.method,
            "source": self.source,
            "seed": self.seed,
            "counts": asdict(self.counts),
            "test": self.test.to_json(),
            "certificate": None
            if self.proved is None
            else {
                "file": self.proved.file,
                "digest": self.proved.digest,
                "epsilon_upper": None if self.proved.upper is None else str(self.proved.upper),
            },
        }

    def save(self, path: str | Path) -> Path:
        """Write the report as JSON; raises InputError where that fails."""
        path = Path(path)
        files.write(path, json.dumps(self.to_json(), indent=1, sort_keys=True) + "\n")
        return path

    def __str__(self) -> str:
        return f"{self.verdict}: epsilon >= {six_down(self.epsilon_lower)} at {self.confidence:.6g}"


def proved_by(path: str | Path) -> tuple[Proved, Mapping[str, Any]]:
    """What the certificate in a file proves, and its claim; raises InputError where the kernel does not accept it."""
    from dpverify.api import check

    report = check(path)
    if not report.accepted or report.claim is None:
        raise InputError(f"{path}: the certificate does not hold ({report.refusal()})")
    claim = report.claim
    epsilon = claim["epsilon"]
    if epsilon is None and claim["verdict"] != "not_private":
        raise InputError(f"{path}: the certificate is of no mechanism: its generator is no density")
    upper = None if epsilon is None else Fraction(epsilon["upper"])
    return Proved(str(path), report.digest, upper), claim
