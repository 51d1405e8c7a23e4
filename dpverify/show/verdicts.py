"""Results of `verify` and of `check` as sheets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.api import CheckReport
from dpverify.numerals import brief, in_full, short
from dpverify.results import MixingReport, Result, decimal_between, spoken
from dpverify.show.advice import tries, unsettled
from dpverify.show.claimed import claim_of_kind
from dpverify.show.formulas import latex
from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.words import THEOREMS, TITLES, TONES, bound, radius_letter, relettered

if TYPE_CHECKING:
    from dpverify.source import Reading

MOMENT = {True: "finite", False: "infinite", None: "not settled"}


@dataclass(frozen=True, slots=True)
class Facts:
    """What a result and a certificate's claim both say; `epsilon` is its enclosure."""

    verdict: str
    generator: str
    dimension: int
    parameters: Mapping[str, object]
    sensitivity: Fraction
    scale: Fraction
    epsilon: tuple[Fraction, Fraction] | None
    theorem: str
    assumptions: tuple[str, ...]
    mixing: MixingReport | None = field(default=None)
    defaults: frozenset[str] = frozenset()

    @classmethod
    def of_result(cls, result: Result) -> Facts:
        """What `verify` found."""
        generator, epsilon = result.generator, result.epsilon
        return cls(
            *(result.verdict, generator.text, generator.dimension, generator.parameters),
            *(result.sensitivity, result.scale, None if epsilon is None else (epsilon.lower, epsilon.upper)),
            *(result.theorem, tuple(result.assumptions)),
            mixing=result.mixing,
            defaults=generator.defaults,
        )

    @classmethod
    def of_claim(cls, claim: Mapping[str, Any], assumptions: tuple[str, ...]) -> Facts:
        """What a certificate that the kernel has accepted claims."""
        epsilon = claim["epsilon"]
        return cls(
            *(claim["verdict"], claim["generator"], claim["dimension"], dict(sorted(claim["parameters"].items()))),
            *(Fraction(claim["sensitivity"]), Fraction(claim["scale"])),
            None if epsilon is None else (Fraction(epsilon["lower"]), Fraction(epsilon["upper"])),
            *(claim["theorem"] or "", tuple(assumptions)),
        )

    def question(self) -> list[Row]:
        """The generator, its dimension and parameters, Delta and sigma."""
        rows = [Row("f(y)", code=self.generator)]
        if self.mixing is not None:
            law = f"  ({self.mixing.law})" if self.mixing.law else ""
            rows.append(Row("V", code=f"{self.mixing.density}{law}"))
        noise = f"d = {self.dimension}{bound(self.parameters, self.defaults)}"
        return [*rows, Row("with", f"{noise}, Delta = {brief(self.sensitivity)}, sigma = {brief(self.scale)}")]

    def size(self) -> list[Row]:
        """epsilon and its enclosure, every digit of it."""
        if self.epsilon is None:
            return []
        lower, upper = self.epsilon
        decimal = decimal_between(lower, upper)
        return [Row("epsilon", decimal), Row("at least", in_full(lower, "down")), Row("at most", in_full(upper, "up"))]

    def by(self) -> list[Row]:
        """The theorem, where there is one."""
        return [Row("by", THEOREMS.get(self.theorem, self.theorem))] if self.theorem else []


@sheet.register
def result_sheet(result: Result, saved: Path | None = None) -> Sheet:
    """A result of `verify`: the question, each hypothesis and why, the answer; `saved` is its certificate's file."""
    facts, names = Facts.of_result(result), result.generator.parameters
    if result.verdict == "undecided":
        hypotheses = unsettled(result)
    else:
        hypotheses = [
            Row(n.replace("_", " "), relettered(h.explanation, names), status=h.status)
            for n, h in result.hypotheses.items()
        ]
    answer = []
    if result.mixing is not None:
        moment = f"{MOMENT[result.mixing.moment_finite]} for d = {facts.dimension}"
        answer += [Row("E[V^-d]", moment), Row("private for", result.mixing.private_for)]
    answer += facts.size()
    if result.epsilon is not None:
        if result.epsilon.closed_form:
            typeset = latex(result.epsilon.closed_form)
            shown = None if typeset is None else rf"\varepsilon = {typeset}, \quad \delta = \dfrac{{\Delta}}{{\sigma}}"
            answer.append(Row("formula", spoken(result.epsilon.closed_form), shown))
        known = not result.epsilon.decimal.startswith("between")
        answer.append(_place(result.epsilon.attained_at or "not known", names, known))
    answer += [*facts.by(), *_tail(result)]
    if result.verdict != "undecided":
        answer.append(assuming(result.assumptions))
    else:
        answer += tries(result)
    if saved is not None:
        answer.append(Row("certificate", f"{saved}  (dpverify check {saved})"))
    parts = tuple(Part(rows=tuple(rows)) for rows in (facts.question(), hypotheses, answer) if rows)
    return Sheet(*_title(result), relettered(result.reason, names), parts=parts)


def _place(at: str, parameters: Collection[str], known: bool) -> Row:
    """Where the loss is largest, or was seen to be large; a limit is approached, and nothing is largest there."""
    shown = relettered(at, parameters)
    if at.startswith(("the limit", "again")):
        return Row("approached", f"in {shown}" if at.startswith("the") else shown)
    place = latex(at.removeprefix("c = ")) if at.startswith("c = ") else None
    formula = None if place is None else f"{radius_letter(parameters)} = {place}"
    return Row("largest at" if known else "seen at", spoken(shown), formula)


def _title(result: Result) -> tuple[str, str]:
    """The headline and its tone: the verdict, and of a claimed epsilon whether it is proved."""
    if result.claimed is None or result.within is None:
        return TITLES[result.verdict], TONES[result.verdict]
    claim = f"epsilon <= {result.claimed}: {result.within.upper()}"
    return f"{TITLES[result.verdict]}; {claim}", TONES.get(result.within, "open")


def assuming(assumptions: tuple[str, ...] | list[str]) -> Row:
    """What a verdict rests on."""
    return Row("assuming", "; ".join(assumptions) or "nothing")


def _tail(result: Result) -> list[Row]:
    """The lim sup of the log ratio, which is no more than epsilon."""
    limit = result.tail_log_ratio
    if limit is None:
        return []
    most = limit.upper if result.epsilon is None else result.epsilon.upper
    upper = max(limit.lower, min(limit.upper, most))
    if limit.lower == upper:
        size = f"= {short(upper)}"
    else:
        high = in_full(upper, "up") if upper == most else short(upper, 17, "up")  # as epsilon's own upper end is told
        size = f"in [{short(limit.lower, 17, 'down')}, {high}]"
    return [Row("tail ratio", f"lim sup of its logarithm {size}")]


@sheet.register
def check_sheet(report: CheckReport) -> Sheet:
    """What the kernel says of a certificate."""
    if report.claim is None:
        return Sheet("REJECTED", "bad", parts=(Part(rows=(Row("reason", report.message), Row("code", report.code))),))
    rows = [Row("verdict", TITLES[report.claim["verdict"]]), Row("claim", report.message)]
    rows += [assuming(report.assumptions), Row("rules", ", ".join(report.rules))]
    return Sheet("The certificate holds", "good", parts=(Part(rows=tuple(rows)),))


def claim_sheet(name: str, report: CheckReport, reading: Reading | None = None, more: tuple[Row, ...] = ()) -> Sheet:
    """An accepted certificate's claim in full, and what it rests on, the rules it uses too where asked for."""
    assert report.claim is not None
    rows = claim_of_kind(report.claim) if "kind" in report.claim else _of_epsilon(report.claim)
    rows += [Row("assuming", assumption) for assumption in report.assumptions or ("nothing",)]
    parts = [Part(rows=tuple(rows))]
    if reading is not None:
        sections = ", ".join(f"{section} {size}" for section, size in reading.sections.items())
        lines = f"{reading.lines} lines of the kernel ({sections}), {reading.code} of them code"
        told = f"{len(reading.rules)} rules; to read: {lines}"
        rules = tuple(Row(rule.number, rule.title, code=rule.place) for rule in reading.rules)
        parts = [Part(rows=(*rows, Row("rests on", told))), Part(rows=rules)]
    parts += [Part(rows=more)] if more else []
    return Sheet(f"{name}: holds: {TITLES[report.claim['verdict']]}", "good", parts=tuple(parts))


def _of_epsilon(claim: Mapping[str, Any]) -> list[Row]:
    facts = Facts.of_claim(claim, ())
    return [*facts.question(), *facts.size(), *(facts.by() if facts.epsilon is not None else ())]


def about_sheet(about: Mapping[str, Any]) -> Sheet:
    """The kernel itself: what it reads, how long it is, and the digest of its packed form."""
    rows = [Row("reads", f"{about['format']}, version {about['version']}"), Row("rules", str(about["rules"]))]
    rows += [Row(name, f"{size:>6} lines") for name, size in about["lines"].items()]
    code = f"{about['code']['core']} lines of the core, {about['code']['in all']} in all; others state and explain"
    rows.append(Row("code", code))
    digest = Part(rows=(Row("SHA-256", code=about["digest"]),))
    return Sheet("The kernel", "open", parts=(Part(rows=tuple(rows)), digest))
