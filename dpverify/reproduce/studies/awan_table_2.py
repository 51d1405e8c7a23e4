"""Table 2: the subspace norm of private components of two data sets."""

from __future__ import annotations

from collections.abc import Iterator

from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.studies.growth_and_tracts import LAYOUT, NOTES, table
from dpverify.reproduce.study import Study
from dpverify.reproduce.work import Work
from dpverify.theorems.awan_2019.section_6_tables import NORMS


def run(work: Work) -> Iterator[Cell | Graph]:
    """The table of the subspace norm."""
    return table(work, 1, "Subspace norm", NORMS)


STUDY = Study(
    "awan-table-2",
    "awan-2019",
    "Section 6.2, Table 2",
    "subspace norm on the Berkeley growth and the diffusion tensor data",
    run,
    data=LAYOUT,
    notes=NOTES,
    shares="awan-tables",
)
