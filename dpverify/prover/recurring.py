"""An integral that diverges on radii that come again with every period of a wave, whatever f is on others."""

from __future__ import annotations

from fractions import Fraction

from dpverify.asymptotics import Germ
from dpverify.prover.charts import ORDER, first_diverging, ladder
from dpverify.prover.problem import Problem
from dpverify.prover.waves import wave_of

START, RUNGS, CELLS = Fraction(16), 6, 16


def diverging_again(problem: Problem) -> Germ | None:
    """The model at infinity, on a cell of phases on which the integral of f is infinite; None where none is seen."""
    wave = wave_of(problem.node, problem.delta)
    if wave is None:
        return None
    width = wave.period / CELLS
    cells = [wave.cell(width * k + width * 3 / 8, width * k + width * 5 / 8) for k in range(CELLS)]
    return first_diverging(problem, (Germ(radius, ORDER).at(c) for radius in ladder(START)[:RUNGS] for c in cells))
