"""The page's desk: questions in, as JSON, and answers out, as JSON; nothing here knows that it runs in a browser."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from dpverify.api import verify
from dpverify.app import asking
from dpverify.app.proving import Answer
from dpverify.app.views import Question, examination, names_of, pictures, read_as
from dpverify.classroom.exercises import exercise
from dpverify.errors import DpverifyError, InputError
from dpverify.generators import Generator, family_of
from dpverify.language import parse_rational
from dpverify.numerals import exact
from dpverify.results import Result, spoken
from dpverify.show.formulas import latex, mathml
from dpverify.show.plots.lines import Line
from dpverify.show.plots.picture import Picture
from dpverify.show.sentences import typeset
from dpverify.show.verdicts import result_sheet
from dpverify.show.words import HEADLINES, TONES, printable

Asked = Mapping[str, Any]
Wanted = Callable[[], bool]
SELDOM = 0.1
"""Seconds between two looks at whether an answer is still wanted: each takes a browser a millisecond."""
REACHES = range(1, 10**6 + 1)
DELTA = r",\quad \delta = \Delta/\sigma"
LETTERS = {r"\log\,": "log ", r"\delta": "δ", r"\sigma": "σ", "$": "", "^2": "²"}


class GivenUp(BaseException):
    """Nobody waits for the answer any more; no Exception: no step of a proof mistakes it for its own failure."""


def answer(asked: str, wanted: Wanted = lambda: True) -> str:
    """Answer one question; what is wrong with it is told as `error`.

    A proof is given up once `wanted`, which is asked now and then, is False.
    """
    question = json.loads(asked)
    kind = question["kind"]
    try:
        return json.dumps(prove(question, wanted) if kind == "prove" else ANSWERS[kind](question))
    except DpverifyError as error:
        return json.dumps({"error": printable(str(error))})
    except GivenUp:
        return json.dumps({"error": "given up"})


def read_generator(asked: Asked) -> dict[str, Any]:
    """The formula of a generator's text, the parameters that it has, and what is wrong with it."""
    text = str(asked["generator"])
    names, trouble = names_of(text)
    if trouble:
        return {"trouble": printable(trouble)}
    family = family_of(text)
    defaults = {} if family is None else {p.name: str(p.default) for p in family.parameters if p.default is not None}
    shown = latex(read_as(text))
    return {
        "trouble": "",
        "names": names,
        "defaults": defaults,
        "formula": mathml(f"f(y) = {shown}", True) if shown else None,
    }


def draw(asked: Asked) -> dict[str, Any]:
    """The curves alone, which prove nothing."""
    return {"pictures": [_picture(each) for each in pictures(_question(asked), _reach(asked), None)]}


def prove(asked: Asked, wanted: Wanted) -> dict[str, Any]:
    """The verdict with its reasons, curves and certificate, and how else to ask; raises GivenUp."""
    question = _question(asked)
    result = verify(
        question.generator,
        sensitivity=question.sensitivity,
        scale=question.scale,
        timeout=asked.get("limit"),
        progress=_while(wanted),
    )
    hypotheses = {name: (h.status, h.explanation) for name, h in result.hypotheses.items()}
    found = Answer(result.verdict, result.reason, hypotheses, result.certificate)
    drawn = pictures(question, _reach(asked), examination(found))
    return {
        "verdict": result.verdict,
        "tone": TONES.get(result.verdict, "open"),
        "title": HEADLINES[result.verdict],
        "epsilon": None if result.epsilon is None else _epsilon(result),
        "reason": [
            {"text": printable(words), "formula": mathml(formula) if formula else ""}
            for words, formula in typeset(result.reason)
        ],
        "parts": [
            [{"label": row.label, "text": printable(row.plain), "status": row.status} for row in part.rows]
            for part in result_sheet(result).parts
        ],
        "pictures": [_picture(each) for each in drawn],
        "certificate": None if found.file is None else found.file.decode(),
        "file": question.file,
        "command": asking.command(question),
        "python": asking.python(question),
        "link": asking.link(question),
    }


def judge(asked: Asked) -> dict[str, Any]:
    """The grade of an exercise's answers."""
    answers = {str(name): str(value)[:2000] for name, value in asked["answers"].items()}
    grade = exercise(str(asked["exercise"])).grade(answers)
    findings = [{"right": each.right, "told": printable(each.told)} for each in grade.findings]
    return {"right": grade.right, "findings": findings}


def bench(asked: Asked) -> dict[str, Any]:
    """What an exercise lays on the bench: samples, a certificate."""
    found = exercise(str(asked["exercise"])).bench
    if found is None:
        raise InputError("this exercise has nothing on its bench")
    return {"text": found()}


ANSWERS: Mapping[str, Callable[[Asked], dict[str, Any]]] = {
    "read": read_generator,
    "draw": draw,
    "judge": judge,
    "bench": bench,
}


def _while(wanted: Wanted) -> Callable[[str, int], None]:
    looked = time.monotonic()

    def step(_name: str, _count: int) -> None:
        nonlocal looked
        if time.monotonic() - looked < SELDOM:
            return
        looked = time.monotonic()
        if not wanted():
            raise GivenUp

    return step


def _question(asked: Asked) -> Question:
    dimension = parse_rational(str(asked["dimension"]), "the dimension")
    if dimension.denominator != 1:
        raise InputError("the dimension is an integer")
    generator = Generator(str(asked["generator"]), int(dimension), dict(asked["parameters"]))
    amounts = (parse_rational(str(asked[name]), f"the {name}") for name in ("sensitivity", "scale"))
    found = Question(generator, *amounts)
    if found.sensitivity <= 0 or found.scale <= 0:
        raise InputError("the sensitivity and the scale are positive")
    return found


def _reach(asked: Asked) -> int:
    reach = int(asked.get("reach", 20))
    if reach not in REACHES:
        raise InputError(f"curves are drawn up to r = {REACHES[-1]}")
    return reach


def _epsilon(result: Result) -> dict[str, Any]:
    """epsilon as the headline has it, its formula, and its two bounds, every digit of them."""
    assert result.epsilon is not None
    form = result.epsilon.closed_form
    shown = latex(form) if form else None
    return {
        "decimal": result.epsilon.decimal,
        "formula": mathml(rf"\varepsilon = {shown}{DELTA if 'delta' in shown else ''}", True)
        if shown
        else spoken(form or ""),
        "lower": exact(result.epsilon.lower),
        "upper": exact(result.epsilon.upper),
    }


def _picture(picture: Picture) -> dict[str, Any]:
    """A picture as numbers and plain words: the page draws it."""
    return {
        "title": picture.title,
        "alt": picture.alt,
        "across": _plain(picture.across),
        "logarithmic": picture.logarithmic,
        "curves": [{"label": _plain(label), **_points(line)} for label, line in picture.curves],
        "bound": None if picture.bound is None else {"at": picture.bound[0], "text": picture.bound[1]},
        "mark": None
        if picture.mark is None
        else {"x": picture.mark.x, "edge": picture.mark.edge, "text": picture.mark.text, "y": picture.mark.y},
    }


def _points(line: Line) -> dict[str, Any]:
    """The points, a gap as None: JSON has no nan."""
    return {"x": [float(f"{x:.9g}") for x in line.x], "y": [float(f"{y:.9g}") if y == y else None for y in line.y]}


def _plain(label: str) -> str:
    for letters, plain in LETTERS.items():
        label = label.replace(letters, plain)
    return label
