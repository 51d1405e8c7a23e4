"""An outcome as text for the terminal, at 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from textwrap import wrap

from dpverify.theorems.outcome import Outcome

STATUSES = {
    "proved": "PROVED",
    "verified": "VERIFIED",
    "refuted_as_printed": "REFUTED AS PRINTED",
    "cited": "CITED",
}
WIDTH, LABEL = 80, 12


def lines(outcome: Outcome) -> list[str]:
    """One claim: its id and status, what is printed, and why."""
    claim = outcome.claim
    rows = [("", claim.statement), ("printed", claim.printed), ("where", claim.place), ("given", claim.hypotheses)]
    if outcome.counterexample and claim.correction:
        rows += [
            ("breaks at", outcome.counterexample),
            ("corrected", claim.correction.text),
            ("privacy", claim.correction.privacy),
            ("to do", claim.correction.meaning),
            ("checked", outcome.evidence),
        ]
    else:
        rows.append(("evidence", outcome.evidence))
    found = [f"{claim.id}: {STATUSES[outcome.status]}"]
    for label, text in rows:
        indent = 2 if not label else 2 + LABEL
        first = "  " + (f"{label:<{LABEL}}" if label else "")
        found += wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * indent, break_on_hyphens=False)
    return found


def summary(outcomes: Iterable[Outcome]) -> str:
    """How many claims of each status."""
    counts = Counter(outcome.status for outcome in outcomes)
    parts = ", ".join(f"{counts[s]} {s.replace('_', ' ')}" for s in STATUSES if counts[s])
    total = sum(counts.values())
    return f"{total} claim{'s' if total != 1 else ''}: {parts}"
