"""The claim of a best epsilon, or that there is none: hypotheses and a verdict."""

from __future__ import annotations

from ..certificate import KINDS
from ..rules import brought, require
from ..steps import Steps, named, record
from .charts import Subject, charted, said_of
from .fields import ends
from .hypotheses import PROVED, REFUTED, Proof, defined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from typing import Any

    from ..reader import Reader

STATUSES = ("proved", "refuted", "undecided")
HYPOTHESES = (
    "defined", "positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")
THEOREMS: dict[str, tuple[Callable[[Proof, Fraction], None], set[str]]] = {}
"""Each theorem's upper bound, and the hypotheses that it needs beyond those of every theorem."""
VERDICTS: dict[str, Callable[[dict[str, str], Proof], None]] = {}
"""What other verdicts than "private" need."""
VALUELESS: dict[str, Callable[[dict[str, Any], dict[str, str], Steps, Reader], None]] = {}
"""What shows that an operation of the text has no value, by the name of its step."""


def check(claim: Any, given: Any) -> list[str]:
    """The assumptions of the claim, proved by the steps that are given."""
    subject, steps = Subject(claim), Steps(given)
    statuses = record(claim["hypotheses"], "hypotheses", set(HYPOTHESES))
    valid = all(isinstance(s, str) and s in STATUSES for s in statuses.values())
    require(valid, "the status of a hypothesis is unknown", "claim")
    if statuses["defined"] == "refuted":
        unknown = "no section listed shows defined refuted"
        named(VALUELESS, "undefined", unknown, "rules")(claim, statuses, steps, subject.reader)
    else:
        require(statuses["defined"] == "proved", "f is not claimed to be defined", "claim")
        subject.rewrite(steps)
        check_defined(claim, statuses, Proof(charted(steps, subject), steps), subject)
    steps.finish()
    return subject.assumptions()


def check_defined(claim: Any, statuses: dict[str, str], proof: Proof, subject: Subject) -> None:
    defined(proof, subject.reader.needs)
    for name in HYPOTHESES[1:]:
        if statuses[name] != "undecided":
            table = PROVED if statuses[name] == "proved" else REFUTED
            known = name in table
            require(known, f"no section listed shows {name} {statuses[name]}", "rules")
            table[name](proof)
    check_verdict(claim, statuses, proof)
    if claim["tail_log_ratio"] is not None:
        brought("the limsup of the loss")(proof, *ends(claim["tail_log_ratio"], "tail_log_ratio"))
    if subject.form is not None:
        private = claim["verdict"] == "private"
        require(private, "a closed form without an epsilon", "claim")
        brought("a closed form of epsilon")(*subject.form, *ends(claim["epsilon"], "epsilon"))


def check_verdict(claim: dict[str, Any], statuses: dict[str, str], proof: Proof) -> None:
    verdict, epsilon, theorem = claim["verdict"], claim["epsilon"], claim["theorem"]
    fits = (verdict == "private") == (epsilon is not None) == (theorem is not None)
    require(fits, "epsilon and theorem do not fit the verdict", "claim")
    if verdict != "private":
        unknown = "the verdict is unknown, or its section is not listed"
        named(VERDICTS, verdict, unknown, "claim")(statuses, proof)
        return
    unknown = "the theorem is unknown, or its section is not listed"
    at_most, more = named(THEOREMS, theorem, unknown, "claim")
    needed = {"positive", "finite_at_zero", "integrable", "tail_ratio_bounded"} | more
    proved = all(statuses[n] == "proved" for n in needed)
    require(proved, f"{theorem} needs hypotheses that are not proved", "claim")
    low, high = ends(epsilon, "epsilon")
    at_most(proof, high)
    brought("a witness of the lower bound")(proof, low)


def said(claim: dict[str, Any]) -> str:
    """The claim in one line."""
    bounds = claim["epsilon"]
    size = f", {bounds['lower']} <= epsilon <= {bounds['upper']}" if bounds else ""
    return f"{claim['verdict']}: {said_of(claim)}{size}"


KINDS["epsilon"] = (check, said)
