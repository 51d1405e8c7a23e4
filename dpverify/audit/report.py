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
from dpverify.audit.fit import Fit
from dpverify.errors import InputError
from dpverify.numerals import six_down
from dpverify.shown import Shown

MORE = 0.5
"""By how much more the bits have to show than a law that is violated itself, to be a fault of their own."""
Verdict = Literal["consistent", "violated", "inconclusive", "no_claim"]


@dataclass(frozen=True)
class Proved:
    """What a certificate that the kernel accepts proves: epsilon <= upper, or (None) that there is no epsilon."""

    file: str
    digest: str
    upper: Fraction | None


@dataclass(frozen=True)
class Finding:
    """What one event shows: epsilon >= `epsilon_lower`, which is too large with probability at most `alpha`.

    `alpha` is what all thresholds of the score have together; `counts` are in the order of the event's direction.
    """

    test: Test
    counts: Counts
    epsilon_lower: float
    alpha: float

    @property
    def method(self) -> str:
        """How the bound follows from the counts, in one line."""
        c, p = self.counts, self.test.procedure
        first, second = self.test.event.direction.split("/")
        if p.method == "unconditional":
            return (
                f"exact unconditional bound of the ratio: {c.first_in} of {c.first} from {first}, "
                f"{c.second_in} of {c.second} from {second}, outcomes ordered at scale {p.scale:.6g}"
            )
        return (
            f"Clopper-Pearson pair: {c.first_in} of {c.first} from {first}, {c.second_in} of {c.second} from {second}, "
            f"alpha shared {p.share:g} to {1 - p.share:.2g}"
        )

    @property
    def why_nothing(self) -> str | None:
        """Where the bound is 0, the reason."""
        if self.epsilon_lower > 0:
            return None
        if self.counts.first_in + self.counts.second_in == 0:
            return "no sample that was counted lies in the event that the pilot chose"
        return "so many samples do not tell the two outputs apart"

    def to_json(self) -> dict[str, Any]:
        """What was found, as plain data."""
        return {
            "epsilon_lower": self.epsilon_lower,
            "alpha": self.alpha,
            "event": self.test.event.text,
            "method": self.method,
            "counts": asdict(self.counts),
            "test": self.test.to_json(),
        }


@dataclass(frozen=True)
class AuditReport(Shown):
    """observed: epsilon >= epsilon_lower, with the stated confidence; all else that is told holds with it.

    `law` is what the law of the outputs shows, `bits` what their floating-point representation shows
    (None where there are no numbers or few values, or it was not examined); `fit` whether the samples have the law of
    the model, if one was given; `samples` is the number of samples of each output, the pilot among
    them; `claim` is the epsilon that was claimed, and `proved` what a certificate says.
    """

    law: Finding
    bits: Finding | None
    bits_examined: bool
    fit: Fit | None
    warnings: tuple[str, ...]
    delta: Fraction
    confidence: float
    claim: Fraction | None
    samples: int
    source: str
    seed: int
    proved: Proved | None = None

    @property
    def leading(self) -> Finding:
        """The finding with the larger bound."""
        return self.law if self.bits is None or self.law.epsilon_lower >= self.bits.epsilon_lower else self.bits

    @property
    def epsilon_lower(self) -> float:
        """The bound: with the report's confidence epsilon is at least that."""
        return self.leading.epsilon_lower

    @property
    def test(self) -> Test:
        """The event that was counted, and how it was chosen."""
        return self.leading.test

    @property
    def counts(self) -> Counts:
        """How often each side fell into the event."""
        return self.leading.counts

    @property
    def bound(self) -> Fraction | None:
        """The least epsilon that is claimed or proved."""
        proved = None if self.proved is None else self.proved.upper
        bounds = [bound for bound in (self.claim, proved) if bound is not None]
        return min(bounds, default=None)

    @property
    def verdict(self) -> Verdict:
        """Violated where more is observed than is claimed or proved; inconclusive where nothing is observed."""
        return self.verdict_of(self.leading)

    def verdict_of(self, finding: Finding) -> Verdict:
        """What one finding says about the claim."""
        if self.bound is None:
            return "no_claim"
        if Fraction(finding.epsilon_lower) > self.bound:
            return "violated"
        return "consistent" if finding.epsilon_lower > 0 else "inconclusive"

    @property
    def leaks(self) -> bool:
        """Whether the bits contradict the bound, by clearly more than the law: low bits tell of magnitude too."""
        if self.bits is None or self.verdict_of(self.bits) != "violated":
            return False
        return self.verdict_of(self.law) != "violated" or self.bits.epsilon_lower > self.law.epsilon_lower + MORE

    @property
    def event(self) -> str:
        """The event in words."""
        return self.test.event.text

    @property
    def method(self) -> str:
        """How the bound follows from the counts, in one line."""
        return self.leading.method

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, with all that is needed to count the events again."""
        claim = self.claim
        return {
            "epsilon_lower": self.epsilon_lower,
            "delta": float(self.delta),
            "delta_exact": str(self.delta),
            "confidence": self.confidence,
            "samples": self.samples,
            "claim": None if claim is None else float(claim),
            "claim_exact": None if claim is None else str(claim),
            "verdict": self.verdict,
            "reason": self.leading.why_nothing,
            "event": self.event,
            "method": self.method,
            "source": self.source,
            "seed": self.seed,
            "counts": asdict(self.counts),
            "test": self.test.to_json(),
            "law": {"verdict": self.verdict_of(self.law), **self.law.to_json()},
            "bits": None if self.bits is None else {"verdict": self.verdict_of(self.bits), **self.bits.to_json()},
            "bits_examined": self.bits_examined,
            "fit": self.fit and asdict(self.fit),
            "warnings": list(self.warnings),
            "certificate": None
            if self.proved is None
            else {
                "file": self.proved.file,
                "digest": self.proved.digest,
                "epsilon_upper": None if self.proved.upper is None else str(self.proved.upper),
            },
        }

    def save(self, path: str | Path) -> Path:
        """Write the report as JSON to a new file; raises InputError where that fails, or the file exists."""
        return save(self.to_json(), path)

    def __str__(self) -> str:
        return f"{self.verdict}: epsilon >= {six_down(self.epsilon_lower)} at {self.confidence:.6g}"


def proved_by(path: str | Path) -> tuple[Proved, Mapping[str, Any]]:
    """What the certificate in a file proves, and its claim; raises InputError where the kernel does not accept it."""
    from dpverify.api import check

    report = check(path)
    if not report.accepted or report.claim is None:
        raise InputError(f"{path}: the certificate does not hold ({report.refusal()})")
    claim = report.claim
    if report.kind == "composition":
        raise InputError(f"{path}: is of several releases together, and an audit is of one mechanism")
    if report.kind == "profile":
        raise InputError(f"{path}: is the certificate of a profile; compare the whole curve with it (--curve)")
    epsilon = claim["epsilon"]
    if epsilon is None and claim["verdict"] != "not_private":
        raise InputError(f"{path}: the certificate is of no mechanism: its generator is no density")
    upper = None if epsilon is None else Fraction(epsilon["upper"])
    return Proved(str(path), report.digest, upper), claim


def save(report: Mapping[str, Any], path: str | Path) -> Path:
    """Write a report as JSON to a new file; raises InputError where that fails, or the file exists."""
    path = Path(path)
    if path.exists():
        raise InputError(f"{path}: exists, and an audit is not written over; name another file")
    files.write(path, json.dumps(report, indent=1, sort_keys=True) + "\n", anew=True)
    return path
