"""Figure 3.2: the density estimate released in the space of its own kernel."""

from __future__ import annotations

from functools import partial

from dpverify.reproduce.studies.private_densities import NOTE, run
from dpverify.reproduce.study import Study

STUDY = Study(
    "hall-figure-3.2",
    "hall-2012",
    "Figure 3.2",
    "a private density in the space of the Gaussian kernel",
    partial(run, "gaussian"),
    notes=(NOTE, "The scale is the exact one, at which delta(1) <= 0.1 is proved; `printed` is that of (3.5)."),
)
