"""An integral that diverges on radii that come again with every period of a wave, whatever f is on others."""

from __future__ import annotations

from fractions import Fraction

from dpverify.asymptotics import Germ
from dpverify.enclosures import Undecided
from dpverify.prover.charts import ORDER, integral_converges, ladder
from dpverify.prover.problem import Problem
from dpverify.prover.waves import wave_of

START, RUNGS, CELLS = Fraction(16), 6, 16


def diverging_again(problem: Problem) -> Germ | None:
    """The model at infinity, on a cell of phases on which the integral of f is infinite; None where none is seen."""
    wave = wave_of(problem.node, problem.delta)
    if wave is None:
        return None
    width = wave.period / CELLS
    for radius in ladder(START)[:RUNGS]:
        for k in range(CELLS):
            middle = width * k + width / 2
            germ = Germ(radius, ORDER).at(wave.cell(middle - width / 8, middle + width / 8))
            try:
                if not integral_converges(problem.far(germ).u, problem.dimension):
                    return germ
            except Undecided:
                continue
    return None
