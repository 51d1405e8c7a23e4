"""An outcome as text for the terminal, at 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from dpverify.theorems.claim import Status
from dpverify.theorems.outcome import Outcome

STATUSES: tuple[Status, ...] = ("proved", "verified", "argued", "cited", "error", "slip", "ambiguous", "vacuous")
WIDTH, LABEL = 80, 12


def lines(outcome: Outcome) -> list[str]:
    """One claim: its id and status, what is printed, and why."""
    claim = outcome.claim
    rows = [("", claim.statement), ("printed", claim.printed), ("where", claim.place), ("given", claim.hypotheses)]
    if claim.quotation:
        rows.insert(1, ("in words", claim.quotation.text))
    if outcome.counterexample and claim.correction:
        rows += [
            ("breaks at", outcome.counterexample),
            ("corrected", claim.correction.text),
            ("privacy", claim.correction.privacy),
            ("to do", claim.correction.meaning),
            ("checked", outcome.evidence),
        ]
        if claim.cause != claim.id:
            rows.append(("as in", claim.cause))
    else:
        rows.append(("evidence", outcome.evidence))
    found = [f"{claim.id}: {outcome.status.upper()}"]
    for label, text in rows:
        indent = 2 if not label else 2 + LABEL
        first = "  " + (f"{label:<{LABEL}}" if label else "")
        found += wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * indent, break_on_hyphens=False)
    return found


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many claims of each status, and how many distinct errors there are among them."""
    counts = Counter(outcome.status for outcome in outcomes)
    parts = ", ".join(f"{counts[s]} {s}" for s in STATUSES if counts[s])
    total = len(outcomes)
    text = f"{total} claim{'s' if total != 1 else ''}: {parts}"
    distinct = {o.claim.cause for o in outcomes if o.status == "error"}
    if not distinct:
        return text
    costly = {o.claim.cause for o in outcomes if o.status == "error" and o.costs_privacy}
    return f"{text}; {len(distinct)} distinct error{'s' if len(distinct) != 1 else ''}, {len(costly)} can cost privacy"
