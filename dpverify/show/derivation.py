"""A formula for epsilon as a sheet: its conditions, the worked steps, where it was confirmed, and the other cases."""

from __future__ import annotations

from dpverify.show.sheet import Part, Row, Sheet, sheet
from dpverify.show.words import TITLES, TONES
from dpverify.symbolic import Case, Formula

HINT = " (found by limits; confirmed at the points only)"


@sheet.register
def formula_sheet(found: Formula) -> Sheet:
    """The cases, the first with its derivation."""
    question = [Row("f(y)", code=found.generator)]
    if found.bound:
        question.append(Row("with", ", ".join(f"{n} = {v}" for n, v in found.bound.items())))
    parts = [Part(rows=tuple(question))]
    for k, case in enumerate(found.cases):
        parts.append(Part(f"case {k + 1}" if len(found.cases) > 1 else "", rows=_case(found, case)))
        if case.steps and (k == 0 or case.epsilon is None):
            steps = (row for number, step in enumerate(case.steps, 1) for row in _step(number, step))
            parts.append(Part("derivation", rows=tuple(steps)))
    return Sheet(TITLES[found.verdict], TONES[found.verdict], found.reason, parts=tuple(parts))


def _case(found: Formula, case: Case) -> tuple[Row, ...]:
    if case.epsilon is not None:
        rows = [
            Row("epsilon", code=case.epsilon_of_scale or ""),
            Row("", f"{case.epsilon}  (delta = Delta/sigma)"),
            Row("largest at", case.attained_at or "not known"),
        ]
    else:
        rows = [Row("verdict", TITLES[case.verdict].lower())]
    conditions = ", ".join(found.conditions(case))
    return (*rows, Row("conditions", conditions or "none"), Row("status", case.status()))


def _step(number: int, step: dict[str, str]) -> tuple[Row, ...]:
    title = f"{step['title']}{'' if step['scope'] == 'all parameters' else HINT}"
    why = (Row("", step["why"]),) if step["why"] else ()
    return Row(f"{number}.", title), Row("", code=f"  {step['formula']}"), *why
