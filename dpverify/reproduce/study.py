"""A study: one table or figure of a paper, and what came of computing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpverify.errors import InputError
from dpverify.reproduce.cell import Cell
from dpverify.reproduce.graph import Graph
from dpverify.reproduce.work import Report, Work
from dpverify.theorems.claim import PAPERS, Effort


@dataclass(frozen=True, slots=True)
class Study:
    """One table or figure.

    id       such as "awan-table-1"
    paper    a name of `dpverify.theorems.claim.PAPERS`
    place    in the paper
    title    what it shows
    run      yields the cells and pictures, as they are found
    data     the layout of the file that the user brings; "" where none is needed
    notes    what differs from the paper, and why: said beside the result
    shares   the study whose repetitions these are as well; "" where they are its own
    """

    id: str
    paper: str
    place: str
    title: str
    run: Callable[[Work], Iterator[Cell | Graph]]
    data: str = ""
    notes: tuple[str, ...] = ()
    shares: str = ""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A study that has run: its cells and pictures, in the paper's order, and from what."""

    study: Study
    cells: tuple[Cell, ...]
    graphs: tuple[Graph, ...]
    quick: bool
    seed: int
    data: str

    @property
    def counts(self) -> Counter[str]:
        """How many cells of each verdict."""
        return Counter(cell.verdict for cell in self.cells)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        study = self.study
        return {
            "study": study.id,
            "paper": PAPERS[study.paper],
            "place": study.place,
            "title": study.title,
            "notes": list(study.notes),
            "quick": self.quick,
            "seed": self.seed,
            "data": self.data,
            "cells": [cell.to_json() for cell in self.cells],
            "graphs": [graph.to_json() for graph in self.graphs],
        }


def reproduce(
    study: Study | str,
    *,
    quick: bool = False,
    folder: str | Path | None = None,
    data: str | Path | None = None,
    jobs: int | None = 1,
    seed: int = 0,
    report: Report = lambda done, total: None,
) -> Reproduction:
    """Run a study, or its name; what a folder keeps of an interrupted run is not computed again.

    Args:
        quick: few repetitions.
        folder: where finished units are kept; None keeps nothing.
        data: the file that the study asks for.
        jobs: processes; None leaves it to a surrounding `joblib.parallel_config`, Dask's for instance.
        seed: from 0.
        report: called with units done, and of how many.

    Raises:
        InputError: there is no such study or file, or the study takes none.
    """
    from dpverify.reproduce.registry import choose

    found = choose([study])[0] if isinstance(study, str) else study
    file = None if data is None else Path(data)
    if file is not None and not found.data:
        raise InputError(f"{found.id} takes no data")
    if file is not None and not file.is_file():
        raise InputError(f"{file}: there is no such file")
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    name = found.shares or found.id
    work = Work(
        name,
        Effort(quick),
        folder=None if folder is None else Path(folder),
        data=file,
        jobs=jobs,
        seed=seed,
        report=report,
    )
    made = list(found.run(work))
    cells = tuple(x for x in made if isinstance(x, Cell))
    graphs = tuple(x for x in made if isinstance(x, Graph))
    said = "" if not found.data else "a stand-in, made up here" if file is None else file.name
    return Reproduction(found, cells, graphs, quick, seed, said)
