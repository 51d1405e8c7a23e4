"""A formula and its derivation in plain text, at 80 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from dpverify.report.words import TITLES, printable

if TYPE_CHECKING:
    from dpverify.symbolic import Case, Formula

WIDTH, LABEL = 80, 12
HINT = " (found by limits; confirmed at the points only)"


def formula_lines(found: Formula) -> list[str]:
    """The formula, its conditions, the worked steps, where it was confirmed, and the other cases."""
    lines = [TITLES[found.verdict], *_wrapped(found.reason, "  "), ""]
    lines += _row("f(y)", found.generator)
    if found.bound:
        lines += _row("with", ", ".join(f"{n} = {v}" for n, v in found.bound.items()))
    for k, case in enumerate(found.cases):
        lines += ["", f"  case {k + 1}"] if len(found.cases) > 1 else []
        lines += _case(found, case, full=k == 0)
    return lines


def _case(found: Formula, case: Case, full: bool) -> list[str]:
    lines = []
    if case.epsilon is not None:
        lines += _row("epsilon", case.epsilon_of_scale or "")
        lines += _row("", f"{case.epsilon}  (delta = Delta/sigma)")
        lines += _row("largest at", case.attained_at or "not known")
    else:
        lines += _row("verdict", TITLES[case.verdict].lower())
    lines += _row("conditions", ", ".join(found.conditions(case)))
    lines += _row("status", case.status())
    if full or case.epsilon is None:
        lines += ["", "  derivation"] if case.steps else []
    for number, step in enumerate(case.steps if full or case.epsilon is None else (), 1):
        lines += _wrapped(
            f"{number}. {step['title']}{'' if step['scope'] == 'all parameters' else HINT}", "  ", "     "
        )
        lines += _wrapped(step["formula"], "       ", "         ")
        lines += _wrapped(step["why"], "     ")
    return lines


def _row(label: str, text: str) -> list[str]:
    return _wrapped(text, f"  {label:<{LABEL}}", " " * (LABEL + 2))


def _wrapped(text: str, first: str, later: str | None = None) -> list[str]:
    return textwrap.wrap(
        printable(text), WIDTH, initial_indent=first, subsequent_indent=first if later is None else later,
        break_on_hyphens=False,
    )  # fmt: skip
