"""Figure 2.3: a small histogram with a third of its cells occupied."""

from __future__ import annotations

from dpverify.reproduce.studies import sparse_trials

STAND_IN = [16, 12, 9, 5, 4, 3, 2, 2, 2, 2, *[1] * 9, 2, 1, 1]
"""22 counts that sum to 70, made up."""

STUDY = sparse_trials.study("2.3", "Edwards data", 64, STAND_IN, ("22", "70"), effort=((1500, 3), (15_000, 30)))
