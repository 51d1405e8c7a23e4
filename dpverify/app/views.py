"""What the explorer shows, as HTML: four plots, and the verdict with its proof in words.

Everything from outside is escaped by the templates; formulas and curves are composed here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from dpverify.api import CheckReport
from dpverify.app import asking
from dpverify.app.proving import Answer
from dpverify.errors import InputError
from dpverify.generators import Generator, family_of
from dpverify.language import parameters, parse, parse_rational, read
from dpverify.results import decimal_between, equals
from dpverify.show import Examination, Sheet
from dpverify.show.document import environment, font, html
from dpverify.show.formulas import latex
from dpverify.show.plots.certificate import far_out
from dpverify.show.plots.lines import Drawn, Line, even, geometric
from dpverify.show.plots.picture import Mark, Picture
from dpverify.show.reports import report as report_on
from dpverify.show.sentences import typeset
from dpverify.show.words import HEADLINES, printable

POINTS, LINEAR_UP_TO, DRAWING_TIME = 320, 50, 3.0
LOSS = "The privacy loss"
SLIDERS, TAKEN = 8, {"self", "text", "dimension"}


@dataclass(frozen=True, slots=True)
class Question:
    """A valid generator, and the sensitivity and scale, exact."""

    generator: Generator
    sensitivity: Fraction
    scale: Fraction

    @property
    def delta(self) -> Fraction:
        """Delta / sigma."""
        return self.sensitivity / self.scale

    @property
    def file(self) -> str:
        """The certificate's file name, which says what it is about: d, Delta and sigma."""
        values = (str(value).replace("/", "over") for value in (self.sensitivity, self.scale))
        return "certificate-d{}-Delta{}-sigma{}.json".format(self.generator.dimension, *values)

    def to_json(self) -> dict[str, Any]:
        """The arguments of `dpverify.verify`, as the proof's process reads them."""
        return {
            "generator": self.generator.text,
            "dimension": self.generator.dimension,
            "parameters": {name: str(value) for name, value in self.generator.parameters.items()},
            "sensitivity": str(self.sensitivity),
            "scale": str(self.scale),
        }


def names_of(text: str) -> tuple[list[str], str]:
    """The parameters of a generator's text, d left out; or what is wrong with the text."""
    try:
        text = read_as(text)
        names = sorted(parameters(parse(text)) - {"d"})
    except InputError as error:
        return [], str(error)
    if names and not re.search(r"(?<!\w)[yr](?!\w)", text):
        return [], "the generator has neither y nor r in it: the variable is y (= |x|²) or r (= |x|)"
    taken = [name for name in names if name in TAKEN]
    if taken:
        return [], f"the name {taken[0]} is taken; call the parameter something else"
    if len(names) > SLIDERS:
        return [], f"the explorer has sliders for {SLIDERS} parameters, and this generator has {len(names)}"
    return names, ""


def exact(value: float) -> Fraction:
    """What a slider shows: the decimal, not the nearest double."""
    return Fraction(str(round(value, 6)))


def read_as(text: str) -> str:
    """The text as the language reads it, or that of the family of that name; raises InputError for any other."""
    family = family_of(text)
    return read(text if family is None else family.text).text


def chosen(slider: float, typed: str, what: str) -> Fraction:
    """What is typed, a rational such as 1/3, or else what the slider shows; raises InputError."""
    return parse_rational(typed, what) if typed.strip() else exact(slider)


def positive(slider: float, typed: str, what: str) -> Fraction:
    """The same of a sensitivity or a scale; raises InputError for what is not positive."""
    value = chosen(slider, typed, what)
    if value <= 0:
        raise InputError(f"{what} must be positive, not {value}")
    return value


def style() -> str:
    """The mathematics font, which the page has within it."""
    return f'<style>@font-face {{ font-family: "dpverify Math"; src: url("{font()}") format("woff2"); }}</style>'


def message(text: str) -> str:
    """A message beside the field, or the sign that all is well."""
    return _rendered("message.html", message=printable(text))


def formula(text: str) -> str:
    """The generator as a formula, where it can be typeset."""
    try:
        shown = latex(read_as(text))
    except InputError:
        shown = None
    return _rendered("formula.html", formula=None if shown is None else f"f(y) = {shown}")


def examination(answer: Answer, name: str = "certificate.json") -> Examination | None:
    """The proved certificate as the report's material; the child's kernel has accepted it."""
    found, file = answer.certificate, answer.file
    if found is None or file is None:
        return None
    listed = (number for numbers in found["rules"].values() for number in numbers)
    rules = tuple(sorted(listed, key=lambda number: (len(number), number)))
    report = CheckReport(
        *(True, answer.reason, found["claim"], tuple(found["assumptions"]), rules, found["digest"]),
        proof=found["proof"],
    )
    return Examination(name, sha256(file).hexdigest(), len(file), report, None)


def waiting(question: Question, reach: int) -> str:
    """What is to be seen while the proof is looked for."""
    return _rendered("waiting.html", **_divided(pictures(question, reach, None)))


def answered(question: Question, reach: int, answer: Answer) -> str:
    """The verdict, the curves with the supremum marked where it is proved, and the steps of the proof."""
    examined = examination(answer)
    sheet: Sheet | None = None if examined is None else report_on(examined, drawn=False)
    steps = [] if sheet is not None else _told_once(answer)
    plots = _divided(pictures(question, reach, examined))
    title = HEADLINES.get(answer.verdict, HEADLINES["undecided"])
    elsewhere = {"command": asking.command(question), "python": asking.python(question), "link": asking.link(question)}
    told = {"sheet": sheet, "answer": answer, "title": title, "steps": steps, "headline": _headline(answer)}
    return _rendered("verdict.html", reason=typeset(answer.reason), **told, **plots, **elsewhere)


def _told_once(answer: Answer) -> list[tuple[str, tuple[str, str]]]:
    """The hypotheses, each open reason at its first place."""
    told, steps = answer.reason, []
    for name, (status, why) in answer.hypotheses.items():
        again = status == "undecided" and why in told
        steps.append((name, (status, "as said above" if again else why)))
        told = f"{told}\n{why}"
    return steps


def _headline(answer: Answer) -> str:
    """epsilon, where there is one: "ε = 1.42"."""
    epsilon = answer.certificate["claim"]["epsilon"] if answer.certificate is not None else None
    if epsilon is None:
        return ""
    return f"ε {equals(decimal_between(Fraction(epsilon['lower']), Fraction(epsilon['upper'])))}"


def _divided(plots: list[Picture]) -> dict[str, list[Picture]]:
    """The privacy loss, which stands beside the controls, and the rest."""
    return {"loss": [p for p in plots if p.title == LOSS], "plots": [p for p in plots if p.title != LOSS]}


def pictures(question: Question, reach: int, examined: Examination | None) -> list[Picture]:
    """f, g, the ratio and the privacy loss up to c = reach; the supremum marked where it is proved."""
    drawn = Drawn(question.generator, question.delta, DRAWING_TIME)
    far = Fraction(reach)
    logarithmic = reach > LINEAR_UP_TO
    radii = geometric(far / 10**6, far, POINTS) if logarithmic else even(far / 2000, far, POINTS)
    claim = examined.claim if examined is not None else None
    proof = examined.check.proof if examined is not None else None
    scale = "  (logarithmic)" if logarithmic else ""

    def plain(title: str, curve: Line, what: str, up: str) -> Picture:
        return Picture(title, _alt(title, curve), "", f"$r${scale}", up, logarithmic, ((what, curve),), None, None)

    top = mark = None
    if claim is not None and proof is not None and claim["epsilon"] is not None:
        top = float(Fraction(claim["epsilon"]["upper"]))
        mark = _mark(drawn, proof, reach)
    c = drawn.letter
    quotient = rf"f(({c}-\delta)^2)/f({c}^2)"
    across = rf"${c}$, in units of $\sigma${scale}"
    loss, ratio = drawn.loss(radii), drawn.ratio(radii)
    absolute = claim is not None and claim["hypotheses"]["decreasing"] != "proved"
    if absolute:
        loss = Line(loss.x, tuple(map(abs, loss.y)), loss.complete)
        ratio = Line(ratio.x, tuple(max(y, 1 / y) if y else y for y in ratio.y), ratio.complete)
    found = [
        plain("The generator f", drawn.density(radii), "$f(r^2)$", "$f(r^2)$"),
        plain("The potential g = −log f", drawn.potential(radii), "$g(r)$", "$g(r)$"),
        _bounded(
            "The ratio", ratio, f"${quotient}$", across, logarithmic,
            None if top is None or top > 200 else (math.exp(top), f"supremum {math.exp(top):.6g}"), mark,
        ),
        _bounded(
            LOSS, loss, rf"$\log\,{quotient}$", across, logarithmic,
            None if top is None else (top, f"supremum, ε ≤ {top:.6g}"), mark,
        ),
    ]  # fmt: skip
    return [picture for picture in found if any(curve.finite() for _, curve in picture.curves)]


def report(answer: Answer, name: str) -> bytes:
    """The report on a proved answer, as one HTML file."""
    examined = examination(answer, name)
    assert examined is not None
    return html(report_on(examined)).encode()


def _bounded(
    title: str,
    curve: Line,
    label: str,
    across: str,
    logarithmic: bool,
    bound: tuple[float, str] | None,
    mark: Mark | None,
) -> Picture:
    shown = mark if bound is not None else None
    told = f"{_alt(title, curve)} {bound[1]}{'; ' + shown.text if shown else ''}." if bound else _alt(title, curve)
    return Picture(title, told, "", across, "", logarithmic, ((label, curve),), bound, shown)


def _alt(title: str, curve: Line) -> str:
    finite = curve.finite()
    if not finite:
        return f"{title}: no value can be drawn."
    return f"{title}, from {curve.x[0]:.4g} to {curve.x[-1]:.4g}: values from {min(finite):.4g} to {max(finite):.4g}."


def _mark(drawn: Drawn, proof: Mapping[str, Any], reach: int) -> Mark:
    witness = proof["witness"]
    if witness["box"]:
        middle = sum(map(Fraction, witness["box"])) / 2
        place = float(middle + Fraction(witness["shift"]))
        if place <= reach + drawn.delta:
            return Mark(place, None, f"reached at {drawn.letter} = {place:.6g}")
        return Mark(None, "right", f"reached beyond the plot, at {drawn.letter} = {place:.6g}")
    if witness["near"] == "zero":
        return Mark(None, "left", f"the limit {drawn.letter} → δ")
    return Mark(None, "right", far_out(drawn, proof))


def _rendered(name: str, **values: Any) -> str:
    return environment("dpverify.app", html=True).get_template(name).render(**values)
