"""A claim of a paper: what is printed, and a check that takes the claimed formula as its argument.

Because the formula is an argument, one check serves three versions: the printed one, the corrected one,
and near misses, which it must refute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Strength = Literal["proved", "verified", "argued", "cited"]
"""How far what ran reaches, the strongest first: `argued` is a written proof that nothing ran."""
Fault = Literal["error", "slip", "ambiguous", "vacuous"]
"""What is the matter with a formula that does not stand as printed.

error      false, and its correction changes what one would compute, build or conclude
slip       a misprint or a missing trivial condition, without consequence
ambiguous  right in one reading, which the correction states
vacuous    not false, but says nothing as printed
"""
Status = Strength | Fault
Check = Callable[[Any, "Effort"], str]

PAPERS = {
    "reimherr-awan-2019": "Reimherr and Awan (2019), Elliptical Perturbations for Differential Privacy",
    "awan-2019": "Awan, Kenney, Reimherr and Slavkovic (2019), Benefits and Pitfalls of the Exponential Mechanism",
    "hall-2012": "Hall (2012), New Statistical Applications for Differential Privacy",
}


class Refuted(Exception):
    """A check found that the claimed formula is false; the message is the counterexample."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many instances a check goes through: few for a quick run, all otherwise."""

    quick: bool = False

    def pick(self, few: Any, all_: Any) -> Any:
        return few if self.quick else all_


@dataclass(frozen=True, slots=True)
class Correction:
    """What should be printed instead.

    `formula` goes through the same check; `strength` is how far that check reaches. `privacy` says
    whether who implements the printed version can add too little noise, and `meaning` what to do.
    `cause` is the id of the claim in which the same mistake stands first, where that is another one.
    """

    text: str
    formula: Any
    privacy: str
    meaning: str
    strength: Strength = "proved"
    fault: Fault = "error"
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Near:
    """A version a little off the right one (1 %, a power, a factor 2), which the check must refute.

    Where it cannot tell the two apart, `passes` says why: that is the check's resolution.
    """

    formula: Any
    text: str
    passes: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words of the paper, as its text was extracted from the PDF.

    `certainty` is `clear`, `restored` (what the extraction garbled is restored, as `note` says) or
    `uncertain`; `note` also gives the paper's conventions that one needs to read it.
    """

    text: str
    certainty: Literal["clear", "restored", "uncertain"] = "clear"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper.

    `statement` is in this project's words, `quotation` in the paper's, `printed` its formula in plain
    signs, `place` where. `check(formula, effort)` returns the evidence, computed from what ran, or raises
    `Refuted`. `formula` is the printed one; the check must refute each of `near`. `strength` is how far a
    check that finds nothing wrong reaches; `argument` is the file of the written proof beside this module,
    which an `argued` claim has; `rests_on` are the ids of claims that it uses, none of them weaker.
    """

    id: str
    place: str
    statement: str
    printed: str
    hypotheses: str
    check: Check
    formula: Any
    near: tuple[Near, ...]
    strength: Strength
    correction: Correction | None = None
    quotation: Quotation | None = None
    argument: str = ""
    rests_on: tuple[str, ...] = ()
    restored: str = ""

    @property
    def paper(self) -> str:
        return self.id.partition(":")[0]

    @property
    def source(self) -> str:
        return f"{PAPERS[self.paper]}, {self.place}"

    @property
    def cause(self) -> str:
        """The id of the claim in which its mistake stands first: its own, if nowhere before."""
        return (self.correction.cause if self.correction else "") or self.id
