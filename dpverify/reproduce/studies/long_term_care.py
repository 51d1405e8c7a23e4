"""Figure 2.4: a large histogram of which 5 per cent are occupied."""

from __future__ import annotations

from dpverify.reproduce.studies import sparse_trials

RECORDS = 21_574
SMALL = [1] * 2200 + [2] * 600 + [3] * 200 + [5] * 100 + [20] * 40 + [60] * 11
STAND_IN = [RECORDS - sum(SMALL), *SMALL]
"""3,152 counts that sum to 21,574, the majority in one cell, made up."""

STUDY = sparse_trials.study(
    "2.4",
    "National Long Term Care Survey",
    2**16,
    STAND_IN,
    ("3152", "21574"),
    effort=((60, 2), (1000, 20)),
)
