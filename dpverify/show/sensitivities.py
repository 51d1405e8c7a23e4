"""A sensitivity as a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.mahalanobis import Sensitivity
from dpverify.numerals import in_full, short
from dpverify.show.sheet import Part, Row, Sheet, sheet


@sheet.register
def sensitivity_sheet(found: Sensitivity) -> Sheet:
    """Delta, or what encloses it, and the pair of outputs that attains it."""
    if found.exact is not None:
        rows = [Row("Delta", f"{in_full(found.exact, 'up')}, exactly")]
    else:
        rows = [Row("Delta at least", in_full(found.lower, "down")), Row("Delta at most", in_full(found.upper, "up"))]
    rows.append(Row("Delta^2", in_full(found.squared, "near")))
    places = " and ".join(str(i + 1) for i in found.index)
    rows.append(Row("attained by", f"({', '.join(short(x) for x in found.difference)}), row {places}"))
    return Sheet(f"DELTA = {short(found.upper, 13, 'up')}", "good", parts=(Part(rows=tuple(rows)),))


def evidence_sheet(document: Mapping[str, Any]) -> Sheet:
    """A sensitivity that was derived: Delta, a difference that attains it, and the steps."""
    found, squared = document["sensitivity"], document["squared"]
    lower, upper = (Fraction(found[end]) for end in ("lower", "upper"))
    rows = []
    if found["exact"] is not None:
        rows.append(Row("Delta", f"{found['exact']}, exactly"))
    if lower < upper:
        rows += [Row("Delta at least", in_full(lower, "down")), Row("Delta at most", in_full(upper, "up"))]
    if squared["lower"] == squared["upper"]:
        rows.append(Row("Delta^2", in_full(Fraction(squared["upper"]), "near")))
    if document["difference"]:
        label = "attained by" if squared["lower"] == squared["upper"] else "nearly, along"
        rows.append(Row(label, f"({', '.join(short(Fraction(x)) for x in document['difference'])})"))
    steps = tuple(Row("because" if i == 0 else "", text) for i, text in enumerate(document["because"]))
    return Sheet(f"DELTA = {short(upper, 13, 'up')}", "good", parts=(Part(rows=tuple(rows)), Part(rows=steps)))
