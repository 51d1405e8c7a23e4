"""What the proofs of the hypotheses establish, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpverify.asymptotics import Germ
from dpverify.findings import Why
from dpverify.prover.centre import Series
from dpverify.prover.charts import End
from dpverify.prover.cover import Box
from dpverify.prover.defined import Undefined
from dpverify.prover.far_boxes import FarBoxes
from dpverify.prover.narrowing import Nearby
from dpverify.prover.phases import Phases
from dpverify.prover.support import Pole
from dpverify.prover.tail import Tail
from dpverify.results import Hypotheses, Hypothesis

UNKNOWN = Hypothesis("undecided", Why.NOT_EXAMINED())


@dataclass
class Findings:
    """What the hypotheses' proofs established, step by step, for the later rooms and the certificate.

    `bounded_end` is a chart at infinity for values of f, `zero_value` one at zero for values of an f that may vanish
    there, `pole` a radius at which f is infinite; `series` what boxes near the centre are evaluated by, `apart` up to
    where losses on boxes are taken apart;
    `recurring` is a cell of phases on which the integral of f is infinite; `narrowing` are radii beside one phase on
    which it is, or the loss has no bound;
    `undefined` is a part of the text that has no value on a box, where there is one; on each of the
    `boxes` every part of the text whose value hangs on charts is shown to have one.
    """

    undefined: Undefined | None = None
    zero: End | None = None
    infinity: Tail | None = None
    bounded_end: Germ | None = None
    zero_value: Germ | None = None
    pole: Pole | None = None
    series: Series | None = None
    apart: Fraction | None = None
    far_boxes: FarBoxes | None = None
    boxes: list[Box] | None = None
    sign: dict[str, Any] | None = None
    rise: Box | None = None
    vanishing: tuple[Phases, Fraction] | None = None
    recurring: Germ | None = None
    narrowing: Nearby | None = None
    breaks: list[Fraction] = field(default_factory=list)
    verdicts: dict[str, Hypothesis] = field(default_factory=dict)

    def hypotheses(self) -> Hypotheses:
        names = ("defined", "positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")
        return Hypotheses(**{name: self.verdicts.get(name, UNKNOWN) for name in names})

    @property
    def nothing(self) -> bool:
        """Whether f is 0 throughout."""
        return self.sign is not None and self.sign["kind"] == "nothing"

    def status(self, name: str) -> str:
        return self.verdicts.get(name, UNKNOWN).status
