"""A claim of a paper: what is printed, and a check that takes the claimed formula as its argument.

Because the formula is an argument, one check serves three versions: the printed one, the corrected one,
and a deliberately wrong one that it must refute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Strength = Literal["proved", "verified", "cited"]
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
    """

    text: str
    formula: Any
    privacy: str
    meaning: str
    strength: Strength = "proved"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper.

    `statement` is in this project's words, `printed` the formula as the paper has it, `place` where.
    `check(formula, effort)` returns the evidence, or raises `Refuted`. `formula` is the printed one;
    `wrong` is a version that the check must refute, described by `wrong_text`. `strength` is how far
    a check that finds nothing wrong reaches; `restored` names what the extraction of the text garbled.
    """

    id: str
    place: str
    statement: str
    printed: str
    hypotheses: str
    check: Check
    formula: Any
    wrong: Any
    wrong_text: str
    strength: Strength
    correction: Correction | None = None
    restored: str = ""

    @property
    def paper(self) -> str:
        return self.id.partition(":")[0]

    @property
    def source(self) -> str:
        return f"{PAPERS[self.paper]}, {self.place}"
