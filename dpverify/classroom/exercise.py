"""What an exercise is: a text, fields to fill in, and a grader that judges what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpverify.errors import InputError

Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """A box to type into, or, with `choices`, boxes to tick: each a key and its formula; ticked ones stand between
    spaces in the answer."""

    name: str
    label: str
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What was judged of one field, and why, in a sentence."""

    right: bool
    told: str


@dataclass(frozen=True, slots=True)
class Grade:
    """What a grader found: right only where everything is."""

    findings: tuple[Finding, ...]

    @property
    def right(self) -> bool:
        return bool(self.findings) and all(finding.right for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(f"{'right' if x.right else 'not yet'}: {x.told}" for x in self.findings)


@dataclass(frozen=True, slots=True)
class Exercise:
    """Texts are Markdown with formulas between dollars. `right` is an answer that the solution gives, `bench` makes
    material of the moment for the reader, such as samples, and `links` are pages of the documentation."""

    name: str
    title: str
    text: str
    fields: tuple[Field, ...]
    grader: Callable[[Answers], Grade]
    hint: str
    solution: str
    right: Answers
    links: tuple[tuple[str, str], ...] = ()
    bench: Callable[[], str] | None = None
    bench_label: str = ""

    def grade(self, answers: Answers) -> Grade:
        """Judge the answers; a field that is left out is empty, and one that cannot be read is told to be so."""
        given = {field.name: str(answers.get(field.name, "")).strip() for field in self.fields}
        empty = [field.label for field in self.fields if not given[field.name]]
        if empty:
            return Grade((Finding(False, f"nothing is there yet for: {'; '.join(empty)}"),))
        try:
            return self.grader(given)
        except InputError as error:
            return Grade((Finding(False, str(error)),))
