"""How many places the kernel has, and what became of each: the table of soundness/SURVIVORS.md.

python -m soundness.tally; with --read once the reasons in survivors.toml have been read beside functions that changed.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from soundness.killed import digest, keep, killed
from soundness.mutants import OUTCOMES, everywhere, outcome, trees
from soundness.places import Place
from soundness.survivors import READ, explained, standing

TABLE = Path(__file__).with_name("SURVIVORS.md")
OPEN = ", {:,} that are new or have changed since and wait for their turn"


def outcomes(places: Sequence[Place]) -> dict[Place, str]:
    """What became of each place."""
    noticed, known = killed(), standing(places)
    return {x: outcome({"name": x.name, "lived": digest(x.name, x.source) not in noticed}, known) for x in places}


def table(found: dict[Place, str]) -> str:
    """A line for all places, and a row for each section."""
    files = sorted({place.file for place in found})
    counts = Counter((place.file, what) for place, what in found.items())
    sums = [sum(counts[file, what] for file in files) for what in OUTCOMES]
    rows = [[sum(row), *row] for row in ([counts[file, what] for what in OUTCOMES] for file in files)]
    waiting = OPEN if sums[-1] else ""
    lines = [
        f"The kernel has {{:,}} places: {{:,}} killed, {{:,}} explained{waiting}.".format(len(found), *sums),
        "",
        "| section | places | killed | explained | not explained yet |",
        "| --- | --- | --- | --- | --- |",
        *(f"| `{file}` | " + " | ".join(map(str, row)) + " |" for file, row in zip(files, rows, strict=True)),
    ]
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--read", is_flag=True, help="Keep that every reason has been read beside its function as it is.")
def main(read: bool) -> None:
    """Write the table, and list places that wait; ends with status 1 where there are any."""
    places = everywhere(trees())
    named = explained()
    if read:
        living = [(x.name, x.source) for x in places]
        keep([pair for pair in living if pair[0] in named], living, READ)
    found = outcomes(places)
    head, rest = re.split(r"(?m)^The kernel has .*(?:\n+\|.*)*\n", TABLE.read_text(), maxsplit=1)
    TABLE.write_text(head + table(found) + rest)
    waiting = [place for place, what in found.items() if what == OUTCOMES[-1]]
    for place in waiting:
        print(f"- {place}{': its reason was read beside another function' if place.name in named else ''}")
    for place in (x for x, what in found.items() if what == OUTCOMES[0] and x.name in named):
        print(f"- {place}: has a reason, and is noticed")
    sys.exit(bool(waiting))


if __name__ == "__main__":
    main()
