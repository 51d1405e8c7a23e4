"""The page of docs/: a table of all claims, and the mistakes in print, grouped by their cause.

It shows what does not depend on how many instances were run, so a quick run can tell whether it is up to date.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpverify.theorems.claim import PAPERS
from dpverify.theorems.outcome import Outcome
from dpverify.theorems.text import lines, summary

SHOWN = "hall-2012:section-3.2.5-batch"
GROUPS = (
    ("error", "Errors", "What is printed is false, and the correction changes what one would compute or conclude."),
    ("slip", "Slips", "Misprints and missing trivial conditions, without consequence."),
    ("ambiguous", "Two readings", "Right in one reading; the entry says in which."),
    ("vacuous", "Vacuous as printed", "Not false, but as printed it says nothing; the entry says what is meant."),
)


def page(outcomes: Sequence[Outcome]) -> str:
    """The whole page, as Markdown."""
    parts = [_introduction(outcomes)]
    for paper, title in PAPERS.items():
        mine = [o for o in outcomes if o.claim.paper == paper]
        if mine:
            parts.append(f"## {title}\n\n{_table(mine)}")
    for fault, title, meaning in GROUPS:
        roots = [o for o in outcomes if o.status == fault and not _repeats(o, outcomes)]
        if roots:
            worked = "\n".join(_worked(root, _repeated(root, outcomes)) for root in roots)
            parts.append(f"## {title}\n\n{meaning}\n\n{worked}")
    return "\n".join(parts).rstrip() + "\n"


def _repeats(outcome: Outcome, outcomes: Sequence[Outcome]) -> bool:
    """Whether the mistake stands in an earlier claim of the page, with which it is shown."""
    return outcome.claim.cause != outcome.claim.id and any(o.claim.id == outcome.claim.cause for o in outcomes)


def _repeated(root: Outcome, outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if o.counterexample and o is not root and o.claim.cause == root.claim.id]


def _introduction(outcomes: Sequence[Outcome]) -> str:
    example = [o for o in outcomes if o.claim.id == SHOWN]
    shown = ""
    if example:
        text = "\n".join([*lines(example[0]), "", summary(example)])
        shown = f"\n```console\n$ dpverify theorems {SHOWN}\n{text}\n```\n"
    return f"""# The papers' claims, checked

<!-- Written by `make theorems`; a test compares it with a fresh run. -->

dpverify stands on these papers, and whoever builds on a paper checks its formulas. `dpverify theorems` runs a
check for each: it takes the formula as its argument, the printed one first, the corrected one where that does not
stand, and in the tests near misses (a constant off by 1 %, a power by one), which it must refute. Most of what is
printed stands. A slip of the pen is called one; where one formula is repeated in a poster or a supplement, its
mistake is counted once.

{summary(outcomes)}.

- **proved**: an identity, or rigorous arithmetic with an argument for all parameters.
- **verified**: rigorous on the instances that `dpverify theorems ID` names, or statistical with a stated confidence.
- **argued**: a written proof that nothing ran; the entry names its file.
- **cited**: what it rests on cannot be run here; the evidence says why, and what was checked all the same.
- **error**: false as printed, with a counterexample, a correction that passes the same check, and what it can cost.
- **slip**: a misprint or a missing trivial condition, without consequence.
- **ambiguous**: right in one reading. **vacuous**: not false, but as printed it says nothing.
{shown}"""


def _table(outcomes: Sequence[Outcome]) -> str:
    rows = ["| claim | says | status |", "| --- | --- | --- |"]
    for o in outcomes:
        name = o.claim.id.partition(":")[2]
        link = f"[{name}](#{_anchor(o.claim.cause)})" if o.counterexample else name
        rows.append(f"| {link} | {_cell(o.claim.statement)} | {o.status} |")
    return "\n".join(rows) + "\n"


def _anchor(name: str) -> str:
    return "".join(c for c in name if c.isalnum() or c in "-_")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _worked(outcome: Outcome, repeats: Sequence[Outcome]) -> str:
    claim, correction = outcome.claim, outcome.claim.correction
    assert correction is not None
    quoted = f"- *In its words:* {_prose(claim.quotation.text)}\n" if claim.quotation else ""
    also = "".join(f"- *Also in:* {_prose(_also(o))}\n" for o in repeats)
    return f"""### {claim.id}

{_prose(claim.statement)} ({claim.place})

{quoted}- *Printed:* `{claim.printed}`
- *Hypotheses:* {_prose(claim.hypotheses)}
- *Where it does not hold:* {_prose(outcome.counterexample or "")}
- *Corrected ({correction.strength}):* {_prose(correction.text)}
- *Privacy:* {_prose(correction.privacy)}
- *For who implemented it:* {_prose(correction.meaning)}
{also}"""


def _also(outcome: Outcome) -> str:
    assert outcome.claim.correction is not None
    privacy = outcome.claim.correction.privacy
    return f"{outcome.claim.id} ({outcome.claim.place}; {outcome.status}). Privacy: {privacy}"


def _prose(text: str) -> str:
    """Markdown must not take formulas for emphasis, links or tags."""
    for sign in "\\`*_[]<>":
        text = text.replace(sign, "\\" + sign)
    return text
