"""`dpverify upgrade`: certificates of an earlier version, renewed."""

from __future__ import annotations

from pathlib import Path

import click

from dpverify.errors import InputError
from dpverify.files import write


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Write the new certificate here; for one FILE.")
@click.option("--in-place", is_flag=True, help="Replace each FILE by its new certificate.")
def upgrade(files: tuple[str, ...], output: str | None, in_place: bool) -> int:
    """Renew certificates of version 1.

    The claim stays; how it is proved is written anew, rule by rule, and the kernel replays it. Without
    -o or --in-place the new certificate of laplace.json is laplace-2.json, and a file that is there
    already is not touched.

    \b
    dpverify upgrade laplace.json
    dpverify upgrade laplace.json -o new.json
    dpverify upgrade --in-place certificates/*.json

    Exit status: 0 all are renewed, 2 one is no old certificate, the kernel does not follow its
    proof, or it cannot be written.
    """
    from dpverify.certificate.upgrade import upgraded
    from dpverify.cli.options import wrote
    from dpverify.cli.progress import Progress
    from dpverify.serialise import serialise
    from dpverify.show.words import printable

    if output is not None and (in_place or len(files) > 1):
        raise InputError("-o names the file of one certificate; leave it out for several, and with --in-place")
    worst = 0
    for file in files:
        target = Path(output) if output is not None else Path(file) if in_place else _beside(Path(file))
        try:
            if output is None and not in_place and target.exists():
                raise InputError(f"{target}: is there already, and not touched; say where to write with -o")
            with Progress() as progress:
                name, boxes = printable(file), iter(range(1, 10**12))
                renewed = upgraded(file, lambda: progress(f"{name} is renewed", next(boxes)))
            write(target, serialise(renewed.certificate))
        except InputError as error:
            worst = 2
            click.echo(printable(f"dpverify: {error}"), err=True)
        else:
            wrote(target)
            for part in renewed.left_out:
                click.echo(printable(f"{target}: without its {part}, which the kernel does not enclose"))
    return worst


def _beside(file: Path) -> Path:
    return file.parent / f"{file.stem}-2{file.suffix or '.json'}"
