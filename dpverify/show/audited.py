"""An audit's JSON beside a certificate: what was observed and what is proved, of one and the same claim."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn

from dpverify import files
from dpverify.errors import InputError
from dpverify.numerals import six_down
from dpverify.show.claims import up
from dpverify.show.sheet import Part, Row
from dpverify.show.words import shortened

MAX_BYTES = 5_000_000
ROUNDED = Fraction(1, 100)  # a claim made by hand is the proved epsilon rounded, not another one


@dataclass(frozen=True, slots=True)
class Told:
    """What an audit tells of one thing that it examined, or that it did not; with its own bound, if it has one."""

    of: str
    words: str
    lower: float | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """Observed: epsilon >= `lower` with the stated confidence; proved: epsilon <= `upper` (None: no epsilon).

    `parts` is what it tells of the law, of the low bits and of the fit, each apart, and its warnings; `another_law`
    whether the samples are shown not to have the law that the certificate is about.
    """

    lower: float
    delta: float
    confidence: float
    samples: int
    event: str
    method: str
    source: str
    seed: int
    upper: Fraction | None
    parts: tuple[Told, ...]
    another_law: bool
    file: str
    sha256: str

    @property
    def verdict(self) -> Literal["consistent", "violated"]:
        """Violated where more is observed than is proved."""
        return "violated" if self.upper is not None and Fraction(self.lower) > self.upper else "consistent"


def read_audit(path: str | Path, claim: Mapping[str, Any], digest: str) -> Audited:
    """The audit in a file, of the mechanism that an accepted certificate of this claim and digest is about.

    Raises InputError where the file is no audit, or one of another generator, sensitivity or claim.
    """
    data = _Reader(Path(path))
    if claim["verdict"] == "invalid":
        data.refuse("the certificate shows that there is no mechanism, so there is nothing to audit")
    upper = None if claim["epsilon"] is None else Fraction(claim["epsilon"]["upper"])
    _same_claim(data, claim, digest, upper)
    audited = Audited(
        lower=data.number("epsilon_lower", 0, math.inf),
        delta=data.number("delta", 0, 1),
        confidence=data.number("confidence", 0, 1),
        samples=data.count("samples"),
        event=data.text("event"),
        method=data.text("method"),
        source=data.text("source"),
        seed=data.count("seed"),
        upper=upper,
        parts=tuple(_parts(data, upper)),
        another_law=_is_rejected(data.part("fit")),
        file=Path(path).name,
        sha256=data.sha256,
    )
    if not 0 < audited.confidence < 1:
        data.refuse("its confidence is not between 0 and 1")
    return audited


def audit_part(audited: Audited) -> Part:
    """What the samples show beside what is proved."""
    observed = rf"\varepsilon \geq {six_down(audited.lower)}"
    proved = "there is no ε" if audited.upper is None else ""
    share = f"{100 * audited.confidence:.10g} %"
    if audited.verdict == "violated":
        sentence = (
            "Violated: the samples show a larger ε than is proved. The sampler does not draw the noise that the "
            "certificate is about, or its floating-point numbers leak; at the stated confidence it is not chance."
        )
    elif audited.another_law:
        sentence = (
            "The samples do not have the law that the certificate is about, which says nothing of them; that they show "
            "no larger ε than is proved is no privacy."
        )
    elif audited.upper is None:
        sentence = "Consistent: any lower bound agrees with a mechanism that is private for no ε."
    else:
        sentence = "Consistent: what the samples show is no more than what is proved. An audit proves no privacy."
    rows = [
        Row("Proved", proved, None if audited.upper is None else rf"\varepsilon \leq {up(audited.upper)}"),
        Row("Observed", f"at {share} confidence", observed),
        *(
            Row(told.of, told.words, None if told.lower is None else rf"\varepsilon \geq {six_down(told.lower)}")
            for told in audited.parts
        ),
        Row("Samples", f"{audited.samples} a side, from", code=shortened(audited.source, 300)),
        Row("Event", code=shortened(audited.event, 500)),
        Row("Method", code=shortened(audited.method, 300)),
        Row("Seed and file", f"{audited.seed},", code=shortened(audited.file, 100)),
    ]
    if audited.delta:
        rows.insert(2, Row("δ of the audit", f"{audited.delta:g}: the bound holds for (ε, δ)-privacy"))
    told = "The audit is taken from its file as it is; its samples were not drawn again."
    return Part("Audit", (sentence,), tuple(rows), coda=told)


def _parts(data: _Reader, upper: Fraction | None) -> Iterator[Told]:
    for of, field in (("The law", "law"), ("The low bits", "bits")):
        part = data.part(field)
        if part is not None:
            lower = part.number("epsilon_lower", 0, math.inf)
            violated = upper is not None and Fraction(lower) > upper
            yield Told(of, "more than is proved" if violated else "alone", lower)
    if data.part("bits") is None and data.fields.get("bits_examined") is False:
        yield Told("The low bits", "not examined, nor decimals and lattices")
    fit = data.part("fit")
    if fit is not None:
        found = "not the law that is proved private" if _is_rejected(fit) else "no difference found"
        yield Told("The fit", f"{found}; the largest: {shortened(fit.text('worst'), 300)}")
    warned = data.fields.get("warnings") or []
    for text in warned if isinstance(warned, list) else data.refuse("its warnings are no list"):
        if not isinstance(text, str):
            data.refuse("its warnings are not texts")
        yield Told("Warning", shortened(text, 300))


def _is_rejected(fit: _Reader | None) -> bool:
    rejected = fit is not None and fit.fields.get("rejected")
    if fit is not None and rejected not in (True, False):
        fit.refuse("its fit is neither rejected nor not")
    return bool(rejected)


def contradiction(audited: Audited) -> str:
    """What a violated audit says against what is proved."""
    assert audited.upper is not None
    proved, seen = up(audited.upper), six_down(audited.lower)
    return f"The law is private with ε ≤ {proved}; the audited sampler violates it, with ε ≥ {seen}."


def _same_claim(data: _Reader, claim: Mapping[str, Any], digest: str, upper: Fraction | None) -> None:
    """The audit names this certificate, or measures the loss of the same noise at the same distance."""
    again = "audit this one with `dpverify audit --certificate FILE`"
    named = data.fields.get("certificate")
    if named is not None:
        if not isinstance(named, dict) or named.get("digest") != digest:
            data.refuse(f"it is an audit of another certificate; {again}")
        if named.get("epsilon_upper") != (None if upper is None else str(upper)):
            data.refuse("it states another epsilon than the certificate that it names")
        return
    test = data.fields.get("test")
    event = test.get("event") if isinstance(test, dict) else None
    score = event.get("score") if isinstance(event, dict) else None
    if not isinstance(score, dict) or score.get("kind") != "privacy_loss":
        data.refuse(f"it does not say of which noise it is an audit; {again}")
    expected = {
        "generator": claim["generator"],
        "dimension": claim["dimension"],
        "parameters": [[name, value] for name, value in sorted(claim["parameters"].items())],
        "unit": float(Fraction(claim["scale"])),
        "whitening": None,
    }
    for name, value in expected.items():
        if score.get(name) != value:
            data.refuse(f"its {'scale' if name == 'unit' else name} is not the certificate's; {again}")
    shift = score.get("shift")
    centres = [x for x in shift if x != 0] if isinstance(shift, list) else []
    if centres != [float(Fraction(claim["sensitivity"]))]:
        data.refuse(f"its sensitivity is not the certificate's; {again}")
    claimed = data.fields.get("claim")
    if claimed is not None:
        stated = Fraction(data.number("claim", 0, math.inf))
        if upper is None or abs(stated - upper) > ROUNDED * upper:
            proved = "that there is no epsilon" if upper is None else f"epsilon <= {float(upper):.6g}"
            data.refuse(f"it is an audit of the claim epsilon <= {float(stated):.6g}; the certificate proves {proved}")


class _Reader:
    """The fields of an audit's JSON, each with its type checked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        raw = files.read(path, MAX_BYTES)
        self.sha256 = hashlib.sha256(raw).hexdigest()
        try:
            fields = json.loads(raw.decode("utf-8"), parse_constant=self._no_number)
        except (UnicodeDecodeError, ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict) or "epsilon_lower" not in fields:
            self.refuse("not the JSON of an audit; make one with `dpverify audit ... --output FILE`")
        self.fields: dict[str, Any] = fields

    def part(self, name: str) -> _Reader | None:
        """The fields of an object in it, or None where there is none."""
        fields = self.fields.get(name)
        if fields is None:
            return None
        if not isinstance(fields, dict):
            self.refuse(f"its {name} is not what an audit has there")
        inner = copy(self)
        inner.fields = fields
        return inner

    def refuse(self, why: str) -> NoReturn:
        """Raise InputError with the file's name."""
        raise InputError(f"{self.path}: {why}")

    def _no_number(self, text: str) -> NoReturn:
        raise ValueError(text)

    def number(self, name: str, low: float, high: float) -> float:
        """A number from low to high."""
        value = self.fields.get(name)
        good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
        if not good or not low <= value <= high:  # type: ignore[operator]
            self.refuse(f"its {name} is not a number that an audit has")
        return float(value)  # type: ignore[arg-type]

    def count(self, name: str) -> int:
        """An integer from 0."""
        value = self.fields.get(name)
        if type(value) is not int or not 0 <= value < 10**40:
            self.refuse(f"its {name} is not a number that an audit has")
        return value

    def text(self, name: str) -> str:
        """A text."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            self.refuse(f"its {name} is not a text")
        return value
