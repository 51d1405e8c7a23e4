"""A study that is not a paper's: its units count how often they ran."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np

from dpverify.reproduce import Cell, Graph, Series, Study, Work

STOP_AT: list[int] = []
KILL_AT: list[int] = []
RAN: list[int] = []


def unit(number: int, rng: np.random.Generator) -> float:
    if number in STOP_AT:
        raise KeyboardInterrupt
    if number in KILL_AT:
        os.kill(os.getpid(), signal.SIGKILL)
    RAN.append(number)
    return float(rng.normal(number, 1.0))


def run(work: Work) -> Iterator[Cell | Graph]:
    values = work.each(unit, [(k,) for k in range(work.effort.pick(3, 6))])
    for k, value in enumerate(values):
        yield Cell(f"row {k}", value, 1.0, f"{k}.0", "1.0")
    yield Cell("a word", "yes", printed="yes")
    yield Cell("a lost one", 1.0, why="the paper's data are not public")
    yield Graph("line", "a line", "It rises.", "x", "y", (Series("values", (0.0, 1.0), (0.0, 1.0)),))


STUDY = Study("sample", "awan-2019", "Nowhere", "numbers with errors", run, notes=("One note.",))
