"""Coq's opinion of a certificate, for `dpverify check --coq`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.api import CheckReport
    from dpverify.show.sheet import Row


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Status 0 where coqc accepts the export, 1 where it does not, 2 where there is none."""

    status: int
    message: str
    axioms: dict[str, list[str]]

    def rows(self) -> tuple[Row, ...]:
        """What `check` shows: the axioms of `Print Assumptions` by family."""
        from dpverify.export.coq.coqc import PERMITTED
        from dpverify.show.sheet import Row

        named = [(family, names) for family, names in self.axioms.items() if names and family in PERMITTED]
        axioms = (Row("on axioms", f"{PERMITTED[family]}: {' '.join(names)}") for family, names in named)
        return Row("coq", self.message), *axioms

    def to_json(self) -> dict[str, Any]:
        """As `check --json --coq` has it."""
        return {"accepted": self.status == 0, "message": self.message, "axioms": self.axioms}


def second_opinion(checked: CheckReport, seconds: Fraction | None = None) -> SecondOpinion:
    """Export a certificate that holds, and run coqc on the export for so long at most."""
    from dpverify.cli.progress import Progress
    from dpverify.export.coq import export
    from dpverify.export.coq.coqc import run_coqc

    try:
        text = export(checked.content(), alone=False)
        with Progress() as progress:
            progress("coqc checks the export", 0)
            report = run_coqc(text, seconds)
    except InputError as error:
        return SecondOpinion(2, str(error), {})
    return SecondOpinion(0 if report.accepted else 1, report.message, report.axioms)
