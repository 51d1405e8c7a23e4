"""Calibrations, curves and comparisons as sheets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from dpverify.calibration import Calibration, Compared, Curve, Sized
from dpverify.calibration.curves import CurvePoint
from dpverify.calibration.noise import Enclosure
from dpverify.numerals import exact, in_full, rounded, short
from dpverify.results import decimal_between
from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.terminal import WIDTH, wrapped
from dpverify.show.verdicts import assuming
from dpverify.show.words import THEOREMS, bound, printable

NAME, NUMBER, GAP, SHOWN_POINTS = 30, 14, "  ", 15


@sheet.register
def calibration_sheet(found: Calibration, saved: Path | None = None) -> Sheet:
    """The smallest scale; `saved` is the file of the proof at sigma = upper."""
    meets, generator = found.meets, found.meets.generator
    assert meets.epsilon is not None
    question = (
        Row("f(y)", code=generator.text),
        *([] if meets.mixing is None else [Row("V", code=meets.mixing.density)]),
        Row("with", f"d = {generator.dimension}{bound(generator.parameters)}, Delta = {short(meets.sensitivity)}"),
        Row("target", f"epsilon <= {short(found.target)}"),
    )
    answer = [
        Row("at least", in_full(found.lower, "down")),
        Row("at most", in_full(found.upper, "up")),
        Row("epsilon", f"{decimal_between(meets.epsilon.lower, meets.epsilon.upper)} at sigma = upper"),
        Row("by", THEOREMS.get(meets.theorem, meets.theorem)),
        assuming(found.assumptions),
    ]
    if saved is not None:
        answer.append(Row("certificate", f"{saved}  (dpverify check {saved})"))
    parts = Part(rows=question), Part(rows=tuple(answer))
    return Sheet(f"SIGMA = {short(found.upper, 13, 'up')}", "good", found.reason, parts=parts)


@sheet.register
def curve_sheet(found: Curve) -> Sheet:
    """The points; where there are many, evenly chosen ones, both ends among them."""
    last = len(found.points) - 1
    places = sorted({round(k * last / (SHOWN_POINTS - 1)) for k in range(SHOWN_POINTS)}) if last > 0 else [0]
    rows = tuple(_point(found.points[k]) for k in places)
    generator = found.generator
    name = f"{found.mixing or generator.text}, d = {generator.dimension}{bound(generator.parameters)}"
    title = f"{name}: {len(found.points)} points"
    title += "" if found.level is None else f", delta = {short(found.level)}"
    tone = "good" if len(found.decided) == len(found.points) else "open"
    return Sheet(title, tone, parts=(Part(rows=(*rows, assuming(found.assumptions))),))


def _point(point: CurvePoint) -> Row:
    ends = "undecided"
    if point.lower is not None and point.upper is not None:
        ends = f"{short(point.lower, 12, 'down')} <= epsilon <= {short(point.upper, 12, 'up')}"
    return Row(f"Delta/sigma = {short(point.delta)}", ends)


def curve_lines(found: Curve) -> list[str]:
    """Every point in a table of three columns."""
    lines = [f"{'Delta/sigma':<16}{GAP}{'epsilon at least':<24}{GAP}epsilon at most"]
    for p in found.points:
        ends: str = p.verdict
        if p.lower is not None and p.upper is not None:
            ends = f"{_decimal(p.lower, 'down'):<24}{GAP}{_decimal(p.upper, 'up')}"
        lines.append(f"{_decimal(p.delta, 'near'):<16}{GAP}{ends}")
    return [*lines, *wrapped(f"assuming {'; '.join(found.assumptions)}", WIDTH)] if found.assumptions else lines


def _decimal(value: Fraction, towards: str) -> str:
    """Twelve digits, without a fraction's bar."""
    return exact(rounded(value, 12, towards))


def comparison_lines(rows: Sequence[Compared]) -> list[str]:
    """Families beside their scales and the sizes of their noise, and why some are missing."""
    lines = [GAP.join((f"{'family':<{NAME}}", f"{'sigma':<{NUMBER}}", f"{'median':<{NUMBER}}", "E ||sigma X||^2"))]
    notes = []
    for row in rows:
        name = printable(row.name)
        shown = name if len(name) <= NAME else name[: NAME - 3] + "..."
        cells = [f"{shown:<{NAME}}", "none"]
        if row.calibration is not None:
            scale = short(row.calibration.upper, 9, "up")
            cells[1:] = [f"{scale:<{NUMBER}}", f"{_cell(row.median):<{NUMBER}}", _cell(row.mean_square)]
        lines.append(GAP.join(cells).rstrip())
        notes += _notes(shown, row.refusal, row.calibration.assumptions if row.calibration else ())
    sure = min((e.digits for row in rows for e in (row.median, row.mean_square) if e and e.digits), default=None)
    if sure is not None:
        notes.append(f"Enclosed by acb.integral (Arb); at least {sure} digits are sure, all with --json.")
    return [*lines, *(["", *notes] if notes else [])]


def sized_lines(rows: Sequence[Sized], what: str) -> list[str]:
    """Families of one size beside their scales and what was asked for, and why some have none."""
    lines, notes = [GAP.join((f"{'family':<{NAME}}", f"{'sigma':<{NUMBER}}", what))], []
    for row in rows:
        name = printable(row.name)
        shown = name if len(name) <= NAME else name[: NAME - 3] + "..."
        scale = "none" if row.scale is None else short(row.scale.upper, 9, "up")
        value = "not enclosed" if row.value is None else row.value.decimal
        lines.append(GAP.join((f"{shown:<{NAME}}", f"{scale:<{NUMBER}}", value)))
        notes += _notes(shown, row.refusal, row.assumptions)
    return [*lines, *(["", *notes] if notes else [])]


def _notes(name: str, refusal: str | None, assumptions: Sequence[str]) -> list[str]:
    """What is said of a family below the table."""
    said = [refusal] if refusal else []
    said += [f"assuming {'; '.join(assumptions)}"] if assumptions else []
    lines = []
    for text in said:
        first, *more = wrapped(f"{name}: {text}", WIDTH - len(GAP))
        lines += [first, *(GAP + line for line in more)]
    return lines


def _cell(value: Enclosure | None) -> str:
    if value is None:
        return "not enclosed"
    if value.upper is None:
        return "infinite"
    return short((value.lower + value.upper) / Fraction(2), min(value.digits or 9, 9))
