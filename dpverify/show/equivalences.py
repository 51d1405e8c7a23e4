"""The comparison of two laws in infinite dimension as a sheet."""

from __future__ import annotations

from dpverify.mechanisms.spectra.equivalent import Equivalence
from dpverify.show.sheet import Part, Row, Sheet, sheet

TONE = {"equivalent": "good", "orthogonal": "bad", "neither": "bad", "undecided": "open"}
MEANING = {
    "equivalent": "no output tells the two laws apart for certain",
    "orthogonal": "one output tells the two laws apart for certain",
    "neither": "some outputs tell the two laws apart for certain",
    "undecided": "",
}


@sheet.register
def equivalence_sheet(found: Equivalence) -> Sheet:
    """The verdict, the Cameron-Martin norm of the difference, and why."""
    rows = [Row(name, code=text) for name, text in found.about.items()]
    if found.norm is not None:
        rows.append(Row("norm", found.norm.decimal))
    if found.distance is not None:
        rows.append(Row("total variation", found.distance.decimal))
    meaning = MEANING[found.verdict]
    lead = f"{meaning[0].upper()}{meaning[1:]}." if meaning else ""
    return Sheet(
        found.verdict.upper(), TONE[found.verdict], lead, parts=(Part(rows=(*rows, Row("why", found.reason))),)
    )
