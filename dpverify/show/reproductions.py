"""A study that has run: in the terminal, and as a folder with a page, its pictures and its numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpverify import files
from dpverify.show.terminal import WIDTH, wrapped
from dpverify.show.words import printable
from dpverify.theorems.claim import PAPERS

if TYPE_CHECKING:
    from dpverify.reproduce import Cell, Reproduction, Study, Verdict

VERDICTS: dict[Verdict, str] = {"agrees": "agree", "differs": "differ", "cannot be compared": "cannot be compared"}


def catalogue(studies: Sequence[Study]) -> list[str]:
    """The studies with their places and titles, paper by paper."""
    found: list[str] = []
    label = max(len(study.id) for study in studies)
    for paper, title in PAPERS.items():
        of = [study for study in studies if study.paper == paper]
        found += [""] if of and found else []
        found += wrapped(title, WIDTH) if of else []
        for study in of:
            head = f"  {study.id:<{label}}  "
            told = f"{study.place}: {study.title}{'; takes --data' if study.data else ''}"
            first, *more = wrapped(told, WIDTH - len(head))
            found += [head + first, *(" " * len(head) + line for line in more)]
    return found


def lines(made: Reproduction) -> list[str]:
    """The cells at 80 columns: what is printed, what we found, and the verdict; then what differs from the paper."""
    study = made.study
    found = wrapped(f"{study.id}: {study.title}", WIDTH)
    found += [f"  {line}" for line in wrapped(f"{PAPERS[study.paper]}, {study.place}", WIDTH - 2)]
    if made.data:
        found.append(f"  data: {printable(made.data)}")
    columns = [(number(c.printed, c.printed_error), number(c.ours, c.error), c.verdict) for c in made.cells]
    wide = [max([7, *(len(row[k]) for row in columns)]) for k in (0, 1)]
    name = min(WIDTH - 8 - sum(wide) - len("cannot be compared"), max((len(c.name) for c in made.cells), default=0))
    if columns:
        found += ["", f"  {'':<{name}}  {'printed':<{wide[0]}}  {'ours':<{wide[1]}}  verdict"]
    for cell, (printed, ours, verdict) in zip(made.cells, columns, strict=True):
        first, *more = wrapped(cell.name, name) or [""]
        found.append(f"  {first:<{name}}  {printed:<{wide[0]}}  {ours:<{wide[1]}}  {verdict}")
        found += [f"    {line}" for line in more]
    told = [f"{c.name}: {c.reason}." for c in made.cells if c.verdict == "differs" and c.reason] + _told(made)
    found += [""] if told else []
    for text in told:
        first, *more = wrapped(text, WIDTH - 4)
        found += [f"  - {first}", *(f"    {line}" for line in more)]
    return [*found, "", *(f"  {line}" for line in wrapped(summary(made), WIDTH - 2))]


def _told(made: Reproduction) -> list[str]:
    """Why cells cannot be compared, each reason once, and the study's notes."""
    said = dict.fromkeys(cell.reason for cell in made.cells if cell.verdict == "cannot be compared")
    return [*(f"Cannot be compared: {reason}." for reason in said), *made.study.notes]


def summary(made: Reproduction) -> str:
    """How many cells agree, differ, and cannot be compared."""
    counts = made.counts
    told = ", ".join(
        f"{count} {verdict if count == 1 else word}" for verdict, word in VERDICTS.items() if (count := counts[verdict])
    )
    effort = "; quick: few repetitions, wide errors" if made.quick else ""
    return f"{len(made.cells)} cell{'' if len(made.cells) == 1 else 's'}: {told}{effort}; seed {made.seed}"


def number(value: float | str, error: float | str | None) -> str:
    """A number with its standard error in brackets, ours with three digits of the error's place."""
    if isinstance(value, str):
        return f"{value} ({error})" if error else value
    return f"{value:.4g}" if not isinstance(error, float) else f"{value:.3f} ({error:.3f})"


def page(made: Reproduction) -> str:
    """One HTML file that asks nothing of the network, its pictures in it."""
    from dpverify.show.document import environment
    from dpverify.show.plots.graph import inline

    template = environment("dpverify.show", html=True).get_template("reproduction.html")
    pictures = [(graph, inline(graph)) for graph in made.graphs]

    def row(cell: Cell) -> tuple[str, str, str, str, str]:
        return (
            cell.name,
            number(cell.printed, cell.printed_error),
            number(cell.ours, cell.error),
            cell.verdict,
            cell.reason if cell.verdict == "differs" else "",
        )

    return template.render(
        made=made,
        paper=PAPERS[made.study.paper],
        rows=[row(cell) for cell in made.cells],
        pictures=pictures,
        told=_told(made),
        summary=summary,
    )


def write(made: Reproduction, folder: Path) -> list[Path]:
    """The page, the numbers as JSON and the pictures as SVG, named after the study; returns the files."""
    from dpverify.show.plots.graph import svg

    name = made.study.id
    made_here: dict[Path, str | bytes] = {
        folder / f"{name}.html": page(made),
        folder / f"{name}.json": json.dumps(made.to_json(), indent=1) + "\n",
        **{folder / f"{name}-{graph.name}.svg": svg(graph) for graph in made.graphs},
    }
    for path, data in made_here.items():
        files.write(path, data)
    return list(made_here)
