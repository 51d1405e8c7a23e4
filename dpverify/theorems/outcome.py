"""From a claim to its status: the printed formula is checked, and where it fails the corrected one."""

from __future__ import annotations

from dataclasses import dataclass

from dpverify.theorems.claim import Claim, Effort, Refuted, Status


@dataclass(frozen=True, slots=True)
class Outcome:
    """What running a claim gave: a strength or a fault for a status, and what the check found.

    `counterexample` is None unless the printed formula was refuted; `evidence` is of the version that holds.
    """

    claim: Claim
    status: Status
    evidence: str
    counterexample: str | None

    @property
    def correction(self) -> str | None:
        return self.claim.correction.text if self.claim.correction and self.counterexample else None

    @property
    def privacy_impact(self) -> str | None:
        return self.claim.correction.privacy if self.claim.correction and self.counterexample else None

    @property
    def costs_privacy(self) -> bool:
        """Whether who implements what is printed can add too little noise."""
        return (self.privacy_impact or "").startswith("Yes")

    def to_json(self) -> dict[str, str | bool | None]:
        """The record that `dpverify theorems --json` prints."""
        evidence = self.evidence
        if self.counterexample:
            evidence = f"Counterexample: {self.counterexample} Corrected: {evidence}"
        return {
            "id": self.claim.id,
            "source": self.claim.source,
            "statement": f"{self.claim.statement} Printed: {self.claim.printed}",
            "status": self.status,
            "refuted_as_printed": self.counterexample is not None,
            "cause": self.claim.cause if self.counterexample else None,
            "correction": self.correction,
            "privacy_impact": self.privacy_impact,
            "evidence": evidence,
        }


def run(claim: Claim, effort: Effort | None = None) -> Outcome:
    """Check the printed formula; where it is refuted, check the correction, which must hold.

    Raises AssertionError where a claim is refuted and no correction survives, or where a claim that
    carries a correction is not refuted: either is a defect of the registry, not a status.
    """
    effort = effort or Effort()
    restored = f" Restored from the extraction: {claim.restored}." if claim.restored else ""
    try:
        evidence = claim.check(claim.formula, effort)
    except Refuted as refutation:
        if claim.correction is None:
            raise AssertionError(f"{claim.id}: refuted, and there is no correction: {refutation}") from refutation
        try:
            evidence = claim.check(claim.correction.formula, effort)
        except Refuted as second:
            raise AssertionError(f"{claim.id}: the correction is refuted too: {second}") from second
        reach = f"{evidence} ({claim.correction.strength}){restored}"
        return Outcome(claim, claim.correction.fault, reach, str(refutation))
    if claim.correction is not None:
        raise AssertionError(f"{claim.id}: it carries a correction, but its check does not refute what is printed")
    return Outcome(claim, claim.strength, evidence + restored, None)
