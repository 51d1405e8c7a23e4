"""`dpverify classroom`: a page that proves in the browser, and notebooks with the same exercises."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--notebooks", is_flag=True, help="Write the notebooks alone, .ipynb and marimo's.")
@click.option("--docs", metavar="URL", default="", help="Where the documentation lies, seen from the page.")
def classroom(folder: Path, notebooks: bool, docs: str) -> None:
    """Build a page that proves in the browser.

    FOLDER becomes a static site for any web server, nothing to install: an explorer with proofs and the kernel's own
    replay, and eight exercises that are graded by what is true of the answers. Building needs npm and a network; the
    page needs neither: `python -m http.server --directory site` shows it.

    \b
    dpverify classroom site
    dpverify classroom --notebooks .

    Exit status: 0 written, 2 bad input, or no network.
    """
    from dpverify.show.words import printable

    if notebooks:
        from dpverify.classroom.notebooks import write

        for path in write(folder):
            click.echo(f"wrote {printable(str(path))}")
        return
    from dpverify.classroom.bundle import build, store

    size = build(folder, store(), docs)
    click.echo(f"wrote {printable(str(folder))}, {size / 2**20:.1f} MiB")
