"""The papers' numbered claims, each with a check that could refute it.

A printed formula is a claim, not an authority. `registry` holds one `Claim` a statement; `run` decides
its status by running its check on the formula as printed, and on the corrected one where that fails.
"""

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.outcome import Outcome, run

__all__ = ["Claim", "Correction", "Effort", "Near", "Outcome", "Quotation", "Refuted", "run"]
