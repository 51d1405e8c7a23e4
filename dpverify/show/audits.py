"""Audits as sheets: what was observed, beside what is claimed or proved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from pathlib import Path

from dpverify.audit.curves import CurveReport
from dpverify.audit.fit import Fit
from dpverify.audit.one_run import OneRunReport
from dpverify.audit.report import AuditReport, Finding
from dpverify.audit.sequential import SequentialReport
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
        if report.leaks:
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


CURVE_SHOWN = ("0", "1e-6", "1e-5", "1e-3", "1e-1")


@sheet.register
def curve_sheet(report: CurveReport, saved: Sequence[Path] = ()) -> Sheet:
    """What one band shows of the whole curve, beside what is certified of it."""
    rows = [Row("observed", f"all of this at once, at {100 * report.confidence:.10g} % confidence")]
    rows += [Row(f"delta {delta}", f"epsilon >= {six_down(report.epsilon(delta))}") for delta in CURVE_SHOWN]
    rows += [Row("Gaussian", f"mu >= {six_down(report.mu)}"), Row("zCDP", f"rho >= {six_down(report.rho)}")]
    for point in report.certified:
        said = "VIOLATED" if point in report.violated else "consistent"
        least, most = six_down(report.delta(point.epsilon)), float(point.delta)
        rows.append(Row(f"epsilon {exact(point.epsilon)}", f"{said}: delta >= {least}, proved delta <= {most:.6g}"))
    rows += [
        Row("score", code=rounded(report.score.text)),
        Row("of", code=report.source),
        Row("samples", f"{report.samples} a side"),
        Row("seed", str(report.seed)),
        *(Row("report", str(path)) for path in saved),
    ]
    tone = TONES[report.verdict]  # type: ignore[index]
    return Sheet(report.verdict.replace("_", " ").upper(), tone, parts=(Part(rows=tuple(rows)),))


@sheet.register
def sequential_sheet(report: SequentialReport) -> Sheet:
    """Where an audit that may stop early stopped, and what it has shown by then."""
    share = f"{100 * report.confidence:.10g} %"
    rows = [Row("observed", f"epsilon >= {six_down(report.epsilon_lower)}  at {share} confidence, whenever one stops")]
    if report.delta:
        rows.append(Row("delta", f"{float(report.delta):g}"))
    rows.append(Row("claimed", f"epsilon <= {exact(report.claim)}"))
    if report.epsilon_lower > 0:
        rows.append(Row("seen in", f"the {report.part}"))
    if report.test is not None:
        rows.append(Row("last event", code=rounded(report.test.event.text)))
    rows += [
        Row("of", code=report.source),
        Row("draws", f"{report.draws} of at most {2 * report.samples} of both outputs together"),
        Row("seed", str(report.seed)),
    ]
    return Sheet(report.verdict.upper(), TONES[report.verdict], parts=(Part(rows=tuple(rows)),))


@sheet.register
def one_run_sheet(report: OneRunReport) -> Sheet:
    """What the guesses of one run show."""
    share = f"{100 * report.confidence:.10g} %"
    rows = [Row("observed", f"epsilon >= {six_down(report.epsilon_lower)}  at {share} confidence")]
    if report.delta:
        rows.append(Row("delta", f"{float(report.delta):g}"))
    if report.mu_lower is not None:
        rows.append(Row("and", f"mu >= {six_down(report.mu_lower)}, if it is as private as a Gaussian"))
    if report.claim is not None:
        rows.append(Row("claimed", f"epsilon <= {exact(report.claim)}"))
    if report.contradicted is not None:
        what = "so many right guesses are too rare under it" if report.contradicted else "not contradicted"
        rows.append(Row("certified", f"a curve of {len(report.certified)} point(s): {what}"))
    rows += [
        Row("guesses", f"{report.correct} of {report.guesses} right, about {report.canaries} canaries"),
        Row("seed", str(report.seed)),
    ]
    return Sheet(report.verdict.replace("_", " ").upper(), TONES[report.verdict], parts=(Part(rows=tuple(rows)),))


def draw_trade_off(report: CurveReport, path: Path) -> Path:
    """The trade-off curve that is not passed, with what the certified points leave below it."""
    from dpverify.show.plots import draw

    curves: dict[str, list[tuple[float, float]]] = {"observed: at most": report.trade_off}
    if report.certified:
        grid = sorted({k / 400 for k in range(401)} | {x for x, _ in report.trade_off})
        curves["certified: at least"] = [(x, _proved_trade_off(report, x)) for x in grid]
    return draw(curves, path, x="error of the first kind", y="error of the second kind")


def _proved_trade_off(report: CurveReport, error: float) -> float:
    """Dong, Roth and Su (2022), Proposition 3."""
    lines = ((exp(float(c.epsilon)), 1 - float(c.delta)) for c in report.certified)
    return max([0.0, *(max(top - slope * error, (top - error) / slope) for slope, top in lines)])


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
