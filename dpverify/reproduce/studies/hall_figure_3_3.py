"""Figure 3.3: the density estimate released in a Sobolev space."""

from __future__ import annotations

from functools import partial

from dpverify.reproduce.studies.private_densities import NOTE, run
from dpverify.reproduce.study import Study

STUDY = Study(
    "hall-figure-3.3",
    "hall-2012",
    "Figure 3.3",
    "a private density in the Sobolev space H^1",
    partial(run, "sobolev"),
    notes=(NOTE, "The thesis does not name gamma either: 10. The sensitivity in (3.7) is bounded, as it says one may."),
    shares="hall-figure-3.2",
)
