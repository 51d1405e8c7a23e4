"""The page of docs/: a table of all claims, and a worked explanation of each refuted one.

It shows what does not depend on how many instances were run, so a quick run can tell whether it is up to date.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpverify.theorems.claim import PAPERS
from dpverify.theorems.outcome import Outcome
from dpverify.theorems.text import STATUSES, lines, summary

SHOWN = "hall-2012:section-3.2.5-batch"
WORDS = {status: text.lower() for status, text in STATUSES.items()}


def page(outcomes: Sequence[Outcome]) -> str:
    """The whole page, as Markdown."""
    parts = [_introduction(outcomes)]
    for paper, title in PAPERS.items():
        mine = [o for o in outcomes if o.claim.paper == paper]
        if mine:
            parts.append(f"## {title}\n\n{_table(mine)}")
    refuted = [o for o in outcomes if o.counterexample]
    if refuted:
        parts.append("## What is refuted as printed\n\n" + "\n".join(_worked(o) for o in refuted))
    return "\n".join(parts).rstrip() + "\n"


def _introduction(outcomes: Sequence[Outcome]) -> str:
    example = [o for o in outcomes if o.claim.id == SHOWN]
    shown = ""
    if example:
        text = "\n".join([*lines(example[0]), "", summary(example)])
        shown = f"\n```console\n$ dpverify theorems {SHOWN}\n{text}\n```\n"
    costly = sum(1 for o in outcomes if (o.privacy_impact or "").startswith("Yes"))
    return f"""# The papers' claims, checked

<!-- Written by `make theorems`; a test compares it with a fresh run. -->

A printed formula is a claim. `dpverify theorems` runs a check for each, and the check takes the formula as its
argument: the printed one, the corrected one where that fails, and in the tests one that is wrong on purpose.

{summary(outcomes)}; {costly} of the refuted can cost privacy.

- **proved**: an identity, or rigorous arithmetic with an argument for all parameters.
- **verified**: rigorous on the instances that `dpverify theorems ID` names, or statistical with a stated confidence.
- **refuted as printed**: a counterexample, a correction that passes the same check, and what the slip can cost.
- **cited**: what it rests on cannot be run here; the evidence says why, and what was checked all the same.
{shown}"""


def _table(outcomes: Sequence[Outcome]) -> str:
    rows = ["| claim | says | status |", "| --- | --- | --- |"]
    for o in outcomes:
        name = o.claim.id.partition(":")[2]
        link = f"[{name}](#{_anchor(o)})" if o.counterexample else name
        rows.append(f"| {link} | {_cell(o.claim.statement)} | {WORDS[o.status]} |")
    return "\n".join(rows) + "\n"


def _anchor(outcome: Outcome) -> str:
    return "".join(c for c in outcome.claim.id if c.isalnum() or c in "-_")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _worked(outcome: Outcome) -> str:
    claim, correction = outcome.claim, outcome.claim.correction
    assert correction is not None
    return f"""### {claim.id}

{_prose(claim.statement)} ({claim.place})

- *Printed:* `{claim.printed}`
- *Hypotheses:* {_prose(claim.hypotheses)}
- *A number that breaks it:* {_prose(outcome.counterexample or "")}
- *Corrected ({correction.strength}):* {_prose(correction.text)}
- *Privacy:* {_prose(correction.privacy)}
- *For who implemented it:* {_prose(correction.meaning)}
"""


def _prose(text: str) -> str:
    """Markdown must not take formulas for emphasis, links or tags."""
    for sign in "\\`*_[]<>":
        text = text.replace(sign, "\\" + sign)
    return text
