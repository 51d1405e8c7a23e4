"""A sensitivity as a sheet."""

from __future__ import annotations

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
