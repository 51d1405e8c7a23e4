"""Audits as sheets: what was observed, beside what is claimed or proved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from dpverify.audit.report import AuditReport
from dpverify.numerals import exact, six_down
from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.words import TONES


@sheet.register
def audit_sheet(report: AuditReport, saved: Sequence[Path] = ()) -> Sheet:
    """The bound, the event that shows it, and the verdict; `saved` are the files of its JSON."""
    share = f"{100 * report.confidence:.10g} %"
    rows = [Row("observed", f"epsilon >= {six_down(report.epsilon_lower)}  at {share} confidence")]
    if report.delta:
        rows.append(Row("delta", f"{report.delta:g}"))
    if report.claim is not None:
        rows.append(Row("claimed", f"epsilon <= {exact(report.claim)}"))
    if report.proved is not None:
        upper = report.proved.upper
        rows.append(Row("proved", "private for no epsilon" if upper is None else f"epsilon <= {exact(upper)}"))
    rows += [
        Row("of", code=report.source),
        Row("samples", f"{report.samples} a side"),
        Row("event", code=rounded(report.event)),
        Row("method", report.method),
        Row("seed", str(report.seed)),
        *(Row("report", str(path)) for path in saved),
    ]
    return Sheet(report.verdict.replace("_", " ").upper(), TONES[report.verdict], parts=(Part(rows=tuple(rows)),))


def rounded(event: str) -> str:
    """The event with ten digits a number, for people; the JSON keeps them all."""
    return re.sub(r"\d+\.\d{11,}", lambda number: f"{float(number.group()):.10g}", event)
