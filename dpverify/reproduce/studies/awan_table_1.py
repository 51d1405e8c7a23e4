"""Table 1: the variance ratio of private components of two data sets."""

from __future__ import annotations

from collections.abc import Iterator

from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.studies.growth_and_tracts import LAYOUT, NOTES, table
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work
from dpverify.theorems.awan_2019.section_6_tables import RATIOS


def run(work: Work) -> Iterator[Cell | Graph]:
    """The table of the variance ratio."""
    return table(work, 0, "Variance ratio", RATIOS)


STUDY = Study(
    "awan-table-1",
    "awan-2019",
    "Section 6.2, Table 1",
    "variance ratio on the Berkeley growth and the diffusion tensor data",
    run,
    data=LAYOUT,
    notes=NOTES,
    shares="awan-tables",
)
