"""`-` in place of a file: standard input where it is read, standard output where it is written."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpverify.errors import InputError
from dpverify.files import MOST, write
from dpverify.serialise import serialise
from dpverify.show.words import printable

if TYPE_CHECKING:
    from dpverify.results import Result

STREAM = "-"


def contents(file: str) -> str | bytes:
    """The file's name as it is, or the bytes of standard input; raises InputError where those are too many."""
    if file != STREAM:
        return file
    data = sys.stdin.buffer.read(MOST + 1)
    if len(data) > MOST:
        raise InputError(f"standard input: larger than {MOST} bytes")
    return data


def is_stream(path: Path | None) -> bool:
    """Whether standard output is meant."""
    return path is not None and str(path) == STREAM


def alone(certificate: Path | None, as_json: bool) -> None:
    """Refuse two things on one standard output."""
    if is_stream(certificate) and as_json:
        raise InputError("--certificate - and --json both write to standard output; name a file for the certificate")


def words_beside(certificate: Path | None) -> AbstractContextManager[object]:
    """Where the words go: to standard error while standard output carries the certificate."""
    return redirect_stdout(sys.stderr) if is_stream(certificate) else nullcontext()


@contextmanager
def printed_to(output: Path | None) -> Iterator[None]:
    """What the block prints goes to this file, written whole; what cannot be written is printed after all."""
    if output is None or is_stream(output):
        yield
        return
    text = io.StringIO()
    with redirect_stdout(text):
        yield
    try:
        write(output, text.getvalue())
    except InputError:
        click.echo(text.getvalue(), nl=False)
        raise
    click.echo(f"wrote {printable(str(output))}", err=True)


OUTPUT = click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write what is printed here; - for stdout."
)


def printing(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with -o, which takes all that it prints."""

    @OUTPUT
    @wraps(command)
    def run(*arguments: object, output: Path | None, **options: object) -> object:
        with printed_to(output):
            return command(*arguments, **options)

    return run


def save(result: Result, path: Path | None) -> Path | None:
    """Write a result's certificate to a file or to standard output; the file, where there is one."""
    if path is None:
        return None
    if not is_stream(path):
        return result.save(path)
    if result.certificate is None:
        raise InputError(f"there is no certificate: {result.reason}")
    click.echo(serialise(result.certificate).decode(), nl=False)
    return None
