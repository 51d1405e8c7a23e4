"""One pair of neighbours whose divergence is bounded from below at every eps of a profile whose
worst shift may be another for each."""

from __future__ import annotations

from ..rules import BROUGHT, require, rule
from ..steps import rational, record
from .fields import points
from .hypotheses import Proof
from .points import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule("K344")
def one_pair(proof: Proof, claim: Any) -> None:
    """At least H at one shift, at each eps of the claim.

    Lemma.  Neighbours at that distance, at most delta, have the divergence H there, as a shift at
    which H is enclosed (K239) shows; and no divergence is negative.
    """
    pair = record(claim["pair"], "pair", {"shift", "lower"})
    shift, known = rational(pair["shift"], "pair.shift"), proof.problem.known
    require(claim["theorem"] == "Theorem E", "Theorem B has one pair for every eps", "steps")
    require(0 < shift <= proof.problem.delta, "the pair's shift is not within the sensitivity")
    asked, lower = levels(claim["points"]), points(pair["lower"], "pair.lower")
    require(len(asked) == len(lower), "pair.lower does not match the points", "format")
    for epsilon, low in zip(asked, lower, strict=True):
        found = known.get(("H", epsilon, shift))
        shown = low <= 0 or (found is not None and low <= found.lo)
        require(shown, "the divergence of the pair is not shown to be as large as claimed")


BROUGHT["the divergence of one pair"] = one_pair
