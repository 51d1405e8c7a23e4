"""The content of a report, in order, whatever it is written as: words, formulas (LaTeX), a plot."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpverify import source
from dpverify.report.words import printable
from dpverify.review.audited import Audited
from dpverify.review.examine import Examination
from dpverify.review.picture import Picture, picture_of
from dpverify.review.reasons import Reason, charts, reasons
from dpverify.review.typeset import NotTypeset, latex, symbol
from dpverify.source import Reading

LINE, PLACES = 60, 14


@dataclass(frozen=True, slots=True)
class Item:
    """A labelled statement: text from outside is in `code` only; `formula` is LaTeX composed here."""

    label: str
    text: str = ""
    formula: str | None = None
    code: str | None = None


@dataclass(frozen=True)
class Page:
    """What a reviewer reads. A certificate that is not accepted has no claim, no reasons and no plot."""

    examined: Examination
    title: str
    tone: str
    sentence: str
    because: str = ""
    message: str = ""
    statement: str | None = None
    items: tuple[Item, ...] = ()
    hypotheses: tuple[Reason, ...] = ()
    charts: str = ""
    theorem: str = ""
    assumptions: tuple[str, ...] = ()
    audit: tuple[Item, ...] = ()
    audit_sentence: str = ""
    reading: Reading | None = None
    commands: tuple[tuple[str, str], ...] = ()
    limits: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """The file's name, with what cannot be printed escaped."""
        return printable(self.examined.name)

    @property
    def read(self) -> str:
        """How much of the kernel there is to read for this certificate, in a sentence."""
        if self.reading is None:
            return ""
        sections = [f"{name} ({size})" for name, size in self.reading.sections.items()]
        whole = sum(source.sizes().values())
        return (
            f"The proof rests on {len(self.reading.rules)} of the {len(source.rules())} rules of the kernel. Whoever wants "
            f"to trust nothing reads {self.reading.lines} of its {whole} lines: {', '.join(sections)}."
        )

    @property
    def kernel(self) -> str:
        """SHA-256 of the packed kernel that replayed the certificate."""
        return source.digest()

    @cached_property
    def picture(self) -> Picture | None:
        check = self.examined.check
        return None if check.claim is None or check.proof is None else picture_of(check.claim, check.proof)


def page_of(examined: Examination) -> Page:
    """Compose the page; a claim only where the kernel has accepted the certificate."""
    name = examined.name
    commands = (
        ("Check that this is the file", f"sha256sum {quoted(name)}"),
        ("Check the proof", f"dpverify check {quoted(name)}"),
        ("Or with the checker alone", f"python -I -S {source.PACKED} {quoted(name)}"),
    )
    check = examined.check
    if check.claim is None or check.proof is None:
        return Page(
            examined,
            title="Certificate not accepted",
            tone="bad",
            sentence="The kernel does not accept this certificate. It proves nothing, and this report makes no claim.",
            because="The kernel's reason:",
            message=f"{shortened(check.message, 400)} [{check.code}]",
            commands=commands,
        )
    claim, proof = check.claim, check.proof
    title, tone, sentence, statement = _verdict(claim)
    audit_sentence, audit = _audit(examined.audited) if examined.audited else ("", ())
    return Page(
        examined,
        title=title,
        tone=tone,
        sentence=sentence,
        because=_because(claim, proof),
        statement=statement,
        items=tuple(_items(claim)),
        hypotheses=tuple(reasons(claim, proof)),
        charts=charts(proof),
        theorem=_theorem(claim),
        assumptions=tuple(shortened(a, 2000) for a in check.assumptions),
        audit=audit,
        audit_sentence=audit_sentence,
        reading=source.reading(check.rules),
        commands=commands,
        limits=_limits(claim),
    )


def _verdict(claim: Mapping[str, Any]) -> tuple[str, str, str, str | None]:
    delta = r"\delta = \dfrac{\Delta}{\sigma}"
    modulus, potential = r"\sup_{|s-t| \leq \delta}\, |g(s) - g(t)|", r"g(r) = -\log\, f(r^2)"
    loss = r"\log\, \dfrac{f((c-\delta)^2)}{f(c^2)}"
    if claim["verdict"] == "invalid":
        words = (
            "The function f generates no probability density in this dimension. There is no such noise, and no "
            "statement about its privacy can be made."
        )
        return "Not a density generator", "bad", words, None
    if claim["verdict"] == "not_private":
        words = (
            "A mechanism that releases T(D) + σX, with noise X whose density on R^d is proportional to f(x' S⁻¹ x), "
            "is differentially private for no ε, whatever the scale σ and the sensitivity Δ > 0."
        )
        falling = claim["hypotheses"]["decreasing"] == "proved"
        formula = (
            rf"\sup_{{c \geq \delta}}\, {loss} = \infty" if falling else rf"{modulus} = \infty, \qquad {potential}"
        )
        return "Private for no ε", "bad", words, rf"{formula}, \qquad {delta}"
    lower, upper = _ends(claim)
    words = (
        "A mechanism that releases T(D) + σX, with noise X whose density on R^d is proportional to f(x' S⁻¹ x), "
        f"is ε-differentially private for ε = {_up(upper)}, and for no ε below {_down(lower)} if neighbouring "
        "data sets at the distance Δ occur."
    )
    if claim["theorem"] == "Theorem A":
        words = words.replace("at the distance Δ occur", "at every distance up to Δ, or arbitrarily near it, occur")
        supremum = rf"{modulus}, \qquad {potential}"
    else:
        supremum = rf"\sup_{{c \geq \delta}}\, {loss}"
    return "Private", "good", words, rf"\varepsilon = {supremum}, \qquad {delta}"


def _because(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> str:
    statuses = claim["hypotheses"]
    if claim["verdict"] == "private":
        witness = proof["witness"]
        if witness["near"] == "box":
            return "The loss reaches the lower bound in the witness box, and is nowhere above the upper bound."
        end = "c falls to δ" if witness["near"] == "zero" else "c grows without end"
        return f"The loss comes arbitrarily near the lower bound as {end}, and is nowhere above the upper bound."
    failed = [reason.why for reason in reasons(claim, proof) if reason.status == "refuted" and _fatal(reason, statuses)]
    return " ".join(failed)


def _fatal(reason: Reason, statuses: Mapping[str, str]) -> bool:
    return reason.name != "f never rises"


def _items(claim: Mapping[str, Any]) -> list[Item]:
    text = claim["generator"]
    formula = latex(text)
    found = [
        Item(
            "Generator",
            "the radial density generator, in y = x' S⁻¹ x and r = √y",
            formula=None if formula is None else f"f(y) = {formula}",
            code=shortened(text, 1000),
        ),
        Item("Dimension", formula=f"d = {claim['dimension']}"),
    ]
    for name, value in sorted(claim["parameters"].items()):
        found.append(_parameter(name, value))
    sensitivity, scale = Fraction(claim["sensitivity"]), Fraction(claim["scale"])
    found += [
        Item("Sensitivity", "sup ‖S^(-1/2) (T(D) − T(D′))‖₂, a Mahalanobis distance", _equals(r"\Delta", sensitivity)),
        Item("Scale", "the factor σ on the noise", _equals(r"\sigma", scale)),
    ]
    if claim["epsilon"] is not None:
        lower, upper = _ends(claim)
        found += [
            Item("Epsilon", formula=rf"\varepsilon {_size(lower, upper)}"),
            Item("At least", code=_rational(lower, "down")),
            Item("At most", code=_rational(upper, "up")),
        ]
        if claim["closed_form"]:
            formula = latex(claim["closed_form"])
            text = "a formula whose value lies in the enclosure"
            shown = None if formula is None else rf"\varepsilon = {formula}"
            found.append(Item("Formula", text, shown, None if shown else shortened(claim["closed_form"], 1000)))
    if claim["tail_log_ratio"] is not None:
        low, high = (Fraction(claim["tail_log_ratio"][end]) for end in ("lower", "upper"))
        if low == high and len(str(low)) <= PLACES:
            limit = f"= {low}"
        else:
            limit = rf"\in \left[{_down(low)},\, {_up(high)}\right]"
        ratio = r"\limsup_{c \to \infty}\, \log\, \dfrac{f((c-\delta)^2)}{f(c^2)}"
        found.append(Item("In the tail", formula=f"{ratio} {limit}"))
    return found


def _parameter(name: str, value: str) -> Item:
    try:
        if name.isascii() and len(name) <= 40:
            return Item("Parameter", formula=_equals(symbol(name), Fraction(value)))
    except NotTypeset:
        pass
    return Item("Parameter", code=f"{shortened(name, 60)} = {shortened(value, 60)}")


def _equals(left: str, value: Fraction) -> str:
    text = str(value)
    if len(text) > 24:
        return rf"{left} \approx {_scientific(value)}"
    if value.denominator == 1:
        return f"{left} = {text}"
    sign = "-" if value < 0 else ""
    return rf"{left} = {sign}\dfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _scientific(value: Fraction) -> str:
    from dpverify.calibration.words import short

    mantissa, _, power = short(value, 12).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def _theorem(claim: Mapping[str, Any]) -> str:
    if claim["theorem"] == "Theorem 3":
        return (
            "Theorem 3 of Reimherr and Awan (Elliptical Perturbations for Differential Privacy, NeurIPS 2019): for an "
            "f that never rises, the best ε is the supremum of the log ratio over c ≥ δ."
        )
    if claim["theorem"] == "Theorem A":
        return (
            "Theorem A: the best ε is the modulus of continuity of g = −log f(r²) at δ. It follows from the triangle "
            "inequality, and needs no f that never rises."
        )
    return ""


def _audit(audited: Audited) -> tuple[str, tuple[Item, ...]]:
    observed = rf"\varepsilon \geq {_six(audited.lower)}"
    proved = "there is no ε" if audited.upper is None else ""
    share = f"{100 * audited.confidence:.10g} %"
    if audited.verdict == "violated":
        sentence = (
            "Violated: the samples show a larger ε than is proved. The sampler does not draw the noise that the "
            "certificate is about, or its floating-point numbers leak; at the stated confidence it is not chance."
        )
    elif audited.upper is None:
        sentence = "Consistent: any lower bound agrees with a mechanism that is private for no ε."
    else:
        sentence = "Consistent: what the samples show is no more than what is proved. An audit proves no privacy."
    items = [
        Item("Proved", proved, None if audited.upper is None else rf"\varepsilon \leq {_up(audited.upper)}"),
        Item("Observed", f"at {share} confidence", observed),
        Item("Samples", f"{audited.samples} a side, from", code=shortened(audited.source, 300)),
        Item("Event", code=shortened(audited.event, 500)),
        Item("Method", code=shortened(audited.method, 300)),
        Item("Seed and file", f"{audited.seed},", code=shortened(audited.file, 100)),
    ]
    if audited.delta:
        items.insert(2, Item("δ of the audit", f"{audited.delta:g}: the bound holds for (ε, δ)-privacy"))
    return sentence, tuple(items)


def _limits(claim: Mapping[str, Any]) -> tuple[str, ...]:
    if claim["verdict"] == "invalid":
        return ("The statement is about this f in this dimension, with these parameters.",)
    refuted = claim["verdict"] == "not_private"
    other = (
        "the same noise may be (ε, δ)-private, as the Gaussian is" if refuted else "not about (ε, δ)- or Rényi privacy"
    )
    once = () if refuted else ("It is about one release. Several releases add up: k of them cost at most kε.",)
    floats = (
        "It is about real numbers. A sampler that computes in floating point draws another law, whose low bits can "
        "give data away; no certificate covers it."
    )
    noise = (
        "It is about noise that is drawn fresh, independent of the data, and as f says; not about how the noise is "
        "drawn, what else is released, or who sees timings and seeds."
    )
    return (
        floats,
        "The sensitivity Δ is the user's claim, and so is the positive definite matrix S in whose norm it is measured.",
        *once,
        f"It is about pure ε-differential privacy; {other}.",
        noise,
    )


def _ends(claim: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    return Fraction(claim["epsilon"]["lower"]), Fraction(claim["epsilon"]["upper"])


def _up(value: Fraction) -> str:
    from dpverify.calibration.words import short

    return short(value, PLACES, "up")


def _down(value: Fraction) -> str:
    from dpverify.calibration.words import short

    return short(value, PLACES, "down")


def _size(lower: Fraction, upper: Fraction) -> str:
    """The middle of an enclosure, to as many decimals as it supports; a huge one by its leading digits; and the
    enclosure itself where it supports none."""
    middle, places = (lower + upper) / 2, 0
    if upper - lower >= Fraction(1, 10) and (upper - lower) * 10**6 > upper:
        return rf"\in \left[{_down(lower)},\, {_up(upper)}\right]"
    while places < PLACES and Fraction(1, 10 ** (places + 1)) > upper - lower:
        places += 1
    text = f"{Decimal(round(middle * 10**places)).scaleb(-places):f}" if middle < 10**12 else ""
    return rf"\approx {text or _scientific(middle)}"


def _rational(value: Fraction, towards: str) -> str:
    """The rational and its decimal, rounded so that the bound stays one; for a long rational the decimal alone."""
    from dpverify.calibration.words import short

    text, decimal = str(value), short(value, PLACES + 2, towards)
    if len(text) > LINE:
        return f"{decimal} (rounded {towards}; the exact rational is in the certificate)"
    if text == decimal or value.denominator == 1:
        return text
    return f"{text} = {decimal}" if Fraction(decimal) == value else f"{text} ({decimal}, rounded {towards})"


def _six(value: float) -> str:
    """Six decimals, rounded down: a lower bound stays one."""
    return f"{Fraction(value) * 10**6 // 1 / 10**6:.6f}"


def shortened(text: str, most: int) -> str:
    """Text from outside on one line: what is not printable is escaped, and what is too long cut with a word of it."""
    clean = printable(" ".join(text.split()))
    return clean if len(clean) <= most else f"{clean[:most]}… ({len(clean)} characters; the rest is in the file)"


def quoted(name: str) -> str:
    """A file's name as one word of a shell."""
    return shlex.quote(printable(name))
