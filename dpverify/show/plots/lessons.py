"""The figures of the lessons, for slides: each by its name, the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpverify.generators import Generator
from dpverify.show.plots.families import draw_log_ratio, draw_potential
from dpverify.show.plots.poster import poster

K_NORM = {f"beta = {b}": Generator("exp(-y**beta)", 3, {"beta": b}) for b in ("1/4", "2/5", "1/2", "3/5")}
STUDENT = {f"nu = {nu}": Generator("student_t", 2, {"nu": nu}) for nu in (1, 3, 10)}
GAUSSIAN = {"Gaussian": Generator("gaussian", 2), "Laplace": Generator("laplace", 2)}
POLE = {f"d = {d}": Generator("multivariate_laplace", d) for d in (1, 2, 3, 4)}
SLOW = {"r log log(16 + y)": Generator("exp(-sqrt(y)*log(log(16+y)))"), "r": Generator("laplace")}
WAVE = {"exp(-r) (3 + sin r)": Generator("exp(-sqrt(y))*(3+sin(r))")}

Draw = Callable[[Path], object]


def _ratio(family: dict[str, Generator], **how: Any) -> Draw:
    return lambda path: draw_log_ratio(family, path, **how)


def _potential(family: dict[str, Generator]) -> Draw:
    return lambda path: draw_potential(family, path, to=12)


LESSONS: dict[str, Draw] = {
    "poster": poster,
    "k-norm-ratio": _ratio(K_NORM, to=12),
    "k-norm-potential": _potential(K_NORM),
    "student-t-ratio": _ratio(STUDENT, to=12),
    "student-t-potential": _potential(STUDENT),
    "gaussian-ratio": _ratio(GAUSSIAN, to=10),
    "gaussian-potential": _potential(GAUSSIAN),
    "multivariate-laplace-ratio": _ratio(POLE, to=6, heights=(0, 6)),
    "multivariate-laplace-potential": _potential(POLE),
    "slow-divergence-ratio": _ratio(SLOW, to=1000, logarithmic="x"),
    "wave-ratio": _ratio(WAVE, to=30),
}
"""A lesson's figure by its name."""
