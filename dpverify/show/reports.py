"""The report on a certificate, for a reviewer: a sheet of words, formulas and a plot.

A certificate that the kernel does not accept gets a sheet that says so, with no claim, no reasons and no plot.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpverify import source
from dpverify.show.audited import audit_part, contradiction
from dpverify.show.claims import claim_rows, size, theorem, verdict
from dpverify.show.examination import Examination
from dpverify.show.kinds import FLOATS, NOISE, SENSITIVITY, report_of_kind
from dpverify.show.provenance import headline, provenance_part, records_part
from dpverify.show.reasons import TITLES, charts, reasons
from dpverify.show.sheet import Part, Row, Sheet
from dpverify.show.words import printable, radius_letter, shortened

if TYPE_CHECKING:
    from dpverify.show.plots.picture import Picture

KIND = "Report on a privacy certificate"
DRAWN = "Curves are drawn for the eye; the proof does not rest on them."


def report(examined: Examination, drawn: bool = True) -> Sheet:
    """The report: a claim only where the kernel has accepted the certificate; the plot only where `drawn`."""
    check, name = examined.check, printable(examined.name)
    about: dict[str, Any] = {"kind": KIND, "subject": name, "foot": f"SHA-256 {examined.sha256[:16]}…"}
    about["headline"] = headline(check.claim, "" if check.claim is None else size(check.claim), examined.said.day)
    provenance = provenance_part(examined.said, examined.inputs)
    if check.claim is None or check.proof is None:
        return Sheet(
            "Certificate not accepted",
            "bad",
            "The kernel does not accept this certificate. It proves nothing, and this report makes no claim.",
            notes=(Row("", "The kernel's reason:", code=shortened(check.refusal(), 400)),),
            parts=(_again(examined), provenance),
            **about,
        )
    claim, proof = check.claim, check.proof
    ending = [_assumptions(check.assumptions), _rests(check.rules), _again(examined), provenance]
    if claim["verdict"] not in ("not_private", "invalid"):
        ending.append(records_part(quoted(name), exported="generator" in claim))
    if "kind" in claim:
        return report_of_kind(claim, ending, Sheet("", "", **about))
    title, tone, sentence, statement = verdict(claim)
    if examined.audited is not None and examined.audited.verdict == "violated":
        title, tone = f"{title}, but the audited sampler violates it", "bad"
        sentence = f"{contradiction(examined.audited)} {sentence}"
    elif examined.audited is not None and examined.audited.another_law:
        title, tone = f"{title}, but the audited sampler draws another law", "bad"
        sentence = f"The audited sampler does not draw this noise, and the certificate says nothing of it. {sentence}"
    parts = [Part("The claim", rows=tuple(claim_rows(claim)), coda=theorem(claim))]
    picture = _picture(claim, proof) if drawn else None
    if picture is not None:
        parts.append(Part(picture.title, picture=picture, coda=f"{picture.caption} {DRAWN}"))
    hypotheses = tuple(Row(r.name, r.why, r.formula, status=r.status) for r in reasons(claim, proof))
    parts.append(Part("Hypotheses", (charts(proof),), hypotheses))
    if examined.audited is not None:
        parts.append(audit_part(examined.audited))
    parts += [*ending, Part("What it does not cover", points=_limits(claim))]
    return Sheet(title, tone, sentence, statement, (Row("", _because(claim, proof)),), tuple(parts), **about)


def _picture(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Picture | None:
    from dpverify.show.plots.certificate import picture_of

    return picture_of(claim, proof)


def _assumptions(assumptions: tuple[str, ...]) -> Part:
    if not assumptions:
        return Part("Assumptions", ("None: the checker derives every step from the generator's text.",))
    told = "The checker does not derive these facts; the proof rests on them:"
    return Part("Assumptions", (told,), points=tuple(shortened(a, 2000) for a in assumptions))


def _rests(numbers: tuple[str, ...]) -> Part:
    """The rules of the kernel that the proof uses, and how much there is to read."""
    reading = source.reading(numbers)
    sections = ", ".join(f"{name} ({size})" for name, size in reading.sections.items())
    told = (
        f"The proof rests on {len(reading.rules)} of the {len(source.rules())} rules of the kernel. Whoever wants to "
        f"trust nothing reads {reading.lines} of its {sum(source.sizes().values())} lines: {sections}."
    )
    return Part(
        "What it rests on", (told,), tuple(Row(r.number, r.title, code=r.place) for r in reading.rules), dense=True
    )


def _again(examined: Examination) -> Part:
    """The file and its hash, and the commands that check it."""
    told = "replayed and accepted" if examined.claim is not None else "replayed, and refused,"
    name = printable(examined.name)
    rows = (
        Row("File", f"{examined.size} bytes:", code=name),
        Row("SHA-256", code=examined.sha256),
        Row("Check that this is the file", code=f"sha256sum {quoted(name)}"),
        Row("Check the proof", code=f"dpverify check {quoted(name)}"),
        Row("Or with the checker alone", code=f"python -I -S {source.PACKED} {quoted(name)}"),
    )
    note = f"The kernel {told} the certificate when this report was written. Do not trust the report: check the file."
    return Part("Checking it again", (note,), rows)


def _because(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> str:
    """What settles the verdict, in a sentence."""
    if claim["verdict"] == "private":
        witness = proof["witness"]
        if witness["near"] == "box":
            return "The loss reaches the lower bound in the witness box, and is nowhere above the upper bound."
        c = radius_letter(claim["parameters"])
        end = f"{c} falls to δ" if witness["near"] == "zero" else f"{c} grows without end"
        near = f"The loss reaches the lower bound, or comes arbitrarily near it, as {end}"
        return f"{near}, and is nowhere above the upper bound."
    failed = [r.why for r in reasons(claim, proof) if r.status == "refuted" and r.name != TITLES["decreasing"]]
    return " ".join(failed)


def _limits(claim: Mapping[str, Any]) -> tuple[str, ...]:
    if claim["verdict"] == "invalid":
        return ("The statement is about this f in this dimension, with these parameters.",)
    refuted = claim["verdict"] == "not_private"
    other = (
        "the same noise may be (ε, δ)-private, as the Gaussian is" if refuted else "not about (ε, δ)- or Rényi privacy"
    )
    once = () if refuted else ("It is about one release. Several releases add up: k of them cost at most kε.",)
    return FLOATS, SENSITIVITY, *once, f"It is about pure ε-differential privacy; {other}.", NOISE


def quoted(name: str) -> str:
    """A file's name as one word of a shell."""
    return shlex.quote(printable(name))
