"""Audits as sheets: what was observed, beside what is claimed or proved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from dpverify.audit.fit import Fit
from dpverify.audit.report import AuditReport, Finding
from dpverify.numerals import exact, six_down
from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.words import TONES

SAID = {"violated": "VIOLATED", "consistent": "consistent", "inconclusive": "inconclusive", "no_claim": ""}
MEND = "round what is released to a lattice that does not depend on the data, or draw exactly"


@sheet.register
def audit_sheet(report: AuditReport, saved: Sequence[Path] = ()) -> Sheet:
    """The bounds, the events that show them, and the verdict; `saved` are the files of its JSON."""
    share = f"{100 * report.confidence:.10g} %"
    rows = [Row("observed", f"epsilon >= {six_down(report.epsilon_lower)}  at {share} confidence")]
    if report.delta:
        rows.append(Row("delta", f"{float(report.delta):g}"))
    if report.claim is not None:
        rows.append(Row("claimed", f"epsilon <= {exact(report.claim)}"))
    if report.proved is not None:
        upper = report.proved.upper
        rows.append(Row("proved", "private for no epsilon" if upper is None else f"epsilon <= {exact(upper)}"))
    rows += _found("law", report, report.law)
    if report.bits is not None:
        rows += _found("bits", report, report.bits)
        if report.verdict_of(report.bits) == "violated":
            rows.append(Row("to do", f"the floating-point numbers leak: {MEND}"))
    elif not report.bits_examined:
        rows.append(Row("bits", "not examined: the numbers' low bits, decimals and lattices"))
    if report.fit is not None:
        rows.append(Row("fit", _fit(report.fit)))
    rows += [Row("warning", text) for text in report.warnings]
    rows += [
        Row("of", code=report.source),
        Row("samples", f"{report.samples} a side"),
        Row("seed", str(report.seed)),
        *(Row("report", str(path)) for path in saved),
    ]
    return Sheet(report.verdict.replace("_", " ").upper(), TONES[report.verdict], parts=(Part(rows=tuple(rows)),))


def _found(name: str, report: AuditReport, finding: Finding) -> list[Row]:
    """A bound of its own, with its event, or the reason why there is none."""
    nothing = finding.why_nothing
    if nothing is not None:
        return [Row(name, f"nothing seen: {nothing}")]
    said = SAID[report.verdict_of(finding)]
    bound = f"epsilon >= {six_down(finding.epsilon_lower)}"
    return [
        Row(name, f"{said}, {bound}" if said else bound),
        Row("event", code=rounded(finding.test.event.text)),
        Row("method", finding.method),
    ]


def _fit(fit: Fit) -> str:
    where = f"{fit.worst}, {fit.distance:.3g} off, by chance at most {fit.chance:.2g}"
    return f"NOT the law it is thought to have ({where})" if fit.rejected else f"no difference found (largest: {where})"


def rounded(event: str) -> str:
    """The event with ten digits a number, for people; the JSON keeps them all."""
    return re.sub(r"\d+\.\d{11,}", lambda number: f"{float(number.group()):.10g}", event)
