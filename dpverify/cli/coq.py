"""Coq's opinion of a certificate, for `dpverify check --coq`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpverify.errors import InputError


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Status 0 where coqc accepts the export, 1 where it does not, 2 where there is none."""

    status: int
    message: str
    axioms: dict[str, list[str]]

    def lines(self) -> list[str]:
        """What `check` prints, at 80 columns: the axioms of `Print Assumptions` by family."""
        from dpverify.export.coq.coqc import PERMITTED
        from dpverify.report.claim import row

        lines = row("coq", self.message)
        for family, names in self.axioms.items():
            if names and family in PERMITTED:
                lines += row("on axioms", f"{PERMITTED[family]}: {' '.join(names)}")
        return lines

    def to_json(self) -> dict[str, Any]:
        return {"accepted": self.status == 0, "message": self.message, "axioms": self.axioms}


def second_opinion(file: str, seconds: Fraction | None = None) -> SecondOpinion:
    """Export a certificate that holds, and run coqc on the export for so long at most."""
    from dpverify.cli.progress import Progress
    from dpverify.export.coq import export
    from dpverify.export.coq.coqc import run_coqc

    try:
        text = export(json.loads(Path(file).read_bytes()), alone=False)
        with Progress() as progress:
            progress("coqc checks the export", 0)
            report = run_coqc(text, seconds)
    except InputError as error:
        return SecondOpinion(2, str(error), {})
    return SecondOpinion(0 if report.accepted else 1, report.message, report.axioms)
